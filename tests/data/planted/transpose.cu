// A transposition through shared memory in dynamic size, in place within the block's row.
__global__ void transpose(T *data, int rounds)
{
    extern __shared__ T s[];
    int t = threadIdx.x, half = BLOCK / 2;
    T *row = data + blockIdx.x * BLOCK;
    for (int i = 0; i < rounds; i++) {
        s[t] = row[t]; // plant
        __syncthreads(); // plant
        row[t] = s[(t % half) * 2 + t / half];
        __syncthreads(); // plant
    }
}

__global__ void reverse(const T *in, T *out)
{
    __shared__ T s[BLOCK];
    int t = threadIdx.x;
    T own[4];
    for (int i = 0; i < 4; i++)
        own[(i + t) % 4] = in[t] + i; // plant
    s[t] = own[t % 3] + own[3]; // plant
    __syncthreads(); // plant
    out[BLOCK - 1 - t] = s[BLOCK - 1 - t] + s[(t + 33) % BLOCK];
}

int main()
{
    T *data, *out;
    int bytes = BLOCKS * BLOCK * sizeof(T);
    cudaMalloc(&data, bytes);
    cudaMalloc(&out, bytes);
    cudaMemset(data, 0, bytes); // plant
    transpose<<<BLOCKS, BLOCK, BLOCK * sizeof(T)>>>(data, 3);
    reverse<<<1, BLOCK>>>(data, out);
    cudaFree(data);
    cudaFree(out); // plant
}
