// A product of 128 x 128 floats by tiles of 16, as beside the well-known simulator in docs/timing.md, which says these
// cycles: as written, where the compiler unrolls the inner loop, and without that. A core has up to 5 of the 64 blocks, and two schedulers, so that it takes
// at least 5 / 64 of all instructions in cycles, halved. An issue slot is a cycle of one of 30 schedulers.
// machine: gtx480
// expect: issue_slots@0 / 30 == 13539
// expect: issue_slots@1 / 30 == 27422
// expect: issue_slots@0 / 30 >= warp_instructions@0 * 5 / 64 / 2
// expect: issue_slots@1 / 30 >= warp_instructions@1 * 5 / 64 / 2
#define N 128
#define TILE 16

__global__ void as_written(const float *a, const float *b, float *c, int n)
{
    __shared__ float as[TILE][TILE], bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;
    for (int tile = 0; tile < n / TILE; tile++) {
        as[threadIdx.y][threadIdx.x] = a[row * n + tile * TILE + threadIdx.x];
        bs[threadIdx.y][threadIdx.x] = b[(tile * TILE + threadIdx.y) * n + column];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

__global__ void rolled(const float *a, const float *b, float *c, int n)
{
    __shared__ float as[TILE][TILE], bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;
    for (int tile = 0; tile < n / TILE; tile++) {
        as[threadIdx.y][threadIdx.x] = a[row * n + tile * TILE + threadIdx.x];
        bs[threadIdx.y][threadIdx.x] = b[(tile * TILE + threadIdx.y) * n + column];
        __syncthreads();
#pragma unroll 1
        for (int k = 0; k < TILE; k++)
            sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

int main()
{
    float *a, *b, *c;
    cudaMalloc(&a, N * N * sizeof(float));
    cudaMalloc(&b, N * N * sizeof(float));
    cudaMalloc(&c, N * N * sizeof(float));
    dim3 blocks(N / TILE, N / TILE), threads(TILE, TILE);
    as_written<<<blocks, threads>>>(a, b, c, N);
    rolled<<<blocks, threads>>>(a, b, c, N);
    return cudaDeviceSynchronize();
}
