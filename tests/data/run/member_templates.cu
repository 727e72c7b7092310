// Function templates of structures, called with their arguments written; comparisons of members that
// have the name of one.
#include <stdio.h>

struct counter {
    int step;

    // Used before it is declared.
    __host__ __device__ int twice(int x) { return this->times<2>(x) + times<0>(x); }

    template <int n, bool add = false>
    __host__ __device__ int times(int x) const { return n * x + (add ? step : 0); }

    template <class T>
    static __host__ __device__ T halve(T x) { return x / 2; }
};

struct plain { int times, halve; };

template <class T>
__host__ __device__ T both(T which, int x)
{
    return T{which.template times<3, true>(x)};
}

__global__ void kernel(int *out, counter c)
{
    __shared__ counter mine;
    if (threadIdx.x == 0)
        mine.step = c.step + 1;
    __syncthreads();
    counter *p = &mine;
    int x = threadIdx.x;
    if (x % 2)
        out[x] = p->times<5, true>(x);
    else
        out[x] = mine.times<7>(x) + c.halve<int>(x);
}

int main()
{
    counter c = {100};
    int h[4], *d;
    cudaMalloc(&d, sizeof h);
    kernel<<<1, 4>>>(d, c);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d\n", h[0], h[1], h[2], h[3]);
    printf("%d %d %g\n", c.twice(4), both(c, 5).step, c.halve<double>(3));
    plain s = {2, 3};
    int n = 4, m = 1;
    printf("%d %d %d\n", s.times < n, s.times < n && m > (0), s.halve < (n));
    return 0;
}

// out: 0 106 15 116
// out: 8 115 1.5
// out: 1 1 1
