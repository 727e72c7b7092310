// face_detection: a cascade of Haar-like features over all windows of a picture, at several window sizes.
//
// Measured in BCC ("FD-IntelFinalists" and "FD-Politicians" in Table 1; divergent workloads in its text, from traces
// of an OpenCL program on two photographs). Modelled on the Viola-Jones detector. The cascade here is not
// trained: features and votes are seeded, so that about half of the windows that reach a stage pass it, as in trained
// ones; the picture is generated: a bright-to-dark background, ellipses with darker spots, and noise.
//
// Characteristic: a thread is a window. A loop over 16 stages, each a loop over 3 to 33 features, which is left as soon
// as a stage's votes do not reach its threshold: lanes drop out of a warp one by one, half of them at each stage, and
// the late stages, which are long, run with few lanes. Each feature reads eight corners of the integral picture.
//
// usage: face_detection [width] [height] [window sizes]

#include "workload.h"

#define STAGES 16
#define MOST_FEATURES 400
#define WINDOW 24
// The votes that a window needs at each stage: what pictures and training decide, and with it how many lanes drop out.
#ifndef VOTES
#define VOTES 0.0f
#endif

// A rectangle, and a part of it that counts `weight` times as much with the opposite sign.
struct Feature {
    unsigned char x, y, w, h, part_x, part_y, part_w, part_h;
    float weight, threshold, below, above;
};

__constant__ Feature features[MOST_FEATURES];
__constant__ int stage_end[STAGES];
__constant__ float stage_threshold[STAGES];

// The sum of the pixels in a rectangle, by the corners of the integral picture (one row and column wider).
__device__ inline int sum_of(const int *integral, int pitch, int x, int y, int w, int h)
{
    const int *corner = integral + y * pitch + x;
    return corner[0] - corner[w] - corner[h * pitch] + corner[h * pitch + w];
}

__global__ void detect(unsigned char *passed, const int *integral, const int *squares, int width, int height, int scale)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int side = WINDOW * scale / 4, pitch = width + 1;
    if (x + side > width || y + side > height)
        return;
    float area = 1.0f / (side * side), mean = sum_of(integral, pitch, x, y, side, side) * area;
    float variance = sum_of(squares, pitch, x, y, side, side) * area - mean * mean;
    float deviation = variance > 1 ? sqrtf(variance) : 1;
    int stage = 0, feature = 0;
    bool going = true;
    while (going && stage < STAGES) {
        float votes = 0;
        for (; feature < stage_end[stage]; feature++) {
            const Feature &f = features[feature];
            int whole = sum_of(integral, pitch, x + f.x * scale / 4, y + f.y * scale / 4, f.w * scale / 4,
                               f.h * scale / 4);
            int part = sum_of(integral, pitch, x + f.part_x * scale / 4, y + f.part_y * scale / 4, f.part_w * scale / 4,
                              f.part_h * scale / 4);
            float value = (whole - f.weight * part) * area;
            votes += value < f.threshold * deviation ? f.below : f.above;
        }
        if (votes < stage_threshold[stage])
            going = false;
        else
            stage++;
    }
    passed[y * width + x] = stage;
}

static Feature host_features[MOST_FEATURES];
static int host_end[STAGES];

// Features of two halves or of a middle third; coordinates are multiples of four, so that all window sizes divide them.
static void make_cascade()
{
    int count = 0;
    for (int stage = 0; stage < STAGES; stage++) {
        for (int k = 0; k < 3 + 2 * stage; k++) {
            Feature *f = &host_features[count++];
            bool third = random_below(2), upright = random_below(2);
            int parts = third ? 3 : 2, long_side = parts * 4 * (1 + random_below(parts == 2 ? 2 : 1));
            int short_side = 4 * (1 + random_below(4));
            f->w = upright ? long_side : short_side;
            f->h = upright ? short_side : long_side;
            f->x = 4 * random_below((WINDOW - f->w) / 4 + 1);
            f->y = 4 * random_below((WINDOW - f->h) / 4 + 1);
            f->part_x = f->x + (upright ? f->w / parts : 0);
            f->part_y = f->y + (upright ? 0 : f->h / parts);
            f->part_w = upright ? f->w / parts : f->w;
            f->part_h = upright ? f->h : f->h / parts;
            f->weight = parts;
            f->threshold = 0.02f * (random_unit() - 0.5f);
            f->below = 2 * random_unit() - 1;
            f->above = -f->below;
        }
        host_end[stage] = count;
    }
}

static void make_picture(unsigned char *picture, int width, int height)
{
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            picture[y * width + x] = 60 + 80 * y / height + random_below(24);
    int faces = 1 + width * height / 6000;
    for (int face = 0; face < faces; face++) {
        int cx = random_below(width), cy = random_below(height), r = 8 + random_below(14);
        for (int y = -r; y <= r; y++) {
            for (int x = -r; x <= r; x++) {
                bool inside = cx + x >= 0 && cx + x < width && cy + y >= 0 && cy + y < height;
                if (5 * x * x + 3 * y * y > 3 * r * r || !inside)
                    continue;
                int dx = (x < 0 ? -x : x) - r / 3, dy = y + r / 4;
                bool eye = 16 * (dx * dx + dy * dy) < r * r, mouth = y > r / 3 && y < r / 2 && 3 * x * x < r * r;
                picture[(cy + y) * width + cx + x] = (eye || mouth ? 70 : 190) + random_below(16);
            }
        }
    }
}

// How many stages a window passes, from its pixels.
static int host_stages(const unsigned char *picture, int width, int x, int y, int scale)
{
    int side = WINDOW * scale / 4;
    double sum = 0, squares = 0;
    for (int i = 0; i < side * side; i++) {
        double pixel = picture[(y + i / side) * width + x + i % side];
        sum += pixel;
        squares += pixel * pixel;
    }
    double area = (double)side * side, variance = squares / area - sum / area * sum / area;
    double deviation = variance > 1 ? sqrt(variance) : 1;
    for (int stage = 0, feature = 0; stage < STAGES; stage++) {
        double votes = 0;
        for (; feature < host_end[stage]; feature++) {
            Feature *f = &host_features[feature];
            double value = 0;
            for (int v = f->y * scale / 4; v < (f->y + f->h) * scale / 4; v++) {
                for (int u = f->x * scale / 4; u < (f->x + f->w) * scale / 4; u++) {
                    bool inside = u >= f->part_x * scale / 4 && u < (f->part_x + f->part_w) * scale / 4 &&
                                  v >= f->part_y * scale / 4 && v < (f->part_y + f->part_h) * scale / 4;
                    value += picture[(y + v) * width + x + u] * (inside ? 1 - f->weight : 1);
                }
            }
            votes += value / area < f->threshold * deviation ? f->below : f->above;
        }
        if (votes < VOTES)
            return stage;
    }
    return STAGES;
}

int main(int argc, char **argv)
{
    int width = argument(argc, argv, 1, 40), height = argument(argc, argv, 2, 32), sizes = argument(argc, argv, 3, 1);
    if (width < WINDOW || height < WINDOW) {
        printf("a picture has at least %d x %d pixels\n", WINDOW, WINDOW);
        return 2;
    }
    unsigned char *picture = (unsigned char *)malloc(width * height);
    make_picture(picture, width, height);
    make_cascade();
    float thresholds[STAGES];
    for (int stage = 0; stage < STAGES; stage++)
        thresholds[stage] = VOTES;
    CHECK(cudaMemcpyToSymbol(features, host_features, sizeof(host_features)));
    CHECK(cudaMemcpyToSymbol(stage_end, host_end, sizeof(host_end)));
    CHECK(cudaMemcpyToSymbol(stage_threshold, thresholds, sizeof(thresholds)));
    int pitch = width + 1, count = pitch * (height + 1);
    int *integral = (int *)calloc(count, sizeof(int)), *squares = (int *)calloc(count, sizeof(int));
    for (int y = 0; y < height; y++) {
        int row = 0, row_squares = 0;
        for (int x = 0; x < width; x++) {
            int pixel = picture[y * width + x], at = (y + 1) * pitch + x + 1;
            row += pixel;
            row_squares += pixel * pixel;
            integral[at] = integral[at - pitch] + row;
            squares[at] = squares[at - pitch] + row_squares;
        }
    }
    int *device_integral = to_device(integral, count), *device_squares = to_device(squares, count);
    unsigned char *passed = device_zeros<unsigned char>(width * height);
    int compared = 0, different = 0;
    for (int size = 0; size < sizes; size++) {
        // Windows of 24, 30, 36, ... pixels.
        int scale = 4 + size, side = WINDOW * scale / 4;
        if (side > width || side > height)
            break;
        detect<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(passed, device_integral, device_squares,
                                                                              width, height, scale);
        CHECK(cudaDeviceSynchronize());
        unsigned char *found = to_host(passed, width * height);
        int across = width - side + 1, windows = across * (height - side + 1), stride = 1 + windows / 128, all = 0;
        for (int w = 0; w < windows; w++)
            all += found[w / across * width + w % across] == STAGES;
        for (int w = 0; w < windows; w += stride) {
            int x = w % across, y = w / across;
            compared++;
            different += host_stages(picture, width, x, y, scale) != found[y * width + x];
        }
        printf("windows of %d pixels: %d of %d pass all stages\n", side, all, windows);
        free(found);
    }
    // A vote near its threshold may go the other way by rounding.
    expect_int("windows of 50 that differ: at", compared, 0, different * 50 / compared);
    return verdict("face_detection");
}
