// Quotients and remainders by constants, masks, bitwise trees and joined conditions at the ends of the types: what the
// optimiser makes of them is what the host computes.
#include <stdio.h>
#include <limits.h>

#define DIVISORS(use) use(2) use(3) use(5) use(6) use(7) use(8) use(10) use(14) use(25) use(64) use(100) use(641) use(1000) \
    use(65537) use(0x40000000) use(0x7fffffff) use(-1) use(-3) use(-8) use(-10) use(-0x7fffffff)

#define COUNT 24

__host__ __device__ unsigned divided(int x)
{
    unsigned sum = 0;
#define SIGNED(d) sum = sum * 31 + x / (d) * 7 + x % (d);
    DIVISORS(SIGNED)
#define UNSIGNED(d) sum = sum * 31 + (unsigned)x / (unsigned)(d) * 7 + (unsigned)x % (unsigned)(d);
    DIVISORS(UNSIGNED)
    if (x >= 0 && x < 4096) {
#define BOUNDED(d) sum = sum * 31 + x / (d) * 7 + x % (d);
        DIVISORS(BOUNDED)
    }
    return sum;
}

__host__ __device__ unsigned mixed(unsigned x, unsigned y, unsigned z)
{
    unsigned w = x & 15;
    for (int i = 0; i < 8; i++)
        w = (w * 3 + i) & 511;
    for (int i = 0; i < 8; i++)
        w = (w << 1 ^ i) & 511;
    w += (x & y) ^ (x & z) ^ (y & z);
    w = w * 3 + ((x & y) | (~x & z));
    w = w * 3 + (x ^ y ^ z);
    w = w * 3 + ((x | ~y) & z);
    w = w * 3 + (x & ~y & 0xff00);
    w = w * 3 + ((x ^ 0x5555) | y);
    return w * 3 + (short)(x & 0xffff) + (signed char)(y | 0x80) + ((int)(x << 3 & 0xff8) >> 3 & 0xff);
}

__host__ __device__ int joined(int a, int b, unsigned c)
{
    int found = 0;
    if (a < b && c > 7)
        found += 1;
    if (a == b || c <= 7)
        found += 2;
    if (!(a >= b) && !(c == 0 || a == 5))
        found += 4;
    if ((a > 0 && b > 0) || (a < 0 && b < 0))
        found += 8;
    int i = a & 7;
    while (i > 1 && found < 40) {
        found += i;
        i = (i & 1) == 0 ? i / 2 : i * 3 + 1;
    }
    return found;
}

// Numbers of threads and counters of loops are not negative; what wraps may be.
__host__ __device__ int counted(int thread, int n)
{
    int sum = thread % 8 + thread / 4;
    for (int i = 0; i < n; i++)
        sum += i / 2 + i % 4 - (i >= 0);
    for (int i = n; i > 0; i /= 2)
        sum += (i - 3) / 2;
    for (int i = INT_MAX - 5, rounds = 0; rounds < 12; i = (int)((unsigned)i + 1), rounds++)
        sum += i / 8 + i % 8 + (i < 0);
    return sum;
}

__global__ void kernel(const int *in, unsigned *out)
{
    int at = threadIdx.x;
    int x = in[at], y = in[(at + 1) % COUNT], z = in[(at + 5) % COUNT];
    out[at * 4] = divided(x);
    out[at * 4 + 1] = mixed(x, y, z);
    out[at * 4 + 2] = joined(x, y, z);
    out[at * 4 + 3] = counted(threadIdx.x, at & 15);
}

int main()
{
    int numbers[COUNT] = {0, 1, -1, 2, -2, 7, -7, 8, 9, 15, 16, 99, 100, 4095, 4096, 65535, -65536, 1000000007,
                          -1000000007, INT_MAX, INT_MAX - 1, INT_MIN, INT_MIN + 1, 0x55555555};
    int *in;
    unsigned *out, results[COUNT * 4];
    cudaMalloc(&in, sizeof(numbers));
    cudaMalloc(&out, sizeof(results));
    cudaMemcpy(in, numbers, sizeof(numbers), cudaMemcpyHostToDevice);
    kernel<<<1, COUNT>>>(in, out);
    cudaMemcpy(results, out, sizeof(results), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int at = 0; at < COUNT; at++) {
        int x = numbers[at], y = numbers[(at + 1) % COUNT], z = numbers[(at + 5) % COUNT];
        unsigned expected[4] = {divided(x), mixed(x, y, z), (unsigned)joined(x, y, z), (unsigned)counted(at, at & 15)};
        for (int i = 0; i < 4; i++)
            if (results[at * 4 + i] != expected[i]) {
                printf("%d of %d: %u, not %u\n", i, x, results[at * 4 + i], expected[i]);
                wrong++;
            }
    }
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
// out: 0 wrong
