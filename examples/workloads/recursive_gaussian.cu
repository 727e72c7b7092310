// recursive_gaussian: a Gaussian blur of an image by a recursive filter, down the columns and back, then along the
// rows.
//
// BCC (Table 1) measures it; DAC's kind too, but our text of that paper stops before its list. Modelled on the CUDA
// SDK's recursiveGaussian.
//
// Characteristic: one thread for each column, blocks of 64 threads; each thread walks down its column and back up
// with the last inputs and outputs in registers, four colours at a time packed into a word; loads and stores are
// contiguous and their addresses affine, each pixel's result depends on the last one (latency); then a transpose by
// tiles of 16 x 16, the same for the other direction, and a transpose. An image that fills a GTX 480 three times
// would have 23040 columns and rows: `full` fills it less.
//
// usage: recursive_gaussian [width [height]]; multiples of 64

#include "workload.h"

#define THREADS 64
#define TILE 16
#define SIGMA 10.0f

struct filter {
    float a0, a1, a2, a3, b1, b2, forward, backward;
};

__device__ static float4 unpack(unsigned pixel)
{
    return make_float4((pixel & 255) / 255.0f, (pixel >> 8 & 255) / 255.0f, (pixel >> 16 & 255) / 255.0f,
                       (pixel >> 24) / 255.0f);
}

__device__ static unsigned pack(float4 color)
{
    unsigned r = (unsigned)(__saturatef(color.x) * 255.0f);
    unsigned g = (unsigned)(__saturatef(color.y) * 255.0f);
    unsigned b = (unsigned)(__saturatef(color.z) * 255.0f);
    unsigned a = (unsigned)(__saturatef(color.w) * 255.0f);
    return a << 24 | b << 16 | g << 8 | r;
}

__device__ static float4 scaled(float4 v, float s)
{
    return make_float4(v.x * s, v.y * s, v.z * s, v.w * s);
}

// c0 x0 + c1 x1 - b1 y1 - b2 y2
__device__ static float4 next_output(float4 x0, float c0, float4 x1, float c1, float4 y1, float b1, float4 y2,
                                     float b2)
{
    return make_float4(c0 * x0.x + c1 * x1.x - b1 * y1.x - b2 * y2.x, c0 * x0.y + c1 * x1.y - b1 * y1.y - b2 * y2.y,
                       c0 * x0.z + c1 * x1.z - b1 * y1.z - b2 * y2.z, c0 * x0.w + c1 * x1.w - b1 * y1.w - b2 * y2.w);
}

__device__ static float4 sum_of(float4 a, float4 b)
{
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

__global__ void filter_columns(const unsigned *in, unsigned *out, int width, int height, filter f)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= width)
        return;
    in += x;
    out += x;

    // Down; before the first pixel lies more of the same.
    float4 last_in = unpack(*in);
    float4 last_out = scaled(last_in, f.forward);
    float4 before_out = last_out;
    for (int y = 0; y < height; y++) {
        float4 here = unpack(*in);
        float4 result = next_output(here, f.a0, last_in, f.a1, last_out, f.b1, before_out, f.b2);
        *out = pack(result);
        in += width;
        out += width;
        last_in = here;
        before_out = last_out;
        last_out = result;
    }

    // And up, adding to what the way down has stored.
    in -= width;
    out -= width;
    last_in = unpack(*in);
    float4 second_in = last_in;
    last_out = scaled(last_in, f.backward);
    before_out = last_out;
    for (int y = height - 1; y >= 0; y--) {
        float4 here = unpack(*in);
        float4 result = next_output(last_in, f.a2, second_in, f.a3, last_out, f.b1, before_out, f.b2);
        second_in = last_in;
        last_in = here;
        before_out = last_out;
        last_out = result;
        *out = pack(sum_of(unpack(*out), result));
        in -= width;
        out -= width;
    }
}

__global__ void transpose(unsigned *out, const unsigned *in, int width, int height)
{
    __shared__ unsigned tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    if (x < width && y < height)
        tile[threadIdx.y][threadIdx.x] = in[y * width + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    if (x < height && y < width)
        out[y * height + x] = tile[threadIdx.x][threadIdx.y];
}

// The coefficients of order 0 (Deriche's filter as the public program computes it).
static filter coefficients(float sigma)
{
    double alpha = 1.695 / sigma, ema = exp(-alpha), ema2 = exp(-2 * alpha);
    double k = (1 - ema) * (1 - ema) / (1 + 2 * alpha * ema - ema2);
    filter f;
    f.a0 = k;
    f.a1 = k * (alpha - 1) * ema;
    f.a2 = k * (alpha + 1) * ema;
    f.a3 = -k * ema2;
    f.b1 = -2 * ema;
    f.b2 = ema2;
    f.forward = (f.a0 + f.a1) / (1 + f.b1 + f.b2);
    f.backward = (f.a2 + f.a3) / (1 + f.b1 + f.b2);
    return f;
}

// One colour of one line, `step` words between pixels; the way down rounded down to a byte, as on the device.
static void host_line(const unsigned *in, int step, int length, int shift, const filter *f, double *result)
{
    double x1 = (in[0] >> shift & 255) / 255.0, y1 = x1 * f->forward, y2 = y1;
    for (int i = 0; i < length; i++) {
        double x = (in[i * step] >> shift & 255) / 255.0;
        double y = f->a0 * x + f->a1 * x1 - f->b1 * y1 - f->b2 * y2;
        result[i] = floor(y * 255);
        x1 = x;
        y2 = y1;
        y1 = y;
    }
    double last = (in[(length - 1) * step] >> shift & 255) / 255.0, second = last;
    y1 = y2 = last * f->backward;
    for (int i = length - 1; i >= 0; i--) {
        double y = f->a2 * last + f->a3 * second - f->b1 * y1 - f->b2 * y2;
        second = last;
        last = (in[i * step] >> shift & 255) / 255.0;
        y2 = y1;
        y1 = y;
        result[i] += y * 255;
    }
}

// Compares columns of a filtered image; two roundings, each of at most a level.
static void check_columns(const char *what, const unsigned *in, const unsigned *out, int width, int height,
                          const filter *f)
{
    double *line = (double *)malloc(height * sizeof(double));
    for (int k = 0; k < 8; k++) {
        int x = (k * width / 8 + k) % width, shift = k % 4 * 8;
        host_line(in + x, width, height, shift, f, line);
        for (int y = 0; y < height; y++) {
            int found = out[y * width + x] >> shift & 255;
            int level = line[y] < 0 ? 0 : line[y] > 255 ? 255 : (int)line[y];
            expect_int(what, y * width + x, level, abs(found - level) <= 1 ? level : found);
        }
    }
    free(line);
}

int main(int argc, char **argv)
{
    int width = argument(argc, argv, 1, 1536);
    int height = argument(argc, argv, 2, 384);
    if (width % THREADS || height % THREADS) {
        printf("width and height must be multiples of %d\n", THREADS);
        return 2;
    }
    int count = width * height;
    unsigned *image = (unsigned *)malloc(count * sizeof(unsigned));
    for (int i = 0; i < count; i++)
        image[i] = (i % width / 24 + i / width / 24) % 2 ? random_bits() | 0x80808080u : random_bits() & 0x7f7f7f7fu;
    filter f = coefficients(SIGMA);
    unsigned *a = to_device(image, count), *b = device_zeros<unsigned>(count), *c = device_zeros<unsigned>(count);
    unsigned *d = device_zeros<unsigned>(count);
    dim3 tile(TILE, TILE);
    filter_columns<<<width / THREADS, THREADS>>>(a, b, width, height, f);
    CHECK(cudaGetLastError());
    transpose<<<dim3(width / TILE, height / TILE), tile>>>(c, b, width, height);
    CHECK(cudaGetLastError());
    filter_columns<<<height / THREADS, THREADS>>>(c, d, height, width, f);
    CHECK(cudaGetLastError());
    transpose<<<dim3(height / TILE, width / TILE), tile>>>(a, d, height, width);
    CHECK(cudaGetLastError());

    unsigned *columns = to_host(b, count), *turned = to_host(c, count);
    unsigned *rows = to_host(d, count), *out = to_host(a, count);
    check_columns("pixel after the columns", image, columns, width, height, &f);
    check_columns("pixel after the rows", turned, rows, height, width, &f);
    int stride = count <= 16384 ? 1 : 127;
    for (int i = 0; i < count; i += stride) {
        expect_int("transposed pixel", i, columns[i], turned[i % width * height + i / width]);
        expect_int("result", i, rows[i % width * height + i / width], out[i]);
    }
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(c));
    CHECK(cudaFree(d));
    return verdict("recursive_gaussian");
}
