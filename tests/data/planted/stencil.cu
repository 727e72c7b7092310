// A stencil with a halo in shared memory, for some steps from one array into the other.
__global__ void smooth(const T *in, T *out, int n)
{
    __shared__ T s[BLOCK + 2];
    int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    s[t + 1] = in[i]; // plant
    if (t == 0)
        s[0] = i > 0 ? in[i - 1] : T(0); // plant
    if (t == BLOCK - 1)
        s[BLOCK + 1] = i + 1 < n ? in[i + 1] : T(0); // plant
    __syncthreads(); // plant
    out[i] = s[t] + s[t + 1] + s[t + 2];
}

int main()
{
    T *a, *b, *c;
    int n = BLOCKS * BLOCK, bytes = n * sizeof(T);
    cudaMalloc(&a, bytes);
    cudaMalloc(&b, bytes);
    cudaMemset(a, 0, bytes); // plant
    for (int i = 0; i < 4; i++) {
        smooth<<<BLOCKS, BLOCK>>>(a, b, n);
        c = a, a = b, b = c;
    }
    cudaFree(a);
    cudaFree(b);
}
