// `packed`, `#pragma pack` and several alignments on one structure; what is printed is what g++ prints.
#include <cstdio>
#include <cstring>
#pragma pack(push, 4)
struct small { long long m : 5; } __attribute__((packed));
struct own { char c; int y; short x : 5 __attribute__((packed)); };
struct bytes { char c; signed char x : 5; } __attribute__((packed));
struct closed { int c : 3; long long : 0; int x : 5; } __attribute__((packed));
struct unnamed { char c; long long : 5; } __attribute__((packed));
union either { char c; long long x : 5; } __attribute__((packed));
#pragma pack(pop)
#pragma pack(push, 1)
struct alignas(8) less { int a; char b; } __attribute__((packed, aligned(2)));
struct __attribute__((aligned(2))) more { int a; char b; } __attribute__((packed)) __attribute__((aligned(8)));
#pragma pack(pop)
struct alignas(8) alignas(2) last { char c; };
struct member { char c; alignas(8) alignas(2) char d; };
#define SAY(T) printf(#T " %d %d\n", (int)sizeof(T), (int)alignof(T))
__global__ void kernel(own *at) { at->x = -7; at->y += at->x; }
int main()
{
    SAY(small); SAY(own); SAY(bytes); SAY(closed); SAY(unnamed); SAY(either);
    SAY(less); SAY(more); SAY(last); SAY(member);
    own h = {1, 100, 3}, *d;
    cudaMalloc(&d, sizeof(own));
    cudaMemcpy(d, &h, sizeof(own), cudaMemcpyHostToDevice);
    kernel<<<1, 1>>>(d);
    cudaMemcpy(&h, d, sizeof(own), cudaMemcpyDeviceToHost);
    printf("%d %d %d\n", h.c, h.y, h.x);
}

// out: small 4 4
// out: own 12 4
// out: bytes 2 1
// out: closed 12 4
// out: unnamed 2 1
// out: either 4 4
// out: less 6 2
// out: more 8 8
// out: last 2 2
// out: member 16 8
// out: 1 93 -7
