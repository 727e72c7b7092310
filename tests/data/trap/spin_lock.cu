// A spin lock among the lanes of one warp: on a SIMT stack the lanes that wait keep the owner from
// running on to the release.
// status: 242
// err: kernel 'count'
// err: spin_lock.cu
// models: functional timing

__global__ void count(int *mutex, int *counter)
{
    while (atomicCAS(mutex, 0, 1) != 0)
        ;
    *counter = *counter + 1;
    atomicExch(mutex, 0);
}

int main()
{
    int *cells;
    cudaMalloc((void **)&cells, 2 * sizeof(int));
    count<<<1, 4>>>(cells, cells + 1);
    cudaDeviceSynchronize();
    return 0;
}
