// Accesses of 16 bytes cannot be wider.
// no advice: bytes at once

__global__ void turn(float4 *values, int rounds)
{
    __shared__ float4 row[256];
    int t = threadIdx.x;
    float4 sum = values[blockIdx.x * 256 + t];
    for (int round = 0; round < rounds; round++) {
        row[t] = sum; //= load/store bound
        __syncthreads();
        float4 other = row[(t + 32) & 255];
        sum.x += other.x;
        sum.y += other.y;
        sum.z += other.z;
        sum.w += other.w;
        __syncthreads();
    }
    values[blockIdx.x * 256 + t] = sum;
}

int main()
{
    int blocks = 60;
    float4 *values;
    cudaMalloc(&values, blocks * 256 * sizeof(float4));
    cudaMemset(values, 0, blocks * 256 * sizeof(float4));
    turn<<<blocks, 256>>>(values, 50);
    return cudaDeviceSynchronize();
}
