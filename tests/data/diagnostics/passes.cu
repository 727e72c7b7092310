// What host and device both use has to be the same in both passes.

struct pair { //~ error
    int a;
#ifdef __CUDA_ARCH__
    int b;
#endif
};

struct counted { //~ error
    int a;
#ifdef __CUDA_ARCH__
    int b;
#endif
};

// Only device code uses it.
struct inner {
    int a;
#ifdef __CUDA_ARCH__
    int b;
#endif
};

#ifdef __CUDA_ARCH__
__device__ float factor; //~ error
__global__ void other(float *a) { //~ error
    a[0] = factor;
}
#else
__device__ double factor;
__global__ void other(int *a) {
    a[0] = factor;
}
#endif

#ifndef __CUDA_ARCH__
__global__ void missing(int *a) { //~ error
    a[0] = 1;
}
#endif

__global__ void use(pair *p) {
    inner i = {1};
    p->a = sizeof(i) + __CUDA_ARCH__ + ((counted *)p)->a;
}

__host__ __device__ int both() {
#ifdef __CUDA_ARCH__
    return 1;
#else
    return 2;
#endif
}

int main() {
    pair *p;
    cudaMalloc(&p, sizeof(pair) + sizeof(counted));
    use<<<1, 1>>>(p);
    other<<<1, 1>>>((int *)p);
    missing<<<1, 1>>>((int *)p);
    double one = both();
    cudaMemcpyToSymbol(factor, &one, sizeof one);
}
