// suite: ispass
// includes: AES
// unchanged
#include "driver.h"
#define printf(...) ((void)0)
#include "aesHost.cu"
#undef printf

typedef unsigned char byte;

static byte twice(byte a) { return a << 1 ^ (a & 0x80 ? 0x1b : 0); }

static byte product(byte a, byte b)
{
    byte sum = 0;
    for (; b; b >>= 1, a = twice(a))
        sum ^= b & 1 ? a : 0;
    return sum;
}

// FIPS 197's S-box: the inverse, and an affine map.
static byte substitute(byte a)
{
    byte inverse = 0, sum = 0x63;
    for (int b = 1; b < 256; b++)
        if (product(a, b) == 1)
            inverse = b;
    for (int i = 0; i < 5; i++)
        sum ^= inverse << i | inverse >> (8 - i);
    return sum;
}

static byte sbox[256];

// The round keys of a key of `words` words; how many rounds.
static int expand(const byte *key, int words, byte *keys)
{
    const int rounds = words + 6;
    byte constant = 1;
    memcpy(keys, key, words * 4);
    for (int i = words; i < 4 * (rounds + 1); i++) {
        byte last[4];
        memcpy(last, keys + 4 * (i - 1), 4);
        if (i % words == 0) {
            byte first = last[0];
            for (int k = 0; k < 4; k++)
                last[k] = sbox[k < 3 ? last[k + 1] : first];
            last[0] ^= constant;
            constant = twice(constant);
        } else if (words > 6 && i % words == 4) {
            for (int k = 0; k < 4; k++)
                last[k] = sbox[last[k]];
        }
        for (int k = 0; k < 4; k++)
            keys[4 * i + k] = keys[4 * (i - words) + k] ^ last[k];
    }
    return rounds;
}

static void mix_column(byte *c)
{
    byte a[4];
    memcpy(a, c, 4);
    for (int k = 0; k < 4; k++)
        c[k] = twice(a[k]) ^ twice(a[(k + 1) % 4]) ^ a[(k + 1) % 4] ^ a[(k + 2) % 4] ^ a[(k + 3) % 4];
}

static void encrypt(const byte *in, byte *out, const byte *keys, int rounds)
{
    byte state[16];
    for (int i = 0; i < 16; i++)
        state[i] = in[i] ^ keys[i];
    for (int round = 1; round <= rounds; round++) {
        for (int i = 0; i < 16; i++)
            out[i] = sbox[state[(i + i % 4 * 4) % 16]];
        for (int column = 0; column < 4 && round < rounds; column++)
            mix_column(out + 4 * column);
        for (int i = 0; i < 16; i++)
            state[i] = out[i] ^ keys[16 * round + i];
    }
    memcpy(out, state, 16);
}

// The keys of the inverse cipher whose rounds are in the cipher's order.
static void inverse_keys(byte *inverse, const byte *keys, int rounds)
{
    for (int round = 0; round <= rounds; round++) {
        memcpy(inverse + 16 * round, keys + 16 * (rounds - round), 16);
        if (round > 0 && round < rounds)
            // Mixing columns four times changes nothing.
            for (int times = 0; times < 3; times++)
                for (int column = 0; column < 4; column++)
                    mix_column(inverse + 16 * round + 4 * column);
    }
}

// Blocks under AES-128 and AES-256, there and back, against FIPS 197's definition and its examples.
int main()
{
    const int bytes = 2048;
    static byte plain[bytes], gold[bytes], there[bytes], back[bytes];
    const byte examples[2][16] = {
        {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30, 0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a},
        {0x8e, 0xa2, 0xb7, 0xca, 0x51, 0x67, 0x45, 0xbf, 0xea, 0xfc, 0x49, 0x90, 0x4b, 0x49, 0x60, 0x89}
    };
    for (int i = 0; i < 256; i++)
        sbox[i] = substitute(i);
    int wrong = 0;
    srand(5);
    for (int i = 0; i < bytes; i++)
        plain[i] = i < 16 ? i * 0x11 : rand();
    for (int words = 4; words <= 8; words += 4) {
        byte key[32], keys[240], inverse[240];
        for (int i = 0; i < 32; i++)
            key[i] = i;
        const int rounds = expand(key, words, keys), size = 16 * (rounds + 1);
        inverse_keys(inverse, keys, rounds);
        for (int at = 0; at < bytes; at += 16)
            encrypt(plain + at, gold + at, keys, rounds);
        wrong += memcmp(gold, examples[words / 8], 16) != 0;
        wrong += aesHost(there, plain, bytes, keys, size, true) != 0;
        wrong += aesHost(back, there, bytes, inverse, size, false) != 0;
        for (int at = 0; at < bytes; at += 16) {
            wrong += memcmp(there + at, gold + at, 16) != 0;
            wrong += memcmp(back + at, plain + at, 16) != 0;
        }
    }
    return verdict(wrong, "blocks");
}

// out: PASS
