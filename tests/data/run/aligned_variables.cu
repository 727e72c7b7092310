// Arrays in shared and local memory can be read as arrays of any type, behind small variables too.
#include <stdio.h>

__global__ void reinterpret(float4 *out)
{
    __shared__ char small, odd[3];
    __shared__ __align__(16) unsigned char raw[64];
    extern __shared__ unsigned char dynamic[];
    char pad[1], three[3];
    alignas(16) unsigned char local[64];
    int t = threadIdx.x;
    pad[t] = small = odd[t] = three[t] = t + 9;
    float4 *a = (float4 *)raw, *b = (float4 *)local;
    double *c = (double *)dynamic;
    a[t] = make_float4(1, 2, 3, pad[t]);
    b[t] = make_float4(4, 5, 6, three[t]);
    c[t] = 7.5;
    out[0] = a[t];
    out[1] = b[t];
    out[2] = make_float4((float)c[t], small, odd[t], (size_t)local % 16 + (size_t)raw % 16);
}

int main()
{
    float4 host[3], *out;
    cudaMalloc((void **)&out, sizeof host);
    reinterpret<<<dim3(1), dim3(1), 64>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 3; i++)
        printf("%g %g %g %g\n", host[i].x, host[i].y, host[i].z, host[i].w);
    return 0;
}

// out: 1 2 3 9
// out: 4 5 6 9
// out: 7.5 9 9 0
