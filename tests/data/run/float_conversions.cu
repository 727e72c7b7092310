// Floats to integers: what fits is cut towards zero; below 32 bits the low bits of the `int` remain.
#include <stdio.h>

#define N 8

__global__ void convert(const float *in, int *out)
{
    int t = threadIdx.x;
    float f = in[t];
    double d = f * 2.0;
    int *row = out + t * 12;
    row[0] = (char)f;
    row[1] = (unsigned char)f;
    row[2] = (short)f;
    row[3] = (unsigned short)f;
    row[4] = (int)f;
    row[5] = (char)d;
    row[6] = (unsigned char)d;
    row[7] = (short)d;
    row[8] = (unsigned short)d;
    row[9] = (int)d;
    row[10] = (int)(long long)(d * 1e3);
    row[11] = f ? 1 : (bool)d;
}

int main()
{
    float in[N] = {0.0f, 1.5f, -1.5f, 127.9f, 300.7f, -300.7f, 70000.0f, -70000.5f};
    int out[N * 12];
    float *din;
    int *dout;
    cudaMalloc((void **)&din, sizeof in);
    cudaMalloc((void **)&dout, sizeof out);
    cudaMemcpy(din, in, sizeof in, cudaMemcpyHostToDevice);
    convert<<<1, N>>>(din, dout);
    cudaMemcpy(out, dout, sizeof out, cudaMemcpyDeviceToHost);
    for (int t = 0; t < N; t++) {
        float f = in[t];
        double d = f * 2.0;
        int row[12] = {(char)f, (unsigned char)(int)f, (short)f, (unsigned short)(int)f, (int)f,
                       (char)d, (unsigned char)(int)d, (short)d, (unsigned short)(int)d, (int)d,
                       (int)(long long)(d * 1e3), f ? 1 : (bool)d};
        for (int i = 0; i < 12; i++) {
            printf("%d ", out[t * 12 + i]);
            if (out[t * 12 + i] != row[i])
                printf("(host: %d) ", row[i]);
        }
        printf("\n");
    }
    return 0;
}

// out: 0 0 0 0 0 0 0 0 0 0 0 0
// out: 1 1 1 1 1 3 3 3 3 3 3000 1
// out: -1 0 (host: 255) -1 0 (host: 65535) -1 -3 0 (host: 253) -3 0 (host: 65533) -3 -3000 1
// out: 127 127 127 127 127 -1 255 255 255 255 255800 1
// out: 44 44 300 300 300 89 89 601 601 601 601400 1
// out: -44 0 (host: 212) -300 0 (host: 65236) -300 -89 0 (host: 167) -601 0 (host: 64935) -601 -601400 1
// out: 112 112 4464 4464 70000 -32 224 8928 8928 140000 140000000 1
// out: -112 0 (host: 144) -4464 0 (host: 61072) -70000 31 0 (host: 31) -8929 0 (host: 56607) -140001 -140001000 1
