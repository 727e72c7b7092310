// Conversions in braces and in labels of cases that do not keep the value. What nvcc and its host compiler refuse is an error,
// of the rest they warn, and so do we.
#include <stdio.h>

enum colour { RED, BLUE = 300 };
struct pair { char c; float f; };
struct counted {
    int n;
    __host__ __device__ counted(unsigned char n) : n{n} {}
    __host__ __device__ counted(long l, double d) : n{l} {}
};
struct flags { unsigned low : 3; int high : 20; };
template <class T> __host__ __device__ T made(int n) { T made{n}; return made; }

char letters[] = {'a', 200, '\xff'}; //~ error
unsigned ones[2] = {1, -1}; //~ error
__constant__ float exact[] = {16777216, 16777217, 0.1, 1e300};
__device__ unsigned char bytes[] = {255, 256, -1};

__device__ int on_the_device(int n, double d, const flags &bits)
{
    char fits{127}, big{128}, from_bits{bits.low};
    float a{n}, b{2}, c{0.5}, e = {d};
    int i{2.0}, j{(int)2.5}, k(2.5);
    pair p{1, n}, q = {300, 1}, r[] = {{n, 1}, {1, d}};
    counted one{5}, two{n}, three(n), four{1, 2.0f};
    auto v = float3{n, 1, 1}, w = make_float3(n, 1, 1);
    return i + j + k + int{d} + made<char>(n);
}

int on_the_host(int n, double d, unsigned u, long l, bool b)
{
    const int known = 5;
    char fits{known}, big{300}, enumerated{BLUE}; //~ error
    int small{5u}, i{1.5}, large{3000000000u}, wide{l}, truth{b}; //~ error
    short colours[] = {RED, BLUE, 40000}; //~ error
    float exact{16777217}, near{0.1}, far{1e300}; //~ error
    unsigned negative{-1}; //~ error
    bool yes{1}, both{2}, tested{&n}; //~ error
    counted one{256}; //~ error
    pair p = {256, 2.5}; //~ error
    long widened{u}, longer{n};
    double rounded{l}, copied{0.5f};
    dim3 grid{n, 2}, block(n, 2);
    return char{1000}; //~ error
}

int result(double d) { return {d}; }

__host__ __device__ int labels(int n, unsigned u, char c, long l, bool b, colour k)
{
    switch (n) {
    case -1:
    case 'a':
    case 7u:
    case 1L << 30: return 1;
    case 3000000000u: return 2; //~ error
    case 1LL << 40: return 3; //~ error
    }
    switch (u) {
    case -1: return 1; //~ error
    case (unsigned)-2: return 2;
    case 0x1ffffffffLL: return 3; //~ error
    }
    switch (c) { // as an int
    case 300: return 4;
    }
    switch (l) {
    case 5u: return 1;
    case 0xffffffffffffffff: return 2; //~ error
    }
    switch (b) {
    case 2: return 3;
    }
    switch (k) {
    case RED:
    case BLUE: return 4;
    }
    return 0;
}
