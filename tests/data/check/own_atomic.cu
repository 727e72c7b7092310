// A thread reads a sum after an atomic of its own; that does not order the atomics of others.
__global__ void own_atomic(int *out)
{
    __shared__ int sum;
    int t = threadIdx.x;
    if (t == 0)
        sum = 0;
    __syncthreads();
    if (t == 0)
        atomicAdd(&sum, 5);
#ifdef FIXED
    __syncthreads();
#endif
    if (t == 32) {
        atomicAdd(&sum, 1);
        out[0] = sum;
    }
}

int main()
{
    int *out;
    cudaMalloc(&out, sizeof(int));
    own_atomic<<<1, 64>>>(out);
    cudaFree(out);
}
