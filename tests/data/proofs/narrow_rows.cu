// proved scale 0 of 2
// found R0101
// More columns than a row has: the last are the first of the next row.

__global__ void scale(float *all, int pitch) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    all[y * pitch + x] += x;
}

int main() {
    float *all;
    cudaMalloc(&all, 64 * 64 * sizeof(float));
    scale<<<dim3(2, 4), dim3(16, 16)>>>(all, 31);
    cudaDeviceSynchronize();
    return 0;
}
