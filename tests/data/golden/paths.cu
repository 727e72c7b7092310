// Control flow of every kind: a device function with two returns, a switch that falls through, a
// loop with break and continue, a short circuit, an early return.
__constant__ float weights[4] = {0.5f, 0.25f, 0.125f, 0.0625f};
__device__ int total;

__device__ int clamp(int value, int most)
{
    if (value > most)
        return most;
    return value < 0 ? 0 : value;
}

__global__ void paths(const float *in, float *out, unsigned char *kinds, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0;
    for (int k = 0; k < 4; k++) {
        int at = clamp(i + k - 2, n - 1);
        if (kinds[at] == 9)
            break;
        if (at == i && kinds[at] & 1)
            continue;
        switch (kinds[at]) {
        case 0:
            sum += 1;
        case 2:
            sum += in[at] * weights[k];
            break;
        default:
            sum -= sqrtf(in[at]);
        }
    }
    if (sum > 0 || kinds[i] > 3)
        atomicAdd(&total, 1);
    out[i] = sum;
}

int main()
{
    float host[10], *in, *out;
    unsigned char mixed[10] = {0, 1, 2, 3, 0, 2, 9, 4, 1, 0}, *kinds;
    for (int i = 0; i < 10; i++)
        host[i] = i * 0.5f;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMalloc(&kinds, sizeof mixed);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemcpy(kinds, mixed, sizeof mixed, cudaMemcpyHostToDevice);
    paths<<<2, 8>>>(in, out, kinds, 10);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    return host[3] > 0 ? 0 : 3;
}
