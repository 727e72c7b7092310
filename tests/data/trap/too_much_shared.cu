// A kernel that needs more shared memory than any machine here has.
// status: 241
// err: big
// err: shared memory
// models: functional timing

__global__ void big(int *out)
{
    __shared__ int tile[20000];
    int t = threadIdx.x;
    tile[t * 500] = t;
    __syncthreads();
    out[t] = tile[(7 - t) * 500];
}

int main()
{
    int *out;
    cudaMalloc((void **)&out, 64);
    big<<<1, 8>>>(out);
    cudaDeviceSynchronize();
    return 0;
}
