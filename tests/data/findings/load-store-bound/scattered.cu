// The units have so much to do because accesses are not coalesced: that is `uncoalesced`.

__global__ void sums(const float *in, float *out, int width)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int column = 0; column < width; column++)
        sum += in[row * width + column];
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
