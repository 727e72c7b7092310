// status: 241
// err: error[R0001]
// err: null
// err: block (1,0,0)
// err: thread (3,0,0)
// err: device_null.cu:10
__global__ void null(int **table)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    *table[i] = i;
}

int main()
{
    int *cell, **table, *host[8];
    cudaMalloc((void **)&cell, 8 * sizeof(int));
    cudaMalloc((void **)&table, sizeof host);
    for (int i = 0; i < 8; i++)
        host[i] = i < 7 ? cell + i : 0;
    cudaMemcpy(table, host, sizeof host, cudaMemcpyHostToDevice);
    null<<<2, 4>>>(table);
    cudaDeviceSynchronize();
    return 0;
}
// err: through a null pointer
// err: give the pointer an address
