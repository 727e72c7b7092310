// Threads of a warp that arrive at a barrier from different sides of a branch, or that leave on the
// way: the barrier counts every thread that has not ended.
#include <stdio.h>

#define N 96

// Nothing behind the first `if` is a common post-dominator: some return inside of it.
__global__ void inner_return(int *out)
{
    __shared__ int s[N];
    int t = threadIdx.x;
    s[t] = t;
    if (t % 3 == 0) {
        if (t % 2 == 0) {
            s[t] = 1000 + t;
            return;
        }
        s[t] += 100;
    }
    __syncthreads();
    out[t] = s[(t + 1) % N] + s[(t + 3) % N];
}

__global__ void in_a_loop(int *out)
{
    __shared__ int s[N];
    int t = threadIdx.x;
    for (int step = 0; step < N; step++) {
        s[t] = step * t;
        if (t == step || t == N - 1 - step)
            return;
        __syncthreads();
        out[t] += s[(t + 1) % N];
        __syncthreads();
    }
}

__global__ void both_sides(int *out)
{
    __shared__ int s[N];
    int t = threadIdx.x;
    s[t] = t;
    if (t % 5 < 2) {
        __syncthreads();
        out[t] = s[N - 1 - t];
    } else if (t % 5 < 4) {
        int next = s[t] * 2;
        __syncthreads();
        out[t] = next;
    } else {
        __syncthreads();
        out[t] = -t;
    }
}

int main()
{
    int host[N], *out;
    cudaMalloc((void **)&out, sizeof host);
    for (int k = 0; k < 3; k++) {
        cudaMemset(out, 0, sizeof host);
        if (k == 0)
            inner_return<<<1, N>>>(out);
        else if (k == 1)
            in_a_loop<<<1, N>>>(out);
        else
            both_sides<<<1, N>>>(out);
        cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
        long long sum = 0;
        for (int i = 0; i < N; i++)
            sum += (long long)host[i] * (i + 1);
        printf("%lld\n", sum);
    }
    return 0;
}

// out: 2154944
// out: 89005216
// out: 230261
