// quicksort: sorts whole numbers by quicksort in two phases.
// Measured in chapter 3 of the dissertation (Table 3.2, "QSort"). Written from the algorithm of GPU-Quicksort
// (Cederman and Tsigas), the quicksort of CUDA's collection of programs at that time; no kernel launches another.
//
// Phase 1: long sequences are divided at a pivot by many blocks each, with three launches for each step: blocks count
// and add up the counts of their threads, parts get their places on either side, and blocks write their elements there.
// Phase 2: one block for each sequence divides further, with a stack in shared memory, and sorts sequences of at most
// 256 elements by a bitonic network.
// An element goes left or right of the pivot: a data-dependent branch with two short paths, taken about evenly, and
// stores that are scattered because each thread has a range of its own. In the network, comparators go up or down by
// the thread's number: a branch with two paths within a branch.
//
// usage: quicksort [elements]

#include "workload.h"

#define THREADS 128
#define SMALL 256
#define STACK 32

struct Sequence {
    int begin, end;
    int array;              // which of the two arrays holds it
    int less, greater;      // elements on either side of the pivot
    int first_part, parts;  // its parts in phase 1
    int unfinished;         // those that are still to be written
};

// The part of a sequence that a block of phase 1 has, and how many elements of it lie on either side of the pivot; once
// parts have their places, how many elements of the parts before it do.
struct Part {
    int sequence, begin, end, less, greater;
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

__device__ __forceinline__ int pivot_of(const Sequence *sequence, const int *from)
{
    int begin = sequence->begin, end = sequence->end;
    return median(from[begin], from[(begin + end) / 2], from[end - 1]);
}

// First: each block counts, and leaves the sums of its threads in `all_less` and `all_greater`.
__global__ void count_parts(Part *parts, const Sequence *sequences, const int *first, const int *second,
                            int *all_less, int *all_greater)
{
    __shared__ int less[THREADS], greater[THREADS];
    Part part = parts[blockIdx.x];
    const Sequence *sequence = sequences + part.sequence;
    const int *from = sequence->array ? second : first;
    count_sides(from, part.begin, part.end, pivot_of(sequence, from), less, greater);
    all_less[blockIdx.x * THREADS + threadIdx.x] = less[threadIdx.x];
    all_greater[blockIdx.x * THREADS + threadIdx.x] = greater[threadIdx.x];
    if (threadIdx.x == THREADS - 1) {
        parts[blockIdx.x].less = less[THREADS - 1];
        parts[blockIdx.x].greater = greater[THREADS - 1];
    }
}

// Second: each part gets its places. A thread has a sequence.
__global__ void place_parts(Part *parts, Sequence *sequences, int count)
{
    int index = blockIdx.x * THREADS + threadIdx.x;
    if (index >= count)
        return;
    Sequence *sequence = sequences + index;
    int less = 0, greater = 0;
    for (int i = sequence->first_part; i < sequence->first_part + sequence->parts; i++) {
        int own_less = parts[i].less, own_greater = parts[i].greater;
        parts[i].less = less;
        parts[i].greater = greater;
        less += own_less;
        greater += own_greater;
    }
    sequence->less = less;
    sequence->greater = greater;
}

// Third: each block writes its elements.
__global__ void write_parts(const Part *parts, Sequence *sequences, int *first, int *second, const int *all_less,
                            const int *all_greater)
{
    __shared__ bool last_block;
    Part part = parts[blockIdx.x];
    Sequence *sequence = sequences + part.sequence;
    const int *from = sequence->array ? second : first;
    int *to = sequence->array ? first : second, pivot = pivot_of(sequence, from);
    int left = sequence->begin + part.less + all_less[blockIdx.x * THREADS + threadIdx.x];
    int right = sequence->end - part.greater - all_greater[blockIdx.x * THREADS + threadIdx.x];
    write_sides(from, to, part.begin, part.end, pivot, left, right);

    // What lies between both sides is the pivot, as often as it occurs. It has its final place, which is in the first
    // array, so that the block that ends last writes it.
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        last_block = atomicSub(&sequence->unfinished, 1) == 1;
    __syncthreads();
    if (last_block) {
        int begin = sequence->begin + sequence->less, end = sequence->end - sequence->greater;
        for (int i = begin + threadIdx.x; i < end; i += THREADS)
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
        // The longer part waits on the stack, so that it never holds more than a few.
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
    Sequence sequence = {begin, end, array, 0, 0, 0, 0, 0};
    if (end - begin > limit)
        open[(*opened)++] = sequence;
    else if (end > begin)
        done[(*finished)++] = sequence;
}

// Divides the sequences into parts of at most `limit` elements. Returns the number of parts.
static int make_parts(Sequence *open, int opened, int limit, Part *parts)
{
    int blocks = 0;
    for (int i = 0; i < opened; i++) {
        Sequence *sequence = open + i;
        int size = sequence->end - sequence->begin;
        sequence->first_part = blocks;
        sequence->parts = sequence->unfinished = (size + limit - 1) / limit;
        int share = (size + sequence->parts - 1) / sequence->parts;
        for (int k = 0; k < sequence->parts; k++) {
            int begin = sequence->begin + k * share;
            Part part = {i, begin, begin + share < sequence->end ? begin + share : sequence->end, 0, 0};
            parts[blocks++] = part;
        }
    }
    return blocks;
}

// Sorts `first`; `second` is room. Phase 1 ends where sequences have at most `limit` elements.
static void sort(int *first, int *second, int count, int limit)
{
    // Sequences that are open have more than `limit` elements, and each has one part that is not full.
    int most = count / limit + 1, opened = 0, finished = 0;
    Sequence *open = (Sequence *)malloc(most * sizeof(Sequence));
    Sequence *done = (Sequence *)malloc(count * sizeof(Sequence));
    Part *parts = (Part *)malloc(2 * most * sizeof(Part));
    int *less = device_zeros<int>(2 * most * THREADS), *greater = device_zeros<int>(2 * most * THREADS);
    file(0, count, 0, limit, open, &opened, done, &finished);
    while (opened > 0) {
        int blocks = make_parts(open, opened, limit, parts), count_divided = opened;
        Part *parts_there = to_device(parts, blocks);
        Sequence *sequences = to_device(open, opened);
        count_parts<<<blocks, THREADS>>>(parts_there, sequences, first, second, less, greater);
        place_parts<<<(opened + THREADS - 1) / THREADS, THREADS>>>(parts_there, sequences, opened);
        write_parts<<<blocks, THREADS>>>(parts_there, sequences, first, second, less, greater);
        Sequence *divided = to_host(sequences, opened);
        opened = 0;
        for (int i = 0; i < count_divided; i++) {
            int begin = divided[i].begin, end = divided[i].end, other = !divided[i].array;
            file(begin, begin + divided[i].less, other, limit, open, &opened, done, &finished);
            file(end - divided[i].greater, end, other, limit, open, &opened, done, &finished);
        }
        free(divided);
        CHECK(cudaFree(parts_there));
        CHECK(cudaFree(sequences));
    }
    Sequence *sequences = to_device(done, finished);
    sort_sequences<<<finished, THREADS>>>(sequences, first, second);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(sequences));
    CHECK(cudaFree(less));
    CHECK(cudaFree(greater));
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
