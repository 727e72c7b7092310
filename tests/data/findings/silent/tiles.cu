// silent: arithmetic-latency, barrier, control, fetch, scoreboard
// A matrix is transposed by tiles of shared memory whose columns lie in one bank each.
#include <cstdio>
#include <cstdlib>

const int N = 512;
const int TILE = 32;
const int PITCH = TILE;

__global__ void transpose(const float *in, float *out) {
    __shared__ float tile[TILE][PITCH];
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    for (int row = 0; row < TILE; row += 8) {
        tile[threadIdx.y + row][threadIdx.x] = in[(y + row) * N + x];
    }
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int row = 0; row < TILE; row += 8) {
        out[(y + row) * N + x] = tile[threadIdx.x][threadIdx.y + row];
    }
}

int main() {
    float *host = (float *)malloc(N * N * sizeof(float));
    float *result = (float *)malloc(N * N * sizeof(float));
    for (int i = 0; i < N * N; ++i) {
        host[i] = i;
    }
    float *in, *out;
    cudaMalloc(&in, N * N * sizeof(float));
    cudaMalloc(&out, N * N * sizeof(float));
    cudaMemcpy(in, host, N * N * sizeof(float), cudaMemcpyHostToDevice);
    transpose<<<dim3(N / TILE, N / TILE), dim3(TILE, 8)>>>(in, out);
    cudaMemcpy(result, out, N * N * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N * N; ++i) {
        if (result[i] != host[i % N * N + i / N]) {
            printf("FAIL: element %d\n", i);
            return 1;
        }
    }
    printf("PASS\n");
    return 0;
}
