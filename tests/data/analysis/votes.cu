// What votes, shuffles and barriers that count say, and who hears the same.

__global__ void votes(const int *A, int *out, int n)
{
    int t = threadIdx.x;
    out[0] = __ballot_sync(~0u, A[t]); //= legal / warp uniform D
    out[1] = __ballot_sync(~0u, t > n); //= legal / warp uniform P
    out[2] = __any_sync(~0u, n); //= legal / grid uniform P
    out[3] = __any_sync(~0u, blockIdx.x); //= legal / block uniform P
    out[4] = __shfl_sync(~0u, t, 0); //= legal / warp uniform P
    out[5] = __shfl_sync(~0u, t, t & 1); //= legal / none generic P
    out[6] = __shfl_sync(~0u, t, 0, 16); //= legal / none generic P
    out[7] = __shfl_xor_sync(~0u, A[t], 1); //= legal / none generic D
    out[8] = __syncthreads_or(A[t]); //= legal / block uniform D
    out[9] = __syncthreads_count(t & 1); //= legal / block uniform P
}

__global__ void branches(const int *A, int *out, int n)
{
    int t = threadIdx.x;
    if (t < n) { //= branch none P
        out[0] = __ballot_sync(~0u, t > 3); //= divergent: control is none / warp uniform P
        out[1] = __any(t > 3); //= divergent: control is none / warp uniform P
        out[2] = __activemask(); //= warp uniform P
        out[3] = __syncthreads_or(t); //= divergent: control is none / none generic P
    }
    unsigned mask = __ballot_sync(~0u, A[t] > 0); //= legal
    if (A[t] > 0) { //= branch none D
        out[4] = __popc(__ballot_sync(mask, t > 5)); //= warp uniform D
        __syncwarp(mask);
    }
}

// Some equal values are joined to that value, if it does not count how many there are; a lane that does not
// act gives a shuffle 0.
__global__ void of_one_value(const int *A, int *out, int n)
{
    int t = threadIdx.x;
    out[0] = __reduce_max_sync(~0u, n); //= legal / grid uniform P
    out[1] = __reduce_add_sync(~0u, n); //= legal / warp uniform P
    out[2] = __reduce_min_sync(~0u, A[t]); //= legal / warp uniform D
    out[3] = __match_any_sync(~0u, n); //= legal / warp uniform P
    out[4] = __match_any_sync(~0u, t); //= legal / none generic P
    out[5] = __shfl_down_sync(~0u, n, 1); //= legal / none generic, grid uniform‡‡ P
    out[6] = __shfl_down_sync(~0u, n, 1, 12); //= legal / none generic P
    out[7] = __shfl_xor_sync(~0u, t, 1); //= legal / none generic P
    out[8] = __reduce_max_sync(t, n); //= none generic P
    out[9] = __syncthreads_or(n); //= legal / grid uniform P
    if (t < n) { //= branch none P
        out[10] = __reduce_max_sync(~0u, n); //= divergent: control is none / grid uniform P
        out[11] = __shfl_down_sync(~0u, n, 1); //= divergent: control is none / none generic P
    }
}

// Lanes with `a` come into the body before those with `b` have decided.
__global__ void groups(const int *A, int *out, int *flag)
{
    int t = threadIdx.x;
    if (A[t] > 3 || (flag[t] = A[t + 1] > 3)) { //= branch none D / none generic D / branch none D
        out[t] = __ballot(1); //= none generic D
    }
}

__global__ void loops(const int *A, int *out, int n)
{
    int t = threadIdx.x;
    unsigned seen = 0;
    for (int i = 0; i < (A[t] & 7); i++) { //= branch none D
        seen = __activemask();
        out[t] += seen; //= none generic D
    }
    out[t] = seen; //= none generic D
    int rounds = 0;
    while (__any_sync(~0u, rounds < A[t])) //= legal / branch warp D
        rounds++;
    out[t] = rounds; //= warp uniform D
    for (int i = 0; i < n; i++) { //= branch grid P
        if (A[t + i] == 3) //= branch none D
            continue;
        if (A[t + i] == 5) //= branch none D
            break;
        out[i] = __ballot(1); //= none generic D
    }
}
