// CUDA's primitives of pipelines, <cuda_pipeline.h>: asynchronous copies from global to shared memory, and the waits of a thread
// for its own groups of them. `__pipeline_arrive_on` needs barriers in memory, and is missing.

// Copies `size` bytes, 4, 8 or 16; the last `zeros` of them are zeros, which are not read.
__device__ inline void __pipeline_memcpy_async(void *to, const void *from, size_t size, size_t zeros = 0) {
    unsigned at = (unsigned) __cvta_generic_to_shared(to);
    unsigned long long source = (unsigned long long) from;
    unsigned count = (unsigned) (size - zeros);
    switch (size) {
    case 4:
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" : : "r"(at), "l"(source), "r"(count) : "memory");
        break;
    case 8:
        asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" : : "r"(at), "l"(source), "r"(count) : "memory");
        break;
    case 16:
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" : : "r"(at), "l"(source), "r"(count) : "memory");
        break;
    default:
        __trap();
    }
}

// Ends the thread's group of copies.
__device__ inline void __pipeline_commit() {
    asm volatile("cp.async.commit_group;" : : : "memory");
}

// Waits for all of the thread's groups but the `count` last ones; more than eight count as eight, as in CUDA.
__device__ inline void __pipeline_wait_prior(size_t count) {
    switch (count) {
    case 0: asm volatile("cp.async.wait_group 0;" : : : "memory"); break;
    case 1: asm volatile("cp.async.wait_group 1;" : : : "memory"); break;
    case 2: asm volatile("cp.async.wait_group 2;" : : : "memory"); break;
    case 3: asm volatile("cp.async.wait_group 3;" : : : "memory"); break;
    case 4: asm volatile("cp.async.wait_group 4;" : : : "memory"); break;
    case 5: asm volatile("cp.async.wait_group 5;" : : : "memory"); break;
    case 6: asm volatile("cp.async.wait_group 6;" : : : "memory"); break;
    case 7: asm volatile("cp.async.wait_group 7;" : : : "memory"); break;
    default: asm volatile("cp.async.wait_group 8;" : : : "memory"); break;
    }
}
