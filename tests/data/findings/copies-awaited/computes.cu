// There is enough to compute while the next tile is copied.

__global__ void work(const float *in, float *out, int tiles)
{
    __shared__ float tile[2][256];
    const float *own = in + (blockIdx.x * tiles) * 256 + threadIdx.x;
    float sum = 0;
    for (int i = 0; i <= tiles; i++) {
        unsigned at = (unsigned)__cvta_generic_to_shared(&tile[i % 2][threadIdx.x]);
        if (i < tiles)
            asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"(own + i * 256) : "memory");
        asm volatile("cp.async.commit_group;" ::: "memory");
        asm volatile("cp.async.wait_group 1;" ::: "memory");
        if (i > 0)
            for (int k = 0; k < 200; k++)
                sum = sum * 0.5f + tile[(i + 1) % 2][threadIdx.x];
    }
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}

int main()
{
    int tiles = 4, blocks = 90;
    float *in, *out;
    cudaMalloc(&in, tiles * blocks * 256 * sizeof(float));
    cudaMalloc(&out, blocks * 256 * sizeof(float));
    work<<<blocks, 256>>>(in, out, tiles);
    return cudaDeviceSynchronize();
}
