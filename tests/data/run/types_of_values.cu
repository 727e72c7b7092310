// `decltype`, `typeof`, `alignof`, compound literals, range-based `for`.
#include <stdio.h>
struct __align__(16) wide { float x; };
struct pair { int a; float b; };
enum class side { LEFT, RIGHT };
template <class T> __host__ __device__ T twice(T x) { return 2 * x; }
__host__ __device__ float first(pair p) { return p.a + p.b; }

__global__ void k(int *out, const short *in, int n)
{
    __shared__ alignas(alignof(float4)) int tile[4];
    decltype(n) a = in[0];
    decltype(in) next = in + 1;
    decltype(a * 2.5f) half = a / 2.0f;
    decltype(pair::b) b = 1.5f;
    pair p = {1, 2};
    decltype(p.a) c = 7;
    typeof(in[0]) d = 40000;
    __typeof__(unsigned char) e = 200;
    for (int &x : tile)
        x = a++;
    int sum = 0;
    for (auto x : tile) {
        if (x == 4)
            continue;
        sum += x;
    }
    int grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
    for (auto &row : grid)
        for (const int x : row)
            sum += 100 * x;
    out[0] = sum;
    out[1] = sizeof(half) + 10 * sizeof(d) + 100 * sizeof e + next[0];
    out[2] = b * 2 + c + d;
    out[3] = alignof(wide) + alignof(double) * 100 + __alignof__(p) * 10000;
    out[4] = first((pair){3, 0.5f}) * 2 + ((dim3){4, 5, 6}).y + (int){3};
    float4 v = (float4){1, 2, 3, 4};
    out[5] = v.w + (float2){5, 6}.y;
    out[6] = (int)side::RIGHT;
}

int main()
{
    int *out;
    short *in;
    cudaMallocManaged(&out, 7 * sizeof(int));
    cudaMallocManaged(&in, 2 * sizeof(short));
    in[0] = 3;
    in[1] = 4;
    k<<<1, 1>>>(out, in, 1);
    cudaDeviceSynchronize();
    for (int i = 0; i < 7; i++)
        printf("%d ", out[i]);
    decltype(twice(1.5)) t = twice(1.5);
    const char *words[] = {"one", "two"};
    for (const char *word : words)
        printf("%s ", word);
    printf("%g\n", t);
    return 0;
}

// out: 2114 128 -25526 40816 15 10 1 one two 3
