// proved shift 2 of 2
// The same with halves that do not meet.

__global__ void shift(const int *from, int *to) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = from[i];
}

int main() {
    int *all;
    cudaMalloc(&all, 2048 * sizeof(int));
    shift<<<4, 256>>>(all, all + 1024);
    cudaDeviceSynchronize();
    return 0;
}
