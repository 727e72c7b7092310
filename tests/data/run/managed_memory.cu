// Memory that host and device see at one address.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
    int value;
    struct node *next;
};

__managed__ int counter = 5;
__device__ __managed__ float weights[3] = {0.5f, 1.5f};

__global__ void walk(struct node *list)
{
    for (struct node *n = list; n; n = n->next) {
        n->value *= 2;
        counter++;
    }
    weights[2] = weights[0] + weights[1];
}

int main()
{
    struct node *nodes;
    cudaMallocManaged(&nodes, 4 * sizeof(struct node));
    for (int i = 0; i < 4; i++) {
        nodes[i].value = i + 1;
        nodes[i].next = i < 3 ? &nodes[i + 1] : NULL;
    }
    counter *= 2;
    walk<<<1, 1>>>(nodes);
    cudaDeviceSynchronize();
    for (struct node *n = nodes; n; n = n->next)
        printf("%d ", n->value);
    struct node copy = nodes[2];
    printf("%d %g %d\n", counter, weights[2], copy.value);

    char *text;
    cudaHostAlloc((void **)&text, 32, cudaHostAllocMapped);
    strcpy(text, "pinned");
    char *seen;
    cudaHostGetDevicePointer((void **)&seen, text, 0);
    char *device, back[32];
    cudaMalloc(&device, 32);
    cudaMemcpy(device, text, 32, cudaMemcpyHostToDevice);
    cudaMemcpy(back, device, 32, cudaMemcpyDeviceToHost);
    memset(text, 'x', 3);
    printf("%s %s %d\n", back, text, seen == text);
    printf("%d %d\n", cudaFreeHost(text), cudaFree(nodes));
    int plain[4];
    printf("%d %d\n", cudaHostRegister(plain, sizeof plain, cudaHostRegisterDefault),
        cudaHostUnregister(plain));
    return 0;
}

// out: 2 4 6 8 14 2 6
// out: pinned xxxned 1
// out: 0 0
// out: 0 0
