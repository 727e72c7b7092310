// proved walk 0 of 3
// found R0101
// An index that memory holds leads out of one part of the array into another one that threads write; what was proved of that
// is refuted in the launch.

__global__ void walk(const int *next, int *values) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    values[i] = next[next[i]];
}

int main() {
    int *all, h[256];
    cudaMalloc(&all, 512 * sizeof(int));
    for (int i = 0; i < 256; i++) h[i] = i == 7 ? 300 : i;
    cudaMemset(all, 0, 512 * sizeof(int));
    cudaMemcpy(all, h, sizeof h, cudaMemcpyHostToDevice);
    walk<<<4, 64>>>(all, all + 256);
    cudaDeviceSynchronize();
    return 0;
}
