// fast_walsh: the dyadic convolution of a long signal with a short one by fast Walsh transforms, as the CUDA SDK's
// fastWalshTransform: both are transformed, multiplied, and transformed back. A transform consists of
// steps of radix 4 in global memory (batch 2) while the stride is long, and of one launch in shared memory
// (batch 1) for the last 2048 elements.
//
// Measured by: dissertation chapter 5 (Table 5.4, FWT: 3.9 G instructions, 4.00 sectors of a line used), the affine
// vector cache (Table 1: FastWalshTransform 1 and 2; the third is the product).
// Characteristic: coalesced, no divergence, all of a line's sectors used; each launch reads and writes the whole
// array, which is larger than the L2 (bound by memory bandwidth). Blocks of 512 (batch 1) and 256 threads.
//
// usage: fast_walsh [log2 of the signal's length [log2 of the kernel's]]

#include "workload.h"

const int CHUNK_LOG2 = 11;

// Batch 1: all steps of up to 2^CHUNK_LOG2 elements a block, in shared memory, a thread for four elements.
__global__ void batch1(float *out, const float *in, int log2)
{
    extern __shared__ float data[];
    int n = 1 << log2, base = blockIdx.x << log2;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        data[i] = in[base + i];
    int at = threadIdx.x;
    for (int stride = n >> 2; stride > 0; stride >>= 2) {
        int low = at & (stride - 1);
        int i0 = ((at - low) << 2) + low, i1 = i0 + stride, i2 = i1 + stride, i3 = i2 + stride;
        __syncthreads();
        float d0 = data[i0], d1 = data[i1], d2 = data[i2], d3 = data[i3], kept = d0;
        d0 = d0 + d2;
        d2 = kept - d2;
        kept = d1;
        d1 = d1 + d3;
        d3 = kept - d3;
        kept = d0;
        data[i0] = d0 + d1;
        data[i1] = kept - d1;
        kept = d2;
        data[i2] = d2 + d3;
        data[i3] = kept - d3;
    }
    // One step of radix 2 where the number of steps is odd.
    if (log2 & 1) {
        __syncthreads();
        for (int i = threadIdx.x; i < n / 2; i += blockDim.x) {
            int i0 = i << 1, i1 = i0 + 1;
            float d0 = data[i0], d1 = data[i1];
            data[i0] = d0 + d1;
            data[i1] = d0 - d1;
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        out[base + i] = data[i];
}

// Batch 2: one step of radix 4 in global memory.
__global__ void batch2(float *out, const float *in, int stride)
{
    int at = blockIdx.x * blockDim.x + threadIdx.x, n = blockDim.x * gridDim.x * 4;
    const float *from = in + blockIdx.y * n;
    float *to = out + blockIdx.y * n;
    int low = at & (stride - 1);
    int i0 = ((at - low) << 2) + low, i1 = i0 + stride, i2 = i1 + stride, i3 = i2 + stride;
    float d0 = from[i0], d1 = from[i1], d2 = from[i2], d3 = from[i3], kept = d0;
    d0 = d0 + d2;
    d2 = kept - d2;
    kept = d1;
    d1 = d1 + d3;
    d3 = kept - d3;
    kept = d0;
    to[i0] = d0 + d1;
    to[i1] = kept - d1;
    kept = d2;
    to[i2] = d2 + d3;
    to[i3] = kept - d3;
}

__global__ void modulate(float *a, const float *b, int n)
{
    int threads = blockDim.x * gridDim.x;
    float share = 1.0f / n;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads)
        a[i] *= b[i] * share;
}

// Transforms 2^log2 elements in place, at least 16.
void transform(float *data, int log2)
{
    const int THREADS = 256;
    int n = 1 << log2, left = log2;
    for (; left > CHUNK_LOG2; left -= 2) {
        // The arrays of this step have 2^left elements; a grid's row transforms one of them.
        int length = 1 << left;
        batch2<<<dim3(length / 4 / THREADS, n / length), THREADS>>>(data, data, length / 4);
    }
    batch1<<<n >> left, (1 << left) / 4, (1 << left) * sizeof(float)>>>(data, data, left);
}

int main(int argc, char **argv)
{
    int log2 = argument(argc, argv, 1, 14), kernel_log2 = argument(argc, argv, 2, 7);
    if (log2 < 4 || log2 > 26 || kernel_log2 > log2) {
        printf("fast_walsh: the signal has 2^4 to 2^26 elements, the kernel no more\n");
        return 2;
    }
    int n = 1 << log2, kernel_n = 1 << kernel_log2;
    float *signal = (float *)malloc(n * sizeof(float)), *kernel = (float *)malloc(kernel_n * sizeof(float));
    for (int i = 0; i < n; i++)
        signal[i] = random_unit();
    for (int i = 0; i < kernel_n; i++)
        kernel[i] = random_unit();
    float *d_signal = to_device(signal, n), *d_kernel = device_zeros<float>(n);
    CHECK(cudaMemcpy(d_kernel, kernel, kernel_n * sizeof(float), cudaMemcpyHostToDevice));
    transform(d_signal, log2);
    transform(d_kernel, log2);
    modulate<<<128, 256>>>(d_signal, d_kernel, n);
    transform(d_signal, log2);
    printf("fast_walsh: 2^%d elements, kernel of 2^%d\n", log2, kernel_log2);

    float *found = to_host(d_signal, n);
    int step = n / 4096 + 1;
    for (int i = 0; i < n; i += step) {
        double sum = 0;
        for (int k = 0; k < kernel_n; k++)
            sum += (double)signal[i ^ k] * kernel[k];
        expect_float("element", i, sum, found[i], 1e-3);
    }
    return verdict("fast_walsh");
}
