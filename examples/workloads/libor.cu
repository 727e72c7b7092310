// libor: values of a portfolio of swaptions by Monte Carlo simulation of the LIBOR market model, with the
// sensitivities to the initial rates by adjoints (first kernel), and without (second kernel).
//
// Measured in chapter 4 of the dissertation (LIB in Table 4.2). Modelled on M. Giles's LIBOR code as it is in the
// ISPASS-2009 benchmarks: 64 blocks of 64 threads, 80 rates, 40 steps, 15 options, the same random numbers and initial
// rates for all paths.
//
// Characteristic: a thread is a path, its rates stand in arrays of local memory, of which the first kernel keeps all
// steps (13 kB a thread): the local stores and loads of a warp are coalesced but far larger than the L1. Triangular
// loops over the rates, of the same length in all threads; the test whether an option is worth something depends on
// data but, as all paths are alike, goes one way in all threads.
//
// usage: libor [blocks] [paths a thread]     (-DNN=rates -DNMAT=steps)

#include "workload.h"

#ifndef NN
#define NN 80
#endif
#ifndef NMAT
#define NMAT 40
#endif
#define NOPT 15
#define THREADS 64
#define KEPT (NN * (NMAT + 1))

__constant__ int maturities[NOPT];
__constant__ float swaprates[NOPT], lambda[NN], delta;

// One path: L is stepped through NMAT periods with the random numbers z. With `kept`, each step's rates are kept.
__device__ inline void follow_path(float *L, const float *z, float *kept)
{
    if (kept)
        for (int i = 0; i < NN; i++)
            kept[i] = L[i];
    for (int n = 0; n < NMAT; n++) {
        float sqez = sqrtf(delta) * z[n], v = 0;
        for (int i = n + 1; i < NN; i++) {
            float lam = lambda[i - n - 1];
            float con1 = delta * lam;
            v += con1 * L[i] / (1.0f + delta * L[i]);
            float vrat = expf(con1 * v + lam * (sqez - 0.5f * con1));
            L[i] = L[i] * vrat;
            if (kept)
                kept[i + (n + 1) * NN] = L[i];
        }
    }
}

// The way back: L_b, the sensitivities at the last step, become those at the first.
__device__ inline void follow_back(float *L_b, const float *z, const float *kept)
{
    for (int n = NMAT - 1; n >= 0; n--) {
        float v1 = 0;
        for (int i = NN - 1; i > n; i--) {
            v1 += lambda[i - n - 1] * kept[i + (n + 1) * NN] * L_b[i];
            float faci = delta / (1.0f + delta * kept[i + n * NN]);
            L_b[i] = L_b[i] * (kept[i + (n + 1) * NN] / kept[i + n * NN]) + v1 * lambda[i - n - 1] * faci * faci;
        }
    }
}

__device__ inline float portfolio(const float *L)
{
    float B[NN - NMAT], S[NN - NMAT];
    float b = 1, s = 0;
    for (int n = NMAT; n < NN; n++) {
        b = b / (1.0f + delta * L[n]);
        s = s + delta * b;
        B[n - NMAT] = b;
        S[n - NMAT] = s;
    }
    float v = 0;
    for (int i = 0; i < NOPT; i++) {
        int m = maturities[i] - 1;
        float swapval = B[m] + swaprates[i] * S[m] - 1.0f;
        if (swapval < 0)
            v += -100.0f * swapval;
    }
    b = 1;
    for (int n = 0; n < NMAT; n++)
        b = b / (1.0f + delta * L[n]);
    return b * v;
}

// As `portfolio`, and L_b becomes the sensitivities of the value to the rates.
__device__ inline float portfolio_and_back(const float *L, float *L_b)
{
    float B[NN - NMAT], S[NN - NMAT], B_b[NN - NMAT], S_b[NN - NMAT];
    float b = 1, s = 0;
    for (int n = NMAT; n < NN; n++) {
        int m = n - NMAT;
        b = b / (1.0f + delta * L[n]);
        s = s + delta * b;
        B[m] = b;
        S[m] = s;
        B_b[m] = 0;
        S_b[m] = 0;
    }
    float v = 0;
    for (int i = 0; i < NOPT; i++) {
        int m = maturities[i] - 1;
        float swapval = B[m] + swaprates[i] * S[m] - 1.0f;
        if (swapval < 0) {
            v += -100.0f * swapval;
            S_b[m] += -100.0f * swaprates[i];
            B_b[m] += -100.0f;
        }
    }
    float discount = 1;
    for (int n = 0; n < NMAT; n++)
        discount = discount / (1.0f + delta * L[n]);
    v = discount * v;
    for (int n = 0; n < NMAT; n++)
        L_b[n] = -v * delta / (1.0f + delta * L[n]);
    float b_b = 0, s_b = 0;
    for (int n = NN - 1; n >= NMAT; n--) {
        int m = n - NMAT;
        s_b += S_b[m];
        b_b += B_b[m] + delta * s_b;
        float factor = 1.0f / (1.0f + delta * L[n]);
        L_b[n] = -discount * b_b * B[m] * delta * factor;
        b_b = b_b * factor;
    }
    return v;
}

__global__ void value_and_sensitivity(float *values, float *sensitivities, int paths)
{
    int threads = blockDim.x * gridDim.x;
    float L[NN], L_b[NN], z[NN], kept[KEPT];
    for (int path = blockDim.x * blockIdx.x + threadIdx.x; path < paths; path += threads) {
        for (int i = 0; i < NN; i++) {
            z[i] = 0.3f;
            L[i] = 0.05f;
        }
        follow_path(L, z, kept);
        values[path] = portfolio_and_back(L, L_b);
        follow_back(L_b, z, kept);
        sensitivities[path] = L_b[NN - 1];
    }
}

__global__ void value_only(float *values, int paths)
{
    int threads = blockDim.x * gridDim.x;
    float L[NN], z[NN];
    for (int path = blockDim.x * blockIdx.x + threadIdx.x; path < paths; path += threads) {
        for (int i = 0; i < NN; i++) {
            z[i] = 0.3f;
            L[i] = 0.05f;
        }
        follow_path(L, z, NULL);
        values[path] = portfolio(L);
    }
}

// The host's value of one path, in double precision, with the last initial rate moved by `bump`.
static double host_value(const int *ends, const float *rates, const float *volatility, double period, double bump)
{
    double L[NN], bond[NN], annuity[NN];
    for (int i = 0; i < NN; i++)
        L[i] = 0.05f + (i == NN - 1 ? bump : 0);
    for (int n = 0; n < NMAT; n++) {
        double drift = 0;
        for (int i = n + 1; i < NN; i++) {
            double sigma = volatility[i - n - 1];
            drift += period * sigma * L[i] / (1 + period * L[i]);
            L[i] *= exp(sigma * (period * drift + sqrt(period) * 0.3f - 0.5 * period * sigma));
        }
    }
    double price = 1, sum = 0, value = 0;
    for (int n = NMAT; n < NN; n++) {
        price /= 1 + period * L[n];
        sum += period * price;
        bond[n - NMAT] = price;
        annuity[n - NMAT] = sum;
    }
    for (int i = 0; i < NOPT; i++) {
        double swap = 1 - bond[ends[i] - 1] - rates[i] * annuity[ends[i] - 1];
        value += swap > 0 ? 100 * swap : 0;
    }
    for (int n = 0; n < NMAT; n++)
        value /= 1 + period * L[n];
    return value;
}

int main(int argc, char **argv)
{
    int blocks = argument(argc, argv, 1, 2), paths = blocks * THREADS * argument(argc, argv, 2, 1);
    // Fifteen options on swaps that end after a tenth to all of the periods, at rates of 4.5, 5 and 5.5 %.
    int ends[NOPT];
    float rates[NOPT], volatility[NN], period = 0.25f;
    for (int i = 0; i < NOPT; i++) {
        ends[i] = 1 + (NN - NMAT - 1) * (i / 3 + 1) / 5;
        rates[i] = 0.045f + 0.005f * (i % 3);
    }
    for (int i = 0; i < NN; i++)
        volatility[i] = 0.2f;
    CHECK(cudaMemcpyToSymbol(maturities, ends, sizeof(ends)));
    CHECK(cudaMemcpyToSymbol(swaprates, rates, sizeof(rates)));
    CHECK(cudaMemcpyToSymbol(lambda, volatility, sizeof(volatility)));
    CHECK(cudaMemcpyToSymbol(delta, &period, sizeof(period)));

    float *first = device_zeros<float>(paths), *second = device_zeros<float>(paths);
    float *sensitivities = device_zeros<float>(paths);
    value_and_sensitivity<<<blocks, THREADS>>>(first, sensitivities, paths);
    value_only<<<blocks, THREADS>>>(second, paths);
    CHECK(cudaDeviceSynchronize());
    float *values = to_host(first, paths), *again = to_host(second, paths), *slopes = to_host(sensitivities, paths);

    double expected = host_value(ends, rates, volatility, period, 0), step = 1e-5;
    double slope = (host_value(ends, rates, volatility, period, step) -
                    host_value(ends, rates, volatility, period, -step)) / (2 * step);
    printf("value %.4f, sensitivity to the last rate %.4f\n", expected, slope);
    for (int path = 0; path < paths; path++) {
        expect_float("value of path", path, expected, values[path], 1e-3);
        expect_float("value alone of path", path, expected, again[path], 1e-3);
        expect_float("sensitivity of path", path, slope, slopes[path], 2e-3);
    }
    return verdict("libor");
}
