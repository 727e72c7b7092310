// suite: rodinia
// includes: cuda/bfs cuda/util
// unchanged
#define main their_main
#include "bfs.cu"
#undef main

// Levels of a random graph with a star and a path in it, against a queue on the host.
int main()
{
    const int n = 1500, degree = 3;
    static Node nodes[n];
    static int edges[n * (degree + 2)], cost[n], gold[n], queue[n];
    static bool mask[n], visited[n];
    srand(7);
    int count = 0;
    for (int i = 0; i < n; i++) {
        nodes[i].starting = count;
        if (i >= n - 200) {
            // A path that only its start leads to.
            if (i + 1 < n)
                edges[count++] = i + 1;
        } else {
            int own = i == 5 ? 4 : rand() % (degree + 1);
            for (int k = 0; k < own; k++)
                edges[count++] = rand() % (n - 200);
            if (i == 17)
                edges[count++] = n - 200;
        }
        nodes[i].no_of_edges = count - nodes[i].starting;
    }
    for (int i = 0; i < n; i++)
        gold[i] = cost[i] = -1;
    const int source = 5;
    int head = 0, tail = 0;
    queue[tail++] = source;
    gold[source] = cost[source] = 0;
    while (head < tail) {
        int from = queue[head++];
        for (int k = 0; k < nodes[from].no_of_edges; k++) {
            int to = edges[nodes[from].starting + k];
            if (gold[to] < 0) {
                gold[to] = gold[from] + 1;
                queue[tail++] = to;
            }
        }
    }

    Node *nodes_d;
    int *edges_d, *cost_d;
    bool *mask_d, *updating_d, *visited_d, *over_d;
    cudaMalloc(&nodes_d, sizeof nodes);
    cudaMalloc(&edges_d, sizeof edges);
    cudaMalloc(&cost_d, sizeof cost);
    cudaMalloc(&mask_d, sizeof mask);
    cudaMalloc(&updating_d, sizeof mask);
    cudaMalloc(&visited_d, sizeof visited);
    cudaMalloc(&over_d, sizeof(bool));
    mask[source] = visited[source] = true;
    cudaMemcpy(nodes_d, nodes, sizeof nodes, cudaMemcpyHostToDevice);
    cudaMemcpy(edges_d, edges, sizeof edges, cudaMemcpyHostToDevice);
    cudaMemcpy(cost_d, cost, sizeof cost, cudaMemcpyHostToDevice);
    cudaMemcpy(mask_d, mask, sizeof mask, cudaMemcpyHostToDevice);
    cudaMemcpy(visited_d, visited, sizeof visited, cudaMemcpyHostToDevice);
    cudaMemset(updating_d, 0, sizeof mask);
    dim3 grid((n + MAX_THREADS_PER_BLOCK - 1) / MAX_THREADS_PER_BLOCK), block(MAX_THREADS_PER_BLOCK);
    bool more;
    int rounds = 0;
    do {
        more = false;
        cudaMemcpy(over_d, &more, sizeof more, cudaMemcpyHostToDevice);
        Kernel<<<grid, block>>>(nodes_d, edges_d, mask_d, updating_d, visited_d, cost_d, n);
        Kernel2<<<grid, block>>>(mask_d, updating_d, visited_d, over_d, n);
        cudaMemcpy(&more, over_d, sizeof more, cudaMemcpyDeviceToHost);
        rounds++;
    } while (more);
    cudaMemcpy(cost, cost_d, sizeof cost, cudaMemcpyDeviceToHost);
    int wrong = 0, deepest = 0, reached = 0;
    for (int i = 0; i < n; i++) {
        wrong += cost[i] != gold[i];
        deepest = gold[i] > deepest ? gold[i] : deepest;
        reached += gold[i] >= 0;
    }
    if (wrong || rounds != deepest + 1 || reached < n / 2)
        printf("%d levels of %d are wrong, %d rounds for %d\n", wrong, reached, rounds, deepest);
    else
        puts("PASS");
    return 0;
}

// out: PASS
