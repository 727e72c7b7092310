// meeting_blocks: branches with two paths that reconverge at basic blocks of 2, 8 and 20 statements.
// For the threshold of dynamic warp subdivision (chapter 3 of the dissertation, section 3.1.2): a branch subdivides a
// warp only if the basic block at its post-dominator has at most N instructions, with N = 10, 50 or 100 in Figures 3.8
// to 3.11. The blocks here have 9, 27 and 63 instructions: each is below one more of the three than the next.
//
// Which path a thread takes depends on data and changes from iteration to iteration. Both paths load from a table at
// places that depend on what they have computed, so that there is latency that the other path could hide. The
// statements of the block at the post-dominator are one long chain that uses no memory; the loop's condition follows.
//
// usage: meeting_blocks [threads [iterations [statements: 2, 8 or 20; all three without]]]

#include "workload.h"

#define THREADS 128
#define TABLE 4096

// The work after the paths have reconverged: a chain of steps, each a product, a shift and an exclusive or.
template <int statements> __host__ __device__ __forceinline__ unsigned meet(unsigned value)
{
#pragma unroll
    for (int i = 0; i < statements; i++)
        value = value * 1664525u ^ value >> 15;
    return value;
}

template <int statements>
__global__ void branch_and_meet(const unsigned *table, unsigned *result, int threads, int iterations)
{
    int thread = blockIdx.x * THREADS + threadIdx.x;
    if (thread >= threads)
        return;
    unsigned value = thread * 2654435761u;
#pragma unroll 1
    for (int i = 0; i < iterations; i++) {
        if (value & 0x10000) {
            value += table[value >> 20];
            value ^= table[value >> 20] << 3;
        } else {
            value -= table[value >> 20] >> 1;
            value ^= table[value >> 20] * 7;
        }
        value = meet<statements>(value);
    }
    result[thread] = value;
}

// The same on the host, without templates.
static unsigned host_value(const unsigned *table, int thread, int iterations, int statements)
{
    unsigned value = thread * 2654435761u;
    for (int i = 0; i < iterations; i++) {
        bool first = value & 0x10000;
        value = first ? value + table[value >> 20] : value - (table[value >> 20] >> 1);
        value = value ^ (first ? table[value >> 20] << 3 : table[value >> 20] * 7);
        for (int k = 0; k < statements; k++)
            value = (1664525u * value) ^ (value >> 15);
    }
    return value;
}

static void try_statements(const unsigned *table, const unsigned *table_there, int threads, int iterations,
                           int statements)
{
    unsigned *result_there = device_zeros<unsigned>(threads);
    int blocks = (threads + THREADS - 1) / THREADS;
    if (statements == 2)
        branch_and_meet<2><<<blocks, THREADS>>>(table_there, result_there, threads, iterations);
    else if (statements == 8)
        branch_and_meet<8><<<blocks, THREADS>>>(table_there, result_there, threads, iterations);
    else
        branch_and_meet<20><<<blocks, THREADS>>>(table_there, result_there, threads, iterations);
    CHECK(cudaDeviceSynchronize());
    unsigned *found = to_host(result_there, threads);
    // All threads of a small run, a sample of a large one.
    int samples = threads * iterations < 20000 ? threads : 10000 / iterations + 1;
    for (int i = 0; i < samples; i++) {
        int thread = samples == threads ? i : (int)(random_bits() % threads);
        expect_int("thread", thread, host_value(table, thread, iterations, statements), found[thread]);
    }
    free(found);
    CHECK(cudaFree(result_there));
}

int main(int argc, char **argv)
{
    int threads = argument(argc, argv, 1, 256), iterations = argument(argc, argv, 2, 16);
    int only = argc > 3 ? argument(argc, argv, 3, 1) : 0, statements[3] = {2, 8, 20};
    if (only && only != 2 && only != 8 && only != 20) {
        printf("the statements must be 2, 8 or 20\n");
        return 2;
    }
    unsigned *table = (unsigned *)malloc(TABLE * sizeof(unsigned));
    for (int i = 0; i < TABLE; i++)
        table[i] = random_bits();
    unsigned *table_there = to_device(table, TABLE);
    for (int i = 0; i < 3; i++)
        if (only == 0 || only == statements[i])
            try_statements(table, table_there, threads, iterations, statements[i]);
    CHECK(cudaFree(table_there));
    return verdict("meeting_blocks");
}
