// proved gather 2 of 3
// The same where the index stays inside: reads are only compared with what is written.

__global__ void gather(const int *next, int *values) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    values[i] = next[next[i]];
}

int main() {
    int *all;
    cudaMalloc(&all, 512 * sizeof(int));
    cudaMemset(all, 0, 512 * sizeof(int));
    gather<<<4, 64>>>(all, all + 256);
    cudaDeviceSynchronize();
    return 0;
}
