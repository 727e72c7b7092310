// Texture references, which PTX declares as `.texref`.
#include <cuda_runtime.h>
#include <stdio.h>

texture<float, 1> line;
texture<unsigned char, 2, cudaReadModeNormalizedFloat> image;

__global__ void k(float *out)
{
    int i = threadIdx.x;
    out[3 * i] = tex1Dfetch(line, i - 2);
    out[3 * i + 1] = tex2D(image, i - 1.5f, i * 0.5f);
    out[3 * i + 2] = tex1D(line, i + 0.75f);
}

int main()
{
    float numbers[16], *d_numbers, out[96], *d_out;
    unsigned char levels[24];
    for (int i = 0; i < 16; i++)
        numbers[i] = 1.5f * i;
    for (int i = 0; i < 24; i++)
        levels[i] = 10 * i;
    cudaMalloc(&d_numbers, sizeof numbers);
    cudaMemcpy(d_numbers, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    cudaBindTexture(NULL, line, d_numbers, sizeof numbers);
    cudaArray *array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned char>();
    cudaMallocArray(&array, &format, 6, 4);
    cudaMemcpy2DToArray(array, 0, 0, levels, 6, 6, 4, cudaMemcpyHostToDevice);
    image.addressMode[0] = cudaAddressModeBorder;
    cudaBindTextureToArray(image, array, format);
    cudaMalloc(&d_out, sizeof out);
    k<<<1, 32>>>(d_out);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 96; i++)
        printf("%g%c", out[i], i % 12 == 11 ? '\n' : ' ');
}
