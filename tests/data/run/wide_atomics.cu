// Atomics of 64 bits, signed and unsigned, on global and shared memory and through a pointer that
// may be either; the names with a scope behind.
#include <stdio.h>

__device__ void all(long long *s, unsigned long long *u, int t)
{
    atomicMin(&s[0], -(1LL << 40) - t);
    atomicMax(&s[1], (long long)t << 33);
    atomicAnd(&s[2], ~(1LL << (t + 20)));
    atomicOr(&s[3], 1LL << (63 - t));
    atomicXor(&s[4], 0x100000001LL << t % 20);
    atomicMin(&u[0], ~0ULL - t);
    atomicMax(&u[1], (1ULL << 63) + t);
    atomicAnd(&u[2], ~(1ULL << (63 - t)));
    atomicOr(&u[3], 1ULL << t);
    atomicXor(&u[4], 1ULL << (t + 30));
    atomicAdd(&u[5], 1ULL << 32);
    // 64-bit signed sums are those of unsigned ones.
    atomicAdd((unsigned long long *)&s[5], (unsigned long long)-1LL);
}

__global__ void wide(long long *s, unsigned long long *u)
{
    __shared__ long long in[6];
    __shared__ unsigned long long un[6];
    int t = threadIdx.x;
    if (t == 0) {
        in[2] = -1;
        un[0] = un[2] = ~0ULL;
    }
    __syncthreads();
    all(in, un, t);
    all(t & 1 ? s : s + 12, t & 1 ? u : u + 12, t);
    __syncthreads();
    if (t < 6) {
        s[6 + t] = in[t];
        u[6 + t] = un[t];
    }
}

__global__ void scopes(int *i, unsigned *n, unsigned long long *l, float *f, double *d)
{
    int t = threadIdx.x;
    atomicAdd_block(&i[0], t);
    atomicAdd_system(&i[0], 1);
    atomicSub_system(&i[1], t);
    atomicExch_block(&i[2], 7);
    atomicMin_block(&i[3], -t);
    atomicMax_system(&i[4], t);
    atomicCAS_system(&i[5], 0, 9);
    atomicAnd_block(&n[0], ~(1u << t));
    atomicOr_system(&n[1], 1u << t);
    atomicXor_block(&n[2], t);
    atomicInc_system(&n[3], 4);
    atomicDec_block(&n[4], 4);
    atomicAdd_system(&l[0], 5ULL);
    long long old = atomicMax_block((long long *)&l[1], (long long)t - 100);
    atomicExch_system(&l[2], 1ULL << 50);
    atomicCAS_block(&l[3], 0ULL, 1ULL << 51);
    atomicAdd_block(f, 0.5f);
    atomicAdd_system(d, 0.25);
    if (old == -1)
        i[6] = 1;
}

int main()
{
    static long long s[24];
    static unsigned long long u[24], l[4];
    long long *ds;
    unsigned long long *du, *dl;
    cudaMalloc(&ds, sizeof s);
    cudaMalloc(&du, sizeof u);
    cudaMalloc(&dl, sizeof l);
    s[2] = s[14] = -1;
    u[0] = u[2] = u[12] = u[14] = ~0ULL;
    cudaMemcpy(ds, s, sizeof s, cudaMemcpyHostToDevice);
    cudaMemcpy(du, u, sizeof u, cudaMemcpyHostToDevice);
    wide<<<1, 25>>>(ds, du);
    cudaMemcpy(s, ds, sizeof s, cudaMemcpyDeviceToHost);
    cudaMemcpy(u, du, sizeof u, cudaMemcpyDeviceToHost);
    for (int k = 0; k < 24; k += 6) {
        for (int m = k; m < k + 6; m++)
            printf("%llx ", s[m]);
        for (int m = k; m < k + 6; m++)
            printf("%llx%c", u[m], m == k + 5 ? '\n' : ' ');
    }

    int i[8], *di;
    unsigned n[5], *dn;
    float f, *df;
    double d, *dd;
    cudaMalloc(&di, sizeof i);
    cudaMalloc(&dn, sizeof n);
    cudaMalloc(&df, sizeof f);
    cudaMalloc(&dd, sizeof d);
    scopes<<<1, 25>>>(di, dn, dl, df, dd);
    cudaMemcpy(i, di, sizeof i, cudaMemcpyDeviceToHost);
    cudaMemcpy(n, dn, sizeof n, cudaMemcpyDeviceToHost);
    cudaMemcpy(l, dl, sizeof l, cudaMemcpyDeviceToHost);
    cudaMemcpy(&f, df, sizeof f, cudaMemcpyDeviceToHost);
    cudaMemcpy(&d, dd, sizeof d, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d %d %d %d\n", i[0], i[1], i[2], i[3], i[4], i[5], i[6]);
    printf("%x %x %u %u %u\n", n[0], n[1], n[2], n[3], n[4]);
    printf("%llu %llu %llu %llu %g %g\n", l[0], l[1], l[2] >> 50, l[3] >> 51, f, d);
    return 0;
}

// out: fffffeffffffffe9 2e00000000 fffff555555fffff 5555550000000000 aaaa0000aaaa0 fffffffffffffff4 ffffffffffffffe8 8000000000000017 aaaaaaffffffffff aaaaaa 2aaaaa80000000 c00000000
// out: fffffeffffffffe8 3000000000 ffffe000000fffff ffffff8000000000 fffe0000fffe0 ffffffffffffffe7 ffffffffffffffe7 8000000000000018 7fffffffff 1ffffff 7fffffc0000000 1900000000
// out: fffffeffffffffe8 3000000000 ffffeaaaaaafffff aaaaaa8000000000 5554000055540 fffffffffffffff3 ffffffffffffffe7 8000000000000018 5555557fffffffff 1555555 55555540000000 d00000000
// out: 0 0 0 0 0 0 0 0 0 0 0 0
// out: 325 -300 7 -24 24 9 0
// out: 0 1ffffff 24 0 0
// out: 125 0 1 1 12.5 6.25
