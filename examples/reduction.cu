// reduction: sum, minimum and maximum of a vector with a tree in shared memory.
//
// Each block folds two elements per thread into dynamically sized shared memory and halves the
// number of active threads at every step, with a barrier between the steps. A reduction of a
// million integers takes three passes of the same kernel, each over the results of the one
// before. The float sum does one pass and leaves the block results to the host.
//
// usage: reduction [n]

#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

#ifndef N
#define N (1 << 20)
#endif
// The tree halves the block at every step, so this must be a power of two.
#ifndef BLOCK
#define BLOCK 256
#endif

#define SUM 0
#define MINIMUM 1
#define MAXIMUM 2

#define CHECK(call)                                                            \
    do {                                                                       \
        cudaError_t status = (call);                                           \
        if (status != cudaSuccess) {                                           \
            printf("line %d: %s\n", __LINE__, cudaGetErrorString(status));     \
            exit(1);                                                           \
        }                                                                      \
    } while (0)

__device__ int combine(int operation, int a, int b)
{
    switch (operation) {
    case MINIMUM:
        return b < a ? b : a;
    case MAXIMUM:
        return b > a ? b : a;
    default:
        return a + b;
    }
}

// The value that changes nothing: what a thread beyond the end contributes.
__device__ int neutral(int operation)
{
    switch (operation) {
    case MINIMUM:
        return 0x7fffffff;
    case MAXIMUM:
        return -0x7fffffff - 1;
    default:
        return 0;
    }
}

__global__ void reduce_int(int operation, const int *input, int n, int *output)
{
    extern __shared__ int scratch[];
    int thread = threadIdx.x;
    int first = blockIdx.x * blockDim.x * 2 + thread;
    int second = first + blockDim.x;

    int value = neutral(operation);
    if (first < n)
        value = input[first];
    if (second < n)
        value = combine(operation, value, input[second]);
    scratch[thread] = value;
    __syncthreads();

    // Active threads stay contiguous, so whole warps drop out and no bank conflicts arise.
    for (int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
        if (thread < stride)
            scratch[thread] = combine(operation, scratch[thread], scratch[thread + stride]);
        __syncthreads();
    }
    if (thread == 0)
        output[blockIdx.x] = scratch[0];
}

__global__ void reduce_float(const float *input, int n, float *output)
{
    __shared__ float scratch[BLOCK];
    unsigned thread = threadIdx.x;
    int i = blockIdx.x * BLOCK + thread;
    scratch[thread] = i < n ? input[i] : 0.0f;
    __syncthreads();
    for (unsigned stride = BLOCK / 2; stride; stride /= 2) {
        if (thread < stride)
            scratch[thread] += scratch[thread + stride];
        __syncthreads();
    }
    if (!thread)
        output[blockIdx.x] = scratch[0];
}

// Reduces `input` of n elements to one by repeated passes between two buffers.
int reduce_on_device(int operation, const int *input, int n, int *buffer0, int *buffer1)
{
    const int *source = input;
    int *target = buffer0;
    int passes = 0;
    do {
        int blocks = (n + 2 * BLOCK - 1) / (2 * BLOCK);
        reduce_int<<<blocks, BLOCK, BLOCK * sizeof(int)>>>(operation, source, n, target);
        source = target;
        target = target == buffer0 ? buffer1 : buffer0;
        n = blocks;
        passes++;
    } while (n > 1);
    CHECK(cudaGetLastError());

    int result;
    CHECK(cudaMemcpy(&result, source, sizeof(int), cudaMemcpyDeviceToHost));
    printf("reduction: operation %d, %d passes, result %d\n", operation, passes, result);
    return result;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : N;
    if (n < 1) {
        printf("usage: reduction [n], n at least 1\n");
        return 2;
    }
    int blocks = (n + BLOCK - 1) / BLOCK;

    int *integers = (int *)malloc(n * sizeof(int));
    float *floats = (float *)malloc(n * sizeof(float));
    float *partial = (float *)malloc(blocks * sizeof(float));
    int expected[3] = {0, 0x7fffffff, -0x7fffffff - 1};
    double expected_float = 0.0;
    srand(2);
    for (int i = 0; i < n; i++) {
        int value = rand() % 2001 - 1000;
        integers[i] = value;
        expected[SUM] += value;
        if (value < expected[MINIMUM])
            expected[MINIMUM] = value;
        if (value > expected[MAXIMUM])
            expected[MAXIMUM] = value;
        // Multiples of an eighth: float sums of them are exact in any order, so the tree on the
        // device and the running sum here must agree to the last bit.
        floats[i] = (i % 16 - 8) * 0.125f;
        expected_float += floats[i];
    }

    int *device_integers, *buffer0, *buffer1;
    float *device_floats, *device_partial;
    CHECK(cudaMalloc((void **)&device_integers, n * sizeof(int)));
    CHECK(cudaMalloc((void **)&buffer0, blocks * sizeof(int)));
    CHECK(cudaMalloc((void **)&buffer1, blocks * sizeof(int)));
    CHECK(cudaMalloc((void **)&device_floats, n * sizeof(float)));
    CHECK(cudaMalloc((void **)&device_partial, blocks * sizeof(float)));
    CHECK(cudaMemcpy(device_integers, integers, n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(device_floats, floats, n * sizeof(float), cudaMemcpyHostToDevice));

    int failed = 0;
    for (int operation = SUM; operation <= MAXIMUM && !failed; operation++) {
        int got = reduce_on_device(operation, device_integers, n, buffer0, buffer1);
        if (got != expected[operation]) {
            printf("mismatch at operation %d: expected %d, got %d\n", operation,
                   expected[operation], got);
            failed = 1;
        }
    }

    reduce_float<<<blocks, BLOCK>>>(device_floats, n, device_partial);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(partial, device_partial, blocks * sizeof(float), cudaMemcpyDeviceToHost));
    double total = 0.0;
    for (int i = 0; i < blocks; i++)
        total += partial[i];
    printf("reduction: %d floats sum to %.3f\n", n, total);
    if (!failed && total != expected_float) {
        printf("mismatch at float sum: expected %.3f, got %.3f\n", expected_float, total);
        failed = 1;
    }
    printf("%s\n", failed ? "FAIL" : "PASS");

    cudaFree(device_integers);
    cudaFree(buffer0);
    cudaFree(buffer1);
    cudaFree(device_floats);
    cudaFree(device_partial);
    free(integers);
    free(floats);
    free(partial);
    return failed;
}
