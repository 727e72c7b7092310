// quicksort: sorts whole numbers by quicksort in two phases.
// Measured in chapter 3 of the dissertation (Table 3.2, "QSort"). Written from the algorithm of GPU-Quicksort
// (Cederman and Tsigas), the quicksort of CUDA's collection of programs at that time; no kernel launches another.
//
// Phase 1: long sequences are divided at a pivot by many blocks each, one launch for each round; a block counts, adds
// up the counts of its threads, reserves room on either side with atomic operations, and writes its elements there.
// Phase 2: one block for each sequence divides further, with a stack in shared memory, and sorts sequences of at most
// 256 elements by a bitonic network.
// An element goes left or right of the pivot: a branch on data with two short sides, taken about evenly, and stores
// that are scattered because each thread has a range of its own. In the network, comparators go up or down by the
// thread's number: a branch with two sides within a branch.
//
// usage: quicksort [elements]

#include "workload.h"

#define THREADS 128
#define SMALL 256
#define STACK 32

struct Sequence {
    int begin, end;
    int array;          // which of the two arrays holds it
    int left, right;    // what is still free of its room in the other array
    int blocks;         // blocks that have not yet finished
};

// The part of a sequence that a block of phase 1 has.
struct Part {
    int sequence, begin, end;
};

__device__ __forceinline__ int median(int a, int b, int c)
{
    if (a < b)
        return b < c ? b : a < c ? c : a;
    return a < c ? a : b < c ? c : b;
}

// Makes of each thread's counts in `less` and `greater` the sums of those before it and its own.
__device__ __forceinline__ void add_up(int *less, int *greater)
{
    for (int step = 1; step < THREADS; step *= 2) {
        int a = 0, b = 0;
        __syncthreads();
        if (threadIdx.x >= step) {
            a = less[threadIdx.x - step];
            b = greater[threadIdx.x - step];
        }
        __syncthreads();
        less[threadIdx.x] += a;
        greater[threadIdx.x] += b;
    }
    __syncthreads();
}

// Counts the elements of a range on either side of the pivot, each thread every 128th.
__device__ __forceinline__ void count_sides(const int *from, int begin, int end, int pivot, int *less, int *greater)
{
    int below = 0, above = 0;
    for (int i = begin + threadIdx.x; i < end; i += THREADS) {
        int value = from[i];
        if (value < pivot)
            below++;
        else if (value > pivot)
            above++;
    }
    less[threadIdx.x] = below;
    greater[threadIdx.x] = above;
    add_up(less, greater);
}

// Writes the elements of a range: smaller ones upwards before `left`, greater ones downwards from `right`.
__device__ __forceinline__ void write_sides(const int *from, int *to, int begin, int end, int pivot, int left,
                                            int right)
{
    for (int i = begin + threadIdx.x; i < end; i += THREADS) {
        int value = from[i];
        if (value < pivot)
            to[--left] = value;
        else if (value > pivot)
            to[right++] = value;
    }
}

__global__ void divide(const Part *parts, Sequence *sequences, int *first, int *second)
{
    __shared__ int less[THREADS], greater[THREADS];
    __shared__ int block_left, block_right;
    __shared__ bool last_block;
    Part part = parts[blockIdx.x];
    Sequence *sequence = sequences + part.sequence;
    const int *from = sequence->array ? second : first;
    int *to = sequence->array ? first : second;
    int pivot = median(from[sequence->begin], from[(sequence->begin + sequence->end) / 2], from[sequence->end - 1]);

    count_sides(from, part.begin, part.end, pivot, less, greater);
    if (threadIdx.x == THREADS - 1) {
        block_left = atomicAdd(&sequence->left, less[THREADS - 1]);
        block_right = atomicSub(&sequence->right, greater[THREADS - 1]);
    }
    __syncthreads();
    write_sides(from, to, part.begin, part.end, pivot, block_left + less[threadIdx.x],
                block_right - greater[threadIdx.x]);

    // What is between the sides is the pivot, as often as it occurs. It has its place for good.
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        last_block = atomicSub(&sequence->blocks, 1) == 1;
    __syncthreads();
    if (last_block) {
        int right = atomicAdd(&sequence->right, 0);
        for (int i = atomicAdd(&sequence->left, 0) + threadIdx.x; i < right; i += THREADS)
            first[i] = pivot;
    }
}

// Sorts a range of at most SMALL elements into `to`.
__device__ __forceinline__ void bitonic_sort(const int *from, int *to, int begin, int size, int *value)
{
    int padded = 1;
    while (padded < size)
        padded *= 2;
    for (int i = threadIdx.x; i < padded; i += THREADS)
        value[i] = i < size ? from[begin + i] : 0x7fffffff;
    __syncthreads();
    for (int length = 2; length <= padded; length *= 2) {
        for (int distance = length / 2; distance > 0; distance /= 2) {
            for (int i = threadIdx.x; i < padded; i += THREADS) {
                int other = i ^ distance;
                if (other > i) {
                    if ((i & length) == 0) {
                        if (value[i] > value[other]) {
                            int swap = value[i];
                            value[i] = value[other];
                            value[other] = swap;
                        }
                    } else {
                        if (value[i] < value[other]) {
                            int swap = value[i];
                            value[i] = value[other];
                            value[other] = swap;
                        }
                    }
                }
            }
            __syncthreads();
        }
    }
    for (int i = threadIdx.x; i < size; i += THREADS)
        to[begin + i] = value[i];
    __syncthreads();
}

__global__ void sort_sequences(const Sequence *sequences, int *first, int *second)
{
    __shared__ int less[THREADS], greater[THREADS], value[SMALL];
    __shared__ int begin_of[STACK], end_of[STACK], array_of[STACK], top;
    if (threadIdx.x == 0) {
        begin_of[0] = sequences[blockIdx.x].begin;
        end_of[0] = sequences[blockIdx.x].end;
        array_of[0] = sequences[blockIdx.x].array;
        top = 1;
    }
    __syncthreads();
    while (top > 0) {
        int begin = begin_of[top - 1], end = end_of[top - 1], array = array_of[top - 1];
        const int *from = array ? second : first;
        int *to = array ? first : second;
        __syncthreads();
        if (end - begin <= SMALL) {
            if (threadIdx.x == 0)
                top--;
            bitonic_sort(from, first, begin, end - begin, value);
            continue;
        }
        int pivot = median(from[begin], from[(begin + end) / 2], from[end - 1]);
        count_sides(from, begin, end, pivot, less, greater);
        write_sides(from, to, begin, end, pivot, begin + less[threadIdx.x], end - greater[threadIdx.x]);
        __syncthreads();
        int left = begin + less[THREADS - 1], right = end - greater[THREADS - 1];
        for (int i = left + threadIdx.x; i < right; i += THREADS)
            first[i] = pivot;
        // The longer side waits on the stack, so that it never holds more than a few.
        if (threadIdx.x == 0) {
            bool left_longer = left - begin > end - right;
            begin_of[top - 1] = left_longer ? begin : right;
            end_of[top - 1] = left_longer ? left : end;
            begin_of[top] = left_longer ? right : begin;
            end_of[top] = left_longer ? end : left;
            array_of[top - 1] = array_of[top] = !array;
            top++;
        }
        __syncthreads();
    }
}

// Adds a sequence to the list that it belongs on by its length.
static void file(int begin, int end, int array, int limit, Sequence *open, int *opened, Sequence *done, int *finished)
{
    Sequence sequence = {begin, end, array, begin, end, 0};
    if (end - begin > limit)
        open[(*opened)++] = sequence;
    else if (end > begin)
        done[(*finished)++] = sequence;
}

// Sorts `first`; `second` is room. Phase 1 ends where sequences have at most `limit` elements.
static void sort(int *first, int *second, int count, int limit)
{
    int most = 2 * count / limit + 64, opened = 0, finished = 0;
    Sequence *open = (Sequence *)malloc(most * sizeof(Sequence));
    Sequence *done = (Sequence *)malloc(count * sizeof(Sequence));
    Part *parts = (Part *)malloc(most * 2 * sizeof(Part));
    file(0, count, 0, limit, open, &opened, done, &finished);
    while (opened > 0) {
        int blocks = 0;
        for (int i = 0; i < opened; i++) {
            int size = open[i].end - open[i].begin;
            open[i].blocks = (size + limit - 1) / limit;
            int share = (size + open[i].blocks - 1) / open[i].blocks;
            for (int k = 0; k < open[i].blocks; k++) {
                int begin = open[i].begin + k * share, end = begin + share < open[i].end ? begin + share : open[i].end;
                Part part = {i, begin, end};
                parts[blocks++] = part;
            }
        }
        Part *parts_there = to_device(parts, blocks);
        Sequence *sequences = to_device(open, opened);
        divide<<<blocks, THREADS>>>(parts_there, sequences, first, second);
        Sequence *divided = to_host(sequences, opened);
        int count_divided = opened;
        opened = 0;
        for (int i = 0; i < count_divided; i++) {
            file(divided[i].begin, divided[i].left, !divided[i].array, limit, open, &opened, done, &finished);
            file(divided[i].right, divided[i].end, !divided[i].array, limit, open, &opened, done, &finished);
        }
        free(divided);
        CHECK(cudaFree(parts_there));
        CHECK(cudaFree(sequences));
    }
    Sequence *sequences = to_device(done, finished);
    sort_sequences<<<finished, THREADS>>>(sequences, first, second);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(sequences));
    free(open);
    free(done);
    free(parts);
}

// On the host: Shell's sort.
static void host_sort(int *values, int count)
{
    for (int gap = count / 2; gap > 0; gap /= 2)
        for (int i = gap; i < count; i++) {
            int value = values[i], at = i;
            for (; at >= gap && values[at - gap] > value; at -= gap)
                values[at] = values[at - gap];
            values[at] = value;
        }
}

int main(int argc, char **argv)
{
    int count = argument(argc, argv, 1, 10000);
    int *values = (int *)malloc(count * sizeof(int));
    for (int i = 0; i < count; i++)
        values[i] = random_bits() >> 4;
    int limit = count / 256 > 512 ? count / 256 : 512;
    int *first = to_device(values, count), *second = device_zeros<int>(count);
    sort(first, second, count, limit);
    int *found = to_host(first, count);

    if (count <= 20000) {
        host_sort(values, count);
        for (int i = 0; i < count; i++)
            expect_int("place", i, values[i], found[i]);
    } else {
        // In order, and the same elements: by sums of two functions of them.
        unsigned long long sum = 0, mixed = 0, found_sum = 0, found_mixed = 0;
        int descents = 0;
        for (int i = 0; i < count; i++) {
            unsigned a = values[i], b = found[i];
            sum += a;
            found_sum += b;
            mixed += (a * 2654435761u ^ a >> 7) * 2246822519u;
            found_mixed += (b * 2654435761u ^ b >> 7) * 2246822519u;
            descents += i > 0 && found[i - 1] > found[i];
        }
        expect_int("descents", 0, 0, descents);
        expect_int("sum", 0, sum, found_sum);
        expect_int("sum of mixed values", 0, mixed, found_mixed);
    }
    CHECK(cudaFree(first));
    CHECK(cudaFree(second));
    return verdict("quicksort");
}
