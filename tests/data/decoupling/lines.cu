// Which loads ask for their lines early, where each thread of a warp may take a line of its own.

// Rows by threads: the first of four neighbours asks for the line of all.
__global__ void rows(const float *matrix, float *sums, int columns) {
    int row = threadIdx.x;
    float sum = 0;
    for (int k = 0; k < columns; k += 4) {
        const float *at = matrix + row * columns + k;
        sum += at[0] + at[1] + at[2] + at[3];
    }
    sums[row] = sum;
}

// Threads beside each other: the next row of the stencil is another line, and so may be the next word.
__global__ void columns(const float *matrix, float *sums, int columns) {
    int column = threadIdx.x;
    const float *at = matrix + column;
    sums[column] = at[0] + at[1] + at[64] + at[columns];
}

// A line and a half apart: two lines for each thread.
__global__ void structures(const float *values, float *sums) {
    const float *at = values + threadIdx.x * 48;
    sums[threadIdx.x] = at[0] + at[2] + at[30];
}
