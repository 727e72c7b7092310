// status: 241
// err: misaligned write of 8 bytes at
// err: misaligned_vector_write.cu:9
// err: `int2` is accessed as a whole: its address must be a multiple of 8

__global__ void shifted(int *out, int by)
{
    __shared__ int words[64];
    *(int2 *)(words + threadIdx.x * 2 + by) = make_int2(threadIdx.x, by);
    __syncthreads();
    out[threadIdx.x] = words[threadIdx.x];
}

int main()
{
    int *out;
    cudaMalloc((void **)&out, 128);
    shifted<<<1, 16>>>(out, 2);
    shifted<<<1, 16>>>(out, 1);
    cudaDeviceSynchronize();
    return 0;
}
