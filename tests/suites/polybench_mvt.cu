// suite: polybench
// includes: CUDA/MVT
// defines: N=256
// changed: blocks of one row; with the program's eight rows, eight threads add to each result without atomics
#define main their_main
#include "mvt.cu"
#undef main

int main()
{
    float(*a)[N] = (float(*)[N])malloc(N * N * sizeof(float));
    float x1[N], x2[N], y1[N], y2[N], got1[N], got2[N], *d_a, *d_x1, *d_x2, *d_y1, *d_y2;
    init_array(N, a, x1, x2, y1, y2);
    cudaMalloc(&d_a, N * N * sizeof(float));
    cudaMalloc(&d_x1, sizeof x1);
    cudaMalloc(&d_x2, sizeof x2);
    cudaMalloc(&d_y1, sizeof y1);
    cudaMalloc(&d_y2, sizeof y2);
    cudaMemcpy(d_a, a, N * N * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d_x1, x1, sizeof x1, cudaMemcpyHostToDevice);
    cudaMemcpy(d_x2, x2, sizeof x2, cudaMemcpyHostToDevice);
    cudaMemcpy(d_y1, y1, sizeof y1, cudaMemcpyHostToDevice);
    cudaMemcpy(d_y2, y2, sizeof y2, cudaMemcpyHostToDevice);
    mvt_kernel1<<<N / 64, 64>>>(N, d_a, d_x1, d_y1);
    mvt_kernel2<<<N / 64, 64>>>(N, d_a, d_x2, d_y2);
    cudaMemcpy(got1, d_x1, sizeof x1, cudaMemcpyDeviceToHost);
    cudaMemcpy(got2, d_x2, sizeof x2, cudaMemcpyDeviceToHost);
    runMvt(N, a, x1, x2, y1, y2);
    int wrong = 0;
    for (int i = 0; i < N; i++)
        wrong += percentDiff(x1[i], got1[i]) > PERCENT_DIFF_ERROR_THRESHOLD ||
                 percentDiff(x2[i], got2[i]) > PERCENT_DIFF_ERROR_THRESHOLD;
    if (wrong)
        printf("%d wrong\n", wrong);
    else
        puts("PASS");
}

// out: PASS
