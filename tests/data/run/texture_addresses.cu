// Textures bound as in C, by addresses; symbols named by strings; a kernel with `__device__` in front.
// options: --cuda 11
texture<float, 1, cudaReadModeElementType> line;
texture<uchar, 2, cudaReadModeNormalizedFloat> plane;
__constant__ float weights[4];
__device__ int counter;

__global__ __device__ void fetch(float *out)
{
    int i = threadIdx.x;
    out[i] = tex1Dfetch(line, i) * weights[i] + tex2D(plane, i % 2, i / 2);
    atomicAdd(&counter, i);
}

int main()
{
    float numbers[4] = {1, 2, 3, 4}, factors[4] = {10, 100, 1000, 10000}, out[4], *numbers_d, *out_d;
    unsigned char bytes[2][2] = {{0, 255}, {51, 102}}, *bytes_d;
    size_t pitch, offset = 7;
    int sum = 0;
    cudaMalloc(&numbers_d, sizeof numbers);
    cudaMalloc(&out_d, sizeof out);
    cudaMemcpy(numbers_d, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    cudaMallocPitch(&bytes_d, &pitch, 2, 2);
    cudaMemcpy2D(bytes_d, pitch, bytes, 2, 2, 2, cudaMemcpyHostToDevice);
    cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>(), small = cudaCreateChannelDesc<unsigned char>();
    if (cudaBindTexture(&offset, &line, numbers_d, &floats, sizeof numbers) != CUDA_SUCCESS || offset != 0)
        puts("not bound");
    if (cudaBindTexture2D(NULL, &plane, bytes_d, &small, 2, 2, pitch) != cudaSuccess)
        puts("not bound");
    cudaMemcpyToSymbol("weights", factors, sizeof factors);
    cudaMemcpyToSymbol("weights", factors + 2, sizeof(float), 3 * sizeof(float));
    fetch<<<1, 4>>>(out_d);
    cudaMemcpy(out, out_d, sizeof out, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&sum, "counter", sizeof sum);
    printf("%g %g %g %g %d\n", out[0], out[1], out[2], out[3], sum);
    cudaUnbindTexture(&line);
}

// out: 10 201 3000.2 4000.4 6
