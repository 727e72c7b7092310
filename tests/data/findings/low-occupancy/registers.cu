// A thread holds 44 values while it follows a list; an SM has registers for less than half of its warps.

__global__ void prepare(int *next, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    next[i] = (i * 97 + 4097) % n;
}

__global__ void work(const float *in, const int *next, float *out, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    float value[44];
#pragma unroll
    for (int k = 0; k < 44; k++)
        value[k] = in[k * n + i];
    int at = i;
    for (int k = 0; k < steps; k++) {
        at = next[at];
#pragma unroll
        for (int j = 0; j < 44; j++)
            value[j] += at;
    }
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < 44; k++)
        sum = sum * 0.5f + value[k];
    out[i] = sum;
}

int main()
{
    int blocks = 120, threads = 128, n = blocks * threads;
    float *in, *out;
    int *next;
    cudaMalloc(&in, 44 * n * sizeof(float));
    cudaMalloc(&next, n * sizeof(int));
    cudaMalloc(&out, n * sizeof(float));
    prepare<<<blocks, threads>>>(next, n);
    work<<<blocks, threads>>>(in, next, out, 20); //= warps fit on an SM, limited by registers
    return cudaDeviceSynchronize();
}
