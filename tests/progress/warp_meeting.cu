// Three paths of a warp meet at a warp operation, and the last to arrive is the one that parted first.
// Block-wide stacks trap, because these paths have no reconvergence point.
// out: 567 5121 644 2822 579 6321 1840 2434

#include <stdio.h>

__global__ void meet(const int *in, int *out)
{
    int lane = threadIdx.x, value = 0;
    switch (lane & 3) {
    case 1:
    case 2:
        value = in[in[lane] & 31] * 3;
        break;
    case 3:
        value = in[lane] + 7;
        break;
    default:
        // No lane leaves here, but the paths have no point where all of them reconverge.
        if (in[lane] < 0)
            return;
        value = 5;
    }
    unsigned same = __match_any_sync(~0u, value & 1);
    out[lane] = value * 100 + __popc(same) + __shfl_xor_sync(~0u, value, 1);
}

int main()
{
    int numbers[32], *in, *out;
    for (int i = 0; i < 32; i++)
        numbers[i] = i * 7 % 32;
    cudaMalloc(&in, sizeof(numbers));
    cudaMalloc(&out, sizeof(numbers));
    cudaMemcpy(in, numbers, sizeof(numbers), cudaMemcpyHostToDevice);
    meet<<<1, 32>>>(in, out);
    cudaMemcpy(numbers, out, sizeof(numbers), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8; i++)
        printf(i < 7 ? "%d " : "%d\n", numbers[i]);
    cudaFree(in);
    cudaFree(out);
}
