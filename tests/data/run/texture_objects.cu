// Texture objects: of linear memory, of rows with a pitch, of arrays.
#include <cuda_runtime.h>
#include <stdio.h>

template <typename T> struct reader {
    cudaTextureObject_t texture;
    __device__ T operator()(int i) const { return tex1Dfetch<T>(texture, i); }
};

__global__ void kernel(reader<int> numbers, cudaTextureObject_t rows, cudaTextureObject_t levels, float *out)
{
    int i = threadIdx.x;
    float *to = out + 4 * i;
    to[0] = numbers(i);
    float2 two = tex2D<float2>(rows, i, 1);
    to[1] = two.x + 100 * two.y;
    tex2D(&to[2], levels, (i + 0.5f) / 4, 0.0f);
    to[3] = tex2D<float2>(rows, i + 2, 0.0f).x + tex2D<float2>(rows, i + 2, 1).x;
}

__global__ void read(cudaTextureObject_t levels, cudaTextureObject_t *table, float *out)
{
    int i = threadIdx.x;
    out[2 * i] = tex2D<float>(levels, (i - 1.5f) / 4, 0.9f);
    out[2 * i + 1] = tex1Dfetch<int>(table[i % 2], i);
}

int main()
{
    int numbers[4] = {1, 2, 3, 4}, others[4] = {5, 6, 7, 8}, *d_numbers, *d_others;
    cudaMalloc(&d_numbers, sizeof numbers);
    cudaMalloc(&d_others, sizeof others);
    cudaMemcpy(d_numbers, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    cudaMemcpy(d_others, others, sizeof others, cudaMemcpyHostToDevice);

    cudaResourceDesc resource;
    memset(&resource, 0, sizeof(resource));
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = d_numbers;
    resource.res.linear.desc = cudaCreateChannelDesc<int>();
    resource.res.linear.sizeInBytes = sizeof numbers;
    cudaTextureDesc description = {};
    description.readMode = cudaReadModeElementType;
    cudaTextureObject_t table[2], *d_table;
    printf("%d", cudaCreateTextureObject(&table[0], &resource, &description, NULL));
    resource.res.linear.devPtr = d_others;
    printf(" %d", cudaCreateTextureObject(&table[1], &resource, &description, NULL));
    cudaMalloc(&d_table, sizeof table);
    cudaMemcpy(d_table, table, sizeof table, cudaMemcpyHostToDevice);

    float2 pairs[2][4] = {{}, {{1, 2}, {3, 4}, {5, 6}, {7, 8}}};
    void *d_pairs;
    size_t pitch;
    cudaMallocPitch(&d_pairs, &pitch, sizeof pairs[0], 2);
    cudaMemcpy2D(d_pairs, pitch, pairs, sizeof pairs[0], sizeof pairs[0], 2, cudaMemcpyHostToDevice);
    cudaResourceDesc rows = {};
    rows.resType = cudaResourceTypePitch2D;
    rows.res.pitch2D.devPtr = d_pairs;
    rows.res.pitch2D.desc = cudaCreateChannelDesc<float2>();
    rows.res.pitch2D.width = 4;
    rows.res.pitch2D.height = 2;
    rows.res.pitch2D.pitchInBytes = pitch;
    description.addressMode[0] = cudaAddressModeBorder;
    cudaTextureObject_t of_rows;
    printf(" %d", cudaCreateTextureObject(&of_rows, &rows, &description, NULL));

    unsigned short steps[8] = {0, 13107, 26214, 65535, 65535, 0, 0, 13107};
    cudaArray_t array;
    cudaChannelFormatDesc step = cudaCreateChannelDesc<unsigned short>();
    cudaMallocArray(&array, &step, 4, 2);
    cudaMemcpy2DToArray(array, 0, 0, steps, 8, 8, 2, cudaMemcpyHostToDevice);
    cudaResourceDesc levels = {};
    levels.resType = cudaResourceTypeArray;
    levels.res.array.array = array;
    description.addressMode[0] = description.addressMode[1] = cudaAddressModeWrap;
    description.normalizedCoords = 1;
    description.readMode = cudaReadModeNormalizedFloat;
    cudaTextureObject_t of_levels;
    printf(" %d\n", cudaCreateTextureObject(&of_levels, &levels, &description, NULL));

    float out[16], *d_out;
    cudaMalloc(&d_out, sizeof out);
    reader<int> first = {table[0]};
    kernel<<<1, 4>>>(first, of_rows, of_levels, d_out);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 16; i++)
        printf("%g%c", out[i], i % 4 == 3 ? '\n' : ' ');
    read<<<1, 8>>>(of_levels, d_table, d_out);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 16; i++)
        printf("%g%c", out[i], i % 8 == 7 ? '\n' : ' ');

    cudaResourceDesc back;
    cudaGetTextureObjectResourceDesc(&back, of_rows);
    printf("%d %zu\n", back.resType == cudaResourceTypePitch2D, back.res.pitch2D.width);
    description.filterMode = cudaFilterModeLinear;
    printf("%d\n", cudaCreateTextureObject(&of_levels, &levels, &description, NULL));
    printf("%d %d\n", cudaDestroyTextureObject(of_rows), cudaDestroyTextureObject(table[0]));
}

// out: 0 0 0 0
// out: 1 201 0 5
// out: 2 403 0.2 7
// out: 3 605 0.4 0
// out: 4 807 1 0
// out: 0 1 0.2 6 1 3 0 8
// out: 0 0 0.2 0 1 0 0 0
// out: 1 4
// out: 801
// out: 0 0
