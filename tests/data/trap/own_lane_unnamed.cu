// status: 241
// err: kernel 'low'
// err: warp operation whose mask 0x00000001 does not name the thread's lane
// err: own_lane_unnamed.cu:8

__global__ void low(int *out)
{
    out[threadIdx.x] = __ballot_sync(1, 1);
}

int main()
{
    int *out;
    cudaMalloc(&out, 4 * sizeof(int));
    low<<<1, 4>>>(out);
    cudaDeviceSynchronize();
    return 0;
}
