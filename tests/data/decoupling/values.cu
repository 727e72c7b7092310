// Which values the affine stream computes.

// min and max of divergent tuples: three alternatives.
__global__ void clamp(const float *a, float *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int left = max(i - 1, 0);
    int right = min(i + 1, n - 1);
    b[i] = a[left] + a[right] + a[min(max(i - 2, 0), n - 1)];
}

__global__ void choice(const int *a, int *b, int n) {
    int i = threadIdx.x;
    int at = i < n ? i * 2 : n - i;
    b[i] = a[at] + a[abs(i - n)];
}

__global__ void lane(const int *a, int *b, int n) {
    int lane = threadIdx.x & 31;
    int first = threadIdx.x & ~31u;
    b[threadIdx.x] = a[lane * 3] + a[first + n] + a[threadIdx.x % 16];
}

// A product of two that differ in the block, and a mask by a parameter.
__global__ void not_affine(const int *a, int *b, int n) {
    b[threadIdx.x] = a[threadIdx.x * threadIdx.y] + a[threadIdx.x & n];
}

__global__ void strides(const int *a, int *b, int n, int stride) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    b[n - i] = a[i * stride] + a[-3 * i + n];
}

__global__ void narrow(const unsigned char *a, short *b, const double *c, double *d, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    b[i] = a[n - i];
    d[i] = c[2 * i];
}

__global__ void two_dimensions(const float *a, float *b, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        b[y * width + x] = a[x * height + y] + a[threadIdx.z];
    }
}

// Of 64 bits the low word is what an address needs; the comparison needs all.
__global__ void long_index(const float *a, float *b, size_t n) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    for (; i < n; i += (size_t)gridDim.x * blockDim.x) {
        b[i] = a[n - 1 - i];
    }
}

__constant__ int offsets[16];
__global__ void constant_memory(const int *a, int *b) {
    int i = threadIdx.x;
    for (int k = 0; k < 16; k++) {
        b[i * 16 + k] = a[i + offsets[k]];
    }
}

__global__ void local_array(const int *a, int *b, int n) {
    int window[8];
    for (int k = 0; k < n; k++) {
        window[k & 7] = a[k * n + threadIdx.x];
    }
    b[threadIdx.x] = window[n & 7];
}

// Nothing but loaded numbers.
__global__ void pointers(int **a) {
    *a[0] = *a[1];
}
