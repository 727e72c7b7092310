// Brightens an image of 480 rows of 20 pixels, a row per block.
#include <cstdio>

const int rows = 480, columns = 20;

__global__ void brighten(int *pixels)
{
    int row = blockIdx.x, column = threadIdx.x;
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
    brighten<<<rows, columns>>>(pixels);
    cudaMemcpy(image, pixels, sizeof(image), cudaMemcpyDeviceToHost);
    long long sum = 0;
    for (int i = 0; i < rows * columns; i++)
        sum += (long long)image[i] * (i + 1);
    printf("the weighted sum is %lld\n", sum);
    cudaFree(pixels);
}
