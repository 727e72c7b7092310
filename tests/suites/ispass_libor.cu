// suite: ispass
// includes: LIB
// unchanged
#define main their_main
#include "libor.cu"
#undef main

// The value of a portfolio of swaptions on a path, from rates of `start`, except the last, `last`.
double value(double last)
{
    const int due[] = {4, 4, 4, 8, 8, 8, 20, 20, 20, 28, 28, 28, 40, 40, 40};
    const double rates[] = {.045, .05, .055}, step = 0.25, volatility = 0.2;
    double rate[NN], b = 1, s = 0, bonds[NMAT], annuities[NMAT], sum = 0;
    for (int i = 0; i < NN; i++)
        rate[i] = i == NN - 1 ? last : 0.05;
    for (int n = 0; n < NMAT; n++) {
        double drift = 0;
        for (int i = n + 1; i < NN; i++) {
            double c = step * volatility;
            drift += c * rate[i] / (1 + step * rate[i]);
            rate[i] *= exp(c * drift + volatility * (sqrt(step) * 0.3 - 0.5 * c));
        }
    }
    for (int n = NMAT; n < NN; n++) {
        b /= 1 + step * rate[n];
        s += step * b;
        bonds[n - NMAT] = b;
        annuities[n - NMAT] = s;
    }
    for (int i = 0; i < NOPT; i++) {
        double swap = bonds[due[i] - 1] + rates[i % 3] * annuities[due[i] - 1] - 1;
        sum += swap < 0 ? -100 * swap : 0;
    }
    for (int n = 0; n < NMAT; n++)
        sum /= 1 + step * rate[n];
    return sum;
}

// Values and sensitivities of all paths, against one path on the host.
int main()
{
    float lambda_host[NN], rates[NOPT], step = 0.25f;
    int n = NN, mats = NMAT, options = NOPT, due[NOPT];
    for (int i = 0; i < NN; i++)
        lambda_host[i] = 0.2f;
    for (int i = 0; i < NOPT; i++) {
        rates[i] = 0.045f + 0.005f * (i % 3);
        due[i] = i < 3 ? 4 : i < 6 ? 8 : i < 9 ? 20 : i < 12 ? 28 : 40;
    }
    cudaMemcpyToSymbol(N, &n, sizeof n);
    cudaMemcpyToSymbol(Nmat, &mats, sizeof mats);
    cudaMemcpyToSymbol(Nopt, &options, sizeof options);
    cudaMemcpyToSymbol(delta, &step, sizeof step);
    cudaMemcpyToSymbol(maturities, due, sizeof due);
    cudaMemcpyToSymbol(swaprates, rates, sizeof rates);
    cudaMemcpyToSymbol(lambda, lambda_host, sizeof lambda_host);
    static float v[NPATH], plain[NPATH], sensitivity[NPATH];
    float *v_d, *plain_d, *sensitivity_d;
    cudaMalloc(&v_d, sizeof v);
    cudaMalloc(&plain_d, sizeof v);
    cudaMalloc(&sensitivity_d, sizeof v);
    Pathcalc_Portfolio_KernelGPU2<<<GRID_SIZE, BLOCK_SIZE>>>(plain_d);
    Pathcalc_Portfolio_KernelGPU<<<GRID_SIZE, BLOCK_SIZE>>>(v_d, sensitivity_d);
    cudaMemcpy(plain, plain_d, sizeof v, cudaMemcpyDeviceToHost);
    cudaMemcpy(v, v_d, sizeof v, cudaMemcpyDeviceToHost);
    cudaMemcpy(sensitivity, sensitivity_d, sizeof v, cudaMemcpyDeviceToHost);
    double gold = value(0.05), slope = (value(0.05 + 1e-6) - value(0.05 - 1e-6)) / 2e-6;
    int wrong = 0;
    for (int i = 0; i < NPATH; i++) {
        wrong += !(fabs(plain[i] - gold) <= 1e-4 * fabs(gold));
        wrong += !(fabs(v[i] - gold) <= 1e-4 * fabs(gold));
        wrong += !(fabs(sensitivity[i] - slope) <= 1e-3 * fabs(slope));
    }
    if (wrong)
        printf("%d are wrong: %g %g for %g, %g for %g\n", wrong, plain[0], v[0], gold, sensitivity[0], slope);
    else
        puts("PASS");
    return 0;
}

// out: PASS
