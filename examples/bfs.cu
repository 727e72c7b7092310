// bfs: breadth-first search of a random directed graph, level by level.
//
// The graph is in compressed sparse rows. One launch expands one level: every thread looks at
// its node, and those on the frontier visit their neighbours. The host launches again until a
// level changes nothing. Frontier membership and degrees are irregular, so warps diverge at the
// test and in the edge loop, and loads of neighbours scatter.
//
// usage: bfs [nodes [degree]]; degree is the largest number of edges leaving a node

#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

#ifndef NODES
#define NODES 65536
#endif
#ifndef DEGREE
#define DEGREE 8
#endif
#ifndef BLOCK
#define BLOCK 256
#endif

#define CHECK(call)                                                            \
    do {                                                                       \
        cudaError_t status = (call);                                           \
        if (status != cudaSuccess) {                                           \
            printf("line %d: %s\n", __LINE__, cudaGetErrorString(status));     \
            exit(1);                                                           \
        }                                                                      \
    } while (0)

// Two threads may reach the same neighbour at once. Both store the same level, so the outcome
// does not depend on who is first and no atomics are needed; the same holds for the flag.
__global__ void expand(const int *first_edge, const int *edges, int *level, int current,
                       int nodes, int *changed)
{
    int node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node >= nodes || level[node] != current)
        return;
    for (int e = first_edge[node]; e < first_edge[node + 1]; e++) {
        int neighbour = edges[e];
        if (level[neighbour] < 0) {
            level[neighbour] = current + 1;
            *changed = 1;
        }
    }
}

// The reference: the textbook search with a queue. Fills `level`, returns the nodes reached.
int search(const int *first_edge, const int *edges, int *level, int nodes)
{
    int *queue = (int *)malloc(nodes * sizeof(int));
    int head = 0, tail = 0;
    for (int i = 0; i < nodes; i++)
        level[i] = -1;
    level[0] = 0;
    queue[tail++] = 0;
    while (head < tail) {
        int node = queue[head++];
        for (int e = first_edge[node]; e < first_edge[node + 1]; e++) {
            int neighbour = edges[e];
            if (level[neighbour] < 0) {
                level[neighbour] = level[node] + 1;
                queue[tail++] = neighbour;
            }
        }
    }
    free(queue);
    return tail;
}

int main(int argc, char **argv)
{
    int nodes = argc > 1 ? atoi(argv[1]) : NODES;
    int degree = argc > 2 ? atoi(argv[2]) : DEGREE;
    if (nodes < 1 || degree < 1) {
        printf("usage: bfs [nodes [degree]], each at least 1\n");
        return 2;
    }

    int *first_edge = (int *)malloc((nodes + 1) * sizeof(int));
    int *edges = (int *)malloc((size_t)nodes * degree * sizeof(int));
    int *level = (int *)malloc(nodes * sizeof(int));
    int *expected = (int *)malloc(nodes * sizeof(int));

    // The source gets all its edges, any other node between none and `degree` of them.
    srand(5);
    int count = 0;
    for (int node = 0; node < nodes; node++) {
        first_edge[node] = count;
        int leaving = node == 0 ? degree : rand() % (degree + 1);
        for (int e = 0; e < leaving; e++) {
            // C promises only 15 bits from rand, too few for a large graph.
            int random = (rand() & 0x7fff) << 15 | (rand() & 0x7fff);
            edges[count++] = random % nodes;
        }
    }
    first_edge[nodes] = count;

    int *device_first, *device_edges, *device_level, *device_changed;
    CHECK(cudaMalloc((void **)&device_first, (nodes + 1) * sizeof(int)));
    CHECK(cudaMalloc((void **)&device_edges, count * sizeof(int)));
    CHECK(cudaMalloc((void **)&device_level, nodes * sizeof(int)));
    CHECK(cudaMalloc((void **)&device_changed, sizeof(int)));
    CHECK(cudaMemcpy(device_first, first_edge, (nodes + 1) * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(device_edges, edges, count * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(device_level, 0xff, nodes * sizeof(int)));  // -1: not reached
    CHECK(cudaMemset(device_level, 0, sizeof(int)));             // node 0 is the source

    int changed, current = 0;
    do {
        CHECK(cudaMemset(device_changed, 0, sizeof(int)));
        expand<<<(nodes + BLOCK - 1) / BLOCK, BLOCK>>>(device_first, device_edges, device_level,
                                                       current, nodes, device_changed);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(&changed, device_changed, sizeof(int), cudaMemcpyDeviceToHost));
        current++;
    } while (changed);
    CHECK(cudaMemcpy(level, device_level, nodes * sizeof(int), cudaMemcpyDeviceToHost));

    int reached = search(first_edge, edges, expected, nodes);
    printf("bfs: %d nodes, %d edges, %d levels, %d nodes reached\n", nodes, count, current,
           reached);
    int failed = 0;
    for (int i = 0; i < nodes; i++) {
        if (level[i] != expected[i]) {
            printf("mismatch at node %d: expected level %d, got %d\n", i, expected[i], level[i]);
            failed = 1;
            break;
        }
    }
    printf("%s\n", failed ? "FAIL" : "PASS");

    cudaFree(device_first);
    cudaFree(device_edges);
    cudaFree(device_level);
    cudaFree(device_changed);
    free(first_edge);
    free(edges);
    free(level);
    free(expected);
    return failed;
}
