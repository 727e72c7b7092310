// triangular: decomposition into triangular matrices (LU) modulo a prime, a matrix a block. In each round
// fewer rows and columns are left, so that ever fewer threads take part, by their numbers (programmatic, if
// only).
//
// usage: triangular [matrices]

#include "check.h"

#define SIDE 16
#define PRIME 251

// The inverse modulo the prime: the power of the prime less 2.
__host__ __device__ int inverse(int value)
{
    int result = 1;
    for (int power = PRIME - 2; power > 0; power >>= 1) {
        if (power & 1)
            result = result * value % PRIME;
        value = value * value % PRIME;
    }
    return result;
}

__global__ void triangular(int *matrices)
{
    __shared__ int m[SIDE][SIDE];
    int column = threadIdx.x, row = threadIdx.y;
    int *mine = matrices + blockIdx.x * SIDE * SIDE + row * SIDE + column;
    m[row][column] = *mine;
    __syncthreads();
    for (int k = 0; k < SIDE - 1; k++) {
        if (column == k && row > k)
            m[row][k] = m[row][k] * inverse(m[k][k]) % PRIME;
        __syncthreads();
        if (row > k && column > k)
            m[row][column] = (m[row][column] + (PRIME - m[row][k]) * m[k][column]) % PRIME;
        __syncthreads();
    }
    *mine = m[row][column];
}

int main(int argc, char **argv)
{
    int count = number(argc, argv, 1, 30), words = count * SIDE * SIDE;
    int *expected = (int *)malloc(words * sizeof(int)), *start = (int *)malloc(words * sizeof(int));
    for (int matrix = 0; matrix < count; matrix++) {
        // A product of triangular matrices with ones and other numbers that are not 0 on the
        // diagonals, so that no pivot is 0; they are what is to be found.
        int *lu = expected + matrix * SIDE * SIDE, *product = start + matrix * SIDE * SIDE;
        for (int i = 0; i < SIDE * SIDE; i++)
            lu[i] = 1 + random_below(PRIME - 1);
        for (int row = 0; row < SIDE; row++) {
            for (int column = 0; column < SIDE; column++) {
                int sum = 0;
                for (int k = 0; k <= row && k <= column; k++)
                    sum += (k == row ? 1 : lu[row * SIDE + k]) * lu[k * SIDE + column];
                product[row * SIDE + column] = sum % PRIME;
            }
        }
    }
    int *matrices = on_device(start, words);
    triangular<<<count, dim3(SIDE, SIDE)>>>(matrices);
    CHECK(cudaDeviceSynchronize());
    return verdict("triangular", expected, matrices, words);
}
