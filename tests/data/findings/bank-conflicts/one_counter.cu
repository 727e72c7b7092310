// All threads of a block count in one word.

__global__ void count(unsigned *out)
{
    __shared__ unsigned counter;
    if (threadIdx.x == 0)
        counter = 0;
    __syncthreads();
    for (int k = 0; k < 16; k++)
        atomicAdd(&counter, k); //= an atomic takes 32.0 passes of shared memory, as its lanes change one word
    __syncthreads();
    out[blockIdx.x] = counter;
}

int main()
{
    unsigned *out;
    cudaMalloc(&out, 60 * sizeof(unsigned));
    count<<<60, 128>>>(out);
    return cudaDeviceSynchronize();
}
