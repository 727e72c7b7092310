// Accesses stay within their arrays; another array lies behind each.
struct row { T left[4]; T right[4]; };

__device__ T sum_of(const T *from, int count)
{
    T sum = 0;
    for (int i = 0; i < count; i++)
        sum += from[i];
    return sum;
}

__global__ void objects(T *out, row *rows)
{
    __shared__ T a[BLOCK], b[BLOCK];
    __shared__ row kept;
    int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    a[t] = T(t % 7);
    b[t] = T(1);
    if (t < 4)
        kept.left[t] = kept.right[t] = T(t);
    __syncthreads();
    T sum = a[(t + 1) % BLOCK]; // plant R0111: T sum = a[t + 1];
    sum += b[t > LANE ? t - 1 - LANE : t]; // plant R0111: sum += b[t - 1];
    T x[4] = {1, 2, 3, 4}, y[4] = {5, 6, 7, 8};
    sum += x[t % 4] + y[i % 4]; // plant R0111: sum += x[t % 5] + y[i % 4];
    sum += sum_of(y, 4); // plant R0111: sum += sum_of(x, t == LANE ? 5 : 4);
    sum += kept.left[t % 4]; // plant R0111: sum += kept.left[t % 5];
    rows[i].left[t % 4] = sum; // plant R0111: rows[i].left[t % 6] = sum;
    if (t == 0)
        sum += sum_of(a, BLOCK); // plant R0111: sum += sum_of(a, BLOCK + 1);
    out[i] = sum;
}

int main()
{
    T *out;
    row *rows;
    cudaMalloc(&out, BLOCKS * BLOCK * sizeof(T));
    cudaMalloc(&rows, BLOCKS * BLOCK * sizeof(row));
    objects<<<BLOCKS, BLOCK>>>(out, rows);
    cudaFree(out);
    cudaFree(rows);
}
