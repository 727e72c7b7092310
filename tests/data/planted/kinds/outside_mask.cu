// Lanes take values from lanes that their masks name.
__global__ void outside_mask(int *out)
{
    int t = threadIdx.x, lane = t % 32, v = t;
    if (lane < 16) {
        v += __shfl_sync(0x0000ffff, v, LANE % 16); // plant R0105: v += __shfl_sync(0x0000ffff, v, 16 + LANE % 16);
        v += __shfl_xor_sync(0x0000ffff, v, 1 + LANE % 15); // plant R0105: v += __shfl_xor_sync(0x0000ffff, v, 16);
    } else {
        v += __shfl_down_sync(0xffff0000, v, 1 + LANE % 8, 8); // plant R0105: v += __shfl_up_sync(0xffff0000, v, 1 + LANE % 8);
    }
    v += __shfl_down_sync(0xffffffff, v, LANE);
    if (lane < 8)
        v += __shfl_down_sync(0x000000ff, v, 1 + LANE % 4, 8); // plant R0105: v += __shfl_down_sync(0x000000ff, v, 1 + LANE % 4);
    out[blockIdx.x * BLOCK + t] = v;
}

int main()
{
    int *out;
    cudaMalloc(&out, BLOCKS * BLOCK * sizeof(int));
    outside_mask<<<BLOCKS, BLOCK>>>(out);
    cudaFree(out);
}
