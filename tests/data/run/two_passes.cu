// What `#if` on `__CUDA_ARCH__` chooses: host code sees one program, device code another.
// out: host: undefined, 12000, 32, host f 1
// out: device: 700, 12000, 64, 7.0, device f 2, 11
// out: sum 10, template 64, name device, scale 3

#include <stdio.h>

#ifdef __CUDA_ARCH__
#define WIDTH 64
#define WHERE "device"
#else
#define WIDTH 32
#define WHERE "host"
#endif

// The same members in both passes, whatever stands around them.
struct pair {
    int a;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 600
    __device__ int twice() const { return a * 2; }
#endif
    int b;
};

__device__ int counter = 10;
__constant__ int scale[2] = {1, 3};

int on_the_host() { return 1; }
__device__ int on_the_device() { return 2; }

// Each side calls what only it has.
__host__ __device__ int f()
{
#ifdef __CUDA_ARCH__
    return on_the_device();
#else
    return on_the_host();
#endif
}

// Recursion is for the host; device code has a loop.
__host__ __device__ int sum(int n)
{
#ifdef __CUDA_ARCH__
    int total = 0;
    for (; n > 0; n--)
        total += n;
    return total;
#else
    return n == 0 ? 0 : n + sum(n - 1);
#endif
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
#else
#error "this is for old devices"
#endif

// Only device code has it, and only device code calls it.
#if __CUDA_ARCH__ >= 700
__device__ int least() { return atomicAdd(&counter, 1) + 1; }
#endif

template <int N> __host__ __device__ int size() { return N; }

__global__ void kernel(int *out, pair p)
{
    out[0] = __CUDA_ARCH__;
    out[1] = CUDART_VERSION;
    out[2] = WIDTH;
    out[3] = f();
#if __CUDA_ARCH__ >= 700
    out[4] = least();
    out[5] = sum(p.twice());
#endif
    out[6] = size<WIDTH>();
    out[7] = sizeof WHERE;
    out[8] = scale[1];
}

int main()
{
#ifdef __CUDA_ARCH__
    printf("not on the host\n");
#else
    printf("host: undefined, ");
#endif
    printf("%d, %d, %s f %d\n", CUDART_VERSION, WIDTH, WHERE, f());
    int h[9], *d;
    pair p = {2, 0};
    cudaMalloc(&d, sizeof h);
    kernel<<<1, 1>>>(d, p);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    cudaDeviceProp prop;
    cudaGetDeviceProperties(&prop, 0);
    int major, minor;
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
    cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0);
    if (major != prop.major || minor != prop.minor || sum(4) != h[5])
        return 1;
    int now;
    cudaMemcpyFromSymbol(&now, counter, sizeof now);
    if (now != 11)
        return 2;
    printf("device: %d, %d, %d, %d.%d, %s f %d, %d\n", h[0], h[1], h[2], major, minor,
           h[7] == sizeof "device" ? "device" : "host", h[3], h[4]);
    printf("sum %d, template %d, name %s, scale %d\n", h[5], h[6], h[7] == sizeof "device" ? "device" : "host", h[8]);
    return 0;
}
