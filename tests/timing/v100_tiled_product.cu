// Products of 128 x 128 and of 192 x 192 floats by tiles of 16 on `v100`, as beside the well-known simulator in docs/timing.md, which says
// these cycles: grids of 8 x 8 and of 12 x 12 blocks of 16 x 16 threads. First as written, where the compiler unrolls the inner loop;
// then with that loop as it stands. The clocks, and the latency of a launch, are those of that simulator's configuration.
// machine: v100
// set: clock-mhz=1132 interconnect.clock-mhz=1132 l2.clock-mhz=1132 dram.clock-mhz=850 sm.launch-latency=5000
// expect: issue_slots@0 / 320 == 13199
// expect: issue_slots@1 / 320 == 19853
// expect: issue_slots@2 / 320 == 17538
// expect: issue_slots@3 / 320 == 24982
#define TILE 16

#define PRODUCT(NAME, UNROLL)                                                                   \
    __global__ void NAME(const float *a, const float *b, float *c, int n)                       \
    {                                                                                           \
        __shared__ float as[TILE][TILE], bs[TILE][TILE];                                        \
        int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;    \
        float sum = 0.0f;                                                                       \
        for (int tile = 0; tile < n / TILE; tile++) {                                           \
            as[threadIdx.y][threadIdx.x] = a[row * n + tile * TILE + threadIdx.x];              \
            bs[threadIdx.y][threadIdx.x] = b[(tile * TILE + threadIdx.y) * n + column];         \
            __syncthreads();                                                                    \
            UNROLL                                                                              \
            for (int k = 0; k < TILE; k++)                                                      \
                sum += as[threadIdx.y][k] * bs[k][threadIdx.x];                                 \
            __syncthreads();                                                                    \
        }                                                                                       \
        c[row * n + column] = sum;                                                              \
    }

PRODUCT(as_written, )
PRODUCT(rolled, _Pragma("unroll 1"))

int main()
{
    float *a, *b, *c;
    cudaMalloc(&a, 192 * 192 * sizeof(float));
    cudaMalloc(&b, 192 * 192 * sizeof(float));
    cudaMalloc(&c, 192 * 192 * sizeof(float));
    dim3 threads(TILE, TILE);
    for (int n = 128; n <= 192; n += 64)
        as_written<<<dim3(n / TILE, n / TILE), threads>>>(a, b, c, n);
    for (int n = 128; n <= 192; n += 64)
        rolled<<<dim3(n / TILE, n / TILE), threads>>>(a, b, c, n);
    return cudaDeviceSynchronize();
}
