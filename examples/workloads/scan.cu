// scan: exclusive prefix sums of many arrays.
//
// BCC (Table 1) measures a scan of large arrays; DAC's kind too, but our text of that paper stops before its list.
// Modelled on the CUDA SDK's scan.
//
// Characteristic: four elements for each of 256 threads (wide loads); the threads' sums are scanned in shared memory
// by doubling distances, with two barriers for each, the zeros below each segment in place of a branch. Arrays of
// more than 1024 elements take three kernels: parts, the parts' sums, and the addition of a uniform value that one
// thread reads.
//
// usage: scan [elements of an array [arrays]]; elements a power of two from 1024 to 262144, their product at most
// 2^24

#include "workload.h"

#define THREADS 256
#define PART (4 * THREADS)

// An inclusive scan over segments of `size` threads (a power of two).
__device__ static unsigned scan_inclusive(unsigned value, volatile unsigned *shared, unsigned size)
{
    unsigned at = 2 * threadIdx.x - (threadIdx.x & (size - 1));
    shared[at] = 0;
    at += size;
    shared[at] = value;
    for (unsigned offset = 1; offset < size; offset <<= 1) {
        __syncthreads();
        unsigned sum = shared[at] + shared[at - offset];
        __syncthreads();
        shared[at] = sum;
    }
    return shared[at];
}

// Four elements for each thread; what comes before them.
__device__ static uint4 scan_four(uint4 v, volatile unsigned *shared, unsigned size)
{
    v.y += v.x;
    v.z += v.y;
    v.w += v.z;
    unsigned before = scan_inclusive(v.w, shared, size / 4) - v.w;
    return make_uint4(before, before + v.x, before + v.y, before + v.z);
}

__global__ void scan_parts(uint4 *out, const uint4 *in, unsigned size)
{
    __shared__ unsigned shared[2 * THREADS];
    unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
    out[at] = scan_four(in[at], shared, size);
}

// The sum of each part is its last element's exclusive sum and that element; `size` parts make an array.
__global__ void scan_sums(unsigned *sums, const unsigned *scanned, const unsigned *in, unsigned count, unsigned size)
{
    __shared__ unsigned shared[2 * THREADS];
    unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned sum = 0;
    if (at < count)
        sum = scanned[PART - 1 + PART * at] + in[PART - 1 + PART * at];
    unsigned result = scan_inclusive(sum, shared, size) - sum;
    if (at < count)
        sums[at] = result;
}

__global__ void add_uniform(uint4 *data, const unsigned *sums)
{
    __shared__ unsigned sum;
    unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0)
        sum = sums[blockIdx.x];
    __syncthreads();
    uint4 v = data[at];
    v.x += sum;
    v.y += sum;
    v.z += sum;
    v.w += sum;
    data[at] = v;
}

int main(int argc, char **argv)
{
    int size = argument(argc, argv, 1, 16384);
    int arrays = argument(argc, argv, 2, 48);
    if (size < PART || size > PART * THREADS || (size & (size - 1)) || (long long)size * arrays > 1 << 24) {
        printf("elements must be a power of two from %d to %d, the product at most 2^24\n", PART, PART * THREADS);
        return 2;
    }
    int count = size * arrays, parts = count / PART;
    unsigned *in = (unsigned *)malloc(count * sizeof(unsigned));
    for (int i = 0; i < count; i++)
        in[i] = random_bits();
    unsigned *device_in = to_device(in, count), *device_out = device_zeros<unsigned>(count);
    unsigned *sums = device_zeros<unsigned>(parts);
    scan_parts<<<parts, THREADS>>>((uint4 *)device_out, (const uint4 *)device_in, PART);
    CHECK(cudaGetLastError());
    if (size > PART) {
        scan_sums<<<(parts + THREADS - 1) / THREADS, THREADS>>>(sums, device_out, device_in, parts, size / PART);
        CHECK(cudaGetLastError());
        add_uniform<<<parts, THREADS>>>((uint4 *)device_out, sums);
        CHECK(cudaGetLastError());
    }
    unsigned *out = to_host(device_out, count);
    unsigned sum = 0;
    for (int i = 0; i < count; i++) {
        if (i % size == 0)
            sum = 0;
        // Every element is compared, the count of comparisons kept small.
        if (out[i] != sum || i % 64 == 0)
            expect_int("prefix sum", i, sum, out[i]);
        sum += in[i];
    }
    CHECK(cudaFree(device_in));
    CHECK(cudaFree(device_out));
    CHECK(cudaFree(sums));
    free(in);
    free(out);
    return verdict("scan");
}
