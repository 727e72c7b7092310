// suite: rodinia
// includes: cuda/nw
// unchanged
#define main their_main
#include "needle.cu"
#undef main

// The table of an alignment of two random strings, against the host.
int main()
{
    const int n = 64, cols = n + 1, penalty = 10;
    static int first[cols], second[cols], score[cols * cols], table[cols * cols], gold[cols * cols];
    srand(9);
    for (int i = 1; i < cols; i++) {
        first[i] = rand() % 10 + 1;
        second[i] = i % 3 ? first[i] : rand() % 10 + 1;
    }
    for (int i = 1; i < cols; i++) {
        gold[i * cols] = table[i * cols] = -i * penalty;
        gold[i] = table[i] = -i * penalty;
        for (int j = 1; j < cols; j++)
            score[i * cols + j] = blosum62[first[i]][second[j]];
    }
    for (int i = 1; i < cols; i++)
        for (int j = 1; j < cols; j++)
            gold[i * cols + j] = maximum(gold[(i - 1) * cols + j - 1] + score[i * cols + j],
                gold[i * cols + j - 1] - penalty, gold[(i - 1) * cols + j] - penalty);
    int *score_d, *table_d;
    cudaMalloc(&score_d, sizeof score);
    cudaMalloc(&table_d, sizeof table);
    cudaMemcpy(score_d, score, sizeof score, cudaMemcpyHostToDevice);
    cudaMemcpy(table_d, table, sizeof table, cudaMemcpyHostToDevice);
    int width = n / BLOCK_SIZE;
    for (int i = 1; i <= width; i++)
        needle_cuda_shared_1<<<i, BLOCK_SIZE>>>(score_d, table_d, cols, penalty, i, width);
    for (int i = width - 1; i >= 1; i--)
        needle_cuda_shared_2<<<i, BLOCK_SIZE>>>(score_d, table_d, cols, penalty, i, width);
    cudaMemcpy(table, table_d, sizeof table, cudaMemcpyDeviceToHost);
    puts(memcmp(table, gold, sizeof table) == 0 ? "PASS" : "wrong");
    return 0;
}

// out: PASS
