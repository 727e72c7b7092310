// Volatile objects in functions: local variables, parameters, members, arrays, vectors, bit-fields, references and
// pointers to them, constants, copies. Each access is made; the values are those that the others would have.
#include <stdio.h>

struct Mixed {
    int plain;
    volatile int kept;
    volatile short pair[2];
    volatile unsigned low : 3, high : 5;
};

struct Made {
    volatile float value;
    int count;
    __host__ __device__ Made(float v) : value(v), count(1) {}
    __host__ __device__ float next() { count++; return value = value * 2; }
};

union Either {
    volatile int word;
    unsigned char bytes[4];
};

__host__ __device__ int passed(volatile int n, volatile Mixed whole, const volatile int &other)
{
    n += other;
    whole.kept += n;
    return n + whole.kept + whole.pair[1];
}

template <typename T> __host__ __device__ int templated(T start)
{
    T value = start;
    for (int i = 0; i < 3; i++)
        value = value + i;
    return value;
}

__host__ __device__ int all(int x)
{
    volatile int sink;
    for (volatile int i = 0; i < 4; i++)
        sink = i * x;
    volatile int rows[2][3] = {{1, 2, 3}, {x}};
    volatile int *p = &rows[1][1];
    *p++ = x + 1;
    *p = x + 2;
    const volatile int five = 5;
    volatile bool truth = x > 2;
    volatile double wide = x / 4.0;
    volatile long long big = (long long)x << 33;
    Mixed m = {1, 2, {3, 4}, 5, 6}, copy = m;
    volatile Mixed v = m;
    copy.kept++;
    v.pair[0] += copy.kept;
    m.high = v.pair[0];
    Made made(1.5f);
    made.next();
    Made again = made;
    again.next();
    Either either;
    either.word = 0x01020304;
    volatile int &name = sink;
    name++;
    auto kept = [name]() { return name + 1; };
    sink;
    (void)sink;
    int total = sink + rows[0][2] + rows[1][0] + rows[1][1] + rows[1][2] + five + truth;
    total += (int)(wide * 8) + (int)(big >> 33) + copy.kept + v.pair[0] + m.high + m.low;
    total += (int)made.value + (int)again.value + again.count + either.bytes[1] + kept();
    total += passed(x, m, five) + templated<volatile int>(x) + templated<int>(x);
    return truth ? total : -total;
}

__global__ void kernel(int *out, volatile int scale, volatile Mixed whole)
{
    whole.kept++;
    scale = scale * 2;
    volatile float4 four = {1, 2, 3, 4};
    four.y = four.x + threadIdx.x;
    out[threadIdx.x] = all(threadIdx.x) + scale + whole.kept + (int)(four.y + four.w);
}

int main()
{
    int *out;
    Mixed whole = {0, 7, {0, 0}, 0, 0};
    cudaMallocManaged(&out, 8 * sizeof(int));
    kernel<<<1, 8>>>(out, 10, whole);
    cudaDeviceSynchronize();
    int same = 0;
    for (int x = 0; x < 8; x++)
        same += out[x] == all(x) + 20 + 8 + (int)(x + 5.0f);
    printf("%d %d %d\n", same, all(1), all(7));
    return 0;
}

// out: 8 -87 184
