// btree: queries in a B+ tree as Rodinia's: `find_k` looks up one key, `find_range_k` the two ends of a range. A block
// has a query and a thread has one of a node's keys: all keys of a node are compared at once, the one thread whose
// interval holds the key writes the next node, and a barrier passes it to the others. One level after another.
//
// Measured by: dissertation chapter 6 (Table 6.2, B+Tree: 645 M instructions).
// Characteristic: coalesced reads of a node's keys (1 KB), of which the upper levels are shared by all queries and the
// leaves are not; one thread of 256 has something to do beyond the comparison. Blocks of 256, barriers.
//
// usage: btree [records [lookups [ranges]]]

#include "workload.h"

const int ORDER = 256, NOTHING = -1;

struct node {
    int location;
    int indices[ORDER + 1];
    int keys[ORDER + 1];
    bool is_leaf;
    int num_keys;
};

struct record {
    int value;
};

__global__ void find_k(int height, const node *nodes, int node_count, const record *records, int *current, int *next,
                       const int *keys, record *answers)
{
    int thread = threadIdx.x, query = blockIdx.x;
    for (int level = 0; level < height; level++) {
        if (nodes[current[query]].keys[thread] <= keys[query] && nodes[current[query]].keys[thread + 1] > keys[query]) {
            // At the leaves this names a record, which may be no node.
            if (nodes[next[query]].indices[thread] < node_count)
                next[query] = nodes[next[query]].indices[thread];
        }
        __syncthreads();
        if (thread == 0)
            current[query] = next[query];
        __syncthreads();
    }
    if (nodes[current[query]].keys[thread] == keys[query])
        answers[query].value = records[nodes[current[query]].indices[thread]].value;
}

__global__ void find_range_k(int height, const node *nodes, int node_count, int *current, int *next, int *last,
                             int *last_next, const int *from, const int *to, int *start, int *length)
{
    int thread = threadIdx.x, query = blockIdx.x;
    for (int level = 0; level < height; level++) {
        if (nodes[current[query]].keys[thread] <= from[query] && nodes[current[query]].keys[thread + 1] > from[query]) {
            if (nodes[current[query]].indices[thread] < node_count)
                next[query] = nodes[current[query]].indices[thread];
        }
        if (nodes[last[query]].keys[thread] <= to[query] && nodes[last[query]].keys[thread + 1] > to[query]) {
            if (nodes[last[query]].indices[thread] < node_count)
                last_next[query] = nodes[last[query]].indices[thread];
        }
        __syncthreads();
        if (thread == 0) {
            current[query] = next[query];
            last[query] = last_next[query];
        }
        __syncthreads();
    }
    if (nodes[current[query]].keys[thread] == from[query])
        start[query] = nodes[current[query]].indices[thread];
    __syncthreads();
    if (nodes[last[query]].keys[thread] == to[query])
        length[query] = nodes[last[query]].indices[thread] - start[query] + 1;
}

// The tree from below: nodes are half full to full, as after insertions in random order. Key i is 2 * i + 1 and has
// record i. Returns the number of nodes; the root is the last one, and `height` the number of levels.
int build(node *nodes, int records, int *height)
{
    int count = 0, from = 0, taken = 0;
    while (taken < records) {
        node *leaf = &nodes[count];
        int many = ORDER / 2 + random_below(ORDER / 2);
        many = many < records - taken ? many : records - taken;
        memset(leaf, 0, sizeof(node));
        leaf->location = count++;
        leaf->is_leaf = true;
        leaf->num_keys = many;
        for (int i = 0; i < many; i++) {
            leaf->keys[i] = 2 * (taken + i) + 1;
            leaf->indices[i] = taken + i;
        }
        for (int i = many; i <= ORDER; i++)
            leaf->keys[i] = 0x7fffffff;
        taken += many;
    }
    *height = 1;
    // A level above another, until one node is left.
    for (int to = count; to - from > 1; from = to, to = count) {
        int child = from;
        while (child < to) {
            node *upper = &nodes[count];
            int many = ORDER / 2 + random_below(ORDER / 2);
            many = many < to - child ? many : to - child;
            memset(upper, 0, sizeof(node));
            upper->location = count++;
            upper->num_keys = many;
            for (int i = 0; i < many; i++) {
                // The leftmost way is open to what is below all keys.
                upper->keys[i] = child + i == from ? -1 : nodes[child + i].keys[0];
                upper->indices[i] = child + i;
            }
            for (int i = many; i <= ORDER; i++)
                upper->keys[i] = 0x7fffffff;
            child += many;
        }
        ++*height;
    }
    return count;
}

int *filled(int count, int value)
{
    int *host = (int *)malloc(count * sizeof(int));
    for (int i = 0; i < count; i++)
        host[i] = value;
    int *device = to_device(host, count);
    free(host);
    return device;
}

int main(int argc, char **argv)
{
    int records = argument(argc, argv, 1, 20000), lookups = argument(argc, argv, 2, 200);
    int ranges = argument(argc, argv, 3, lookups * 3 / 5 + 1), height;
    node *nodes = (node *)malloc((records / (ORDER / 2) * 102 / 100 + 8) * sizeof(node));
    int count = build(nodes, records, &height);
    record *values = (record *)malloc(records * sizeof(record));
    for (int i = 0; i < records; i++)
        values[i].value = i * 7 + 3;
    int *keys = (int *)malloc(lookups * sizeof(int)), *from = (int *)malloc(ranges * sizeof(int));
    int *to = (int *)malloc(ranges * sizeof(int));
    // One key in eight is not there.
    for (int i = 0; i < lookups; i++)
        keys[i] = 2 * random_below(records) + (random_below(8) != 0);
    for (int i = 0; i < ranges; i++) {
        int first = random_below(records), last = first + random_below(1000);
        from[i] = 2 * first + 1;
        to[i] = 2 * (last < records ? last : records - 1) + 1;
    }
    printf("btree: %d records, %d nodes in %d levels, %d lookups, %d ranges\n", records, count, height, lookups,
           ranges);

    node *d_nodes = to_device(nodes, count);
    record *d_values = to_device(values, records), *d_answers = (record *)filled(lookups, NOTHING);
    int *d_keys = to_device(keys, lookups), *d_from = to_device(from, ranges), *d_to = to_device(to, ranges);
    int *d_current = filled(lookups, count - 1), *d_next = filled(lookups, count - 1);
    find_k<<<lookups, ORDER>>>(height - 1, d_nodes, count, d_values, d_current, d_next, d_keys, d_answers);
    int *d_first = filled(ranges, count - 1), *d_first_next = filled(ranges, count - 1);
    int *d_last = filled(ranges, count - 1), *d_last_next = filled(ranges, count - 1);
    int *d_start = filled(ranges, NOTHING), *d_length = filled(ranges, 0);
    find_range_k<<<ranges, ORDER>>>(height - 1, d_nodes, count, d_first, d_first_next, d_last, d_last_next, d_from,
                                    d_to, d_start, d_length);

    int *answers = (int *)to_host(d_answers, lookups), *start = to_host(d_start, ranges),
        *length = to_host(d_length, ranges);
    for (int i = 0; i < lookups; i++)
        expect_int("record of key", keys[i], keys[i] % 2 ? keys[i] / 2 * 7 + 3 : NOTHING, answers[i]);
    for (int i = 0; i < ranges; i++) {
        expect_int("start of range", i, from[i] / 2, start[i]);
        expect_int("length of range", i, (to[i] - from[i]) / 2 + 1, length[i]);
    }
    return verdict("btree");
}
