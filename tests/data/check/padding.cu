// Structures with padding and unions are copied within memory: what no member has is copied too, and is not meant to be read. A
// member that has no value is.
struct Pair { int a; long long b; };
struct Packet { char kind; short length; union { char c; long long l; } value; char end; };

__global__ void swap(Pair *pairs, Packet *packets, int i, int j)
{
    Pair local[4];
    int t = threadIdx.x;
    pairs[t].a = t;
    pairs[t].b = t * 3;
    packets[t].kind = 1;
    packets[t].length = (short)t;
    packets[t].value.c = 'c';
#ifdef FIXED
    packets[t].end = 0;
#endif
    __syncthreads();
    for (int k = 0; k < 4; k++) {
        local[k].a = k + t;
        local[k].b = pairs[(t + k) % 32].b;
    }
    Pair kept = local[i];
    local[i] = local[j];
    local[j] = kept;
    __syncthreads();
    pairs[t] = local[(i + t) % 4];
    packets[32 + t] = packets[t];
    pairs[t].a += packets[32 + t].end;
}

int main()
{
    Pair *pairs;
    Packet *packets;
    cudaMalloc(&pairs, 32 * sizeof(Pair));
    cudaMalloc(&packets, 64 * sizeof(Packet));
    swap<<<1, 32>>>(pairs, packets, 1, 3);
    cudaFree(pairs);
    cudaFree(packets);
    return cudaDeviceSynchronize();
}
