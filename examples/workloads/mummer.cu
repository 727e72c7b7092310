// mummer: for each place of each query, the longest match with a reference sequence of DNA, by walking down the
// reference's suffix tree and along its suffix links.
//
// Measured in chapters 4 and 5 of the dissertation (MUM in Tables 4.2 and 5.4). Modelled on MUMmerGPU as in the
// ISPASS-2009 benchmarks (their input: 20 000 bases of a genome, 50 000 queries of 25 bases; here seeded random DNA
// and queries cut out of it, two bases in a hundred changed).
//
// Characteristic: a thread is a query. Three nested loops, all of whose lengths depend on data (places, nodes on the
// way, bases on an edge); a switch on the base; two exits to the same continuation (no edge, mismatch within an edge).
// Each step reads a node and its children at places that have nothing to do with the neighbour's. MUMmerGPU reads tree
// and reference as textures, this program by plain loads.
//
// usage: mummer [bases] [queries] [query length] [shortest match]

#include "workload.h"

#define ROOT 1
#define NONE 0

// A node and the edge that leads to it: bases `start` to `end` of the reference, both included.
struct Node {
    int start, end, suffix, parent;
};

struct Children {
    int a, c, g, t;
};

// Where a match ends: how many bases of the edge to `node` it has; 0: all.
struct Match {
    int node, edge_length;
};

__global__ void match_queries(Match *matches, const char *bases, const Node *nodes, const Children *children,
                              const char *reference, const int *offsets, const int *lengths, int queries, int shortest)
{
    int number = blockIdx.x * blockDim.x + threadIdx.x;
    if (number >= queries)
        return;
    // query[1] is the first base of what is matched now, and `matched` its first base that is not yet.
    const char *query = bases + offsets[number];
    Match *result = matches + offsets[number] - number * (shortest + 1);
    int last = lengths[number] - shortest;
    int current = NONE, previous = NONE, must_match = 0, matched = 0;

    for (int place = 0; place <= last; place++, result++, query++) {
        if (current == NONE || matched < 1) {
            current = ROOT;
            matched = 1;
            must_match = 0;
        }
        char base = query[matched];
        int position = 0, start = 0;
        bool no_edge = false, mismatch = false;
        while (base != '\0' && !mismatch) {
            Children below = children[current];
            previous = current;
            switch (base) {
            case 'A':
                current = below.a;
                break;
            case 'C':
                current = below.c;
                break;
            case 'G':
                current = below.g;
                break;
            case 'T':
                current = below.t;
                break;
            default:
                current = NONE;
                break;
            }
            if (current == NONE) {
                no_edge = true;
                break;
            }
            start = nodes[current].start;
            int end = nodes[current].end;
            if (must_match) {
                // These bases are known to match: they did one base earlier.
                int length = end - start + 1;
                if (must_match >= length) {
                    position = end + 1;
                    matched += length;
                    must_match -= length;
                } else {
                    position = start + must_match;
                    matched += must_match;
                    must_match = 0;
                }
            } else {
                // The first base chose the edge.
                matched++;
                position = start + 1;
            }
            base = query[matched];
            while (position <= end && base != '\0') {
                if (reference[position] != base) {
                    mismatch = true;
                    break;
                }
                matched++;
                position++;
                base = query[matched];
            }
        }
        if (no_edge) {
            if (matched > shortest) {
                result->node = previous;
                result->edge_length = 0;
            }
            matched -= 1;
            must_match = 0;
        } else {
            if (matched > shortest) {
                result->node = current;
                result->edge_length = position - start;
            }
            must_match = position - start;
            matched -= must_match + 1;
        }
        current = nodes[previous].suffix;
    }
}

static int code(char base)
{
    return base == 'A' ? 0 : base == 'C' ? 1 : base == 'G' ? 2 : base == 'T' ? 3 : 4;
}

// Ukkonen's construction. `child` has five places for each node: four bases and the end of the text.
static int build_tree(const char *text, int length, Node *nodes, int *child)
{
    int used = ROOT + 1, active = ROOT, edge = 0, along = 0, open = 0;
    nodes[ROOT].start = 0;
    nodes[ROOT].end = -1;
    nodes[ROOT].suffix = NONE;
    for (int i = 0; i < length; i++) {
        int waiting = NONE, now = code(text[i]);
        open++;
        while (open > 0) {
            if (along == 0)
                edge = i;
            int *slot = child + active * 5 + code(text[edge]), next = *slot;
            if (next == NONE) {
                nodes[used].start = i;
                nodes[used].end = length - 1;
                *slot = used++;
                if (waiting != NONE)
                    nodes[waiting].suffix = active;
                waiting = NONE;
            } else {
                int end = nodes[next].end < i ? nodes[next].end : i, long_edge = end - nodes[next].start + 1;
                if (along >= long_edge) {
                    edge += long_edge;
                    along -= long_edge;
                    active = next;
                    continue;
                }
                if (code(text[nodes[next].start + along]) == now) {
                    along++;
                    if (waiting != NONE)
                        nodes[waiting].suffix = active;
                    break;
                }
                int middle = used++, leaf = used++;
                nodes[middle].start = nodes[next].start;
                nodes[middle].end = nodes[next].start + along - 1;
                nodes[middle].suffix = ROOT;
                nodes[leaf].start = i;
                nodes[leaf].end = length - 1;
                *slot = middle;
                child[middle * 5 + now] = leaf;
                nodes[next].start += along;
                child[middle * 5 + code(text[nodes[next].start])] = next;
                if (waiting != NONE)
                    nodes[waiting].suffix = middle;
                waiting = middle;
            }
            open--;
            if (active == ROOT) {
                if (along > 0) {
                    along--;
                    edge = i - open + 1;
                }
            } else {
                active = nodes[active].suffix;
            }
        }
    }
    return used;
}

int main(int argc, char **argv)
{
    int length = argument(argc, argv, 1, 500), queries = argument(argc, argv, 2, 128);
    int query_length = argument(argc, argv, 3, 25), shortest = argument(argc, argv, 4, 20);
    if (shortest > query_length || query_length > length) {
        printf("the shortest match must not be longer than a query, nor a query than the reference\n");
        return 2;
    }
    char *text = (char *)malloc(length + 2);
    for (int i = 0; i < length; i++)
        text[i] = "ACGT"[random_bits() >> 30];
    text[length] = '$';
    text[length + 1] = '\0';
    int most = 2 * length + 4;
    Node *nodes = (Node *)calloc(most, sizeof(Node));
    int *child = (int *)calloc(most * 5, sizeof(int));
    int used = build_tree(text, length + 1, nodes, child);
    Children *children = (Children *)calloc(used, sizeof(Children));
    for (int i = ROOT; i < used; i++) {
        children[i].a = child[i * 5];
        children[i].c = child[i * 5 + 1];
        children[i].g = child[i * 5 + 2];
        children[i].t = child[i * 5 + 3];
        for (int k = 0; k < 5; k++)
            if (child[i * 5 + k] != NONE)
                nodes[child[i * 5 + k]].parent = i;
    }

    // Each query begins with a byte that is no base and ends with a zero.
    int stride = query_length + 2, places = query_length - shortest + 1;
    char *bases = (char *)malloc(queries * stride);
    int *offsets = (int *)malloc(queries * sizeof(int)), *lengths = (int *)malloc(queries * sizeof(int));
    for (int q = 0; q < queries; q++) {
        char *query = bases + q * stride;
        int from = random_below(length - query_length + 1);
        query[0] = 'q';
        memcpy(query + 1, text + from, query_length);
        query[query_length + 1] = '\0';
        for (int i = 1; i <= query_length; i++) {
            unsigned int bits = random_bits();
            if (bits % 50 == 0)
                query[i] = "ACGT"[bits >> 30];
        }
        offsets[q] = q * stride;
        lengths[q] = query_length;
    }

    // A query's results begin where its bases do, less what the queries before it have no result for.
    int results = queries * (stride - shortest - 1);
    Match *device_matches = device_zeros<Match>(results);
    Node *device_nodes = to_device(nodes, used);
    Children *device_children = to_device(children, used);
    char *device_bases = to_device(bases, queries * stride), *device_text = to_device(text, length + 2);
    int *device_offsets = to_device(offsets, queries), *device_lengths = to_device(lengths, queries);
    int threads = queries < 256 ? queries : 256;
    match_queries<<<(queries + threads - 1) / threads, threads>>>(device_matches, device_bases, device_nodes,
                                                                  device_children, device_text, device_offsets,
                                                                  device_lengths, queries, shortest);
    CHECK(cudaDeviceSynchronize());
    Match *matches = to_host(device_matches, results);

    // The host compares with every place of the reference: all queries of a small run, else a sample.
    int sample = 1 + (int)((double)queries * places * length / 1e6);
    for (int q = 0; q < queries; q += sample) {
        for (int place = 0; place < places; place++) {
            const char *query = bases + offsets[q] + 1 + place;
            int longest = 0;
            for (int i = 0; i < length; i++) {
                int same = 0;
                while (query[same] != '\0' && query[same] == text[i + same])
                    same++;
                if (same > longest)
                    longest = same;
            }
            Match *match = &matches[offsets[q] - q * (shortest + 1) + place];
            int found = 0;
            if (match->node != NONE) {
                int node = match->node;
                found = match->edge_length ? match->edge_length : nodes[node].end - nodes[node].start + 1;
                for (node = nodes[node].parent; node != NONE; node = nodes[node].parent)
                    found += nodes[node].end - nodes[node].start + 1;
            }
            expect_int("match at place", q * places + place, longest >= shortest ? longest : 0, found);
        }
    }
    return verdict("mummer");
}
