// cc: no
// In device code a product and the sum it goes into are rounded once, within one expression;
// functions that the host may call too, and what the source takes apart, are rounded twice.
#include <stdio.h>

__host__ __device__ float both(float a, float b, float c) { return a * b - c; }

__device__ float next(float *at) { return (*at += 1); }

// a * a is c + 2^-24, which a float cannot hold.
__global__ void singles(float *out, float a, float c)
{
    out[0] = a * a - c;
    out[1] = -c + a * a;
    out[2] = c - a * a;
    float sum = -c;
    sum += a * a;
    out[3] = sum;
    sum = c;
    sum -= a * a;
    out[4] = sum;
    float product = a * a;
    out[5] = product - c;
    out[6] = __fmul_rn(a, a) - c;
    out[7] = both(a, a, c);
    // What the product's operands do comes behind the other operand, as it stands.
    float at = 0;
    out[8] = at + next(&at) * next(&at);
    out[9] = 1;
    out[9] += a * a;
}

__global__ void doubles(double *out, double a, double c)
{
    out[0] = a * a - c;
    out[1] = c - a * a;
}

int main()
{
    float *out, host[10];
    cudaMalloc(&out, sizeof host);
    float a = 1 + 1 / 4096.0f, c = 1 + 2 / 4096.0f;
    singles<<<1, 1>>>(out, a, c);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 10; i++)
        printf("%.9g\n", host[i]);
    double *wide, there[2];
    cudaMalloc(&wide, sizeof there);
    double b = 1 + 1 / 134217728.0;
    doubles<<<1, 1>>>(wide, b, 1 + 2 / 134217728.0);
    cudaMemcpy(there, wide, sizeof there, cudaMemcpyDeviceToHost);
    printf("%.17g %.17g\n", there[0], there[1]);
    printf("%g %g\n", a * a - c, both(a, a, c));
    return 0;
}
// out: 5.96046448e-08
// out: 5.96046448e-08
// out: -5.96046448e-08
// out: 5.96046448e-08
// out: -5.96046448e-08
// out: 0
// out: 0
// out: 0
// out: 2
// out: 2.00048828
// out: 5.5511151231257827e-17 -5.5511151231257827e-17
// out: 0 0
