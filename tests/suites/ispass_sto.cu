// suite: ispass
// includes: STO
// unchanged
#include "driver.h"
#define main their_main
#include "storeGPU.cu"
#undef main

static unsigned turn(unsigned x, int n) { return x << n | x >> (32 - n); }

// The message with its padding; the number of blocks.
static int pad(const unsigned char *text, int length, unsigned char *blocks, bool big)
{
    int count = (length + 8) / 64 + 1;
    memset(blocks, 0, count * 64);
    memcpy(blocks, text, length);
    blocks[length] = 0x80;
    for (int i = 0; i < 4; i++)
        blocks[count * 64 - (big ? 1 + i : 8 - i)] = (unsigned)(length * 8) >> 8 * i;
    return count;
}

// The first word of RFC 1321's digest, its first byte lowest.
unsigned md5_of(const unsigned char *text, int length)
{
    const int shifts[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
    unsigned char blocks[512];
    int count = pad(text, length, blocks, false);
    unsigned state[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
    for (int block = 0; block < count; block++) {
        unsigned a = state[0], b = state[1], c = state[2], d = state[3];
        for (int i = 0; i < 64; i++) {
            int round = i / 16, k = (round == 0 ? i : round == 1 ? 5 * i + 1 : round == 2 ? 3 * i + 5 : 7 * i) % 16;
            unsigned f = round == 0 ? (b & c) | (~b & d) : round == 1 ? (d & b) | (~d & c)
                : round == 2 ? b ^ c ^ d : c ^ (b | ~d);
            unsigned word = 0;
            for (int byte = 0; byte < 4; byte++)
                word |= (unsigned)blocks[block * 64 + 4 * k + byte] << 8 * byte;
            f += a + (unsigned)(long)floor(fabs(sin(i + 1.0)) * 4294967296.0) + word;
            a = d;
            d = c;
            c = b;
            b += turn(f, shifts[round][i % 4]);
        }
        state[0] += a;
        state[1] += b;
        state[2] += c;
        state[3] += d;
    }
    return state[0];
}

// The first word of FIPS 180's digest, its first byte lowest.
unsigned sha1_of(const unsigned char *text, int length)
{
    unsigned char blocks[512];
    int count = pad(text, length, blocks, true);
    unsigned state[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    for (int block = 0; block < count; block++) {
        unsigned w[80], v[5];
        for (int i = 0; i < 80; i++) {
            if (i < 16) {
                w[i] = 0;
                for (int byte = 0; byte < 4; byte++)
                    w[i] = w[i] << 8 | blocks[block * 64 + 4 * i + byte];
            } else {
                w[i] = turn(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
            }
        }
        memcpy(v, state, sizeof v);
        for (int i = 0; i < 80; i++) {
            unsigned f = i < 20 ? (v[1] & v[2]) | (~v[1] & v[3])
                : i >= 40 && i < 60 ? (v[1] & v[2]) | (v[1] & v[3]) | (v[2] & v[3]) : v[1] ^ v[2] ^ v[3];
            unsigned k = i < 20 ? 0x5a827999 : i < 40 ? 0x6ed9eba1 : i < 60 ? 0x8f1bbcdc : 0xca62c1d6;
            unsigned next = turn(v[0], 5) + f + v[4] + k + w[i];
            v[4] = v[3];
            v[3] = v[2];
            v[2] = turn(v[1], 30);
            v[1] = v[0];
            v[0] = next;
        }
        for (int i = 0; i < 5; i++)
            state[i] += v[i];
    }
    return turn(state[0], 8) & 0x00ff00ff | turn(state[0], 24) & 0xff00ff00;
}

// Digests of pieces of a text, apart and overlapping, against the definitions.
int main()
{
    const int threads = 70, chunk = 116, offset = 24, bytes = threads * chunk + 64;
    static unsigned char text[bytes], hashes[threads * 4];
    int wrong = 0;
    wrong += md5_of((const unsigned char *)"abc", 3) != 0x98500190 || sha1_of((const unsigned char *)"abc", 3) != 0x363e99a9;
    srand(10);
    for (int i = 0; i < bytes; i++)
        text[i] = rand();
    unsigned char *text_d, *hashes_d;
    cudaMalloc(&text_d, bytes);
    cudaMalloc(&hashes_d, sizeof hashes);
    cudaMemcpy(text_d, text, bytes, cudaMemcpyHostToDevice);
    for (int kind = 0; kind < 4; kind++) {
        if (kind == 0)
            md5<<<2, 64>>>(text_d, chunk, threads, 0, hashes_d);
        else if (kind == 1)
            sha1<<<2, 64>>>(text_d, chunk, threads, 0, hashes_d);
        else if (kind == 2)
            md5_overlap<<<2, 64>>>(text_d, chunk, offset, threads, 12, hashes_d);
        else
            sha1_overlap<<<2, 64>>>(text_d, chunk, offset, threads, 12, hashes_d);
        cudaMemcpy(hashes, hashes_d, sizeof hashes, cudaMemcpyDeviceToHost);
        for (int i = 0; i < threads; i++) {
            int at = i * (kind < 2 ? chunk : offset), length = kind >= 2 && i == threads - 1 ? chunk - 12 : chunk;
            unsigned gold = kind % 2 ? sha1_of(text + at, length) : md5_of(text + at, length);
            for (int byte = 0; byte < 4; byte++)
                if (hashes[4 * i + byte] != (gold >> 8 * byte & 0xff)) {
                    wrong++;
                    break;
                }
        }
    }
    return verdict(wrong, "digests");
}

// out: PASS
