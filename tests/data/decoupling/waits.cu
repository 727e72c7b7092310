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

// The lock is read before it is taken, and what the exchange compares with was read, not exchanged.
__global__ void tested_lock(int *mutex, const int *a, int *b) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool done = false;
    while (!done) {
        int seen = *mutex;
        if (seen == 0 && atomicCAS(mutex, seen, 1) == seen) {
            b[0] += a[i];
            done = true;
            *mutex = 0;
        }
    }
    b[i + 1] = a[i + 1];
}

// A semaphore: who finds none left waits for another block.
__global__ void semaphore(int *left, const int *a, int *b) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int old = *left, seen;
    do {
        seen = old;
        old = atomicCAS(left, seen, seen > 0 ? seen - 1 : seen);
    } while (old != seen || seen == 0);
    b[i] = a[i + 1];
    atomicAdd(left, 1);
}

// The list may be closed to a circle until another thread opens it.
__global__ void list(const int *next, int *b) {
    int i = threadIdx.x;
    for (int at = i; at != 0; at = next[at]) {
        b[i + 1] = at;
    }
    b[i] = 1;
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

// It ends by the count, whatever is found.
__global__ void found_or_counted(const int *a, int *b, int n) {
    int i = threadIdx.x;
    for (int k = i; k < n; k += blockDim.x) {
        if (a[k] == 0) {
            break;
        }
        b[k] = 1;
    }
}

// How often it turns does not depend on what the atomic finds.
__global__ void counted(int *total, const int *a, int *b, int n) {
    int i = threadIdx.x;
    for (int k = 0; k < n; k++) {
        b[k * n + i] = atomicAdd(total, a[k * n + i]);
    }
}
