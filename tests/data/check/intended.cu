// The guide's loop of compare and swap reads its first value as it is.
__global__ void intended(unsigned long long *at)
{
#ifdef FIXED
    unsigned long long old = *at, seen; // check: ignore R0101, R0110
#else
    unsigned long long old = *at, seen;
#endif
    do {
        seen = old;
        old = atomicCAS(at, seen, seen + 1);
    } while (seen != old);
}

int main()
{
    unsigned long long *at;
    cudaMalloc(&at, sizeof *at);
    cudaMemset(at, 0, sizeof *at);
    intended<<<2, 32>>>(at);
    cudaFree(at);
}
