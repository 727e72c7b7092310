// suite: polybench
// includes: CUDA/ATAX
// defines: N=1 NX=192 NY=128
// changed: blocks of one row; with the program's eight rows, eight threads add to each result without atomics
#define main their_main
#include "atax.cu"
#undef main

int main()
{
    float(*A)[NY] = (float(*)[NY])malloc(NX * NY * sizeof(float));
    float *x = (float *)malloc((NX + NY) * sizeof(float)), got[NY], *d_A, *d_x, *d_y, *d_tmp;
    init_array(NX, NY, x, A);
    cudaMalloc(&d_A, NX * NY * sizeof(float));
    cudaMalloc(&d_x, NY * sizeof(float));
    cudaMalloc(&d_y, NY * sizeof(float));
    cudaMalloc(&d_tmp, NX * sizeof(float));
    cudaMemcpy(d_A, A, NX * NY * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d_x, x, NY * sizeof(float), cudaMemcpyHostToDevice);
    atax_kernel1<<<NX / 64, 64>>>(NX, NY, d_A, d_x, d_tmp);
    atax_kernel2<<<NY / 64, 64>>>(NX, NY, d_A, d_y, d_tmp);
    cudaMemcpy(got, d_y, sizeof got, cudaMemcpyDeviceToHost);
    double expected[NY] = {};
    for (int i = 0; i < NX; i++) {
        double sum = 0;
        for (int j = 0; j < NY; j++)
            sum += (double)A[i][j] * x[j];
        for (int j = 0; j < NY; j++)
            expected[j] += A[i][j] * sum;
    }
    int wrong = 0;
    for (int j = 0; j < NY; j++)
        wrong += percentDiff(expected[j], got[j]) > PERCENT_DIFF_ERROR_THRESHOLD;
    if (wrong)
        printf("%d wrong\n", wrong);
    else
        puts("PASS");
}

// out: PASS
