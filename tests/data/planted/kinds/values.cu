// One thread stores what the next launch reads.
__global__ void values(T *out)
{
    int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    if (i == LANE)
        out[0] = 1; // plant R0101: ; out[0] = T(i == BLOCKS * BLOCK - 1 - LANE ? 2 : 1);
    if (i == LANE) // plant R0101: if (t == LANE)
        out[1] = T(i);
    if (blockIdx.x == 0 && t < 32) // plant R0101: if (t < 32)
        out[2] = T(i % 32 == LANE ? i : 1);
}

__global__ void use(T *out)
{
    if (threadIdx.x < 3)
        out[3 + 3 * blockIdx.x + threadIdx.x] = out[threadIdx.x];
}

int main()
{
    T *out;
    cudaMalloc(&out, (3 + 3 * BLOCKS) * sizeof(T));
    values<<<BLOCKS, BLOCK>>>(out);
    use<<<BLOCKS, BLOCK>>>(out);
    cudaFree(out);
}
