// floyd_warshall: shortest ways between all pairs of nodes, through the first nodes only if so many launches are given.
//
// Measured in BCC ("FW" in Table 1, a coherent kernel). Modelled on AMD's sample "FloydWarshall": a launch for each
// node in between, blocks of 16 x 16, with the node passed through kept beside the distance.
//
// Characteristic: a short kernel, launched as often as there are nodes; three coalesced or common loads, and a branch
// on data that few lanes take, ever fewer as the ways get short.
//
// usage: floyd_warshall [nodes] [launches]     (nodes: a multiple of 16; launches: as many as nodes, or fewer)

#include "workload.h"

#define BLOCK 16
#define FAR_AWAY 100000

__global__ void pass_through(int *distance, int *through, int nodes, int k)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int direct = distance[y * nodes + x];
    int around = distance[y * nodes + k] + distance[k * nodes + x];
    if (around < direct) {
        distance[y * nodes + x] = around;
        through[y * nodes + x] = k;
    }
}

int main(int argc, char **argv)
{
    int nodes = argument(argc, argv, 1, 16), launches = argument(argc, argv, 2, nodes), count = nodes * nodes;
    if (nodes % BLOCK || launches > nodes) {
        printf("nodes: a multiple of %d; launches: at most as many\n", BLOCK);
        return 2;
    }
    // Every eighth pair of nodes is connected.
    int *edges = (int *)malloc(count * sizeof(int));
    for (int i = 0; i < count; i++) {
        unsigned int bits = random_bits();
        edges[i] = i % (nodes + 1) == 0 ? 0 : (bits >> 29) == 0 ? 1 + (int)(bits & 0xff) : FAR_AWAY;
    }
    int *distance = to_device(edges, count), *through = device_zeros<int>(count);
    dim3 grid(nodes / BLOCK, nodes / BLOCK), block(BLOCK, BLOCK);
    for (int k = 0; k < launches; k++)
        pass_through<<<grid, block>>>(distance, through, nodes, k);
    CHECK(cudaDeviceSynchronize());
    int *found = to_host(distance, count);

    // The host takes the nearest open node in turn, from some of the nodes.
    int *length = (int *)malloc(nodes * sizeof(int)), *done = (int *)malloc(nodes * sizeof(int));
    int step = 1 + (int)((double)nodes * nodes * nodes / 4e5);
    for (int from = 0; from < nodes; from += step) {
        for (int i = 0; i < nodes; i++) {
            length[i] = edges[from * nodes + i];
            done[i] = 0;
        }
        for (int turn = 0; turn < nodes; turn++) {
            int nearest = -1;
            for (int i = 0; i < nodes; i++)
                if (!done[i] && (nearest < 0 || length[i] < length[nearest]))
                    nearest = i;
            done[nearest] = 1;
            if (nearest >= launches && nearest != from)
                continue;
            for (int i = 0; i < nodes; i++)
                if (length[nearest] + edges[nearest * nodes + i] < length[i])
                    length[i] = length[nearest] + edges[nearest * nodes + i];
        }
        for (int i = 0; i < nodes; i++)
            expect_int("distance", from * nodes + i, length[i], found[from * nodes + i]);
    }
    return verdict("floyd_warshall");
}
