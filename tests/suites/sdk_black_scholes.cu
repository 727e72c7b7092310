// suite: sdk42
// includes: BlackScholes
// unchanged
#include "BlackScholes_kernel.cuh"
#include "BlackScholes_gold.cpp"

static float between(float low, float high)
{
    return low + (high - low) * (rand() / (float)RAND_MAX);
}

int main()
{
    const int count = 1000;
    const float riskless = 0.02f, volatility = 0.30f;
    float stock[count], strike[count], years[count], call[count], put[count], call_gold[count], put_gold[count];
    for (int i = 0; i < count; i++) {
        stock[i] = between(5, 30);
        strike[i] = between(1, 100);
        years[i] = between(0.25f, 10);
    }
    float *d[5];
    for (int i = 0; i < 5; i++)
        cudaMalloc(&d[i], sizeof stock);
    cudaMemcpy(d[2], stock, sizeof stock, cudaMemcpyHostToDevice);
    cudaMemcpy(d[3], strike, sizeof stock, cudaMemcpyHostToDevice);
    cudaMemcpy(d[4], years, sizeof stock, cudaMemcpyHostToDevice);
    BlackScholesGPU<<<4, 128>>>(d[0], d[1], d[2], d[3], d[4], riskless, volatility, count);
    cudaMemcpy(call, d[0], sizeof stock, cudaMemcpyDeviceToHost);
    cudaMemcpy(put, d[1], sizeof stock, cudaMemcpyDeviceToHost);
    BlackScholesCPU(call_gold, put_gold, stock, strike, years, riskless, volatility, count);
    double sum = 0, difference = 0;
    for (int i = 0; i < count; i++) {
        sum += fabs(call_gold[i]) + fabs(put_gold[i]);
        difference += fabs(call_gold[i] - call[i]) + fabs(put_gold[i] - put[i]);
    }
    if (difference / sum < 1e-6)
        puts("PASS");
    else
        printf("differs by %g of %g\n", difference, sum);
}

// out: PASS
