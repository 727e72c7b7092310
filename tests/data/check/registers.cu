// Variables that would be in registers: set on one side, before a loop, in a function, a member of a structure, and in a loop
// where each iteration has its own. Copies of whole structures are no reads.
struct Pair {
    int first;
    bool second;
};

__device__ int part(int n)
{
    int found;
#ifdef FIXED
    found = 0;
#endif
    if (n > 20)
        found = n;
    return found;
}

__global__ void registers(int *out, int n)
{
    int t = threadIdx.x;
#ifdef FIXED
    int side = 0;
    long long sum = 0;
    Pair pair = {};
#else
    int side;
    long long sum;
    Pair pair;
#endif
    if (t < n)
        side = 2 * t;
    pair.first = t;
    if (n > 31)
        pair.second = true;
    Pair copy = pair;
    float zeroes[6] = {0.5f};
    for (int i = 0; i < n; i++) {
        int own[3], last;
#ifdef FIXED
        last = own[0] = own[1] = own[2] = 0;
#endif
        if (i == 0)
            last = own[n % 3] = t;
        sum += last;
        sum -= own[n % 3];
    }
    out[t] = zeroes[n % 6] + side + (int)sum + copy.first + pair.second + part(t);
}

int main()
{
    int *out;
    cudaMalloc(&out, 32 * sizeof(int));
    registers<<<1, 32>>>(out, 4);
    cudaFree(out);
}
