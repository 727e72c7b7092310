// breadth_first: levels of a graph's nodes, with a queue of the nodes to visit. Nodes have from none to many
// edges, so that a warp's loops end at different times, and few neighbours are new (data-dependent, if only).
//
// usage: breadth_first [nodes [edges a node]]

#include "check.h"

__global__ void visit(const int *first, const int *edges, int *levels, const int *queue, int waiting,
                      int level)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= waiting)
        return;
    int node = queue[i];
    for (int e = first[node]; e < first[node + 1]; e++) {
        int neighbour = edges[e];
        // Whoever finds a node writes the same.
        if (levels[neighbour] < 0)
            levels[neighbour] = level;
    }
}

int main(int argc, char **argv)
{
    int nodes = number(argc, argv, 1, 4000), degree = number(argc, argv, 2, 6);
    int *first = (int *)malloc((nodes + 1) * sizeof(int));
    int *edges = (int *)malloc(nodes * 4 * degree * sizeof(int));
    int count = 0;
    for (int node = 0; node < nodes; node++) {
        first[node] = count;
        // One node in eight has most of the edges.
        int many = node == 0 || random_below(8) == 0;
        int own = many ? degree + random_below(3 * degree) : random_below(degree);
        for (int e = 0; e < own; e++)
            edges[count++] = random_below(nodes);
    }
    first[nodes] = count;

    int *expected = (int *)malloc(nodes * sizeof(int)), *queue = (int *)malloc(nodes * sizeof(int));
    int *levels = (int *)malloc(nodes * sizeof(int));
    for (int i = 0; i < nodes; i++)
        levels[i] = expected[i] = i == 0 ? 0 : -1;
    int taken = 0, put = 0;
    queue[put++] = 0;
    while (taken < put) {
        int node = queue[taken++];
        for (int e = first[node]; e < first[node + 1]; e++) {
            if (expected[edges[e]] < 0) {
                expected[edges[e]] = expected[node] + 1;
                queue[put++] = edges[e];
            }
        }
    }
    printf("breadth_first: %d of %d nodes reached, %d edges\n", put, nodes, count);

    int *d_first = on_device(first, nodes + 1), *d_edges = on_device(edges, count);
    int *d_levels = on_device(levels, nodes), *d_queue = on_device(NULL, nodes);
    int waiting = 1;
    for (int level = 1; waiting > 0; level++) {
        visit<<<(waiting + 127) / 128, 128>>>(d_first, d_edges, d_levels, d_queue, waiting, level);
        CHECK(cudaMemcpy(levels, d_levels, nodes * sizeof(int), cudaMemcpyDeviceToHost));
        waiting = 0;
        for (int node = 0; node < nodes; node++)
            if (levels[node] == level)
                queue[waiting++] = node;
        CHECK(cudaMemcpy(d_queue, queue, waiting * sizeof(int), cudaMemcpyHostToDevice));
    }
    return verdict("breadth_first", expected, d_levels, nodes);
}
