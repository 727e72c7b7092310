// proved transpose 4 of 4
// A tile in shared memory, written before a barrier and read after it.

__global__ void transpose(const float *in, float *out) {
    __shared__ float tile[16][17];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * 64 + x];
    __syncthreads();
    x = blockIdx.y * 16 + threadIdx.x, y = blockIdx.x * 16 + threadIdx.y;
    out[y * 64 + x] = tile[threadIdx.x][threadIdx.y];
}

int main() {
    float *in, *out;
    cudaMalloc(&in, 64 * 64 * sizeof(float));
    cudaMalloc(&out, 64 * 64 * sizeof(float));
    transpose<<<dim3(4, 4), dim3(16, 16)>>>(in, out);
    cudaDeviceSynchronize();
    return 0;
}
