// status: 241
// err: kernel 'change'
// err: constant_write.cu:11

__constant__ int table[4] = {1, 2, 3, 4};

__global__ void change(int *out, int to)
{
    int *writable = (int *)&table[threadIdx.x];
    out[threadIdx.x] = *writable;
    *writable = to;
}

int main()
{
    int *out;
    cudaMalloc((void **)&out, 64);
    change<<<1, 4>>>(out, 5);
    cudaDeviceSynchronize();
    return 0;
}
