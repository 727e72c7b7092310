// `curand_kernel.h`: numbers of cuRAND's generators with one seed, by sequence and draw, and means of distributions.
//
// The expected values are those of `curandCreateGeneratorHost` (cuRAND 10.3), which orders draws by sequence.

#include <cmath>
#include <cstdio>
#include <curand_kernel.h>

constexpr unsigned long long seed = 1234567890123ull;
constexpr int draws = 512;

struct Found {
    unsigned int number[3], skipped;
    float uniform, normal[2];
    double mean[6];
};

template <class S> __global__ void draw(Found *found)
{
    S state;
    Found &own = found[threadIdx.x];
    curand_init(seed, threadIdx.x, 0, &state);
    for (int i = 0; i < 3; i++)
        own.number[i] = curand(&state);
    curand_init(seed, threadIdx.x, 2, &state);
    own.skipped = curand(&state);
    curand_init(seed, threadIdx.x, 0, &state);
    own.uniform = curand_uniform(&state);
    curand_init(seed, threadIdx.x, 0, &state);
    own.normal[0] = curand_normal(&state);
    own.normal[1] = curand_normal(&state);
    for (int i = 0; i < 6; i++)
        own.mean[i] = 0;
    for (int i = 0; i < draws; i++) {
        own.mean[0] += curand_uniform_double(&state) / draws;
        own.mean[1] += curand_normal_double(&state) / draws;
        own.mean[2] += curand_log_normal(&state, 0.0f, 0.5f) / draws;
        own.mean[3] += curand_poisson(&state, 5.0) / (5.0 * draws);
        own.mean[4] += curand_poisson(&state, 200.0) / (200.0 * draws);
        own.mean[5] += curand_poisson(&state, 9000.0) / (9000.0 * draws);
    }
}

__global__ void fours(unsigned int *equal)
{
    curandStatePhilox4_32_10_t a, b;
    curand_init(seed, 7, 3, &a);
    b = a;
    uint4 four = curand4(&a);
    float4 uniform = curand_uniform4(&a);
    bool same = four.x == curand(&b);
    same = same && four.y == curand(&b) && four.z == curand(&b) && four.w == curand(&b);
    same = same && uniform.x == curand_uniform(&b) && uniform.y == curand_uniform(&b);
    curand_init(seed, 7, 0, &a);
    b = a;
    float4 normal = curand_normal4(&a);
    same = same && normal.x == curand_normal(&b) && normal.y == curand_normal(&b) && normal.z == curand_normal(&b);
    *equal = same;
}

static int faults = 0;

static void expect(const char *what, double found, double expected, double tolerance)
{
    if (!(std::fabs(found - expected) <= tolerance)) {
        std::printf("%s: %.9g, expected %.9g\n", what, found, expected);
        faults++;
    }
}

template <class S>
static void check(const char *name, const unsigned int (&first)[4], unsigned int second, float uniform, float normal,
    float other)
{
    Found *found;
    cudaMallocManaged(&found, 32 * sizeof *found);
    draw<S><<<1, 32>>>(found);
    expect(name, cudaDeviceSynchronize(), 0, 0);
    for (int i = 0; i < 4; i++)
        expect(name, found[i].number[0], first[i], 0);
    expect(name, found[0].number[1], second, 0);
    for (int i = 0; i < 32; i++)
        expect(name, found[i].skipped, found[i].number[2], 0);
    expect(name, found[0].uniform, uniform, 1e-8);
    expect(name, found[0].normal[0], normal, 1e-6);
    expect(name, found[0].normal[1], other, 1e-6);
    const double means[6] = {0.5, 0.0, std::exp(0.125), 1.0, 1.0, 1.0};
    const double tolerances[6] = {0.01, 0.03, 0.02, 0.015, 0.003, 0.0005};
    for (int i = 0; i < 6; i++) {
        double sum = 0;
        for (int thread = 0; thread < 32; thread++)
            sum += found[thread].mean[i] / 32;
        expect(name, sum, means[i], tolerances[i]);
    }
    cudaFree(found);
}

int main()
{
    check<curandState>("XORWOW", {789125713, 4180861721, 1127778671, 1183182375}, 3156383114, 0.183732644f,
        -1.83252501f, -0.174354076f);
    check<curandStateMRG32k3a>("MRG32k3a", {3427455869, 3173199076, 247178977, 1419576292}, 968809015, 0.798016727f,
        0.663853228f, 0.102714881f);
    check<curandStatePhilox4_32_10_t>("Philox", {1158483830, 1623013396, 2980694146, 2293599169}, 1944096801,
        0.269730538f, 0.474593103f, -1.54771614f);
    unsigned int *equal;
    cudaMallocManaged(&equal, sizeof *equal);
    fours<<<1, 1>>>(equal);
    expect("draws of four", cudaDeviceSynchronize(), 0, 0);
    expect("draws of four", *equal, 1, 0);
    std::puts(faults ? "FAIL" : "PASS");
    return faults != 0;
}
