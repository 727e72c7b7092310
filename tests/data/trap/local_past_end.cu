// status: 241
// err: error[R0005]
// err: kernel 'far'
// err: thread (1,0,0)
// err: local_past_end.cu:13
// `far` is only ordinary here.
__global__ void far(int *out, int offset)
{
    int own[4];
    for (int i = 0; i < 4; i++)
        own[i] = i;
    int at = (threadIdx.x & 1) * offset;
    out[threadIdx.x] = own[at];
}

int main()
{
    int *out;
    cudaMalloc((void **)&out, 64);
    far<<<1, 4>>>(out, 3);
    far<<<1, 4>>>(out, 3000000);
    cudaDeviceSynchronize();
    return 0;
}
