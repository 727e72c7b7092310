// similarity_score: the cosine similarity of all pairs of documents, each a vector of features. A MapReduce program in
// the style of Mars (He et al., PACT 2008): a first job computes each document's norm, a second one has a task
// (thread) for every pair, with an index record that names the two documents; a task walks along both rows and emits
// the pair and its score. All tasks emit records of one size, so that counting is one constant a task.
//
// Measured by: dissertation chapter 5 (Table 5.4, SSC: 4.9 G instructions, 1.46 sectors of a line used).
// Characteristic: rows lie one behind the other, so that the threads of a warp, which have neighbouring documents,
// load with a stride of a row; each thread's row is reused word by word, if its line survives in the L1. Blocks of 256.
//
// usage: similarity_score [documents [features [rows]]]: the first `rows` documents against all that follow them

#include "workload.h"

const int BLOCK = 256;

// What a task of the second job is about, as Mars hands it: the key is the pair, the value lies in the matrix.
struct pair_record {
    int first, second;
};

__global__ void norms(const float *matrix, int documents, int features, float *norm)
{
    int document = blockIdx.x * blockDim.x + threadIdx.x;
    if (document >= documents)
        return;
    float sum = 0;
    for (int i = 0; i < features; i++) {
        float value = matrix[document * features + i];
        sum += value * value;
    }
    norm[document] = sqrtf(sum);
}

__global__ void map_count(int tasks, int *key_bytes, int *value_bytes)
{
    int task = blockIdx.x * blockDim.x + threadIdx.x;
    if (task < tasks) {
        key_bytes[task] = sizeof(pair_record);
        value_bytes[task] = sizeof(float);
    }
}

__global__ void map_pairs(const pair_record *records, int tasks, const float *matrix, const float *norm, int features,
                          pair_record *keys, float *scores)
{
    int task = blockIdx.x * blockDim.x + threadIdx.x;
    if (task >= tasks)
        return;
    pair_record record = records[task];
    const float *a = matrix + record.first * features, *b = matrix + record.second * features;
    float sum = 0;
    for (int i = 0; i < features; i++)
        sum += a[i] * b[i];
    float length = norm[record.first] * norm[record.second];
    keys[task] = record;
    scores[task] = length > 0 ? sum / length : 0;
}

int main(int argc, char **argv)
{
    int documents = argument(argc, argv, 1, 128), features = argument(argc, argv, 2, 64);
    int rows = argument(argc, argv, 3, documents), tasks = 0;
    rows = rows < documents ? rows : documents;
    for (int first = 0; first < rows; first++)
        tasks += documents - 1 - first;
    float *matrix = (float *)malloc(documents * features * sizeof(float));
    // Word counts: most words do not occur in a document.
    for (int i = 0; i < documents * features; i++)
        matrix[i] = random_below(4) == 0 ? random_below(16) : 0;
    pair_record *records = (pair_record *)malloc((tasks + 1) * sizeof(pair_record));
    int task = 0;
    for (int first = 0; first < rows; first++) {
        for (int second = first + 1; second < documents; second++) {
            records[task].first = first;
            records[task].second = second;
            task++;
        }
    }
    printf("similarity_score: %d documents, %d features, %d pairs\n", documents, features, tasks);

    float *d_matrix = to_device(matrix, documents * features), *d_norm = device_zeros<float>(documents);
    pair_record *d_records = to_device(records, tasks + 1), *d_keys = device_zeros<pair_record>(tasks + 1);
    float *d_scores = device_zeros<float>(tasks + 1);
    int *d_key_bytes = device_zeros<int>(tasks + 1), *d_value_bytes = device_zeros<int>(tasks + 1);
    norms<<<(documents + BLOCK - 1) / BLOCK, BLOCK>>>(d_matrix, documents, features, d_norm);
    int blocks = (tasks + BLOCK - 1) / BLOCK;
    if (blocks > 0) {
        map_count<<<blocks, BLOCK>>>(tasks, d_key_bytes, d_value_bytes);
        map_pairs<<<blocks, BLOCK>>>(d_records, tasks, d_matrix, d_norm, features, d_keys, d_scores);
    }

    pair_record *keys = to_host(d_keys, tasks + 1);
    float *scores = to_host(d_scores, tasks + 1), *norm = to_host(d_norm, documents);
    int *key_bytes = to_host(d_key_bytes, tasks + 1), *value_bytes = to_host(d_value_bytes, tasks + 1);
    int step = documents * features > 100000 ? 37 : 1;
    for (int i = 0; i < documents; i += step) {
        double sum = 0;
        for (int k = 0; k < features; k++)
            sum += (double)matrix[i * features + k] * matrix[i * features + k];
        expect_float("norm", i, sqrt(sum), norm[i], 1e-5);
    }
    // At most about 2000 pairs are computed again.
    step = tasks / 2000 + 1;
    for (int i = 0; i < tasks; i += step) {
        double product = 0, first = 0, second = 0;
        for (int k = 0; k < features; k++) {
            double a = matrix[records[i].first * features + k], b = matrix[records[i].second * features + k];
            product += a * b;
            first += a * a;
            second += b * b;
        }
        expect_float("score", i, first * second > 0 ? product / sqrt(first * second) : 0, scores[i], 1e-5);
        expect_int("first of pair", i, records[i].first, keys[i].first);
        expect_int("second of pair", i, records[i].second, keys[i].second);
        expect_int("bytes", i, sizeof(pair_record) + sizeof(float), key_bytes[i] + value_bytes[i]);
    }
    return verdict("similarity_score");
}
