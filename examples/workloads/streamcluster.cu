// streamcluster: the gain of opening one more centre, as Rodinia's: the kernel computes for every point what it would
// cost to move to the candidate, marks those that gain and collects, for each centre, what closing it would save.
// The host adds up, decides, and moves points; then the next candidate is tried.
//
// Measured by: dissertation chapters 5 (Table 5.4, SCLST: 4.1 G instructions, 3.41 sectors of a line used) and 6 (Table
// 6.2: 343 M).
// Characteristic: coordinates lie dimension by dimension, so that all loads of the distance are coalesced, and stream
// by without reuse; the point records and the table of savings have strides of a structure and a row. Blocks of 512,
// the candidate's coordinates in shared memory.
//
// usage: streamcluster [points [dimensions [candidates]]]

#include "workload.h"

const int BLOCK = 512;

struct point {
    float weight;
    float *unused_coordinates;
    long assigned;
    float cost;
};

__device__ float distance(int point, int points, int dimensions, const float *coordinates, const float *centre)
{
    float sum = 0;
    for (int i = 0; i < dimensions; i++) {
        float difference = coordinates[i * points + point] - centre[i];
        sum += difference * difference;
    }
    return sum;
}

__global__ void compute_cost(int points, int dimensions, int candidate, const point *p, int centres,
                             const float *coordinates, float *savings, const int *table, char *switches)
{
    extern __shared__ float centre[];
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0)
        for (int i = 0; i < dimensions; i++)
            centre[i] = coordinates[i * points + candidate];
    __syncthreads();
    if (thread >= points)
        return;
    float *lower = &savings[thread * (centres + 1)];
    float cost = distance(thread, points, dimensions, coordinates, centre) * p[thread].weight;
    float current = p[thread].cost;
    if (cost < current) {
        switches[thread] = 1;
        lower[centres] += cost - current;
    } else {
        lower[table[p[thread].assigned]] += current - cost;
    }
}

float host_distance(const float *coordinates, int points, int dimensions, int a, int b)
{
    float sum = 0;
    for (int i = 0; i < dimensions; i++) {
        float difference = coordinates[i * points + a] - coordinates[i * points + b];
        sum += difference * difference;
    }
    return sum;
}

// Whether the candidate is opened: if all points that gain and all centres that are closed save more than it costs.
// Then points move, to the candidate too from centres that are closed. The number of centres after that.
int decide(point *p, int points, int dimensions, const float *coordinates, int candidate, const float *savings,
           const char *switches, int *table, int *centre_of, int centres, float price)
{
    double gain = -price;
    double *lower = (double *)calloc(centres + 1, sizeof(double));
    for (int i = 0; i < points; i++)
        for (int k = 0; k <= centres; k++)
            lower[k] += savings[i * (centres + 1) + k];
    gain -= lower[centres];
    for (int k = 0; k < centres; k++)
        gain += lower[k] + price > 0 ? lower[k] + price : 0;
    if (gain <= 0) {
        free(lower);
        return centres;
    }
    for (int i = 0; i < points; i++) {
        if (switches[i] || lower[table[p[i].assigned]] + price > 0) {
            p[i].assigned = candidate;
            p[i].cost = p[i].weight * host_distance(coordinates, points, dimensions, i, candidate);
        }
    }
    int left = 0;
    for (int k = 0; k < centres; k++) {
        if (lower[k] + price <= 0) {
            centre_of[left] = centre_of[k];
            table[centre_of[left]] = left;
            left++;
        }
    }
    centre_of[left] = candidate;
    table[candidate] = left++;
    free(lower);
    return left;
}

int main(int argc, char **argv)
{
    int points = argument(argc, argv, 1, 8192), dimensions = argument(argc, argv, 2, 32);
    int candidates = argument(argc, argv, 3, 3), centres = 1, opened = 0;
    float *coordinates = (float *)malloc(points * dimensions * sizeof(float));
    point *p = (point *)calloc(points, sizeof(point));
    int *table = (int *)calloc(points, sizeof(int)), *centre_of = (int *)malloc((candidates + 1) * sizeof(int));
    for (int i = 0; i < points * dimensions; i++)
        coordinates[i] = random_unit();
    centre_of[0] = 0;
    for (int i = 0; i < points; i++) {
        p[i].weight = 1 + random_below(3);
        p[i].cost = p[i].weight * host_distance(coordinates, points, dimensions, i, 0);
    }
    float price = points * dimensions * 0.01f;

    float *d_coordinates = to_device(coordinates, points * dimensions);
    for (int round = 0; round < candidates; round++) {
        int candidate = 1 + random_below(points - 1), taken = 0;
        for (int k = 0; k < centres; k++)
            taken |= centre_of[k] == candidate;
        if (taken)
            continue;
        point *d_p = to_device(p, points);
        int *d_table = to_device(table, points);
        float *d_savings = device_zeros<float>(points * (centres + 1));
        char *d_switches = device_zeros<char>(points);
        compute_cost<<<(points + BLOCK - 1) / BLOCK, BLOCK, dimensions * sizeof(float)>>>(
            points, dimensions, candidate, d_p, centres, d_coordinates, d_savings, d_table, d_switches);
        float *savings = to_host(d_savings, points * (centres + 1));
        char *switches = to_host(d_switches, points);

        int step = points / 300 + 1;
        for (int i = round % step; i < points; i += step) {
            double cost = 0;
            for (int k = 0; k < dimensions; k++) {
                double difference = coordinates[k * points + i] - coordinates[k * points + candidate];
                cost += difference * difference;
            }
            cost *= p[i].weight;
            // A point that is about as far from both may go either way.
            int column = switches[i] ? centres : table[p[i].assigned];
            if (fabs(cost - p[i].cost) > 1e-4)
                expect_int("switch of point", i, cost < p[i].cost, switches[i]);
            double saved = switches[i] ? cost - p[i].cost : p[i].cost - cost;
            expect_float("saving of point", i, saved, savings[i * (centres + 1) + column], 1e-4);
        }
        int before = centres;
        centres =
            decide(p, points, dimensions, coordinates, candidate, savings, switches, table, centre_of, centres, price);
        opened += centres != before || centre_of[centres - 1] == candidate;
        CHECK(cudaFree(d_p));
        CHECK(cudaFree(d_table));
        CHECK(cudaFree(d_savings));
        CHECK(cudaFree(d_switches));
        free(savings);
        free(switches);
    }
    printf("streamcluster: %d points, %d dimensions, %d of %d candidates opened\n", points, dimensions, opened,
           candidates);
    return verdict("streamcluster");
}
