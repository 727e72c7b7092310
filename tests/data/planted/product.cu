// A product of matrices by tiles in shared memory.
#define N 16

__global__ void product(const T *a, const T *b, T *c, int n)
{
    __shared__ T x[N][N], y[N][N];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * N + ty, column = blockIdx.x * N + tx;
    T sum = 0;
    for (int k = 0; k < n; k += N) {
        x[ty][tx] = a[row * n + k + tx]; // plant
        y[ty][tx] = b[(k + ty) * n + column]; // plant
        __syncthreads(); // plant
        for (int i = 0; i < N; i++)
            sum += x[ty][i] * y[i][tx];
        __syncthreads(); // plant
    }
    c[row * n + column] = sum;
}

int main()
{
    T *a, *b, *c;
    int n = 2 * N, bytes = n * n * sizeof(T);
    cudaMalloc(&a, bytes);
    cudaMalloc(&b, bytes);
    cudaMalloc(&c, bytes);
    cudaMemset(a, 0, bytes); // plant
    cudaMemset(b, 0, bytes); // plant
    product<<<dim3(2, 2), dim3(N, N)>>>(a, b, c, n);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c); // plant
}
