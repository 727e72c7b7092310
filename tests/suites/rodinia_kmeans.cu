// suite: rodinia
// includes: cuda/kmeans
// unchanged
#include "driver.h"
#define main their_main
#include "kmeans_cuda.cu"
#undef main

// Rounds of k-means on points around a few places, through their host function, against the definition.
int main()
{
    const int points = 700, features = 8, clusters = 5, rounds = 4;
    static float values[points * features], centers[clusters * features], sums[clusters * features];
    static float *rows[points], *center_rows[clusters], *sum_rows[clusters];
    static int membership[points], before[points], counts[clusters];
    srand(11);
    for (int i = 0; i < points; i++) {
        rows[i] = values + i * features;
        membership[i] = -1;
        for (int j = 0; j < features; j++)
            rows[i][j] = (i % clusters * (j + 3)) % 7 + random_between(-1.5f, 1.5f);
    }
    for (int k = 0; k < clusters; k++) {
        center_rows[k] = centers + k * features;
        sum_rows[k] = sums + k * features;
        memcpy(center_rows[k], rows[rand() % points], features * sizeof(float));
    }
    int wrong = 0;
    allocateMemory(points, features, clusters, rows);
    for (int round = 0; round < rounds; round++) {
        memcpy(before, membership, sizeof membership);
        memset(counts, 0, sizeof counts);
        memset(sums, 0, sizeof sums);
        int moved = kmeansCuda(rows, features, points, clusters, membership, center_rows, counts, sum_rows), differ = 0;
        for (int i = 0; i < points; i++) {
            double least = 1e30, theirs = 0;
            for (int k = 0; k < clusters; k++) {
                double distance = 0;
                for (int j = 0; j < features; j++)
                    distance += (rows[i][j] - (double)center_rows[k][j]) * (rows[i][j] - (double)center_rows[k][j]);
                least = distance < least ? distance : least;
                if (k == membership[i])
                    theirs = distance;
            }
            wrong += membership[i] < 0 || membership[i] >= clusters || theirs > least * 1.00001;
            differ += membership[i] != before[i];
        }
        wrong += moved != differ || (round == 0 && moved != points);
        for (int k = 0; k < clusters; k++) {
            int count = 0;
            double sum[features] = {};
            for (int i = 0; i < points; i++)
                if (membership[i] == k) {
                    count++;
                    for (int j = 0; j < features; j++)
                        sum[j] += rows[i][j];
                }
            wrong += count != counts[k];
            for (int j = 0; j < features; j++) {
                wrong += !(fabs(sum[j] - sum_rows[k][j]) <= 1e-3 * (1 + fabs(sum[j])));
                if (count > 0)
                    center_rows[k][j] = sum_rows[k][j] / counts[k];
            }
        }
    }
    deallocateMemory();
    return verdict(wrong, "points and sums");
}

// out: PASS
