// `constexpr` functions of the host in constants of device code, and templates of variables there.
#include <stdio.h>

constexpr int tile(int n) { return n > 2 ? 2 * tile(n - 1) : n; }
__host__ __device__ constexpr int padded(int n) { return (n + 3) / 4 * 4; }
template <class T> constexpr T scale = T(2.5);
template <> constexpr int scale<int> = 7;
template <class T> __device__ T total = T(1);
template <int n> struct Block {
    static constexpr int width = tile(n);
    int cells[width];
};
constexpr int threads = tile(5);
__constant__ int table[padded(3)] = {padded(1), padded(5), tile(4)};

template <class T> __global__ void kernel(T *out)
{
    __shared__ T shared[tile(5)];
    constexpr int width = tile(6);
    Block<4> block;
    shared[threadIdx.x] = scale<T> + threadIdx.x;
    block.cells[0] = width;
    __syncthreads();
    out[threadIdx.x] = shared[threads - 1 - threadIdx.x] * block.cells[0] + table[threadIdx.x & 3] + padded(width + 1);
    if (threadIdx.x == 0)
        total<T> += sizeof(block.cells);
    if (threadIdx.x == 0)
        out[threads] = total<T>;
}

int main()
{
    float *f;
    int *n;
    cudaMallocManaged(&f, 32 * sizeof(float));
    cudaMallocManaged(&n, 32 * sizeof(int));
    kernel<<<1, Block<5>::width>>>(f);
    kernel<<<1, tile(5)>>>(n);
    cudaDeviceSynchronize();
    for (int i = 0; i < 17; i++)
        printf("%g %d\n", f[i], n[i]);
}

// out: 600 744
// out: 572 716
// out: 540 684
// out: 500 644
// out: 472 616
// out: 444 588
// out: 412 556
// out: 372 516
// out: 344 488
// out: 316 460
// out: 284 428
// out: 244 388
// out: 216 360
// out: 188 332
// out: 156 300
// out: 116 260
// out: 33 33
