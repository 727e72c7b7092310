// sssp: shortest paths from one node of a weighted graph, by relaxing all edges until nothing changes, as LonestarGPU's
// topology-driven version does: each thread has four nodes in a row, looks at every edge of theirs, compares with the
// neighbour's distance and lowers it with an atomic minimum. Nothing says which nodes are active, so that every round
// reads the whole graph.
//
// Measured by: dissertation chapters 5 (Table 5.4, SSSP: 1.5 G instructions, 1.24 sectors of a line used) and 6 (Table
// 6.2: 696 M). Both stop before the end, once the rounds are alike.
// Characteristic: loops of as many iterations as a node has edges, of which an R-MAT graph has very different numbers;
// the neighbours' distances are scattered over the whole array. Blocks of 256 threads.
//
// usage: sssp [nodes [kind [rounds]]]: kind 1 (the default) an R-MAT graph with 8 edges a node on the average, kind 2
// a road-like one (a square grid with missing and some diagonal streets); stops after `rounds` rounds

#include "workload.h"

const int BLOCK = 256, NODES_EACH = 4, FAR = 1000000000;

struct graph {
    int nodes, edges;
    int *first, *to, *weight;
};

__global__ void start(int *distance, int nodes, int source)
{
    int node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node < nodes)
        distance[node] = node == source ? 0 : FAR;
}

__device__ bool relax(const int *to, const int *weight, int *distance, int node, int edge)
{
    int neighbour = to[edge];
    int found = distance[node] + weight[edge];
    if (found < distance[neighbour]) {
        int old = atomicMin(&distance[neighbour], found);
        return found < old;
    }
    return false;
}

__device__ bool relax_node(const int *first, const int *to, const int *weight, int *distance, int node)
{
    bool lowered = false;
    int degree = first[node + 1] - first[node];
    for (int i = 0; i < degree; i++)
        lowered |= relax(to, weight, distance, node, first[node] + i);
    return lowered;
}

__global__ void relax_all(const int *first, const int *to, const int *weight, int *distance, int nodes, int *changed)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    bool lowered = false;
    for (int node = thread * NODES_EACH; node < (thread + 1) * NODES_EACH; node++) {
        if (node < nodes)
            lowered |= relax_node(first, to, weight, distance, node);
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
    graph g = kind == 1 ? rmat(nodes) : roads(nodes);
    int source = 0;
    while (source + 1 < g.nodes && g.first[source + 1] == g.first[source])
        source++;

    int *d_first = to_device(g.first, g.nodes + 1), *d_to = to_device(g.to, g.edges + 1);
    int *d_weight = to_device(g.weight, g.edges + 1), *d_distance = device_zeros<int>(g.nodes);
    int *d_changed = device_zeros<int>(1);
    start<<<(g.nodes + BLOCK - 1) / BLOCK, BLOCK>>>(d_distance, g.nodes, source);
    int threads = (g.nodes + NODES_EACH - 1) / NODES_EACH, changed = 1, rounds = 0;
    for (; changed && rounds < limit; rounds++) {
        CHECK(cudaMemset(d_changed, 0, sizeof(int)));
        relax_all<<<(threads + BLOCK - 1) / BLOCK, BLOCK>>>(d_first, d_to, d_weight, d_distance, g.nodes, d_changed);
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
