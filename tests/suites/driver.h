// What the drivers share.
#include <stdio.h>
#include <stdlib.h>

// Device memory with a copy of an array.
template <class T> static T *to_device(const T *array, size_t count)
{
    T *device;
    cudaMalloc(&device, count * sizeof(T));
    cudaMemcpy(device, array, count * sizeof(T), cudaMemcpyHostToDevice);
    return device;
}

// Device memory, all zero.
template <class T> static T *zeros(size_t count)
{
    T *device;
    cudaMalloc(&device, count * sizeof(T));
    cudaMemset(device, 0, count * sizeof(T));
    return device;
}

template <class T> static void to_host(T *array, const T *device, size_t count)
{
    cudaMemcpy(array, device, count * sizeof(T), cudaMemcpyDeviceToHost);
}

// From `low` to `high`, in steps of a thousandth of that.
static float random_between(float low, float high) { return low + (high - low) * (rand() % 1001) / 1000; }

// The end of a driver: how many of what differ from the host's.
static int verdict(int wrong, const char *what)
{
    if (wrong == 0)
        puts("PASS");
    else
        printf("%d %s are wrong\n", wrong, what);
    return wrong != 0;
}
