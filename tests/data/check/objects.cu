// Accesses past arrays, into what lies behind them.
struct row { int left[4], right[4]; };

__device__ int last(const int *from, int count) { return from[count - 1]; }

__global__ void objects(int *out, row *rows)
{
    __shared__ int a[32], b[32];
    int x[4] = {1, 2, 3, 4}, y[4] = {5, 6, 7, 8};
    int t = threadIdx.x;
#ifdef FIXED
    const int extra = 0;
#else
    const int extra = 1;
#endif
    a[t] = b[t] = t;
    __syncthreads();
    out[t] = a[t + extra];
    out[t] += x[t % 4 + extra] + y[t % 4];
    out[t] += last(x, 4 + extra) + last(y, 4);
    rows[t].left[t % 4 + extra] = t;
    rows[t].right[t % 4] = t;
}

int main()
{
    int *out;
    row *rows;
    cudaMalloc(&out, 32 * sizeof(int));
    cudaMalloc(&rows, 32 * sizeof(row));
    objects<<<1, 32>>>(out, rows);
    cudaFree(out);
    cudaFree(rows);
}
