// eigenvalues: the eigenvalues of symmetric tridiagonal matrices by bisection.
//
// Measured in chapter 4 of the dissertation (EIGENVL in Table 4.2) and in BCC ("EV" in Table 1; a divergent kernel in
// its text). Modelled on the CUDA SDK's sample "eigenvalues": a matrix of up to THREADS rows is one block's; of a
// larger one, a first block divides until it has more than THREADS intervals, then one kernel refines the intervals
// that hold one eigenvalue, another those that hold several. With many matrices, each is a block's.
//
// Characteristic: a thread is an interval. It starts with one, and each round doubles them at most: lanes and warps
// become active one by one. An interval that has converged rests while others go on; whether its halves hold
// eigenvalues is a three-way branch on data; new intervals are packed by a scan in shared memory whose branches depend
// on thread numbers. In between, each active thread counts the eigenvalues below its middle: a loop over the rows with
// a division that waits for the one before, coherent among the active threads.
//
// usage: eigenvalues [matrices] [rows]     (-DTHREADS=a power of two; more rows than that: one matrix)

#include "workload.h"

#ifndef THREADS
#define THREADS 256
#endif

// Eigenvalues number `below_left` to `below_right` - 1, in ascending order, lie between left and right.
struct Interval {
    float left, right;
    int below_left, below_right;
};

__device__ inline bool narrow(float left, float right, float precision)
{
    return right - left <= fmaxf(precision, precision * fmaxf(fabsf(left), fabsf(right)));
}

// The number of eigenvalues below x, by the signs of the pivots of (matrix - x). All threads of the block come here to
// load the rows; only those with `counts` go through them. `diagonal` and `beside` are room in shared memory.
__device__ inline int eigenvalues_below(float x, bool counts, const float *d, const float *s, int n, float *diagonal,
                                        float *beside)
{
    float pivot = 1;
    int below = 0;
    for (int base = 0; base < n; base += THREADS) {
        __syncthreads();
        if (base + threadIdx.x < n) {
            diagonal[threadIdx.x] = d[base + threadIdx.x];
            beside[threadIdx.x] = s[base + threadIdx.x];
        }
        __syncthreads();
        if (counts) {
            int rows = min(THREADS, n - base);
            for (int k = 0; k < rows; k++) {
                pivot = diagonal[k] - x - beside[k] * beside[k] / pivot;
                below += pivot < 0 ? 1 : 0;
            }
        }
    }
    return below;
}

// Replaces list[0 .. THREADS - 1] by the sums of what stands before each place; list[THREADS] becomes the whole sum.
__device__ inline void scan(int *list)
{
    int offset = 1;
    for (int d = THREADS >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (threadIdx.x < d) {
            int a = offset * (2 * threadIdx.x + 1) - 1, b = offset * (2 * threadIdx.x + 2) - 1;
            list[b] += list[a];
        }
        offset <<= 1;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        list[THREADS] = list[THREADS - 1];
        list[THREADS - 1] = 0;
    }
    for (int d = 1; d < THREADS; d <<= 1) {
        offset >>= 1;
        __syncthreads();
        if (threadIdx.x < d) {
            int a = offset * (2 * threadIdx.x + 1) - 1, b = offset * (2 * threadIdx.x + 2) - 1;
            int kept = list[a];
            list[a] = list[b];
            list[b] += kept;
        }
    }
    __syncthreads();
}

// Divides the intervals first[block] to first[block + 1] - 1 of `starts` until all are narrow or more than THREADS.
// A block's matrix begins `stride` rows after the one of the block before.
__global__ void bisect(const float *d, const float *s, int n, int stride, const Interval *starts, const int *first,
                       float precision, Interval *found, int *found_count)
{
    __shared__ float left[2 * THREADS], right[2 * THREADS], diagonal[THREADS], beside[THREADS];
    __shared__ int below_left[2 * THREADS], below_right[2 * THREADS], list[THREADS + 1];
    __shared__ int active, all_narrow, any_second;
    const int tid = threadIdx.x;
    d += blockIdx.x * stride;
    s += blockIdx.x * stride;
    int begin = first[blockIdx.x], count = first[blockIdx.x + 1] - begin;
    if (tid < count) {
        left[tid] = starts[begin + tid].left;
        right[tid] = starts[begin + tid].right;
        below_left[tid] = starts[begin + tid].below_left;
        below_right[tid] = starts[begin + tid].below_right;
    }
    if (tid == 0)
        active = count;

    while (true) {
        __syncthreads();
        if (tid == 0) {
            all_narrow = 1;
            any_second = 0;
        }
        __syncthreads();
        // 1. The middle of each interval that is not narrow.
        float l = 0, r = 0, middle = 0;
        bool divides = false;
        if (tid < active) {
            l = left[tid];
            r = right[tid];
            if (l != r) {
                middle = 0.5f * (l + r);
                if (narrow(l, r, precision)) {
                    left[tid] = right[tid] = middle;
                } else {
                    divides = true;
                    all_narrow = 0;
                }
            }
        }
        __syncthreads();
        if (all_narrow)
            break;

        // 2. How many eigenvalues lie below it.
        int below = eigenvalues_below(middle, divides, d, s, n, diagonal, beside);

        // 3. Empty halves are dropped; of two others, the second one is stored behind the active ones.
        bool second = false;
        int most = 0;
        if (divides) {
            int fewest = below_left[tid];
            most = below_right[tid];
            if (below != fewest && below != most) {
                right[tid] = middle;
                below_right[tid] = below;
                second = true;
                any_second = 1;
            } else if (below == fewest) {
                left[tid] = middle;
            } else {
                right[tid] = middle;
            }
        }
        list[tid] = second ? 1 : 0;
        __syncthreads();
        if (any_second) {
            scan(list);
            if (second) {
                int to = active + list[tid];
                left[to] = middle;
                right[to] = r;
                below_left[to] = below;
                below_right[to] = most;
            }
            __syncthreads();
            if (tid == 0)
                active += list[THREADS];
        }
        __syncthreads();
        if (active > THREADS)
            break;
    }

    __syncthreads();
    for (int i = tid; i < active; i += THREADS) {
        Interval *to = &found[blockIdx.x * 2 * THREADS + i];
        to->left = left[i];
        to->right = right[i];
        to->below_left = below_left[i];
        to->below_right = below_right[i];
    }
    if (tid == 0)
        found_count[blockIdx.x] = active;
}

// Refines intervals that hold one eigenvalue each.
__global__ void bisect_single(const float *d, const float *s, int n, Interval *intervals, int count, float precision)
{
    __shared__ float diagonal[THREADS], beside[THREADS];
    __shared__ int all_narrow;
    int at = blockIdx.x * THREADS + threadIdx.x, fewest = 0;
    float l = 0, r = 0;
    bool divides = at < count;
    if (divides) {
        l = intervals[at].left;
        r = intervals[at].right;
        fewest = intervals[at].below_left;
    }
    while (true) {
        __syncthreads();
        if (threadIdx.x == 0)
            all_narrow = 1;
        __syncthreads();
        float middle = 0.5f * (l + r);
        if (divides && narrow(l, r, precision))
            divides = false;
        if (divides)
            all_narrow = 0;
        __syncthreads();
        if (all_narrow)
            break;
        int below = eigenvalues_below(middle, divides, d, s, n, diagonal, beside);
        if (divides) {
            if (below == fewest)
                l = middle;
            else
                r = middle;
        }
    }
    if (at < count) {
        intervals[at].left = l;
        intervals[at].right = r;
    }
}

// The host's count, in double precision.
static int host_below(const float *d, const float *s, int n, double x)
{
    double pivot = 1;
    int below = 0;
    for (int k = 0; k < n; k++) {
        pivot = d[k] - x - (double)s[k] * s[k] / pivot;
        if (pivot < 0)
            below++;
    }
    return below;
}

// Each eigenvalue of a matrix must have been found, where the counts on both sides of it say that it is.
static void compare(const float *d, const float *s, int n, const Interval *found, int count, float precision,
                    int sample)
{
    int *owner = (int *)calloc(n, sizeof(int)), total = 0;
    for (int i = 0; i < count; i++) {
        for (int k = found[i].below_left; k < found[i].below_right; k++) {
            total++;
            if (k >= 0 && k < n)
                owner[k] += i + 1;
        }
    }
    expect_int("eigenvalues found, of rows", n, n, total);
    for (int k = 0; k < n; k += sample) {
        int i = owner[k] - 1;
        expect_int("eigenvalue in one interval", k, 1, i >= 0 && i < count);
        if (i < 0 || i >= count)
            continue;
        double margin = 4 * precision * (1 + fabs(found[i].left));
        bool above = host_below(d, s, n, found[i].left - margin) <= k;
        bool under = k < host_below(d, s, n, found[i].right + margin);
        expect_int("eigenvalue between the ends of its interval", k, 1, above && under);
    }
    free(owner);
}

// An interval that holds all eigenvalues, by Gerschgorin's circles.
static Interval whole_range(const float *d, const float *s, int n)
{
    Interval range = {d[0], d[0], 0, n};
    for (int i = 0; i < n; i++) {
        float radius = fabsf(s[i]) + (i + 1 < n ? fabsf(s[i + 1]) : 0);
        range.left = fminf(range.left, d[i] - radius - 0.01f);
        range.right = fmaxf(range.right, d[i] + radius + 0.01f);
    }
    return range;
}

int main(int argc, char **argv)
{
    int matrices = argument(argc, argv, 1, 1), n = argument(argc, argv, 2, 32), rows = matrices * n;
    const float precision = 1e-5f;
    if (n > THREADS && matrices > 1) {
        printf("many matrices have at most %d rows each\n", THREADS);
        return 2;
    }
    // s[i] stands between rows i - 1 and i.
    float *d = (float *)malloc(rows * sizeof(float)), *s = (float *)malloc(rows * sizeof(float));
    for (int i = 0; i < rows; i++) {
        d[i] = random_unit();
        s[i] = i % n ? random_unit() : 0;
    }
    Interval *starts = (Interval *)malloc(matrices * sizeof(Interval));
    int *first = (int *)malloc((matrices + 1) * sizeof(int));
    for (int m = 0; m <= matrices; m++) {
        first[m] = m;
        if (m < matrices)
            starts[m] = whole_range(d + m * n, s + m * n, n);
    }
    float *device_d = to_device(d, rows), *device_s = to_device(s, rows);
    Interval *device_starts = to_device(starts, matrices);
    Interval *device_found = device_zeros<Interval>(matrices * 2 * THREADS);
    int *device_first = to_device(first, matrices + 1), *device_count = device_zeros<int>(matrices);
    bisect<<<matrices, THREADS>>>(device_d, device_s, n, n, device_starts, device_first, precision, device_found,
                                  device_count);
    CHECK(cudaDeviceSynchronize());
    Interval *found = to_host(device_found, matrices * 2 * THREADS);
    int *counts = to_host(device_count, matrices);
    int sample = 1 + (int)((double)rows * n / 1e5);
    if (n <= THREADS) {
        for (int m = 0; m < matrices; m++)
            compare(d + m * n, s + m * n, n, found + m * 2 * THREADS, counts[m], precision, sample);
        return verdict("eigenvalues");
    }

    // Intervals with one eigenvalue, and those with several, as many of these for a block as have at most THREADS.
    Interval *single = (Interval *)malloc(n * sizeof(Interval)), *several = (Interval *)malloc(n * sizeof(Interval));
    int singles = 0, multiples = 0, blocks = 0, held = 0;
    int *groups = (int *)malloc((n + 1) * sizeof(int));
    for (int i = 0; i < counts[0]; i++) {
        int holds = found[i].below_right - found[i].below_left;
        if (holds == 1) {
            single[singles++] = found[i];
        } else {
            if (multiples == 0 || held + holds > THREADS) {
                groups[blocks++] = multiples;
                held = 0;
            }
            held += holds;
            several[multiples++] = found[i];
        }
    }
    groups[blocks] = multiples;
    printf("%d intervals with one eigenvalue, %d with several (%d blocks)\n", singles, multiples, blocks);
    Interval *all = (Interval *)malloc(n * sizeof(Interval));
    int total = 0;
    if (singles > 0) {
        Interval *device_single = to_device(single, singles);
        bisect_single<<<(singles + THREADS - 1) / THREADS, THREADS>>>(device_d, device_s, n, device_single, singles,
                                                                      precision);
        CHECK(cudaDeviceSynchronize());
        Interval *refined = to_host(device_single, singles);
        for (int i = 0; i < singles; i++)
            all[total++] = refined[i];
    }
    if (multiples > 0) {
        Interval *device_several = to_device(several, multiples);
        Interval *device_split = device_zeros<Interval>(blocks * 2 * THREADS);
        int *device_groups = to_device(groups, blocks + 1), *device_counts = device_zeros<int>(blocks);
        bisect<<<blocks, THREADS>>>(device_d, device_s, n, 0, device_several, device_groups, precision, device_split,
                                    device_counts);
        CHECK(cudaDeviceSynchronize());
        Interval *split = to_host(device_split, blocks * 2 * THREADS);
        int *each = to_host(device_counts, blocks);
        for (int b = 0; b < blocks; b++)
            for (int i = 0; i < each[b] && total < n; i++)
                all[total++] = split[b * 2 * THREADS + i];
    }
    compare(d, s, n, all, total, precision, sample);
    return verdict("eigenvalues");
}
