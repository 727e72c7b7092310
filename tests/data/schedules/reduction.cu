// The last steps of a reduction go without a barrier, which only warps in lockstep get away with.

__global__ void reduce(const float *in, float *out) {
    __shared__ float sums[128];
    int t = threadIdx.x;
    sums[t] = in[t];
    __syncthreads();
    for (int step = 64; step > 0; step /= 2) {
        if (t < step) sums[t] += sums[t + step];
#ifdef FIXED
        __syncthreads();
#else
        if (step < 64) __syncthreads();
#endif
    }
    if (t == 0) out[blockIdx.x] = sums[0];
}

int main() {
    float values[128], result;
    for (int i = 0; i < 128; i++) values[i] = 1.0f + i % 7;
    float *in, *out;
    cudaMalloc(&in, sizeof values);
    cudaMalloc(&out, sizeof(float));
    cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
    reduce<<<1, 128>>>(in, out);
    cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    return 0;
}
