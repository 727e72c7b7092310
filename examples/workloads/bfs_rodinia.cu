// bfs_rodinia: breadth-first search, one launch for each level, one thread for each node of the graph.
// Measured in chapters 3 and 4 of the dissertation (Tables 3.2 and 4.2, Figure 3.7: "BFS"), and in the paper on
// intra-warp compaction. Modelled on the BFS of the ISPASS-2009 benchmarks, which is Rodinia's first version with one
// kernel for each level. (`bfs2` has Rodinia's two kernels.)
//
// A thread whose node is not in the frontier has nothing to do; the others loop over as many edges as their nodes have,
// with a branch on a scattered load: `if`s without `else`, one within the other, and few active lanes. Flags are bytes.
//
// The public kernel reads and sets one mask and marks a node as visited when its turn comes, so that its result depends
// on the order of the threads. Here each launch reads one mask and sets another, and nodes are marked when they are
// found; the branches, the loop and the accesses are the same.
//
// usage: bfs_rodinia [nodes [uniform | rmat | road]]

#include "workload.h"

#define THREADS 256

struct Node {
    int first, edges;
};

struct Graph {
    int nodes, edges;
    Node *node;
    int *edge;
};

// Both directions of `count` links as lists of edges by node.
static Graph graph_of_links(int nodes, const int *from, const int *to, int count)
{
    Graph graph;
    graph.nodes = nodes;
    graph.edges = 2 * count;
    graph.node = (Node *)calloc(nodes, sizeof(Node));
    graph.edge = (int *)malloc(2 * count * sizeof(int));
    for (int i = 0; i < count; i++) {
        graph.node[from[i]].edges++;
        graph.node[to[i]].edges++;
    }
    int first = 0;
    for (int i = 0; i < nodes; i++) {
        graph.node[i].first = first;
        first += graph.node[i].edges;
        graph.node[i].edges = 0;
    }
    for (int i = 0; i < count; i++) {
        Node *a = graph.node + from[i], *b = graph.node + to[i];
        graph.edge[a->first + a->edges++] = to[i];
        graph.edge[b->first + b->edges++] = from[i];
    }
    return graph;
}

// Each node has two to four links to any others: six edges on average, and a small diameter.
static Graph uniform_graph(int nodes)
{
    int *from = (int *)malloc(4 * nodes * sizeof(int)), *to = (int *)malloc(4 * nodes * sizeof(int)), count = 0;
    for (int i = 0; i < nodes; i++) {
        int links = 2 + random_below(3);
        for (int k = 0; k < links; k++) {
            from[count] = i;
            to[count++] = random_below(nodes);
        }
    }
    return graph_of_links(nodes, from, to, count);
}

// R-MAT: the halves of each link's ends are drawn with probabilities 0.57, 0.19, 0.19 and 0.05, bit by bit, so that a
// few nodes have very many edges.
static Graph rmat_graph(int nodes)
{
    int count = 3 * nodes, bits = 0;
    int *from = (int *)malloc(count * sizeof(int)), *to = (int *)malloc(count * sizeof(int));
    while (1 << bits < nodes)
        bits++;
    for (int i = 0; i < count; i++) {
        int a = 0, b = 0;
        for (int bit = 0; bit < bits; bit++) {
            int drawn = random_below(100);
            a = 2 * a + (drawn >= 76);
            b = 2 * b + ((drawn >= 57 && drawn < 76) || drawn >= 95);
        }
        from[i] = a % nodes;
        to[i] = b % nodes;
    }
    return graph_of_links(nodes, from, to, count);
}

// Roads: a grid in which one street of eight is missing, and few diagonals; degrees of up to four, a large diameter.
static Graph road_graph(int nodes)
{
    int *from = (int *)malloc(3 * nodes * sizeof(int)), *to = (int *)malloc(3 * nodes * sizeof(int)), count = 0;
    int width = 1;
    while (width * width < nodes)
        width++;
    for (int i = 0; i < nodes; i++) {
        unsigned drawn = random_bits() >> 16;
        int ends[3] = {(i + 1) % width ? i + 1 : nodes, i + width, (i + 1) % width ? i + width + 1 : nodes};
        bool there[3] = {(drawn & 7) != 0, (drawn >> 3 & 7) != 0, (drawn >> 6 & 31) == 0};
        for (int k = 0; k < 3; k++)
            if (there[k] && ends[k] < nodes) {
                from[count] = i;
                to[count++] = ends[k];
            }
    }
    return graph_of_links(nodes, from, to, count);
}

// The graph that the program's second argument names.
static Graph graph_of_kind(const char *kind, int nodes)
{
    if (strcmp(kind, "uniform") == 0)
        return uniform_graph(nodes);
    if (strcmp(kind, "rmat") == 0)
        return rmat_graph(nodes);
    if (strcmp(kind, "road") == 0)
        return road_graph(nodes);
    printf("the kind of graph must be uniform, rmat or road, not %s\n", kind);
    exit(2);
}

// The number of edges from `source` to each node, -1 where none lead there: a search with a queue.
static int *host_costs(const Graph &graph, int source)
{
    int *cost = (int *)malloc(graph.nodes * sizeof(int)), *queue = (int *)malloc(graph.nodes * sizeof(int));
    memset(cost, 0xff, graph.nodes * sizeof(int));
    int head = 0, tail = 0;
    cost[source] = 0;
    queue[tail++] = source;
    while (head < tail) {
        int node = queue[head++], next = cost[node] + 1;
        const int *edge = graph.edge + graph.node[node].first, *end = edge + graph.node[node].edges;
        for (; edge < end; edge++)
            if (cost[*edge] < 0) {
                cost[*edge] = next;
                queue[tail++] = *edge;
            }
    }
    free(queue);
    return cost;
}

// A node with edges, the same for each run.
static int source_of(const Graph &graph)
{
    int source = graph.nodes / 2;
    while (graph.node[source].edges == 0)
        source = (source + 1) % graph.nodes;
    return source;
}

__global__ void bfs_level(const Node *graph_node, const int *graph_edge, bool *mask, bool *next_mask, bool *visited,
                          int *cost, bool *found, int nodes)
{
    int node = blockIdx.x * THREADS + threadIdx.x;
    if (node < nodes && mask[node]) {
        mask[node] = false;
        for (int i = graph_node[node].first; i < graph_node[node].first + graph_node[node].edges; i++) {
            int neighbor = graph_edge[i];
            if (!visited[neighbor]) {
                // Threads that find the same node at the same time write the same values.
                visited[neighbor] = true;
                cost[neighbor] = cost[node] + 1;
                next_mask[neighbor] = true;
                *found = true;
            }
        }
    }
}

int main(int argc, char **argv)
{
    int nodes = argument(argc, argv, 1, 1024);
    Graph graph = graph_of_kind(argc > 2 ? argv[2] : "uniform", nodes);
    int source = source_of(graph);

    Node *node = to_device(graph.node, nodes);
    int *edge = to_device(graph.edge, graph.edges);
    bool *mask = device_zeros<bool>(nodes), *next_mask = device_zeros<bool>(nodes);
    bool *visited = device_zeros<bool>(nodes), *found = device_zeros<bool>(1);
    int *cost;
    CHECK(cudaMalloc((void **)&cost, nodes * sizeof(int)));
    CHECK(cudaMemset(cost, 0xff, nodes * sizeof(int)));
    CHECK(cudaMemset(cost + source, 0, sizeof(int)));
    CHECK(cudaMemset(mask + source, 1, 1));
    CHECK(cudaMemset(visited + source, 1, 1));

    bool go_on = true;
    int levels = 0;
    while (go_on) {
        CHECK(cudaMemset(found, 0, 1));
        bfs_level<<<(nodes + THREADS - 1) / THREADS, THREADS>>>(node, edge, mask, next_mask, visited, cost, found,
                                                                nodes);
        CHECK(cudaMemcpy(&go_on, found, 1, cudaMemcpyDeviceToHost));
        bool *other = mask;
        mask = next_mask;
        next_mask = other;
        levels++;
    }
    printf("%d nodes, %d edges, %d levels\n", nodes, graph.edges, levels);

    int *costs = to_host(cost, nodes), *expected = host_costs(graph, source);
    for (int i = 0; i < nodes; i++)
        expect_int("node", i, expected[i], costs[i]);
    CHECK(cudaFree(node));
    CHECK(cudaFree(edge));
    CHECK(cudaFree(mask));
    CHECK(cudaFree(next_mask));
    CHECK(cudaFree(visited));
    CHECK(cudaFree(found));
    CHECK(cudaFree(cost));
    return verdict("bfs_rodinia");
}
