// What may be asked for early, and which barriers both streams have.

__global__ void tiles(const float *a, float *b, int n) {
    __shared__ float tile[256];
    for (int k = 0; k < n; k++) {
        tile[threadIdx.x] = a[k * 256 + threadIdx.x];
        __syncthreads();
        b[k * 256 + threadIdx.x] = tile[255 - threadIdx.x];
        __syncthreads();
    }
}

// The store may write what the next load reads: it is of the same thread, the load finds it.
__global__ void aliases(int *a, int n) {
    int i = threadIdx.x;
    a[i] = i;
    int first = a[i + n];
    a[i + 1] = first;
    a[i + 2] = a[i + 3];
}

// Another block may have written what is behind the atomic.
__global__ void behind_an_atomic(int *counter, const int *a, int *b) {
    int i = threadIdx.x;
    int before = a[i];
    atomicAdd(&counter[i], before);
    b[i] = a[i + 32];
}

__global__ void behind_a_volatile_load(volatile int *flag, const int *a, int *b) {
    int before = *flag;
    b[threadIdx.x] = a[threadIdx.x + 1] + before;
}

// Blocks do not see each other's shared memory.
__global__ void behind_a_shared_atomic(const int *a, int *b) {
    __shared__ int sum;
    sum = 0;
    __syncthreads();
    atomicAdd(&sum, a[threadIdx.x]);
    __syncthreads();
    b[threadIdx.x] = sum + a[threadIdx.x + 64];
}

// Whether there is a barrier is data: the loads behind it are not asked for early.
__global__ void data_barrier(const int *a, int *b, const int *go) {
    __shared__ int tile[64];
    tile[threadIdx.x] = a[threadIdx.x];
    if (go[0]) {
        __syncthreads();
    }
    b[threadIdx.x] = tile[63 - threadIdx.x] + a[threadIdx.x + 64];
}

// Barriers that tell something.
__global__ void votes(const int *a, int *b, int n) {
    int i = threadIdx.x;
    int any = __syncthreads_or(a[i] > 0);
    b[i] = any + a[i + n];
}
