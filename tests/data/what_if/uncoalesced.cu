// Each thread adds up a row of a matrix that is stored by rows: neighbouring threads are a row apart.
// finding: uncoalesced
#include <cstdio>
#include <cstdlib>

const int ROWS = 4096;
const int COLUMNS = 64;

__global__ void sums(const float *matrix, float *sum) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float all = 0;
    for (int column = 0; column < COLUMNS; ++column) {
        all += matrix[row * COLUMNS + column]; //= uncoalesced load
    }
    sum[row] = all;
}

int main() {
    float *host = (float *)malloc(ROWS * COLUMNS * sizeof(float));
    float *result = (float *)malloc(ROWS * sizeof(float));
    for (int i = 0; i < ROWS * COLUMNS; ++i) {
        host[i] = i % 7;
    }
    float *matrix, *sum;
    cudaMalloc(&matrix, ROWS * COLUMNS * sizeof(float));
    cudaMalloc(&sum, ROWS * sizeof(float));
    cudaMemcpy(matrix, host, ROWS * COLUMNS * sizeof(float), cudaMemcpyHostToDevice);
    sums<<<ROWS / 128, 128>>>(matrix, sum);
    cudaMemcpy(result, sum, ROWS * sizeof(float), cudaMemcpyDeviceToHost);
    for (int row = 0; row < ROWS; ++row) {
        float all = 0;
        for (int column = 0; column < COLUMNS; ++column) {
            all += host[row * COLUMNS + column];
        }
        if (result[row] != all) {
            printf("FAIL: row %d\n", row);
            return 1;
        }
    }
    printf("PASS\n");
    return 0;
}
