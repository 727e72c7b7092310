// Atomics of different sizes are ordinary accesses towards each other.
__global__ void sizes(unsigned long long *at)
{
    if (blockIdx.x == 0)
        atomicAdd(at, 1ull);
    else
#ifdef FIXED
        atomicAdd(at, 1ull);
#else
        atomicAdd((unsigned *)at, 1u);
#endif
}

int main()
{
    unsigned long long *at;
    cudaMalloc(&at, sizeof *at);
    cudaMemset(at, 0, sizeof *at);
    sizes<<<2, 32>>>(at);
    cudaFree(at);
}
