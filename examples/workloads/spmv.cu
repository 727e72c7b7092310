// spmv: a sparse matrix times a vector, in jagged diagonal storage and in compressed rows.
//
// A program of the kinds that DAC measures; our text of that paper stops before its list. The kernel `jagged` is
// modelled on Parboil's SPMV; `rows_kernel` is the scalar kernel for compressed rows that it is usually compared
// with.
//
// Characteristic: in jagged storage rows are sorted by length and padded to that of the longest row of 32; element k
// of all rows follow one another, so that a warp's loads of the matrix are contiguous, all its threads loop as long,
// and the bounds come from constant memory; only the loads of the vector scatter, and the stores, which undo the
// sorting. In compressed rows threads loop as long as their rows (divergence) and read the matrix far apart.
// Memory-bound. Most rows have a few elements, one in 32 many, some none; columns lie in a band around the diagonal,
// as those of a mesh.
//
// usage: spmv [rows]

#include "workload.h"

#define JAGGED_THREADS 192
#define ROW_THREADS 128
#define LONGEST 96
// Each in 20 KB of constant memory.
#define MOST_WARPS 5000
#define MOST_ROWS (32 * MOST_WARPS)

__constant__ int diagonal_start[LONGEST];
__constant__ int warp_length[MOST_WARPS];

__global__ void jagged(float *result, const float *value, const int *column, const int *original, const float *x,
                       int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        float sum = 0.0f;
        int length = warp_length[row / 32];
        for (int k = 0; k < length; k++) {
            int at = diagonal_start[k] + row;
            sum += value[at] * x[column[at]];
        }
        result[original[row]] = sum;
    }
}

__global__ void rows_kernel(float *result, const float *value, const int *column, const int *start, const float *x,
                            int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        float sum = 0.0f;
        for (int at = start[row]; at < start[row + 1]; at++)
            sum += value[at] * x[column[at]];
        result[row] = sum;
    }
}

static int row_length()
{
    unsigned random = random_below(1024);
    if (random < 32)
        return 32 + random_below(LONGEST - 31);
    return random < 96 ? 0 : 1 + random_below(12);
}

struct matrix {
    int rows, entries, padded;
    int *start, *column;    // compressed rows
    float *value;
    int *original;          // the row that stands at a place of the jagged order
    int *jagged_column;
    float *jagged_value;
    int diagonals[LONGEST], lengths[MOST_WARPS];
};

static void make_rows(matrix *m, int rows)
{
    m->rows = rows;
    m->start = (int *)malloc((rows + 1) * sizeof(int));
    m->start[0] = 0;
    for (int row = 0; row < rows; row++)
        m->start[row + 1] = m->start[row] + row_length();
    m->entries = m->start[rows];
    m->column = (int *)malloc((m->entries + 1) * sizeof(int));
    m->value = (float *)malloc((m->entries + 1) * sizeof(float));
    // Columns within 1000 of the diagonal.
    int band = rows < 2000 ? rows : 2000;
    for (int row = 0; row < rows; row++) {
        int first = row - band / 2 < 0 ? 0 : row - band / 2;
        if (first + band > rows)
            first = rows - band;
        for (int at = m->start[row]; at < m->start[row + 1]; at++) {
            unsigned bits = random_bits();
            m->column[at] = first + (bits >> 8) % band;
            m->value[at] = (bits & 255) * (1.0f / 256) - 0.5f;
        }
    }
}

// Sorts the rows by length, longest first (by counting, so that equal rows keep their order), and lays them out.
static void make_jagged(matrix *m)
{
    int count[LONGEST + 2], rows = m->rows, warps = (rows + 31) / 32;
    memset(count, 0, sizeof count);
    for (int row = 0; row < rows; row++)
        count[LONGEST - (m->start[row + 1] - m->start[row]) + 1]++;
    for (int i = 1; i < LONGEST + 2; i++)
        count[i] += count[i - 1];
    m->original = (int *)malloc(rows * sizeof(int));
    for (int row = 0; row < rows; row++)
        m->original[count[LONGEST - (m->start[row + 1] - m->start[row])]++] = row;

    for (int warp = 0; warp < warps; warp++) {
        int first = m->original[32 * warp];
        m->lengths[warp] = m->start[first + 1] - m->start[first];
    }
    m->padded = 0;
    for (int k = 0; k < LONGEST; k++) {
        int reach = 0;
        while (reach < warps && m->lengths[reach] > k)
            reach++;
        m->diagonals[k] = m->padded;
        m->padded += 32 * reach;
    }
    m->jagged_column = (int *)calloc(m->padded + 1, sizeof(int));
    m->jagged_value = (float *)calloc(m->padded + 1, sizeof(float));
    for (int place = 0; place < rows; place++) {
        int from = m->start[m->original[place]], length = m->start[m->original[place] + 1] - from;
        for (int k = 0; k < length; k++) {
            m->jagged_column[m->diagonals[k] + place] = m->column[from + k];
            m->jagged_value[m->diagonals[k] + place] = m->value[from + k];
        }
    }
}

static void check_product(const char *what, const matrix *m, const float *x, const float *result)
{
    int stride = m->rows <= 1024 ? 1 : m->rows / 997;
    for (int row = 0; row < m->rows; row += stride) {
        double sum = 0;
        for (int at = m->start[row]; at < m->start[row + 1]; at++)
            sum += (double)m->value[at] * x[m->column[at]];
        expect_float(what, row, sum, result[row], 2e-5);
    }
}

static matrix m;

int main(int argc, char **argv)
{
    int rows = argument(argc, argv, 1, 69120);
    if (rows > MOST_ROWS) {
        printf("at most %d rows\n", MOST_ROWS);
        return 2;
    }
    make_rows(&m, rows);
    make_jagged(&m);
    float *x = (float *)malloc(rows * sizeof(float));
    for (int i = 0; i < rows; i++)
        x[i] = (i * 37 & 255) * (1.0f / 128) - 1.0f;

    float *device_x = to_device(x, rows), *device_result = device_zeros<float>(rows);
    float *device_jagged = to_device(m.jagged_value, m.padded + 1);
    int *device_jagged_column = to_device(m.jagged_column, m.padded + 1);
    int *device_original = to_device(m.original, rows);
    CHECK(cudaMemcpyToSymbol(diagonal_start, m.diagonals, sizeof m.diagonals));
    CHECK(cudaMemcpyToSymbol(warp_length, m.lengths, (rows + 31) / 32 * sizeof(int)));
    jagged<<<(rows + JAGGED_THREADS - 1) / JAGGED_THREADS, JAGGED_THREADS>>>(
        device_result, device_jagged, device_jagged_column, device_original, device_x, rows);
    CHECK(cudaGetLastError());
    float *result = to_host(device_result, rows);
    check_product("row of the jagged product", &m, x, result);
    free(result);

    CHECK(cudaMemset(device_result, 0, rows * sizeof(float)));
    float *device_value = to_device(m.value, m.entries + 1);
    int *device_column = to_device(m.column, m.entries + 1), *device_start = to_device(m.start, rows + 1);
    rows_kernel<<<(rows + ROW_THREADS - 1) / ROW_THREADS, ROW_THREADS>>>(device_result, device_value, device_column,
                                                                         device_start, device_x, rows);
    CHECK(cudaGetLastError());
    result = to_host(device_result, rows);
    check_product("row of the product", &m, x, result);

    float *floats[] = {device_x, device_result, device_jagged, device_value};
    int *integers[] = {device_jagged_column, device_original, device_column, device_start};
    for (int i = 0; i < 4; i++) {
        CHECK(cudaFree(floats[i]));
        CHECK(cudaFree(integers[i]));
    }
    return verdict("spmv");
}
