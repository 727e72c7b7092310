// What kernels print: by block, then by thread, each thread in its order, when the kernel has ended,
// whatever order they ran in.
#include <stdio.h>

enum level { LOW, HIGH = 7 };

__host__ __device__ int say(const char *who, int n)
{
    return printf("%s says %d\n", who, n);
}

__global__ void order(int *count)
{
    int t = threadIdx.x, b = blockIdx.x;
    if (t % 2)
        printf("block %d thread %d is odd\n", b, t);
    else
        for (int i = 0; i < t; i++)
            printf("block %d thread %d round %d\n", b, t, i);
    __syncthreads();
    if (t == 0) {
        count[b] = printf("no values\n");
        count[b] += 10 * printf("%d%c%d\n", b, '/', t);
    }
}

__global__ void kinds(float f, short s, unsigned char c, bool truth, const int *p)
{
    const char *name = truth ? "yes" : "no";
    level l = HIGH;
    unsigned long long wide = 0xfedcba9876543210ull;
    printf("%5.2f|%-4d|%u|%s|%s|%d|%%\n", f, s, c, name, truth ? "true" : "false", l);
    printf("%lld %llx %lu %e %g\n", -1LL << 40, wide, (unsigned long)c, 1e100, f / 4);
    printf("%x %X %o %+d %#x %08.3f %c\n", 255u, 48879, 8, 5, 16, -1.5, 'x');
    printf("%d %d\n", p != nullptr, say("device", 4));
    printf("%d %d %d %d %d %d %d %d %d %g %d\n", 1, -2, 3, -4, 5, -6, 7, -8, 9, 10.5, -11);
    printf("%*d|%.*f|%-6s|%.2s\n", 4, 42, 2, 3.14159, "ab", "xyz");
    printf("%hhd %hd %zu\n", 300, 70000, sizeof(int));
}

__global__ void grid()
{
    printf("(%u,%u,%u) (%u,%u,%u)\n", blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x,
           threadIdx.y, threadIdx.z);
}

int main()
{
    int count[2], *d;
    cudaMalloc(&d, sizeof count);
    printf("before\n");
    order<<<2, 5>>>(d);
    cudaDeviceSynchronize();
    cudaMemcpy(count, d, sizeof count, cudaMemcpyDeviceToHost);
    printf("counts %d %d\n", count[0], count[1]);
    kinds<<<1, 1>>>(2.5f, -3, 200, true, d);
    printf("host gets %d\n", say("host", 3));
    grid<<<dim3(1, 2, 2), dim3(2, 1, 2)>>>();
    return 0;
}

// out: before
// out: no values
// out: 0/0
// out: block 0 thread 1 is odd
// out: block 0 thread 2 round 0
// out: block 0 thread 2 round 1
// out: block 0 thread 3 is odd
// out: block 0 thread 4 round 0
// out: block 0 thread 4 round 1
// out: block 0 thread 4 round 2
// out: block 0 thread 4 round 3
// out: no values
// out: 1/0
// out: block 1 thread 1 is odd
// out: block 1 thread 2 round 0
// out: block 1 thread 2 round 1
// out: block 1 thread 3 is odd
// out: block 1 thread 4 round 0
// out: block 1 thread 4 round 1
// out: block 1 thread 4 round 2
// out: block 1 thread 4 round 3
// out: counts 30 30
// out:  2.50|-3  |200|yes|true|7|%
// out: -1099511627776 fedcba9876543210 200 1.000000e+100 0.625
// out: ff BEEF 10 +5 0x10 -001.500 x
// out: device says 4
// out: 1 2
// out: 1 -2 3 -4 5 -6 7 -8 9 10.5 -11
// out:   42|3.14|ab    |xy
// out: 44 4464 4
// out: host says 3
// out: host gets 12
// out: (0,0,0) (0,0,0)
// out: (0,0,0) (1,0,0)
// out: (0,0,0) (0,0,1)
// out: (0,0,0) (1,0,1)
// out: (0,1,0) (0,0,0)
// out: (0,1,0) (1,0,0)
// out: (0,1,0) (0,0,1)
// out: (0,1,0) (1,0,1)
// out: (0,0,1) (0,0,0)
// out: (0,0,1) (1,0,0)
// out: (0,0,1) (0,0,1)
// out: (0,0,1) (1,0,1)
// out: (0,1,1) (0,0,0)
// out: (0,1,1) (1,0,0)
// out: (0,1,1) (0,0,1)
// out: (0,1,1) (1,0,1)
