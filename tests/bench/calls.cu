// Processor time of the host per call of CUDA's runtime, and per byte copied, with the simulation apart.
//
// `reconverge build calls.cu -o calls && reconverge exec --quiet --model functional -- ./calls`

#include <cstdio>
#include <cstring>
#include <ctime>
#include <vector>

__global__ void empty() {}

__global__ void work(int *out)
{
    out[blockIdx.x] = blockIdx.x;
}

template <class F> static double microseconds(int count, F call)
{
    for (int i = 0; i < count / 10 + 1; i++)
        call();
    // Other programs do not count.
    std::clock_t start = std::clock();
    for (int i = 0; i < count; i++)
        call();
    return 1e6 / CLOCKS_PER_SEC * (std::clock() - start) / count;
}

int main()
{
    const int calls = 20000;
    const size_t size = 64 << 20;
    char small[64] = {}, *device;
    int *out;
    cudaEvent_t event;
    cudaEventCreate(&event);
    cudaMalloc(&device, size);
    cudaMalloc(&out, 1024 * sizeof *out);
    std::printf("cudaEventRecord                %8.2f us\n", microseconds(calls, [&] { cudaEventRecord(event); }));
    std::printf("cudaMemcpy of 64 bytes         %8.2f us\n",
        microseconds(calls, [&] { cudaMemcpy(device, small, sizeof small, cudaMemcpyHostToDevice); }));
    std::printf("cudaMalloc and cudaFree        %8.2f us\n", microseconds(calls, [&] {
        void *place;
        cudaMalloc(&place, 4096);
        cudaFree(place);
    }));

    // A launch of 257 blocks and one of 1 block differ by the simulation of 256 blocks.
    double nothing = microseconds(calls, [&] { empty<<<1, 1>>>(); });
    double one = microseconds(calls / 10, [&] { work<<<1, 1>>>(out); });
    double many = microseconds(calls / 10, [&] { work<<<257, 1>>>(out); });
    double block = (many - one) / 256;
    std::printf("launch of an empty kernel      %8.2f us\n", nothing);
    std::printf("launch of a store              %8.2f us\n", one);
    std::printf("  simulation of its block      %8.2f us\n", block);
    std::printf("  the call beside it           %8.2f us\n", one - block);

    // Both copy the same bytes once.
    std::vector<char> from(size, 1), to(size, 2);
    double plain = microseconds(5, [&] {
        std::memcpy(to.data(), from.data(), size);
        // The compiler must not leave it out.
        asm volatile("" : : "r"(to.data()) : "memory");
    });
    double copy = microseconds(5, [&] { cudaMemcpy(device, from.data(), size, cudaMemcpyHostToDevice); });
    std::printf("memcpy of 64 MiB               %8.2f ms\n", plain / 1000);
    std::printf("cudaMemcpy of 64 MiB           %8.2f ms\n", copy / 1000);
    cudaFree(device);
    return cudaDeviceSynchronize() != cudaSuccess;
}
