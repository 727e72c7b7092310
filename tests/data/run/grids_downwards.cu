// Loops that go down, or up, by a variable, with limits near the ends of the type and none of their iterations among them.
#include <stdio.h>

template <class T> __global__ void kernel(T from, T limit, T step, long long *sums, int what)
{
    int t = threadIdx.x;
    long long sum = 0;
    T by = step + (T)(t & 1);
    if (what == 0) {
#pragma unroll 4
        for (T i = from - (T)t; i >= limit; i -= by) sum = sum * 3 + (long long)i;
    } else if (what == 1) {
#pragma unroll 3
        for (T i = from; i > limit; i -= by) sum = sum * 5 ^ (long long)i;
    } else if (what == 2) {
        T back = (T)0 - by;
#pragma unroll 4
        for (T i = from; i > limit; i += back) sum = sum * 7 + (long long)i;
    } else {
#pragma unroll 4
        for (T i = limit; i < from; i += by) sum = sum * 3 - (long long)i;
    }
    sums[t] = sum;
}

template <class T> void show(T from, T limit, T step)
{
    long long *sums;
    cudaMallocManaged(&sums, 32 * sizeof(long long));
    for (int what = 0; what < 4; what++) {
        kernel<T><<<1, 32>>>(from, limit, step, sums, what);
        cudaDeviceSynchronize();
        long long all = 0;
        for (int i = 0; i < 32; i++) all = all * 31 + sums[i];
        printf("%lld ", all);
    }
    printf("\n");
    cudaFree(sums);
}

int main()
{
    show<int>(100, 0, 7);
    show<int>(20, 19, 3);
    show<int>(-2147483647 + 90, -2147483647 + 3, 2);
    show<int>(2147483640, 2147483560, 3);
    show<unsigned>(100, 4, 3);
    show<unsigned>(4294967290u, 4294967200u, 5);
    show<long long>(1LL << 40, (1LL << 40) - 300, 11);
    show<long long>(-9223372036854775807LL + 80, -9223372036854775807LL + 5, 3);
    show<unsigned long long>(90, 5, 4);
    return 0;
}
// out: -7508231815090368327 -7470982759606966704 -8562710341865603440 1778676550199388496
// out: 118638314777205311 8596559400072980480 8596559400072980480 -3555045411641943552
// out: 6275216671814237747 -7986274217542023888 -5016774579449306928 -5009096715752996768
// out: -3648285911285369041 -7160374391672026672 2594413593219207152 -482661796510760912
// out: 6067604338039705798 -5871637853150987776 -855289176006256640 7483176027686908928
// out: -2529220171242881883 -5066978261361996912 -5815218682714281264 -1057259110083206736
// out: -8456047505509205109 541251927703336576 -7000507369614041952 1500128182850183776
// out: 220453288447758014 -2549549421121198976 -9001625315938455680 -5018202797196049536
// out: -1804538546795769798 -7234081647684549024 4355754902714846944 8415448106764751280
