// An inclusive scan in shared memory with two buffers, and a second kernel that adds the blocks' sums.
__global__ void scan(const T *in, T *out, T *sums)
{
    __shared__ T s[2][BLOCK];
    int t = threadIdx.x, from = 0;
    s[0][t] = in[blockIdx.x * BLOCK + t]; // plant
    __syncthreads(); // plant
    for (int d = 1; d < BLOCK; d *= 2) {
        s[1 - from][t] = t >= d ? s[from][t] + s[from][t - d] : s[from][t];
        from = 1 - from;
        __syncthreads(); // plant
    }
    out[blockIdx.x * BLOCK + t] = s[from][t]; // plant
    if (t == BLOCK - 1)
        sums[blockIdx.x] = s[from][t]; // plant
}

__global__ void add(T *out, const T *sums)
{
    __shared__ T before;
    int t = threadIdx.x;
    if (t == 0) {
        T sum = 0;
        for (int b = 0; b < blockIdx.x; b++)
            sum += sums[b];
        before = sum; // plant
    }
    __syncthreads(); // plant
    out[blockIdx.x * BLOCK + t] += before;
}

int main()
{
    T *in, *out, *sums;
    cudaMalloc(&in, BLOCKS * BLOCK * sizeof(T));
    cudaMalloc(&out, BLOCKS * BLOCK * sizeof(T));
    cudaMalloc(&sums, BLOCKS * sizeof(T));
    cudaMemset(in, 1, BLOCKS * BLOCK * sizeof(T)); // plant
    scan<<<BLOCKS, BLOCK>>>(in, out, sums); // plant
    add<<<BLOCKS, BLOCK>>>(out, sums);
    cudaFree(in);
    cudaFree(out);
    cudaFree(sums);
}
