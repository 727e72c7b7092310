// Barriers that count: the votes of all threads that have not returned, whichever barrier they are at.
#include <stdio.h>

__global__ void votes(const int *in, int *out, int n)
{
    int t = threadIdx.x;
    if (t >= n)
        return;
    int more = __syncthreads_count(in[t] > 4);
    int any = __syncthreads_or(in[t] == 77);
    int all = __syncthreads_and(in[t] < 100);
    out[t] = more * 100 + any * 10 + all;
}

// Threads go on until all are done; the answer is the same for the whole block.
__global__ void settle(const int *in, int *out)
{
    int v = in[threadIdx.x], rounds = 0;
    while (__syncthreads_or(v > 1)) {
        v = v % 2 ? 3 * v + 1 : v / 2;
        if (v == 0 || v == 4)
            v = 1;
        rounds++;
    }
    out[threadIdx.x] = rounds;
}

// One side counts, the other only waits.
__global__ void sides(int *out, int n)
{
    __syncthreads_count(threadIdx.x);
    if (n > 3)
        out[threadIdx.x] = __syncthreads_count(threadIdx.x % 3 == 0);
    else
        __syncthreads();
}

int main()
{
    int in[70], out[70], *d_in, *d_out;
    for (int t = 0; t < 70; t++)
        in[t] = t == 50 ? 77 : t % 9;
    cudaMalloc(&d_in, sizeof in);
    cudaMalloc(&d_out, sizeof in);
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
    for (int n = 40; n <= 70; n += 15) {
        votes<<<1, 70>>>(d_in, d_out, n);
        cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
        int same = 1;
        for (int t = 1; t < n; t++)
            same &= out[t] == out[0];
        printf("%d %d\n", out[0], same);
    }
    settle<<<1, 70>>>(d_in, d_out);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    printf("%d %d\n", out[0], out[69]);
    sides<<<1, 70>>>(d_out, 4);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    printf("%d %d\n", out[0], out[69]);
    return 0;
}

// out: 1601 1
// out: 2411 1
// out: 3011 1
// out: 20 20
// out: 24 24
