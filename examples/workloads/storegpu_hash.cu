// storegpu_hash: hashes of many short pieces of data, one piece for each thread: SHA-1 of a window that slides over
// the data, and MD5 of adjoining chunks.
//
// DAC's kind of program (a StoreGPU-like hash); our text of that paper stops before its list. Modelled on StoreGPU
// as ISPASS-2009's STO has it: SHA-1 of overlapping windows of 52 bytes that begin every 4 bytes, by blocks of 128
// threads; and its direct hashing, here with MD5.
//
// Characteristic: 52 bytes and the padding make one block of 64 bytes. A thread copies its words to a column of
// shared memory of its own (no barrier, no bank conflicts), where SHA-1 also keeps the window of its message
// schedule; then hundreds of unrolled integer operations on registers and shared memory. The sliding window's loads
// are contiguous in a warp (and each word is read by 13 threads), the chunks' loads lie 52 bytes apart. No
// divergence; the shared memory that a block reserves (16256 bytes, as the public program's) limits the blocks on an
// SM to three.
//
// usage: storegpu_hash [blocks]

#include "workload.h"

#define THREADS 128
#define PIECE_WORDS 13
#define PIECE_BITS (PIECE_WORDS * 32)
#define SHARED_WORDS (4 * 1024 - 32)

// Word `index` of a thread's column: the threads of a warp stand in 32 different banks.
#define AT(index) (32 * (index))

__device__ static unsigned rotate(unsigned a, int left)
{
    return a << left | a >> (32 - left);
}

__device__ static unsigned swap_bytes(unsigned a)
{
    return __byte_perm(a, 0, 0x0123);
}

// Steps 0 to 15 take words of the message, the others the next word of the schedule (FIPS 180-4), which replaces the
// one of 16 steps before.
__device__ static unsigned schedule(unsigned *w, int t)
{
    if (t < 16)
        return w[AT(t)];
    unsigned word = w[AT((t - 3) & 15)] ^ w[AT((t - 8) & 15)] ^ w[AT((t - 14) & 15)] ^ w[AT(t & 15)];
    word = rotate(word, 1);
    w[AT(t & 15)] = word;
    return word;
}

// Twenty of SHA-1's 80 steps.
#define CHOOSE (v[3] ^ (v[1] & (v[2] ^ v[3])))
#define PARITY (v[1] ^ v[2] ^ v[3])
#define MAJORITY ((v[1] & v[2]) | (v[3] & (v[1] | v[2])))
template <int first> __device__ static void sha1_steps(unsigned *v, unsigned *w)
{
#pragma unroll
    for (int t = first; t < first + 20; t++) {
        unsigned mixed = first == 0 ? CHOOSE + 0x5a827999u : first == 20 ? PARITY + 0x6ed9eba1u
                       : first == 40 ? MAJORITY + 0x8f1bbcdcu : PARITY + 0xca62c1d6u;
        unsigned next = rotate(v[0], 5) + mixed + v[4] + schedule(w, t);
        v[4] = v[3];
        v[3] = v[2];
        v[2] = rotate(v[1], 30);
        v[1] = v[0];
        v[0] = next;
    }
}

// Thread t hashes the words from t on. Of each digest only the first word is stored, as the public program does.
__global__ void sha1_sliding(const unsigned *data, unsigned *digests)
{
    __shared__ unsigned shared[SHARED_WORDS];
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned *w = shared + (threadIdx.x >> 5) * 512 + (threadIdx.x & 31);
    // SHA-1's words have their highest byte first.
#pragma unroll
    for (int i = 0; i < PIECE_WORDS; i++)
        w[AT(i)] = swap_bytes(data[thread + i]);
    // The padding: a bit, zeros, the length in bits.
    w[AT(13)] = 0x80000000u;
    w[AT(14)] = 0;
    w[AT(15)] = PIECE_BITS;
    unsigned v[5] = {0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u, 0xc3d2e1f0u};
    sha1_steps<0>(v, w);
    sha1_steps<20>(v, w);
    sha1_steps<40>(v, w);
    sha1_steps<60>(v, w);
    digests[thread] = 0x67452301u + v[0];
}

// The four kinds of steps of RFC 1321.
#define R1(x, y, z) (z ^ (x & (y ^ z)))
#define R2(x, y, z) (y ^ (z & (x ^ y)))
#define R3(x, y, z) (x ^ y ^ z)
#define R4(x, y, z) (y ^ (x | ~z))
#define STEP(kind, a, b, c, d, k, s, t) a = rotate(a + kind(b, c, d) + w[AT(k)] + t, s) + b

__global__ void md5_direct(const unsigned *data, unsigned *digests)
{
    __shared__ unsigned shared[SHARED_WORDS];
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned *w = shared + (threadIdx.x >> 5) * 512 + (threadIdx.x & 31);
    const unsigned *chunk = data + thread * PIECE_WORDS;
#pragma unroll
    for (int i = 0; i < PIECE_WORDS; i++)
        w[AT(i)] = chunk[i];
    w[AT(13)] = 0x80;
    w[AT(14)] = PIECE_BITS;
    w[AT(15)] = 0;
    unsigned a = 0x67452301u, b = 0xefcdab89u, c = 0x98badcfeu, d = 0x10325476u;
    STEP(R1, a, b, c, d, 0, 7, 0xd76aa478u); STEP(R1, d, a, b, c, 1, 12, 0xe8c7b756u);
    STEP(R1, c, d, a, b, 2, 17, 0x242070dbu); STEP(R1, b, c, d, a, 3, 22, 0xc1bdceeeu);
    STEP(R1, a, b, c, d, 4, 7, 0xf57c0fafu); STEP(R1, d, a, b, c, 5, 12, 0x4787c62au);
    STEP(R1, c, d, a, b, 6, 17, 0xa8304613u); STEP(R1, b, c, d, a, 7, 22, 0xfd469501u);
    STEP(R1, a, b, c, d, 8, 7, 0x698098d8u); STEP(R1, d, a, b, c, 9, 12, 0x8b44f7afu);
    STEP(R1, c, d, a, b, 10, 17, 0xffff5bb1u); STEP(R1, b, c, d, a, 11, 22, 0x895cd7beu);
    STEP(R1, a, b, c, d, 12, 7, 0x6b901122u); STEP(R1, d, a, b, c, 13, 12, 0xfd987193u);
    STEP(R1, c, d, a, b, 14, 17, 0xa679438eu); STEP(R1, b, c, d, a, 15, 22, 0x49b40821u);
    STEP(R2, a, b, c, d, 1, 5, 0xf61e2562u); STEP(R2, d, a, b, c, 6, 9, 0xc040b340u);
    STEP(R2, c, d, a, b, 11, 14, 0x265e5a51u); STEP(R2, b, c, d, a, 0, 20, 0xe9b6c7aau);
    STEP(R2, a, b, c, d, 5, 5, 0xd62f105du); STEP(R2, d, a, b, c, 10, 9, 0x02441453u);
    STEP(R2, c, d, a, b, 15, 14, 0xd8a1e681u); STEP(R2, b, c, d, a, 4, 20, 0xe7d3fbc8u);
    STEP(R2, a, b, c, d, 9, 5, 0x21e1cde6u); STEP(R2, d, a, b, c, 14, 9, 0xc33707d6u);
    STEP(R2, c, d, a, b, 3, 14, 0xf4d50d87u); STEP(R2, b, c, d, a, 8, 20, 0x455a14edu);
    STEP(R2, a, b, c, d, 13, 5, 0xa9e3e905u); STEP(R2, d, a, b, c, 2, 9, 0xfcefa3f8u);
    STEP(R2, c, d, a, b, 7, 14, 0x676f02d9u); STEP(R2, b, c, d, a, 12, 20, 0x8d2a4c8au);
    STEP(R3, a, b, c, d, 5, 4, 0xfffa3942u); STEP(R3, d, a, b, c, 8, 11, 0x8771f681u);
    STEP(R3, c, d, a, b, 11, 16, 0x6d9d6122u); STEP(R3, b, c, d, a, 14, 23, 0xfde5380cu);
    STEP(R3, a, b, c, d, 1, 4, 0xa4beea44u); STEP(R3, d, a, b, c, 4, 11, 0x4bdecfa9u);
    STEP(R3, c, d, a, b, 7, 16, 0xf6bb4b60u); STEP(R3, b, c, d, a, 10, 23, 0xbebfbc70u);
    STEP(R3, a, b, c, d, 13, 4, 0x289b7ec6u); STEP(R3, d, a, b, c, 0, 11, 0xeaa127fau);
    STEP(R3, c, d, a, b, 3, 16, 0xd4ef3085u); STEP(R3, b, c, d, a, 6, 23, 0x04881d05u);
    STEP(R3, a, b, c, d, 9, 4, 0xd9d4d039u); STEP(R3, d, a, b, c, 12, 11, 0xe6db99e5u);
    STEP(R3, c, d, a, b, 15, 16, 0x1fa27cf8u); STEP(R3, b, c, d, a, 2, 23, 0xc4ac5665u);
    STEP(R4, a, b, c, d, 0, 6, 0xf4292244u); STEP(R4, d, a, b, c, 7, 10, 0x432aff97u);
    STEP(R4, c, d, a, b, 14, 15, 0xab9423a7u); STEP(R4, b, c, d, a, 5, 21, 0xfc93a039u);
    STEP(R4, a, b, c, d, 12, 6, 0x655b59c3u); STEP(R4, d, a, b, c, 3, 10, 0x8f0ccc92u);
    STEP(R4, c, d, a, b, 10, 15, 0xffeff47du); STEP(R4, b, c, d, a, 1, 21, 0x85845dd1u);
    STEP(R4, a, b, c, d, 8, 6, 0x6fa87e4fu); STEP(R4, d, a, b, c, 15, 10, 0xfe2ce6e0u);
    STEP(R4, c, d, a, b, 6, 15, 0xa3014314u); STEP(R4, b, c, d, a, 13, 21, 0x4e0811a1u);
    STEP(R4, a, b, c, d, 4, 6, 0xf7537e82u); STEP(R4, d, a, b, c, 11, 10, 0xbd3af235u);
    STEP(R4, c, d, a, b, 2, 15, 0x2ad7d2bbu); STEP(R4, b, c, d, a, 9, 21, 0xeb86d391u);
    unsigned *digest = digests + 4 * thread;
    digest[0] = 0x67452301u + a;
    digest[1] = 0xefcdab89u + b;
    digest[2] = 0x98badcfeu + c;
    digest[3] = 0x10325476u + d;
}

static unsigned turn(unsigned a, int left)
{
    return a << left | a >> (32 - left);
}

// RFC 1321 by its tables: constants from the sine, indices and shifts by their formulas.
static void host_md5_block(unsigned *state, const unsigned *words)
{
    static const int factor[4] = {1, 5, 3, 7}, offset[4] = {0, 1, 5, 0};
    static const int shifts[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
    static unsigned constants[64];
    if (constants[0] == 0)
        for (int i = 0; i < 64; i++)
            constants[i] = (unsigned)(fabs(sin(i + 1.0)) * 4294967296.0);
    unsigned a = state[0], b = state[1], c = state[2], d = state[3];
    for (int i = 0; i < 64; i++) {
        int kind = i / 16;
        unsigned f = kind == 0 ? (b & c) | (~b & d)
                   : kind == 1 ? (b & d) | (c & ~d)
                   : kind == 2 ? b ^ c ^ d : c ^ (b | ~d);
        f += a + constants[i] + words[(factor[kind] * i + offset[kind]) % 16];
        a = d;
        d = c;
        c = b;
        b += turn(f, shifts[kind][i % 4]);
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
}

// FIPS 180-4, all 80 words first.
static void host_sha1_block(unsigned *state, const unsigned *words)
{
    static const unsigned constants[4] = {0x5a827999u, 0x6ed9eba1u, 0x8f1bbcdcu, 0xca62c1d6u};
    unsigned w[80], v[5];
    for (int i = 0; i < 16; i++)
        w[i] = words[i] << 24 | (words[i] & 0xff00) << 8 | (words[i] >> 8 & 0xff00) | words[i] >> 24;
    for (int i = 16; i < 80; i++)
        w[i] = turn(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    memcpy(v, state, sizeof v);
    for (int i = 0; i < 80; i++) {
        unsigned f = i < 20 ? (v[1] & v[2]) | (~v[1] & v[3])
                   : i < 40 || i >= 60 ? v[1] ^ v[2] ^ v[3]
                   : (v[1] & v[2]) | (v[1] & v[3]) | (v[2] & v[3]);
        unsigned next = turn(v[0], 5) + f + v[4] + constants[i / 20] + w[i];
        v[4] = v[3];
        v[3] = v[2];
        v[2] = turn(v[1], 30);
        v[1] = v[0];
        v[0] = next;
    }
    for (int i = 0; i < 5; i++)
        state[i] += v[i];
}

// A piece with its padding, as one block of 16 words; `length_at` is where the length stands.
static void padded(const unsigned *piece, int length_at, unsigned length, unsigned *block)
{
    memset(block, 0, 16 * sizeof(unsigned));
    memcpy(block, piece, PIECE_WORDS * sizeof(unsigned));
    block[PIECE_WORDS] = 0x80;
    block[length_at] = length;
}

int main(int argc, char **argv)
{
    int blocks = argument(argc, argv, 1, 384);
    int threads = blocks * THREADS;

    // The published digests of the string "abc", so that the host's own version is right.
    static const unsigned start[5] = {0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u, 0xc3d2e1f0u};
    unsigned state[5], block[16] = {0x80636261u, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 24, 0};
    memcpy(state, start, sizeof state);
    host_md5_block(state, block);
    expect_int("MD5 of abc, first word", 0, 0x98500190u, state[0]);
    memcpy(state, start, sizeof state);
    block[14] = 0;
    block[15] = 24u << 24;
    host_sha1_block(state, block);
    expect_int("SHA-1 of abc, first word", 0, 0xa9993e36u, state[0]);

    int words = threads * PIECE_WORDS;
    unsigned *data = (unsigned *)malloc(words * sizeof(unsigned));
    for (int i = 0; i < words; i++)
        data[i] = random_bits();
    unsigned *device_data = to_device(data, words);
    unsigned *device_sha1 = device_zeros<unsigned>(threads), *device_md5 = device_zeros<unsigned>(4 * threads);
    sha1_sliding<<<blocks, THREADS>>>(device_data, device_sha1);
    CHECK(cudaGetLastError());
    md5_direct<<<blocks, THREADS>>>(device_data, device_md5);
    CHECK(cudaGetLastError());

    unsigned *sha1 = to_host(device_sha1, threads), *md5 = to_host(device_md5, 4 * threads);
    int stride = threads <= 128 ? 1 : threads / 61;
    for (int thread = 0; thread < threads; thread += stride) {
        memcpy(state, start, sizeof state);
        // SHA-1's length has its highest byte first.
        padded(data + thread, 15, (PIECE_BITS & 255u) << 24 | (PIECE_BITS >> 8) << 16, block);
        host_sha1_block(state, block);
        expect_int("SHA-1 of window", thread, state[0], sha1[thread]);
        memcpy(state, start, sizeof state);
        padded(data + thread * PIECE_WORDS, 14, PIECE_BITS, block);
        host_md5_block(state, block);
        for (int i = 0; i < 4; i++)
            expect_int("word of MD5 of chunk", thread, state[i], md5[4 * thread + i]);
    }
    CHECK(cudaFree(device_data));
    CHECK(cudaFree(device_sha1));
    CHECK(cudaFree(device_md5));
    free(data);
    free(sha1);
    free(md5);
    return verdict("storegpu_hash");
}
