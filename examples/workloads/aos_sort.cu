// aos_sort: a stable sort of an array of structures, a key and a value each: tiles by odd-even transposition in shared
// memory, then runs by merging two and two.
//
// Measured in chapter 4 of the dissertation (AOSSORT, "AOS sorting", in Table 4.2), which says no more of it than that
// half of its threads or more are active at branches which depend on thread numbers. Modelled on what Thrust's example
// "sorting_aos_vs_soa" runs for the array of structures: the library's stable merge sort. Thrust cuts long runs at
// splitters before it merges them; here each thread looks for its element's rank in the whole other run.
//
// Characteristic: in the tile sort the odd threads work, then the even ones, with a barrier after each: every second
// lane of every warp, which no compaction that keeps lanes can join. Whether two elements are swapped depends on data.
// The merge is a binary search whose steps go either way by data, with scattered reads and writes of whole structures.
//
// usage: aos_sort [elements]

#include "workload.h"

#define TILE 128

struct Record {
    int key;
    float value;
};

__global__ void sort_tiles(Record *records, unsigned int count)
{
    __shared__ Record tile[TILE];
    unsigned int thread = threadIdx.x, i = blockIdx.x * TILE + thread;
    if (i < count)
        tile[thread] = records[i];
    __syncthreads();
    unsigned int length = blockIdx.x * TILE + TILE > count ? count - blockIdx.x * TILE : TILE;
    for (unsigned int round = 0; round < TILE / 2; round++) {
        bool odd = thread & 1;
        if (odd && thread + 1 < length) {
            Record mine = tile[thread], next = tile[thread + 1];
            if (next.key < mine.key) {
                tile[thread] = next;
                tile[thread + 1] = mine;
            }
        }
        __syncthreads();
        if (!odd && thread + 1 < length) {
            Record mine = tile[thread], next = tile[thread + 1];
            if (next.key < mine.key) {
                tile[thread] = next;
                tile[thread + 1] = mine;
            }
        }
        __syncthreads();
    }
    if (i < count)
        records[i] = tile[thread];
}

// Merges runs of `run` records two and two. A record's place is its rank in its own run and that in the other one;
// of equal keys, those of the left run come first.
__global__ void merge_runs(const Record *records, Record *merged, unsigned int count, unsigned int run)
{
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    Record mine = records[i];
    unsigned int number = i / run;
    bool right = number & 1;
    unsigned int other = (number ^ 1) * run, start = 0;
    unsigned int end = other >= count ? 0 : (count - other < run ? count - other : run);
    while (start < end) {
        unsigned int middle = (start + end) >> 1;
        int key = records[other + middle].key;
        if (key < mine.key || (key == mine.key && right))
            start = middle + 1;
        else
            end = middle;
    }
    unsigned int pair = (number & ~1u) * run;
    merged[pair + (i - number * run) + start] = mine;
}

int main(int argc, char **argv)
{
    int count = argument(argc, argv, 1, 1000), blocks = (count + TILE - 1) / TILE;
    const int keys = 1 << 16;
    Record *input = (Record *)malloc(count * sizeof(Record));
    int *place = (int *)calloc(keys, sizeof(int));
    for (int i = 0; i < count; i++) {
        input[i].key = random_below(keys);
        input[i].value = i;
        place[input[i].key]++;
    }

    Record *records = to_device(input, count), *other = device_zeros<Record>(count);
    sort_tiles<<<blocks, TILE>>>(records, count);
    for (int run = TILE; run < count; run *= 2) {
        merge_runs<<<blocks, TILE>>>(records, other, count, run);
        Record *kept = records;
        records = other;
        other = kept;
    }
    CHECK(cudaDeviceSynchronize());
    Record *output = to_host(records, count);

    // The host sorts by counting: a record's place is the number of those before it.
    for (int key = 0, before = 0; key < keys; key++) {
        int here = place[key];
        place[key] = before;
        before += here;
    }
    for (int i = 0; i < count; i++) {
        Record *found = &output[place[input[i].key]++];
        expect_int("key of record", i, input[i].key, found->key);
        expect_float("value of record", i, input[i].value, found->value, 0);
    }
    return verdict("aos_sort");
}
