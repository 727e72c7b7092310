// Which barriers all threads of a block come to together.

__global__ void legal(const int *A, int *out, int n)
{
    for (int i = 0; i < n; i++) { //= branch grid P
        int sum = 0;
        for (int k = 0; k < A[i * blockDim.x + threadIdx.x]; k++) //= branch none D
            sum += k;
        __syncthreads(); //= legal
        out[threadIdx.x] += sum; //= none generic D
    }
    if (blockIdx.x == 3) //= branch block P
        __syncthreads(); //= legal
}

__global__ void early_return(int *out, int n)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    if (g >= n) //= branch none P
        return;
    out[g] = n; //= grid uniform P
    __syncthreads(); //= divergent: control is none
}

__global__ void guarded(int *out)
{
    if (threadIdx.x < 32) //= branch none, warp‡ P
        __syncthreads(); //= divergent: control is none, warp‡
}
