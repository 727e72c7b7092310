// A block reverses its part of an array through shared memory. -DBARRIER=0 leaves the barrier out, and
// -DBARRIER=2 puts it where only half of the block's threads come.
#include <cstdio>

#ifndef BARRIER
#define BARRIER 1
#endif

__global__ void reverse(int *values)
{
    __shared__ int part[128];
    int i = threadIdx.x;
    part[i] = values[i];
#if BARRIER == 1
    __syncthreads();
#elif BARRIER == 2
    if (i < 64)
        __syncthreads();
#endif
    values[i] = part[127 - i];
}

int main()
{
    int numbers[128], *values;
    for (int i = 0; i < 128; i++)
        numbers[i] = i;
    cudaMalloc(&values, sizeof(numbers));
    cudaMemcpy(values, numbers, sizeof(numbers), cudaMemcpyHostToDevice);
    reverse<<<1, 128>>>(values);
    cudaMemcpy(numbers, values, sizeof(numbers), cudaMemcpyDeviceToHost);
    printf("the first is %d now\n", numbers[0]);
    cudaFree(values);
}
