// Whether threads wait for what others do to memory. Then what they do not dequeue would be in the way of those
// that they wait for.

__global__ void volatile_flag(volatile int *flag, const int *a, int *b, int n) {
    int i = threadIdx.x;
    if (i < 32) {
        while (*flag == 0) {
        }
    }
    for (int k = 0; k < n; k++) {
        b[k * n + i] = a[k * n + i];
    }
    *flag = 1;
}

__global__ void lock(int *mutex, const int *a, int *b) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool done = false;
    while (!done) {
        if (atomicCAS(mutex, 0, 1) == 0) {
            b[0] += a[i];
            done = true;
            atomicExch(mutex, 0);
        }
    }
    b[i + 1] = a[i + 1];
}

// Nothing but what is loaded can change.
__global__ void plain_flag(int *flag, const int *a, int *b) {
    int i = threadIdx.x;
    while (flag[i] == 0) {
        b[i + 1] = 1;
    }
    b[i] = a[i + 1];
}

__global__ void ticket(int *now, int mine, const int *a, int *b) {
    int i = threadIdx.x;
    while (atomicAdd(now, 0) != mine) {
    }
    b[i] = a[i + 1];
}

// When the exchange fails another thread has gone on.
__global__ void exchange(int *most, const int *a, int *b) {
    int i = threadIdx.x;
    int old = *most, seen;
    do {
        seen = old;
        old = atomicCAS(most, seen, max(seen, a[i]));
    } while (old != seen);
    b[i] = a[i + 1];
}

// The counter goes on whatever is loaded.
__global__ void bound_in_memory(const int *count, const int *a, int *b) {
    int i = threadIdx.x;
    for (int k = 0; k < *count; k++) {
        b[k * 32 + i] = a[k * 32 + i];
    }
}

// How often it turns does not depend on what the atomic finds.
__global__ void counted(int *total, const int *a, int *b, int n) {
    int i = threadIdx.x;
    for (int k = 0; k < n; k++) {
        b[k * n + i] = atomicAdd(total, a[k * n + i]);
    }
}
