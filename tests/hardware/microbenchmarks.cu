// What the parts of a GPU take, by the clock of its own SMs: a line `name value` for each. nvcc and our compiler take this file as it is, and
// microbenchmarks.py puts the values of both side by side; README.md says what each is.
//
// Latencies are those of a chain of operations, each of which needs the one before; half as long a chain is subtracted, so that the clock's
// own cost and the code around drop out. Operands come from memory, so that nothing is known while compiling, and no two operations of a chain
// may be one: integer additions alternate with exclusive ors, since a + b + b is a + 2 * b.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long long Link;

// Threads of the largest block, and the bytes of a first-level line.
#define THREADS 1024
#define STORES 1000
#define LINE 128
#define KB 1024L
#define MB (1024L * 1024L)

__shared__ unsigned words[4096];
__constant__ unsigned table[16384];
__device__ unsigned counter;

// An operation of a chain: `a` comes from the one before, the others are loaded once. `prepare` is what the block does first.
#define OPERATION(name, type, expression)                                                                                                    \
    struct name {                                                                                                                            \
        typedef type Type;                                                                                                                   \
        static __device__ void prepare() {}                                                                                                  \
        static __device__ type of(type a, type b, type c) { return expression; }                                                             \
    };

// With an exclusive or, or an addition, where the operation alone could be made shorter; the host subtracts it.
OPERATION(AddXor, int, (a + b) ^ c)
OPERATION(ShiftXor, unsigned, (a << (b & 31)) ^ c)
OPERATION(MultiplyXor, int, (a * b) ^ c)
OPERATION(MultiplyAdd, int, a *b + c)
OPERATION(Divide, int, a / b)
OPERATION(RemainderXor, int, (a % b) ^ c)
OPERATION(SelectXor, int, (a < b ? b : c) ^ a)
OPERATION(FloatAdd, float, a + b)
OPERATION(FloatMultiply, float, a *b)
OPERATION(FloatFma, float, fmaf(a, b, c))
OPERATION(FloatDivide, float, a / b)
OPERATION(FloatSquareRoot, float, sqrtf(a))
OPERATION(ReciprocalRoot, float, rsqrtf(a))
OPERATION(Exponential2, float, exp2f(a))
OPERATION(Exponential, float, __expf(a))
OPERATION(Sine, float, __sinf(a))
// Functions, some with a product or a sum that keeps values where they are finite and no case of their own.
OPERATION(ExpProduct, float, expf(a) * c)
OPERATION(LogSum, float, logf(a) + b)
OPERATION(SinOf, float, sinf(a))
OPERATION(CosOf, float, cosf(a))
OPERATION(PowOf, float, powf(a, b))
OPERATION(TanhOf, float, tanhf(a))
OPERATION(DoubleSquareRoot, double, sqrt(a))
OPERATION(DoubleExpProduct, double, exp(a) * c)
OPERATION(DoubleLogSum, double, log(a) + b)
OPERATION(DoubleSinOf, double, sin(a))
OPERATION(DoubleCosOf, double, cos(a))
OPERATION(DoublePowOf, double, pow(a, b))
OPERATION(DoubleAdd, double, a + b)
OPERATION(DoubleFma, double, fma(a, b, c))
OPERATION(DoubleDivide, double, a / b)
OPERATION(Convert, float, __int2float_rn(__float2int_rz(a)))
OPERATION(Shuffle, int, __shfl_xor_sync(0xffffffff, a, 1))
OPERATION(Ballot, unsigned, __ballot_sync(0xffffffff, a < b))
// Each link in memory is the address of the next.
OPERATION(FirstLevel, Link, __ldca((const Link *)a))
OPERATION(GlobalAtomic, unsigned, atomicExch(&counter, a))
OPERATION(Constant, unsigned, *(const unsigned *)((const char *)table + a))

// Links in shared memory are distances in bytes from its beginning.
struct Shared {
    typedef unsigned Type;
    static __device__ void prepare()
    {
        for (int i = threadIdx.x; i < 4096; i += blockDim.x)
            words[i] = 4 * i;
        __syncthreads();
    }
    static __device__ unsigned of(unsigned a, unsigned, unsigned) { return *(const unsigned *)((const char *)words + a); }
};

struct SharedAtomic {
    typedef unsigned Type;
    static __device__ void prepare() { Shared::prepare(); }
    static __device__ unsigned of(unsigned a, unsigned, unsigned) { return atomicExch(&words[0], a); }
};

// A copy of a link of 8 bytes to shared memory, past the registers, awaited and read there: from `sm_80` on.
struct AsynchronousCopy {
    typedef Link Type;
    static __device__ void prepare() {}
    static __device__ Link of(Link a, Link, Link)
    {
#if __CUDA_ARCH__ >= 800
        volatile Link *own = (volatile Link *)words + threadIdx.x;
        unsigned to = (unsigned)__cvta_generic_to_shared((const void *)own);
        asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(to), "l"(a) : "memory");
        asm volatile("cp.async.wait_all;" ::: "memory");
        a = *own;
#endif
        return a;
    }
};

// A chain of N operations, four times: the last time counts, when the instructions and what is loaded are in their caches. The chain begins
// with the time at which the clock was read, so that it is not read later; `zero` is 0. The store waits for its end.
template <class Operation, int N>
__global__ void chain(const typename Operation::Type *first, typename Operation::Type b, typename Operation::Type c, int zero,
                      volatile typename Operation::Type *to, long long *took)
{
    typename Operation::Type a = first[threadIdx.x];
    long long start = 0, end = 0;
    Operation::prepare();
#pragma unroll 1
    for (int time = 0; time < 4; time++) {
        start = clock64();
        a += (typename Operation::Type)((int)start & zero);
#pragma unroll
        for (int i = 0; i < N; i++)
            a = Operation::of(a, b, c);
        to[threadIdx.x] = a;
        end = clock64();
    }
    if (threadIdx.x == 0)
        *took = end - start;
}

// A whole SM, four chains in each thread, `rounds` times N operations of each; notes when each warp began and ended.
template <class Operation, int N>
__global__ void chains(const typename Operation::Type *first, typename Operation::Type b, typename Operation::Type c, int rounds,
                       typename Operation::Type *to, long long *spans)
{
    typedef typename Operation::Type T;
    T a0 = first[threadIdx.x], a1 = first[THREADS + threadIdx.x], a2 = first[2 * THREADS + threadIdx.x], a3 = first[3 * THREADS + threadIdx.x];
    Operation::prepare();
    __syncthreads();
    long long start = clock64();
#pragma unroll 1
    for (int round = 0; round < rounds; round++) {
#pragma unroll
        for (int i = 0; i < N; i++) {
            a0 = Operation::of(a0, b, c);
            a1 = Operation::of(a1, b, c);
            a2 = Operation::of(a2, b, c);
            a3 = Operation::of(a3, b, c);
        }
    }
    to[threadIdx.x] = a0;
    to[THREADS + threadIdx.x] = a1;
    to[2 * THREADS + threadIdx.x] = a2;
    to[3 * THREADS + threadIdx.x] = a3;
    long long end = clock64();
    if (threadIdx.x % 32 == 0) {
        spans[threadIdx.x / 32 * 2] = start;
        spans[threadIdx.x / 32 * 2 + 1] = end;
    }
}

// Parts of a value of 4 or of 16 bytes.
static __device__ unsigned all(unsigned value) { return value; }
static __device__ unsigned all(uint4 value) { return value.x ^ value.y ^ value.z ^ value.w; }

// A whole SM reads 16 rows of its first level, each as wide as a warp, again and again from another row on.
template <class T> __global__ void read_first_level(const T *from, int rounds, unsigned *to, long long *spans)
{
    unsigned sum = 0;
    __syncthreads();
    long long start = clock64();
#pragma unroll 1
    for (int round = 0; round < rounds; round++) {
        const T *row = from + (round % 4) * 32 + threadIdx.x % 32;
#pragma unroll
        for (int i = 0; i < 16; i++)
            sum ^= all(__ldca(row + 32 * i));
    }
    to[threadIdx.x] = sum;
    long long end = clock64();
    if (threadIdx.x % 32 == 0) {
        spans[threadIdx.x / 32 * 2] = start;
        spans[threadIdx.x / 32 * 2 + 1] = end;
    }
}

// Follows a ring of links. First the whole block reads `warm` bytes from it on past the first level (for a machine whose first level keeps them
// all the same, more than fit there behind the ring), then one thread follows `before` links that
// are not timed, and then `steps`.
__global__ void follow(const Link *ring, long warm, int before, int steps, int zero, Link *to, long long *took)
{
    Link at = (Link)ring, sum = 0;
    for (long i = threadIdx.x; i < warm / 32; i += blockDim.x)
        sum ^= __ldcg(ring + 4 * i);
    to[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x != 0)
        return;
#pragma unroll 1
    for (int i = 0; i < before; i++)
        at = __ldca((const Link *)at);
    long long start = clock64();
    at += (int)start & zero;
#pragma unroll 16
    for (int i = 0; i < steps; i++)
        at = __ldca((const Link *)at);
    *(volatile Link *)to = at;
    long long end = clock64();
    *took = end - start;
}

// All SMs read 64 bytes for each thread of the grid in a round, four loads in flight, past the first level; and all rounds so many times. In each
// pass a block reads what another has read in the one before. Each block notes its time.
__global__ void read_all(const uint4 *from, int rounds, int passes, unsigned *to, long long *took)
{
    unsigned sum = 0, threads = gridDim.x * blockDim.x;
    __syncthreads();
    long long start = clock64();
#pragma unroll 1
    for (int pass = 0; pass < passes; pass++) {
        const uint4 *at = from + (blockIdx.x + 37 * pass) % gridDim.x * blockDim.x + threadIdx.x;
#pragma unroll 1
        for (int round = 0; round < rounds; round++) {
            uint4 a = __ldcg(at), b = __ldcg(at + threads), c = __ldcg(at + 2 * threads), d = __ldcg(at + 3 * threads);
            sum ^= all(a) ^ all(b) ^ all(c) ^ all(d);
            at += 4 * threads;
        }
    }
    to[blockIdx.x * blockDim.x + threadIdx.x] = sum;
    __syncthreads();
    long long end = clock64();
    if (threadIdx.x == 0)
        took[blockIdx.x] = end - start;
}

// One thread of each block stores to one word, again and again, and waits for its last store. Each block notes its time.
__global__ void store_word(volatile unsigned *to, int stores, long long *took)
{
    long long start = clock64();
#pragma unroll 1
    for (int i = 0; i < stores; i++)
        *to = i;
    __threadfence();
    long long end = clock64();
    took[blockIdx.x] = end - start;
}

template <int N> __global__ void barriers(long long *took)
{
    long long start = 0, end = 0;
#pragma unroll 1
    for (int time = 0; time < 4; time++) {
        __syncthreads();
        start = clock64();
#pragma unroll
        for (int i = 0; i < N; i++)
            __syncthreads();
        end = clock64();
    }
    if (threadIdx.x == 0)
        *took = end - start;
}

// A loop of one addition and one exclusive or a time, as it stands.
__global__ void loop(const int *first, int b, int c, int steps, int zero, volatile int *to, long long *took)
{
    int a = first[threadIdx.x];
    long long start = 0, end = 0;
#pragma unroll 1
    for (int time = 0; time < 4; time++) {
        start = clock64();
        a += (int)start & zero;
#pragma unroll 1
        for (int i = 0; i < steps; i++)
            a = (a + b) ^ c;
        to[threadIdx.x] = a;
        end = clock64();
    }
    if (threadIdx.x == 0)
        *took = end - start;
}

// The same, where the number of iterations is a thread's own.
__global__ void loop_of_thread(const int *first, int b, int c, const int *steps, volatile int *to, long long *took)
{
    int a = first[threadIdx.x], mine = steps[threadIdx.x];
    long long start = 0, end = 0;
#pragma unroll 1
    for (int time = 0; time < 4; time++) {
        start = clock64();
#pragma unroll 1
        for (int i = 0; i < mine; i++)
            a = (a + b) ^ c;
        to[threadIdx.x] = a;
        end = clock64();
    }
    if (threadIdx.x == 0)
        *took = end - start;
}

// An eighth of N instructions, of four chains.
#define EIGHTH                                                                                                                               \
    _Pragma("unroll") for (int i = 0; i < N / 32; i++)                                                                                       \
    {                                                                                                                                        \
        a0 = fmaf(a0, b, c);                                                                                                                 \
        a1 = fmaf(a1, b, c);                                                                                                                 \
        a2 = fmaf(a2, b, c);                                                                                                                 \
        a3 = fmaf(a3, b, c);                                                                                                                 \
    }

// N instructions one after the other, again and again: notes each time. The first time of a launch has the instructions fetched. Our compiler
// writes no longer loops out than these.
template <int N> __global__ void code(const float *first, float b, float c, int times, int zero, volatile float *to, long long *took)
{
    float a0 = first[0], a1 = first[1], a2 = first[2], a3 = first[3];
#pragma unroll 1
    for (int time = 0; time < times; time++) {
        long long start = clock64();
        a0 += (float)((int)start & zero);
        EIGHTH EIGHTH EIGHTH EIGHTH EIGHTH EIGHTH EIGHTH EIGHTH
        to[threadIdx.x] = a0 + a1 + a2 + a3;
        long long end = clock64();
        if (threadIdx.x == 0)
            took[time] = end - start;
    }
}

// A loop whose body has two sides, eight operations with eight exclusive ors each, of which each thread takes its own.
__global__ void two_sides(const int *first, int b, int c, int steps, const int *side, volatile int *to, long long *took)
{
    int a = first[threadIdx.x], mine = side[threadIdx.x];
    long long start = 0, end = 0;
#pragma unroll 1
    for (int time = 0; time < 4; time++) {
        start = clock64();
#pragma unroll 1
        for (int i = 0; i < steps; i++) {
            if (mine) {
#pragma unroll
                for (int j = 0; j < 8; j++)
                    a = (a + b) ^ c;
            } else {
#pragma unroll
                for (int j = 0; j < 8; j++)
                    a = (a * b) ^ c;
            }
        }
        to[threadIdx.x] = a;
        end = clock64();
    }
    if (threadIdx.x == 0)
        *took = end - start;
}

// Memory of the device that all measurements share.
char *first_device, *to_device;
long long *spans_device;
long long spans[1024];

void check(cudaError_t status)
{
    if (status == cudaSuccess)
        return;
    printf("error %s\n", cudaGetErrorString(status));
    exit(1);
}

void say(const char *name, double value) { printf("%s %.2f\n", name, value); }

// The numbers that the last launch has noted.
void notes(int count)
{
    check(cudaGetLastError());
    check(cudaMemcpy(spans, spans_device, count * sizeof(long long), cudaMemcpyDeviceToHost));
}

// From the first beginning to the last end of an SM's warps.
double whole()
{
    notes(2 * THREADS / 32);
    long long start = spans[0], end = spans[1];
    for (int i = 1; i < THREADS / 32; i++) {
        start = spans[2 * i] < start ? spans[2 * i] : start;
        end = spans[2 * i + 1] > end ? spans[2 * i + 1] : end;
    }
    return end - start;
}

// Where each thread's chains begin: `value`, and `distance` more for each lane.
template <class T> T *begin(T value, int distance)
{
    T *first = (T *)malloc(4 * THREADS * sizeof(T));
    for (int i = 0; i < 4 * THREADS; i++)
        first[i] = value + (T)((i % 32) * distance);
    check(cudaMemcpy(first_device, first, 4 * THREADS * sizeof(T), cudaMemcpyHostToDevice));
    free(first);
    return (T *)first_device;
}

template <class Operation, int N> double latency(typename Operation::Type value, typename Operation::Type b, typename Operation::Type c, int threads)
{
    typedef typename Operation::Type T;
    T *first = begin<T>(value, 0);
    chain<Operation, N><<<1, threads>>>(first, b, c, 0, (T *)to_device, spans_device);
    notes(1);
    double once = spans[0];
    chain<Operation, 2 * N><<<1, threads>>>(first, b, c, 0, (T *)to_device, spans_device);
    notes(1);
    return (spans[0] - once) / N;
}

// Steps of all warps of an SM in a cycle.
template <class Operation, int N> double rate(typename Operation::Type value, int distance, typename Operation::Type b, typename Operation::Type c, int rounds = 8)
{
    typedef typename Operation::Type T;
    T *first = begin<T>(value, distance);
    chains<Operation, N><<<1, THREADS>>>(first, b, c, rounds, (T *)to_device, spans_device);
    double once = whole();
    chains<Operation, N><<<1, THREADS>>>(first, b, c, 2 * rounds, (T *)to_device, spans_device);
    return rounds * N * 4 * (THREADS / 32) / (whole() - once);
}

// Cycles of an instruction in so much code, of 16 bytes each: the first and the last time it is executed in a first launch, the first time in the next.
template <int KB_OF_CODE> void code_of()
{
    const int N = 64 * KB_OF_CODE;
    char name[64];
    float *first = begin<float>(1, 0);
    for (int launch = 0; launch < 2; launch++) {
        code<N><<<1, 32>>>(first, 0.5f, 1, 4, 0, (float *)to_device, spans_device);
        notes(4);
        sprintf(name, launch == 0 ? "code_of_%d_kb_first" : "code_of_%d_kb_next_launch", KB_OF_CODE);
        say(name, (double)spans[0] / N);
    }
    sprintf(name, "code_of_%d_kb_again", KB_OF_CODE);
    say(name, (double)spans[3] / N);
}

// Megahertz of the SMs' clock: its cycles in a loop, which runs four times and of which the last is told, by the events around.
void clock_rate(const char *name)
{
    int *first = begin<int>(1, 0);
    cudaEvent_t start, stop;
    check(cudaEventCreate(&start));
    check(cudaEventCreate(&stop));
    double cycles[2];
    float milliseconds[2];
    for (int i = 0; i < 2; i++) {
        check(cudaEventRecord(start));
        loop<<<1, 32>>>(first, 3, 5, 50000 << i, 0, (int *)to_device, spans_device);
        check(cudaEventRecord(stop));
        check(cudaEventSynchronize(stop));
        check(cudaEventElapsedTime(&milliseconds[i], start, stop));
        notes(1);
        cycles[i] = spans[0];
    }
    say(name, 4 * (cycles[1] - cycles[0]) / (1000.0 * (milliseconds[1] - milliseconds[0])));
    check(cudaEventDestroy(start));
    check(cudaEventDestroy(stop));
}

void latencies()
{
    // Of an addition and an exclusive or, which are alike on every machine of interest.
    double simple = latency<AddXor, 64>(1, 3, 5, 32) / 2;
    say("latency_add_xor", simple);
    say("latency_shift", latency<ShiftXor, 64>(1, 3, 5, 32) - simple);
    say("latency_multiply", latency<MultiplyXor, 64>(1, 3, 5, 32) - simple);
    say("latency_multiply_add", latency<MultiplyAdd, 64>(1, 3, 5, 32));
    say("latency_divide", latency<Divide, 16>(1000000, 1, 0, 32));
    say("latency_remainder", latency<RemainderXor, 16>(1000000, 77, 1000, 32) - simple);
    say("latency_compare_select", latency<SelectXor, 64>(1, 3, 5, 32) - simple);
    say("latency_float_add", latency<FloatAdd, 64>(1, 0.5f, 0, 32));
    say("latency_float_multiply", latency<FloatMultiply, 64>(1, 1.001f, 0, 32));
    say("latency_float_fma", latency<FloatFma, 64>(1, 0.5f, 1, 32));
    say("latency_float_divide", latency<FloatDivide, 16>(1, 1.001f, 0, 32));
    say("latency_float_square_root", latency<FloatSquareRoot, 16>(2, 0, 0, 32));
    say("latency_rsqrtf", latency<ReciprocalRoot, 32>(2, 0, 0, 32));
    say("latency_exp2f", latency<Exponential2, 32>(-1, 0, 0, 32));
    say("latency___expf", latency<Exponential, 32>(-1, 0, 0, 32));
    say("latency___sinf", latency<Sine, 32>(1, 0, 0, 32));
    double float_sum = latency<FloatAdd, 64>(1, 0.5f, 0, 32), double_sum = latency<DoubleAdd, 64>(1, 0.5, 0, 32);
    say("latency_expf", latency<ExpProduct, 16>(0.5f, 0, 0.3f, 32) - float_sum);
    say("latency_logf", latency<LogSum, 16>(4, 3, 0, 32) - float_sum);
    say("latency_sinf", latency<SinOf, 16>(1, 0, 0, 32));
    say("latency_cosf", latency<CosOf, 16>(1, 0, 0, 32));
    say("latency_powf", latency<PowOf, 16>(2, 0.5f, 0, 32));
    say("latency_tanhf", latency<TanhOf, 16>(1, 0, 0, 32));
    say("latency_sqrt", latency<DoubleSquareRoot, 8>(2, 0, 0, 32));
    say("latency_exp", latency<DoubleExpProduct, 8>(0.5, 0, 0.3, 32) - double_sum);
    say("latency_log", latency<DoubleLogSum, 8>(4, 3, 0, 32) - double_sum);
    say("latency_sin", latency<DoubleSinOf, 8>(1, 0, 0, 32));
    say("latency_cos", latency<DoubleCosOf, 8>(1, 0, 0, 32));
    say("latency_pow", latency<DoublePowOf, 8>(2, 0.5, 0, 32));
    say("latency_double_add", latency<DoubleAdd, 64>(1, 0.5, 0, 32));
    say("latency_double_fma", latency<DoubleFma, 64>(1, 0.5, 1, 32));
    say("latency_double_divide", latency<DoubleDivide, 8>(1, 1.001, 0, 32));
    say("latency_float_int_float", latency<Convert, 64>(1000, 0, 0, 32));
    say("latency_shuffle", latency<Shuffle, 64>(1, 0, 0, 32));
    say("latency_compare_ballot", latency<Ballot, 64>(1, 3, 0, 32));

    int *first = begin<int>(1, 0);
    double took[2];
    for (int i = 0; i < 2; i++) {
        loop<<<1, 32>>>(first, 3, 5, 64 << i, 0, (int *)to_device, spans_device);
        notes(1);
        took[i] = spans[0];
    }
    say("latency_loop_of_add_xor", (took[1] - took[0]) / 64);
    for (int i = 0; i < 2; i++) {
        int *steps = begin<int>(64 << i, 0);
        loop_of_thread<<<1, 32>>>(steps, 3, 5, steps, (int *)to_device, spans_device);
        notes(1);
        took[i] = spans[0];
    }
    say("latency_loop_of_thread", (took[1] - took[0]) / 64);
    for (int sides = 0; sides < 3; sides++) {
        // All threads take the first side, all the second, and the first of a warp the second.
        int *side = (int *)begin<int>(sides == 0, sides == 2);
        for (int i = 0; i < 2; i++) {
            two_sides<<<1, 32>>>(side, 3, 5, 64 << i, side, (int *)to_device, spans_device);
            notes(1);
            took[i] = spans[0];
        }
        say(sides == 0 ? "loop_with_first_side" : sides == 1 ? "loop_with_second_side" : "loop_with_both_sides", (took[1] - took[0]) / 64);
    }

    Link self = (Link)first_device;
    say("latency_first_level", latency<FirstLevel, 64>(self, 0, 0, 1));
    say("latency_shared", latency<Shared, 64>(64, 0, 0, 1));
    cudaDeviceProp properties;
    check(cudaGetDeviceProperties(&properties, 0));
    if (properties.major >= 8)
        say("latency_asynchronous_copy", latency<AsynchronousCopy, 64>(self, 0, 0, 1));
    unsigned ring[16384];
    for (int i = 0; i < 16384; i++)
        ring[i] = (4 * i + 64) % 2048;
    check(cudaMemcpyToSymbol(table, ring, sizeof ring));
    say("latency_constant_2_kb", latency<Constant, 64>(0, 0, 0, 1));
    for (int i = 0; i < 16384; i++)
        ring[i] = (4 * i + 256) % 32768;
    check(cudaMemcpyToSymbol(table, ring, sizeof ring));
    say("latency_constant_32_kb", latency<Constant, 128>(0, 0, 0, 1));
    say("latency_shared_atomic", latency<SharedAtomic, 32>(1, 0, 0, 1));
    say("latency_shared_atomic_of_warp", latency<SharedAtomic, 32>(1, 0, 0, 32));
    say("latency_global_atomic", latency<GlobalAtomic, 32>(1, 0, 0, 1));
    say("latency_global_atomic_of_warp", latency<GlobalAtomic, 32>(1, 0, 0, 32));
}

void rates()
{
    say("rate_add_xor", 2 * rate<AddXor, 32>(1, 1, 3, 5));
    say("rate_shift_xor", 2 * rate<ShiftXor, 32>(1, 1, 3, 5));
    say("rate_compare_select_xor", 3 * rate<SelectXor, 32>(1, 1, 3, 5));
    say("rate_multiply_xor", 2 * rate<MultiplyXor, 32>(1, 1, 3, 5));
    say("rate_divide", rate<Divide, 4>(1000000, 1, 1, 0));
    say("rate_float_divide", rate<FloatDivide, 4>(1, 1, 1.001f, 0));
    say("rate_double_divide", rate<DoubleDivide, 2>(1, 1, 1.001, 0));
    say("rate_float_square_root", rate<FloatSquareRoot, 4>(2, 1, 0, 0));
    say("rate_rsqrtf", rate<ReciprocalRoot, 8>(2, 1, 0, 0));
    say("rate_expf", rate<ExpProduct, 8>(0.5f, 0, 0, 0.3f));
    say("rate_logf", rate<LogSum, 8>(4, 0, 3, 0));
    say("rate_sinf", rate<SinOf, 4>(1, 0, 0, 0));
    say("rate_cosf", rate<CosOf, 4>(1, 0, 0, 0));
    say("rate_powf", rate<PowOf, 4>(2, 1, 0.5f, 0));
    say("rate_tanhf", rate<TanhOf, 4>(1, 0, 0, 0));
    say("rate_sqrt", rate<DoubleSquareRoot, 2>(2, 1, 0, 0));
    say("rate_exp", rate<DoubleExpProduct, 2>(0.5, 0, 0, 0.3));
    say("rate_log", rate<DoubleLogSum, 2>(4, 0, 3, 0));
    say("rate_sin", rate<DoubleSinOf, 2>(1, 0, 0, 0));
    say("rate_cos", rate<DoubleCosOf, 2>(1, 0, 0, 0));
    say("rate_pow", rate<DoublePowOf, 2>(2, 1, 0.5, 0));
    say("rate_float_int_float", rate<Convert, 32>(1000, 1, 0, 0));
    say("rate_multiply_add", rate<MultiplyAdd, 32>(1, 1, 3, 5));
    say("rate_float_fma", rate<FloatFma, 32>(1, 1, 0.5f, 1));
    say("rate_double_fma", rate<DoubleFma, 32>(1, 1, 0.5, 1));
    say("rate___sinf", rate<Sine, 32>(1, 1, 0, 0));
    say("rate_loop_of_8", 2 * rate<AddXor, 1>(1, 1, 3, 5, 64));
    say("rate_shuffle", rate<Shuffle, 32>(1, 1, 0, 0));
    say("rate_shared", rate<Shared, 32>(0, 4, 0, 0));
    say("rate_shared_2_ways", rate<Shared, 32>(0, 8, 0, 0));
    say("rate_shared_4_ways", rate<Shared, 32>(0, 16, 0, 0));
    say("rate_shared_32_ways", rate<Shared, 32>(0, 128, 0, 0));
    double once, bytes;
    for (int size = 4; size <= 16; size *= 4) {
        for (int i = 1; i <= 2; i++) {
            if (size == 4)
                read_first_level<unsigned><<<1, THREADS>>>((unsigned *)first_device, 32 * i, (unsigned *)to_device, spans_device);
            else
                read_first_level<uint4><<<1, THREADS>>>((uint4 *)first_device, 32 * i, (unsigned *)to_device, spans_device);
            once = i == 1 ? whole() : whole() - once;
        }
        bytes = 32.0 * 16 * THREADS * size;
        say(size == 4 ? "bytes_first_level_of_4" : "bytes_first_level_of_16", bytes / once);
    }
}

// Mean latency of a ring of links, one in each `distance` bytes: in order, or each link but one at a random place. `warm` puts it into the second
// level first.
double ring(char *device, Link *host, long bytes, long distance, bool in_order, bool warm, int before, int steps)
{
    long count = bytes / distance, words_apart = distance / 8;
    memset(host, 0, bytes);
    // Links are first numbers of places; a cycle through all of them is Sattolo's.
    for (long i = 0; i < count; i++)
        host[i * words_apart] = in_order ? (i + 1) % count : i;
    unsigned long state = 1;
    for (long i = count - 1; !in_order && i > 0; i--) {
        state = state * 6364136223846793005UL + 1442695040888963407UL;
        long j = (state >> 33) % i;
        Link other = host[i * words_apart];
        host[i * words_apart] = host[j * words_apart];
        host[j * words_apart] = other;
    }
    for (long i = 0; i < count; i++)
        host[i * words_apart] = (Link)device + host[i * words_apart] * distance;
    check(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice));
    if (!warm)
        check(cudaMemset(device + 128 * MB, 0, 128 * MB));
    follow<<<1, THREADS>>>((Link *)device, warm ? bytes + 512 * KB : 0, before, steps, 0, (Link *)to_device, spans_device);
    notes(1);
    return (double)spans[0] / steps;
}

void memory(long largest)
{
    static const int sizes[] = {8, 16, 32, 64, 96, 128, 160, 192, 208, 224, 240, 256, 272, 288, 320, 384, 448, 512};
    char *device, name[64];
    Link *host = (Link *)malloc(128 * MB);
    // All of what shared memory and the first level have in common for the first level.
    check(cudaFuncSetAttribute(follow, cudaFuncAttributePreferredSharedMemoryCarveout, 0));
    check(cudaMalloc(&device, 256 * MB));
    for (int i = 0; i < 18; i++) {
        sprintf(name, "ring_%d_kb", sizes[i]);
        say(name, ring(device, host, sizes[i] * KB, LINE, false, true, 4096, 4096));
    }
    for (long size = 1; size <= largest; size *= 2) {
        sprintf(name, "ring_%ld_mb", size);
        say(name, ring(device, host, size * MB, LINE, false, true, 4096, 4096));
        if (size == 32 && largest > 32)
            say("ring_40_mb", ring(device, host, 40 * MB, LINE, false, true, 4096, 4096));
    }
    say("latency_dram", ring(device, host, 32 * MB, LINE, false, false, 512, 4096));
    for (int distance = 8; distance <= 256; distance *= 2) {
        sprintf(name, "first_level_miss_each_%d_bytes", distance);
        say(name, ring(device, host, 2048 * distance, distance, true, true, 0, 2048));
    }
    for (int distance = 8; distance <= 512; distance *= 2) {
        sprintf(name, "second_level_miss_each_%d_bytes", distance);
        say(name, ring(device, host, 2048 * distance, distance, true, false, 0, 2048));
    }
    free(host);
    check(cudaFree(device));
}

// The longest time of a block of all SMs' that read.
double read_time(int blocks, char *from, int rounds, int passes)
{
    read_all<<<blocks, THREADS>>>((uint4 *)from, rounds, passes, (unsigned *)to_device, spans_device);
    notes(blocks);
    long long most = 0;
    for (int i = 0; i < blocks; i++)
        most = spans[i] > most ? spans[i] : most;
    return most;
}

// Cycles of a store, where a thread of each SM stores to one word.
void stores_to_one_word()
{
    cudaDeviceProp properties;
    check(cudaGetDeviceProperties(&properties, 0));
    int blocks = properties.multiProcessorCount;
    double times[2] = {0, 0};
    for (int run = 0; run < 3; run++) {
        int half = run == 2;
        store_word<<<blocks, 1>>>((unsigned *)to_device, STORES << half, spans_device);
        notes(blocks);
        for (int i = 0; i < blocks; i++)
            times[half] = run != 0 && spans[i] > times[half] ? spans[i] : times[half];
    }
    say("store_to_one_word", (times[1] - times[0]) / ((double)STORES * blocks));
}

// Bytes that all SMs together read in a cycle of theirs.
void bandwidths(int rounds)
{
    cudaDeviceProp properties;
    check(cudaGetDeviceProperties(&properties, 0));
    // A block on each SM, so that all run at once whatever their registers are.
    int blocks = properties.multiProcessorCount;
    say("second_level_kb", properties.l2CacheSize / 1024.0);
    long round = 64L * THREADS * blocks;
    char *device;
    check(cudaMalloc(&device, (rounds < 2 ? 4 : 3 * rounds + 1) * round));
    // The first launch brings instructions. What is read after it lies in no cache: it has not been touched.
    read_time(blocks, device + 3 * rounds * round, 1, 1);
    double once = read_time(blocks, device, rounds, 1);
    say("bytes_dram", rounds * round / (read_time(blocks, device + rounds * round, 2 * rounds, 1) - once));
    for (int part = 1; part <= 4; part *= 2) {
        char name[64];
        once = read_time(blocks, device, part, 2);
        sprintf(name, "bytes_second_level_%d_rounds", part);
        say(name, 2 * part * round / (read_time(blocks, device, part, 4) - once));
    }
    check(cudaFree(device));
}

// Cycles of a barrier of so many warps.
void barrier_costs()
{
    for (int warps = 1; warps <= 32; warps *= 2) {
        char name[64];
        barriers<32><<<1, 32 * warps>>>(spans_device);
        notes(1);
        double once = spans[0];
        barriers<64><<<1, 32 * warps>>>(spans_device);
        notes(1);
        sprintf(name, "barrier_of_%d_warps", warps);
        say(name, (spans[0] - once) / 32);
    }
}

// Megabytes of the largest ring, and rounds that are read of DRAM: by less than 128 and 8 our simulator takes less.
int main(int count, char **arguments)
{
    long largest = count > 1 ? atol(arguments[1]) : 128, rounds = count > 2 ? atol(arguments[2]) : 8;
    check(cudaMalloc(&first_device, MB));
    check(cudaMalloc(&to_device, MB));
    check(cudaMalloc(&spans_device, sizeof spans));
    clock_rate("clock_mhz_at_first");
    latencies();
    rates();
    barrier_costs();
    code_of<1>();
    code_of<4>();
    code_of<16>();
    code_of<32>();
    code_of<64>();
    code_of<96>();
    code_of<128>();
    code_of<160>();
    // Before anything else has filled the second level with what is to be written back.
    stores_to_one_word();
    bandwidths(rounds);
    memory(largest);
    clock_rate("clock_mhz_at_last");
    return 0;
}
