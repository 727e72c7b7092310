// A warp fills shared memory again before another warp has read it.
__global__ void counted_barrier(int *out)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    for (int i = 0; i < 3; i++) {
        if (t < 32) {
            s[t] = t * i;
            asm volatile("bar.sync 1, 64;" ::: "memory");
#ifdef FIXED
            asm volatile("bar.sync 2, 64;" ::: "memory");
#endif
        } else {
            asm volatile("bar.sync 1, 64;" ::: "memory");
            out[t - 32] += s[63 - t];
#ifdef FIXED
            asm volatile("bar.arrive 2, 64;" ::: "memory");
#endif
        }
    }
}

int main()
{
    int *out;
    cudaMalloc(&out, 32 * sizeof(int));
    cudaMemset(out, 0, 32 * sizeof(int));
    counted_barrier<<<1, 64>>>(out);
    cudaFree(out);
}
