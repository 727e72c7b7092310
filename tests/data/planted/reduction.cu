// A block's sum, by a tree in shared memory, and the blocks' sums by the last block.
__device__ unsigned arrived;

__global__ void sum(const T *in, volatile T *parts, T *out, int n)
{
    __shared__ T s[BLOCK];
    __shared__ bool last;
    int t = threadIdx.x;
    T own = 0;
    for (int i = blockIdx.x * BLOCK + t; i < n; i += gridDim.x * BLOCK)
        own += in[i];
    s[t] = own; // plant
    __syncthreads(); // plant
    for (int d = BLOCK / 2; d > 0; d /= 2) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads(); // plant
    }
    if (t == 0) {
        parts[blockIdx.x] = s[0]; // plant
        __threadfence();
        last = atomicAdd(&arrived, 1) == gridDim.x - 1; // plant
    }
    __syncthreads(); // plant
    if (last) {
        s[t] = t < gridDim.x ? parts[t] : T(0);
        __syncthreads(); // plant
        for (int d = BLOCK / 2; d > 0; d /= 2) {
            if (t < d)
                s[t] += s[t + d];
            __syncthreads(); // plant
        }
        if (t == 0)
            *out = s[0];
    }
}

int main()
{
    T *in, *parts, *out;
    int n = 1000;
    cudaMalloc(&in, n * sizeof(T));
    cudaMalloc(&parts, BLOCKS * sizeof(T));
    cudaMalloc(&out, sizeof(T));
    cudaMemset(in, 0, n * sizeof(T)); // plant
    sum<<<BLOCKS, BLOCK>>>(in, parts, out, n);
    cudaFree(in); // plant
    cudaFree(parts); // plant
    cudaFree(out); // plant
}
