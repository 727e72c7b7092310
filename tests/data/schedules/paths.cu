// Both sides of a branch store to one place: it holds what the side stores that runs last.

__global__ void sides(int *out, int turns) {
    int lane = threadIdx.x;
    if (lane % 2) {
        int sum = 0;
        for (int turn = 0; turn < turns; turn++) sum += turn * turn;
        out[blockIdx.x] = sum;
    } else {
#ifdef FIXED
        atomicAdd(&out[gridDim.x + blockIdx.x], 2);
#else
        atomicExch(&out[blockIdx.x], 2);
#endif
    }
}

int main() {
    int *out;
    cudaMalloc(&out, 8 * sizeof(int));
    cudaMemset(out, 0, 8 * sizeof(int));
    sides<<<4, 32>>>(out, 9);
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
