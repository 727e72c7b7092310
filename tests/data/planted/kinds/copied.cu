// Every member of a structure has a value before a copy of it is used.
struct pair_of { T a, b; };
struct four { T v[4]; };
struct made_whole {
    T a, b;
    __device__ made_whole(T x) : a(x), b(x) {} // plant R0103: __device__ made_whole(T x) : a(x) {}
};
struct made_temporary {
    T a, b;
    __device__ made_temporary(T x) : a(x), b(x) {} // plant R0103: __device__ made_temporary(T x) : a(x) {}
};

__device__ __noinline__ T rest(made_temporary p) { return p.b; }
__device__ __noinline__ T second(pair_of p) { return p.b; }
__device__ __noinline__ pair_of made(T x)
{
    pair_of p;
    p.a = x;
    p.b = x; // plant R0103:
    return p;
}
__device__ __noinline__ T last(const four &all) { return all.v[3]; }

__global__ void copied(T *out)
{
    int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    pair_of p, q;
    p.a = T(t);
    p.b = T(i); // plant R0103: if (t != LANE) p.b = T(i);
    q = p;
    T sum = second(q);
    pair_of r = made(T(t));
    sum += r.b;
    four f, g;
    f.v[0] = f.v[1] = f.v[2] = T(1);
    f.v[3] = T(t); // plant R0103: if (t == LANE) f.v[0] = T(t);
    g = f;
    sum += last(g);
    made_whole w(T(2)), x = w;
    sum += x.b;
    sum += rest(made_temporary(T(4)));
    float4 u, w4;
    u.x = u.y = u.z = 1;
    u.w = t; // plant R0103: if (t != LANE) u.w = t;
    w4 = u;
    sum += T(w4.w);
    out[i] = sum;
}

int main()
{
    T *out;
    cudaMalloc(&out, BLOCKS * BLOCK * sizeof(T));
    copied<<<BLOCKS, BLOCK>>>(out);
    cudaFree(out);
}
