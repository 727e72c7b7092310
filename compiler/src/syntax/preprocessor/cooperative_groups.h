// Groups of threads: a block, and tiles of a block's warps.

namespace cooperative_groups {

struct thread_block {
    static __device__ void sync() { __syncthreads(); }
    static __device__ unsigned int thread_rank()
    {
        return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    }
    static __device__ unsigned int num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
    static __device__ unsigned int size() { return num_threads(); }
    static __device__ dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    static __device__ dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
    static __device__ dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
    static __device__ dim3 dim_threads() { return group_dim(); }
};

static inline __device__ thread_block this_thread_block()
{
    thread_block block;
    return block;
}

// The lanes of a warp that hold a tile of `size` threads, and the lowest of them.
static inline __device__ unsigned int __tile_shift(unsigned int size)
{
    return thread_block::thread_rank() % warpSize & ~(size - 1);
}

static inline __device__ unsigned int __tile_mask(unsigned int size)
{
    return size >= 32 ? ~0u : ((1u << size) - 1) << __tile_shift(size);
}

// A group of any kind: a tile of `__size` threads, or the block, of which that is 0.
struct thread_group {
    unsigned int __size;
    __device__ thread_group(unsigned int size = 0) : __size(size) {}
    __device__ thread_group(const thread_block &block) : __size(0) {}
    __device__ void sync() const
    {
        if (__size == 0)
            __syncthreads();
        else
            __syncwarp(__tile_mask(__size));
    }
    __device__ unsigned int thread_rank() const
    {
        return __size == 0 ? thread_block::thread_rank() : thread_block::thread_rank() % __size;
    }
    __device__ unsigned int num_threads() const { return __size == 0 ? thread_block::num_threads() : __size; }
    __device__ unsigned int size() const { return num_threads(); }
};

template <unsigned int count> struct thread_block_tile {
    static_assert(count > 0 && count <= 32 && (count & (count - 1)) == 0, "a tile has a power of two of threads, at most 32");
    unsigned int __meta_rank, __meta_size;
    __device__ void sync() const { __syncwarp(__tile_mask(count)); }
    __device__ unsigned int thread_rank() const { return thread_block::thread_rank() % count; }
    __device__ unsigned int num_threads() const { return count; }
    __device__ unsigned int size() const { return count; }
    __device__ unsigned int meta_group_rank() const { return __meta_rank; }
    __device__ unsigned int meta_group_size() const { return __meta_size; }
    __device__ operator thread_group() const { return thread_group(count); }

    template <class T> __device__ T shfl(T value, int from) const
    {
        return __shfl_sync(__tile_mask(count), value, from, count);
    }
    template <class T> __device__ T shfl_up(T value, unsigned int by) const
    {
        return __shfl_up_sync(__tile_mask(count), value, by, count);
    }
    template <class T> __device__ T shfl_down(T value, unsigned int by) const
    {
        return __shfl_down_sync(__tile_mask(count), value, by, count);
    }
    template <class T> __device__ T shfl_xor(T value, unsigned int by) const
    {
        return __shfl_xor_sync(__tile_mask(count), value, by, count);
    }
    __device__ unsigned int ballot(int truth) const
    {
        const unsigned int mask = __tile_mask(count);
        return (__ballot_sync(mask, truth) & mask) >> __tile_shift(count);
    }
    __device__ int any(int truth) const { return ballot(truth) != 0; }
    __device__ int all(int truth) const { return ballot(!truth) == 0; }
};

template <unsigned int count> __device__ thread_block_tile<count> tiled_partition(const thread_block &block)
{
    const bool tile_fits_into_warp = count <= warpSize;
    assert(tile_fits_into_warp);
    thread_block_tile<count> tile;
    tile.__meta_rank = thread_block::thread_rank() / count;
    tile.__meta_size = (thread_block::num_threads() + count - 1) / count;
    return tile;
}

template <unsigned int count, unsigned int parent>
__device__ thread_block_tile<count> tiled_partition(const thread_block_tile<parent> &whole)
{
    static_assert(count <= parent, "a tile is not larger than what it is a part of");
    thread_block_tile<count> tile;
    tile.__meta_rank = thread_block::thread_rank() % parent / count;
    tile.__meta_size = parent / count;
    return tile;
}

static inline __device__ thread_group tiled_partition(const thread_group &whole, unsigned int size)
{
    const bool tile_fits_into_warp = size <= warpSize && (size & (size - 1)) == 0;
    assert(tile_fits_into_warp);
    return thread_group(size);
}

// What `reduce` puts together, two at a time.
template <class T> struct plus { __device__ T operator()(T a, T b) const { return a + b; } };
template <class T> struct less { __device__ T operator()(T a, T b) const { return b < a ? b : a; } };
template <class T> struct greater { __device__ T operator()(T a, T b) const { return a < b ? b : a; } };
template <class T> struct bit_and { __device__ T operator()(T a, T b) const { return a & b; } };
template <class T> struct bit_or { __device__ T operator()(T a, T b) const { return a | b; } };
template <class T> struct bit_xor { __device__ T operator()(T a, T b) const { return a ^ b; } };

template <unsigned int count, class T, class F>
__device__ T reduce(const thread_block_tile<count> &tile, T value, F op)
{
    for (unsigned int by = count / 2; by > 0; by /= 2)
        value = op(value, tile.shfl_xor(value, by));
    return value;
}

template <class G> __device__ void sync(const G &group) { group.sync(); }
template <class G> __device__ unsigned int thread_rank(const G &group) { return group.thread_rank(); }
template <class G> __device__ unsigned int group_size(const G &group) { return group.size(); }

}
