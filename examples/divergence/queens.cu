// queens: how many ways there are to put N queens on a board; each thread has the places of the queens in
// the first rows and searches the other rows, going back where it cannot go on. Loops and branches depend on
// the thread's number only (programmatic), and hardly two threads go the same way.
//
// usage: queens [queens]

#include "check.h"

// Solutions with queens in the first rows at `first`, a digit a row to the base `size`; 0 if they beat
// each other. The stack has a row's free places; what is attacked is kept beside it.
__host__ __device__ int search(int first, int size, int rows)
{
    unsigned columns = 0, left = 0, right = 0;
    unsigned full = (1u << size) - 1;
    for (int row = 0; row < rows; row++) {
        unsigned bit = 1u << first % size;
        first /= size;
        if ((columns | left | right) & bit)
            return 0;
        columns |= bit;
        left = (left | bit) << 1;
        right = (right | bit) >> 1;
    }
    unsigned free_places[12], lefts[12], rights[12], columns_at[12];
    int depth = 0, solutions = 0;
    free_places[0] = full & ~(columns | left | right);
    lefts[0] = left, rights[0] = right, columns_at[0] = columns;
    while (depth >= 0) {
        unsigned places = free_places[depth];
        if (places == 0) {
            depth--;
        } else {
            unsigned bit = places & (0 - places);
            free_places[depth] = places & ~bit;
            unsigned now = columns_at[depth] | bit;
            if (now == full) {
                solutions++;
            } else {
                lefts[depth + 1] = (lefts[depth] | bit) << 1;
                rights[depth + 1] = (rights[depth] | bit) >> 1;
                columns_at[depth + 1] = now;
                depth++;
                free_places[depth] = full & ~(now | lefts[depth] | rights[depth]);
            }
        }
    }
    return solutions;
}

__global__ void queens(int *solutions, int size, int rows, int starts)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < starts)
        solutions[i] = search(i, size, rows);
}

int main(int argc, char **argv)
{
    int size = number(argc, argv, 1, 9);
    if (size < 4 || size > 11) {
        printf("usage: queens [4 to 11]\n");
        return 2;
    }
    int starts = size * size * size, sum = 0;
    int *expected = (int *)malloc(starts * sizeof(int));
    for (int i = 0; i < starts; i++)
        sum += expected[i] = search(i, size, 3);
    printf("queens: %d solutions for %d queens\n", sum, size);
    int *solutions = on_device(NULL, starts);
    queens<<<(starts + 127) / 128, 128>>>(solutions, size, 3, starts);
    CHECK(cudaDeviceSynchronize());
    return verdict("queens", expected, solutions, starts);
}
