// The last block to arrive adds up what the others have written, as in CUDA's sample; the fence is missing.
__device__ unsigned arrived;

__global__ void sum(const int *in, int *parts, int *out)
{
    __shared__ bool last;
    int t = threadIdx.x;
    parts[blockIdx.x * 32 + t] = in[blockIdx.x * 32 + t];
    __syncthreads();
    if (t == 0) {
#ifdef FIXED
        __threadfence();
#endif
        last = atomicInc(&arrived, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last) {
        int sum = 0;
        for (int i = t; i < 32 * gridDim.x; i += 32)
            sum += parts[i];
        atomicAdd(out, sum);
    }
}

int main()
{
    int *in, *parts, *out;
    cudaMalloc(&in, 4096);
    cudaMalloc(&parts, 4096);
    cudaMalloc(&out, 4);
    cudaMemset(in, 0, 4096);
    cudaMemset(out, 0, 4);
    sum<<<8, 32>>>(in, parts, out);
    sum<<<8, 32>>>(in, parts, out);
    cudaFree(in);
    cudaFree(parts);
    cudaFree(out);
}
