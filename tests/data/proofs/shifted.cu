// proved shift 0 of 2
// found R0101
// The pointers point into one array, one element apart: neighbours race.

__global__ void shift(const int *from, int *to) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = from[i];
}

int main() {
    int *all;
    cudaMalloc(&all, 1025 * sizeof(int));
    shift<<<4, 256>>>(all, all + 1);
    cudaDeviceSynchronize();
    return 0;
}
