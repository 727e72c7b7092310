// The math functions on device and host; each name chooses float or double by its arguments.
#include <math.h>
#include <stdio.h>

__host__ __device__ float single(int which, float x, float y)
{
    switch (which) {
    case 0: return sqrtf(x);
    case 1: return expf(-x);
    case 2: return logf(x);
    case 3: return sinf(x);
    case 4: return cosf(x);
    case 5: return tanf(x / 3);
    case 6: return powf(x, y);
    case 7: return exp2f(y);
    case 8: return log2f(x);
    case 9: return log10f(x);
    case 10: return atan2f(y, x);
    case 11: return fabsf(y - x);
    case 12: return floorf(y * 1.7f);
    case 13: return ceilf(y * 1.7f);
    case 14: return fmodf(x * 7, y * y + 1);
    case 15: return hypotf(x, y);
    case 16: return tanhf(y);
    case 17: return cbrtf(x);
    case 18: return asinf(y / 4) + acosf(y / 4) + atanf(y);
    case 19: return sinhf(y) + coshf(y);
    case 20: return roundf(y * 2.5f) + truncf(x * 2.5f) + rintf(y * 0.5f);
    case 21: return fminf(x, y) * 10 + fmaxf(x, y);
    case 22: return copysignf(x, y);
    case 23: return expm1f(y / 8) + log1pf(x / 8);
    case 24: return erff(y / 2);
    case 25: return sqrt(x) + exp(-x) + log(x) + pow(x, 2.0f) + fabs(y) + floor(y) + sin(x) * cos(x);
    case 26: return fmaf(x, y, 0.125f);
    case 27: return isnan(x - x) + 2 * isinf(x / (y - y)) + 4 * isnan((y - y) / (y - y)) + 8 * isfinite(x);
    default: return 1 / x;
    }
}

__host__ __device__ double twofold(int which, double x, double y)
{
    switch (which) {
    case 0: return sqrt(x) + cbrt(x);
    case 1: return exp(-x) + log(x) + log2(x) + log10(x);
    case 2: return sin(x) + cos(x) + tan(x / 3);
    case 3: return pow(x, y);
    case 4: return atan2(y, x) + hypot(x, y);
    case 5: return floor(y * 1.7) + ceil(y * 1.3) + trunc(x * 2.2) + round(x * 2.5);
    case 6: return fmod(x * 7, y * y + 1);
    case 7: return fmin(x, y) * 10 + fmax(x, y) + fabs(y);
    case 8: return sinh(y) - cosh(y) + tanh(y) + erf(x / 5);
    // An integer chooses the double function.
    case 9: return sqrt((int)x + 1) + pow((int)x, 3) + exp2((int)y);
    default: return fma(x, y, 0.125) + copysign(x, y);
    }
}

__global__ void singles(float *out, float x, float y) { out[threadIdx.x] = single(threadIdx.x, x, y); }

__global__ void doubles(double *out, double x, double y) { out[threadIdx.x] = twofold(threadIdx.x, x, y); }

__global__ void only(float *out, float x)
{
    int t = threadIdx.x;
    out[t] = t == 0   ? rsqrtf(x)
             : t == 1 ? __expf(x) + __logf(x) + __sinf(x) + __cosf(x)
             : t == 2 ? __fdividef(x, 3.0f)
             : t == 3 ? __powf(2, (float)3) + log2f(32.0f)
             : t == 4 ? __saturatef(x) + __saturatef(-x) + __saturatef(0.25f)
             : t == 5 ? __fadd_rn(x, 1.0f) + __fmul_rn(x, 2.0f)
             : t == 6 ? (float)rsqrt((double)x)
                      : x;
}

int main()
{
    float *out, f[32], x = 2.75f;
    double *exact, d[32];
    cudaMalloc((void **)&out, sizeof f);
    cudaMalloc((void **)&exact, sizeof d);
    for (int sign = 1; sign >= -1; sign -= 2) {
        float y = 1.375f * sign;
        singles<<<1, 29>>>(out, x, y);
        cudaMemcpy(f, out, sizeof f, cudaMemcpyDeviceToHost);
        for (int i = 0; i < 29; i++) {
            float host = single(i, x, y);
            printf("%.4f%s%c", f[i], host == f[i] ? "" : " differs", i % 10 == 9 || i == 28 ? '\n' : ' ');
        }
        doubles<<<1, 11>>>(exact, x, y);
        cudaMemcpy(d, exact, sizeof d, cudaMemcpyDeviceToHost);
        for (int i = 0; i < 11; i++) {
            double host = twofold(i, x, y);
            printf("%.10f%s%c", d[i], host == d[i] ? "" : " differs", i == 10 ? '\n' : ' ');
        }
    }
    only<<<1, 8>>>(out, x);
    cudaMemcpy(f, out, sizeof f, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8; i++)
        printf("%.4f%c", f[i], i == 7 ? '\n' : ' ');
    return 0;
}

// out: 1.6583 0.0639 1.0116 0.3817 -0.9243 1.3042 4.0187 2.5937 1.4594 0.4393
// out: 0.4636 1.3750 2.0000 3.0000 1.9062 3.0746 0.8798 1.4010 2.5128 3.9551
// out: 10.0000 16.5000 2.7500 0.4830 0.6691 12.3186 3.9062 14.0000 0.3636
// out: 3.0593320605 2.9742930854 0.7615796587 4.0186710105 3.5382410781 17.0000000000 1.9062500000 17.8750000000 1.1903104702 11.7320508076 6.6562500000
// out: 1.6583 0.0639 1.0116 0.3817 -0.9243 1.3042 0.2488 0.3856 1.4594 0.4393
// out: -0.4636 4.1250 -3.0000 -2.0000 1.9062 3.0746 -0.8798 1.4010 0.6288 0.2528
// out: 2.0000 -11.0000 -2.7500 0.1375 -0.6691 9.3186 -3.6562 14.0000 0.3636
// out: 3.0593320605 2.9742930854 0.7615796587 0.2488384835 2.6109458601 9.0000000000 1.9062500000 -9.6250000000 -4.2715800562 10.2320508076 -6.4062500000
// out: 0.6030 16.1116 0.9167 13.0000 1.2500 9.2500 0.6030 2.7500
