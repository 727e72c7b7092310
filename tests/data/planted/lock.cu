// A list of largest values behind a lock.
__device__ int taken;
__device__ T most[4];

__global__ void keep(const T *in)
{
    __shared__ T s[BLOCK];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * BLOCK + t]; // plant
    __syncthreads(); // plant
    if (t == 0) {
        T best = s[0];
        for (int i = 1; i < BLOCK; i++)
            best = s[i] > best ? s[i] : best;
        while (atomicCAS(&taken, 0, 1) != 0);
        __threadfence();
        for (int i = 0; i < 4; i++)
            if (best > most[i]) {
                T other = most[i];
                most[i] = best;
                best = other;
            }
        __threadfence(); // plant
        atomicExch(&taken, 0);
    }
}

int main()
{
    T *in, h[BLOCKS * BLOCK];
    for (int i = 0; i < BLOCKS * BLOCK; i++)
        h[i] = 1 + i;
    cudaMalloc(&in, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice); // plant
    keep<<<BLOCKS, BLOCK>>>(in);
    cudaFree(in); // plant
}
