// What the workloads share: random numbers, device arrays, and the comparison with the host's results.
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(call)                                                            \
    do {                                                                       \
        cudaError_t status_ = (call);                                          \
        if (status_ != cudaSuccess) {                                          \
            printf("line %d: %s\n", __LINE__, cudaGetErrorString(status_));    \
            exit(1);                                                           \
        }                                                                      \
    } while (0)

// xorshift32: the same numbers on every machine.
static unsigned random_state = 2463534242u;

static inline unsigned random_bits()
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

// A number from 0 to limit - 1; limit is at most 2^24.
static inline unsigned random_below(unsigned limit)
{
    return (random_bits() >> 8) % limit;
}

// A number from 0 to 1, exclusive.
static inline float random_unit()
{
    return (random_bits() >> 8) * (1.0f / 16777216.0f);
}

// Argument `index` as a whole number of at least 1, or what is to stand for it.
static inline int argument(int argc, char **argv, int index, int otherwise)
{
    int value = argc > index ? atoi(argv[index]) : otherwise;
    if (value < 1) {
        printf("argument %d must be at least 1\n", index);
        exit(2);
    }
    return value;
}

// A device array with the host's contents.
template <typename T> T *to_device(const T *host, int count)
{
    T *device;
    CHECK(cudaMalloc((void **)&device, count * sizeof(T)));
    CHECK(cudaMemcpy(device, host, count * sizeof(T), cudaMemcpyHostToDevice));
    return device;
}

// A device array of zeros.
template <typename T> T *device_zeros(int count)
{
    T *device;
    CHECK(cudaMalloc((void **)&device, count * sizeof(T)));
    CHECK(cudaMemset(device, 0, count * sizeof(T)));
    return device;
}

// A host copy of a device array; freed by the caller.
template <typename T> T *to_host(const T *device, int count)
{
    T *host = (T *)malloc(count * sizeof(T));
    CHECK(cudaMemcpy(host, device, count * sizeof(T), cudaMemcpyDeviceToHost));
    return host;
}

// Results that were compared, and those that were wrong.
static int results_compared = 0, results_wrong = 0;

static inline void expect_int(const char *what, int at, long long expected, long long found)
{
    results_compared++;
    if (expected != found && results_wrong++ < 5)
        printf("%s %d: expected %lld, got %lld\n", what, at, expected, found);
}

// Floats agree within `tolerance`, relative to the larger of the expected value and 1.
static inline void expect_float(const char *what, int at, double expected, double found, double tolerance)
{
    double scale = fabs(expected) > 1 ? fabs(expected) : 1;
    results_compared++;
    if (!(fabs(expected - found) <= tolerance * scale) && results_wrong++ < 5)
        printf("%s %d: expected %g, got %g\n", what, at, expected, found);
}

// Says whether all results were right; what main returns.
static inline int verdict(const char *name)
{
    int right = results_compared > 0 && results_wrong == 0;
    printf("%s: %d results compared, %d wrong\n%s\n", name, results_compared, results_wrong,
           right ? "PASS" : "FAIL");
    return !right;
}

#endif
