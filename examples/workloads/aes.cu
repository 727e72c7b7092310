// aes: AES-128 encryption of independent 16-byte blocks (electronic code book).
//
// BCC (Table 1) measures an AES; DAC's kind too, but our text of DAC stops before its list of programs. Modelled on
// ISPASS-2009's AES: there too a thread block of 256 threads encrypts 64 blocks, four threads for each, one column of
// the state for each thread.
//
// Characteristic: four tables of 256 words, copied by each thread block from constant to shared memory; the state in
// two arrays in shared memory that swap roles from round to round, with a barrier for each round; table look-ups at
// data-dependent addresses of shared memory (bank conflicts); all other addresses regular, no divergence. 257
// blocks, as in ISPASS-2009, leave one block over on a GTX 480.
//
// usage: aes [thread blocks]

#include "workload.h"

#define THREADS 256
#define ROUNDS 10

__constant__ unsigned tables[4][256];      // SubBytes and MixColumns of a byte of row 0 to 3
__constant__ unsigned char last_table[256]; // SubBytes alone, for the last round
__constant__ unsigned round_keys[4 * (ROUNDS + 1)];

// The byte of row `row` of the column that ShiftRows brings there; four columns of a block begin at `first`.
__device__ static unsigned shifted(const unsigned *state, int first, int column, int row)
{
    return state[first + ((column + row) & 3)] >> (8 * row) & 255;
}

__global__ void encrypt(unsigned *result, const unsigned *input)
{
    __shared__ unsigned stage[2][THREADS];
    __shared__ unsigned table0[256], table1[256], table2[256], table3[256];
    __shared__ unsigned last[256];
    int thread = threadIdx.x;
    int column = thread & 3;
    int first = thread & ~3;
    int at = blockIdx.x * THREADS + thread;

    unsigned word = input[at];
    table0[thread] = tables[0][thread];
    table1[thread] = tables[1][thread];
    table2[thread] = tables[2][thread];
    table3[thread] = tables[3][thread];
    last[thread] = last_table[thread];
    stage[0][thread] = word ^ round_keys[column];
    __syncthreads();

    // Unrolled, because the arrays swap roles: the public kernel writes each round out.
#pragma unroll
    for (int round = 1; round < ROUNDS; round++) {
        const unsigned *from = stage[(round + 1) & 1];
        word = table0[shifted(from, first, column, 0)] ^ table1[shifted(from, first, column, 1)]
             ^ table2[shifted(from, first, column, 2)] ^ table3[shifted(from, first, column, 3)];
        stage[round & 1][thread] = word ^ round_keys[4 * round + column];
        __syncthreads();
    }
    const unsigned *from = stage[(ROUNDS + 1) & 1];
    word = last[shifted(from, first, column, 0)] | last[shifted(from, first, column, 1)] << 8
         | last[shifted(from, first, column, 2)] << 16 | last[shifted(from, first, column, 3)] << 24;
    result[at] = word ^ round_keys[4 * ROUNDS + column];
}

// Multiplication by x in the field of 256 elements of FIPS-197.
static unsigned times_x(unsigned a)
{
    return (a << 1 ^ (a & 128 ? 0x1b : 0)) & 255;
}

static unsigned char substitute[256];

// FIPS-197, section 5.1.1: the inverse in the field, then an affine map over bits.
static void make_substitution()
{
    unsigned power[256], exponent[256];
    // 3 generates all elements but 0.
    for (unsigned i = 0, a = 1; i < 255; i++) {
        power[i] = a;
        exponent[a] = i;
        a ^= times_x(a);
    }
    for (int i = 0; i < 256; i++) {
        unsigned inverse = i == 0 ? 0 : power[(255 - exponent[i]) % 255];
        unsigned bits = inverse;
        for (int turn = 1; turn < 5; turn++)
            bits ^= (inverse << turn | inverse >> (8 - turn)) & 255;
        substitute[i] = bits ^ 0x63;
    }
}

// FIPS-197, section 5.2: 11 round keys of 16 bytes.
static void expand_key(const unsigned char *key, unsigned char *expanded)
{
    unsigned constant = 1;
    memcpy(expanded, key, 16);
    for (int at = 16; at < 16 * (ROUNDS + 1); at += 4) {
        unsigned char word[4];
        memcpy(word, expanded + at - 4, 4);
        if (at % 16 == 0) {
            unsigned char top = word[0];
            for (int i = 0; i < 3; i++)
                word[i] = substitute[word[i + 1]];
            word[3] = substitute[top];
            word[0] ^= constant;
            constant = times_x(constant);
        }
        for (int i = 0; i < 4; i++)
            expanded[at + i] = expanded[at - 16 + i] ^ word[i];
    }
}

// FIPS-197, section 5.1, byte by byte.
static void encrypt_on_host(const unsigned char *keys, const unsigned char *from, unsigned char *to)
{
    unsigned char state[16], moved[16];
    for (int i = 0; i < 16; i++)
        state[i] = from[i] ^ keys[i];
    for (int round = 1; round <= ROUNDS; round++) {
        // State byte 4 c + r is row r of column c.
        for (int i = 0; i < 16; i++)
            moved[i] = substitute[state[(i + 4 * (i & 3)) & 15]];
        for (int c = 0; c < 16; c += 4) {
            unsigned all = moved[c] ^ moved[c + 1] ^ moved[c + 2] ^ moved[c + 3];
            for (int r = 0; r < 4; r++) {
                unsigned mixed = moved[c + r] ^ all ^ times_x(moved[c + r] ^ moved[c + ((r + 1) & 3)]);
                state[c + r] = (round == ROUNDS ? moved[c + r] : mixed) ^ keys[16 * round + c + r];
            }
        }
    }
    memcpy(to, state, 16);
}

// The kernel's tables: table 0 holds 2s, s, s, 3s from the lowest byte on, each further one is turned by a byte.
static void copy_tables(const unsigned char *expanded)
{
    unsigned host_tables[4][256], words[4 * (ROUNDS + 1)];
    for (int i = 0; i < 256; i++) {
        unsigned s = substitute[i], twice = times_x(s);
        unsigned word = twice | s << 8 | s << 16 | (twice ^ s) << 24;
        for (int table = 0; table < 4; table++) {
            host_tables[table][i] = word;
            word = word << 8 | word >> 24;
        }
    }
    for (int i = 0; i < 4 * (ROUNDS + 1); i++)
        words[i] = expanded[4 * i] | expanded[4 * i + 1] << 8 | expanded[4 * i + 2] << 16
                 | (unsigned)expanded[4 * i + 3] << 24;
    CHECK(cudaMemcpyToSymbol(tables, host_tables, sizeof host_tables));
    CHECK(cudaMemcpyToSymbol(last_table, substitute, sizeof substitute));
    CHECK(cudaMemcpyToSymbol(round_keys, words, sizeof words));
}

int main(int argc, char **argv)
{
    int grid = argument(argc, argv, 1, 270);
    int words = grid * THREADS, blocks = words / 4;

    // FIPS-197, appendix C.1.
    const unsigned char vector[16] = {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30,
                                      0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a};
    unsigned char key[16], expanded[16 * (ROUNDS + 1)];
    for (int i = 0; i < 16; i++)
        key[i] = i;
    make_substitution();
    expand_key(key, expanded);
    copy_tables(expanded);

    unsigned *input = (unsigned *)malloc(words * sizeof(unsigned));
    for (int i = 0; i < words; i++)
        input[i] = random_bits();
    unsigned char *bytes = (unsigned char *)input;
    for (int i = 0; i < 16; i++)
        bytes[i] = 17 * i;

    unsigned *device_input = to_device(input, words);
    unsigned *device_result = device_zeros<unsigned>(words);
    encrypt<<<grid, THREADS>>>(device_result, device_input);
    CHECK(cudaGetLastError());

    unsigned *result = to_host(device_result, words);
    const unsigned char *encrypted = (const unsigned char *)result;
    for (int i = 0; i < 16; i++)
        expect_int("byte of FIPS-197's vector", i, vector[i], encrypted[i]);
    int stride = blocks <= 64 ? 1 : blocks / 61;
    for (int block = 0; block < blocks; block += stride) {
        unsigned expected[4];
        encrypt_on_host(expanded, bytes + 16 * block, (unsigned char *)expected);
        for (int i = 0; i < 4; i++)
            expect_int("word", 4 * block + i, expected[i], result[4 * block + i]);
    }
    CHECK(cudaFree(device_input));
    CHECK(cudaFree(device_result));
    free(input);
    free(result);
    return verdict("aes");
}
