// sum_of_absolute_differences: block matching of a video encoder: for each 4 x 4 block of a frame the sums of
// absolute differences from a reference frame at 33 x 33 displacements, then the sums for larger blocks.
//
// DAC's kind of program; our text of that paper stops before its list. Modelled on Parboil's SAD.
//
// Characteristic: blocks of 61 threads, 18 displacements for each, three at a time that share the pixels they read;
// the current block and the results in shared memory, copied out by one warp in words of 8 bytes (the other warp
// idles); the pixels are 16 bits wide. Two further kernels of 32 x 4 and 32 threads add packed pairs of results,
// with contiguous loads and stores only: memory-bound. The public program reads the reference frame through a
// texture that clamps; here the frame has a border of the same pixels.
//
// usage: sum_of_absolute_differences [width [height]]; multiples of 16

#include "workload.h"

#define RANGE 16
#define DIMENSION (2 * RANGE + 1)
#define POSITIONS (DIMENSION * DIMENSION)
// Rows of results begin at multiples of 16 bytes.
#define PADDED_POSITIONS 1096
#define PER_THREAD 18
#define THREADS ((POSITIONS + PER_THREAD - 1) / PER_THREAD)
// A row of three displacements of a 4 x 4 block reads up to 6 pixels.
#define BORDER (RANGE + 4)

typedef unsigned short pixel;

// The results of one size of block follow those of the next larger: 1 of 16 x 16, 2 of 8 x 16, 2 of 16 x 8, 4 of 8 x
// 8, 8 of 4 x 8, 8 of 8 x 4, and 16 of 4 x 4 for each macroblock of 16 x 16 pixels.
__global__ void match_blocks(pixel *sums, const pixel *frame, const pixel *reference, int mb_width, int mb_height)
{
    __shared__ pixel current[16];
    __shared__ uint2 packed[PADDED_POSITIONS / 4];
    pixel *found = (pixel *)packed;
    int thread = threadIdx.x;
    int width = mb_width * 16, pitch = width + 2 * BORDER;
    int left = blockIdx.x * 4, top = blockIdx.y * 4;

    if (thread < 16)
        current[thread] = frame[(top + (thread >> 2)) * width + left + (thread & 3)];
    // The padding is copied out with the rest.
    if (thread < PADDED_POSITIONS - POSITIONS)
        found[POSITIONS + thread] = 0;
    __syncthreads();

    int position = thread * PER_THREAD;
    int end = position + PER_THREAD < POSITIONS ? position + PER_THREAD : POSITIONS;
    int row = position / DIMENSION;
    int offset = position - row * DIMENSION;
    row += top - RANGE + BORDER;
    for (; position < end; position += 3) {
        const pixel *from = reference + row * pitch + left - RANGE + BORDER + offset;
        int sum1 = 0, sum2 = 0, sum3 = 0;
        for (int y = 0; y < 4; y++) {
            int c0 = current[4 * y], c1 = current[4 * y + 1], c2 = current[4 * y + 2], c3 = current[4 * y + 3];
            int t = __ldg(from + y * pitch);
            sum1 += abs(t - c0);
            t = __ldg(from + y * pitch + 1);
            sum1 += abs(t - c1);
            sum2 += abs(t - c0);
            t = __ldg(from + y * pitch + 2);
            sum1 += abs(t - c2);
            sum2 += abs(t - c1);
            sum3 += abs(t - c0);
            t = __ldg(from + y * pitch + 3);
            sum1 += abs(t - c3);
            sum2 += abs(t - c2);
            sum3 += abs(t - c1);
            t = __ldg(from + y * pitch + 4);
            sum2 += abs(t - c3);
            sum3 += abs(t - c2);
            t = __ldg(from + y * pitch + 5);
            sum3 += abs(t - c3);
        }
        found[position] = sum1;
        found[position + 1] = sum2;
        found[position + 2] = sum3;
        offset += 3;
        if (offset >= DIMENSION) {
            offset -= DIMENSION;
            row++;
        }
    }
    __syncthreads();

    if (thread < 32) {
        int macroblock = (blockIdx.y >> 2) * mb_width + (blockIdx.x >> 2);
        int block = 4 * (blockIdx.y & 3) + (blockIdx.x & 3);
        pixel *out = sums + (mb_width * mb_height * 25 + macroblock * 16 + block) * PADDED_POSITIONS;
        for (int i = thread; i < PADDED_POSITIONS / 4; i += 32)
            ((uint2 *)out)[i] = packed[i];
    }
}

// Sizes 4 x 8, 8 x 4 and 8 x 8 of each quarter of a macroblock; two results in each word, no sum overflows.
__global__ void sums_to_8(pixel *sums, int mb_width, int mb_height)
{
    int tx = threadIdx.y & 1;
    int ty = threadIdx.y >> 1;
    int macroblocks = mb_width * mb_height;
    int macroblock = (blockIdx.y * mb_width + blockIdx.x) * PADDED_POSITIONS;
    const pixel *from = sums + (macroblocks * 25 + ty * 8 + tx * 2) * PADDED_POSITIONS + macroblock * 16;
    pixel *tall = sums + (macroblocks * 17 + ty * 4 + tx * 2) * PADDED_POSITIONS + macroblock * 8;
    pixel *wide = sums + (macroblocks * 9 + ty * 4 + tx) * PADDED_POSITIONS + macroblock * 8;
    pixel *square = sums + (macroblocks * 5 + ty * 2 + tx) * PADDED_POSITIONS + macroblock * 4;
    for (int i = threadIdx.x; i < (POSITIONS + 1) / 2; i += 32) {
        unsigned a = ((const unsigned *)from)[i];
        unsigned b = ((const unsigned *)from)[i + PADDED_POSITIONS / 2];
        unsigned c = ((const unsigned *)from)[i + 4 * PADDED_POSITIONS / 2];
        unsigned d = ((const unsigned *)from)[i + 5 * PADDED_POSITIONS / 2];
        ((unsigned *)tall)[i] = a + c;
        ((unsigned *)tall)[i + PADDED_POSITIONS / 2] = b + d;
        ((unsigned *)wide)[i] = a + b;
        ((unsigned *)wide)[i + 2 * PADDED_POSITIONS / 2] = c + d;
        ((unsigned *)square)[i] = (a + b) + (c + d);
    }
}

// Sizes 8 x 16, 16 x 8 and 16 x 16.
__global__ void sums_to_16(pixel *sums, int mb_width, int mb_height)
{
    int macroblocks = mb_width * mb_height * PADDED_POSITIONS;
    int macroblock = (blockIdx.y * mb_width + blockIdx.x) * PADDED_POSITIONS;
    const pixel *from = sums + macroblocks * 5 + macroblock * 4;
    pixel *tall = sums + macroblocks * 3 + macroblock * 2;
    pixel *wide = sums + macroblocks + macroblock * 2;
    pixel *square = sums + macroblock;
    for (int i = threadIdx.x; i < (POSITIONS + 1) / 2; i += 32) {
        unsigned a = ((const unsigned *)from)[i];
        unsigned b = ((const unsigned *)from)[i + PADDED_POSITIONS / 2];
        unsigned c = ((const unsigned *)from)[i + 2 * PADDED_POSITIONS / 2];
        unsigned d = ((const unsigned *)from)[i + 3 * PADDED_POSITIONS / 2];
        ((unsigned *)tall)[i] = a + c;
        ((unsigned *)tall)[i + PADDED_POSITIONS / 2] = b + d;
        ((unsigned *)wide)[i] = a + b;
        ((unsigned *)wide)[i + PADDED_POSITIONS / 2] = c + d;
        ((unsigned *)square)[i] = (a + b) + (c + d);
    }
}

// The sizes of blocks: pixels, and the place of their results in units of rows for each macroblock.
static const int block_sizes[7][3] = {{16, 16, 0}, {16, 8, 1}, {8, 16, 3}, {8, 8, 5}, {8, 4, 9},
                                       {4, 8, 17}, {4, 4, 25}};

// All sizes at one displacement of one macroblock.
static void check_position(const pixel *sums, const pixel *frame, const pixel *reference, int mb_width, int mb_height,
                           int macroblock, int position)
{
    int width = mb_width * 16, pitch = width + 2 * BORDER;
    int left = macroblock % mb_width * 16, top = macroblock / mb_width * 16;
    int dx = position % DIMENSION - RANGE + BORDER, dy = position / DIMENSION - RANGE + BORDER;
    int small[4][4];
    memset(small, 0, sizeof small);
    for (int y = 0; y < 16; y++)
        for (int x = 0; x < 16; x++)
            small[y / 4][x / 4] += abs(reference[(top + y + dy) * pitch + left + x + dx]
                                       - frame[(top + y) * width + left + x]);
    for (int size = 0; size < 7; size++) {
        int across = block_sizes[size][0] / 4, down = block_sizes[size][1] / 4;
        int many = 16 / (across * down);
        for (int block = 0; block < many; block++) {
            int x0 = block % (4 / across) * across, y0 = block / (4 / across) * down, sum = 0;
            for (int y = y0; y < y0 + down; y++)
                for (int x = x0; x < x0 + across; x++)
                    sum += small[y][x];
            int row = block_sizes[size][2] * mb_width * mb_height + macroblock * many + block;
            expect_int("sum", row * PADDED_POSITIONS + position, sum, sums[row * PADDED_POSITIONS + position]);
        }
    }
}

int main(int argc, char **argv)
{
    int width = argument(argc, argv, 1, 112);
    int height = argument(argc, argv, 2, 96);
    if (width % 16 || height % 16) {
        printf("width and height must be multiples of 16\n");
        return 2;
    }
    int mb_width = width / 16, mb_height = height / 16, pitch = width + 2 * BORDER;
    int reference_size = pitch * (height + 2 * BORDER);
    pixel *frame = (pixel *)malloc(width * height * sizeof(pixel));
    pixel *reference = (pixel *)malloc(reference_size * sizeof(pixel));
    // The reference is the frame moved by (3, -2), with noise; its border repeats the edge.
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            frame[y * width + x] = ((x * x + 3 * y * x) / 64 + random_below(64)) & 255;
    for (int y = 0; y < height + 2 * BORDER; y++)
        for (int x = 0; x < pitch; x++) {
            int from_x = x - BORDER - 3, from_y = y - BORDER + 2;
            from_x = from_x < 0 ? 0 : from_x >= width ? width - 1 : from_x;
            from_y = from_y < 0 ? 0 : from_y >= height ? height - 1 : from_y;
            reference[y * pitch + x] = frame[from_y * width + from_x];
        }

    int results = 41 * PADDED_POSITIONS * mb_width * mb_height;
    pixel *device_frame = to_device(frame, width * height), *device_reference = to_device(reference, reference_size);
    pixel *device_sums = device_zeros<pixel>(results);
    match_blocks<<<dim3(width / 4, height / 4), THREADS>>>(device_sums, device_frame, device_reference, mb_width,
                                                           mb_height);
    CHECK(cudaGetLastError());
    sums_to_8<<<dim3(mb_width, mb_height), dim3(32, 4)>>>(device_sums, mb_width, mb_height);
    CHECK(cudaGetLastError());
    sums_to_16<<<dim3(mb_width, mb_height), dim3(32, 1)>>>(device_sums, mb_width, mb_height);
    CHECK(cudaGetLastError());

    pixel *sums = to_host(device_sums, results);
    int stride = mb_width * mb_height == 1 ? 1 : 53;
    for (int position = 0; position < POSITIONS; position += stride)
        check_position(sums, frame, reference, mb_width, mb_height, position / stride % (mb_width * mb_height),
                       position);
    CHECK(cudaFree(device_frame));
    CHECK(cudaFree(device_reference));
    CHECK(cudaFree(device_sums));
    free(frame);
    free(reference);
    free(sums);
    return verdict("sum_of_absolute_differences");
}
