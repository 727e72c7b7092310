// Dissertation, Figure 4.20, from the source to what the machine counts; `tests/data/analysis/dissertation_4_20.cu` has the
// compiler's answers line by line. Two warps each execute two branches. The one on `tid.x` is programmatic, and parts the warp
// that thread 0 is of. The one on the loaded word is on data; lanes 0 and 1 of both warps load what does not pass, so that it
// parts both. The last one is none: the immediate value has cleared `r2`, and it is decided when it is compiled.
// machine: tiny
// set: sm.warp-width=32 sm.warps=16
// expect: programmatic_branches == 2
// expect: divergent_programmatic_branches == 1
// expect: data_branches == 2
// expect: divergent_data_branches == 2

__global__ void example(const int *g_data, int *out)
{
    int r2 = threadIdx.x;
    if (r2 == 0)
        atomicAdd(&out[64], 1);
    int r5 = g_data[r2];
    if (r5 > 1)
        atomicAdd(&out[65], 2);
    r2 = 100;
    if (r2 > 1)
        out[threadIdx.x] = r5;
}

int main()
{
    int host[64], *data, *out;
    for (int i = 0; i < 64; i++)
        host[i] = i % 32;
    cudaMalloc((void **)&data, sizeof(host));
    cudaMalloc((void **)&out, 68 * sizeof(int));
    cudaMemcpy(data, host, sizeof(host), cudaMemcpyHostToDevice);
    example<<<1, 64>>>(data, out);
    cudaDeviceSynchronize();
}
