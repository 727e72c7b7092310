// Each thread adds up a column: neighbouring threads access neighbouring elements.

__global__ void sums(const float *in, float *out, int rows, int width)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int row = 0; row < rows; row++)
        sum += in[row * width + column];
    out[column] = sum;
}

int main()
{
    int width = 4096, rows = 64;
    float *in, *out;
    cudaMalloc(&in, width * rows * sizeof(float));
    cudaMalloc(&out, width * sizeof(float));
    sums<<<width / 128, 128>>>(in, out, rows, width);
    return cudaDeviceSynchronize();
}
