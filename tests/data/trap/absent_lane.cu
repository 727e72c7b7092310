// status: 241
// err: kernel 'half'
// err: warp operation whose mask 0xffffffff names lane 1, which does not come to it together
// err: absent_lane.cu:10

__global__ void half(int *out)
{
    int t = threadIdx.x;
    if (t % 2 == 0)
        out[t] = __shfl_sync(0xffffffff, t, 0);
}

int main()
{
    int *out;
    cudaMalloc(&out, 4 * sizeof(int));
    half<<<1, 4>>>(out);
    cudaDeviceSynchronize();
    return 0;
}
