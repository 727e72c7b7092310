// Numbers with a float's exponent and 8 digits.
#include <cuda_bf16.h>
#include <stdio.h>

__global__ void more(const __nv_bfloat16 *x, unsigned short *out)
{
    __shared__ __nv_bfloat16 tile[8];
    int i = threadIdx.x;
    tile[i] = x[7 - i];
    __syncthreads();
    __nv_bfloat16 a = x[i], b = tile[i];
    unsigned short *to = out + 6 * i;
    to[0] = __bfloat16_as_ushort(a + b);
    to[1] = __bfloat16_as_ushort(__hfma(a, b, __float2bfloat16(-0.5f)));
    to[2] = __bfloat16_as_ushort(a / b);
    to[3] = (a < b) + 2 * __heq(a, b) + 4 * (a >= b) + 8 * __hisnan(a) + 16 * (__hisinf(b) != 0);
    __nv_bfloat162 pair = __halves2bfloat162(a, b) * __float2bfloat162_rn(3);
    to[4] = __bfloat16_as_ushort(pair.x - __high2bfloat16(pair));
    to[5] = __bfloat16_as_ushort(hsqrt(__habs(b)));
}

int main()
{
    float values[8] = {1.0f, 0.333333f, 3.4e38f, 1e-40f, -6e-8f, 1.00390625f, 1.01171875f, -255.5f};
    __nv_bfloat16 x[8], *dx;
    unsigned short out[48], *dout;
    for (int i = 0; i < 8; i++) {
        x[i] = values[i];
        printf("%04x %04x %04x %04x %.9g\n", __bfloat16_as_ushort(x[i]), __bfloat16_as_ushort(__float2bfloat16_rz(values[i])),
               __bfloat16_as_ushort(__float2bfloat16_rd(values[i])), __bfloat16_as_ushort(__float2bfloat16_ru(values[i])),
               (float)x[i]);
    }
    printf("%04x %04x %04x\n", __bfloat16_as_ushort(__nv_bfloat16(0.0 / 0)),
           __bfloat16_as_ushort(__nv_bfloat16(1.00390625000000001)), __bfloat16_as_ushort(__nv_bfloat16(16843009)));
    cudaMalloc(&dx, sizeof x);
    cudaMalloc(&dout, sizeof out);
    cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice);
    more<<<1, 8>>>(dx, dout);
    cudaMemcpy(out, dout, sizeof out, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 48; i++)
        printf("%04x%s", out[i], i % 6 == 5 ? "\n" : " ");
}

// out: 3f80 3f80 3f80 3f80 1
// out: 3eab 3eaa 3eaa 3eab 0.333984375
// out: 7f80 7f7f 7f7f 7f80 inf
// out: 0001 0001 0001 0002 9.18354962e-41
// out: b381 b380 b381 b380 -6.00703061e-08
// out: 3f80 3f80 3f80 3f81 1
// out: 3f82 3f81 3f81 3f82 1.015625
// out: c380 c37f c380 c37f -256
// out: 7fff 3f80 4b81
// out: c37f c380 bb80 0004 4441 4180
// out: 3fad be25 3ea8 0001 c003 3f81
// out: 7f80 7f80 7f80 0004 7f80 3f80
// out: b381 bf00 88fe 0004 3442 3980
// out: b381 bf00 f601 0001 b442 1e35
// out: 7f80 7f80 0000 0011 ff80 7f80
// out: 3fad be25 4043 0004 4003 3f14
// out: c37f c380 c380 0001 c441 3f80
