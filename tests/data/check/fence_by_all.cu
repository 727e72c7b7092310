// Every thread executes the fence before a barrier, and one tells the other blocks after it.
__device__ unsigned arrived;

__global__ void turn(int *data)
{
    int t = threadIdx.x;
    data[blockIdx.x * 64 + t] = t;
#ifdef FIXED
    __threadfence();
#endif
    __syncthreads();
    __shared__ unsigned number;
    if (t == 0)
        number = atomicAdd(&arrived, 1);
    __syncthreads();
    if (number == gridDim.x - 1)
        for (int i = t; i < 64 * gridDim.x; i += 64)
            data[i]++;
}

int main()
{
    int *data;
    cudaMalloc(&data, 4 * 64 * sizeof(int));
    turn<<<4, 64>>>(data);
    cudaFree(data);
}
