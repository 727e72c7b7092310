// No way gives the variable a value before it is read.

__device__ float scaled(float x) {
    float factor;
    return x * factor;
}

__global__ void sum(const float *x, float *out, int n) {
    float total;
    for (int i = 0; i < n; i++) total += x[i];
    *out = scaled(total);
}

__global__ void once(int *out) {
    int value;
    out[threadIdx.x] = value + 1;
    value = 3;
    out[threadIdx.x + 32] = value;
}
