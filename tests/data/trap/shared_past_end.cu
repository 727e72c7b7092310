// status: 241
// err: kernel 'window'
// err: shared
// err: shared_past_end.cu:12

__global__ void window(int *out, int offset)
{
    __shared__ int tile[16];
    int t = threadIdx.x;
    tile[t] = t;
    __syncthreads();
    out[t] = tile[t + offset];
}

int main()
{
    int *out;
    cudaMalloc((void **)&out, 64);
    window<<<1, 8>>>(out, 4);
    window<<<1, 8>>>(out, 1000);
    cudaDeviceSynchronize();
    return 0;
}
