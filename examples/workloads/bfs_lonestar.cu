// bfs_lonestar: breadth-first search by relaxing all edges until nothing changes, as LonestarGPU's topology-driven
// version does: each thread has two nodes in a row, looks at every edge of theirs, and lowers the neighbour's
// level with an atomic minimum where it is higher than the node's own and one. Nothing says which nodes are active, so
// that every round reads the whole graph. (`bfs2` and `bfs_rodinia` have frontiers; `sssp` is the same with weights.)
//
// Measured by: dissertation chapters 5 (Table 5.4, BFS1: 3 G instructions, 1.25 sectors of a line used) and 6 (Table
// 6.2, BFS: 2.8 G; one of the four programs that gain).
// Characteristic: short loops over a node's edges, with a scattered load each; what is known of a node is looked up
// again for each edge, so that it matters whether its lines are still in the L1. Blocks of 512 threads: LonestarGPU
// takes as many as the device says that a block may have, which are 512 in GPGPU-Sim, and divides 1024 nodes among
// them.
//
// usage: bfs_lonestar [nodes [kind [rounds]]]: kind 1 an R-MAT graph with 8 edges a node on the average, kind 2 (the
// default) a road-like one (a square grid with missing and some diagonal streets), kind 3 the same with crossings
// numbered at random, as the few sectors that Table 5.4 states demand; stops after `rounds` rounds

#include "workload.h"

const int BLOCK = 512, NODES_EACH = 2, FAR = 1000000000;

// Rows of edges as LonestarGPU has them: each node's number of edges, its place in `first`, its first edge.
struct graph {
    int nodes, edges;
    int *degree, *place, *first, *to;
};

__global__ void start(int *level, int nodes, int source)
{
    int node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node < nodes)
        level[node] = node == source ? 0 : FAR;
}

// These look everything up again for each edge, as the original's do.
__device__ int degree_of(const graph &g, int node)
{
    return node < g.nodes ? g.degree[node] : 0;
}

__device__ int first_edge(const graph &g, int node)
{
    if (node < g.nodes && degree_of(g, node) > 0 && g.place[node] < g.nodes)
        return g.first[g.place[node]];
    return 0;
}

__device__ int destination(const graph &g, int node, int nth)
{
    if (node < g.nodes && nth < degree_of(g, node)) {
        int edge = first_edge(g, node) + nth;
        if (edge < g.edges)
            return g.to[edge];
    }
    return g.nodes;
}

__device__ bool relax_edge(const graph &g, int *level, int node, int nth)
{
    int there = destination(g, node, nth);
    if (there >= g.nodes)
        return false;
    int found = level[node] + 1;
    if (found < level[there]) {
        int old = atomicMin(&level[there], found);
        return found < old;
    }
    return false;
}

__device__ bool relax_node(const graph &g, int *level, int node)
{
    if (node >= g.nodes)
        return false;
    bool lowered = false;
    int degree = degree_of(g, node);
    for (int nth = 0; nth < degree; nth++) {
        if (relax_edge(g, level, node, nth))
            lowered = true;
    }
    return lowered;
}

__global__ void relax_all(graph g, int *level, int *changed)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    for (int node = thread * NODES_EACH; node < (thread + 1) * NODES_EACH; node++) {
        if (relax_node(g, level, node))
            *changed = 1;
    }
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
    for (int i = 0; i < count; i++)
        if (from[i] != to[i])
            g.to[at[from[i]]++] = to[i];
    free(at);
    g.degree = (int *)malloc(nodes * sizeof(int));
    g.place = (int *)malloc(nodes * sizeof(int));
    for (int node = 0; node < nodes; node++) {
        g.degree[node] = g.first[node + 1] - g.first[node];
        g.place[node] = node;
    }
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
// Crossings are numbered by rows or, as if at random, `scattered`.
graph roads(int nodes, int scattered)
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
    int *number = (int *)malloc(side * side * sizeof(int));
    for (int node = 0; node < side * side; node++) {
        int other = scattered ? random_below(node + 1) : node;
        number[node] = number[other];
        number[other] = node;
    }
    for (int i = 0; i < count; i++) {
        from[i] = number[from[i]];
        to[i] = number[to[i]];
    }
    free(number);
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
    graph g = kind == 1 ? rmat(nodes) : roads(nodes, kind == 3);
    int source = 0;
    while (source + 1 < g.nodes && g.first[source + 1] == g.first[source])
        source++;

    graph d = g;
    d.degree = to_device(g.degree, g.nodes);
    d.place = to_device(g.place, g.nodes);
    d.first = to_device(g.first, g.nodes + 1);
    d.to = to_device(g.to, g.edges + 1);
    int *d_levels = device_zeros<int>(g.nodes);
    int *d_changed = device_zeros<int>(1);
    start<<<(g.nodes + BLOCK - 1) / BLOCK, BLOCK>>>(d_levels, g.nodes, source);
    int threads = (g.nodes + NODES_EACH - 1) / NODES_EACH, changed = 1, rounds = 0;
    for (; changed && rounds < limit; rounds++) {
        CHECK(cudaMemset(d_changed, 0, sizeof(int)));
        relax_all<<<(threads + BLOCK - 1) / BLOCK, BLOCK>>>(d, d_levels, d_changed);
        CHECK(cudaMemcpy(&changed, d_changed, sizeof(int), cudaMemcpyDeviceToHost));
    }
    // How many rounds it takes depends on the order in which threads run.
    printf("bfs_lonestar: %d nodes, %d edges%s\n", g.nodes, g.edges, changed ? ", not to the end" : "");

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
