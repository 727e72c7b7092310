// What the programs of this folder share: random numbers, and holding the device's results against the
// host's.
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

#define CHECK(call)                                                            \
    do {                                                                       \
        cudaError_t status = (call);                                           \
        if (status != cudaSuccess) {                                           \
            printf("line %d: %s\n", __LINE__, cudaGetErrorString(status));     \
            exit(1);                                                           \
        }                                                                      \
    } while (0)

// xorshift: the same numbers everywhere.
static unsigned random_state = 2463534242u;

static unsigned random_below(unsigned limit)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return (random_state >> 8) % limit;
}

// An array of the device with the host's contents, or zeros.
static int *on_device(const int *host, int count)
{
    int *device;
    CHECK(cudaMalloc(&device, count * sizeof(int)));
    if (host)
        CHECK(cudaMemcpy(device, host, count * sizeof(int), cudaMemcpyHostToDevice));
    else
        CHECK(cudaMemset(device, 0, count * sizeof(int)));
    return device;
}

static int *on_host(const int *device, int count)
{
    int *host = (int *)malloc(count * sizeof(int));
    CHECK(cudaMemcpy(host, device, count * sizeof(int), cudaMemcpyDeviceToHost));
    return host;
}

static int number(int argc, char **argv, int index, int otherwise)
{
    int value = argc > index ? atoi(argv[index]) : otherwise;
    if (value < 1) {
        printf("argument %d must be at least 1\n", index);
        exit(2);
    }
    return value;
}

// Says whether all results are as expected; what main returns.
static int verdict(const char *name, const int *expected, const int *device, int count)
{
    int *found = on_host(device, count);
    unsigned sum = 0;
    int wrong = -1;
    for (int i = 0; i < count; i++) {
        sum = sum * 31 + found[i];
        if (wrong < 0 && found[i] != expected[i])
            wrong = i;
    }
    printf("%s: %d results, checksum %08x\n", name, count, sum);
    if (wrong >= 0)
        printf("result %d: expected %d, got %d\n", wrong, expected[wrong], found[wrong]);
    printf("%s\n", wrong < 0 ? "PASS" : "FAIL");
    return wrong < 0 ? 0 : 1;
}
