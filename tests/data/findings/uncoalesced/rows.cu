// Each thread adds up a row: neighbouring threads are a row apart.

__global__ void sums(const float *in, float *out, int width)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int column = 0; column < width; column++)
        sum += in[row * width + column]; //= load: a warp touches 32.0 lines, 1.0 would do; neighbouring threads are 4·width bytes apart
    out[row] = sum;
}

int main()
{
    int width = 64, rows = 4096;
    float *in, *out;
    cudaMalloc(&in, width * rows * sizeof(float));
    cudaMalloc(&out, rows * sizeof(float));
    sums<<<rows / 128, 128>>>(in, out, width);
    return cudaDeviceSynchronize();
}
