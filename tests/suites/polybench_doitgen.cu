// suite: polybench
// includes: CUDA/DOITGEN
// changed: the first of its 128 rounds only; `rtclock`, which its sources lack, is supplied
static double rtclock() { return 0; }

#define main their_main
#include "doitgen.cu"
#undef main

int main()
{
    const int plane = NQ * NP, count = NR * NQ * NP;
    float *A = (float *)malloc(count * sizeof(float)), *C4 = (float *)malloc(NP * NP * sizeof(float));
    float *sum = (float *)malloc(plane * sizeof(float)), *after = (float *)malloc(plane * sizeof(float));
    float *d_A, *d_C4, *d_sum;
    init_array(A, C4);
    cudaMalloc(&d_A, count * sizeof(float));
    cudaMalloc(&d_C4, NP * NP * sizeof(float));
    cudaMalloc(&d_sum, count * sizeof(float));
    cudaMemcpy(d_A, A, count * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d_C4, C4, NP * NP * sizeof(float), cudaMemcpyHostToDevice);
    dim3 block(DIM_THREAD_BLOCK_X, DIM_THREAD_BLOCK_Y), grid(NP / DIM_THREAD_BLOCK_X, NQ / DIM_THREAD_BLOCK_Y);
    doitgen_kernel1<<<grid, block>>>(d_sum, d_A, d_C4, 0);
    doitgen_kernel2<<<grid, block>>>(d_sum, d_A, d_C4, 0);
    cudaMemcpy(sum, d_sum, plane * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(after, d_A, plane * sizeof(float), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int q = 0; q < NQ; q++)
        for (int p = 0; p < NP; p++) {
            double expected = 0;
            for (int s = 0; s < NP; s++)
                expected += (double)A[q * NP + s] * C4[s * NP + p];
            float got = sum[q * NP + p];
            wrong += percentDiff(expected, got) > PERCENT_DIFF_ERROR_THRESHOLD || got != after[q * NP + p];
        }
    if (wrong)
        printf("%d wrong\n", wrong);
    else
        puts("PASS");
}

// out: PASS
