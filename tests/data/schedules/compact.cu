// A counter hands out places: which thread has which depends on the order.

__device__ int count;

__global__ void compact(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] % 3 == 0) {
#ifdef FIXED
        atomicAdd(&count, 1);
        out[i] = in[i];
#else
        out[atomicAdd(&count, 1)] = in[i];
#endif
    }
}

int main() {
    int values[256];
    for (int i = 0; i < 256; i++) values[i] = i * 7;
    int *in, *out;
    cudaMalloc(&in, sizeof values);
    cudaMalloc(&out, sizeof values);
    cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
    compact<<<4, 64>>>(in, out, 250);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
