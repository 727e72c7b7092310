// storegpu_hash: MD5 and SHA-1 of many chunks of data, one chunk for each thread.
//
// DAC's kind of program (a StoreGPU-like hash); our text of that paper stops before its list. Modelled on StoreGPU's
// direct hashing with shared memory (ISPASS-2009's STO).
//
// Characteristic: blocks of 128 threads that copy their threads' chunks to shared memory with contiguous loads, laid
// out so that each thread's words lie in a bank of its own (32 words apart); then some hundred integer operations
// for each 64 bytes, unrolled, on registers and shared memory; no divergence. Shared memory limits the blocks on an
// SM to two.
//
// usage: storegpu_hash [blocks [rounds]]; each thread hashes `rounds` parts of 128 bytes, which make up its chunk

#include "workload.h"

#define THREADS 128
#define PART_WORDS 32
// Words of two of MD5's and SHA-1's own blocks of 64 bytes.
#define BLOCK_WORDS 16

// Word `index` of this thread's part; threads of a warp never share a bank.
#define SHARED_AT(index) (32 * (PART_WORDS * (threadIdx.x >> 5) + (index)) + (threadIdx.x & 31))

__device__ static unsigned rotate(unsigned a, int left)
{
    return a << left | a >> (32 - left);
}

// The four kinds of steps of RFC 1321.
#define R1(x, y, z) (z ^ (x & (y ^ z)))
#define R2(x, y, z) (y ^ (z & (x ^ y)))
#define R3(x, y, z) (x ^ y ^ z)
#define R4(x, y, z) (y ^ (x | ~z))
#define STEP(kind, a, b, c, d, k, s, t) a = rotate(a + kind(b, c, d) + x[k] + t, s) + b

__device__ static void md5_block(unsigned *state, const unsigned *x)
{
    unsigned a = state[0], b = state[1], c = state[2], d = state[3];
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
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
}

// Twenty of SHA-1's 80 steps, with a window of 16 words instead of all 80 (FIPS 180-4).
#define CHOOSE (v[3] ^ (v[1] & (v[2] ^ v[3])))
#define PARITY (v[1] ^ v[2] ^ v[3])
#define MAJORITY ((v[1] & v[2]) | (v[3] & (v[1] | v[2])))
template <int first> __device__ static void sha1_steps(unsigned *v, unsigned *w)
{
#pragma unroll
    for (int t = first; t < first + 20; t++) {
        unsigned word = w[t & 15];
        if (t >= 16) {
            word = rotate(w[(t + 13) & 15] ^ w[(t + 8) & 15] ^ w[(t + 2) & 15] ^ word, 1);
            w[t & 15] = word;
        }
        unsigned mixed = first == 0 ? CHOOSE + 0x5a827999u : first == 20 ? PARITY + 0x6ed9eba1u
                       : first == 40 ? MAJORITY + 0x8f1bbcdcu : PARITY + 0xca62c1d6u;
        unsigned next = rotate(v[0], 5) + mixed + v[4] + word;
        v[4] = v[3];
        v[3] = v[2];
        v[2] = rotate(v[1], 30);
        v[1] = v[0];
        v[0] = next;
    }
}

__device__ static void sha1_block(unsigned *state, unsigned *w)
{
    unsigned v[5] = {state[0], state[1], state[2], state[3], state[4]};
    sha1_steps<0>(v, w);
    sha1_steps<20>(v, w);
    sha1_steps<40>(v, w);
    sha1_steps<60>(v, w);
#pragma unroll
    for (int i = 0; i < 5; i++)
        state[i] += v[i];
}

__device__ static unsigned swap_bytes(unsigned a)
{
    return __byte_perm(a, 0, 0x0123);
}

// One part of each thread's chunk, from global to shared memory: thread t of a warp moves word t of a chunk's part.
__device__ static void fetch_part(unsigned *shared, const unsigned *data, int round, int rounds)
{
    int lane = threadIdx.x & 31;
    int warp = threadIdx.x >> 5;
    int first = (blockIdx.x * THREADS + 32 * warp) * rounds + round;
    for (int owner = 0; owner < 32; owner++)
        shared[32 * (PART_WORDS * warp + ((lane + owner) & 31)) + owner]
            = data[(first + owner * rounds) * PART_WORDS + ((lane + owner) & 31)];
}

__global__ void md5(const unsigned *data, int rounds, unsigned *digests)
{
    __shared__ unsigned shared[THREADS * PART_WORDS];
    unsigned state[4] = {0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u};
    unsigned x[BLOCK_WORDS];
    for (int round = 0; round < rounds; round++) {
        fetch_part(shared, data, round, rounds);
        __syncthreads();
        for (int half = 0; half < PART_WORDS; half += BLOCK_WORDS) {
#pragma unroll
            for (int i = 0; i < BLOCK_WORDS; i++)
                x[i] = shared[SHARED_AT(half + i)];
            md5_block(state, x);
        }
        __syncthreads();
    }
    // The padding: a bit, zeros, the length in bits.
#pragma unroll
    for (int i = 0; i < BLOCK_WORDS; i++)
        x[i] = 0;
    x[0] = 0x80;
    x[14] = rounds * PART_WORDS * 32;
    md5_block(state, x);
    int thread = blockIdx.x * THREADS + threadIdx.x;
    for (int i = 0; i < 4; i++)
        digests[i * gridDim.x * THREADS + thread] = state[i];
}

__global__ void sha1(const unsigned *data, int rounds, unsigned *digests)
{
    __shared__ unsigned shared[THREADS * PART_WORDS];
    unsigned state[5] = {0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u, 0xc3d2e1f0u};
    unsigned w[BLOCK_WORDS];
    for (int round = 0; round < rounds; round++) {
        fetch_part(shared, data, round, rounds);
        __syncthreads();
        for (int half = 0; half < PART_WORDS; half += BLOCK_WORDS) {
            // SHA-1's words have their highest byte first.
#pragma unroll
            for (int i = 0; i < BLOCK_WORDS; i++)
                w[i] = swap_bytes(shared[SHARED_AT(half + i)]);
            sha1_block(state, w);
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < BLOCK_WORDS; i++)
        w[i] = 0;
    w[0] = 0x80000000u;
    w[15] = rounds * PART_WORDS * 32;
    sha1_block(state, w);
    int thread = blockIdx.x * THREADS + threadIdx.x;
    for (int i = 0; i < 5; i++)
        digests[i * gridDim.x * THREADS + thread] = state[i];
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

// The digest of `count` words (a multiple of 16): `words` 5 for SHA-1, 4 for MD5.
static void host_digest(const unsigned *data, int count, int words, unsigned *state)
{
    static const unsigned start[5] = {0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u, 0xc3d2e1f0u};
    unsigned last[16];
    memset(last, 0, sizeof last);
    last[0] = 0x80;
    unsigned bits = count * 32;
    if (words == 4)
        last[14] = bits;
    else
        last[15] = bits << 24 | (bits & 0xff00) << 8 | (bits >> 8 & 0xff00) | bits >> 24;
    memcpy(state, start, words * sizeof(unsigned));
    for (int at = 0; at <= count; at += 16)
        if (words == 4)
            host_md5_block(state, at < count ? data + at : last);
        else
            host_sha1_block(state, at < count ? data + at : last);
}

int main(int argc, char **argv)
{
    int blocks = argument(argc, argv, 1, 96);
    int rounds = argument(argc, argv, 2, 1);
    int threads = blocks * THREADS, chunk = rounds * PART_WORDS;

    // The published digests of the string "abc", so that the host's own version is right.
    unsigned state[5] = {0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u, 0xc3d2e1f0u};
    unsigned abc[16] = {0x80636261u, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 24, 0};
    host_md5_block(state, abc);
    expect_int("MD5 of abc, first word", 0, 0x98500190u, state[0]);
    unsigned other[5] = {0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u, 0xc3d2e1f0u};
    abc[14] = 0;
    abc[15] = 24u << 24;
    host_sha1_block(other, abc);
    expect_int("SHA-1 of abc, first word", 0, 0xa9993e36u, other[0]);

    unsigned *data = (unsigned *)malloc(threads * chunk * sizeof(unsigned));
    for (int i = 0; i < threads * chunk; i++)
        data[i] = random_bits();
    unsigned *device_data = to_device(data, threads * chunk);
    unsigned *device_md5 = device_zeros<unsigned>(threads * 4), *device_sha1 = device_zeros<unsigned>(threads * 5);
    md5<<<blocks, THREADS>>>(device_data, rounds, device_md5);
    CHECK(cudaGetLastError());
    sha1<<<blocks, THREADS>>>(device_data, rounds, device_sha1);
    CHECK(cudaGetLastError());

    unsigned *found_md5 = to_host(device_md5, threads * 4), *found_sha1 = to_host(device_sha1, threads * 5);
    int stride = threads <= 128 ? 1 : threads / 61;
    for (int thread = 0; thread < threads; thread += stride) {
        // One of the two for each sampled chunk, in turns.
        if (thread / stride % 2 == 0) {
            host_digest(data + thread * chunk, chunk, 4, state);
            for (int i = 0; i < 4; i++)
                expect_int("word of MD5 of chunk", thread, state[i], found_md5[i * threads + thread]);
        } else {
            host_digest(data + thread * chunk, chunk, 5, state);
            for (int i = 0; i < 5; i++)
                expect_int("word of SHA-1 of chunk", thread, state[i], found_sha1[i * threads + thread]);
        }
    }
    CHECK(cudaFree(device_data));
    CHECK(cudaFree(device_md5));
    CHECK(cudaFree(device_sha1));
    free(data);
    free(found_md5);
    free(found_sha1);
    return verdict("storegpu_hash");
}
