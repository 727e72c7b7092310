// Prototypes, qualifiers in any order, several declarators, declarations in the middle of blocks.
#include <stdio.h>

static __global__ void later(int *out, const int n);
__device__ __forceinline__ int helper(int);
extern "C" __global__ void plain(int *out);
static inline __host__ __device__ unsigned both(unsigned x, unsigned y);

__device__ __constant__ int constant_first = 3;
__constant__ static float values[] = {1.5f, 2.5f};
volatile int seen = 4, *watched = &seen, many[2] = {1, 2};
const unsigned long int mixed = 5ul;
long unsigned reversed = 6;
int long long oddly = 7;
char const *const text = "text", letter = 'x';

typedef int number, *reference, triple[3];

static __global__ void later(int *__restrict__ out, int const n)
{
    int i = threadIdx.x, *p = out + i, pair[2] = {i, 2 * i};
    if (i >= n) return;
    *p = helper(i) + pair[1];
    const int scaled = i * 10, shifted = scaled + 1;
    *p += shifted;
    {
        number i = 1000;
        *p += i;
    }
    for (int i = 0, j = 10; i < j; i++, j--)
        *p += i * j & 1;
    unsigned fast = both(i, 1);
    *p += (int)fast;
    triple t = {1, 2, 3};
    reference r = t;
    *p += r[2];
}

__device__ int helper(int x) { return x ? values[x & 1] * 2 + constant_first : -1; }

extern "C" __global__ void __launch_bounds__(32) plain(int *out) { out[threadIdx.x] -= blockDim.x; }

static inline __host__ __device__ unsigned both(unsigned x, unsigned y) { return x << y | y; }

int unnamed(int, int b) { return b; }

void nothing(void);

int main(void)
{
    int host[8], *out;
    cudaMalloc(&out, sizeof(host));
    later<<<1, 8>>>(out, 6);
    plain<<<1, 8>>>(out);
    cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8; i++)
        printf("%d%c", host[i], i == 7 ? '\n' : ' ');
    nothing();
    int(grouped) = 4, (*array)[2] = (int(*)[2])many;
    printf("%d %d %lu %lu %lld %s%c\n", grouped, (*array)[1], mixed, reversed, oddly, text, letter);
    printf("%d %d %u\n", *watched, unnamed(1, 2), both(3, 1));
    struct local {
        int a, b;
    } here = {1, 2}, there;
    there = here;
    enum { INNER = 9 };
    printf("%d %d\n", there.b, INNER);
    ;
    return 0;
}

void nothing(void) { printf("nothing\n"); }

// out: 998 1021 1033 1049 1061 1077 -8 -8
// out: nothing
// out: 4 2 5 6 7 textx
// out: 4 2 7
// out: 2 9
