// Quotients and remainders of 64 bits by constants, signed and not, powers of two of either sign among them, beside those by
// variables of the same value, which the machine divides.
#include <stdio.h>

#define EACH(OF) OF(3) OF(7) OF(10) OF(8) OF(641) OF(1000000007) OF(4294967296) OF(4294967297) OF(1000000000000) OF(9223372036854775807)

__global__ void kernel(const long long *values, const long long *divisors, int *wrong, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n) return;
    long long x = values[t];
    unsigned long long u = x;
    int d = 0;
#define TRY(C) \
    wrong[t] += x / C##LL != x / divisors[d]; \
    wrong[t] += x % C##LL != x % divisors[d]; \
    wrong[t] += x / -C##LL != x / -divisors[d]; \
    wrong[t] += x % -C##LL != x % -divisors[d]; \
    wrong[t] += u / C##ULL != u / (unsigned long long)divisors[d]; \
    wrong[t] += u % C##ULL != u % (unsigned long long)divisors[d]; \
    wrong[t] += (t + 5LL) / C##LL != (t + 5LL) / divisors[d]; \
    d++;
    EACH(TRY)
    int w = (int)x, by = (int)divisors[3];
    wrong[t] += w / -8 != w / -by;
    wrong[t] += w % -8 != w % -by;
    wrong[t] += (unsigned)w / 0x80000000u != ((unsigned)w >> 31);
}

int main()
{
    long long *values, *divisors;
    int *wrong, n = 0, all = 0;
    cudaMallocManaged(&values, 1024 * sizeof(long long));
    cudaMallocManaged(&divisors, 16 * sizeof(long long));
    cudaMallocManaged(&wrong, 1024 * sizeof(int));
    int d = 0;
#define NOTE(C) divisors[d++] = C##LL;
    EACH(NOTE)
    for (int bit = 0; bit < 64; bit++)
        for (int by = -2; by <= 2; by++) values[n++] = (long long)((1ull << bit) + by);
    for (int i = 0; i < d; i++)
        for (int by = -1; by <= 1; by++) {
            values[n++] = divisors[i] + by;
            values[n++] = -divisors[i] * 3 + by;
        }
    for (int i = 0; i < n; i++) wrong[i] = 0;
    kernel<<<(n + 63) / 64, 64>>>(values, divisors, wrong, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++) all += wrong[i];
    printf("%d values, %d wrong\n", n, all);
    return 0;
}
// out: 380 values, 0 wrong
