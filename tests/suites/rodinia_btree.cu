// suite: rodinia
// includes: cuda/b+tree/kernel
// defines: RD_WG_SIZE=16
// unchanged
#include "driver.h"
#define main their_main
#include "kernel_gpu_cuda_wrapper.cu"
#include "kernel_gpu_cuda_2.cu"
#undef main

const int order = DEFAULT_ORDER, per_leaf = 10, leaves = 130, keys = per_leaf * leaves, queries = 60;
knode nodes[leaves + 20];
record records[keys];

int key_of(int i) { return 3 * i + 1; }

// Keys and ranges in a tree of three levels, against arithmetic.
int main()
{
    const int fan = 12, inner = (leaves + fan - 1) / fan;
    // The root is node 0, then the inner nodes, then the leaves.
    for (int n = 0; n < 1 + inner + leaves; n++)
        for (int i = 0; i <= order; i++)
            nodes[n].keys[i] = 0x7fffffff;
    for (int n = 0; n < inner; n++) {
        nodes[0].keys[n] = n ? key_of(n * fan * per_leaf) : 0;
        nodes[0].indices[n] = 1 + n;
        for (int i = 0; i < fan && n * fan + i < leaves; i++) {
            int leaf = n * fan + i;
            nodes[1 + n].keys[i] = leaf ? key_of(leaf * per_leaf) : 0;
            nodes[1 + n].indices[i] = 1 + inner + leaf;
            for (int k = 0; k < per_leaf; k++) {
                nodes[1 + inner + leaf].keys[k] = key_of(leaf * per_leaf + k);
                nodes[1 + inner + leaf].indices[k] = leaf * per_leaf + k;
                nodes[1 + inner + leaf].is_leaf = true;
            }
        }
    }
    for (int i = 0; i < keys; i++)
        records[i].value = i * i % 1009;
    static int wanted[queries], ends[queries], starts_found[queries], lengths[queries];
    static record answers[queries];
    static long zero[queries];
    srand(6);
    for (int i = 0; i < queries; i++) {
        int a = rand() % keys, b = a + rand() % (keys - a);
        wanted[i] = key_of(a) + (i % 5 == 4);
        ends[i] = key_of(b);
        answers[i].value = -1;
    }
    knode *nodes_d;
    record *records_d, *answers_d;
    long *current_d, *offset_d, *last_d, *offset2_d;
    int *wanted_d, *ends_d, *starts_d, *lengths_d;
    cudaMalloc(&nodes_d, sizeof nodes);
    cudaMalloc(&records_d, sizeof records);
    cudaMalloc(&answers_d, sizeof answers);
    cudaMalloc(&current_d, sizeof zero);
    cudaMalloc(&offset_d, sizeof zero);
    cudaMalloc(&last_d, sizeof zero);
    cudaMalloc(&offset2_d, sizeof zero);
    cudaMalloc(&wanted_d, sizeof wanted);
    cudaMalloc(&ends_d, sizeof ends);
    cudaMalloc(&starts_d, sizeof ends);
    cudaMalloc(&lengths_d, sizeof ends);
    cudaMemcpy(nodes_d, nodes, sizeof nodes, cudaMemcpyHostToDevice);
    cudaMemcpy(records_d, records, sizeof records, cudaMemcpyHostToDevice);
    cudaMemcpy(answers_d, answers, sizeof answers, cudaMemcpyHostToDevice);
    cudaMemcpy(wanted_d, wanted, sizeof wanted, cudaMemcpyHostToDevice);
    cudaMemcpy(ends_d, ends, sizeof ends, cudaMemcpyHostToDevice);
    cudaMemset(current_d, 0, sizeof zero);
    cudaMemset(offset_d, 0, sizeof zero);
    findK<<<queries, order>>>(2, nodes_d, 1 + inner + leaves, records_d, current_d, offset_d, wanted_d, answers_d);
    cudaMemcpy(answers, answers_d, sizeof answers, cudaMemcpyDeviceToHost);
    cudaMemset(current_d, 0, sizeof zero);
    cudaMemset(offset_d, 0, sizeof zero);
    cudaMemset(last_d, 0, sizeof zero);
    cudaMemset(offset2_d, 0, sizeof zero);
    cudaMemset(starts_d, 0, sizeof ends);
    findRangeK<<<queries, order>>>(2, nodes_d, 1 + inner + leaves, current_d, offset_d, last_d, offset2_d, wanted_d,
        ends_d, starts_d, lengths_d);
    cudaMemcpy(starts_found, starts_d, sizeof ends, cudaMemcpyDeviceToHost);
    cudaMemcpy(lengths, lengths_d, sizeof ends, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < queries; i++) {
        int is_key = wanted[i] % 3 == 1, at = wanted[i] / 3;
        wrong += answers[i].value != (is_key ? at * at % 1009 : -1);
        if (is_key)
            wrong += starts_found[i] != at || lengths[i] != ends[i] / 3 - at + 1;
    }
    return verdict(wrong, "answers");
}

// out: PASS
