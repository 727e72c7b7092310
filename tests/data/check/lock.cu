// A counter behind a lock that one thread of each block takes; without fences the lock protects nothing.
__device__ int taken;

__global__ void count(int *counter)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(&taken, 0, 1) != 0)
            ;
#ifdef FIXED
        __threadfence();
#endif
        *counter = *counter + 1;
#ifdef FIXED
        __threadfence();
#endif
        atomicExch(&taken, 0);
    }
}

int main()
{
    int *counter;
    cudaMalloc(&counter, sizeof(int));
    cudaMemset(counter, 0, sizeof(int));
    count<<<16, 32>>>(counter);
    cudaFree(counter);
}
