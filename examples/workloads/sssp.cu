// sssp: shortest paths from one node of a weighted graph, by relaxing all edges until nothing changes, as LonestarGPU's
// topology-driven version does: each thread has two nodes in a row, looks at every edge of theirs, compares with the
// neighbour's distance and lowers it with an atomic minimum. Nothing says which nodes are active, so that every round
// reads the whole graph.
//
// Measured by: dissertation chapters 5 (Table 5.4, SSSP: 1.5 G instructions, 1.24 sectors of a line used) and 6 (Table
// 6.2: 696 M). Both stop before the end, once the rounds are alike.
// Characteristic: loops of as many iterations as a node has edges, of which an R-MAT graph has very different numbers;
// the neighbours' distances are scattered, and all that is known of the own node is looked up again for each edge, so
// that it matters whether its lines are still in the L1. Blocks of 512 threads: LonestarGPU takes as many as the
// device says that a block may have, which are 512 in GPGPU-Sim, and divides 1024 nodes among them.
//
// usage: sssp [nodes [kind [rounds]]]: kind 1 (the default) an R-MAT graph with 8 edges a node on the average, kind 2
// a road-like one (a square grid with missing and some diagonal streets), kind 3 the same with crossings numbered at
// random, as the few sectors that Table 5.4 states demand; stops after `rounds` rounds

#include "workload.h"

const int BLOCK = 512, NODES_EACH = 2, FAR = 1000000000;

// Rows of edges as LonestarGPU has them: each node's number of edges, its place in `first`, its first edge.
struct graph {
    int nodes, edges;
    int *degree, *place, *first, *to, *weight;
};

__global__ void start(int *distance, int nodes, int source)
{
    int node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node < nodes)
        distance[node] = node == source ? 0 : FAR;
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

__device__ int weight_of(const graph &g, int node, int nth)
{
    if (node < g.nodes && nth < degree_of(g, node)) {
        int edge = first_edge(g, node) + nth;
        if (edge < g.edges)
            return g.weight[edge];
    }
    return FAR;
}

__device__ bool relax_edge(const graph &g, int *distance, int node, int nth)
{
    int there = destination(g, node, nth);
    if (there >= g.nodes)
        return false;
    int weight = weight_of(g, node, nth);
    if (weight >= FAR)
        return false;
    int found = distance[node] + weight;
    if (found < distance[there]) {
        int old = atomicMin(&distance[there], found);
        return found < old;
    }
    return false;
}

__device__ bool relax_node(const graph &g, int *distance, int node)
{
    if (node >= g.nodes)
        return false;
    bool lowered = false;
    int degree = degree_of(g, node);
    for (int nth = 0; nth < degree; nth++) {
        if (relax_edge(g, distance, node, nth))
            lowered = true;
    }
    return lowered;
}

__global__ void relax_all(graph g, int *distance, int *changed)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    for (int node = thread * NODES_EACH; node < (thread + 1) * NODES_EACH; node++) {
        if (relax_node(g, distance, node))
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
    g.weight = (int *)malloc((count + 1) * sizeof(int));
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
            int edge = at[from[i]]++;
            g.to[edge] = to[i];
            g.weight[edge] = 1 + random_below(100);
        }
    }
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

// For each node the least sum of a neighbour's distance and the edge from there. Weights are positive: if no distance
// is less than that, then from each node a path of such sums leads back to the source, and none is too short.
int *from_neighbours(graph g, const int *distance)
{
    int *least = (int *)malloc(g.nodes * sizeof(int));
    for (int node = 0; node < g.nodes; node++)
        least[node] = FAR;
    for (int node = 0; node < g.nodes; node++) {
        int here = distance[node];
        if (here == FAR)
            continue;
        for (int edge = g.first[node]; edge < g.first[node + 1]; edge++) {
            int there = g.to[edge];
            if (here + g.weight[edge] < least[there])
                least[there] = here + g.weight[edge];
        }
    }
    return least;
}

// The distances over at most `rounds` edges: a round that sees what it has lowered itself gets at least that far.
int *after_rounds(graph g, int source, int rounds)
{
    int *before = (int *)malloc(g.nodes * sizeof(int)), *after = (int *)malloc(g.nodes * sizeof(int));
    for (int node = 0; node < g.nodes; node++)
        after[node] = node == source ? 0 : FAR;
    for (int round = 0; round < rounds; round++) {
        memcpy(before, after, g.nodes * sizeof(int));
        for (int node = 0; node < g.nodes; node++) {
            if (before[node] == FAR)
                continue;
            for (int edge = g.first[node]; edge < g.first[node + 1]; edge++) {
                int found = before[node] + g.weight[edge];
                if (found < after[g.to[edge]])
                    after[g.to[edge]] = found;
            }
        }
    }
    free(before);
    return after;
}

int main(int argc, char **argv)
{
    int nodes = argument(argc, argv, 1, 4096), kind = argument(argc, argv, 2, 1),
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
    d.weight = to_device(g.weight, g.edges + 1);
    int *d_distance = device_zeros<int>(g.nodes);
    int *d_changed = device_zeros<int>(1);
    start<<<(g.nodes + BLOCK - 1) / BLOCK, BLOCK>>>(d_distance, g.nodes, source);
    int threads = (g.nodes + NODES_EACH - 1) / NODES_EACH, changed = 1, rounds = 0;
    for (; changed && rounds < limit; rounds++) {
        CHECK(cudaMemset(d_changed, 0, sizeof(int)));
        relax_all<<<(threads + BLOCK - 1) / BLOCK, BLOCK>>>(d, d_distance, d_changed);
        CHECK(cudaMemcpy(&changed, d_changed, sizeof(int), cudaMemcpyDeviceToHost));
    }
    // How many rounds it takes depends on the order in which threads run.
    printf("sssp: %d nodes, %d edges%s\n", g.nodes, g.edges, changed ? ", not to the end" : "");

    // At the end distances are just these sums. Too early they are between them and what so many rounds reach at least.
    int *found = to_host(d_distance, g.nodes), *least = from_neighbours(g, found);
    least[source] = 0;
    int *most = changed ? after_rounds(g, source, rounds) : least;
    for (int node = 0; node < g.nodes; node++) {
        if (found[node] < least[node] || found[node] > most[node])
            expect_int("distance of node", node, most[node], found[node]);
        else
            results_compared++;
    }
    return verdict("sssp");
}
