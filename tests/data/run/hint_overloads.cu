// Overloads of the program's own beside CUDA's loads and stores with a cache policy.
#include <cstdio>

struct half_word { unsigned short bits; };

__device__ half_word __ldcs(const half_word *at)
{
    half_word read;
    read.bits = __ldcs(reinterpret_cast<const unsigned short *>(at));
    return read;
}

__device__ void __stcs(half_word *at, half_word value)
{
    __stcs(reinterpret_cast<unsigned short *>(at), value.bits);
}

__global__ void twice(half_word *words, int4 *all)
{
    half_word word = __ldcs(words + threadIdx.x);
    word.bits *= 2;
    __stcs(words + threadIdx.x, word);
    if (threadIdx.x == 0) {
        int4 four = __ldcs(all);
        four.w = four.x + four.y;
        __stcs(all, four);
    }
}

int main()
{
    half_word words[4] = {{1}, {20}, {300}, {40000}}, *words_d;
    int4 all = {1, 2, 3, 4}, *all_d;
    cudaMalloc(&words_d, sizeof words);
    cudaMalloc(&all_d, sizeof all);
    cudaMemcpy(words_d, words, sizeof words, cudaMemcpyHostToDevice);
    cudaMemcpy(all_d, &all, sizeof all, cudaMemcpyHostToDevice);
    twice<<<1, 4>>>(words_d, all_d);
    cudaMemcpy(words, words_d, sizeof words, cudaMemcpyDeviceToHost);
    cudaMemcpy(&all, all_d, sizeof all, cudaMemcpyDeviceToHost);
    for (half_word word : words)
        printf("%d ", word.bits);
    printf("%d\n", all.w);
    cudaFree(words_d);
    cudaFree(all_d);
}
// out: 2 40 600 14464 3
