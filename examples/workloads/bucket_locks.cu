// bucket_locks: threads insert keys into a hash table with a lock for each bucket.
// The spin lock of Figure 3.5 of the book on GPU architecture, in the kind of program that needs it; a hash table is
// among the programs with which ElTantawy and Aamodt measured locks on GPUs.
//
// A bucket is a list that grows at its head. Lanes of a warp that have keys of the same bucket spin on its lock, as do
// threads of other warps; lanes whose buckets are free go on. With few buckets there is much contention. Under a
// reconvergence stack a lane that holds a lock waits at the end of the loop for lanes of its warp that wait for the
// lock: it needs forward progress for all lanes, as convergence barriers that yield give.
//
// usage: bucket_locks [keys [buckets]]

#include "workload.h"

#define THREADS 128

__host__ __device__ unsigned bucket_of(unsigned key, int buckets)
{
    return (key * 2654435761u >> 8) % buckets;
}

__global__ void insert(const unsigned *keys, int count, int *locks, int *head, int *next, int *length, int buckets)
{
    int node = blockIdx.x * THREADS + threadIdx.x;
    if (node >= count)
        return;
    unsigned bucket = bucket_of(keys[node], buckets);
    while (atomicCAS(&locks[bucket], 0, 1) != 0)
        ;
    __threadfence();
    // The new node comes first; what the lock guards is read and written without atomic operations.
    volatile int *first = head + bucket, *filled = length + bucket;
    next[node] = *first;
    *first = node;
    *filled = *filled + 1;
    __threadfence();
    atomicExch(&locks[bucket], 0);
}

int main(int argc, char **argv)
{
    int count = argument(argc, argv, 1, 512), buckets = argument(argc, argv, 2, 64);
    unsigned *keys = (unsigned *)malloc(count * sizeof(unsigned));
    for (int i = 0; i < count; i++)
        keys[i] = random_bits();
    unsigned *keys_there = to_device(keys, count);
    int *locks = device_zeros<int>(buckets), *head, *next = device_zeros<int>(count);
    int *length = device_zeros<int>(buckets);
    CHECK(cudaMalloc((void **)&head, buckets * sizeof(int)));
    CHECK(cudaMemset(head, 0xff, buckets * sizeof(int)));
    insert<<<(count + THREADS - 1) / THREADS, THREADS>>>(keys_there, count, locks, head, next, length, buckets);
    CHECK(cudaDeviceSynchronize());

    // Each node is in one list, in that of its key's bucket, and lists are as long as they say.
    int *first = to_host(head, buckets), *after = to_host(next, count), *filled = to_host(length, buckets);
    int *lock = to_host(locks, buckets), *seen = (int *)calloc(count, sizeof(int));
    for (int bucket = 0; bucket < buckets; bucket++) {
        int nodes = 0;
        for (int node = first[bucket]; node >= 0 && nodes <= count; node = after[node]) {
            if (node >= count) {
                expect_int("node in the list of bucket", bucket, -1, node);
                break;
            }
            expect_int("bucket of node", node, bucket, bucket_of(keys[node], buckets));
            seen[node]++;
            nodes++;
        }
        expect_int("length of bucket", bucket, nodes, filled[bucket]);
        expect_int("lock of bucket", bucket, 0, lock[bucket]);
    }
    for (int node = 0; node < count; node++)
        expect_int("lists with node", node, 1, seen[node]);
    CHECK(cudaFree(keys_there));
    CHECK(cudaFree(locks));
    CHECK(cudaFree(head));
    CHECK(cudaFree(next));
    CHECK(cudaFree(length));
    return verdict("bucket_locks");
}
