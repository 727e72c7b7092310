// Loads and stores that tell the caches something, what is expected and assumed, which memory an
// address is of, waiting, and clocks that only go up.
#include <stdio.h>

struct point { int x, y; };
__constant__ int table[4] = {5, 6, 7, 8};
__device__ int flag = 3;

__device__ int calls = 0;
__device__ int called() { return atomicAdd(&calls, 1) + 1; }

__global__ void loads(const char *c, const unsigned short *s, const float4 *v, const double *d,
                      const point *p, const long long *l, float *out)
{
    const float4 four = __ldg(v);
    const point q = {__ldcs(&p[1].x), __ldcs(&p[1].y)};
    out[0] = __ldg(c + 1) + __ldca(&s[1]) + four.x + four.w;
    out[1] = __ldcg(d) + __ldcs(&l[1]) + q.x * 10 + q.y;
    out[2] = __ldlu(&out[2]) + 1;
    out[3] = __ldcv(&out[3]) + 2;
    __stwb(&out[4], 4);
    __stcg(out + 5, 5.5);
    __stcs(&out[6], out[0]);
    __stwt(out + 7, 7.0f);
    __stcg((float2 *)out + 4, make_float2(8, 9));
}

__global__ void rest(int *out)
{
    __shared__ int shared;
    int local = 1, *where = &local;
    out[0] = __isGlobal(out) + 2 * __isGlobal(&flag) + 4 * __isGlobal(&shared) + 8 * __isGlobal(nullptr);
    out[1] = __isShared(&shared) + 2 * __isShared(where) + 4 * __isShared(out);
    out[2] = __isLocal(where) + 2 * __isLocal(&shared) + 4 * __isLocal(table);
    out[3] = __isConstant(&table[3]) + 2 * __isConstant(out);
    out[4] = __builtin_expect(out[0] == 3, 1) ? 10 : 20;
    __builtin_assume(called() > 0);
    __builtin_assume(out[1] == 1);
    out[5] = calls + called();
    long long first = clock64();
    clock_t begin = clock();
    __nanosleep(100);
    int work = 0;
    for (int i = 0; i < flag * 100; i++)
        work += atomicAdd(&shared, i) & 1;
    clock_t end = clock();
    __prof_trigger(1);
    out[6] = first >= 0 && begin >= first && end > begin && clock64() >= end;
    out[7] = work;
}

int main()
{
    char c[2] = {1, -2};
    unsigned short s[2] = {1, 60000};
    float4 v = {1, 2, 3, 4};
    double d = 0.5;
    point p[2] = {{1, 2}, {3, 4}};
    long long l[2] = {1, 1LL << 20};
    float out[10] = {0, 0, 20, 30};
    int ints[8];
    void *at[7];
    const void *from[7] = {c, s, &v, &d, p, l, out};
    size_t size[7] = {sizeof c, sizeof s, sizeof v, sizeof d, sizeof p, sizeof l, sizeof out};
    for (int i = 0; i < 7; i++) {
        cudaMalloc(&at[i], size[i]);
        cudaMemcpy(at[i], from[i], size[i], cudaMemcpyHostToDevice);
    }
    loads<<<1, 1>>>((char *)at[0], (unsigned short *)at[1], (float4 *)at[2], (double *)at[3],
                    (point *)at[4], (long long *)at[5], (float *)at[6]);
    cudaMemcpy(out, at[6], sizeof out, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 10; i++)
        printf("%g%c", out[i], i == 9 ? '\n' : ' ');
    rest<<<1, 1>>>((int *)at[6]);
    cudaMemcpy(ints, at[6], sizeof ints, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8; i++)
        printf("%d%c", ints[i], i == 7 ? '\n' : ' ');
    return 0;
}

// out: 60003 1.04861e+06 21 32 4 5.5 60003 7 8 9
// out: 3 1 1 1 10 1 1 150
