// Each thread follows a list: the next load waits for the last one.

__global__ void prepare(int *next, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    next[i] = (i + 4097) % n;
}

__global__ void follow(const int *next, int *out, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int at = i;
    for (int k = 0; k < steps; k++) {
        int there = next[at];
        at = there ^ 1; //= every warp waits for memory, this line first, for a value that line 14 loads; DRAM is busy
    }
    out[i] = at;
}

int main()
{
    int n = 1 << 16;
    int *next, *out;
    cudaMalloc(&next, n * sizeof(int));
    cudaMalloc(&out, 30 * 64 * sizeof(int));
    prepare<<<n / 256, 256>>>(next, n);
    follow<<<30, 64>>>(next, out, 50);
    return cudaDeviceSynchronize();
}
