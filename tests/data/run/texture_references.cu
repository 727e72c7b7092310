// References to textures: binding, element types, addressing, fetches in device functions and templates.
// options: --cuda 11
#include <stdio.h>

texture<int> whole;
texture<uchar4, 1, cudaReadModeNormalizedFloat> colours;
texture<short2, cudaTextureType1D, cudaReadModeNormalizedFloat> pairs;
static texture<float, 2, cudaReadModeElementType> image;
texture<unsigned char, 2> rows;
texture<float4, 1, cudaReadModeElementType> wide;

__device__ float at(float x, float y) { return tex2D(image, x, y); }
template <class T> __device__ T twice(int i) { return (T)(2 * tex1Dfetch(whole, i)); }

__global__ void indexed(int *out, float4 *fractions, float2 *two)
{
    int i = threadIdx.x;
    out[i] = tex1Dfetch(whole, i - 1) + twice<short>(i);
    if (i < 3) {
        fractions[i] = tex1Dfetch(colours, i);
        two[i] = tex1Dfetch(pairs, i);
    }
    fractions[3] = tex1D(wide, 1.75f);
}

__global__ void placed(float *out, float x, float y) { out[threadIdx.x] = at(x + threadIdx.x, y); }
__global__ void scaled(float *out) { out[threadIdx.x] = at(((int)threadIdx.x - 4) / 4.0f + 0.1f, 0.75f); }
__global__ void bytes(float *out) { out[threadIdx.x] = tex2D(rows, threadIdx.x, 2); }

float *out;

void show(const char *what)
{
    float h[12];
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%s:", what);
    for (int i = 0; i < 12; i++)
        printf(" %g", h[i]);
    printf("\n");
}

int main()
{
    int numbers[4] = {1, 20, 300, 4000}, sums[6], *d_numbers, *d_sums;
    uchar4 bright[3] = {{0, 51, 102, 255}, {1, 2, 3, 4}, {255, 255, 0, 0}}, *d_bright;
    short2 signs[3] = {{32767, -32768}, {0, -32767}, {16384, 1}}, *d_signs;
    float4 fours[2] = {{1, 2, 3, 4}, {5, 6, 7, 8}}, *d_fours, fractions[4], *d_fractions;
    float2 two[3], *d_two;
    cudaMalloc(&d_numbers, sizeof numbers);
    cudaMalloc(&d_sums, sizeof sums);
    cudaMalloc(&d_bright, sizeof bright);
    cudaMalloc(&d_signs, sizeof signs);
    cudaMalloc(&d_fours, sizeof fours);
    cudaMalloc(&d_fractions, sizeof fractions);
    cudaMalloc(&d_two, sizeof two);
    cudaMalloc(&out, 12 * sizeof(float));
    cudaMemcpy(d_numbers, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    cudaMemcpy(d_bright, bright, sizeof bright, cudaMemcpyHostToDevice);
    cudaMemcpy(d_signs, signs, sizeof signs, cudaMemcpyHostToDevice);
    cudaMemcpy(d_fours, fours, sizeof fours, cudaMemcpyHostToDevice);

    // Beyond the end of what is bound is zero.
    size_t offset = 7;
    printf("%d", cudaBindTexture(&offset, whole, d_numbers, sizeof numbers));
    printf(" %zu\n", offset);
    cudaBindTexture(0, colours, d_bright);
    cudaChannelFormatDesc pair = cudaCreateChannelDesc<short2>();
    cudaBindTexture(NULL, pairs, d_signs, pair, sizeof signs);
    cudaChannelFormatDesc four = cudaCreateChannelDesc(32, 32, 32, 32, cudaChannelFormatKindFloat);
    cudaBindTexture(NULL, wide, d_fours, four, sizeof fours);
    indexed<<<1, 6>>>(d_sums, d_fractions, d_two);
    cudaMemcpy(sums, d_sums, sizeof sums, cudaMemcpyDeviceToHost);
    cudaMemcpy(fractions, d_fractions, sizeof fractions, cudaMemcpyDeviceToHost);
    cudaMemcpy(two, d_two, sizeof two, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 6; i++)
        printf("%d ", sums[i]);
    printf("\n");
    for (int i = 0; i < 4; i++)
        printf("%g %g %g %g\n", fractions[i].x, fractions[i].y, fractions[i].z, fractions[i].w);
    for (int i = 0; i < 3; i++)
        printf("%g %g\n", two[i].x, two[i].y);

    float pixels[8] = {0, 1, 2, 3, 10, 11, 12, 13}, part[2] = {7, 8}, all[8];
    cudaArray *array;
    cudaChannelFormatDesc one = cudaCreateChannelDesc<float>();
    cudaMallocArray(&array, &one, 4, 2);
    cudaMemcpyToArray(array, 0, 0, pixels, sizeof pixels, cudaMemcpyHostToDevice);
    cudaMemcpy2DToArray(array, 8, 0, part, 4, 4, 2, cudaMemcpyHostToDevice);
    cudaMemcpyFromArray(all, array, 0, 0, sizeof all, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8; i++)
        printf("%g ", all[i]);
    printf("%d\n", cudaMemcpyToArray(array, 4, 1, pixels, 16, cudaMemcpyHostToDevice));
    printf("%d %d\n", image.normalized, image.addressMode[1] == cudaAddressModeClamp);
    cudaBindTextureToArray(image, array, one);
    placed<<<1, 12>>>(out, -2.5f, 5);
    show("clamp");
    image.addressMode[0] = image.addressMode[1] = cudaAddressModeBorder;
    cudaBindTextureToArray(image, array);
    placed<<<1, 12>>>(out, -2, 1.5f);
    show("border");
    image.normalized = true;
    scaled<<<1, 12>>>(out);
    show("scaled border");
    image.addressMode[0] = cudaAddressModeWrap;
    image.addressMode[1] = cudaAddressModeMirror;
    scaled<<<1, 12>>>(out);
    show("wrap");
    image.addressMode[0] = cudaAddressModeMirror;
    scaled<<<1, 12>>>(out);
    show("mirror");

    unsigned char lines[4][12], *d_lines;
    for (int i = 0; i < 48; i++)
        lines[i / 12][i % 12] = i;
    size_t pitch;
    cudaMallocPitch(&d_lines, &pitch, 12, 4);
    cudaMemcpy2D(d_lines, pitch, lines, 12, 12, 4, cudaMemcpyHostToDevice);
    rows.addressMode[0] = cudaAddressModeClamp;
    cudaBindTexture2D(NULL, rows, d_lines, cudaCreateChannelDesc<unsigned char>(), 10, 4, pitch);
    bytes<<<1, 12>>>(out);
    show("rows");
    image.filterMode = cudaFilterModeLinear;
    printf("%d\n", cudaBindTextureToArray(image, array));
    printf("%d %d\n", cudaUnbindTexture(rows), cudaFreeArray(array));
}

// out: 0 0
// out: 2 41 620 8300 4000 0
// out: 0 0.2 0.4 1
// out: 0.00392157 0.00784314 0.0117647 0.0156863
// out: 1 1 0 0
// out: 5 6 7 8
// out: 1 -1
// out: 0 -1
// out: 0.500015 3.05185e-05
// out: 0 1 7 3 10 11 8 13 1
// out: 0 1
// out: clamp: 10 10 10 10 11 8 13 13 13 13 13 13
// out: border: 0 0 10 11 8 13 0 0 0 0 0 0
// out: scaled border: 0 0 0 0 10 11 8 13 0 0 0 0
// out: wrap: 10 11 8 13 10 11 8 13 10 11 8 13
// out: mirror: 13 8 11 10 10 11 8 13 13 8 11 10
// out: rows: 24 25 26 27 28 29 30 31 32 33 33 33
// out: 801
// out: 0 0
