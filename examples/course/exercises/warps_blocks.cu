// Squares of 1,056 numbers, in blocks of 33 threads.
#include <cstdio>

const int count = 1056;
const int threads = 33;

__global__ void square(int *values) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        values[i] = i * i;
}

int main() {
    int *values;
    cudaMalloc(&values, count * sizeof(int));
    square<<<(count + threads - 1) / threads, threads>>>(values);
    static int result[count];
    cudaMemcpy(result, values, sizeof(result), cudaMemcpyDeviceToHost);
    long long sum = 0;
    for (int i = 0; i < count; i++)
        sum += result[i];
    printf("the squares below %d add up to %lld\n", count, sum);
    cudaFree(values);
    return 0;
}
