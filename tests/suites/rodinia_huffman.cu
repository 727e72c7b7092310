// suite: rodinia
// includes: cuda/huffman
// unchanged
#include "driver.h"
#define main their_main
#include "main_test_cu.cu"
#undef main

const int block_words = 256, blocks = 5, words = block_words * blocks;

// Bytes counted, encoded block by block and packed, against a packer of single bits on the host.
int main()
{
    static unsigned data[words], codes[NUM_SYMBOLS], lengths[NUM_SYMBOLS], counts[NUM_SYMBOLS], gold_counts[NUM_SYMBOLS];
    static unsigned encoded[words], bits[blocks], starts[blocks], packed[words + 8], gold[words + 8];
    srand(19);
    // A code with lengths from 2 to 12: a value's highest bit says how long it is.
    for (int s = 0; s < NUM_SYMBOLS; s++) {
        int group = s < 2 ? 0 : s < 4 ? 1 : s < 8 ? 2 : s < 32 ? 4 : 7;
        int body = s < 8 ? 1 + (s >= 4) : s < 32 ? 5 : 8, head = group == 7 ? 4 : group == 4 ? 4 : group + 1;
        codes[s] = (group == 7 ? 15u : group == 4 ? 14u : (2u << group) - 2) << body | (s & ((1 << body) - 1));
        lengths[s] = head + body;
    }
    for (int i = 0; i < words; i++)
        for (int k = 0; k < 4; k++) {
            int x = rand() % 100;
            unsigned symbol = x < 60 ? rand() % 4 : x < 80 ? rand() % 32 : rand() % 256;
            // The third block has symbols of 2 bits only, and the fourth of 3: whole words.
            symbol = i / block_words == 2 ? rand() % 2 : i / block_words == 3 ? 2 + rand() % 2 : symbol;
            data[i] |= symbol << 8 * (3 - k);
            gold_counts[symbol]++;
        }
    int at = 0;
    for (int b = 0; b < blocks; b++) {
        starts[b] = at;
        for (int i = b * block_words; i < (b + 1) * block_words; i++)
            for (int k = 3; k >= 0; k--) {
                unsigned symbol = data[i] >> 8 * k & 0xff;
                for (int bit = lengths[symbol] - 1; bit >= 0; bit--, at++)
                    gold[at / 32] |= (codes[symbol] >> bit & 1) << (31 - at % 32);
            }
    }
    unsigned *data_d, *codes_d, *lengths_d, *encoded_d, *bits_d, *starts_d, *packed_d, *counts_d;
    cudaMalloc(&data_d, sizeof data);
    cudaMalloc(&codes_d, sizeof codes);
    cudaMalloc(&lengths_d, sizeof codes);
    cudaMalloc(&counts_d, sizeof counts);
    cudaMalloc(&encoded_d, sizeof encoded + 32);
    cudaMalloc(&bits_d, sizeof bits);
    cudaMalloc(&starts_d, sizeof bits);
    cudaMalloc(&packed_d, sizeof packed);
    cudaMemcpy(data_d, data, sizeof data, cudaMemcpyHostToDevice);
    cudaMemcpy(codes_d, codes, sizeof codes, cudaMemcpyHostToDevice);
    cudaMemcpy(lengths_d, lengths, sizeof codes, cudaMemcpyHostToDevice);
    cudaMemcpy(starts_d, starts, sizeof starts, cudaMemcpyHostToDevice);
    cudaMemset(packed_d, 0, sizeof packed);
    cudaMemset(counts_d, 0, sizeof counts);
    histo_kernel<<<4, 256>>>((unsigned char *)data_d, sizeof data, counts_d);
    int shared = (2 * NUM_SYMBOLS + block_words + 2) * sizeof(unsigned);
    vlc_encode_kernel_sm64huff<<<blocks, block_words, shared>>>(data_d, codes_d, lengths_d,
#ifdef TESTING
        data_d, data_d, data_d,
#endif
        encoded_d, bits_d);
    pack2<<<1, blocks>>>(encoded_d, bits_d, starts_d, packed_d, block_words);
    cudaMemcpy(counts, counts_d, sizeof counts, cudaMemcpyDeviceToHost);
    cudaMemcpy(bits, bits_d, sizeof bits, cudaMemcpyDeviceToHost);
    cudaMemcpy(packed, packed_d, sizeof packed, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < NUM_SYMBOLS; i++)
        wrong += counts[i] != gold_counts[i];
    for (int b = 0; b < blocks; b++)
        wrong += bits[b] != (b + 1 < blocks ? starts[b + 1] : at) - starts[b];
    for (int i = 0; i <= at / 32; i++)
        wrong += packed[i] != gold[i];
    return verdict(wrong, "values");
}

// out: PASS
