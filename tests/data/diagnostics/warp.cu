// Votes and shuffles with wrong arguments, on the wrong side.
__global__ void k(int *out, int *p)
{
    out[0] = __shfl_sync(0xffffffff, p, 0); //~ error
    out[1] = __shfl_down_sync(0xffffffff, 1); //~ error
    out[2] = __ballot_sync(1, 2, 3); //~ error
    out[3] = __match_any_sync(0xffffffff, p); //~ error
    out[4] = __match_all_sync(0xffffffff, 1); //~ error
    out[5] = __reduce_add_sync(0xffffffff, p); //~ error
    __syncwarp(1, 2); //~ error
}

int main()
{
    int a = __any(1); //~ error
    __syncwarp(); //~ error
    k<<<1, 1>>>(0, 0);
    return a;
}
