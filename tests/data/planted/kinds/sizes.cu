// A counter of 64 bits and one of 32 bits in each of its halves, each used by atomics of its own size.
struct counters { unsigned long long both; unsigned low, high; };

__global__ void sizes(counters *at)
{
    int t = threadIdx.x;
    if (t % 2 == LANE % 2) {
        atomicAdd(&at->both, 1ull); // plant R0101: atomicAdd((unsigned *)&at->both, 1u);
        atomicAdd(&at->low, 1u); // plant R0101: atomicAdd((unsigned long long *)&at->low, 1ull);
    } else {
        atomicAdd(&at->both, 1ull << 32); // plant R0101: atomicAdd((unsigned *)&at->both + 1, 1u);
        atomicAdd(&at->high, 1u); // plant R0101: atomicMax((unsigned long long *)&at->low, 1ull);
    }
}

int main()
{
    counters *at;
    cudaMalloc(&at, sizeof(counters));
    cudaMemset(at, 0, sizeof(counters));
    sizes<<<BLOCKS, BLOCK>>>(at);
    cudaFree(at);
}
