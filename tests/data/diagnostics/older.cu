// Without `--cuda` what is older than CUDA 12 is warned of, and supported.
texture<float, 1> image;
__global__ void k(float *out, int n)
{
    out[0] = tex1Dfetch(image, n) + __shfl_xor(n, 1) + all(n);
    out[1] = missing; //~ error
}

void bind(float *d)
{
    cudaBindTexture(0, image, d, 4);
    cudaThreadSynchronize();
    cudaUnbindTexture(image);
}
