// A thread writes pinned memory while kernels of another thread run: its values stay.

#include <cstdio>
#include <cuda_runtime.h>
#include <pthread.h>
#include <unistd.h>

constexpr int N = 65536, ROUNDS = 20;

__global__ void increment(int *data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i]++;
}

struct Work {
    int number, faults;
};

static void *work(void *argument)
{
    Work *own = (Work *)argument;
    int *host, *device;
    own->faults += cudaHostAlloc(&host, N * sizeof(int), cudaHostAllocPortable) != cudaSuccess;
    own->faults += cudaMalloc(&device, N * sizeof(int)) != cudaSuccess;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < N; i++) {
            host[i] = own->number + round + i;
            // Kernels of other threads run now.
            if (i % (N / 16) == 0)
                usleep(100);
        }
        own->faults += cudaMemcpy(device, host, N * sizeof(int), cudaMemcpyHostToDevice) != cudaSuccess;
        increment<<<(N + 255) / 256, 256>>>(device, N);
        own->faults += cudaMemcpy(host, device, N * sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess;
        for (int i = 0; i < N; i++)
            own->faults += host[i] != own->number + round + i + 1;
    }
    cudaFree(device);
    cudaFreeHost(host);
    return nullptr;
}

int main()
{
    pthread_t threads[4];
    Work works[4];
    int faults = 0;
    for (int i = 0; i < 4; i++) {
        works[i] = {1000 * i, 0};
        pthread_create(&threads[i], nullptr, work, &works[i]);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], nullptr);
        faults += works[i].faults;
    }
    std::puts(faults ? "FAIL" : "PASS");
    return faults != 0;
}
