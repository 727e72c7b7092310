// A sum of floating-point numbers by atomics is no race, and yet another one in each order.

#ifdef FIXED
typedef unsigned int number;
#else
typedef float number;
#endif

__global__ void sum(const number *in, number *total) {
    atomicAdd(total, in[blockIdx.x * blockDim.x + threadIdx.x]);
}

int main() {
    number values[512];
    for (int i = 0; i < 512; i++) values[i] = (number)(1000.0 / (i + 1));
    number *in, *total;
    cudaMalloc((void **)&in, sizeof values);
    cudaMalloc((void **)&total, sizeof(number));
    cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
    cudaMemset(total, 0, sizeof(number));
    sum<<<8, 64>>>(in, total);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(total);
    return 0;
}
