// Each warp works in its own part of shared memory, with synchronisation of its lanes only.
__global__ void warps(const T *in, T *out)
{
    __shared__ T s[BLOCK];
    int t = threadIdx.x, lane = t % 32, first = t - lane;
    s[t] = in[blockIdx.x * BLOCK + t]; // plant
    __syncwarp(); // plant
    T v = s[first + (lane + 1) % 32];
    __syncwarp(); // plant
    s[t] = v + v;
    __syncwarp(); // plant
    for (int d = 16; d > 0; d /= 2) {
        T x = s[first + (lane ^ d)];
        __syncwarp(); // plant
        s[t] += x;
        __syncwarp(); // plant
    }
    out[blockIdx.x * BLOCK + t] = s[first + 31 - lane];
}

int main()
{
    T *in, *out;
    int bytes = BLOCKS * BLOCK * sizeof(T);
    cudaMalloc(&in, bytes);
    cudaMalloc(&out, bytes);
    cudaMemset(in, 0, bytes); // plant
    warps<<<BLOCKS, BLOCK>>>(in, out);
    cudaFree(in);
    cudaFree(out);
}
