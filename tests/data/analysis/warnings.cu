// Where W0501 warns, at every level of optimisation: on the lines with the mark `//~`.

// All launches have one row.
__global__ void rows(int *p)
{
    int t = threadIdx.x, v = p[t];
    if (t < 32) {
        v += __shfl_down_sync(~0u, v, 16);
        p[t] = v;
    }
}

// Rows of whole warps.
__global__ void whole(int *p)
{
    int t = threadIdx.y * blockDim.x + threadIdx.x, v = p[t];
    if (t / 32 == 1)
        p[t] = __shfl_down_sync(~0u, v, 16);
}

// One of the launches has short rows.
__global__ void tiles(int *p)
{
    int t = threadIdx.x, v = p[t];
    if (t < 8)
        p[t] = __shfl_down_sync(~0u, v, 16); //~
    if (t < 32)
        p[t] = __shfl_down_sync(~0u, v, 8); //~
    if (t > 31)
        p[t] = __shfl_down_sync(~0u, v, 4); //~
}

// The variable is changed.
__global__ void changed(int *p)
{
    int t = threadIdx.x, v = p[t];
    if (t > 31)
        p[t] = __shfl_down_sync(~0u, v, 4); //~
}

// Nobody says how it is launched.
__global__ void unknown(int *p)
{
    int t = threadIdx.x, v = p[t];
    if (t > 31)
        p[t] = __shfl_down_sync(~0u, v, 4); //~
}

// The loop is left by all or none: what decides was written in front of a barrier.
__global__ void loops(int *p, int n)
{
    __shared__ int flag, s[256];
    int t = threadIdx.x;
    s[t] = p[t];
    do {
        __syncthreads();
        if (t == 0)
            flag = 0;
        __syncthreads();
        if (s[t] > n) {
            flag = 1;
            s[t]--;
        }
        __syncthreads();
    } while (flag);
    __syncthreads();
    p[t] = s[t];
    for (int i = 0;; i++) {
        if (t == 0)
            flag = p[i];
        __syncthreads();
        if (flag > 5)
            break;
        __syncthreads();
    }
    __syncthreads();
    if (t < 10)
        __syncthreads(); //~
}

int main()
{
    int *p, n = 96;
    cudaMalloc(&p, 4096);
    rows<<<1, n>>>(p);
    dim3 line(n - 32);
    rows<<<2, line>>>(p);
    whole<<<1, dim3(64, 2)>>>(p);
    dim3 block(32, 4, 2), tile(40, 4);
    whole<<<1, block>>>(p);
    tiles<<<1, n>>>(p);
    tiles<<<1, tile>>>(p);
    dim3 other(64);
    other.y = 2;
    changed<<<1, other>>>(p);
    loops<<<1, 256>>>(p, 3);
    return 0;
}
