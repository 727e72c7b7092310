// What the GPU is, a line each; and launches of a kernel that does nothing, which tell what events add to a time.
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void nothing() {}

int main()
{
    int count = 0, driver = 0, runtime = 0, clock = 0;
    cudaError_t status = cudaGetDeviceCount(&count);
    if (status != cudaSuccess || count == 0) {
        printf("none %s\n", status == cudaSuccess ? "no device" : cudaGetErrorString(status));
        return 0;
    }
    cudaDeviceProp device;
    if (cudaGetDeviceProperties(&device, 0) != cudaSuccess || cudaDriverGetVersion(&driver) != cudaSuccess ||
        cudaRuntimeGetVersion(&runtime) != cudaSuccess ||
        cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, 0) != cudaSuccess) {
        printf("none the device does not say what it is\n");
        return 0;
    }
    printf("gpu %s\n", device.name);
    printf("compute_capability %d.%d\n", device.major, device.minor);
    printf("driver_interface %d.%d\n", driver / 1000, driver % 1000 / 10);
    printf("cuda %d.%d\n", runtime / 1000, runtime % 1000 / 10);
    printf("clock_mhz %.3f\n", clock / 1000.0);
    for (int i = 0; i < 101; i++)
        nothing<<<1, 32>>>();
    status = cudaDeviceSynchronize();
    if (status != cudaSuccess)
        printf("none %s\n", cudaGetErrorString(status));
    return 0;
}
