// All threads of a block come to each barrier.
__global__ void part_barrier(T *out)
{
    __shared__ T s[BLOCK];
    int t = threadIdx.x;
    s[t] = T(t);
    __syncthreads(); // plant R0104: if (t != LANE) __syncthreads();
    T v = s[BLOCK - 1 - t];
    __syncthreads(); // plant R0104: if (t < 1 + LANE % 31) __syncthreads();
    s[t] = v;
    __syncthreads(); // plant R0104: if (t % 32 == LANE) __syncthreads(); else __syncthreads();
    out[blockIdx.x * BLOCK + t] = s[t] + s[(t + 1) % BLOCK];
}

int main()
{
    T *out;
    cudaMalloc(&out, BLOCKS * BLOCK * sizeof(T));
    part_barrier<<<BLOCKS, BLOCK>>>(out);
    cudaFree(out);
}
