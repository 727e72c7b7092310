// dct8x8: discrete cosine transforms of the 8 x 8 blocks of an image, quantisation, and the way back.
//
// BCC (Table 1) measures an 8 x 8 discrete cosine transform; DAC's kind too, but our text of that paper stops before
// its list. Modelled on the CUDA SDK's dct8x8.
//
// Characteristic: four kernels. The transform by matrix products: a thread for each pixel in blocks of 8 x 8, two
// products with a constant matrix in shared memory. The fast transform: blocks of 8 x 4 x 4 threads for 32 x 32
// pixels, a thread for a row and then a column of 8, in shared memory with a stride that avoids bank conflicts,
// and a barrier between the two. Quantisation: a thread for each coefficient,
// a table look-up by the place in the block. The inverse by matrix products. Addresses affine in thread and block
// numbers; small blocks, coherent.
//
// usage: dct8x8 [width [height]]; multiples of 32

#include "workload.h"

#define SIDE 8
#define WIDE 32
#define SHARED_STRIDE (WIDE + 1)

// Row k, column n: the k-th cosine at n, normalised.
__constant__ float cosines[SIDE * SIDE];
__constant__ short quantisers[SIDE * SIDE];

// One block of 8 x 8: C X C^T, or C^T X C for the inverse.
template <bool INVERSE> __global__ void transform_by_products(float *out, const float *in, int pitch)
{
    __shared__ float block[SIDE * SIDE];
    __shared__ float between[SIDE * SIDE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int at = (blockIdx.y * SIDE + ty) * pitch + blockIdx.x * SIDE + tx;
    block[ty * SIDE + tx] = in[at];
    __syncthreads();
    float sum = 0.0f;
#pragma unroll
    for (int i = 0; i < SIDE; i++)
        sum += (INVERSE ? cosines[i * SIDE + ty] : cosines[ty * SIDE + i]) * block[i * SIDE + tx];
    between[ty * SIDE + tx] = sum;
    __syncthreads();
    sum = 0.0f;
#pragma unroll
    for (int i = 0; i < SIDE; i++)
        sum += between[ty * SIDE + i] * (INVERSE ? cosines[i * SIDE + tx] : cosines[tx * SIDE + i]);
    out[at] = sum;
}

// A transform of 8 numbers that lie `step` apart, in place, with 5 constants (half of the cosines of multiples of pi
// / 16).
__device__ static void transform_eight(float *v, int step)
{
    const float a = 1.387039845322148f, b = 1.306562964876377f, c = 1.175875602419359f;
    const float d = 0.785694958387102f, e = 0.541196100146197f, f = 0.275899379282943f;
    const float norm = 0.353553390593274f;
    float sum07 = v[0] + v[7 * step], difference07 = v[0] - v[7 * step];
    float sum16 = v[step] + v[6 * step], difference16 = v[step] - v[6 * step];
    float sum25 = v[2 * step] + v[5 * step], difference25 = v[2 * step] - v[5 * step];
    float sum34 = v[3 * step] + v[4 * step], difference34 = v[3 * step] - v[4 * step];
    float even0 = sum07 + sum34, even1 = sum16 + sum25, even2 = sum07 - sum34, even3 = sum16 - sum25;
    v[0] = norm * (even0 + even1);
    v[4 * step] = norm * (even0 - even1);
    v[2 * step] = norm * (b * even2 + e * even3);
    v[6 * step] = norm * (e * even2 - b * even3);
    v[step] = norm * (a * difference07 + c * difference16 + d * difference25 + f * difference34);
    v[3 * step] = norm * (c * difference07 - f * difference16 - a * difference25 - d * difference34);
    v[5 * step] = norm * (d * difference07 - a * difference16 + f * difference25 + c * difference34);
    v[7 * step] = norm * (f * difference07 - d * difference16 + c * difference25 - a * difference34);
}

// 16 blocks of 8 x 8 by 128 threads: z and y choose the block, x a row and then a column.
__global__ void transform_fast(float *out, const float *in, int pitch)
{
    __shared__ float shared[WIDE * SHARED_STRIDE];
    int column = threadIdx.y * SIDE + threadIdx.x;
    int row = threadIdx.z * SIDE;
    int at = (blockIdx.y * WIDE + row) * pitch + blockIdx.x * WIDE + column;
    float *tile = shared + row * SHARED_STRIDE + column;
#pragma unroll
    for (int i = 0; i < SIDE; i++)
        tile[i * SHARED_STRIDE] = in[at + i * pitch];
    // A row first: this thread's row of its block.
    __syncthreads();
    transform_eight(shared + (row + threadIdx.x) * SHARED_STRIDE + threadIdx.y * SIDE, 1);
    __syncthreads();
    transform_eight(tile, SHARED_STRIDE);
#pragma unroll
    for (int i = 0; i < SIDE; i++)
        out[at + i * pitch] = tile[i * SHARED_STRIDE];
}

__global__ void quantise(float *plane, int pitch)
{
    int tx = threadIdx.x, ty = threadIdx.y;
    int at = (blockIdx.y * SIDE + ty) * pitch + blockIdx.x * SIDE + tx;
    float step = quantisers[ty * SIDE + tx];
    plane[at] = rintf(plane[at] / step) * step;
}

// The transform of one block by its definition, in double precision.
static void host_transform(const float *image, int pitch, double *out)
{
    static double table[SIDE][SIDE];
    if (table[0][0] == 0)
        for (int k = 0; k < SIDE; k++)
            for (int n = 0; n < SIDE; n++)
                table[k][n] = sqrt((k ? 2.0 : 1.0) / SIDE) * cos(M_PI * (2 * n + 1) * k / (2 * SIDE));
    double rows[SIDE][SIDE];
    for (int y = 0; y < SIDE; y++)
        for (int k = 0; k < SIDE; k++) {
            rows[y][k] = 0;
            for (int n = 0; n < SIDE; n++)
                rows[y][k] += table[k][n] * image[y * pitch + n];
        }
    for (int j = 0; j < SIDE; j++)
        for (int k = 0; k < SIDE; k++) {
            out[j * SIDE + k] = 0;
            for (int y = 0; y < SIDE; y++)
                out[j * SIDE + k] += table[j][y] * rows[y][k];
        }
}

// The tables in constant memory; the quantisers are those of JPEG's standard for luminance, at half its strength.
static void copy_tables(short *steps)
{
    static const short luminance[SIDE * SIDE] = {
        16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57,
        69, 56, 14, 17, 22, 29, 51, 87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64,
        81, 104, 113, 92, 49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99};
    float host_cosines[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++) {
        int k = i / SIDE, n = i % SIDE;
        host_cosines[i] = sqrt((k ? 2.0 : 1.0) / SIDE) * cos(M_PI * (2 * n + 1) * k / (2 * SIDE));
        steps[i] = (luminance[i] + 1) / 2;
    }
    CHECK(cudaMemcpyToSymbol(cosines, host_cosines, sizeof host_cosines));
    CHECK(cudaMemcpyToSymbol(quantisers, steps, SIDE * SIDE * sizeof(short)));
}

int main(int argc, char **argv)
{
    int width = argument(argc, argv, 1, 768);
    int height = argument(argc, argv, 2, 512);
    if (width % WIDE || height % WIDE) {
        printf("width and height must be multiples of %d\n", WIDE);
        return 2;
    }
    int count = width * height;
    short steps[SIDE * SIDE];
    copy_tables(steps);
    float *image = (float *)malloc(count * sizeof(float));
    for (int i = 0; i < count; i++) {
        int x = i % width, y = i / width;
        image[i] = ((x * x + 5 * y * x / 3 + 7 * y) / 37 & 127) - 64.0f + 32.0f * (random_unit() - 0.5f);
    }
    float *in = to_device(image, count);
    float *slow = device_zeros<float>(count), *fast = device_zeros<float>(count), *back = device_zeros<float>(count);
    dim3 blocks(width / SIDE, height / SIDE), block(SIDE, SIDE);
    transform_by_products<false><<<blocks, block>>>(slow, in, width);
    CHECK(cudaGetLastError());
    transform_fast<<<dim3(width / WIDE, height / WIDE), dim3(SIDE, WIDE / SIDE, WIDE / SIDE)>>>(fast, in, width);
    CHECK(cudaGetLastError());
    float *by_products = to_host(slow, count), *by_butterflies = to_host(fast, count);
    quantise<<<blocks, block>>>(slow, width);
    CHECK(cudaGetLastError());
    transform_by_products<true><<<blocks, block>>>(back, slow, width);
    CHECK(cudaGetLastError());
    float *quantised = to_host(slow, count), *result = to_host(back, count);

    int all = count / 64, stride = all <= 64 ? 1 : all / 61;
    for (int which = 0; which < all; which += stride) {
        int first = which / (width / SIDE) * SIDE * width + which % (width / SIDE) * SIDE;
        double expected[SIDE * SIDE], error = 0, lost = 0;
        host_transform(image + first, width, expected);
        for (int i = 0; i < SIDE * SIDE; i++) {
            int at = first + i / SIDE * width + i % SIDE;
            expect_float("coefficient", at, 0, (by_products[at] - expected[i]) / 512, 1e-5);
            expect_float("coefficient of the fast transform", at, 0, (by_butterflies[at] - expected[i]) / 512, 1e-5);
            // A multiple of the step, and no farther than half of it.
            double multiple = quantised[at] / steps[i];
            expect_float("multiple", at, rint(multiple), multiple, 1e-5);
            expect_int("quantised", at, 1, fabs(quantised[at] - expected[i]) <= steps[i] * 0.5 + 1e-2);
            error += ((double)result[at] - image[at]) * ((double)result[at] - image[at]);
            lost += (quantised[at] - expected[i]) * (quantised[at] - expected[i]);
        }
        // The transform keeps sums of squares: what quantisation loses comes back as the error of the image.
        expect_float("error of block", which, 1, error / lost, 1e-3);
    }
    CHECK(cudaFree(in));
    CHECK(cudaFree(slow));
    CHECK(cudaFree(fast));
    CHECK(cudaFree(back));
    return verdict("dct8x8");
}
