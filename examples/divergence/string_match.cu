// string_match: at each place of a text, the longest of some words that stands there. Most comparisons end
// at the first letter (data-dependent, if only).
//
// usage: string_match [letters]

#include "check.h"

#define WORDS 6
#define LONGEST 8

__constant__ char words[WORDS][LONGEST] = {"warp", "lane", "wave", "water", "landing", "a"};

__global__ void string_match(const char *text, int *matches, int letters)
{
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= letters)
        return;
    int longest = 0;
    for (int word = 0; word < WORDS; word++) {
        int length = 0;
        while (words[word][length] != 0 && at + length < letters &&
               text[at + length] == words[word][length])
            length++;
        if (words[word][length] == 0 && length > longest)
            longest = length;
    }
    matches[at] = longest;
}

int main(int argc, char **argv)
{
    const char *known[WORDS] = {"warp", "lane", "wave", "water", "landing", "a"};
    int letters = number(argc, argv, 1, 12000);
    char *text = (char *)malloc(letters + LONGEST);
    for (int i = 0; i < letters;) {
        const char *word = known[random_below(WORDS)];
        int whole = 1 + random_below(LONGEST);
        for (int j = 0; j < whole && word[j] && i < letters; j++)
            text[i++] = word[j];
    }
    int *expected = (int *)malloc(letters * sizeof(int));
    for (int i = 0; i < letters; i++) {
        expected[i] = 0;
        for (int word = 0; word < WORDS; word++) {
            int j = 0;
            for (; known[word][j] && i + j < letters && text[i + j] == known[word][j]; j++) {}
            if (!known[word][j] && j > expected[i])
                expected[i] = j;
        }
    }
    char *d_text;
    CHECK(cudaMalloc(&d_text, letters));
    CHECK(cudaMemcpy(d_text, text, letters, cudaMemcpyHostToDevice));
    int *matches = on_device(NULL, letters);
    string_match<<<(letters + 255) / 256, 256>>>(d_text, matches, letters);
    CHECK(cudaDeviceSynchronize());
    return verdict("string_match", expected, matches, letters);
}
