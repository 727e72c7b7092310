// Lanes leave a loop with a barrier at different iterations: those that have left wait after the loop for the
// others. Each warp counts once per iteration where barriers count warps, as before Volta.
// out: 1880 13160

#include <stdio.h>

__global__ void climb(int *out)
{
    __shared__ int steps[80];
    int x = threadIdx.x;
    steps[x] = 0;
    for (int i = 0; i <= x % 7 * 5; i++) {
        steps[x]++;
        if (x % 2 == 0)
            steps[x]++;
        __syncthreads();
        out[x] += i;
    }
    atomicAdd(&out[80], steps[x]);
    atomicAdd(&out[81], out[x]);
}

int main()
{
    int *cells;
    int host[82];
    cudaMalloc((void **)&cells, sizeof(host));
    cudaMemset(cells, 0, sizeof(host));
    climb<<<1, 80>>>(cells);
    cudaDeviceSynchronize();
    cudaMemcpy(host, cells, sizeof(host), cudaMemcpyDeviceToHost);
    printf("%d %d\n", host[80], host[81]);
    return 0;
}
