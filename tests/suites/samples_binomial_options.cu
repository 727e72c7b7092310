// suite: samples
// includes: Samples/5_Domain_Specific/binomialOptions_nvrtc
// unchanged
#include "driver.h"
#include "binomialOptions_kernel.cu"

// Options' values from the kernel against the same walk in double precision, which is their host code.
namespace gold {
#include "binomialOptions_gold.cpp"
}

int main()
{
    const int count = 3;
    TOptionData options[count];
    __TOptionData prepared[count];
    float expected[count], got[count];
    srand(12);
    for (int i = 0; i < count; i++) {
        options[i].S = random_between(5, 30);
        options[i].X = random_between(1, 100);
        options[i].T = random_between(0.25f, 10);
        options[i].R = 0.06f;
        options[i].V = 0.10f;
        const double step = options[i].T / NUM_STEPS, move = options[i].V * sqrt(step), rate = options[i].R * step;
        const double up = (exp(rate) - exp(-move)) / (exp(move) - exp(-move));
        prepared[i].S = options[i].S;
        prepared[i].X = options[i].X;
        prepared[i].vDt = move;
        prepared[i].puByDf = up * exp(-rate);
        prepared[i].pdByDf = (1 - up) * exp(-rate);
        gold::binomialOptionsCPU(expected[i], options[i]);
    }
    cudaMemcpyToSymbol(d_OptionData, prepared, sizeof prepared);
    binomialOptionsKernel<<<count, THREADBLOCK_SIZE>>>();
    cudaMemcpyFromSymbol(got, d_CallValue, sizeof got);
    int wrong = 0;
    for (int i = 0; i < count; i++)
        wrong += !(fabsf(got[i] - expected[i]) <= 1e-3f * (1 + expected[i]));
    return verdict(wrong, "options");
}

// out: PASS
