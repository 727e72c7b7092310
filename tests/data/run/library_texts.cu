// Functions that are texts in the language: memory in device code, lengths, comparisons, products of bytes.
#include <stdio.h>

struct Packed {
    int words[4];
    char bytes[3];
};

__device__ int norm_of_two(int a, int b) { return a + b; }

__host__ __device__ void shifted(char *text) { memmove(text + 1, text, 5); }

__global__ void copies(int4 *out, char *text)
{
    int4 bits = make_int4(1, 2, 3, 4);
    Packed packed, other;
    memcpy(&packed.words, &bits, sizeof bits);
    memset(packed.bytes, 'x', 3);
    memcpy(&other, &packed, sizeof other);
    memcpy(out, other.words, sizeof(int4));
    shifted(text);
    memcpy(text, other.bytes + 2, 1);
    memset(out + 1, 255, 5);
}

// Functions of the host's library, which nvcc lets functions for both sides call.
__host__ __device__ int compared(double difference, float sum)
{
    return isgreater(1.0f, 2) + 2 * isless(1.0, 2.0f) + 4 * isunordered(1.0f, difference) + 8 * isunordered(sum, 1);
}

__host__ __device__ int classified(float small, double large)
{
    return isnormal(small) + 2 * isnormal(large) + 4 * islessgreater(1, 2) + 8 * isgreaterequal(NAN, 1.0f);
}

__global__ void numbers(float *f, double *d, int *i)
{
    const float three[3] = {1, 2, 2}, huge[2] = {3e38f, 1}, infinite[2] = {NAN, -INFINITY};
    const double large[2] = {3e200, 4e200}, small[2] = {3e-200, 4e-200};
    f[0] = normf(3, three);
    f[1] = rnormf(3, three);
    f[2] = normf(2, huge);
    f[3] = normf(2, infinite);
    f[4] = norm4df(1, 2, 4, 2);
    f[5] = cyl_bessel_i0f(1.0f) + cyl_bessel_i1(-1.0f);
    f[6] = scalbln(1.5f, 5000000000L) + nanf("");
    f[7] = fdivide(1.0f, 8.0f);
    d[0] = norm(2, large);
    d[1] = norm(2, small);
    d[2] = rnorm(2, large);
    d[3] = rnorm4d(1.0, 2.0, 4.0, 2.0);
    d[4] = cyl_bessel_i0(2.5);
    d[5] = cyl_bessel_i1(25.0);
    d[6] = scalbln(1.0, -1074L);
    i[0] = compared(d[0] - d[0], f[6]);
    i[1] = classified(1e-39f, 1e-39);
    i[2] = __dp4a(make_char4(1, -2, 3, -4), make_char4(-5, 6, 7, 127), 100);
    i[3] = __dp4a(make_uchar4(1, 254, 3, 4), make_uchar4(5, 6, 7, 255), 100u);
    i[4] = __dp2a_lo(make_short2(-300, 200), make_char4(-5, 6, 7, 127), 1) + __dp2a_hi(make_short2(-300, 200), make_char4(-5, 6, 7, 127), 1);
    i[5] = __dp2a_hi(make_ushort2(60000, 2), make_uchar4(5, 6, 7, 255), 1u);
    i[6] = __dp4a(0x01020304, 0x02020202, 1);
    i[7] = norm_of_two(1, 2);
}

__global__ void locks(unsigned short *places, unsigned int *order)
{
    // Each thread takes its turn: from its number to the next.
    bool waiting = true;
    while (waiting)
        if (atomicCAS(&places[1], (unsigned short)threadIdx.x, (unsigned short)(threadIdx.x + 1)) == threadIdx.x) {
            order[threadIdx.x] = places[1];
            waiting = false;
        }
}

int main()
{
    int4 out[2], *out_d;
    char text[8] = "abcdef", *text_d;
    cudaMalloc(&out_d, sizeof out);
    cudaMalloc(&text_d, sizeof text);
    cudaMemset(out_d, 0, sizeof out);
    cudaMemcpy(text_d, text, sizeof text, cudaMemcpyHostToDevice);
    copies<<<1, 1>>>(out_d, text_d);
    cudaMemcpy(out, out_d, sizeof out, cudaMemcpyDeviceToHost);
    cudaMemcpy(text, text_d, sizeof text, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d %x %x %s\n", out[0].x, out[0].y, out[0].z, out[0].w, out[1].x, out[1].y, text);
    float *f;
    double *d;
    int *i;
    cudaMallocManaged(&f, 8 * sizeof(float));
    cudaMallocManaged(&d, 8 * sizeof(double));
    cudaMallocManaged(&i, 8 * sizeof(int));
    numbers<<<1, 1>>>(f, d, i);
    cudaDeviceSynchronize();
    for (int k = 0; k < 8; k++)
        printf("%.7g %.15g %d\n", f[k], k < 7 ? d[k] : norm(2, (const double *)d), i[k]);
    unsigned short places[3] = {7, 0, 9}, *places_d;
    unsigned int *order, sum = 0;
    cudaMalloc(&places_d, sizeof places);
    cudaMallocManaged(&order, 40 * sizeof(unsigned int));
    cudaMemcpy(places_d, places, sizeof places, cudaMemcpyHostToDevice);
    locks<<<1, 40>>>(places_d, order);
    cudaMemcpy(places, places_d, sizeof places, cudaMemcpyDeviceToHost);
    for (int k = 0; k < 40; k++)
        sum += order[k] >= k + 1;
    printf("%d %d %d %d\n", places[0], places[1], places[2], sum);
}

// out: 1 2 3 4 ffffffff ff xabcde
// out: 3 5e+200 10
// out: 0.3333333 5e-200 6
// out: 3e+38 2e-201 -404
// out: inf 0.2 2670
// out: 5 3.28983914405012 26002
// out: 0.7009068 5657865129.8787 420511
// out: nan 4.94065645841247e-324 21
// out: 0.125 5e+200 3
// out: 7 40 9 40
