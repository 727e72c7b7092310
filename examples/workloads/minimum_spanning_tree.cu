// minimum_spanning_tree: Boruvka's algorithm, as LonestarGPU's MST: in each round every node looks through its edges
// for the lightest one that leaves its component; the lightest of a component is found with atomic minima; components
// are joined along these edges, and every node is pointed at its new component. Rounds go on while components join.
//
// Measured by: dissertation chapter 5 (Table 5.4, MST: 5 G instructions, 2.39 sectors of a line used).
// Characteristic: loops of as many iterations as a node has edges, with a scattered load of the neighbour's component
// each; atomics that many nodes send to few components in late rounds; chains of pointers. Blocks of 256.
//
// usage: minimum_spanning_tree [nodes [edges a node [kind]]]: kind 1 (the default) a uniformly random graph, kind 2 a
// square grid with one street in ten missing, as a road map

#include "workload.h"

const int BLOCK = 256;
const unsigned NONE = 0xffffffffu;

struct graph {
    int nodes, edges;
    int *first, *to, *weight, *number;
};

__global__ void start(int *component, int nodes)
{
    int node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node < nodes)
        component[node] = node;
}

__global__ void clear(unsigned *lightest, int *chosen, int nodes)
{
    int node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node < nodes) {
        lightest[node] = NONE;
        chosen[node] = 0x7fffffff;
    }
}

// Each node's lightest edge to another component, and the lightest weight of the component. Of edges with the same
// weight the one with the smaller number counts, in all kernels, or else components could join in a circle.
__global__ void find_of_node(const int *first, const int *to, const int *weight, const int *number,
                             const int *component, unsigned *lightest, int *edge_of, int nodes)
{
    int node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node >= nodes)
        return;
    int mine = component[node], best = -1;
    unsigned least = NONE;
    for (int edge = first[node]; edge < first[node + 1]; edge++) {
        unsigned here = weight[edge];
        if (here > least || component[to[edge]] == mine)
            continue;
        if (here < least || number[edge] < number[best]) {
            least = here;
            best = edge;
        }
    }
    edge_of[node] = best;
    if (best >= 0)
        atomicMin(&lightest[mine], least);
}

// Of the nodes that have the component's lightest weight, the smallest number of an edge.
__global__ void find_of_component(const int *weight, const int *number, const int *component, const unsigned *lightest,
                                  const int *edge_of, int *chosen, int nodes)
{
    int node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node >= nodes)
        return;
    int edge = edge_of[node];
    if (edge >= 0 && weight[edge] == lightest[component[node]])
        atomicMin(&chosen[component[node]], number[edge]);
}

// The node whose edge was chosen hangs its component onto the other; of two that chose the same edge one stays a root.
__global__ void join(const int *to, const int *weight, const int *number, const int *component, const int *edge_of,
                     const int *chosen, int *parent, int nodes, int *total, int *joined)
{
    int node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node >= nodes)
        return;
    int edge = edge_of[node], mine = component[node];
    if (edge < 0 || chosen[mine] != number[edge])
        return;
    int other = component[to[edge]];
    if (chosen[other] == number[edge] && mine < other)
        return;
    parent[mine] = other;
    atomicAdd(total, weight[edge]);
    atomicAdd(joined, 1);
}

// Follows the pointers from a node's old component to the root of the new one.
__global__ void find_root(const int *parent, int *component, int nodes)
{
    int node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node >= nodes)
        return;
    int root = component[node];
    while (parent[root] != root)
        root = parent[root];
    component[node] = root;
}

// Undirected edges to rows, each from both its ends.
graph rows(int nodes, const int *from, const int *to, const int *weight, int count)
{
    graph g;
    g.nodes = nodes;
    g.edges = 2 * count;
    g.first = (int *)calloc(nodes + 1, sizeof(int));
    g.to = (int *)malloc((g.edges + 1) * sizeof(int));
    g.weight = (int *)malloc((g.edges + 1) * sizeof(int));
    g.number = (int *)malloc((g.edges + 1) * sizeof(int));
    for (int i = 0; i < count; i++) {
        g.first[from[i] + 1]++;
        g.first[to[i] + 1]++;
    }
    int *at = (int *)malloc(nodes * sizeof(int));
    for (int node = 0; node < nodes; node++) {
        at[node] = g.first[node];
        g.first[node + 1] += g.first[node];
    }
    for (int i = 0; i < 2 * count; i++) {
        int edge = i / 2, forth = i % 2 == 0, place = at[forth ? from[edge] : to[edge]]++;
        g.to[place] = forth ? to[edge] : from[edge];
        g.weight[place] = weight[edge];
        g.number[place] = edge;
    }
    free(at);
    return g;
}

int root_of(int *parent, int node)
{
    while (parent[node] != node) {
        parent[node] = parent[parent[node]];
        node = parent[node];
    }
    return node;
}

// Kruskal's algorithm, with edges sorted by counting; the forest's weight, and how many edges it has.
long long kruskal(int nodes, const int *from, const int *to, const int *weight, int count, int heaviest, int *taken)
{
    int *at = (int *)calloc(heaviest + 2, sizeof(int)), *order = (int *)malloc((count + 1) * sizeof(int));
    int *parent = (int *)malloc(nodes * sizeof(int));
    long long sum = 0;
    for (int i = 0; i < count; i++)
        at[weight[i] + 1]++;
    for (int w = 0; w <= heaviest; w++)
        at[w + 1] += at[w];
    for (int i = 0; i < count; i++)
        order[at[weight[i]]++] = i;
    for (int node = 0; node < nodes; node++)
        parent[node] = node;
    *taken = 0;
    for (int i = 0; i < count; i++) {
        int a = root_of(parent, from[order[i]]), b = root_of(parent, to[order[i]]);
        if (a != b) {
            parent[a] = b;
            sum += weight[order[i]];
            ++*taken;
        }
    }
    return sum;
}

int main(int argc, char **argv)
{
    int nodes = argument(argc, argv, 1, 4096), degree = argument(argc, argv, 2, 8), kind = argument(argc, argv, 3, 1);
    const int HEAVIEST = 1000;
    int room = nodes * (degree > 4 ? degree : 4), count = 0, side = (int)sqrtf(nodes);
    int *from = (int *)malloc(room * sizeof(int)), *to = (int *)malloc(room * sizeof(int));
    int *weight = (int *)malloc(room * sizeof(int));
    if (kind == 2)
        nodes = side * side;
    for (int i = 0; i < (kind == 2 ? 2 * nodes : nodes * degree / 2); i++) {
        int a = kind == 2 ? i / 2 : random_below(nodes), b = kind == 2 ? a + (i % 2 ? 1 : side) : random_below(nodes);
        int missing = kind == 2 ? b >= nodes || (i % 2 && b % side == 0) || random_below(10) == 0 : a == b;
        if (missing)
            continue;
        from[count] = a;
        to[count] = b;
        weight[count++] = 1 + random_below(HEAVIEST);
    }
    graph g = rows(nodes, from, to, weight, count);

    int *d_first = to_device(g.first, nodes + 1), *d_to = to_device(g.to, g.edges + 1);
    int *d_weight = to_device(g.weight, g.edges + 1), *d_number = to_device(g.number, g.edges + 1);
    int *d_component = device_zeros<int>(nodes), *d_parent = device_zeros<int>(nodes);
    int *d_edge_of = device_zeros<int>(nodes), *d_chosen = device_zeros<int>(nodes);
    int *d_total = device_zeros<int>(1), *d_joined = device_zeros<int>(1);
    unsigned *d_lightest = device_zeros<unsigned>(nodes);
    int blocks = (nodes + BLOCK - 1) / BLOCK, joined = 1, edges = 0, rounds = 0;
    start<<<blocks, BLOCK>>>(d_component, nodes);
    start<<<blocks, BLOCK>>>(d_parent, nodes);
    for (; joined > 0; rounds++) {
        CHECK(cudaMemset(d_joined, 0, sizeof(int)));
        clear<<<blocks, BLOCK>>>(d_lightest, d_chosen, nodes);
        find_of_node<<<blocks, BLOCK>>>(d_first, d_to, d_weight, d_number, d_component, d_lightest, d_edge_of, nodes);
        find_of_component<<<blocks, BLOCK>>>(d_weight, d_number, d_component, d_lightest, d_edge_of, d_chosen, nodes);
        join<<<blocks, BLOCK>>>(d_to, d_weight, d_number, d_component, d_edge_of, d_chosen, d_parent, nodes, d_total,
                                d_joined);
        find_root<<<blocks, BLOCK>>>(d_parent, d_component, nodes);
        CHECK(cudaMemcpy(&joined, d_joined, sizeof(int), cudaMemcpyDeviceToHost));
        edges += joined;
    }
    int total, expected_edges;
    CHECK(cudaMemcpy(&total, d_total, sizeof(int), cudaMemcpyDeviceToHost));
    printf("minimum_spanning_tree: %d nodes, %d edges, %d rounds\n", nodes, count, rounds);
    long long expected = kruskal(nodes, from, to, weight, count, HEAVIEST, &expected_edges);
    expect_int("weight", 0, expected, total);
    expect_int("edges", 0, expected_edges, edges);
    return verdict("minimum_spanning_tree");
}
