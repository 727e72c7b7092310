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

// Each lane makes the same calls, on one side of a branch or the other.
__global__ void both_sides(int *p)
{
    int t = threadIdx.x, v = p[t];
    if (t < 8)
        v = __shfl_down_sync(~0u, v, 16);
    else if (t < 20)
        v = 2 * __shfl_down_sync(~0u, v, 16);
    else
        v = 3 * __shfl_down_sync(~0u, v, 16);
    if (v > 3) {
        __syncwarp();
        p[t] = v;
    } else {
        p[t] = 1;
        __syncwarp();
    }
}

// Other calls, or none, on a side.
__global__ void other_sides(int *p)
{
    int t = threadIdx.x, v = p[t];
    if (t < 8)
        v = __shfl_down_sync(~0u, v, 16); //~
    else
        v = __shfl_up_sync(~0u, v, 16); //~
    if (t < 8)
        v = __shfl_down_sync(~0u, v, 16); //~
    else if (t < 20)
        v = 2 * __shfl_down_sync(~0u, v, 16); //~
    for (int i = 0; i < t; i++)
        v += __shfl_down_sync(~0u, v, 8); //~
    p[t] = v;
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

// All blocks are of 16 by 16 threads, so a warp is two rows.
__global__ void squares(int *p)
{
    int t = threadIdx.y * blockDim.x + threadIdx.x, v = p[t];
    if (t < 32)
        p[t] = __shfl_down_sync(~0u, v, 16);
    if (t / 32 == 1)
        p[t] = __shfl_down_sync(~0u, v, 8);
    if ((t & 64) == 0)
        p[t] = __shfl_down_sync(~0u, v, 4);
    int same = threadIdx.y * 16 + threadIdx.x;
    if (same >= 64)
        p[t] = __shfl_down_sync(~0u, v, 2);
    if (same < 16)
        p[t] = __shfl_down_sync(~0u, v, 2); //~
    if ((t & 16) == 0)
        p[t] = __shfl_down_sync(~0u, v, 4); //~
    int other = threadIdx.y * 32 + threadIdx.x;
    if (other < 64)
        p[t] = __shfl_down_sync(~0u, v, 2); //~
    if (t + 1 < 32)
        p[t] = __shfl_down_sync(~0u, v, 1); //~
}

// Blocks differ in their height, and there may be several layers.
__global__ void layers(int *p)
{
    int t = threadIdx.y * 8 + threadIdx.x, v = p[t];
    if (t < 32)
        p[t] = __shfl_down_sync(~0u, v, 16); //~
    int number = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    if (number < 32)
        p[t] = __shfl_down_sync(~0u, v, 8);
    if (number >> 5 == 1)
        p[t] = __shfl_down_sync(~0u, v, 8);
}

// The number of the thread in its block says which warp it is in, whatever the launch.
__global__ void numbered(int *p)
{
    int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z), v = p[t];
    if (t < 32)
        p[t] = __shfl_down_sync(~0u, v, 16);
    if (t / 64 == 1)
        p[t] = __shfl_down_sync(~0u, v, 8);
    if (t / 16 == 1)
        p[t] = __shfl_down_sync(~0u, v, 4); //~
}

__global__ void assumed(int *p)
{
    __builtin_assume(blockDim.x == 256);
    int t = threadIdx.x, v = p[t];
    if (t < 32)
        p[t] = __shfl_down_sync(~0u, v, 16);
}

__global__ void assumed_whole(int *p)
{
    __builtin_assume(blockDim.x % 32 == 0);
    int t = threadIdx.x, v = p[t];
    if (t < 32)
        p[t] = __shfl_down_sync(~0u, v, 16);
}

__global__ void assumed_masked(int *p)
{
    __builtin_assume(!(blockDim.x & 63));
    int t = threadIdx.x, v = p[t];
    if (t < 32)
        p[t] = __shfl_down_sync(~0u, v, 16);
}

__global__ void assumed_square(int *p)
{
    __builtin_assume(16 == blockDim.x && blockDim.y == 16);
    __builtin_assume(blockDim.z == 1);
    int t = threadIdx.y * 16 + threadIdx.x, v = p[t];
    if (t < 32)
        p[t] = __shfl_down_sync(~0u, v, 16);
}

// What is assumed says too little, or is said of a part of the launches.
__global__ void assumed_wrongly(int *p)
{
    __builtin_assume(blockDim.x % 16 == 0);
    int t = threadIdx.x, v = p[t];
    if (t < 32)
        p[t] = __shfl_down_sync(~0u, v, 16); //~
    if (p[0]) {
        __builtin_assume(blockDim.x == 64);
    }
    if (t < 32)
        p[t] = __shfl_down_sync(~0u, v, 8); //~
}

// Other arrays are written between the barriers around the loads of a flag.
__device__ void sums(int *list)
{
    __syncthreads();
    list[threadIdx.x] += 1;
    __syncthreads();
}

__global__ void flags(int *p, int n)
{
    __shared__ int list[64], other[128], done, again;
    int t = threadIdx.x;
    do {
        __syncthreads();
        if (t == 0)
            done = again = 0;
        __syncthreads();
        list[t] = p[t];
        if (p[t + n] > 3)
            done = 1;
        __syncthreads();
        if (done)
            sums(list);
        other[t + list[t]] = t;
        if (list[t] > 7)
            again = 1;
        __syncthreads();
        if (again)
            sums(other);
    } while (again);
    p[t] = other[t];
}

// The flag itself is written there.
__global__ void raced(int *p)
{
    __shared__ int list[64], done;
    list[threadIdx.x] = done = 0;
    __syncthreads();
    if (p[threadIdx.x])
        done = 1;
    if (done)
        __syncthreads(); //~
    p[0] = list[p[1]];
}

// Or through a pointer that may be anything.
__global__ void pointed(int *p, int n)
{
    __shared__ int list[64], done;
    list[threadIdx.x] = done = n;
    __syncthreads();
    int *to = n > 3 ? &list[n] : &done;
    *to = p[threadIdx.x];
    if (done)
        __syncthreads(); //~
    p[0] = list[p[1]];
}

// What nobody writes is the same for all who read it, whatever the kernel writes elsewhere.
__global__ void restricted(const int *__restrict__ n, int *p)
{
    p[threadIdx.x] = 1;
    for (int i = 0; i < n[blockIdx.x]; i++)
        __syncthreads();
}

__global__ void unrestricted(const int *n, int *p)
{
    p[threadIdx.x] = 1;
    for (int i = 0; i < n[blockIdx.x]; i++)
        __syncthreads(); //~
}

__global__ void written(int *__restrict__ n, int *p)
{
    p[threadIdx.x] = 1;
    for (int i = 0; i < n[blockIdx.x]; i++)
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
    squares<<<1, dim3(16, 16)>>>(p);
    dim3 square(16, 16);
    squares<<<4, square>>>(p);
    layers<<<1, dim3(8, 8)>>>(p);
    layers<<<1, dim3(8, 4, 2)>>>(p);
    return 0;
}
