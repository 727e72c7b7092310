// proved scale 2 of 2
// proved columns 1 of 1
// Rows with a pitch; and columns, whose threads are far apart and whose blocks lie between.

__global__ void scale(float *all, int pitch) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 30) all[y * pitch + x] *= 2;
}

__global__ void columns(float *all, int pitch) {
    all[threadIdx.x * pitch + blockIdx.x] = 1;
}

int main() {
    float *all;
    cudaMalloc(&all, 64 * 64 * sizeof(float));
    scale<<<dim3(2, 4), dim3(16, 16)>>>(all, 32);
    columns<<<64, 64>>>(all, 64);
    cudaDeviceSynchronize();
    return 0;
}
