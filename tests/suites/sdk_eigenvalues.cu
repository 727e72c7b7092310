// suite: sdk42
// includes: eigenvalues
// unchanged
#include "driver.h"
#define printf(...) ((void)0)
#include "bisect_small.cu"
#undef printf

// How many eigenvalues are below x: the negative ones among the pivots.
static int below(const float *diagonal, const float *beside, int n, double x)
{
    int count = 0;
    double pivot = 1;
    for (int i = 0; i < n; i++) {
        double off = i > 0 ? (double)beside[i - 1] : 0;
        pivot = diagonal[i] - x - off * off / (pivot == 0 ? 1e-30 : pivot);
        count += pivot < 0;
    }
    return count;
}

// Eigenvalues of random tridiagonal matrices, each against how many are below and above a little of it.
int main()
{
    const unsigned int n = 48;
    int wrong = 0;
    srand(29);
    for (int round = 0; round < 3; round++) {
        float diagonal[n], beside[n], padded[n + 1] = {}, low = 1e30f, high = -1e30f;
        for (int i = 0; i < n; i++) {
            diagonal[i] = random_between(-4, 4);
            beside[i] = random_between(0.1f, 2);
            padded[i + 1] = beside[i];
        }
        // Gerschgorin's circles hold all of them.
        for (int i = 0; i < n; i++) {
            float radius = (i > 0 ? beside[i - 1] : 0) + (i + 1 < n ? beside[i] : 0);
            low = fminf(low, diagonal[i] - radius);
            high = fmaxf(high, diagonal[i] + radius);
        }
        InputData input;
        ResultDataSmall result;
        input.a = diagonal;
        input.b = padded;
        input.g_a = to_device(diagonal, n);
        input.g_b_raw = to_device(padded, n + 1);
        input.g_b = input.g_b_raw + 1;
        initResultSmallMatrix(result, n);
        computeEigenvaluesSmallMatrix(input, result, n, low - 0.01f, high + 0.01f, 1e-5f, 1);
        float left[n], sorted[n];
        unsigned int count[n];
        bool seen[n] = {};
        to_host(left, result.g_left, n);
        to_host(count, result.g_left_count, n);
        for (int i = 0; i < n; i++) {
            wrong += count[i] >= n || seen[count[i]];
            if (count[i] < n) {
                seen[count[i]] = true;
                sorted[count[i]] = left[i];
            }
        }
        for (int i = 0; i < n; i++) {
            double near = 2e-4;
            wrong += below(diagonal, beside, n, sorted[i] - near) > i;
            wrong += below(diagonal, beside, n, sorted[i] + near) < i + 1;
        }
        cleanupResultSmallMatrix(result);
    }
    return verdict(wrong, "eigenvalues");
}

// out: PASS
