// status: 241
// err: kernel 'even_only'
// err: warp operation whose mask 0xffffffff names lane 1, which does not execute it together
// err: absent_lane.cu:10

__global__ void even_only(int *out)
{
    int t = threadIdx.x;
    if (t % 2 == 0)
        out[t] = __shfl_sync(0xffffffff, t, 0);
    __syncwarp();
}

int main()
{
    int *out;
    cudaMalloc(&out, 4 * sizeof(int));
    even_only<<<1, 4>>>(out);
    cudaDeviceSynchronize();
    return 0;
}
