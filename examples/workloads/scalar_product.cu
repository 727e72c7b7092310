// scalar_product: scalar products of pairs of vectors, as the CUDA SDK's scalarProd: a block takes one pair after
// another; its threads add up products with a stride of 1024 into accumulators in shared memory, which a tree adds up.
//
// Measured by: dissertation chapter 5 (Table 5.4, SPROD: 25 M instructions, 3.99 sectors of a line used).
// Characteristic: coalesced loads that stream by, all sectors of a line used once. Blocks of 256, 128 of them.
//
// usage: scalar_product [pairs [elements [blocks]]]

#include "workload.h"

const int BLOCK = 256, ACCUMULATORS = 1024;

__global__ void scalar_product(float *out, const float *a, const float *b, int pairs, int elements)
{
    __shared__ float accumulator[ACCUMULATORS];
    for (int pair = blockIdx.x; pair < pairs; pair += gridDim.x) {
        int first = elements * pair, end = first + elements;
        for (int i = threadIdx.x; i < ACCUMULATORS; i += blockDim.x) {
            float sum = 0;
            for (int at = first + i; at < end; at += ACCUMULATORS)
                sum += a[at] * b[at];
            accumulator[i] = sum;
        }
        for (int stride = ACCUMULATORS / 2; stride > 0; stride >>= 1) {
            __syncthreads();
            for (int i = threadIdx.x; i < stride; i += blockDim.x)
                accumulator[i] += accumulator[stride + i];
        }
        if (threadIdx.x == 0)
            out[pair] = accumulator[0];
        // The next pair's sums must not be there before the first element is read.
        __syncthreads();
    }
}

int main(int argc, char **argv)
{
    int pairs = argument(argc, argv, 1, 64), elements = argument(argc, argv, 2, 4096),
        blocks = argument(argc, argv, 3, 128);
    int count = pairs * elements;
    float *a = (float *)malloc(count * sizeof(float)), *b = (float *)malloc(count * sizeof(float));
    for (int i = 0; i < count; i++) {
        a[i] = random_unit();
        b[i] = random_unit();
    }
    float *d_a = to_device(a, count), *d_b = to_device(b, count), *d_out = device_zeros<float>(pairs);
    scalar_product<<<blocks, BLOCK>>>(d_out, d_a, d_b, pairs, elements);
    printf("scalar_product: %d pairs of %d elements\n", pairs, elements);

    float *found = to_host(d_out, pairs);
    int step = count / 1000000 + 1;
    for (int pair = 0; pair < pairs; pair += step) {
        double sum = 0;
        for (int i = 0; i < elements; i++)
            sum += (double)a[pair * elements + i] * b[pair * elements + i];
        expect_float("product of pair", pair, sum, found[pair], 1e-5);
    }
    return verdict("scalar_product");
}
