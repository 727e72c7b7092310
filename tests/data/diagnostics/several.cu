// Independent faults: all are found in one go.
#include <stdio.h>

#define AREA(w, h) ((w) * (h))

struct box {
    int w, h;
};

__device__ int area(struct box b)
{
    return AREA(b.w); //~ error
}

__global__ void k(struct box *boxes, int n, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < m) { //~ error
        out[i] = area(boxes[i] //~ error
    }
}

int main(int argc, char **argv)
{
    struct box b = {1, 2};
    int n = b.depth; //~ error
    float *p = &n; //~ error
    k<<<1, 32>>>(&b, n); //~ error
    printf("%d\n", n) //~ error
    for (int i = 0; i < n; i++)
        const int j = i; j++; //~ error
    return "done"; //~ error
}
