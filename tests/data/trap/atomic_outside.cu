// status: 241
// err: kernel 'count'
// err: thread (0,1,0)
// err: atomic_outside.cu:9

__global__ void count(int *bins, const int *data)
{
    int i = threadIdx.y * blockDim.x + threadIdx.x;
    atomicAdd(&bins[data[i]], 1);
}

int main()
{
    int host[4] = {0, 3, 400, 1}, *bins, *data;
    cudaMalloc((void **)&bins, 4 * sizeof(int));
    cudaMalloc((void **)&data, sizeof host);
    cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
    count<<<1, dim3(2, 2)>>>(bins, data);
    cudaDeviceSynchronize();
    return 0;
}
