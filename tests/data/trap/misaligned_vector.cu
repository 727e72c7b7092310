// status: 241
// err: error[R0007]
// err: misaligned read of 16 bytes at address
// err: kernel 'shifted'
// err: misaligned_vector.cu:9
// err: `float4` is accessed as a whole: its address must be a multiple of 16
__global__ void shifted(const float *from, float *to)
{
    float4 v = *(const float4 *)(from + threadIdx.x);
    to[threadIdx.x] = v.x + v.w;
}

int main()
{
    float *from, *to;
    cudaMalloc((void **)&from, 64);
    cudaMalloc((void **)&to, 64);
    shifted<<<1, 1>>>(from + 4, to);
    shifted<<<1, 1>>>(from + 2, to);
    cudaDeviceSynchronize();
    return 0;
}
