// proved fill 0 of 1
// found R0102
// The index is that of a block of one row; with two rows, threads share elements. The least of all launches counts.

__global__ void fill(int *to) {
    to[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

int main() {
    int *all;
    cudaMalloc(&all, 64 * sizeof(int));
    fill<<<2, 32>>>(all);
    fill<<<2, dim3(32, 2)>>>(all);
    cudaDeviceSynchronize();
    return 0;
}
