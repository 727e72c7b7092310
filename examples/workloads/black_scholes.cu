// black_scholes: prices of European call and put options by the Black-Scholes formula.
//
// AVC (Table 1), BCC (Table 1) measure it; DAC's kind too, but our text of that paper stops before its list.
// Modelled on the CUDA SDK's BlackScholes.
//
// Characteristic: 480 blocks of 128 threads that walk over the options in steps of the whole grid; contiguous loads
// and stores, arithmetic with exponentials, a logarithm and a square root, one short branch on the sign of a value
// in the cumulative normal distribution.
//
// usage: black_scholes [options [blocks]]

#include "workload.h"

#define THREADS 128
#define RISK_FREE 0.02f
#define VOLATILITY 0.30f

// The cumulative normal distribution by a polynomial of degree 5 (Abramowitz and Stegun, 26.2.17).
__device__ static float normal_distribution(float d)
{
    const float a1 = 0.31938153f, a2 = -0.356563782f, a3 = 1.781477937f, a4 = -1.821255978f, a5 = 1.330274429f;
    const float reciprocal_root_of_2pi = 0.39894228040143267794f;
    float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    float tail = reciprocal_root_of_2pi * __expf(-0.5f * d * d)
               * (k * (a1 + k * (a2 + k * (a3 + k * (a4 + k * a5)))));
    if (d > 0)
        tail = 1.0f - tail;
    return tail;
}

__device__ static void price(float &call, float &put, float stock, float strike, float years, float rate,
                             float volatility)
{
    float root = sqrtf(years);
    float d1 = (__logf(stock / strike) + (rate + 0.5f * volatility * volatility) * years) / (volatility * root);
    float d2 = d1 - volatility * root;
    float n1 = normal_distribution(d1);
    float n2 = normal_distribution(d2);
    float discount = __expf(-rate * years);
    call = stock * n1 - strike * discount * n2;
    put = strike * discount * (1.0f - n2) - stock * (1.0f - n1);
}

__global__ void black_scholes(float *call, float *put, const float *stock, const float *strike, const float *years,
                              float rate, float volatility, int count)
{
    int thread = blockDim.x * blockIdx.x + threadIdx.x;
    int threads = blockDim.x * gridDim.x;
    // Not one option for each thread: the grid has a fixed size, whatever the number of options.
    for (int option = thread; option < count; option += threads)
        price(call[option], put[option], stock[option], strike[option], years[option], rate, volatility);
}

static double host_normal(double d)
{
    return 0.5 * erfc(-d / sqrt(2.0));
}

int main(int argc, char **argv)
{
    int count = argument(argc, argv, 1, 491520);
    int blocks = argument(argc, argv, 2, 480);
    float *stock = (float *)malloc(count * sizeof(float)), *strike = (float *)malloc(count * sizeof(float));
    float *years = (float *)malloc(count * sizeof(float));
    for (int i = 0; i < count; i++) {
        stock[i] = 5.0f + 25.0f * random_unit();
        strike[i] = 1.0f + 99.0f * random_unit();
        years[i] = 0.25f + 9.75f * random_unit();
    }
    float *device_stock = to_device(stock, count), *device_strike = to_device(strike, count);
    float *device_years = to_device(years, count);
    float *device_call = device_zeros<float>(count), *device_put = device_zeros<float>(count);
    black_scholes<<<blocks, THREADS>>>(device_call, device_put, device_stock, device_strike, device_years, RISK_FREE,
                                       VOLATILITY, count);
    CHECK(cudaGetLastError());

    float *call = to_host(device_call, count), *put = to_host(device_put, count);
    int stride = count <= 4096 ? 1 : count / 4093;
    for (int i = 0; i < count; i += stride) {
        double s = stock[i], x = strike[i], t = years[i], r = RISK_FREE, v = VOLATILITY;
        double d1 = (log(s / x) + (r + 0.5 * v * v) * t) / (v * sqrt(t));
        double n1 = host_normal(d1), n2 = host_normal(d1 - v * sqrt(t)), discounted = x * exp(-r * t);
        // The polynomial is good to 7.5e-8; prices are differences of numbers up to 100.
        expect_float("call", i, s * n1 - discounted * n2, call[i], 1e-4);
        expect_float("put", i, discounted * (1 - n2) - s * (1 - n1), put[i], 1e-4);
    }
    float *device[] = {device_stock, device_strike, device_years, device_call, device_put};
    for (int i = 0; i < 5; i++)
        CHECK(cudaFree(device[i]));
    return verdict("black_scholes");
}
