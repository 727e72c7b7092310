// Faults of one pass: what only the other one runs does not matter.

__global__ void use(int *p) {
    p[0] = __CUDA_ARCH__;
#if __CUDA_ARCH__ >= 700
    undeclared(p); //~ error
#else
    not_seen(p);
#endif
}

int on_host(int n) {
#ifdef __CUDA_ARCH__
    return not_seen(n);
#else
    return n;
#endif
}

static int only_here() {
    return 1;
}

__host__ __device__ int both() {
#ifdef __CUDA_ARCH__
    return missing_here; //~ error
#else
    return only_here() + missing; //~ error
#endif
}

__global__ void other(int *p) {
    p[0] = both();
}

int main() {
    return on_host(both());
}
