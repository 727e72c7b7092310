// Structures in global memory, as kernel parameters by value, as locals and as results in kernels.
#include <stdio.h>

struct item {
    int key;
    float weight;
    char tag;
};

typedef struct {
    struct item *items;
    int count;
    struct {
        short low;
        double high;
    } range;
    unsigned char mask[3];
} work;

typedef struct vec {
    float x, y, z;
} vec;

__device__ vec add(vec a, vec b)
{
    vec r;
    r.x = a.x + b.x;
    r.y = a.y + b.y;
    r.z = a.z + b.z;
    return r;
}

__device__ vec scaled(vec v, float by)
{
    v.x *= by;
    v.y *= by;
    v.z *= by;
    return v;
}

__device__ float dot(const vec *a, const vec *b) { return a->x * b->x + a->y * b->y + a->z * b->z; }

__host__ __device__ int weigh(struct item i) { return i.key * 2 + (int)i.weight + i.tag; }

__global__ void process(work w, int *out)
{
    int t = threadIdx.x;
    if (t >= w.count)
        return;
    struct item *mine = &w.items[t];
    mine->key += w.mask[t % 3];
    mine->weight = mine->weight * 2 + w.range.low;
    mine->tag--;
    if (mine->weight > w.range.high)
        w.count = 0;
    struct item copy = *mine;
    copy.key = -copy.key;
    out[t] = weigh(copy) + w.count;
}

__global__ void vectors(const vec *in, vec *out, float *lengths, vec offset)
{
    int t = threadIdx.x;
    vec sum = offset;
    for (int i = 0; i <= t; i++)
        sum = add(sum, scaled(in[i], 0.5f));
    out[t] = sum;
    vec pair[2] = {sum, in[t]};
    vec chosen = t % 2 ? pair[0] : pair[1];
    pair[t & 1].z = 0;
    lengths[t] = dot(&pair[0], &pair[1]) + chosen.x;
}

int main()
{
    struct item items[6];
    for (int i = 0; i < 6; i++) {
        items[i].key = 10 * i;
        items[i].weight = i * 0.75f;
        items[i].tag = 'a' + i;
    }
    work w;
    w.count = 5;
    w.range.low = -1;
    w.range.high = 4.5;
    for (int i = 0; i < 3; i++)
        w.mask[i] = 255 - i;
    int host[6], *out;
    cudaMalloc((void **)&w.items, sizeof items);
    cudaMalloc((void **)&out, sizeof host);
    cudaMemset(out, 0, sizeof host);
    cudaMemcpy(w.items, items, sizeof items, cudaMemcpyHostToDevice);
    process<<<1, 8>>>(w, out);
    cudaMemcpy(items, w.items, sizeof items, cudaMemcpyDeviceToHost);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 6; i++)
        printf("%d %g %c %d %d\n", items[i].key, items[i].weight, items[i].tag, host[i], weigh(items[i]));
    printf("%d\n", w.count);

    vec v[5], offset = {100, 200, 300}, *in, *sums;
    float lengths[5], *dlengths;
    for (int i = 0; i < 5; i++) {
        v[i].x = i;
        v[i].y = i * i;
        v[i].z = 1;
    }
    cudaMalloc((void **)&in, sizeof v);
    cudaMalloc((void **)&sums, sizeof v);
    cudaMalloc((void **)&dlengths, sizeof lengths);
    cudaMemcpy(in, v, sizeof v, cudaMemcpyHostToDevice);
    vectors<<<1, 5>>>(in, sums, dlengths, offset);
    cudaMemcpy(v, sums, sizeof v, cudaMemcpyDeviceToHost);
    cudaMemcpy(lengths, dlengths, sizeof lengths, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 5; i++)
        printf("%g %g %g %g\n", v[i].x, v[i].y, v[i].z, lengths[i]);
    return 0;
}

// out: 255 -1 ` -410 605
// out: 264 0.5 a -426 625
// out: 273 2 b -441 646
// out: 285 3.5 c -463 672
// out: 294 5 d -483 693
// out: 50 3.75 f 0 205
// out: 5
// out: 100 200 300.5 0
// out: 100.5 200.5 301 401.5
// out: 101.5 202.5 301.5 1015
// out: 103 207 302 2275
// out: 105 215 302.5 3864
