// Several kernels, launched from loops and from host functions; copies between device buffers.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 40

__global__ void step(const int *from, int *to, int n, int round)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int left = i > 0 ? from[i - 1] : 0;
    int right = i + 1 < n ? from[i + 1] : 0;
    to[i] = (left + from[i] + right + round) % 1000;
}

__global__ void fill(int *a, int n, int value)
{
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x)
        a[i] = value + i;
}

__global__ void nothing() {}

__global__ void add(int *a, const int *b, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        a[i] += b[i];
}

static void smooth(int **a, int **b, int rounds, dim3 block)
{
    dim3 grid((N + block.x - 1) / block.x);
    for (int r = 0; r < rounds; r++) {
        step<<<grid, block>>>(*a, *b, N, r);
        int *t = *a;
        *a = *b;
        *b = t;
    }
}

static void show(const int *device)
{
    int *host = (int *)malloc(N * sizeof(int));
    cudaMemcpy(host, device, N * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        printf("%d%c", host[i], i == N - 1 ? '\n' : ' ');
    free(host);
}

int main()
{
    int *a, *b;
    size_t bytes = N * sizeof(int);
    cudaMalloc((void **)&a, bytes);
    cudaMalloc((void **)&b, bytes);
    fill<<<2, 8>>>(a, N, 5);
    show(a);
    smooth(&a, &b, 5, dim3(16));
    show(a);
    smooth(&a, &b, 4, 7);
    show(a);
    cudaMemcpy(b, a, bytes, cudaMemcpyDeviceToDevice);
    cudaMemcpy(b + 10, a, 5 * sizeof(int), cudaMemcpyDeviceToDevice);
    nothing<<<100, 1>>>();
    show(b);
    cudaMemset(a, 1, bytes / 2);
    cudaMemset(a + N / 2, 0, bytes / 2);
    add<<<1, 32>>>(a, b, N);
    cudaDeviceSynchronize();
    show(a);
    cudaFree(b);
    for (int i = 0; i < 20; i++) {
        cudaMalloc((void **)&b, (i + 40) * 1000);
        fill<<<1, 32>>>(b, N + i, i);
        add<<<1, 32>>>(a, b, N);
        cudaFree(b);
    }
    show(a);
    printf("%d %s\n", cudaGetLastError(), cudaGetErrorString(cudaSuccess));
    int device = -1, count = 0;
    printf("%d\n", cudaGetDeviceCount(&count) == cudaSuccess && count == 1 && cudaSetDevice(0) == cudaSuccess && device);
    cudaFree(a);
    cudaFree(NULL);
    return cudaDeviceReset();
}

// out: 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44
// out: 660 221 650 974 241 488 731 974 217 460 703 946 189 432 675 918 161 404 647 890 133 376 619 862 105 348 591 834 77 320 563 806 49 292 535 733 706 48 260 110
// out: 591 507 521 408 456 471 968 868 591 278 961 644 327 10 693 376 59 742 425 108 791 474 157 840 523 206 889 572 255 938 621 259 492 744 372 353 535 138 312 111
// out: 591 507 521 408 456 471 968 868 591 278 591 507 521 408 456 376 59 742 425 108 791 474 157 840 523 206 889 572 255 938 621 259 492 744 372 353 535 138 312 111
// out: 16843600 16843516 16843530 16843417 16843465 16843480 16843977 16843877 16843600 16843287 16843600 16843516 16843530 16843417 16843465 16843385 16843068 16843751 16843434 16843117 791 474 157 840 523 206 889 572 255 938 621 259 492 744 372 353 535 138 312 111
// out: 16843790 16843726 16843760 16843667 16843735 16843770 16844287 16844207 16843950 16843657 16843990 16843926 16843960 16843867 16843935 16843875 16843578 16844281 16843984 16843687 1381 1084 787 1490 1193 896 1599 1302 1005 1708 1411 1069 1322 1594 1242 1243 1445 1068 1262 1081
// out: 0 no error
// out: 1
