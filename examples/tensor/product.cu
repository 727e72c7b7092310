// A product of matrices of halves by tensor cores, with sums of floats: `product.cu [ROWS COLUMNS INNER STAGES]`. Tiles come by
// asynchronous copies, in 2, 3 or 4 stages: while a tile is multiplied, the next ones are on their way.
// Choose a machine with tensor cores: `reconverge run examples/tensor/product.cu --machine a100`.
#include <cstdio>
#include <cstdlib>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>

// A block of four warps computes TILE rows and columns, STEP products of each at a time. Rows of tiles are longer than STEP, so
// that the eight rows of a matrix that `ldmatrix` reads lie in different banks.
const int TILE = 64, STEP = 32, ROW = STEP + 8, THREADS = 128;

// Starts the copies of a tile: STEP columns from `start` on of TILE rows of `k` halves.
__device__ void fetch(half (*tile)[ROW], const half *rows, int k, int start)
{
    const int CHUNK = 8, CHUNKS = STEP / CHUNK;
    for (int i = threadIdx.x; i < TILE * CHUNKS; i += THREADS) {
        int row = i / CHUNKS, column = i % CHUNKS * CHUNK;
        __pipeline_memcpy_async(&tile[row][column], rows + (size_t)row * k + start + column, 16);
    }
}

// Four matrices of 8 rows of 8 halves; a lane gives the address of a row.
__device__ void load_matrices(unsigned (&to)[4], const half *row)
{
    unsigned address = (unsigned)__cvta_generic_to_shared(row);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "r"(address) : "memory");
}

__device__ void multiply(float (&c)[4], const unsigned (&a)[4], unsigned b0, unsigned b1)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// `c` = `a` times the transpose of `b`: the columns of the second factor are rows in memory.
template <int STAGES> __global__ void product(const half *a, const half *b, float *c, int columns, int k)
{
    __shared__ __align__(16) half left[STAGES][TILE][ROW], right[STAGES][TILE][ROW];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    a += (size_t)blockIdx.y * TILE * k;
    b += (size_t)blockIdx.x * TILE * k;
    int steps = k / STEP;
    for (int stage = 0; stage < STAGES - 1; stage++) {
        if (stage < steps) {
            fetch(left[stage], a, k, stage * STEP);
            fetch(right[stage], b, k, stage * STEP);
        }
        __pipeline_commit();
    }
    float sums[TILE / 8][4] = {};
    for (int step = 0; step < steps; step++) {
        // This thread's part of the tile has arrived, and after the barrier everyone's; all have left the tile that is overwritten.
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads();
        int next = step + STAGES - 1;
        if (next < steps) {
            fetch(left[next % STAGES], a, k, next * STEP);
            fetch(right[next % STAGES], b, k, next * STEP);
        }
        __pipeline_commit();
        int stage = step % STAGES;
#pragma unroll
        for (int inner = 0; inner < STEP; inner += 16) {
            unsigned rows[4], pairs[4];
            load_matrices(rows, &left[stage][warp * 16 + lane % 16][inner + lane / 16 * 8]);
#pragma unroll
            for (int column = 0; column < TILE; column += 16) {
                load_matrices(pairs, &right[stage][column + lane / 16 * 8 + lane % 8][inner + lane / 8 % 2 * 8]);
                multiply(sums[column / 8], rows, pairs[0], pairs[1]);
                multiply(sums[column / 8 + 1], rows, pairs[2], pairs[3]);
            }
        }
    }
    float *own = c + (size_t)(blockIdx.y * TILE + warp * 16 + lane / 4) * columns + blockIdx.x * TILE + lane % 4 * 2;
#pragma unroll
    for (int part = 0; part < TILE / 8; part++)
        for (int i = 0; i < 4; i++)
            own[(size_t)(i / 2) * 8 * columns + part * 8 + i % 2] = sums[part][i];
}

int main(int count, char **arguments)
{
    int rows = count > 1 ? atoi(arguments[1]) : 128, columns = count > 2 ? atoi(arguments[2]) : 128;
    int k = count > 3 ? atoi(arguments[3]) : 256, stages = count > 4 ? atoi(arguments[4]) : 3;
    if (rows <= 0 || rows % TILE || columns <= 0 || columns % TILE || k <= 0 || k % STEP || stages < 2 || stages > 4) {
        printf("rows and columns are multiples of %d, the inner extent of %d; stages are 2, 3 or 4\n", TILE, STEP);
        return 2;
    }
    half *a, *b;
    float *c;
    cudaMallocManaged(&a, (size_t)rows * k * sizeof(half));
    cudaMallocManaged(&b, (size_t)columns * k * sizeof(half));
    cudaMallocManaged(&c, (size_t)rows * columns * sizeof(float));
    // Products and sums of small integers are exact.
    for (int i = 0; i < rows * k; i++)
        a[i] = __float2half((float)(i * 7 % 13 - 6));
    for (int i = 0; i < columns * k; i++)
        b[i] = __float2half((float)(i * 5 % 11 - 5));
    dim3 grid(columns / TILE, rows / TILE);
    if (stages == 2)
        product<2><<<grid, THREADS>>>(a, b, c, columns, k);
    else if (stages == 3)
        product<3><<<grid, THREADS>>>(a, b, c, columns, k);
    else
        product<4><<<grid, THREADS>>>(a, b, c, columns, k);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int row = 0; row < rows; row++)
        for (int column = 0; column < columns; column++) {
            int sum = 0;
            for (int i = 0; i < k; i++)
                sum += ((row * k + i) * 7 % 13 - 6) * ((column * k + i) * 5 % 11 - 5);
            wrong += c[row * columns + column] != (float)sum;
        }
    printf("product of %d x %d and %d x %d in %d stages: %s\n", rows, k, k, columns, stages, wrong == 0 ? "PASS" : "FAIL");
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    return wrong != 0;
}
