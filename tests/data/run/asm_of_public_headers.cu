// Forms that public headers use: the data model's macros, addresses of shared memory, negated selectors.
#include <cstdio>

#if defined(_WIN64) || defined(__LP64__)
#define POINTER "l"
#else
#define POINTER "r"
#endif

#if !defined(_LP64) || __CUDACC_VER_MAJOR__ < 11 || __CUDACC_VER_MINOR__ + __CUDACC_VER_BUILD__ != 0
#error the macros of nvcc
#endif

__global__ void k(unsigned *p)
{
    __shared__ unsigned s[32];
    unsigned t = threadIdx.x, loaded, chosen, back;
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(loaded) : POINTER(p + t));
    unsigned address = (unsigned)__cvta_generic_to_shared(&s[t]);
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(address), "r"(loaded + 1) : "memory");
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(back) : "r"(address) : "memory");
    asm("{ .reg .pred c; setp.gt.u32 c, %1, 15; selp.u32 %0, %1, 100, !c; }" : "=r"(chosen) : "r"(t));
    const unsigned *global = p + t;
    bool same = __cvta_generic_to_global(global) == (size_t)global && s[t] == back;
    p[t] = same ? back + chosen : 0;
}

int main()
{
    unsigned *p;
    cudaMallocManaged(&p, 32 * sizeof(unsigned));
    for (unsigned i = 0; i < 32; i++)
        p[i] = 1000 * i;
    k<<<1, 32>>>(p);
    cudaDeviceSynchronize();
    bool right = true;
    for (unsigned i = 0; i < 32; i++)
        right &= p[i] == 1000 * i + 1 + (i > 15 ? 100 : i);
    printf("%u %u %s\n", p[3], p[20], right ? "PASS" : "FAIL");
    cudaFree(p);
    return !right;
}

// out: 3004 20101 PASS
