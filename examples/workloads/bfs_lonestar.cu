// bfs_lonestar: breadth-first search by relaxing all edges until nothing changes, as LonestarGPU's topology-driven
// version does: each thread has four nodes in a row, looks at every edge of theirs, and lowers the neighbour's
// level with an atomic minimum where it is higher than the node's own and one. Nothing says which nodes are active, so
// that every round reads the whole graph. (`bfs2` and `bfs_rodinia` have frontiers; `sssp` is the same with weights.)
//
// Measured by: dissertation chapters 5 (Table 5.4, BFS1: 3 G instructions, 1.25 sectors of a line used) and 6 (Table
// 6.2, BFS: 2.8 G; one of the four programs that gain).
// Characteristic: short loops over a node's edges, with a scattered load each; four nodes a thread, so that a warp's
// loads of its nodes are 16 bytes apart. Blocks of 256 threads.
//
// usage: bfs_lonestar [nodes [kind [rounds]]]: kind 1 an R-MAT graph with 8 edges a node on the average, kind 2 (the
// default) a road-like one (a square grid with missing and some diagonal streets); stops after `rounds` rounds

#include "workload.h"

const int BLOCK = 256, NODES_EACH = 4, FAR = 1000000000;

struct graph {
    int nodes, edges;
    int *first, *to;
};

__global__ void start(int *level, int nodes, int source)
{
    int node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node < nodes)
        level[node] = node == source ? 0 : FAR;
}

__device__ bool relax(const int *to, int *level, int node, int edge)
{
    int neighbour = to[edge];
    int found = level[node] + 1;
    if (found < level[neighbour]) {
        int old = atomicMin(&level[neighbour], found);
        return found < old;
    }
    return false;
}

__device__ bool relax_node(const int *first, const int *to, int *level, int node)
{
    bool lowered = false;
    int degree = first[node + 1] - first[node];
    for (int i = 0; i < degree; i++)
        lowered |= relax(to, level, node, first[node] + i);
    return lowered;
}

__global__ void relax_all(const int *first, const int *to, int *level, int nodes, int *changed)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    bool lowered = false;
    for (int node = thread * NODES_EACH; node < (thread + 1) * NODES_EACH; node++) {
        if (node < nodes)
            lowered |= relax_node(first, to, level, node);
    }
    if (lowered)
        *changed = 1;
}

// Edges as pairs to rows of edges; self-loops are left out.
graph rows(int nodes, const int *from, const int *to, int count)
{
    graph g;
    g.nodes = nodes;
    g.first = (int *)calloc(nodes + 1, sizeof(int));
    g.to = (int *)malloc((count + 1) * sizeof(int));
    for (int i = 0; i < count; i++)
        if (from[i] != to[i])
            g.first[from[i] + 1]++;
    for (int node = 0; node < nodes; node++)
        g.first[node + 1] += g.first[node];
    g.edges = g.first[nodes];
    int *at = (int *)malloc((nodes + 1) * sizeof(int));
    memcpy(at, g.first, (nodes + 1) * sizeof(int));
    for (int i = 0; i < count; i++) {
        if (from[i] != to[i]) {
            g.to[at[from[i]]++] = to[i];
        }
    }
    free(at);
    return g;
}

// R-MAT (Chakrabarti et al.): each bit of an edge's ends is drawn with the probabilities 0.45, 0.22, 0.22, 0.11.
graph rmat(int nodes)
{
    int count = nodes * 8, bits = 0;
    while ((1 << bits) < nodes)
        bits++;
    int *from = (int *)malloc(count * sizeof(int)), *to = (int *)malloc(count * sizeof(int));
    for (int i = 0; i < count; i++) {
        int a = 0, b = 0;
        for (int bit = 0; bit < bits; bit++) {
            int drawn = random_below(100);
            a = 2 * a + (drawn >= 67);
            b = 2 * b + ((drawn >= 45 && drawn < 67) || drawn >= 89);
        }
        from[i] = a % nodes;
        to[i] = b % nodes;
    }
    return rows(nodes, from, to, count);
}

// A grid of crossings, of which one street in ten is missing and one block in sixteen has a diagonal; both ways.
graph roads(int nodes)
{
    int side = 1, count = 0;
    while ((side + 1) * (side + 1) <= nodes)
        side++;
    int *from = (int *)malloc(nodes * 6 * sizeof(int)), *to = (int *)malloc(nodes * 6 * sizeof(int));
    for (int node = 0; node < side * side; node++) {
        int x = node % side, y = node / side;
        for (int way = 0; way < 3; way++) {
            int there = way == 0 ? node + 1 : way == 1 ? node + side : node + side + 1;
            int fits = way == 0 ? x + 1 < side : way == 1 ? y + 1 < side : x + 1 < side && y + 1 < side;
            int built = way == 2 ? random_below(16) == 0 : random_below(10) != 0;
            if (fits && built) {
                from[count] = to[count + 1] = node;
                to[count] = from[count + 1] = there;
                count += 2;
            }
        }
    }
    return rows(side * side, from, to, count);
}

// The levels by a queue of nodes.
int *levels(graph g, int source)
{
    int *level = (int *)malloc(g.nodes * sizeof(int)), *queue = (int *)malloc(g.nodes * sizeof(int));
    for (int node = 0; node < g.nodes; node++)
        level[node] = FAR;
    level[source] = 0;
    int head = 0, tail = 0;
    queue[tail++] = source;
    while (head < tail) {
        int node = queue[head++];
        for (int edge = g.first[node]; edge < g.first[node + 1]; edge++) {
            if (level[g.to[edge]] == FAR) {
                level[g.to[edge]] = level[node] + 1;
                queue[tail++] = g.to[edge];
            }
        }
    }
    free(queue);
    return level;
}

int main(int argc, char **argv)
{
    int nodes = argument(argc, argv, 1, 4096), kind = argument(argc, argv, 2, 2),
        limit = argument(argc, argv, 3, 1000000);
    graph g = kind == 1 ? rmat(nodes) : roads(nodes);
    int source = 0;
    while (source + 1 < g.nodes && g.first[source + 1] == g.first[source])
        source++;

    int *d_first = to_device(g.first, g.nodes + 1), *d_to = to_device(g.to, g.edges + 1);
    int *d_levels = device_zeros<int>(g.nodes);
    int *d_changed = device_zeros<int>(1);
    start<<<(g.nodes + BLOCK - 1) / BLOCK, BLOCK>>>(d_levels, g.nodes, source);
    int threads = (g.nodes + NODES_EACH - 1) / NODES_EACH, changed = 1, rounds = 0;
    for (; changed && rounds < limit; rounds++) {
        CHECK(cudaMemset(d_changed, 0, sizeof(int)));
        relax_all<<<(threads + BLOCK - 1) / BLOCK, BLOCK>>>(d_first, d_to, d_levels, g.nodes, d_changed);
        CHECK(cudaMemcpy(&changed, d_changed, sizeof(int), cudaMemcpyDeviceToHost));
    }
    printf("bfs_lonestar: %d nodes, %d edges, %d rounds%s\n", g.nodes, g.edges, rounds,
           changed ? ", not to the end" : "");

    // Too early, what is at most `rounds` edges away is right, and the rest is not too low.
    int *found = to_host(d_levels, g.nodes), *expected = levels(g, source);
    for (int node = 0; node < g.nodes; node++) {
        if (!changed || expected[node] <= rounds)
            expect_int("level of node", node, expected[node], found[node]);
        else
            expect_int("level of node is not too low:", node, 1, found[node] >= expected[node]);
    }
    return verdict("bfs_lonestar");
}
