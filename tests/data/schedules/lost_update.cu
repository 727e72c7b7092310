// Blocks add to a number without an atomic. One after the other they lose nothing.

__device__ int total;

__global__ void add() {
    if (threadIdx.x == 0) {
#ifdef FIXED
        atomicAdd(&total, (int)blockIdx.x);
#else
        total += blockIdx.x;
#endif
    }
}

int main() {
    add<<<16, 32>>>();
    cudaDeviceSynchronize();
    return 0;
}
