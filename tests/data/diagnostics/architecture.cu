// `__CUDA_ARCH__` as a value: nvcc's host pass reads device code too, where the name means nothing.
#if __CUDA_ARCH__ >= 700
#define NEW 1
#else
#define NEW 0
#endif
#define ARCHITECTURE __CUDA_ARCH__
__host__ __device__ int both()
{
#ifdef __CUDA_ARCH__
    return __CUDA_ARCH__ / 10;
#else
    return NEW;
#endif
}
__device__ int on_the_device() { return ARCHITECTURE >= 800; }
__global__ void k(int *p)
{
    p[0] = both() + on_the_device();
    if (__CUDA_ARCH__ > 500)
        p[1] = 1;
}
int on_the_host() { return __CUDA_ARCH__; } //~ error
