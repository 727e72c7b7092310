// The operators and functions of vectors that the samples' headers give.
#include <stdio.h>
#include "helper_math.h"
#include <cutil_math.h>

__device__ float3 shade(float3 n, float3 d) { return lerp(reflect(d, n), normalize(d), 0.25f); }

__global__ void kernel(float4 *out, int4 *whole)
{
    float3 a = make_float3(1, 2, 3), b = make_float3(4);
    a += b;
    a *= 2.0f;
    out[0] = make_float4(a / b, dot(a, b));
    out[1] = make_float4(cross(a, b) - 1.0f, length(b));
    out[2] = make_float4(shade(make_float3(0, 1, 0), a));
    float4 c = make_float4(make_int4(-3, 1, 2, 9)) / 2;
    out[3] = clamp(c, 0.0f, 1.0f);
    out[4] = fracf(c) + floorf(c) - fabs(c);
    out[5] = smoothstep(make_float4(0), make_float4(4), c);
    out[6] = max(min(c, make_float4(1)), -make_float4(1));
    int4 k = make_int4(c) * 3 - make_int4(make_int3(1, 2, 3), 4);
    k /= 2;
    whole[0] = abs(k);
    whole[1] = make_int4(dot(k, k), clamp(k.x, 0, 1), max(k, make_int4(1)).x, min(7, 5));
    uint2 u = make_uint2(3u) + 2u;
    uint3 v = 9u - make_uint3(u, 1);
    whole[2] = make_int4(make_uint4(v, v.z));
}

int main()
{
    float4 *out, h[7];
    int4 *whole, w[3];
    cudaMalloc(&out, sizeof h);
    cudaMalloc(&whole, sizeof w);
    kernel<<<1, 1>>>(out, whole);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    cudaMemcpy(w, whole, sizeof w, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 7; i++)
        printf("%g %g %g %g\n", h[i].x, h[i].y, h[i].z, h[i].w);
    for (int i = 0; i < 3; i++)
        printf("%d %d %d %d\n", w[i].x, w[i].y, w[i].z, w[i].w);
    float2 p = make_float2(3, 4);
    p -= make_float2(0.5f);
    p = 2 * p;
    printf("%g %g %g %g\n", p.x, p.y, length(make_float2(3, 4)), clamp(7.5f, 0.0f, 5.0f));
}

// out: 2.5 3 3.5 144
// out: -9 15 -9 6.9282
// out: 7.61918 -8.85698 10.6669 0
// out: 0 0.5 1 1
// out: -3 0 0 0
// out: 0 0.0429688 0.15625 1
// out: -1 0.5 1 1
// out: 2 1 0 4
// out: 21 0 1 5
// out: 4 4 8 8
// out: 5 7 5 5
