// Layouts of structures of many kinds: sizes, alignments, offsets, and the bytes of bit-fields as g++ has them.
#include <stdio.h>
#include <string.h>
#include <stddef.h>
enum kind { ROW, COLUMN, BOTH, NONE };
struct s0 { unsigned short m0 : 12; double m1; unsigned short m2[1]; short m3 __attribute__((packed)); unsigned m4 : 17; };
struct s1 { alignas(4) unsigned m0; alignas(2) char m1; short m2; unsigned long m3 : 27; bool : 0; unsigned long m5 : 61; };
struct s2 { int m0; int m1 : 4; char m2; alignas(16) int m3; };
struct __attribute__((packed)) s3 { short m0 : 8; unsigned short m1 : 3; };
#pragma pack(push, 2)
struct s4 { unsigned char m0[2]; int m1; int m2 : 7; unsigned short m3[2]; int m4 : 2; };
#pragma pack(pop)
struct s5 { long m0 : 3; unsigned char m1[2]; long long m2 : 51; };
struct s6 { short m0 : 2; bool m1[2]; char m2; unsigned m3 : 6; unsigned short m4 : 13; unsigned long m5[3]; };
struct s7 { bool m0[2]; long m1 : 51; unsigned : 0; } __attribute__((packed, aligned(4)));
struct s8 { int m0; double m1[3]; unsigned m2[1]; };
union s9 { unsigned long m0 : 30; short m1 : 10; signed char m2 : 2; long long m3 : 23; unsigned long m4 : 18; } __attribute__((packed, aligned(4)));
struct __attribute__((packed)) s10 { alignas(8) void * m0; int : 0; };
union s11 { long m0 : 39; };
union s12 { char m0; short m1 : 1; unsigned m2; alignas(16) double m3; unsigned long m4 : 34; unsigned long m5 : 54; int m6 : 6; };
struct __attribute__((packed)) s13 { int m0; int m1 : 9; long m2 : 37; signed char m3 : 7; int m4 : 9; alignas(16) bool m5; };
struct s14 { unsigned m0 : 10; long long m1 : 41; unsigned short m2; alignas(4) unsigned m3; };
struct s15 { short m0 : 14; long m1[3]; unsigned short m2; alignas(8) long m3; int m4[1]; int m5; } __attribute__((packed, aligned(8)));
struct s16 { signed char : 0; long : 42; unsigned short m2 : 10; long long m3 : 19; };
struct s17 { bool m0; short m1 : 7; unsigned m2 : 25; unsigned m3 : 14; long long m4 : 8; unsigned m5; } __attribute__((aligned(8)));
struct __attribute__((packed)) s18 { unsigned char m0 __attribute__((packed)); short m1; int m2 : 13; unsigned m3; };
struct __attribute__((packed)) s19 { bool m0; long long m1 : 62; signed char m2; };
#pragma pack(push, 1)
union s20 { bool m0 : 1; short m1 : 11; alignas(8) void * m2; long m3 : 13; alignas(8) long m4; alignas(8) unsigned char m5; long m6 : 17; };
#pragma pack(pop)
struct __attribute__((packed)) s21 { signed char m0 : 5; unsigned long m1; unsigned m2 : 17; };
struct __attribute__((packed)) s22 { unsigned long m0[3]; double m1 __attribute__((packed)); unsigned short m2 : 12; alignas(16) bool m3; int m4 : 24; long m5 : 47; };
union s23 { unsigned char : 7; char last; };
struct s24 { signed char : 8; long m1 : 7; char m2; alignas(1) signed char m3; short m4 : 10; long long m5 : 43; } __attribute__((aligned(16)));
struct s25 { unsigned long m0; };
struct __attribute__((packed)) s26 { long m0 : 12; long long m1 : 16; float m2[1]; signed char m3; float m4; unsigned char m5 : 4; bool m6; };
struct s27 { long m0; unsigned m1[3]; short m2 : 13; short m3; };
struct __attribute__((packed)) s28 { int m0 : 14; bool m1; short m2[2]; unsigned m3 : 4; char : 0; int m5 : 28; };
struct s29 { bool m0 : 1; double m1; bool m2[3]; bool m3 __attribute__((packed)); long long m4 : 41; long long m5; long : 15; };
struct s30 { long long m0; char m1 : 3; };
struct s31 { unsigned char m0 : 1; alignas(4) int m1; unsigned m2 : 24; };
struct __attribute__((packed)) s32 { short m0 : 16; };
struct __attribute__((packed)) s33 { long m0 : 34; unsigned short m1 : 6; signed char m2 : 1; short m3; int m4 : 15; };
struct s34 { alignas(8) long long m0; char m1 : 8; unsigned long m2 : 60; char m3; signed char m4 : 3; };
struct s35 { unsigned short m0 : 6; };
union s36 { int m0; long long m1 : 59; bool m2 : 1; unsigned char m3 : 7; alignas(16) long m4; char : 6; };
struct s37 { alignas(1) bool m0; long long m1 : 15; signed char m2 __attribute__((packed)); int m3; long long m4 : 61; long m5 : 61; };
#pragma pack(push, 4)
struct s38 { short m0 : 7; unsigned m1; long m2[2]; unsigned long m3[1]; };
#pragma pack(pop)
struct s39 { signed char m0 : 8; bool : 0; unsigned m2; alignas(4) int m3; char m4 : 8; float m5; unsigned short m6; };
#pragma pack(push, 1)
struct s40 { short m0 : 1; void * m1; bool m2 : 1; long long m3 : 29; long long m4 __attribute__((packed)); unsigned short m5; };
#pragma pack(pop)
struct __attribute__((packed)) s41 { bool m0 : 1; };
union s42 { unsigned char m0[3]; int m1 : 6; };
struct s43 { unsigned short m0[3]; unsigned long m1; unsigned m2 : 7; };
union __attribute__((packed)) s44 { unsigned short m0 __attribute__((packed)); alignas(16) unsigned long m1; unsigned long m2[3]; unsigned char : 0; unsigned char m4; long long : 40; };
union s45 { int m0; unsigned short m1[2]; };
struct s46 { alignas(16) long m0; float m1; bool m2 : 1; unsigned long m3 : 1; } __attribute__((packed, aligned(2)));
struct s47 { int m0 : 13; };
#pragma pack(push, 2)
struct s48 { signed char m0 : 5; short m1; };
#pragma pack(pop)
#pragma pack(push, 4)
struct s49 { signed char m0 : 2; float m1 __attribute__((packed)); unsigned m2[2]; unsigned long m3[3]; alignas(4) short m4; };
#pragma pack(pop)
#pragma pack(push, 4)
struct s50 { unsigned m0 : 22; short m1; };
#pragma pack(pop)
struct __attribute__((packed)) s51 { unsigned long m0 : 52; short m1 __attribute__((packed)); unsigned short m2 : 14; unsigned long m3 : 62; };
#pragma pack(push, 4)
struct s52 { signed char m0 : 2; bool m1 : 1; unsigned long m2 : 19; short m3 : 12; bool : 1; unsigned short m5; };
#pragma pack(pop)
struct s53 { int m0 : 10; char m1 : 3; char m2; };
union __attribute__((packed)) s54 { unsigned char m0 : 6; alignas(8) char m1; bool m2 : 1; alignas(4) float m3; long long m4 : 11; char m5[2]; long long : 0; };
#pragma pack(push, 4)
struct s55 { long long m0 : 19; short m1 : 11; char m2; alignas(8) long long m3; unsigned char m4 : 7; double m5[3]; };
#pragma pack(pop)
struct s56 { long long m0 : 63; float m1; };
struct s57 { unsigned char m0 : 3; alignas(4) unsigned m1; };
struct __attribute__((packed)) s58 { bool m0 : 1; unsigned short m1; char m2 : 4; char m3 __attribute__((packed)); unsigned char m4; void * m5; };
struct s59 { char m0 : 5; unsigned short m1; bool m2 : 1; } __attribute__((packed, aligned(8)));
struct s60 { unsigned long m0; char m1 : 5; alignas(8) float m2; unsigned char m3 : 1; char m4 : 8; unsigned long m5 : 49; };
struct s61 { unsigned long m0 __attribute__((packed)); } __attribute__((packed, aligned(2)));
struct s62 { unsigned short m0[2]; int m1 : 32; char m2; unsigned short m3; alignas(16) unsigned m4; };
struct s63 { unsigned long m0; unsigned : 21; signed char m2 : 2; };
void show(const void *v, size_t n) { unsigned char b[256]; memcpy(b, v, n); printf(" "); for (size_t i = 0; i < n; i++) printf("%02x", b[i]); }
int main()
{
    { s0 v; memset(&v, 0, sizeof v); printf("s0 %d %d", (int)sizeof(s0), (int)alignof(s0)); printf(" %d", (int)offsetof(s0, m1)); printf(" %d", (int)offsetof(s0, m2)); printf(" %d", (int)offsetof(s0, m3)); printf("\n");
      v.m0 = (unsigned short)-1; show(&v, sizeof v); v.m0 = (unsigned short)(v.m0 * 5 + 1); printf(" %lld", (long long)v.m0); show(&v, sizeof v); v.m0 = 0; printf("\n");
      v.m4 = (unsigned)-1; show(&v, sizeof v); v.m4 = (unsigned)(v.m4 * 5 + 1); printf(" %lld", (long long)v.m4); show(&v, sizeof v); v.m4 = 0; printf("\n"); }
    { s1 v; memset(&v, 0, sizeof v); printf("s1 %d %d", (int)sizeof(s1), (int)alignof(s1)); printf(" %d", (int)offsetof(s1, m0)); printf(" %d", (int)offsetof(s1, m1)); printf(" %d", (int)offsetof(s1, m2)); printf("\n");
      v.m3 = (unsigned long)-1; show(&v, sizeof v); v.m3 = (unsigned long)(v.m3 * 5 + 1); printf(" %lld", (long long)v.m3); show(&v, sizeof v); v.m3 = 0; printf("\n");
      v.m5 = (unsigned long)-1; show(&v, sizeof v); v.m5 = (unsigned long)(v.m5 * 5 + 1); printf(" %lld", (long long)v.m5); show(&v, sizeof v); v.m5 = 0; printf("\n"); }
    { s2 v; memset(&v, 0, sizeof v); printf("s2 %d %d", (int)sizeof(s2), (int)alignof(s2)); printf(" %d", (int)offsetof(s2, m0)); printf(" %d", (int)offsetof(s2, m2)); printf(" %d", (int)offsetof(s2, m3)); printf("\n");
      v.m1 = (int)-1; show(&v, sizeof v); v.m1 = (int)(v.m1 * 5 + 1); printf(" %lld", (long long)v.m1); show(&v, sizeof v); v.m1 = 0; printf("\n"); }
    { s3 v; memset(&v, 0, sizeof v); printf("s3 %d %d", (int)sizeof(s3), (int)alignof(s3)); printf("\n");
      v.m0 = (short)-1; show(&v, sizeof v); v.m0 = (short)(v.m0 * 5 + 1); printf(" %lld", (long long)v.m0); show(&v, sizeof v); v.m0 = 0; printf("\n");
      v.m1 = (unsigned short)-1; show(&v, sizeof v); v.m1 = (unsigned short)(v.m1 * 5 + 1); printf(" %lld", (long long)v.m1); show(&v, sizeof v); v.m1 = 0; printf("\n"); }
    { s4 v; memset(&v, 0, sizeof v); printf("s4 %d %d", (int)sizeof(s4), (int)alignof(s4)); printf(" %d", (int)offsetof(s4, m0)); printf(" %d", (int)offsetof(s4, m1)); printf(" %d", (int)offsetof(s4, m3)); printf("\n");
      v.m2 = (int)-1; show(&v, sizeof v); v.m2 = (int)(v.m2 * 5 + 1); printf(" %lld", (long long)v.m2); show(&v, sizeof v); v.m2 = 0; printf("\n");
      v.m4 = (int)-1; show(&v, sizeof v); v.m4 = (int)(v.m4 * 5 + 1); printf(" %lld", (long long)v.m4); show(&v, sizeof v); v.m4 = 0; printf("\n"); }
    { s5 v; memset(&v, 0, sizeof v); printf("s5 %d %d", (int)sizeof(s5), (int)alignof(s5)); printf(" %d", (int)offsetof(s5, m1)); printf("\n");
      v.m0 = (long)-1; show(&v, sizeof v); v.m0 = (long)(v.m0 * 5 + 1); printf(" %lld", (long long)v.m0); show(&v, sizeof v); v.m0 = 0; printf("\n");
      v.m2 = (long long)-1; show(&v, sizeof v); v.m2 = (long long)(v.m2 * 5 + 1); printf(" %lld", (long long)v.m2); show(&v, sizeof v); v.m2 = 0; printf("\n"); }
    { s6 v; memset(&v, 0, sizeof v); printf("s6 %d %d", (int)sizeof(s6), (int)alignof(s6)); printf(" %d", (int)offsetof(s6, m1)); printf(" %d", (int)offsetof(s6, m2)); printf(" %d", (int)offsetof(s6, m5)); printf("\n");
      v.m0 = (short)-1; show(&v, sizeof v); v.m0 = (short)(v.m0 * 5 + 1); printf(" %lld", (long long)v.m0); show(&v, sizeof v); v.m0 = 0; printf("\n");
      v.m3 = (unsigned)-1; show(&v, sizeof v); v.m3 = (unsigned)(v.m3 * 5 + 1); printf(" %lld", (long long)v.m3); show(&v, sizeof v); v.m3 = 0; printf("\n");
      v.m4 = (unsigned short)-1; show(&v, sizeof v); v.m4 = (unsigned short)(v.m4 * 5 + 1); printf(" %lld", (long long)v.m4); show(&v, sizeof v); v.m4 = 0; printf("\n"); }
    { s7 v; memset(&v, 0, sizeof v); printf("s7 %d %d", (int)sizeof(s7), (int)alignof(s7)); printf(" %d", (int)offsetof(s7, m0)); printf("\n");
      v.m1 = (long)-1; show(&v, sizeof v); v.m1 = (long)(v.m1 * 5 + 1); printf(" %lld", (long long)v.m1); show(&v, sizeof v); v.m1 = 0; printf("\n"); }
    { s8 v; memset(&v, 0, sizeof v); printf("s8 %d %d", (int)sizeof(s8), (int)alignof(s8)); printf(" %d", (int)offsetof(s8, m0)); printf(" %d", (int)offsetof(s8, m1)); printf(" %d", (int)offsetof(s8, m2)); printf("\n"); }
    { s9 v; memset(&v, 0, sizeof v); printf("s9 %d %d", (int)sizeof(s9), (int)alignof(s9)); printf("\n");
      v.m0 = (unsigned long)-1; show(&v, sizeof v); v.m0 = (unsigned long)(v.m0 * 5 + 1); printf(" %lld", (long long)v.m0); show(&v, sizeof v); v.m0 = 0; printf("\n");
      v.m1 = (short)-1; show(&v, sizeof v); v.m1 = (short)(v.m1 * 5 + 1); printf(" %lld", (long long)v.m1); show(&v, sizeof v); v.m1 = 0; printf("\n");
      v.m2 = (signed char)-1; show(&v, sizeof v); v.m2 = (signed char)(v.m2 * 5 + 1); printf(" %lld", (long long)v.m2); show(&v, sizeof v); v.m2 = 0; printf("\n");
      v.m3 = (long long)-1; show(&v, sizeof v); v.m3 = (long long)(v.m3 * 5 + 1); printf(" %lld", (long long)v.m3); show(&v, sizeof v); v.m3 = 0; printf("\n");
      v.m4 = (unsigned long)-1; show(&v, sizeof v); v.m4 = (unsigned long)(v.m4 * 5 + 1); printf(" %lld", (long long)v.m4); show(&v, sizeof v); v.m4 = 0; printf("\n"); }
    { s10 v; memset(&v, 0, sizeof v); printf("s10 %d %d", (int)sizeof(s10), (int)alignof(s10)); printf(" %d", (int)offsetof(s10, m0)); printf("\n"); }
    { s11 v; memset(&v, 0, sizeof v); printf("s11 %d %d", (int)sizeof(s11), (int)alignof(s11)); printf("\n");
      v.m0 = (long)-1; show(&v, sizeof v); v.m0 = (long)(v.m0 * 5 + 1); printf(" %lld", (long long)v.m0); show(&v, sizeof v); v.m0 = 0; printf("\n"); }
    { s12 v; memset(&v, 0, sizeof v); printf("s12 %d %d", (int)sizeof(s12), (int)alignof(s12)); printf(" %d", (int)offsetof(s12, m0)); printf(" %d", (int)offsetof(s12, m2)); printf(" %d", (int)offsetof(s12, m3)); printf("\n");
      v.m1 = (short)-1; show(&v, sizeof v); v.m1 = (short)(v.m1 * 5 + 1); printf(" %lld", (long long)v.m1); show(&v, sizeof v); v.m1 = 0; printf("\n");
      v.m4 = (unsigned long)-1; show(&v, sizeof v); v.m4 = (unsigned long)(v.m4 * 5 + 1); printf(" %lld", (long long)v.m4); show(&v, sizeof v); v.m4 = 0; printf("\n");
      v.m5 = (unsigned long)-1; show(&v, sizeof v); v.m5 = (unsigned long)(v.m5 * 5 + 1); printf(" %lld", (long long)v.m5); show(&v, sizeof v); v.m5 = 0; printf("\n");
      v.m6 = (int)-1; show(&v, sizeof v); v.m6 = (int)(v.m6 * 5 + 1); printf(" %lld", (long long)v.m6); show(&v, sizeof v); v.m6 = 0; printf("\n"); }
    { s13 v; memset(&v, 0, sizeof v); printf("s13 %d %d", (int)sizeof(s13), (int)alignof(s13)); printf(" %d", (int)offsetof(s13, m0)); printf(" %d", (int)offsetof(s13, m5)); printf("\n");
      v.m1 = (int)-1; show(&v, sizeof v); v.m1 = (int)(v.m1 * 5 + 1); printf(" %lld", (long long)v.m1); show(&v, sizeof v); v.m1 = 0; printf("\n");
      v.m2 = (long)-1; show(&v, sizeof v); v.m2 = (long)(v.m2 * 5 + 1); printf(" %lld", (long long)v.m2); show(&v, sizeof v); v.m2 = 0; printf("\n");
      v.m3 = (signed char)-1; show(&v, sizeof v); v.m3 = (signed char)(v.m3 * 5 + 1); printf(" %lld", (long long)v.m3); show(&v, sizeof v); v.m3 = 0; printf("\n");
      v.m4 = (int)-1; show(&v, sizeof v); v.m4 = (int)(v.m4 * 5 + 1); printf(" %lld", (long long)v.m4); show(&v, sizeof v); v.m4 = 0; printf("\n"); }
    { s14 v; memset(&v, 0, sizeof v); printf("s14 %d %d", (int)sizeof(s14), (int)alignof(s14)); printf(" %d", (int)offsetof(s14, m2)); printf(" %d", (int)offsetof(s14, m3)); printf("\n");
      v.m0 = (unsigned)-1; show(&v, sizeof v); v.m0 = (unsigned)(v.m0 * 5 + 1); printf(" %lld", (long long)v.m0); show(&v, sizeof v); v.m0 = 0; printf("\n");
      v.m1 = (long long)-1; show(&v, sizeof v); v.m1 = (long long)(v.m1 * 5 + 1); printf(" %lld", (long long)v.m1); show(&v, sizeof v); v.m1 = 0; printf("\n"); }
    { s15 v; memset(&v, 0, sizeof v); printf("s15 %d %d", (int)sizeof(s15), (int)alignof(s15)); printf(" %d", (int)offsetof(s15, m1)); printf(" %d", (int)offsetof(s15, m2)); printf(" %d", (int)offsetof(s15, m3)); printf(" %d", (int)offsetof(s15, m4)); printf(" %d", (int)offsetof(s15, m5)); printf("\n");
      v.m0 = (short)-1; show(&v, sizeof v); v.m0 = (short)(v.m0 * 5 + 1); printf(" %lld", (long long)v.m0); show(&v, sizeof v); v.m0 = 0; printf("\n"); }
    { s16 v; memset(&v, 0, sizeof v); printf("s16 %d %d", (int)sizeof(s16), (int)alignof(s16)); printf("\n");
      v.m2 = (unsigned short)-1; show(&v, sizeof v); v.m2 = (unsigned short)(v.m2 * 5 + 1); printf(" %lld", (long long)v.m2); show(&v, sizeof v); v.m2 = 0; printf("\n");
      v.m3 = (long long)-1; show(&v, sizeof v); v.m3 = (long long)(v.m3 * 5 + 1); printf(" %lld", (long long)v.m3); show(&v, sizeof v); v.m3 = 0; printf("\n"); }
    { s17 v; memset(&v, 0, sizeof v); printf("s17 %d %d", (int)sizeof(s17), (int)alignof(s17)); printf(" %d", (int)offsetof(s17, m0)); printf(" %d", (int)offsetof(s17, m5)); printf("\n");
      v.m1 = (short)-1; show(&v, sizeof v); v.m1 = (short)(v.m1 * 5 + 1); printf(" %lld", (long long)v.m1); show(&v, sizeof v); v.m1 = 0; printf("\n");
      v.m2 = (unsigned)-1; show(&v, sizeof v); v.m2 = (unsigned)(v.m2 * 5 + 1); printf(" %lld", (long long)v.m2); show(&v, sizeof v); v.m2 = 0; printf("\n");
      v.m3 = (unsigned)-1; show(&v, sizeof v); v.m3 = (unsigned)(v.m3 * 5 + 1); printf(" %lld", (long long)v.m3); show(&v, sizeof v); v.m3 = 0; printf("\n");
      v.m4 = (long long)-1; show(&v, sizeof v); v.m4 = (long long)(v.m4 * 5 + 1); printf(" %lld", (long long)v.m4); show(&v, sizeof v); v.m4 = 0; printf("\n"); }
    { s18 v; memset(&v, 0, sizeof v); printf("s18 %d %d", (int)sizeof(s18), (int)alignof(s18)); printf(" %d", (int)offsetof(s18, m0)); printf(" %d", (int)offsetof(s18, m1)); printf(" %d", (int)offsetof(s18, m3)); printf("\n");
      v.m2 = (int)-1; show(&v, sizeof v); v.m2 = (int)(v.m2 * 5 + 1); printf(" %lld", (long long)v.m2); show(&v, sizeof v); v.m2 = 0; printf("\n"); }
    { s19 v; memset(&v, 0, sizeof v); printf("s19 %d %d", (int)sizeof(s19), (int)alignof(s19)); printf(" %d", (int)offsetof(s19, m0)); printf(" %d", (int)offsetof(s19, m2)); printf("\n");
      v.m1 = (long long)-1; show(&v, sizeof v); v.m1 = (long long)(v.m1 * 5 + 1); printf(" %lld", (long long)v.m1); show(&v, sizeof v); v.m1 = 0; printf("\n"); }
    { s20 v; memset(&v, 0, sizeof v); printf("s20 %d %d", (int)sizeof(s20), (int)alignof(s20)); printf(" %d", (int)offsetof(s20, m2)); printf(" %d", (int)offsetof(s20, m4)); printf(" %d", (int)offsetof(s20, m5)); printf("\n");
      v.m0 = (bool)-1; show(&v, sizeof v); v.m0 = (bool)(v.m0 ^ 1); printf(" %lld", (long long)v.m0); show(&v, sizeof v); v.m0 = 0; printf("\n");
      v.m1 = (short)-1; show(&v, sizeof v); v.m1 = (short)(v.m1 * 5 + 1); printf(" %lld", (long long)v.m1); show(&v, sizeof v); v.m1 = 0; printf("\n");
      v.m3 = (long)-1; show(&v, sizeof v); v.m3 = (long)(v.m3 * 5 + 1); printf(" %lld", (long long)v.m3); show(&v, sizeof v); v.m3 = 0; printf("\n");
      v.m6 = (long)-1; show(&v, sizeof v); v.m6 = (long)(v.m6 * 5 + 1); printf(" %lld", (long long)v.m6); show(&v, sizeof v); v.m6 = 0; printf("\n"); }
    { s21 v; memset(&v, 0, sizeof v); printf("s21 %d %d", (int)sizeof(s21), (int)alignof(s21)); printf(" %d", (int)offsetof(s21, m1)); printf("\n");
      v.m0 = (signed char)-1; show(&v, sizeof v); v.m0 = (signed char)(v.m0 * 5 + 1); printf(" %lld", (long long)v.m0); show(&v, sizeof v); v.m0 = 0; printf("\n");
      v.m2 = (unsigned)-1; show(&v, sizeof v); v.m2 = (unsigned)(v.m2 * 5 + 1); printf(" %lld", (long long)v.m2); show(&v, sizeof v); v.m2 = 0; printf("\n"); }
    { s22 v; memset(&v, 0, sizeof v); printf("s22 %d %d", (int)sizeof(s22), (int)alignof(s22)); printf(" %d", (int)offsetof(s22, m0)); printf(" %d", (int)offsetof(s22, m1)); printf(" %d", (int)offsetof(s22, m3)); printf("\n");
      v.m2 = (unsigned short)-1; show(&v, sizeof v); v.m2 = (unsigned short)(v.m2 * 5 + 1); printf(" %lld", (long long)v.m2); show(&v, sizeof v); v.m2 = 0; printf("\n");
      v.m4 = (int)-1; show(&v, sizeof v); v.m4 = (int)(v.m4 * 5 + 1); printf(" %lld", (long long)v.m4); show(&v, sizeof v); v.m4 = 0; printf("\n");
      v.m5 = (long)-1; show(&v, sizeof v); v.m5 = (long)(v.m5 * 5 + 1); printf(" %lld", (long long)v.m5); show(&v, sizeof v); v.m5 = 0; printf("\n"); }
    { s23 v; memset(&v, 0, sizeof v); printf("s23 %d %d", (int)sizeof(s23), (int)alignof(s23)); printf(" %d", (int)offsetof(s23, last)); printf("\n"); }
    { s24 v; memset(&v, 0, sizeof v); printf("s24 %d %d", (int)sizeof(s24), (int)alignof(s24)); printf(" %d", (int)offsetof(s24, m2)); printf(" %d", (int)offsetof(s24, m3)); printf("\n");
      v.m1 = (long)-1; show(&v, sizeof v); v.m1 = (long)(v.m1 * 5 + 1); printf(" %lld", (long long)v.m1); show(&v, sizeof v); v.m1 = 0; printf("\n");
      v.m4 = (short)-1; show(&v, sizeof v); v.m4 = (short)(v.m4 * 5 + 1); printf(" %lld", (long long)v.m4); show(&v, sizeof v); v.m4 = 0; printf("\n");
      v.m5 = (long long)-1; show(&v, sizeof v); v.m5 = (long long)(v.m5 * 5 + 1); printf(" %lld", (long long)v.m5); show(&v, sizeof v); v.m5 = 0; printf("\n"); }
    { s25 v; memset(&v, 0, sizeof v); printf("s25 %d %d", (int)sizeof(s25), (int)alignof(s25)); printf(" %d", (int)offsetof(s25, m0)); printf("\n"); }
    { s26 v; memset(&v, 0, sizeof v); printf("s26 %d %d", (int)sizeof(s26), (int)alignof(s26)); printf(" %d", (int)offsetof(s26, m2)); printf(" %d", (int)offsetof(s26, m3)); printf(" %d", (int)offsetof(s26, m4)); printf(" %d", (int)offsetof(s26, m6)); printf("\n");
      v.m0 = (long)-1; show(&v, sizeof v); v.m0 = (long)(v.m0 * 5 + 1); printf(" %lld", (long long)v.m0); show(&v, sizeof v); v.m0 = 0; printf("\n");
      v.m1 = (long long)-1; show(&v, sizeof v); v.m1 = (long long)(v.m1 * 5 + 1); printf(" %lld", (long long)v.m1); show(&v, sizeof v); v.m1 = 0; printf("\n");
      v.m5 = (unsigned char)-1; show(&v, sizeof v); v.m5 = (unsigned char)(v.m5 * 5 + 1); printf(" %lld", (long long)v.m5); show(&v, sizeof v); v.m5 = 0; printf("\n"); }
    { s27 v; memset(&v, 0, sizeof v); printf("s27 %d %d", (int)sizeof(s27), (int)alignof(s27)); printf(" %d", (int)offsetof(s27, m0)); printf(" %d", (int)offsetof(s27, m1)); printf(" %d", (int)offsetof(s27, m3)); printf("\n");
      v.m2 = (short)-1; show(&v, sizeof v); v.m2 = (short)(v.m2 * 5 + 1); printf(" %lld", (long long)v.m2); show(&v, sizeof v); v.m2 = 0; printf("\n"); }
    { s28 v; memset(&v, 0, sizeof v); printf("s28 %d %d", (int)sizeof(s28), (int)alignof(s28)); printf(" %d", (int)offsetof(s28, m1)); printf(" %d", (int)offsetof(s28, m2)); printf("\n");
      v.m0 = (int)-1; show(&v, sizeof v); v.m0 = (int)(v.m0 * 5 + 1); printf(" %lld", (long long)v.m0); show(&v, sizeof v); v.m0 = 0; printf("\n");
      v.m3 = (unsigned)-1; show(&v, sizeof v); v.m3 = (unsigned)(v.m3 * 5 + 1); printf(" %lld", (long long)v.m3); show(&v, sizeof v); v.m3 = 0; printf("\n");
      v.m5 = (int)-1; show(&v, sizeof v); v.m5 = (int)(v.m5 * 5 + 1); printf(" %lld", (long long)v.m5); show(&v, sizeof v); v.m5 = 0; printf("\n"); }
    { s29 v; memset(&v, 0, sizeof v); printf("s29 %d %d", (int)sizeof(s29), (int)alignof(s29)); printf(" %d", (int)offsetof(s29, m1)); printf(" %d", (int)offsetof(s29, m2)); printf(" %d", (int)offsetof(s29, m3)); printf(" %d", (int)offsetof(s29, m5)); printf("\n");
      v.m0 = (bool)-1; show(&v, sizeof v); v.m0 = (bool)(v.m0 ^ 1); printf(" %lld", (long long)v.m0); show(&v, sizeof v); v.m0 = 0; printf("\n");
      v.m4 = (long long)-1; show(&v, sizeof v); v.m4 = (long long)(v.m4 * 5 + 1); printf(" %lld", (long long)v.m4); show(&v, sizeof v); v.m4 = 0; printf("\n"); }
    { s30 v; memset(&v, 0, sizeof v); printf("s30 %d %d", (int)sizeof(s30), (int)alignof(s30)); printf(" %d", (int)offsetof(s30, m0)); printf("\n");
      v.m1 = (char)-1; show(&v, sizeof v); v.m1 = (char)(v.m1 * 5 + 1); printf(" %lld", (long long)v.m1); show(&v, sizeof v); v.m1 = 0; printf("\n"); }
    { s31 v; memset(&v, 0, sizeof v); printf("s31 %d %d", (int)sizeof(s31), (int)alignof(s31)); printf(" %d", (int)offsetof(s31, m1)); printf("\n");
      v.m0 = (unsigned char)-1; show(&v, sizeof v); v.m0 = (unsigned char)(v.m0 * 5 + 1); printf(" %lld", (long long)v.m0); show(&v, sizeof v); v.m0 = 0; printf("\n");
      v.m2 = (unsigned)-1; show(&v, sizeof v); v.m2 = (unsigned)(v.m2 * 5 + 1); printf(" %lld", (long long)v.m2); show(&v, sizeof v); v.m2 = 0; printf("\n"); }
    { s32 v; memset(&v, 0, sizeof v); printf("s32 %d %d", (int)sizeof(s32), (int)alignof(s32)); printf("\n");
      v.m0 = (short)-1; show(&v, sizeof v); v.m0 = (short)(v.m0 * 5 + 1); printf(" %lld", (long long)v.m0); show(&v, sizeof v); v.m0 = 0; printf("\n"); }
    { s33 v; memset(&v, 0, sizeof v); printf("s33 %d %d", (int)sizeof(s33), (int)alignof(s33)); printf(" %d", (int)offsetof(s33, m3)); printf("\n");
      v.m0 = (long)-1; show(&v, sizeof v); v.m0 = (long)(v.m0 * 5 + 1); printf(" %lld", (long long)v.m0); show(&v, sizeof v); v.m0 = 0; printf("\n");
      v.m1 = (unsigned short)-1; show(&v, sizeof v); v.m1 = (unsigned short)(v.m1 * 5 + 1); printf(" %lld", (long long)v.m1); show(&v, sizeof v); v.m1 = 0; printf("\n");
      v.m2 = (signed char)-1; show(&v, sizeof v); v.m2 = (signed char)(v.m2 * 5 + 1); printf(" %lld", (long long)v.m2); show(&v, sizeof v); v.m2 = 0; printf("\n");
      v.m4 = (int)-1; show(&v, sizeof v); v.m4 = (int)(v.m4 * 5 + 1); printf(" %lld", (long long)v.m4); show(&v, sizeof v); v.m4 = 0; printf("\n"); }
    { s34 v; memset(&v, 0, sizeof v); printf("s34 %d %d", (int)sizeof(s34), (int)alignof(s34)); printf(" %d", (int)offsetof(s34, m0)); printf(" %d", (int)offsetof(s34, m3)); printf("\n");
      v.m1 = (char)-1; show(&v, sizeof v); v.m1 = (char)(v.m1 * 5 + 1); printf(" %lld", (long long)v.m1); show(&v, sizeof v); v.m1 = 0; printf("\n");
      v.m2 = (unsigned long)-1; show(&v, sizeof v); v.m2 = (unsigned long)(v.m2 * 5 + 1); printf(" %lld", (long long)v.m2); show(&v, sizeof v); v.m2 = 0; printf("\n");
      v.m4 = (signed char)-1; show(&v, sizeof v); v.m4 = (signed char)(v.m4 * 5 + 1); printf(" %lld", (long long)v.m4); show(&v, sizeof v); v.m4 = 0; printf("\n"); }
    { s35 v; memset(&v, 0, sizeof v); printf("s35 %d %d", (int)sizeof(s35), (int)alignof(s35)); printf("\n");
      v.m0 = (unsigned short)-1; show(&v, sizeof v); v.m0 = (unsigned short)(v.m0 * 5 + 1); printf(" %lld", (long long)v.m0); show(&v, sizeof v); v.m0 = 0; printf("\n"); }
    { s36 v; memset(&v, 0, sizeof v); printf("s36 %d %d", (int)sizeof(s36), (int)alignof(s36)); printf(" %d", (int)offsetof(s36, m0)); printf(" %d", (int)offsetof(s36, m4)); printf("\n");
      v.m1 = (long long)-1; show(&v, sizeof v); v.m1 = (long long)(v.m1 * 5 + 1); printf(" %lld", (long long)v.m1); show(&v, sizeof v); v.m1 = 0; printf("\n");
      v.m2 = (bool)-1; show(&v, sizeof v); v.m2 = (bool)(v.m2 ^ 1); printf(" %lld", (long long)v.m2); show(&v, sizeof v); v.m2 = 0; printf("\n");
      v.m3 = (unsigned char)-1; show(&v, sizeof v); v.m3 = (unsigned char)(v.m3 * 5 + 1); printf(" %lld", (long long)v.m3); show(&v, sizeof v); v.m3 = 0; printf("\n"); }
    { s37 v; memset(&v, 0, sizeof v); printf("s37 %d %d", (int)sizeof(s37), (int)alignof(s37)); printf(" %d", (int)offsetof(s37, m0)); printf(" %d", (int)offsetof(s37, m2)); printf(" %d", (int)offsetof(s37, m3)); printf("\n");
      v.m1 = (long long)-1; show(&v, sizeof v); v.m1 = (long long)(v.m1 * 5 + 1); printf(" %lld", (long long)v.m1); show(&v, sizeof v); v.m1 = 0; printf("\n");
      v.m4 = (long long)-1; show(&v, sizeof v); v.m4 = (long long)(v.m4 * 5 + 1); printf(" %lld", (long long)v.m4); show(&v, sizeof v); v.m4 = 0; printf("\n");
      v.m5 = (long)-1; show(&v, sizeof v); v.m5 = (long)(v.m5 * 5 + 1); printf(" %lld", (long long)v.m5); show(&v, sizeof v); v.m5 = 0; printf("\n"); }
    { s38 v; memset(&v, 0, sizeof v); printf("s38 %d %d", (int)sizeof(s38), (int)alignof(s38)); printf(" %d", (int)offsetof(s38, m1)); printf(" %d", (int)offsetof(s38, m2)); printf(" %d", (int)offsetof(s38, m3)); printf("\n");
      v.m0 = (short)-1; show(&v, sizeof v); v.m0 = (short)(v.m0 * 5 + 1); printf(" %lld", (long long)v.m0); show(&v, sizeof v); v.m0 = 0; printf("\n"); }
    { s39 v; memset(&v, 0, sizeof v); printf("s39 %d %d", (int)sizeof(s39), (int)alignof(s39)); printf(" %d", (int)offsetof(s39, m2)); printf(" %d", (int)offsetof(s39, m3)); printf(" %d", (int)offsetof(s39, m5)); printf(" %d", (int)offsetof(s39, m6)); printf("\n");
      v.m0 = (signed char)-1; show(&v, sizeof v); v.m0 = (signed char)(v.m0 * 5 + 1); printf(" %lld", (long long)v.m0); show(&v, sizeof v); v.m0 = 0; printf("\n");
      v.m4 = (char)-1; show(&v, sizeof v); v.m4 = (char)(v.m4 * 5 + 1); printf(" %lld", (long long)v.m4); show(&v, sizeof v); v.m4 = 0; printf("\n"); }
    { s40 v; memset(&v, 0, sizeof v); printf("s40 %d %d", (int)sizeof(s40), (int)alignof(s40)); printf(" %d", (int)offsetof(s40, m1)); printf(" %d", (int)offsetof(s40, m4)); printf(" %d", (int)offsetof(s40, m5)); printf("\n");
      v.m0 = (short)-1; show(&v, sizeof v); v.m0 = (short)(v.m0 * 5 + 1); printf(" %lld", (long long)v.m0); show(&v, sizeof v); v.m0 = 0; printf("\n");
      v.m2 = (bool)-1; show(&v, sizeof v); v.m2 = (bool)(v.m2 ^ 1); printf(" %lld", (long long)v.m2); show(&v, sizeof v); v.m2 = 0; printf("\n");
      v.m3 = (long long)-1; show(&v, sizeof v); v.m3 = (long long)(v.m3 * 5 + 1); printf(" %lld", (long long)v.m3); show(&v, sizeof v); v.m3 = 0; printf("\n"); }
    { s41 v; memset(&v, 0, sizeof v); printf("s41 %d %d", (int)sizeof(s41), (int)alignof(s41)); printf("\n");
      v.m0 = (bool)-1; show(&v, sizeof v); v.m0 = (bool)(v.m0 ^ 1); printf(" %lld", (long long)v.m0); show(&v, sizeof v); v.m0 = 0; printf("\n"); }
    { s42 v; memset(&v, 0, sizeof v); printf("s42 %d %d", (int)sizeof(s42), (int)alignof(s42)); printf(" %d", (int)offsetof(s42, m0)); printf("\n");
      v.m1 = (int)-1; show(&v, sizeof v); v.m1 = (int)(v.m1 * 5 + 1); printf(" %lld", (long long)v.m1); show(&v, sizeof v); v.m1 = 0; printf("\n"); }
    { s43 v; memset(&v, 0, sizeof v); printf("s43 %d %d", (int)sizeof(s43), (int)alignof(s43)); printf(" %d", (int)offsetof(s43, m0)); printf(" %d", (int)offsetof(s43, m1)); printf("\n");
      v.m2 = (unsigned)-1; show(&v, sizeof v); v.m2 = (unsigned)(v.m2 * 5 + 1); printf(" %lld", (long long)v.m2); show(&v, sizeof v); v.m2 = 0; printf("\n"); }
    { s44 v; memset(&v, 0, sizeof v); printf("s44 %d %d", (int)sizeof(s44), (int)alignof(s44)); printf(" %d", (int)offsetof(s44, m0)); printf(" %d", (int)offsetof(s44, m1)); printf(" %d", (int)offsetof(s44, m2)); printf(" %d", (int)offsetof(s44, m4)); printf("\n"); }
    { s45 v; memset(&v, 0, sizeof v); printf("s45 %d %d", (int)sizeof(s45), (int)alignof(s45)); printf(" %d", (int)offsetof(s45, m0)); printf(" %d", (int)offsetof(s45, m1)); printf("\n"); }
    { s46 v; memset(&v, 0, sizeof v); printf("s46 %d %d", (int)sizeof(s46), (int)alignof(s46)); printf(" %d", (int)offsetof(s46, m0)); printf(" %d", (int)offsetof(s46, m1)); printf("\n");
      v.m2 = (bool)-1; show(&v, sizeof v); v.m2 = (bool)(v.m2 ^ 1); printf(" %lld", (long long)v.m2); show(&v, sizeof v); v.m2 = 0; printf("\n");
      v.m3 = (unsigned long)-1; show(&v, sizeof v); v.m3 = (unsigned long)(v.m3 * 5 + 1); printf(" %lld", (long long)v.m3); show(&v, sizeof v); v.m3 = 0; printf("\n"); }
    { s47 v; memset(&v, 0, sizeof v); printf("s47 %d %d", (int)sizeof(s47), (int)alignof(s47)); printf("\n");
      v.m0 = (int)-1; show(&v, sizeof v); v.m0 = (int)(v.m0 * 5 + 1); printf(" %lld", (long long)v.m0); show(&v, sizeof v); v.m0 = 0; printf("\n"); }
    { s48 v; memset(&v, 0, sizeof v); printf("s48 %d %d", (int)sizeof(s48), (int)alignof(s48)); printf(" %d", (int)offsetof(s48, m1)); printf("\n");
      v.m0 = (signed char)-1; show(&v, sizeof v); v.m0 = (signed char)(v.m0 * 5 + 1); printf(" %lld", (long long)v.m0); show(&v, sizeof v); v.m0 = 0; printf("\n"); }
    { s49 v; memset(&v, 0, sizeof v); printf("s49 %d %d", (int)sizeof(s49), (int)alignof(s49)); printf(" %d", (int)offsetof(s49, m1)); printf(" %d", (int)offsetof(s49, m2)); printf(" %d", (int)offsetof(s49, m3)); printf(" %d", (int)offsetof(s49, m4)); printf("\n");
      v.m0 = (signed char)-1; show(&v, sizeof v); v.m0 = (signed char)(v.m0 * 5 + 1); printf(" %lld", (long long)v.m0); show(&v, sizeof v); v.m0 = 0; printf("\n"); }
    { s50 v; memset(&v, 0, sizeof v); printf("s50 %d %d", (int)sizeof(s50), (int)alignof(s50)); printf(" %d", (int)offsetof(s50, m1)); printf("\n");
      v.m0 = (unsigned)-1; show(&v, sizeof v); v.m0 = (unsigned)(v.m0 * 5 + 1); printf(" %lld", (long long)v.m0); show(&v, sizeof v); v.m0 = 0; printf("\n"); }
    { s51 v; memset(&v, 0, sizeof v); printf("s51 %d %d", (int)sizeof(s51), (int)alignof(s51)); printf(" %d", (int)offsetof(s51, m1)); printf("\n");
      v.m0 = (unsigned long)-1; show(&v, sizeof v); v.m0 = (unsigned long)(v.m0 * 5 + 1); printf(" %lld", (long long)v.m0); show(&v, sizeof v); v.m0 = 0; printf("\n");
      v.m2 = (unsigned short)-1; show(&v, sizeof v); v.m2 = (unsigned short)(v.m2 * 5 + 1); printf(" %lld", (long long)v.m2); show(&v, sizeof v); v.m2 = 0; printf("\n");
      v.m3 = (unsigned long)-1; show(&v, sizeof v); v.m3 = (unsigned long)(v.m3 * 5 + 1); printf(" %lld", (long long)v.m3); show(&v, sizeof v); v.m3 = 0; printf("\n"); }
    { s52 v; memset(&v, 0, sizeof v); printf("s52 %d %d", (int)sizeof(s52), (int)alignof(s52)); printf(" %d", (int)offsetof(s52, m5)); printf("\n");
      v.m0 = (signed char)-1; show(&v, sizeof v); v.m0 = (signed char)(v.m0 * 5 + 1); printf(" %lld", (long long)v.m0); show(&v, sizeof v); v.m0 = 0; printf("\n");
      v.m1 = (bool)-1; show(&v, sizeof v); v.m1 = (bool)(v.m1 ^ 1); printf(" %lld", (long long)v.m1); show(&v, sizeof v); v.m1 = 0; printf("\n");
      v.m2 = (unsigned long)-1; show(&v, sizeof v); v.m2 = (unsigned long)(v.m2 * 5 + 1); printf(" %lld", (long long)v.m2); show(&v, sizeof v); v.m2 = 0; printf("\n");
      v.m3 = (short)-1; show(&v, sizeof v); v.m3 = (short)(v.m3 * 5 + 1); printf(" %lld", (long long)v.m3); show(&v, sizeof v); v.m3 = 0; printf("\n"); }
    { s53 v; memset(&v, 0, sizeof v); printf("s53 %d %d", (int)sizeof(s53), (int)alignof(s53)); printf(" %d", (int)offsetof(s53, m2)); printf("\n");
      v.m0 = (int)-1; show(&v, sizeof v); v.m0 = (int)(v.m0 * 5 + 1); printf(" %lld", (long long)v.m0); show(&v, sizeof v); v.m0 = 0; printf("\n");
      v.m1 = (char)-1; show(&v, sizeof v); v.m1 = (char)(v.m1 * 5 + 1); printf(" %lld", (long long)v.m1); show(&v, sizeof v); v.m1 = 0; printf("\n"); }
    { s54 v; memset(&v, 0, sizeof v); printf("s54 %d %d", (int)sizeof(s54), (int)alignof(s54)); printf(" %d", (int)offsetof(s54, m1)); printf(" %d", (int)offsetof(s54, m3)); printf(" %d", (int)offsetof(s54, m5)); printf("\n");
      v.m0 = (unsigned char)-1; show(&v, sizeof v); v.m0 = (unsigned char)(v.m0 * 5 + 1); printf(" %lld", (long long)v.m0); show(&v, sizeof v); v.m0 = 0; printf("\n");
      v.m2 = (bool)-1; show(&v, sizeof v); v.m2 = (bool)(v.m2 ^ 1); printf(" %lld", (long long)v.m2); show(&v, sizeof v); v.m2 = 0; printf("\n");
      v.m4 = (long long)-1; show(&v, sizeof v); v.m4 = (long long)(v.m4 * 5 + 1); printf(" %lld", (long long)v.m4); show(&v, sizeof v); v.m4 = 0; printf("\n"); }
    { s55 v; memset(&v, 0, sizeof v); printf("s55 %d %d", (int)sizeof(s55), (int)alignof(s55)); printf(" %d", (int)offsetof(s55, m2)); printf(" %d", (int)offsetof(s55, m3)); printf(" %d", (int)offsetof(s55, m5)); printf("\n");
      v.m0 = (long long)-1; show(&v, sizeof v); v.m0 = (long long)(v.m0 * 5 + 1); printf(" %lld", (long long)v.m0); show(&v, sizeof v); v.m0 = 0; printf("\n");
      v.m1 = (short)-1; show(&v, sizeof v); v.m1 = (short)(v.m1 * 5 + 1); printf(" %lld", (long long)v.m1); show(&v, sizeof v); v.m1 = 0; printf("\n");
      v.m4 = (unsigned char)-1; show(&v, sizeof v); v.m4 = (unsigned char)(v.m4 * 5 + 1); printf(" %lld", (long long)v.m4); show(&v, sizeof v); v.m4 = 0; printf("\n"); }
    { s56 v; memset(&v, 0, sizeof v); printf("s56 %d %d", (int)sizeof(s56), (int)alignof(s56)); printf(" %d", (int)offsetof(s56, m1)); printf("\n");
      v.m0 = (long long)-1; show(&v, sizeof v); v.m0 = (long long)(v.m0 * 5 + 1); printf(" %lld", (long long)v.m0); show(&v, sizeof v); v.m0 = 0; printf("\n"); }
    { s57 v; memset(&v, 0, sizeof v); printf("s57 %d %d", (int)sizeof(s57), (int)alignof(s57)); printf(" %d", (int)offsetof(s57, m1)); printf("\n");
      v.m0 = (unsigned char)-1; show(&v, sizeof v); v.m0 = (unsigned char)(v.m0 * 5 + 1); printf(" %lld", (long long)v.m0); show(&v, sizeof v); v.m0 = 0; printf("\n"); }
    { s58 v; memset(&v, 0, sizeof v); printf("s58 %d %d", (int)sizeof(s58), (int)alignof(s58)); printf(" %d", (int)offsetof(s58, m1)); printf(" %d", (int)offsetof(s58, m3)); printf(" %d", (int)offsetof(s58, m4)); printf(" %d", (int)offsetof(s58, m5)); printf("\n");
      v.m0 = (bool)-1; show(&v, sizeof v); v.m0 = (bool)(v.m0 ^ 1); printf(" %lld", (long long)v.m0); show(&v, sizeof v); v.m0 = 0; printf("\n");
      v.m2 = (char)-1; show(&v, sizeof v); v.m2 = (char)(v.m2 * 5 + 1); printf(" %lld", (long long)v.m2); show(&v, sizeof v); v.m2 = 0; printf("\n"); }
    { s59 v; memset(&v, 0, sizeof v); printf("s59 %d %d", (int)sizeof(s59), (int)alignof(s59)); printf(" %d", (int)offsetof(s59, m1)); printf("\n");
      v.m0 = (char)-1; show(&v, sizeof v); v.m0 = (char)(v.m0 * 5 + 1); printf(" %lld", (long long)v.m0); show(&v, sizeof v); v.m0 = 0; printf("\n");
      v.m2 = (bool)-1; show(&v, sizeof v); v.m2 = (bool)(v.m2 ^ 1); printf(" %lld", (long long)v.m2); show(&v, sizeof v); v.m2 = 0; printf("\n"); }
    { s60 v; memset(&v, 0, sizeof v); printf("s60 %d %d", (int)sizeof(s60), (int)alignof(s60)); printf(" %d", (int)offsetof(s60, m0)); printf(" %d", (int)offsetof(s60, m2)); printf("\n");
      v.m1 = (char)-1; show(&v, sizeof v); v.m1 = (char)(v.m1 * 5 + 1); printf(" %lld", (long long)v.m1); show(&v, sizeof v); v.m1 = 0; printf("\n");
      v.m3 = (unsigned char)-1; show(&v, sizeof v); v.m3 = (unsigned char)(v.m3 * 5 + 1); printf(" %lld", (long long)v.m3); show(&v, sizeof v); v.m3 = 0; printf("\n");
      v.m4 = (char)-1; show(&v, sizeof v); v.m4 = (char)(v.m4 * 5 + 1); printf(" %lld", (long long)v.m4); show(&v, sizeof v); v.m4 = 0; printf("\n");
      v.m5 = (unsigned long)-1; show(&v, sizeof v); v.m5 = (unsigned long)(v.m5 * 5 + 1); printf(" %lld", (long long)v.m5); show(&v, sizeof v); v.m5 = 0; printf("\n"); }
    { s61 v; memset(&v, 0, sizeof v); printf("s61 %d %d", (int)sizeof(s61), (int)alignof(s61)); printf(" %d", (int)offsetof(s61, m0)); printf("\n"); }
    { s62 v; memset(&v, 0, sizeof v); printf("s62 %d %d", (int)sizeof(s62), (int)alignof(s62)); printf(" %d", (int)offsetof(s62, m0)); printf(" %d", (int)offsetof(s62, m2)); printf(" %d", (int)offsetof(s62, m3)); printf(" %d", (int)offsetof(s62, m4)); printf("\n");
      v.m1 = (int)-1; show(&v, sizeof v); v.m1 = (int)(v.m1 * 5 + 1); printf(" %lld", (long long)v.m1); show(&v, sizeof v); v.m1 = 0; printf("\n"); }
    { s63 v; memset(&v, 0, sizeof v); printf("s63 %d %d", (int)sizeof(s63), (int)alignof(s63)); printf(" %d", (int)offsetof(s63, m0)); printf("\n");
      v.m2 = (signed char)-1; show(&v, sizeof v); v.m2 = (signed char)(v.m2 * 5 + 1); printf(" %lld", (long long)v.m2); show(&v, sizeof v); v.m2 = 0; printf("\n"); }
}

// out: s0 24 8 8 16 18
// out:  ff0f00000000000000000000000000000000000000000000 4092 fc0f00000000000000000000000000000000000000000000
// out:  0000000000000000000000000000000000000000ffff0100 131068 0000000000000000000000000000000000000000fcff0100
// out: s1 24 8 0 4 6
// out:  0000000000000000ffffff07000000000000000000000000 134217724 0000000000000000fcffff07000000000000000000000000
// out:  00000000000000000000000000000000ffffffffffffff1f 2305843009213693948 00000000000000000000000000000000fcffffffffffff1f
// out: s2 32 16 0 5 16
// out:  000000000f000000000000000000000000000000000000000000000000000000 -4 000000000c000000000000000000000000000000000000000000000000000000
// out: s3 2 1
// out:  ff00 -4 fc00
// out:  0007 4 0004
// out: s4 14 2 0 2 8
// out:  0000000000007f00000000000000 -4 0000000000007c00000000000000
// out:  0000000000000000000000000300 0 0000000000000000000000000000
// out: s5 16 8 1
// out:  07000000000000000000000000000000 -4 04000000000000000000000000000000
// out:  0000000000000000ffffffffffff0700 -4 0000000000000000fcffffffffff0700
// out: s6 32 8 1 3 8
// out:  0300000000000000000000000000000000000000000000000000000000000000 0 0000000000000000000000000000000000000000000000000000000000000000
// out:  000000003f000000000000000000000000000000000000000000000000000000 60 000000003c000000000000000000000000000000000000000000000000000000
// out:  000000000000ff1f000000000000000000000000000000000000000000000000 8188 000000000000fc1f000000000000000000000000000000000000000000000000
// out: s7 12 4 0
// out:  0000ffffffffffff07000000 -4 0000fcffffffffff07000000
// out: s8 40 8 0 8 32
// out: s9 4 4
// out:  ffffff3f 1073741820 fcffff3f
// out:  ff030000 -4 fc030000
// out:  03000000 0 00000000
// out:  ffff7f00 -4 fcff7f00
// out:  ffff0300 262140 fcff0300
// out: s10 8 8 0
// out: s11 8 8
// out:  ffffffff7f000000 -4 fcffffff7f000000
// out: s12 16 16 0 0 0
// out:  01000000000000000000000000000000 0 00000000000000000000000000000000
// out:  ffffffff030000000000000000000000 17179869180 fcffffff030000000000000000000000
// out:  ffffffffffff3f000000000000000000 18014398509481980 fcffffffffff3f000000000000000000
// out:  3f000000000000000000000000000000 -4 3c000000000000000000000000000000
// out: s13 32 16 0 16
// out:  00000000ff010000000000000000000000000000000000000000000000000000 -4 00000000fc010000000000000000000000000000000000000000000000000000
// out:  0000000000feffffff3f00000000000000000000000000000000000000000000 -4 0000000000f8ffffff3f00000000000000000000000000000000000000000000
// out:  000000000000000000c01f000000000000000000000000000000000000000000 -4 000000000000000000001f000000000000000000000000000000000000000000
// out:  00000000000000000000e03f0000000000000000000000000000000000000000 -4 00000000000000000000803f0000000000000000000000000000000000000000
// out: s14 16 8 8 12
// out:  ff030000000000000000000000000000 1020 fc030000000000000000000000000000
// out:  00fcffffffff07000000000000000000 -4 00f0ffffffff07000000000000000000
// out: s15 48 8 2 26 32 40 44
// out:  ff3f00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000 -4 fc3f00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
// out: s16 16 8
// out:  000000000000ff030000000000000000 1020 000000000000fc030000000000000000
// out:  0000000000000000ffff070000000000 -4 0000000000000000fcff070000000000
// out: s17 16 8 0 12
// out:  007f0000000000000000000000000000 -4 007c0000000000000000000000000000
// out:  00000000ffffff010000000000000000 33554428 00000000fcffff010000000000000000
// out:  0000000000000000ff3f000000000000 16380 0000000000000000fc3f000000000000
// out:  000000000000000000c03f0000000000 -4 000000000000000000003f0000000000
// out: s18 9 1 0 1 5
// out:  000000ff1f00000000 -4 000000fc1f00000000
// out: s19 10 1 0 9
// out:  00ffffffffffffff3f00 -4 00fcffffffffffff3f00
// out: s20 8 1 0 0 0
// out:  0100000000000000 0 0000000000000000
// out:  ff07000000000000 -4 fc07000000000000
// out:  ff1f000000000000 -4 fc1f000000000000
// out:  ffff010000000000 -4 fcff010000000000
// out: s21 12 1 1
// out:  1f0000000000000000000000 -4 1c0000000000000000000000
// out:  000000000000000000ffff01 131068 000000000000000000fcff01
// out: s22 64 16 0 24 48
// out:  0000000000000000000000000000000000000000000000000000000000000000ff0f000000000000000000000000000000000000000000000000000000000000 4092 0000000000000000000000000000000000000000000000000000000000000000fc0f000000000000000000000000000000000000000000000000000000000000
// out:  00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000ffffff000000000000000000000000 -4 00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000fcffff000000000000000000000000
// out:  00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000ffffffffff7f000000000000 -4 00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000fcffffffff7f000000000000
// out: s23 1 1 0
// out: s24 16 16 2 3
// out:  007f0000000000000000000000000000 -4 007c0000000000000000000000000000
// out:  00000000ff0300000000000000000000 -4 00000000fc0300000000000000000000
// out:  0000000000000000ffffffffff070000 -4 0000000000000000fcffffffff070000
// out: s25 8 8 0
// out: s26 15 1 4 8 9 14
// out:  ff0f00000000000000000000000000 -4 fc0f00000000000000000000000000
// out:  00f0ff0f0000000000000000000000 -4 00c0ff0f0000000000000000000000
// out:  000000000000000000000000000f00 12 000000000000000000000000000c00
// out: s27 24 8 0 8 22
// out:  0000000000000000000000000000000000000000ff1f0000 -4 0000000000000000000000000000000000000000fc1f0000
// out: s28 12 1 2 3
// out:  ff3f00000000000000000000 -4 fc3f00000000000000000000
// out:  000000000000000f00000000 12 000000000000000c00000000
// out:  0000000000000000ffffff0f -4 0000000000000000fcffff0f
// out: s29 48 8 8 16 19 32
// out:  010000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000 0 000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
// out:  000000000000000000000000000000000000000000000000ffffffffff01000000000000000000000000000000000000 -4 000000000000000000000000000000000000000000000000fcffffffff01000000000000000000000000000000000000
// out: s30 16 8 0
// out:  00000000000000000700000000000000 -4 00000000000000000400000000000000
// out: s31 12 4 4
// out:  010000000000000000000000 0 000000000000000000000000
// out:  0000000000000000ffffff00 16777212 0000000000000000fcffff00
// out: s32 2 1
// out:  ffff -4 fcff
// out: s33 10 1 6
// out:  ffffffff030000000000 -4 fcffffff030000000000
// out:  00000000fc0000000000 60 00000000f00000000000
// out:  00000000000100000000 0 00000000000000000000
// out:  0000000000000000ff7f -4 0000000000000000fc7f
// out: s34 32 8 0 24
// out:  0000000000000000ff0000000000000000000000000000000000000000000000 -4 0000000000000000fc0000000000000000000000000000000000000000000000
// out:  00000000000000000000000000000000ffffffffffffff0f0000000000000000 1152921504606846972 00000000000000000000000000000000fcffffffffffff0f0000000000000000
// out:  0000000000000000000000000000000000000000000000000007000000000000 -4 0000000000000000000000000000000000000000000000000004000000000000
// out: s35 2 2
// out:  3f00 60 3c00
// out: s36 16 16 0 0
// out:  ffffffffffffff070000000000000000 -4 fcffffffffffff070000000000000000
// out:  01000000000000000000000000000000 0 00000000000000000000000000000000
// out:  7f000000000000000000000000000000 124 7c000000000000000000000000000000
// out: s37 24 8 0 3 4
// out:  00ff7f000000000000000000000000000000000000000000 -4 00fc7f000000000000000000000000000000000000000000
// out:  0000000000000000ffffffffffffff1f0000000000000000 -4 0000000000000000fcffffffffffff1f0000000000000000
// out:  00000000000000000000000000000000ffffffffffffff1f -4 00000000000000000000000000000000fcffffffffffff1f
// out: s38 32 4 4 8 24
// out:  7f00000000000000000000000000000000000000000000000000000000000000 -4 7c00000000000000000000000000000000000000000000000000000000000000
// out: s39 24 4 4 8 16 20
// out:  ff0000000000000000000000000000000000000000000000 -4 fc0000000000000000000000000000000000000000000000
// out:  000000000000000000000000ff0000000000000000000000 -4 000000000000000000000000fc0000000000000000000000
// out: s40 23 1 1 13 21
// out:  0100000000000000000000000000000000000000000000 0 0000000000000000000000000000000000000000000000
// out:  0000000000000000000100000000000000000000000000 0 0000000000000000000000000000000000000000000000
// out:  000000000000000000feffff3f00000000000000000000 -4 000000000000000000f8ffff3f00000000000000000000
// out: s41 1 1
// out:  01 0 00
// out: s42 4 4 0
// out:  3f000000 -4 3c000000
// out: s43 24 8 0 8
// out:  000000000000000000000000000000007f00000000000000 124 000000000000000000000000000000007c00000000000000
// out: s44 32 16 0 0 0 0
// out: s45 4 4 0 0
// out: s46 16 16 0 8
// out:  00000000000000000000000001000000 0 00000000000000000000000000000000
// out:  00000000000000000000000002000000 0 00000000000000000000000000000000
// out: s47 4 4
// out:  ff1f0000 -4 fc1f0000
// out: s48 4 2 2
// out:  1f000000 -4 1c000000
// out: s49 44 4 1 8 16 40
// out:  0300000000000000000000000000000000000000000000000000000000000000000000000000000000000000 0 0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
// out: s50 8 4 4
// out:  ffff3f0000000000 4194300 fcff3f0000000000
// out: s51 19 1 7
// out:  ffffffffffff0f000000000000000000000000 4503599627370492 fcffffffffff0f000000000000000000000000
// out:  000000000000000000ff3f0000000000000000 16380 000000000000000000fc3f0000000000000000
// out:  00000000000000000000c0ffffffffffffff0f 4611686018427387900 0000000000000000000000ffffffffffffff0f
// out: s52 8 4 6
// out:  0300000000000000 0 0000000000000000
// out:  0400000000000000 0 0000000000000000
// out:  f8ff3f0000000000 524284 e0ff3f0000000000
// out:  0000c0ff03000000 -4 000000ff03000000
// out: s53 4 4 2
// out:  ff030000 -4 fc030000
// out:  001c0000 -4 00100000
// out: s54 8 8 0 0 0
// out:  3f00000000000000 60 3c00000000000000
// out:  0100000000000000 0 0000000000000000
// out:  ff07000000000000 -4 fc07000000000000
// out: s55 44 4 4 8 20
// out:  ffff070000000000000000000000000000000000000000000000000000000000000000000000000000000000 -4 fcff070000000000000000000000000000000000000000000000000000000000000000000000000000000000
// out:  0000f83f00000000000000000000000000000000000000000000000000000000000000000000000000000000 -4 0000e03f00000000000000000000000000000000000000000000000000000000000000000000000000000000
// out:  000000000000000000000000000000007f000000000000000000000000000000000000000000000000000000 124 000000000000000000000000000000007c000000000000000000000000000000000000000000000000000000
// out: s56 16 8 8
// out:  ffffffffffffff7f0000000000000000 -4 fcffffffffffff7f0000000000000000
// out: s57 8 4 4
// out:  0700000000000000 4 0400000000000000
// out: s58 14 1 1 4 5 6
// out:  0100000000000000000000000000 0 0000000000000000000000000000
// out:  0000000f00000000000000000000 -4 0000000c00000000000000000000
// out: s59 8 8 1
// out:  1f00000000000000 -4 1c00000000000000
// out:  0000000100000000 0 0000000000000000
// out: s60 32 8 0 16
// out:  00000000000000001f0000000000000000000000000000000000000000000000 -4 00000000000000001c0000000000000000000000000000000000000000000000
// out:  0000000000000000000000000000000000000000010000000000000000000000 0 0000000000000000000000000000000000000000000000000000000000000000
// out:  000000000000000000000000000000000000000000ff00000000000000000000 -4 000000000000000000000000000000000000000000fc00000000000000000000
// out:  000000000000000000000000000000000000000000000000ffffffffffff0100 562949953421308 000000000000000000000000000000000000000000000000fcffffffffff0100
// out: s61 8 2 0
// out: s62 32 16 0 8 10 16
// out:  00000000ffffffff000000000000000000000000000000000000000000000000 -4 00000000fcffffff000000000000000000000000000000000000000000000000
// out: s63 16 8 0
// out:  00000000000000000000600000000000 0 00000000000000000000000000000000
