// Brightens an image of 480 rows of 20 pixels, eight rows per block: 160 threads are five whole warps.
#include <cstdio>

const int rows = 480, columns = 20;

__global__ void brighten(int *pixels)
{
    int row = blockIdx.x * blockDim.y + threadIdx.y, column = threadIdx.x;
    pixels[row * columns + column] += row;
}

int main()
{
    static int image[rows * columns];
    for (int i = 0; i < rows * columns; i++)
        image[i] = i % 7;
    int *pixels;
    cudaMalloc(&pixels, sizeof(image));
    cudaMemcpy(pixels, image, sizeof(image), cudaMemcpyHostToDevice);
    brighten<<<rows / 8, dim3(columns, 8)>>>(pixels);
    cudaMemcpy(image, pixels, sizeof(image), cudaMemcpyDeviceToHost);
    long long sum = 0;
    for (int i = 0; i < rows * columns; i++)
        sum += (long long)image[i] * (i + 1);
    printf("the weighted sum is %lld\n", sum);
    cudaFree(pixels);
}
