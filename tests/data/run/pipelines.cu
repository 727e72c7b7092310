// Asynchronous copies by the primitives of pipelines: sums of tiles, of which three are under way, and copies whose ends are zeros.
#include <cstdio>
#include <cuda_pipeline.h>

const int TILE = 64, STAGES = 3;

__global__ void sums(const float *in, float *out, int tiles)
{
    __shared__ float stage[STAGES][TILE];
    int t = threadIdx.x;
    const float *own = in + (size_t)blockIdx.x * tiles * TILE;
    for (int s = 0; s < STAGES - 1; s++) {
        if (s < tiles)
            __pipeline_memcpy_async(&stage[s][t], own + s * TILE + t, 4);
        __pipeline_commit();
    }
    float sum = 0;
    for (int i = 0; i < tiles; i++) {
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads();
        int next = i + STAGES - 1;
        if (next < tiles)
            __pipeline_memcpy_async(&stage[next % STAGES][t], own + next * TILE + t, 4);
        __pipeline_commit();
        // Every thread reads what another one has copied.
        sum += stage[i % STAGES][TILE - 1 - t];
    }
    out[blockIdx.x * TILE + t] = sum;
}

__global__ void ends(const int4 *in, int4 *out, int2 *pairs)
{
    __shared__ int4 four[32];
    __shared__ int2 two[32];
    int t = threadIdx.x;
    four[t] = make_int4(9, 9, 9, 9);
    __pipeline_memcpy_async(&four[t], in + t, 16, t % 17);
    __pipeline_memcpy_async(&two[t], in + (31 - t), 8);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[t] = four[t];
    pairs[t] = two[t];
}

int main()
{
    const int tiles = 7, blocks = 3, n = tiles * blocks * TILE;
    float *in, *out;
    cudaMallocManaged(&in, n * sizeof(float));
    cudaMallocManaged(&out, blocks * TILE * sizeof(float));
    for (int i = 0; i < n; i++)
        in[i] = i % 101;
    sums<<<blocks, TILE>>>(in, out, tiles);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int b = 0; b < blocks; b++)
        for (int t = 0; t < TILE; t++) {
            float sum = 0;
            for (int i = 0; i < tiles; i++)
                sum += in[(b * tiles + i) * TILE + TILE - 1 - t];
            wrong += sum != out[b * TILE + t];
        }
    int4 *from, *to;
    int2 *pairs;
    cudaMallocManaged(&from, 32 * sizeof(int4));
    cudaMallocManaged(&to, 32 * sizeof(int4));
    cudaMallocManaged(&pairs, 32 * sizeof(int2));
    for (int i = 0; i < 32; i++)
        from[i] = make_int4(0x01010101 * (i + 1), 0x01010102 * (i + 1), 0x01010103 * (i + 1), 0x01010104 * (i + 1));
    ends<<<1, 32>>>(from, to, pairs);
    cudaDeviceSynchronize();
    for (int t = 0; t < 32; t++) {
        const unsigned char *source = (const unsigned char *)(from + t), *copied = (const unsigned char *)(to + t);
        for (int byte = 0; byte < 16; byte++)
            wrong += copied[byte] != (byte < 16 - t % 17 ? source[byte] : 0);
        wrong += pairs[t].x != from[31 - t].x || pairs[t].y != from[31 - t].y;
    }
    printf("%d wrong: %s\n", wrong, wrong == 0 ? "PASS" : "FAIL");
    cudaFree(in);
    cudaFree(out);
    cudaFree(from);
    cudaFree(to);
    cudaFree(pairs);
    return wrong != 0;
}

// out: 0 wrong: PASS
