// long long and double in kernels.
#include <stdio.h>

__global__ void longs(const long long *a, const unsigned long long *b, long long *out)
{
    int t = threadIdx.x;
    long long x = a[t];
    unsigned long long y = b[t];
    long long r = x * 3 + (long long)(y >> 7) - (x << 5);
    r ^= x / 7 + (long long)(y % 1000003);
    r += x % 1000 + (x >> 3) + (x < (long long)y) + 2 * (y > 5000000000ULL);
    int low = (int)x, high = (int)(x >> 32);
    r += (long long)low * high;
    out[t] = r ^ (long long)(y & ~0xFFULL | 1ULL << t + 30);
}

__global__ void doubles(const double *a, double *out, float *single)
{
    int t = threadIdx.x;
    double x = a[t], y = x * x + 1.0 / 3;
    float f = (float)x * 2.5f;
    if (y > 4)
        y -= x / 3;
    else
        y = -y;
    out[t] = y + f + (int)(x * 100) % 7 + (double)(long long)(x * 1e10) * 1e-10;
    // An unsuffixed literal makes the whole sum double.
    single[t] = f + 0.1 + 1e-9 * t;
}

__global__ void mixed(long long *out)
{
    int t = threadIdx.x;
    unsigned u = 0xFFFFFFF0u + t;
    int i = -t;
    long long sum = u + i;
    sum += (long long)u + i;
    sum += (unsigned long long)(unsigned)i * 3;
    sum += (long long)(1u << 31) << 1;
    sum -= u * 2;
    out[t] = sum;
}

int main()
{
    long long a[8];
    unsigned long long b[8];
    double d[8];
    float f[8];
    for (int i = 0; i < 8; i++) {
        a[i] = (i - 4) * 123456789012345LL + i;
        b[i] = 0xFEDCBA9876543210ULL >> 8 * i;
        d[i] = (i - 3) * 1.37;
    }
    long long *da, *out;
    unsigned long long *db;
    double *dd, *dout;
    float *df;
    cudaMalloc((void **)&da, sizeof a);
    cudaMalloc((void **)&out, sizeof a);
    cudaMalloc((void **)&db, sizeof b);
    cudaMalloc((void **)&dd, sizeof d);
    cudaMalloc((void **)&dout, sizeof d);
    cudaMalloc((void **)&df, sizeof f);
    cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice);
    cudaMemcpy(db, b, sizeof b, cudaMemcpyHostToDevice);
    cudaMemcpy(dd, d, sizeof d, cudaMemcpyHostToDevice);
    longs<<<2, 4>>>(da, db, out);
    longs<<<1, 8>>>(da, db, out);
    cudaMemcpy(a, out, sizeof a, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8; i++)
        printf("%lld%c", a[i], i % 4 == 3 ? '\n' : ' ');
    doubles<<<1, 8>>>(dd, dout, df);
    cudaMemcpy(d, dout, sizeof d, cudaMemcpyDeviceToHost);
    cudaMemcpy(f, df, sizeof f, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8; i++)
        printf("%.15g %.9g\n", d[i], f[i]);
    mixed<<<1, 8>>>(out);
    cudaMemcpy(a, out, sizeof a, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8; i++)
        printf("%lld%c", a[i], i == 7 ? '\n' : ' ');
    return 0;
}

// out: 221711330146747265 -60249219956906898 -7209730346063908 -3636393832689247
// out: 21460956867 -3606091546693439 -7082889143322526 -10835712372207508
// out: -0.789567238871254 -10.1750002
// out: -1.8357332379659 -6.75
// out: -11.0052332856496 -3.32500005
// out: -0.333333333333333 0.100000001
// out: 6.58476661898295 3.52499986
// out: 17.5175999046326 6.94999981
// out: 35.2404339055379 10.375001
// out: 49.7170664759318 13.8000002
// out: 8589934592 21474836475 21474836470 21474836465 21474836460 21474836455 21474836450 21474836445
