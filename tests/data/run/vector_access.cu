// Vectors that are read and written as a whole, in each kind of memory, through pointers that only their types align;
// members of which some are read; structures with vectors in them; and overlapping accesses of single members.
#include <stdio.h>

struct Body { float4 position; int2 cells; double weight; };

__device__ int4 table[4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}, {13, 14, 15, 16}};
__constant__ float2 factors[2] = {{0.5f, 2.0f}, {1.5f, 3.0f}};

__device__ void turn(int4 &v) { int first = v.x; v.x = v.y; v.y = v.z; v.z = v.w; v.w = first; }

__device__ float2 scaled(const float2 *of, int at) { return of[at]; }

__global__ void kernel(const float *from, float *to, Body *bodies, double2 *pairs, int n)
{
    __shared__ float4 rows[32];
    int t = threadIdx.x;
    rows[t] = ((const float4 *)from)[t];
    __syncthreads();
    float4 other = rows[(t + 1) % n];
    int4 local[2] = {table[t & 3], make_int4(t, n, 3, 4)};
    turn(local[t & 1]);
    int4 chosen = local[n & 1];
    Body body = bodies[t];
    body.position.x += other.w + chosen.y;
    body.cells.y ^= chosen.z;
    body.weight += scaled(t & 1 ? factors : (const float2 *)from, t & 1).y;
    bodies[t] = body;
    double2 pair = pairs[t];
    pairs[t] = make_double2(pair.y, pair.x + body.weight);
    // A member between two accesses of all, and the address of one that is read again.
    float4 *mine = (float4 *)to + t;
    *mine = make_float4(other.x, t, 0.25f, body.position.x);
    mine->z += other.y;
    float4 again = *mine;
    float2 *half = (float2 *)mine + 1;
    half->y = again.z + again.w;
    *mine = make_float4(mine->w, again.y, half->x, again.x);
    volatile float4 *quiet = (volatile float4 *)mine;
    quiet->y = quiet->x * 2.0f;
}

int main()
{
    const int n = 24;
    float *from, *to;
    Body *bodies;
    double2 *pairs;
    cudaMallocManaged(&from, 16 * n);
    cudaMallocManaged(&to, 16 * n);
    cudaMallocManaged(&bodies, sizeof(Body) * n);
    cudaMallocManaged(&pairs, sizeof(double2) * n);
    for (int i = 0; i < 4 * n; i++) from[i] = i * 0.5f;
    for (int i = 0; i < n; i++) {
        bodies[i].position = make_float4(i, i + 1, i + 2, i + 3);
        bodies[i].cells = make_int2(i * 3, i * 5);
        bodies[i].weight = i * 0.125;
        pairs[i] = make_double2(i, -i);
    }
    kernel<<<1, n>>>(from, to, bodies, pairs, n);
    cudaDeviceSynchronize();
    float sum = 0;
    double weights = 0;
    int cells = 0;
    for (int i = 0; i < 4 * n; i++) sum += to[i] * (i % 7);
    for (int i = 0; i < n; i++) {
        sum += bodies[i].position.x;
        cells += bodies[i].cells.x ^ bodies[i].cells.y * i;
        weights += bodies[i].weight * 3 + pairs[i].x - pairs[i].y * 0.5;
    }
    printf("%g %d %g\n", sum, cells, weights);
    printf("%g %g %g %g\n", to[4], to[5], to[6], to[7]);
    return 0;
}
// out: 19116 21384 -222.75
// out: 17.25 34.5 4.75 4
