// Quotients and remainders of threadIdx.x by constants.

// Tiles of 16 by 16 by blocks of one dimension.
__global__ void tile(const float *a, float *b, int width) {
    __shared__ float rows[16][17];
    int row = threadIdx.x / 16, column = threadIdx.x % 16;
    const float *from = a + (blockIdx.y * 16 + row) * width + blockIdx.x * 16 + column;
    rows[row][column] = *from;
    __syncthreads();
    b[(blockIdx.x * 16 + row) * width + blockIdx.y * 16 + column] = rows[column][row];
}

__global__ void tens(const int *a, int *b, int n) {
    unsigned row = threadIdx.x / 10, column = threadIdx.x % 10;
    if (row < n)
        b[column * n + row] = a[threadIdx.x / 10 * 12 + column] + a[blockIdx.x / 3 + threadIdx.x];
}

__global__ void small(const char *a, char *b) {
    b[threadIdx.x] = a[threadIdx.x / 4] + a[threadIdx.x % 4];
}

__global__ void shifts(const int *a, int *b, int n) {
    unsigned x = threadIdx.x;
    b[x] = a[(x >> 3) * n + (x & 7)] + a[x & ~7u] + a[(n * 8 + x) & ~7] + a[x ^ 15];
}

// By two numbers at once, steps inside of periods, what may wrap, and what is divided by something unknown.
__global__ void not_affine(const int *a, int *b, int n) {
    int x = threadIdx.x, g = blockIdx.x * blockDim.x + x;
    b[x] = a[x / 4 + x % 10] + a[(x + 1) / 4] + a[g / 4] + a[x / n];
}

// Divided in rounds.
__global__ void loop(const int *a, int *b, int n) {
    int x = threadIdx.x, sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[(i * 8 + x / 8) * 10 + x % 8];
    b[x] = sum;
}
