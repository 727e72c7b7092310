// Each thread stores where loaded data says.

__global__ void fill(int *index, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    index[i] = (i * 40503u) % n;
}

__global__ void scatter(const int *index, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[index[i]] = i; //= store: a warp touches 32.0 lines, 1.0 would do; neighbouring threads access addresses that follow no known rule
}

int main()
{
    int n = 1 << 16;
    int *index, *out;
    cudaMalloc(&index, n * sizeof(int));
    cudaMalloc(&out, n * sizeof(int));
    fill<<<n / 256, 256>>>(index, n);
    scatter<<<n / 256, 256>>>(index, out);
    return cudaDeviceSynchronize();
}
