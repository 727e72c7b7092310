// Each block waits for the one with the number before. More blocks than fit, and in another order all wait for one that
// cannot start. Numbers that a counter hands out are in the order of starts.

__device__ int next;

__global__ void chain(volatile int *done, int *sum) {
    __shared__ int number;
    if (threadIdx.x == 0) {
#ifdef FIXED
        number = atomicAdd(&next, 1);
#else
        number = blockIdx.x;
#endif
        while (number > 0 && done[number - 1] == 0) {
        }
        sum[number] = number == 0 ? 0 : sum[number - 1] + number;
        __threadfence();
        done[number] = 1;
    }
}

int main() {
    int *done, *sum;
    cudaMalloc(&done, 200 * sizeof(int));
    cudaMalloc(&sum, 200 * sizeof(int));
    cudaMemset(done, 0, 200 * sizeof(int));
    chain<<<200, 32>>>(done, sum);
    cudaDeviceSynchronize();
    cudaFree(done);
    cudaFree(sum);
    return 0;
}
