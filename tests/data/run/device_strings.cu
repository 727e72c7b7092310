// String literals and tables of them in device code, as values, as text of `printf`, and through host and device.
// out: length 6 of strings, first t, middle of table: two
// out: in kernel: two, three, kernel, both sides, b
// out: format chosen 5
// out: 116 111 100 3 98
// out: host: both sides

#include <stdio.h>
#include <string.h>

__device__ const char *table[] = {"one", "two", "three"};
__constant__ const char *const fixed[2] = {"fix", "ed"};
__device__ int numbers[4] = {1, 2, 3, 4};
__device__ int *const third = &numbers[2];
__device__ const char *tail = &"abcdef"[3];

struct entry {
    const char *name;
    int value;
};
__device__ entry entries[2] = {{"first", 1}, {"second", 2}};

__host__ __device__ const char *both() { return "both sides"; }

__device__ int length(const char *text)
{
    int n = 0;
    while (text[n])
        n++;
    return n;
}

__global__ void kernel(int *out, int n)
{
    const char *local[] = {"a", "b"};
    static const char *kept[] = {"t", "n"};
    const char *format = n > 3 ? "format chosen %d\n" : "%d\n";
    const char *name = "string";
    printf("length %d of %ss, first %c, middle of table: %s\n", length(name), name, kept[0][0], table[1]);
    printf("in kernel: %s, %s, %s, %s, %s\n", table[1], table[2], __func__, both(), local[1]);
    printf(format, n);
    out[0] = table[1][0];
    out[1] = fixed[0][0] == 'f' ? 'o' : 0;
    out[2] = *tail;
    out[3] = *third;
    out[4] = local[1][0];
    if (length(entries[1].name) != 6 || entries[0].value != 1)
        out[0] = -1;
}

int main()
{
    int h[5], *d;
    cudaMalloc(&d, sizeof h);
    kernel<<<1, 1>>>(d, 5);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d %d\n", h[0], h[1], h[2], h[3], h[4]);
    printf("host: %s\n", both());
    return strlen(both()) != 10;
}
