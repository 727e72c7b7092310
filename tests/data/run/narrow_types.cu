// char, short, bool and their unsigned forms in memory and in registers of a kernel.
#include <stdio.h>

__global__ void extend(const signed char *c, const unsigned char *uc, const short *s, const unsigned short *us,
                       const bool *b, long long *out)
{
    int i = threadIdx.x;
    out[i] = c[i] + 1000LL * uc[i] + 1000000LL * s[i] + 100000000000LL * us[i] + (b[i] ? 50 : 0);
}

__global__ void wrap(int *out)
{
    int t = threadIdx.x;
    unsigned char index = 3 * t - 1;
    unsigned char sum = 200;
    signed char low = 100;
    short word = 32000;
    unsigned short half = 65530;
    for (int i = 0; i < t; i++) {
        sum += 20;
        low += 10;
        word += 100;
        half++;
    }
    out[4 * t] = index;
    out[4 * t + 1] = sum * 1000 + low;
    out[4 * t + 2] = word;
    out[4 * t + 3] = half - (unsigned char)(half >> 8);
}

__global__ void flags(bool *b, int *out)
{
    int t = threadIdx.x;
    bool old = b[t];
    b[t] = t & 6;
    __syncthreads();
    int n = 0;
    for (int i = 0; i < 16; i++)
        n += b[i];
    out[t] = n * 10 + old + !b[t] * 100 + (b[t] == true) * 1000;
}

__global__ void store(char *c, unsigned char *uc, short *s)
{
    int t = threadIdx.x;
    c[t] = 120 + t;
    uc[15 - t] = -t;
    s[t] = t * 5000;
    s[t] -= c[t];
}

int main()
{
    signed char c[16];
    unsigned char uc[16];
    short s[16];
    unsigned short us[16];
    bool b[16];
    long long wide[16];
    int host[64];
    for (int i = 0; i < 16; i++) {
        c[i] = 20 * i - 130;
        uc[i] = 17 * i;
        s[i] = 4000 * i - 32000;
        us[i] = 4369 * i;
        b[i] = i % 3 == 0;
    }
    signed char *dc;
    unsigned char *duc;
    short *ds;
    unsigned short *dus;
    bool *db;
    long long *dwide;
    int *out;
    cudaMalloc((void **)&dc, sizeof c);
    cudaMalloc((void **)&duc, sizeof uc);
    cudaMalloc((void **)&ds, sizeof s);
    cudaMalloc((void **)&dus, sizeof us);
    cudaMalloc((void **)&db, sizeof b);
    cudaMalloc((void **)&dwide, sizeof wide);
    cudaMalloc((void **)&out, sizeof host);
    cudaMemcpy(dc, c, sizeof c, cudaMemcpyHostToDevice);
    cudaMemcpy(duc, uc, sizeof uc, cudaMemcpyHostToDevice);
    cudaMemcpy(ds, s, sizeof s, cudaMemcpyHostToDevice);
    cudaMemcpy(dus, us, sizeof us, cudaMemcpyHostToDevice);
    cudaMemcpy(db, b, sizeof b, cudaMemcpyHostToDevice);
    extend<<<1, 16>>>(dc, duc, ds, dus, db, dwide);
    cudaMemcpy(wide, dwide, sizeof wide, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 16; i++)
        printf("%lld%c", wide[i], i % 4 == 3 ? '\n' : ' ');
    wrap<<<1, 16>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; i++)
        printf("%d%c", host[i], i % 16 == 15 ? '\n' : ' ');
    flags<<<1, 16>>>(db, out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 16; i++)
        printf("%d%c", host[i], i == 15 ? '\n' : ' ');
    store<<<1, 16>>>((char *)dc, duc, ds);
    cudaMemcpy(c, dc, sizeof c, cudaMemcpyDeviceToHost);
    cudaMemcpy(uc, duc, sizeof uc, cudaMemcpyDeviceToHost);
    cudaMemcpy(s, ds, sizeof s, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 16; i++)
        printf("%d/%d/%d%c", c[i], uc[i], s[i], i % 8 == 7 ? '\n' : ' ');
    return 0;
}

// out: -31999999824 436872000016890 873776000033910 1310680000050980
// out: 1747584000067950 2184488000084970 2621392000102040 3058296000119010
// out: 3495200000136030 3932104000153100 4369008000170070 4805912000187090
// out: 5242816000204160 5679720000220874 6116624000237894 6553528000254964
// out: 255 200100 32000 65275 2 220110 32100 65276 5 240120 32200 65277 8 3874 32300 65278
// out: 11 23884 32400 65279 14 43894 32500 65280 17 63904 32600 0 20 83914 32700 1
// out: 23 103924 -32736 2 26 123934 -32636 3 29 143944 -32536 4 32 163954 -32436 5
// out: 35 183964 -32336 6 38 203974 -32236 7 41 223984 -32136 8 44 243994 -32036 9
// out: 221 220 1120 1121 1120 1120 1121 1120 220 221 1120 1120 1121 1120 1120 1121
// out: 120/241/-120 121/242/4879 122/243/9878 123/244/14877 124/245/19876 125/246/24875 126/247/29874 127/248/-30663
// out: -128/249/-25408 -127/250/-20409 -126/251/-15410 -125/252/-10411 -124/253/-5412 -123/254/-413 -122/255/4586 -121/0/9585
