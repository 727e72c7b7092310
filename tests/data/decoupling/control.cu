// Which control the affine stream follows.

// Threads leave the loop in different rounds; only the side that stays has sites.
__global__ void grid_stride(const float *a, float *b, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        b[i] = a[i] * 2.0f;
    }
}

// How often the inner loop runs is data: nothing in it moves.
__global__ void row_lengths(const int *start, const float *value, float *sum, int n) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n) {
        float total = 0.0f;
        for (int at = start[row]; at < start[row + 1]; at++) {
            total += value[at];
        }
        sum[row] = total;
    }
}

// The second half of the condition is data: the first load moves, the store does not.
__global__ void programmatic_and_data(const int *a, int *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && a[i] > 50) {
        b[i] = 1;
    }
}

__global__ void early_return(const int *a, int *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    b[i] = a[i] + 1;
}

// Behind a return that data decides, nothing is followed.
__global__ void data_return(const int *a, int *b) {
    int i = threadIdx.x;
    if (a[i] < 0) {
        return;
    }
    b[i] = a[i + 1];
}

__global__ void programmatic_break(const int *a, int *b, int n, int most) {
    int sum = 0;
    for (int k = 0; k < n; k++) {
        if (k * k > most) {
            break;
        }
        sum += a[k * n + threadIdx.x];
    }
    b[threadIdx.x] = sum;
}

__global__ void data_break(const int *a, int *b, int n) {
    int sum = 0;
    for (int k = 0; k < n; k++) {
        int value = a[k * n + threadIdx.x];
        if (value < 0) {
            break;
        }
        sum += value;
    }
    b[threadIdx.x] = sum;
}

// A block may part, and both sides have accesses: the lighter side keeps its own.
__global__ void two_sides(const int *a, int *b, int n, int rounds) {
    int i = threadIdx.x;
    if (i < n) {
        for (int k = 0; k < rounds; k++) {
            b[k * n + i] = a[k * n + i];
        }
    } else {
        b[i] = a[i] + 1;
    }
}

// The whole block goes one way: both sides move.
__global__ void two_sides_of_blocks(const int *a, int *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x < n) {
        b[i] = a[i + 1] * a[i];
    } else {
        b[i + n] = a[i + n] - a[i + 7];
    }
}

// Threads bring i from different rounds: its address behind the loop stays.
__global__ void behind_a_loop(const int *a, int *b, int n) {
    int i = threadIdx.x;
    while (i * i < n) {
        i += blockDim.x;
    }
    b[i] = a[threadIdx.x];
}

// Two ways into one block: `||` of conditions at which a block may part.
__global__ void either(const int *a, int *b, const int *c, int n, int m) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n || c[i] > m) {
        b[i] = a[i];
    }
}
