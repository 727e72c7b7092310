// Bytes of one word are different places; a short that reaches over two of them is not.
__global__ void bytes(char *c)
{
    int t = threadIdx.x + blockIdx.x * blockDim.x;
#ifdef FIXED
    c[t] = t;
#else
    if (t % 2 == 0)
        *(short *)&c[t] = t;
    else
        c[t] = t;
#endif
}

int main()
{
    char *c;
    cudaMalloc(&c, 128);
    bytes<<<2, 64>>>(c);
    cudaFree(c);
}
