// heart_wall: tracks points on the walls of a beating heart through a series of ultrasound frames, as Rodinia's: a
// block has one of 51 points (20 on the inner, 31 on the outer wall) and goes through many short steps with a barrier
// after each: cut the surroundings out of the frame, turn the point's template, convolve the two, compute sums under
// every position of the template by cumulative sums, make normalised correlations of them, look for the highest one
// near the old place, and move the point. Every tenth frame renews the template.
//
// Measured by: dissertation chapter 6 (Table 6.2, HTWALL: 8.8 G instructions), the affine vector cache (Table 1).
// Characteristic: one long kernel with many phases, in some of which all 512 threads work, in some a few dozen, in some
// one; the template in shared memory, a dozen arrays for each point in global memory (stored by columns);
// positions by division and remainder. Few blocks.
//
// usage: heart_wall [frames [template radius [search radius [points]]]]

#include "workload.h"

const int BLOCK = 512, MOST_TEMPLATE = 51 * 51, MOST_SIDE = 132;

// Sides of the square arrays: template, its surroundings, both convolved, the surroundings with zeros around.
struct sizes {
    int frame, templ, around, conv, padded, reach;
};

__constant__ sizes size;

// The arrays of one point, in a row of `scratch`.
struct arrays {
    float *templ, *around, *conv, *cumulated, *selected, *narrow, *narrow_selected, *sums, *squares, *sums2, *mask,
        *weighted;
};

__host__ __device__ int scratch_size(sizes s)
{
    return s.templ * s.templ + 2 * s.around * s.around + 5 * s.conv * s.conv + s.padded * s.padded
           + 4 * s.conv * s.padded;
}

__device__ arrays arrays_of(float *scratch)
{
    arrays a;
    a.templ = scratch;
    a.around = a.templ + size.templ * size.templ;
    a.squares = a.around + size.around * size.around;
    a.conv = a.squares + size.around * size.around;
    a.sums = a.conv + size.conv * size.conv;
    a.sums2 = a.sums + size.conv * size.conv;
    a.mask = a.sums2 + size.conv * size.conv;
    a.weighted = a.mask + size.conv * size.conv;
    a.cumulated = a.weighted + size.conv * size.conv;
    a.selected = a.cumulated + size.padded * size.padded;
    a.narrow = a.selected + size.conv * size.padded;
    a.narrow_selected = a.narrow + size.conv * size.padded;
    return a;
}

// Row and column of an element of an array that is stored by columns.
__device__ void place(int element, int rows, int *row, int *column)
{
    *row = (element + 1) % rows - 1;
    *column = (element + 1) / rows;
    if ((element + 1) % rows == 0) {
        *row = rows - 1;
        *column -= 1;
    }
}

__device__ void cut(const float *frame, float *to, int side, int first_row, int first_column)
{
    for (int i = threadIdx.x; i < side * side; i += BLOCK) {
        int row, column;
        place(i, side, &row, &column);
        to[i] = frame[(first_column + column) * size.frame + first_row + row];
    }
}

// The full convolution of the turned template in shared memory with the surroundings.
__device__ void convolve(const float *turned, const float *around, float *conv)
{
    for (int i = threadIdx.x; i < size.conv * size.conv; i += BLOCK) {
        int row, column;
        place(i, size.conv, &row, &column);
        int first_a = column + 1 > size.around ? column + 1 - size.around : 0;
        int last_a = size.templ < column + 1 ? size.templ : column + 1;
        int first_b = row + 1 > size.around ? row + 1 - size.around : 0;
        int last_b = size.templ < row + 1 ? size.templ : row + 1;
        float sum = 0;
        for (int a = first_a; a < last_a; a++)
            for (int b = first_b; b < last_b; b++)
                sum += turned[size.templ * a + b] * around[size.around * (column - a) + row - b];
        conv[i] = sum;
    }
}

// Sums of `in` under every position of the template, by cumulative sums down the columns and along the rows.
__device__ void window_sums(const float *in, arrays a, float *out)
{
    int thread = threadIdx.x, row, column;
    for (int i = thread; i < size.padded * size.padded; i += BLOCK) {
        place(i, size.padded, &row, &column);
        bool inside = row >= size.templ && row < size.templ + size.around && column >= size.templ
                      && column < size.templ + size.around;
        a.cumulated[i] = inside ? in[(column - size.templ) * size.around + row - size.templ] : 0;
    }
    __syncthreads();
    for (int i = thread; i < size.padded; i += BLOCK) {
        float sum = 0;
        for (int at = i * size.padded; at < (i + 1) * size.padded; at++) {
            sum += a.cumulated[at];
            a.cumulated[at] = sum;
        }
    }
    __syncthreads();
    for (int i = thread; i < size.conv * size.padded; i += BLOCK) {
        place(i, size.conv, &row, &column);
        a.selected[i] = a.cumulated[column * size.padded + row + size.templ];
    }
    __syncthreads();
    for (int i = thread; i < size.conv * size.padded; i += BLOCK) {
        place(i, size.conv, &row, &column);
        a.narrow[i] = a.selected[i] - a.cumulated[column * size.padded + row];
    }
    __syncthreads();
    for (int i = thread; i < size.conv; i += BLOCK) {
        float sum = 0;
        for (int k = 0; k < size.padded; k++) {
            sum += a.narrow[k * size.conv + i];
            a.narrow[k * size.conv + i] = sum;
        }
    }
    __syncthreads();
    for (int i = thread; i < size.conv * size.conv; i += BLOCK)
        a.narrow_selected[i] = a.narrow[i + size.templ * size.conv];
    __syncthreads();
    for (int i = thread; i < size.conv * size.conv; i += BLOCK)
        out[i] = a.narrow_selected[i] - a.narrow[i];
    __syncthreads();
}

// Sum and sum of squares of the template: first a thread a column, then one thread.
__device__ void template_sums(const float *templ, float *part, float *part2, float *sum, float *square)
{
    int thread = threadIdx.x;
    if (thread < size.templ) {
        float own = 0, own2 = 0;
        for (int i = 0; i < size.templ; i++) {
            float value = templ[thread * size.templ + i];
            own += value;
            own2 += value * value;
        }
        part[thread] = own;
        part2[thread] = own2;
    }
    __syncthreads();
    if (thread == 0) {
        float all = 0, all2 = 0;
        for (int i = 0; i < size.templ; i++) {
            all += part[i];
            all2 += part2[i];
        }
        *sum = all;
        *square = all2;
    }
    __syncthreads();
}

// Normalised correlations, in place of the convolution.
__device__ void correlate(arrays a, float sum, float square)
{
    int count = size.templ * size.templ;
    float spread = sqrtf(fmaxf(square - sum * sum / count, 0.0f));
    for (int i = threadIdx.x; i < size.conv * size.conv; i += BLOCK) {
        float window = a.sums[i], variance = a.sums2[i] - window * window / count;
        float below = sqrtf(fmaxf(variance, 0.0f)) * spread;
        a.conv[i] = below > 1e-6f ? (a.conv[i] - window * sum / count) / below : 0;
    }
    __syncthreads();
}

// Weighs correlations by a square around the point's old place: one element of a mask, convolved with ones.
__device__ void weigh(arrays a)
{
    int centre = (size.conv - 1) / 2;
    for (int i = threadIdx.x; i < size.conv * size.conv; i += BLOCK) {
        int row, column;
        place(i, size.conv, &row, &column);
        a.mask[i] = row == centre && column == centre;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < size.conv * size.conv; i += BLOCK) {
        int row, column;
        place(i, size.conv, &row, &column);
        int first_a = max(column - size.reach, 0), last_a = min(column + size.reach, size.conv - 1);
        int first_b = max(row - size.reach, 0), last_b = min(row + size.reach, size.conv - 1);
        float sum = 0;
        for (int p = first_a; p <= last_a; p++)
            for (int q = first_b; q <= last_b; q++)
                sum += a.mask[p * size.conv + q];
        a.weighted[i] = sum * a.conv[i];
    }
    __syncthreads();
}

// The place of the highest weighted correlation: first a thread a column, then one thread.
__device__ int highest(const float *weighted, float *part, int *part_at)
{
    __shared__ int found;
    int thread = threadIdx.x;
    if (thread < size.conv) {
        float most = 0;
        int at = 0;
        for (int i = 0; i < size.conv; i++) {
            if (weighted[thread * size.conv + i] > most) {
                most = weighted[thread * size.conv + i];
                at = i;
            }
        }
        part[thread] = most;
        part_at[thread] = at;
    }
    __syncthreads();
    if (thread == 0) {
        float most = 0;
        found = 0;
        for (int i = 0; i < size.conv; i++) {
            if (part[i] > most) {
                most = part[i];
                found = i * size.conv + part_at[i];
            }
        }
    }
    __syncthreads();
    return found;
}

__global__ void track(const float *frame, int number, float *scratch, int *rows, int *columns)
{
    __shared__ float turned[MOST_TEMPLATE], part[MOST_SIDE], part2[MOST_SIDE], sum, square;
    __shared__ int part_at[MOST_SIDE];
    int thread = threadIdx.x, point = blockIdx.x;
    arrays a = arrays_of(scratch + point * scratch_size(size));
    int radius = size.templ / 2, around = size.around / 2;
    int row = rows[point], column = columns[point];
    if (number == 0) {
        cut(frame, a.templ, size.templ, row - radius, column - radius);
        return;
    }
    cut(frame, a.around, size.around, row - around, column - around);
    __syncthreads();
    int count = size.templ * size.templ;
    for (int i = thread; i < count; i += BLOCK) {
        int r, c;
        place(i, size.templ, &r, &c);
        turned[(size.templ - 1 - c) * size.templ + size.templ - 1 - r] = a.templ[i];
    }
    __syncthreads();
    convolve(turned, a.around, a.conv);
    __syncthreads();
    window_sums(a.around, a, a.sums);
    for (int i = thread; i < size.around * size.around; i += BLOCK)
        a.squares[i] = a.around[i] * a.around[i];
    __syncthreads();
    window_sums(a.squares, a, a.sums2);
    template_sums(a.templ, part, part2, &sum, &square);
    correlate(a, sum, square);
    weigh(a);
    int best = highest(a.weighted, part, part_at), centre = (size.conv - 1) / 2;
    row += best % size.conv - centre;
    column += best / size.conv - centre;
    if (thread == 0) {
        rows[point] = row;
        columns[point] = column;
    }
    if (number % 10 == 0) {
        const float kept = 0.87f;
        for (int i = thread; i < count; i += BLOCK) {
            int r, c;
            place(i, size.templ, &r, &c);
            float now = frame[(column - radius + c) * size.frame + row - radius + r];
            a.templ[i] = kept * a.templ[i] + (1 - kept) * now;
        }
    }
}

// The frame, moved by some rows and columns; what comes in at the edges is what was there.
void shift(const float *from, float *to, int side, int rows, int columns)
{
    memcpy(to, from, side * side * sizeof(float));
    for (int column = 8; column < side - 8; column++)
        memcpy(to + column * side + 8, from + (column - columns) * side + 8 - rows, (side - 16) * sizeof(float));
}

// The correlation of two cut-outs in double precision.
double host_correlation(const float *first, int row, int column, const float *second, int row2, int column2, int side,
                        int radius)
{
    double s = 0, t = 0, st = 0, ss = 0, tt = 0;
    int count = (2 * radius + 1) * (2 * radius + 1);
    for (int c = -radius; c <= radius; c++) {
        for (int r = -radius; r <= radius; r++) {
            double a = first[(column + c) * side + row + r], b = second[(column2 + c) * side + row2 + r];
            s += a;
            t += b;
            st += a * b;
            ss += a * a;
            tt += b * b;
        }
    }
    return (st - s * t / count) / sqrt((ss - s * s / count) * (tt - t * t / count));
}

int main(int argc, char **argv)
{
    int frames = argument(argc, argv, 1, 1), radius = argument(argc, argv, 2, 4), search = argument(argc, argv, 3, 8);
    int points = argument(argc, argv, 4, 51), side = 320;
    if (radius > 25 || search > 40 || search <= radius + 3 || frames > 20) {
        printf("heart_wall: radii to 25 and 40, the second at least 4 more than the first; at most 20 frames\n");
        return 2;
    }
    int templ = 2 * radius + 1, around = 2 * search + 1;
    sizes s = {side, templ, around, templ + around - 1, around + 2 * templ, search - radius};
    CHECK(cudaMemcpyToSymbol(size, &s, sizeof s));

    // An inner and an outer wall of points, and a frame of speckle.
    int *rows = (int *)malloc(points * sizeof(int)), *columns = (int *)malloc(points * sizeof(int));
    int *first_rows = (int *)malloc(points * sizeof(int)), *first_columns = (int *)malloc(points * sizeof(int));
    for (int point = 0; point < points; point++) {
        int inner = point < 20;
        float angle = 6.2831853f * (inner ? point / 20.0f : (point - 20) / 31.0f), far = inner ? 35 : 65;
        first_rows[point] = rows[point] = side / 2 + (int)(far * sinf(angle));
        first_columns[point] = columns[point] = side / 2 + (int)(far * cosf(angle));
    }
    int pixels = side * side, moved_rows = 0, moved_columns = 0;
    float *first = (float *)malloc(pixels * sizeof(float)), *next = (float *)malloc(pixels * sizeof(float));
    float *current = (float *)malloc(pixels * sizeof(float));
    for (int i = 0; i < pixels; i++)
        first[i] = random_unit() * (0.5f + (i / side % 64) / 128.0f);
    memcpy(current, first, pixels * sizeof(float));

    float *d_frame = to_device(first, pixels), *d_scratch = device_zeros<float>(points * scratch_size(s));
    int *d_rows = to_device(rows, points), *d_columns = to_device(columns, points);
    track<<<points, BLOCK>>>(d_frame, 0, d_scratch, d_rows, d_columns);
    for (int number = 1; number <= frames; number++) {
        int down = (int)random_below(5) - 2, right = (int)random_below(5) - 2;
        // What has come in from the edges may not reach the surroundings of a point.
        if (abs(moved_rows + down) > 12 || abs(moved_columns + right) > 12)
            down = right = 0;
        shift(current, next, side, down, right);
        memcpy(current, next, pixels * sizeof(float));
        moved_rows += down;
        moved_columns += right;
        CHECK(cudaMemcpy(d_frame, current, pixels * sizeof(float), cudaMemcpyHostToDevice));
        track<<<points, BLOCK>>>(d_frame, number, d_scratch, d_rows, d_columns);
        int *found_rows = to_host(d_rows, points), *found_columns = to_host(d_columns, points);
        for (int point = 0; point < points; point++) {
            expect_int("row of point", point, first_rows[point] + moved_rows, found_rows[point]);
            expect_int("column of point", point, first_columns[point] + moved_columns, found_columns[point]);
        }
        // The last frame's correlations, as long as templates are the first frame's.
        if (number == frames && frames <= 10) {
            float *scratch = to_host(d_scratch, points * scratch_size(s));
            int offset = templ * templ + 2 * around * around, centre = (s.conv - 1) / 2;
            for (int k = 0; k < 50; k++) {
                int point = random_below(points), r = (int)random_below(2 * s.reach + 1) - s.reach;
                int c = (int)random_below(2 * s.reach + 1) - s.reach;
                // The search was around the place in the frame before.
                int row = found_rows[point] - down + r, column = found_columns[point] - right + c;
                double expected = host_correlation(first, first_rows[point], first_columns[point], current, row, column,
                                                   side, radius);
                float *conv = scratch + point * scratch_size(s) + offset;
                expect_float("correlation of point", point, expected, conv[(centre + c) * s.conv + centre + r], 2e-3);
            }
            free(scratch);
        }
        free(found_rows);
        free(found_columns);
    }
    printf("heart_wall: %d points, %d frames, templates of %d x %d in %d x %d\n", points, frames, templ, templ, around,
           around);
    return verdict("heart_wall");
}
