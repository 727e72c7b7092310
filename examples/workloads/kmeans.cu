// kmeans: one or more rounds of k-means clustering as Rodinia's: `invert_mapping` turns the rows of points into rows of
// features, `nearest` finds each point's nearest centre; the host computes the new centres. The features are read from
// global memory, as in the version that the cache-conscious scheduling study (Rogers et al.) and PCA use.
//
// Measured by: dissertation chapter 6 (Table 6.2, KMEANS: 719 M instructions).
// Also in the suite of the paper on intra-warp compaction (Table 1: Kmeans).
// Characteristic: `invert_mapping` reads 34 words in a row in each thread, so that a warp touches 32 lines and uses
// each again 31 times, if it survives; `nearest` walks through all 34 features once for each centre, so that a warp
// reuses 34 lines (4.3 KB) five times, of a 16 KB L1 that 48 warps share. Blocks of 256.
//
// usage: kmeans [points [rounds]]

#include "workload.h"

const int BLOCK = 256, FEATURES = 34, CENTRES = 5;

__constant__ float centres[CENTRES * FEATURES];

__global__ void invert_mapping(const float *rows, float *columns, int points)
{
    int point = blockIdx.x * blockDim.x + threadIdx.x;
    if (point >= points)
        return;
    for (int i = 0; i < FEATURES; i++)
        columns[i * points + point] = rows[point * FEATURES + i];
}

// `features` is a parameter and the loops are not unrolled by hand, as in the original.
__global__ void nearest(const float *columns, int points, int features, int *membership)
{
    int point = (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;
    if (point >= points)
        return;
    int index = -1;
    float least = 3.4e38f;
    for (int centre = 0; centre < CENTRES; centre++) {
        float sum = 0;
        for (int i = 0; i < features; i++) {
            float difference = columns[i * points + point] - centres[centre * features + i];
            sum += difference * difference;
        }
        if (sum < least) {
            least = sum;
            index = centre;
        }
    }
    membership[point] = index;
}

// New centres from the points' memberships; a centre without points stays.
void move_centres(const float *rows, const int *membership, int points, float *centre)
{
    float *sum = (float *)calloc(CENTRES * FEATURES, sizeof(float));
    int members[CENTRES] = {};
    for (int point = 0; point < points; point++) {
        float *to = sum + membership[point] * FEATURES;
        const float *from = rows + point * FEATURES;
        members[membership[point]]++;
        for (int i = 0; i < FEATURES; i++)
            to[i] += from[i];
    }
    for (int k = 0; k < CENTRES * FEATURES; k++)
        if (members[k / FEATURES] > 0)
            centre[k] = sum[k] / members[k / FEATURES];
    free(sum);
}

int main(int argc, char **argv)
{
    int points = argument(argc, argv, 1, 8192), rounds = argument(argc, argv, 2, 1);
    float *rows = (float *)malloc(points * FEATURES * sizeof(float)), centre[CENTRES * FEATURES];
    // Points around five places, as measured connections of a network have a few kinds.
    for (int point = 0; point < points; point++) {
        float kind = random_below(CENTRES) * 0.3f;
        for (int i = 0; i < FEATURES; i++)
            rows[point * FEATURES + i] = kind + random_unit();
    }
    for (int k = 0; k < CENTRES * FEATURES; k++)
        centre[k] = rows[k % (points * FEATURES)];
    printf("kmeans: %d points, %d features, %d centres, %d rounds\n", points, FEATURES, CENTRES, rounds);

    float *d_rows = to_device(rows, points * FEATURES), *d_columns = device_zeros<float>(points * FEATURES);
    int *d_membership = device_zeros<int>(points);
    int blocks = (points + BLOCK - 1) / BLOCK, side = 1;
    while (side * side < blocks)
        side++;
    int *membership = NULL;
    invert_mapping<<<blocks, BLOCK>>>(d_rows, d_columns, points);
    for (int round = 0; round < rounds; round++) {
        if (round > 0) {
            move_centres(rows, membership, points, centre);
            free(membership);
        }
        CHECK(cudaMemcpyToSymbol(centres, centre, sizeof centre));
        nearest<<<dim3(side, side), BLOCK>>>(d_columns, points, FEATURES, d_membership);
        membership = to_host(d_membership, points);
    }

    int step = points / 2000 + 1;
    for (int point = 0; point < points; point += step) {
        double distance[CENTRES], least = 1e30;
        for (int k = 0; k < CENTRES; k++) {
            distance[k] = 0;
            for (int i = 0; i < FEATURES; i++) {
                double difference = (double)rows[point * FEATURES + i] - centre[k * FEATURES + i];
                distance[k] += difference * difference;
            }
            least = distance[k] < least ? distance[k] : least;
        }
        // Of centres that are equally near either is right.
        int found = membership[point];
        expect_int("centre of point", point, 1, found >= 0 && found < CENTRES && distance[found] <= least * 1.00001);
    }
    return verdict("kmeans");
}
