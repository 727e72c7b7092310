// Shared memory: one and two dimensions, several types, extern, nested blocks, device functions.
#include <stdio.h>

struct cell {
    int key;
    float weight;
};

__device__ int rotate(int *tile, int n, int by) { return tile[(threadIdx.x + by) % n]; }

__device__ void store(volatile int *where, int value) { *where = value; }

__global__ void transpose(const int *in, int *out)
{
    __shared__ int tile[4][5];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = in[y * 4 + x];
    __syncthreads();
    out[y * 4 + x] = tile[x][y];
}

__global__ void mixed(int *out)
{
    __shared__ char letters[7];
    __shared__ double exact[16];
    __shared__ short words[16];
    __shared__ struct cell cells[16];
    __shared__ bool flags[16];
    __shared__ int last;
    int t = threadIdx.x;
    if (t < 7)
        letters[t] = 'a' + t;
    exact[t] = t * 0.5;
    words[t] = -t;
    cells[t].key = t * t;
    cells[t].weight = t / 4.0f;
    flags[t] = t % 3;
    if (t == 15)
        last = 1000;
    __syncthreads();
    int o = 15 - t;
    out[t] = letters[o % 7] + (int)(exact[o] * 2) + words[o] * 10 + cells[o].key + (int)(cells[o].weight * 4) +
             flags[o] * 10000 + last;
    struct cell copy = cells[o];
    {
        __shared__ int inner[16];
        inner[o] = copy.key;
        __syncthreads();
        out[16 + t] = rotate(inner, 16, 3);
    }
}

__global__ void dynamic(int *out, int n)
{
    extern __shared__ int pool[];
    __shared__ int fixed[2];
    float *floats = (float *)(pool + n);
    unsigned char *bytes = (unsigned char *)&floats[n];
    int t = threadIdx.x;
    pool[t] = t;
    floats[t] = t * 1.5f;
    bytes[t] = 250 + t;
    if (t < 2)
        fixed[t] = 100 + t;
    __syncthreads();
    int o = (t + 5) % n;
    store(&pool[t], out[t] + pool[t]);
    __syncthreads();
    out[t] = pool[o] + (int)floats[o] * 1000 + bytes[o] * 100000 + fixed[o & 1];
}

int main()
{
    int host[32];
    for (int i = 0; i < 32; i++)
        host[i] = i;
    int *in, *out;
    cudaMalloc((void **)&in, sizeof host);
    cudaMalloc((void **)&out, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    transpose<<<1, dim3(4, 4)>>>(in, out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 16; i++)
        printf("%d%c", host[i], i == 15 ? '\n' : ' ');
    mixed<<<1, 16>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++)
        printf("%d%c", host[i], i % 16 == 15 ? '\n' : ' ');
    for (int n = 8; n <= 24; n += 8) {
        cudaMemset(out, 0, sizeof host);
        dynamic<<<1, n, n * (sizeof(int) + sizeof(float) + 1)>>>(out, n);
        cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
        for (int i = 0; i < n; i++)
            printf("%d%c", host[i], i == n - 1 ? '\n' : ' ');
    }
    return 0;
}

// out: 0 4 8 12 1 5 9 13 2 6 10 14 3 7 11 15
// out: 1203 11181 11168 1150 11134 11120 1108 11098 11090 1091 11087 11085 1085 11087 11091 1097
// out: 9 16 25 36 49 64 81 100 121 144 169 196 225 0 1 4
// out: 25507106 9106 110108 25000100 25101102 25203102 25304104 25406104
// out: 25507106 9106 110108 212108 313110 415110 516112 618112 719114 821114 922116 25000100 25101102 25203102 25304104 25406104
// out: 25507106 9106 110108 212108 313110 415110 516112 618112 719114 821114 922116 1024116 1125118 1227118 1328120 1430120 1531122 1633122 1734124 25000100 25101102 25203102 25304104 25406104
