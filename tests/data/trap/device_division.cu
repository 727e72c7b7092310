// status: 241
// err: error[R0001]
// err: division by zero
// err: block (0,0,0)
// err: thread (3,0,0)
// err: device_division.cu:9
__global__ void divide(int *a)
{
    a[threadIdx.x] = 100 / a[threadIdx.x];
}

int main()
{
    int host[5] = {1, 2, 3, 0, 5}, *a;
    cudaMalloc((void **)&a, sizeof host);
    cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
    divide<<<1, 5>>>(a);
    cudaDeviceSynchronize();
    return 0;
}
