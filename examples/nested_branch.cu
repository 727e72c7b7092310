// nested_branch: two branches nested in a do-while loop, the shape of the control flow with which
// textbooks explain the SIMT stack.
//
//   A: load a sample                      A
//      missing? ---------------.         / \        the outer branch splits a warp, the inner
//   B: load its limit           |       B   F       one splits what is left; C and D meet again
//      above?                   |      / \  |       at E, E and F at G, and G loops back to A
//   C: count an alarm           |     C   D |
//   D: count a normal sample    |      \ /  |
//   E: remember the peak        |       E   |
//   F: count a gap <------------'        \ /
//   G: next sample                        G
//
// Each thread goes through the log of one sensor. In the first round, groups of four threads take
// the paths C, D, D and F, so a machine with four lanes per warp shows the masks 1000, 0110, 1110
// and 0001; the rounds after that are random.
//
// usage: nested_branch [sensors [samples]]

#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

#ifndef SENSORS
#define SENSORS 4096
#endif
#ifndef SAMPLES
#define SAMPLES 64
#endif
#ifndef BLOCK
#define BLOCK 128
#endif

// What the kernel reports of each sensor, in this order.
#define ALARMS 0
#define NORMALS 1
#define GAPS 2
#define PEAK 3
#define RESULTS 4

#define CHECK(call)                                                            \
    do {                                                                       \
        cudaError_t status = (call);                                           \
        if (status != cudaSuccess) {                                           \
            printf("line %d: %s\n", __LINE__, cudaGetErrorString(status));     \
            exit(1);                                                           \
        }                                                                      \
    } while (0)

__global__ void scan_logs(const short *readings, const short *limits, int sensors, int samples,
                          int *results)
{
    int sensor = blockIdx.x * blockDim.x + threadIdx.x;
    if (sensor >= sensors)
        return;

    int alarms = 0, normals = 0, gaps = 0, peak = 0;
    int i = 0;
    do {
        int position = sensor * samples + i;  // A
        int sample = readings[position];
        if (sample != 0) {
            int limit = limits[position];  // B
            if (sample > limit) {
                alarms += 1;  // C
            } else {
                normals += 1;  // D
            }
            peak = sample > peak ? sample : peak;  // E
        } else {
            gaps += 1;  // F
        }
        i++;  // G
    } while (i < samples);

    int *mine = results + sensor * RESULTS;
    mine[ALARMS] = alarms;
    mine[NORMALS] = normals;
    mine[GAPS] = gaps;
    mine[PEAK] = peak;
}

int main(int argc, char **argv)
{
    int sensors = argc > 1 ? atoi(argv[1]) : SENSORS;
    int samples = argc > 2 ? atoi(argv[2]) : SAMPLES;
    if (sensors < 1 || samples < 1) {
        printf("usage: nested_branch [sensors [samples]], each at least 1\n");
        return 2;
    }

    int count = sensors * samples;
    short *readings = (short *)malloc(count * sizeof(short));
    short *limits = (short *)malloc(count * sizeof(short));
    int *results = (int *)malloc(sensors * RESULTS * sizeof(int));
    int *expected = (int *)calloc(sensors * RESULTS, sizeof(int));
    srand(10);
    for (int i = 0; i < count; i++) {
        int sensor = i / samples;
        int random = rand();
        short sample = random % 1000 + 1;
        short limit = (random >> 10) % 1000 + 1;
        if (i % samples == 0) {
            // Thread 0 of four raises an alarm, 1 and 2 are normal, 3 has a gap.
            limit = sensor % 4 == 0 ? sample - 1 : sample;
            sample = sensor % 4 == 3 ? 0 : sample;
        } else if ((random >> 20) % 4 == 0) {
            sample = 0;
        }
        readings[i] = sample;
        limits[i] = limit;

        // The reference sorts samples as they are made, without the kernel's control flow.
        int *mine = expected + sensor * RESULTS;
        mine[GAPS] += sample == 0;
        mine[ALARMS] += sample != 0 && sample > limit;
        mine[NORMALS] += sample != 0 && sample <= limit;
        if (sample > mine[PEAK])
            mine[PEAK] = sample;
    }

    short *device_readings, *device_limits;
    int *device_results;
    CHECK(cudaMalloc((void **)&device_readings, count * sizeof(short)));
    CHECK(cudaMalloc((void **)&device_limits, count * sizeof(short)));
    CHECK(cudaMalloc((void **)&device_results, sensors * RESULTS * sizeof(int)));
    CHECK(cudaMemcpy(device_readings, readings, count * sizeof(short), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(device_limits, limits, count * sizeof(short), cudaMemcpyHostToDevice));

    scan_logs<<<(sensors + BLOCK - 1) / BLOCK, BLOCK>>>(device_readings, device_limits, sensors,
                                                        samples, device_results);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(results, device_results, sensors * RESULTS * sizeof(int),
                     cudaMemcpyDeviceToHost));

    int sums[RESULTS] = {0};
    int first = -1;
    for (int i = 0; i < sensors * RESULTS; i++) {
        sums[i % RESULTS] += results[i];
        if (first < 0 && results[i] != expected[i])
            first = i;
    }
    printf("nested_branch: %d sensors, %d samples each\n", sensors, samples);
    printf("nested_branch: %d alarms, %d normal, %d gaps\n", sums[ALARMS], sums[NORMALS],
           sums[GAPS]);
    if (first >= 0)
        printf("mismatch at sensor %d, result %d: expected %d, got %d\n", first / RESULTS,
               first % RESULTS, expected[first], results[first]);
    printf("%s\n", first >= 0 ? "FAIL" : "PASS");

    CHECK(cudaFree(device_readings));
    CHECK(cudaFree(device_limits));
    CHECK(cudaFree(device_results));
    free(readings);
    free(limits);
    free(results);
    free(expected);
    return first >= 0;
}
