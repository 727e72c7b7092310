// The figure of two-level scheduling (the book, section 5.1.2; Narasiman et al.): fetch groups reach a long
// operation one after another. A group is a block here, and one SM holds all six. Each warp runs a loop of
// arithmetic and then reads the clock before its load. Every warp of a block is there before any warp of the
// next one. The front end is wide enough for the loop: 8 instructions a fetch, of paths with room.
// The program checks the order itself.
// machine: gtx480
// set: sms=1 scheduler=two-level fetch.width=8 fetch.buffer=8 fetch.policy=room
// expect: cycles >= warp_instructions / 2
__global__ void reach(const float *a, float *o, long long *times, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i;
#pragma unroll 1
    for (int j = 0; j < n; j++) {
        x = x * 1.0001f + 0.5f;
        x = x * 0.9999f + 0.25f;
    }
    long long time = clock64();
    float v = a[i];
#pragma unroll 1
    for (int j = 0; j < n; j++) {
        x = x * 1.0001f + v;
        x = x * 0.9999f + 0.25f;
    }
    o[i] = x;
    if ((threadIdx.x & 31) == 0)
        times[i / 32] = time;
}

int main()
{
    const int blocks = 6, threads = 256, warps = threads / 32;
    float *a, *o;
    long long *times, host[blocks * warps];
    cudaMalloc(&a, blocks * threads * sizeof(float));
    cudaMalloc(&o, blocks * threads * sizeof(float));
    cudaMalloc(&times, sizeof host);
    reach<<<blocks, threads>>>(a, o, times, 50);
    cudaMemcpy(host, times, sizeof host, cudaMemcpyDeviceToHost);
    for (int block = 1; block < blocks; block++)
        for (int i = 0; i < warps; i++)
            for (int j = 0; j < warps; j++)
                if (host[(block - 1) * warps + i] >= host[block * warps + j])
                    return 1;
    return 0;
}
