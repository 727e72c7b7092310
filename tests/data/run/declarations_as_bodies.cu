// A declaration is a statement, also as the body of an `if` or a loop; g++ agrees.
#include <stdio.h>

int calls = 0;
int next(int by) { calls += by; return calls; }

struct Noisy {
    int id;
    Noisy(int id) : id(id) { printf("+%d ", id); }
    ~Noisy() { printf("-%d ", id); }
};

__global__ void kernel(int *a)
{
    for (int i = 0; i < 3; i++)
        int old = atomicAdd(a, i);
    if (*a > 2)
        int old = atomicAdd(a, 10);
    else
        int old = atomicAdd(a, 20);
}

int main()
{
    for (int i = 0; i < 2; i++)
        Noisy one(i);
    int n = 0;
    do
        int was = n++;
    while (n < 3);
    if (int q = n)
        int of_then = next(q);
    else
        int of_else = next(100);
    while (n--)
        int of_loop = next(n);
    printf("%d %d\n", n, calls);
    int *a;
    cudaMallocManaged(&a, sizeof *a);
    kernel<<<1, 1>>>(a);
    cudaDeviceSynchronize();
    printf("%d\n", *a);
    return 0;
}
// out: +0 -0 +1 -1 -1 6
// out: 13
