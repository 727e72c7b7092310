// A member has no value, and so has none in copies: passed, returned, assigned, made by a constructor, of a vector.
struct two { int a, b; };

struct made {
    int a, b;
#ifdef FIXED
    __device__ made() : a(1), b(2) {}
#else
    __device__ made() : a(1) {}
#endif
};

__device__ __noinline__ int second(two pair) { return pair.b; }

struct row { int v[4]; };

__device__ __noinline__ two half(int a)
{
    two pair;
    pair.a = a;
#ifdef FIXED
    pair.b = a;
#endif
    return pair;
}

struct inner {
    int a, b;
#ifdef FIXED
    __device__ inner(int a) : a(a), b(a) {}
#else
    __device__ inner(int a) : a(a) {}
#endif
};
struct outer {
    inner in;
    int c;
    __device__ outer(int c) : in(c), c(c) {}
};
__device__ int passed(outer from) { return from.in.a + from.c + from.in.b; }
__device__ int last(outer from) { return passed(from); }

__global__ void copied(int *out, two *pairs)
{
    int t = threadIdx.x;
    two pair;
    pair.a = t;
#ifdef FIXED
    pair.b = t;
#endif
    out[t] = second(pair);
    two other = half(t);
    out[t] += other.b;
    pairs[t] = pair;
    two from_memory = pairs[t];
    out[t] += from_memory.a;
    out[t] += from_memory.b;
    made whole;
    out[t] += whole.b;
    float4 vector;
    vector.x = vector.y = vector.z = 1;
#ifdef FIXED
    vector.w = 1;
#endif
    float4 copy = vector;
    out[t] += (int)copy.z;
    out[t] += (int)copy.w;
    row one, same;
    one.v[0] = t;
#ifdef FIXED
    one.v[3] = t;
#endif
    same = one;
    out[t] += same.v[0];
    out[t] += same.v[3];
    out[t] += last(outer(t));
}

int main()
{
    int *out;
    two *pairs;
    cudaMalloc(&out, 32 * sizeof(int));
    cudaMalloc(&pairs, 32 * sizeof(two));
    copied<<<1, 32>>>(out, pairs);
    cudaFree(out);
    cudaFree(pairs);
}
