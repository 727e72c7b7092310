// mummer_pp: for each position of short DNA reads, the longest match in a reference, by a suffix array.
// Measured in chapter 3 of the dissertation (Table 3.2, "MUMpp"). Modelled on MUMmerGPU++, which has a suffix array
// where MUMmerGPU has a suffix tree (`mummer`): less memory, and a binary search for each match.
//
// A thread has a read. For each of its positions it looks for the suffix with the longest common prefix, as Manber and
// Myers do: two more arrays hold the common prefixes of the ends and the middle of each interval, and what is known of
// both ends says whether letters must be compared at all. Data-dependent branches with two paths, nested in a search
// whose lanes agree only in the number of steps; a loop over letters of any length; loads that are scattered.
//
// usage: mummer_pp [letters of the reference [reads [letters of a read [shortest match]]]]

#include "workload.h"

#define THREADS 64

struct Match {
    int length, place;
};

// How many letters from `known` on are alike; the reference ends with a letter that occurs in no read.
__device__ __forceinline__ int extend(const char *text, const char *word, int known, int letters)
{
    while (known < letters && text[known] == word[known])
        known++;
    return known;
}

__global__ void match_reads(const char *text, const int *suffix, const int *left_prefix, const int *right_prefix,
                            int suffixes, const char *reads, int count, int letters, int shortest, Match *matches)
{
    int read = blockIdx.x * THREADS + threadIdx.x;
    if (read >= count)
        return;
    int positions = letters - shortest + 1;
    for (int start = 0; start < positions; start++) {
        const char *word = reads + read * letters + start;
        int rest = letters - start, left = 0, right = suffixes - 1;
        int left_known = extend(text + suffix[left], word, 0, rest);
        int right_known = extend(text + suffix[right], word, 0, rest);
        while (right - left > 1) {
            int middle = (left + right) / 2, known;
            // The end that shares more with the read says more about the middle.
            if (left_known >= right_known) {
                int shared = left_prefix[middle];
                if (shared >= left_known)
                    known = extend(text + suffix[middle], word, left_known, rest);
                else
                    known = shared;
            } else {
                int shared = right_prefix[middle];
                if (shared >= right_known)
                    known = extend(text + suffix[middle], word, right_known, rest);
                else
                    known = shared;
            }
            if (known == rest || word[known] < text[suffix[middle] + known]) {
                right = middle;
                right_known = known;
            } else {
                left = middle;
                left_known = known;
            }
        }
        Match match = {0, -1};
        if (left_known > right_known) {
            if (left_known >= shortest) {
                match.length = left_known;
                match.place = suffix[left];
            }
        } else if (right_known >= shortest) {
            match.length = right_known;
            match.place = suffix[right];
        }
        matches[read * positions + start] = match;
    }
}

// Puts `items` in the order of their keys, from 0 to `keys` - 1, and keeps the order of equal ones.
static void sort_by_key(const int *items, int *sorted, int count, const int *key, int keys, int *room)
{
    memset(room, 0, (keys + 1) * sizeof(int));
    for (int i = 0; i < count; i++)
        room[key[i] + 1]++;
    for (int i = 0; i < keys; i++)
        room[i + 1] += room[i];
    for (int i = 0; i < count; i++)
        sorted[room[key[items[i]]]++] = items[i];
}

// The suffixes of a text in order, by doubling the length of the prefixes that are sorted.
static int *suffix_array(const char *text, int count)
{
    int *suffix = (int *)malloc(count * sizeof(int)), *rank = (int *)malloc(count * sizeof(int));
    int *shifted = (int *)malloc(count * sizeof(int)), *next = (int *)malloc(count * sizeof(int));
    int *room = (int *)malloc((count > 256 ? count + 2 : 258) * sizeof(int)), classes = 256;
    for (int i = 0; i < count; i++) {
        rank[i] = text[i];
        shifted[i] = i;
    }
    sort_by_key(shifted, suffix, count, rank, classes, room);
    for (int length = 1; classes < count || length == 1; length *= 2) {
        // Ordered by the second half: the last suffixes have none, the others follow their tails.
        int filled = 0;
        if (length > 1) {
            int half = length / 2;
            for (int i = count - half; i < count; i++)
                shifted[filled++] = i;
            for (int i = 0; i < count; i++)
                if (suffix[i] >= half)
                    shifted[filled++] = suffix[i] - half;
            sort_by_key(shifted, suffix, count, rank, classes, room);
        }
        classes = 1;
        next[suffix[0]] = 0;
        int half = length / 2;
        for (int i = 1; i < count; i++) {
            int a = suffix[i - 1], b = suffix[i];
            int tail_a = a + half < count ? rank[a + half] : -1, tail_b = b + half < count ? rank[b + half] : -1;
            if (rank[a] != rank[b] || tail_a != tail_b)
                classes++;
            next[b] = classes - 1;
        }
        int *other = rank;
        rank = next;
        next = other;
    }
    free(rank);
    free(shifted);
    free(next);
    free(room);
    return suffix;
}

// The common prefix of each suffix and the one before it in the order (Kasai and others).
static int *common_prefixes(const char *text, const int *suffix, int count)
{
    int *rank = (int *)malloc(count * sizeof(int)), *common = (int *)calloc(count, sizeof(int)), length = 0;
    for (int i = 0; i < count; i++)
        rank[suffix[i]] = i;
    for (int i = 0; i < count; i++) {
        if (rank[i] == 0) {
            length = 0;
            continue;
        }
        int other = suffix[rank[i] - 1];
        while (i + length < count && other + length < count && text[i + length] == text[other + length])
            length++;
        common[rank[i]] = length;
        if (length > 0)
            length--;
    }
    free(rank);
    return common;
}

// Fills in, for each interval of the binary search, the common prefixes of its ends and its middle.
static int fill_prefixes(const int *common, int left, int right, int *left_prefix, int *right_prefix)
{
    if (right - left <= 1)
        return common[right];
    int middle = (left + right) / 2;
    int a = left_prefix[middle] = fill_prefixes(common, left, middle, left_prefix, right_prefix);
    int b = right_prefix[middle] = fill_prefixes(common, middle, right, left_prefix, right_prefix);
    return a < b ? a : b;
}

// The longest match of a word anywhere in the text.
static int host_longest(const char *text, int count, const char *word, int letters)
{
    int longest = 0;
    for (int i = 0; i < count; i++) {
        int length = 0;
        while (length < letters && text[i + length] == word[length])
            length++;
        if (length > longest)
            longest = length;
    }
    return longest;
}

int main(int argc, char **argv)
{
    int bases = argument(argc, argv, 1, 2000), count = argument(argc, argv, 2, 256);
    int letters = argument(argc, argv, 3, 25), shortest = argument(argc, argv, 4, 20);
    if (shortest > letters || letters > bases) {
        printf("a match cannot be longer than a read, or a read than the reference\n");
        return 2;
    }
    // The reference, with a copy of its first quarter near the end, since genomes repeat themselves.
    int suffixes = bases + 1, positions = letters - shortest + 1;
    char *text = (char *)malloc(suffixes), *reads = (char *)malloc(count * letters);
    for (int i = 0; i < bases; i++)
        text[i] = "ACGT"[random_below(4)];
    memcpy(text + bases / 2, text, bases / 4);
    text[bases] = '$';
    // Reads are parts of it; in one letter of forty the machine that read them was wrong.
    for (int i = 0; i < count; i++) {
        int from = random_bits() % (bases - letters + 1);
        for (int k = 0; k < letters; k++)
            reads[i * letters + k] = random_below(40) ? text[from + k] : "ACGT"[random_below(4)];
    }
    int *suffix = suffix_array(text, suffixes), *common = common_prefixes(text, suffix, suffixes);
    int *left_prefix = (int *)calloc(suffixes, sizeof(int)), *right_prefix = (int *)calloc(suffixes, sizeof(int));
    fill_prefixes(common, 0, suffixes - 1, left_prefix, right_prefix);

    char *text_there = to_device(text, suffixes), *reads_there = to_device(reads, count * letters);
    int *suffix_there = to_device(suffix, suffixes), *left_there = to_device(left_prefix, suffixes);
    int *right_there = to_device(right_prefix, suffixes);
    Match *matches_there;
    CHECK(cudaMalloc((void **)&matches_there, count * positions * sizeof(Match)));
    match_reads<<<(count + THREADS - 1) / THREADS, THREADS>>>(text_there, suffix_there, left_there, right_there,
                                                              suffixes, reads_there, count, letters, shortest,
                                                              matches_there);
    CHECK(cudaDeviceSynchronize());
    Match *matches = to_host(matches_there, count * positions);

    // As many as two million comparisons of suffixes on the host allow. What is found must be there.
    int samples = 1 + 500000 / bases;
    for (int i = 0; i < samples && i < count * positions; i++) {
        int at = samples >= count * positions ? i : (int)(random_bits() % (count * positions));
        const char *word = reads + at / positions * letters + at % positions;
        int rest = letters - at % positions, longest = host_longest(text, bases, word, rest);
        expect_int("longest match at", at, longest >= shortest ? longest : 0, matches[at].length);
        for (int k = 0; k < matches[at].length; k++)
            expect_int("letter of match", at, word[k], text[matches[at].place + k]);
    }
    int found = 0;
    for (int i = 0; i < count * positions; i++)
        found += matches[i].length > 0;
    printf("%d of %d positions have matches\n", found, count * positions);
    CHECK(cudaFree(text_there));
    CHECK(cudaFree(reads_there));
    CHECK(cudaFree(suffix_there));
    CHECK(cudaFree(left_there));
    CHECK(cudaFree(right_there));
    CHECK(cudaFree(matches_there));
    return verdict("mummer_pp");
}
