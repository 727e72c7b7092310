// More live values than registers: sixty floats and twenty doubles across a loop, in any order.
#include <stdio.h>

#define REPEAT(M) M(0) M(1) M(2) M(3) M(4) M(5) M(6) M(7) M(8) M(9) \
    M(10) M(11) M(12) M(13) M(14) M(15) M(16) M(17) M(18) M(19)
#define DECLARE(i) float a##i = in[i] + t, b##i = in[19 - i] * (i + 1), c##i = a##i - b##i; double d##i = c##i * 0.5;
#define MIX(i) a##i = a##i * 0.5f + b##i; b##i = b##i - c##i * 0.25f; c##i += a##i * 0.125f; d##i += c##i;
#define SUM(i) sum = sum * 0.75f + a##i + b##i * 2 + c##i * 3; exact += d##i * (i + 1);

__global__ void many(const float *in, float *out, double *precise)
{
    float t = threadIdx.x;
    REPEAT(DECLARE)
    for (int k = 0; k < 3 + (int)threadIdx.x % 3; k++) {
        REPEAT(MIX)
        if (k & threadIdx.x)
            a0 = c19;
    }
    float sum = 0;
    double exact = 0;
    REPEAT(SUM)
    out[threadIdx.x] = sum;
    precise[threadIdx.x] = exact;
}

int main()
{
    float in[20], out[8], *din, *dout;
    double precise[8], *dprecise;
    for (int i = 0; i < 20; i++)
        in[i] = (i * 7 % 20) * 0.25f;
    cudaMalloc((void **)&din, sizeof in);
    cudaMalloc((void **)&dout, sizeof out);
    cudaMalloc((void **)&dprecise, sizeof precise);
    cudaMemcpy(din, in, sizeof in, cudaMemcpyHostToDevice);
    many<<<1, 8>>>(din, dout, dprecise);
    cudaMemcpy(out, dout, sizeof out, cudaMemcpyDeviceToHost);
    cudaMemcpy(precise, dprecise, sizeof precise, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8; i++)
        printf("%.4f %.6f\n", out[i], precise[i]);
    return 0;
}

// out: 465.9255 -10961.425781
// out: 618.5189 -9601.154785
// out: 738.0624 -5946.319931
// out: 476.8843 -8678.846680
// out: 612.6044 -6771.508789
// out: 713.8927 -2690.709854
// out: 487.8601 -6396.386719
// out: 606.7083 -3941.006622
