// Each thread follows a path of 32 steps, keeps it in shared memory, and then looks for its largest place.
#include <cstdio>

const int count = 1 << 15, threads = 256, steps = 32;

__global__ void follow(const int *next, int *largest)
{
    __shared__ int path[steps][threads];
    int i = blockIdx.x * blockDim.x + threadIdx.x, place = i;
    for (int step = 0; step < steps; step++) {
        place = next[place];
        path[step][threadIdx.x] = place;
    }
    int most = 0;
    for (int step = 0; step < steps; step++)
        most = max(most, path[step][threadIdx.x]);
    largest[i] = most;
}

int main()
{
    static int numbers[count];
    for (int i = 0; i < count; i++)
        numbers[i] = (i + 928) % count;
    int *next, *largest;
    cudaMalloc(&next, sizeof(numbers));
    cudaMalloc(&largest, sizeof(numbers));
    cudaMemcpy(next, numbers, sizeof(numbers), cudaMemcpyHostToDevice);
    follow<<<count / threads, threads>>>(next, largest);
    cudaMemcpy(numbers, largest, sizeof(numbers), cudaMemcpyDeviceToHost);
    long long sum = 0;
    for (int i = 0; i < count; i++)
        sum += (long long)numbers[i] * (i % 13 + 1);
    printf("the weighted sum is %lld\n", sum);
    cudaFree(next);
    cudaFree(largest);
}
