// Parts of a warp make one call at four places, each with a mask of two of the parts. Schemes that regroup threads need
// all lanes of a mask at one place.
// out: 32

#include <stdio.h>

__global__ void pairs(int *out)
{
    const int lane = threadIdx.x, quarter = lane / 8;
    const unsigned mask = quarter % 2 ? 0xff00ff00 : 0x00ff00ff;
    int sum = 0;
    switch (quarter) {
    case 0: sum = __shfl_xor_sync(mask, lane, 16); break;
    case 1: sum = __shfl_xor_sync(mask, lane, 16); break;
    case 2: sum = __shfl_xor_sync(mask, lane + 1, 16); break;
    default: sum = __shfl_xor_sync(mask, lane + 1, 16); break;
    }
    out[lane] = sum;
}

int main()
{
    int *out, right = 0;
    cudaMallocManaged(&out, 32 * sizeof(int));
    pairs<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    for (int lane = 0; lane < 32; lane++)
        right += out[lane] == (lane < 16 ? lane + 17 : lane - 16);
    printf("%d\n", right);
    return 0;
}
