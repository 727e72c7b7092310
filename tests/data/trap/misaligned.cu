// status: 241
// err: error[R0007]
// err: misaligned
// err: kernel 'shifted'
// err: misaligned.cu:9
__global__ void shifted(char *bytes, int *out)
{
    int *p = (int *)(bytes + threadIdx.x);
    out[threadIdx.x] = *p;
}

int main()
{
    char *bytes;
    int *out;
    cudaMalloc((void **)&bytes, 64);
    cudaMalloc((void **)&out, 64);
    shifted<<<1, 1>>>(bytes + 4, out);
    shifted<<<1, 1>>>(bytes + 1, out);
    cudaDeviceSynchronize();
    return 0;
}
// err: must be a multiple of
