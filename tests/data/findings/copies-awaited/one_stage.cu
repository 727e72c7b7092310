// Each tile is awaited as soon as its copies have started.

__global__ void sums(const float *in, float *out, int tiles)
{
    __shared__ float tile[64];
    const float *own = in + (blockIdx.x * tiles) * 64 + threadIdx.x;
    unsigned at = (unsigned)__cvta_generic_to_shared(&tile[threadIdx.x]);
    float sum = 0;
    for (int i = 0; i < tiles; i++) {
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"(own + i * 64) : "memory");
        asm volatile("cp.async.commit_group;" ::: "memory");
        asm volatile("cp.async.wait_group 0;" ::: "memory"); //= asynchronous copies: every warp waits for them, this line first; DRAM is busy
        sum += tile[threadIdx.x];
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

int main()
{
    int tiles = 32, blocks = 60;
    float *in, *out;
    cudaMalloc(&in, tiles * blocks * 64 * sizeof(float));
    cudaMalloc(&out, blocks * 64 * sizeof(float));
    sums<<<blocks, 64>>>(in, out, tiles);
    return cudaDeviceSynchronize();
}
