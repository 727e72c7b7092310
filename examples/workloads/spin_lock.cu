// spin_lock: the threads of a block take turns in a section that one lock guards.
// Figure 3.5 of the book on GPU architecture (after ElTantawy and Aamodt): SIMT deadlock.
//
// All lanes of a warp spin on the same lock. The one that has it leaves the loop and waits at the reconvergence point
// for the others, which wait for it to release the lock: under a reconvergence stack none ever goes on, and the run
// ends with the report of a deadlock or livelock. It needs forward progress for all lanes, as convergence barriers
// that yield give.
//
// usage: spin_lock [blocks [threads of a block [turns of a thread]]]

#include "workload.h"

// What the lock guards: how often a thread has been there, and a number that shows if two were there at once.
struct Guarded {
    int turns;
    unsigned mixed;
};

__global__ void take_turns(int *mutexes, Guarded *guarded, int turns)
{
    int *mutex = mutexes + blockIdx.x;
    volatile Guarded *mine = guarded + blockIdx.x;
    if (threadIdx.x == 0)
        *mutex = 0;                             // A
    __syncthreads();
    for (int turn = 0; turn < turns; turn++) {
        while (atomicCAS(mutex, 0, 1) != 0)     // B
            ;
        __threadfence();
        // The critical section: loads and stores that are not atomic.
        int before = mine->turns;
        unsigned mixed = mine->mixed;
        mine->mixed = mixed * 5 + 1;
        mine->turns = before + 1;
        __threadfence();
        atomicExch(mutex, 0);                   // C
    }
}

int main(int argc, char **argv)
{
    int blocks = argument(argc, argv, 1, 1), threads = argument(argc, argv, 2, 32);
    int turns = argument(argc, argv, 3, 1), expected = threads * turns;
    int *mutexes;
    CHECK(cudaMalloc((void **)&mutexes, blocks * sizeof(int)));
    Guarded *guarded = device_zeros<Guarded>(blocks);
    take_turns<<<blocks, threads>>>(mutexes, guarded, turns);
    CHECK(cudaDeviceSynchronize());
    Guarded *found = to_host(guarded, blocks);
    unsigned mixed = 0;
    for (int i = 0; i < expected; i++)
        mixed = mixed * 5 + 1;
    for (int i = 0; i < blocks; i++) {
        expect_int("turns in block", i, expected, found[i].turns);
        expect_int("mixed number of block", i, mixed, found[i].mixed);
    }
    int *locks = to_host(mutexes, blocks);
    for (int i = 0; i < blocks; i++)
        expect_int("lock of block", i, 0, locks[i]);
    CHECK(cudaFree(mutexes));
    CHECK(cudaFree(guarded));
    return verdict("spin_lock");
}
