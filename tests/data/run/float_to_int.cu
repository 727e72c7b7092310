// Conversions of NaN and of what does not fit: as the PTX ISA's `cvt` in device code, as x86-64 in host code.
#include <math.h>
#include <stdio.h>

#define FLOATS 9
#define DOUBLES 9
#define RESULTS 11

template <typename T> __host__ __device__ void convert(T x, long long *out)
{
    out[0] = (signed char)x;
    out[1] = (unsigned char)x;
    out[2] = (short)x;
    out[3] = (unsigned short)x;
    out[4] = (int)x;
    out[5] = (unsigned)x;
    out[6] = (long long)x;
    out[7] = (unsigned long long)x;
    out[8] = (bool)x;
    out[9] = llrint(x);
    out[10] = llround(x);
}

__global__ void on_device(const float *f, const double *d, long long *out)
{
    const int i = threadIdx.x;
    if (i < FLOATS)
        convert(f[i], out + i * RESULTS);
    else
        convert(d[i - FLOATS], out + i * RESULTS);
}

__global__ void named(float f, double d, long long *out)
{
    out[0] = __float2int_rn(f), out[1] = __float2uint_ru(f), out[2] = __float2ll_rz(f);
    out[3] = __double2int_rd(d), out[4] = __double2uint_rn(d), out[5] = __double2ull_rz(d);
}

__global__ void constants(long long *out)
{
    out[0] = (int)NAN, out[1] = (int)(double)NAN, out[2] = (long long)NAN;
    out[3] = (int)1e30f, out[4] = (unsigned char)-1.0f, out[5] = (unsigned)-1.5;
}

void show(const long long *out, int count)
{
    for (int i = 0; i < count; i++)
        printf("%llx%c", out[i], i == count - 1 ? '\n' : ' ');
}

int main()
{
    const float f[FLOATS] = {NAN, INFINITY, -INFINITY, 3e9f, -3e9f, 1e19f, -1.5f, 300.7f, -70000.0f};
    const double d[DOUBLES] = {NAN, INFINITY, -INFINITY, 3e9, -3e9, 1e19, -1.5, 300.7, -2147483648.5};
    float *df;
    double *dd;
    long long *out, host[RESULTS];
    cudaMalloc(&df, sizeof f);
    cudaMalloc(&dd, sizeof d);
    cudaMemcpy(df, f, sizeof f, cudaMemcpyHostToDevice);
    cudaMemcpy(dd, d, sizeof d, cudaMemcpyHostToDevice);
    cudaMallocManaged(&out, (FLOATS + DOUBLES) * RESULTS * sizeof *out);
    on_device<<<1, FLOATS + DOUBLES>>>(df, dd, out);
    cudaDeviceSynchronize();
    for (int i = 0; i < FLOATS + DOUBLES; i++)
        show(out + i * RESULTS, RESULTS);
    for (int i = 0; i < FLOATS + DOUBLES; i++) {
        if (i < FLOATS)
            convert(f[i], host);
        else
            convert(d[i - FLOATS], host);
        show(host, RESULTS);
    }
    named<<<1, 1>>>(NAN, NAN, out);
    cudaDeviceSynchronize();
    show(out, 6);
    constants<<<1, 1>>>(out);
    cudaDeviceSynchronize();
    show(out, 6);
    return 0;
}

// cc: no
// out: 0 0 0 0 0 0 8000000000000000 8000000000000000 1 8000000000000000 8000000000000000
// out: ffffffffffffffff ff ffffffffffffffff ffff 7fffffff ffffffff 7fffffffffffffff ffffffffffffffff 1 7fffffffffffffff 7fffffffffffffff
// out: 0 0 0 0 ffffffff80000000 0 8000000000000000 0 1 8000000000000000 8000000000000000
// out: ffffffffffffffff 0 ffffffffffffffff 5e00 7fffffff b2d05e00 b2d05e00 b2d05e00 1 b2d05e00 b2d05e00
// out: 0 0 0 0 ffffffff80000000 0 ffffffff4d2fa200 0 1 ffffffff4d2fa200 ffffffff4d2fa200
// out: ffffffffffffffff ff ffffffffffffffff ffff 7fffffff ffffffff 7fffffffffffffff 8ac7230000000000 1 7fffffffffffffff 7fffffffffffffff
// out: ffffffffffffffff 0 ffffffffffffffff 0 ffffffffffffffff 0 ffffffffffffffff 0 1 fffffffffffffffe fffffffffffffffe
// out: 2c 2c 12c 12c 12c 12c 12c 12c 1 12d 12d
// out: ffffffffffffff90 0 ffffffffffffee90 0 fffffffffffeee90 0 fffffffffffeee90 0 1 fffffffffffeee90 fffffffffffeee90
// out: 0 0 0 0 ffffffff80000000 80000000 8000000000000000 8000000000000000 1 8000000000000000 8000000000000000
// out: ffffffffffffffff ff ffffffffffffffff ffff 7fffffff ffffffff 7fffffffffffffff ffffffffffffffff 1 7fffffffffffffff 7fffffffffffffff
// out: 0 0 0 0 ffffffff80000000 0 8000000000000000 0 1 8000000000000000 8000000000000000
// out: ffffffffffffffff 0 ffffffffffffffff 5e00 7fffffff b2d05e00 b2d05e00 b2d05e00 1 b2d05e00 b2d05e00
// out: 0 0 0 0 ffffffff80000000 0 ffffffff4d2fa200 0 1 ffffffff4d2fa200 ffffffff4d2fa200
// out: ffffffffffffffff ff ffffffffffffffff ffff 7fffffff ffffffff 7fffffffffffffff 8ac7230489e80000 1 7fffffffffffffff 7fffffffffffffff
// out: ffffffffffffffff 0 ffffffffffffffff 0 ffffffffffffffff 0 ffffffffffffffff 0 1 fffffffffffffffe fffffffffffffffe
// out: 2c 2c 12c 12c 12c 12c 12c 12c 1 12d 12d
// out: 0 0 0 0 ffffffff80000000 0 ffffffff80000000 0 1 ffffffff80000000 ffffffff7fffffff
// out: 0 0 0 0 ffffffff80000000 0 8000000000000000 8000000000000000 1 8000000000000000 8000000000000000
// out: 0 0 0 0 ffffffff80000000 0 8000000000000000 0 1 8000000000000000 8000000000000000
// out: 0 0 0 0 ffffffff80000000 0 8000000000000000 8000000000000000 1 8000000000000000 8000000000000000
// out: 0 0 0 0 ffffffff80000000 b2d05e00 b2d05e00 b2d05e00 1 b2d05e00 b2d05e00
// out: 0 0 0 0 ffffffff80000000 4d2fa200 ffffffff4d2fa200 ffffffff4d2fa200 1 ffffffff4d2fa200 ffffffff4d2fa200
// out: 0 0 0 0 ffffffff80000000 0 8000000000000000 8ac7230000000000 1 8000000000000000 8000000000000000
// out: ffffffffffffffff ff ffffffffffffffff ffff ffffffffffffffff ffffffff ffffffffffffffff ffffffffffffffff 1 fffffffffffffffe fffffffffffffffe
// out: 2c 2c 12c 12c 12c 12c 12c 12c 1 12d 12d
// out: ffffffffffffff90 90 ffffffffffffee90 ee90 fffffffffffeee90 fffeee90 fffffffffffeee90 fffffffffffeee90 1 fffffffffffeee90 fffffffffffeee90
// out: 0 0 0 0 ffffffff80000000 0 8000000000000000 8000000000000000 1 8000000000000000 8000000000000000
// out: 0 0 0 0 ffffffff80000000 0 8000000000000000 0 1 8000000000000000 8000000000000000
// out: 0 0 0 0 ffffffff80000000 0 8000000000000000 8000000000000000 1 8000000000000000 8000000000000000
// out: 0 0 0 0 ffffffff80000000 b2d05e00 b2d05e00 b2d05e00 1 b2d05e00 b2d05e00
// out: 0 0 0 0 ffffffff80000000 4d2fa200 ffffffff4d2fa200 ffffffff4d2fa200 1 ffffffff4d2fa200 ffffffff4d2fa200
// out: 0 0 0 0 ffffffff80000000 0 8000000000000000 8ac7230489e80000 1 8000000000000000 8000000000000000
// out: ffffffffffffffff ff ffffffffffffffff ffff ffffffffffffffff ffffffff ffffffffffffffff ffffffffffffffff 1 fffffffffffffffe fffffffffffffffe
// out: 2c 2c 12c 12c 12c 12c 12c 12c 1 12d 12d
// out: 0 0 0 0 ffffffff80000000 80000000 ffffffff80000000 ffffffff80000000 1 ffffffff80000000 ffffffff7fffffff
// out: 0 0 8000000000000000 ffffffff80000000 80000000 8000000000000000
// out: 0 ffffffff80000000 8000000000000000 7fffffff 0 0
