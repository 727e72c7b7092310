// The group of all threads of a cooperative launch.

#ifndef RECONVERGE_GRID_GROUP_H
#define RECONVERGE_GRID_GROUP_H

#include <cuda_runtime.h>

#if defined(__CUDA__) && defined(__cplusplus)

// The blocks that have arrived at the grid's barrier. The highest bit changes when all have; then the others are zero again.
static __device__ unsigned int __grid_arrivals;

namespace cooperative_groups {

struct grid_group {
    // Blocks wait for each other in memory, so all of them must be resident: `cudaLaunchCooperativeKernel` checks it.
    static __device__ void sync()
    {
        const unsigned int all = 0x80000000u;
        __syncthreads();
        if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0) {
            bool is_first = blockIdx.x == 0 && blockIdx.y == 0 && blockIdx.z == 0;
            __threadfence();
            unsigned int before = atomicAdd(&__grid_arrivals, is_first ? all - ((unsigned int)num_blocks() - 1) : 1u);
            while (((before ^ *(volatile unsigned int *)&__grid_arrivals) & all) == 0) {
            }
            __threadfence();
        }
        __syncthreads();
    }
    static __device__ bool is_valid() { return true; }
    static __device__ unsigned long long num_blocks()
    {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    static __device__ unsigned long long block_rank()
    {
        return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    static __device__ unsigned long long num_threads()
    {
        return num_blocks() * (blockDim.x * blockDim.y * blockDim.z);
    }
    static __device__ unsigned long long size() { return num_threads(); }
    static __device__ unsigned long long thread_rank()
    {
        unsigned int own = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
        return block_rank() * (blockDim.x * blockDim.y * blockDim.z) + own;
    }
    static __device__ dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
    static __device__ dim3 dim_blocks() { return group_dim(); }
    static __device__ dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
};

static inline __device__ grid_group this_grid()
{
    grid_group grid;
    return grid;
}

}

#endif

#endif
