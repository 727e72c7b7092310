// Dissertation, Figure 4.20: the pseudo PTX program that explains the taint analysis, in its order. The stores, which ask
// for answers, and what is behind the labels are ours. `tests/timing/branch_taints.cu` counts such branches.

__global__ void example(const int *g_data, int *out)
{
    int r2 = threadIdx.x;
    out[0] = r2; //= none affine tid.x P
    if (r2 == 0) //= branch none P
        goto jump_1;
    int r5 = g_data[r2];
    out[1] = r5; //= none generic D
    if (r5 > 1) //= branch none D
        goto jump_2;
    // An immediate value clears the taint, where the branch on data has not jumped over it.
    r2 = 100;
    out[2] = r2; //= grid uniform P
jump_2:
    out[3] = r2; //= none generic D
jump_1:
    out[4] = threadIdx.x; //= none affine tid.x P
}
