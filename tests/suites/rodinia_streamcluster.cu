// suite: rodinia
// includes: cuda/streamcluster
// unchanged
#define main their_main
#include "streamcluster_cuda.cu"
#undef main

// What a further centre would save, against the formula on the host.
int main()
{
    const int n = 700, dim = 16, centres = 4, stride = centres + 1, x = 123;
    static Point points[n];
    static float coord[n * dim], work[n * stride], gold[n * stride];
    static int table[n];
    static bool change[n], change_gold[n];
    srand(4);
    for (int i = 0; i < n * dim; i++)
        coord[i] = rand() % 1000 / 1000.0f;
    for (int i = 0; i < n; i++) {
        points[i].weight = 1 + i % 3;
        points[i].assign = (i % centres) * 50;
        points[i].cost = 1 + rand() % 500 / 100.0f;
        table[i] = i / 50 % centres;
    }
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int k = 0; k < dim; k++) {
            float difference = coord[k * n + i] - coord[k * n + x];
            sum += difference * difference;
        }
        float cost = sum * points[i].weight;
        if (cost < points[i].cost) {
            change_gold[i] = true;
            gold[i * stride + centres] += cost - points[i].cost;
        } else {
            gold[i * stride + table[points[i].assign]] += points[i].cost - cost;
        }
    }
    allocDevMem(n, dim);
    cudaMalloc(&work_mem_d, sizeof work);
    cudaMemset(work_mem_d, 0, sizeof work);
    cudaMemset(switch_membership_d, 0, sizeof change);
    cudaMemcpy(coord_d, coord, sizeof coord, cudaMemcpyHostToDevice);
    cudaMemcpy(p, points, sizeof points, cudaMemcpyHostToDevice);
    cudaMemcpy(center_table_d, table, sizeof table, cudaMemcpyHostToDevice);
    kernel_compute_cost<<<(n + THREADS_PER_BLOCK - 1) / THREADS_PER_BLOCK, THREADS_PER_BLOCK>>>(
        n, dim, x, p, centres, stride, coord_d, work_mem_d, center_table_d, switch_membership_d);
    cudaMemcpy(work, work_mem_d, sizeof work, cudaMemcpyDeviceToHost);
    cudaMemcpy(change, switch_membership_d, sizeof change, cudaMemcpyDeviceToHost);
    freeDevMem();
    int wrong = 0, changes = 0;
    for (int i = 0; i < n * stride; i++)
        wrong += !(fabsf(work[i] - gold[i]) <= 1e-4f);
    for (int i = 0; i < n; i++) {
        wrong += change[i] != change_gold[i];
        changes += change[i];
    }
    if (wrong || changes == 0 || changes == n)
        printf("%d values are wrong, %d changes\n", wrong, changes);
    else
        puts("PASS");
    return 0;
}

// out: PASS
