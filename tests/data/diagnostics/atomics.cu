// Atomics on types that have none.
__global__ void k(size_t *size, long long *wide, short *narrow, double *real)
{
    atomicMax(size, 1); //~ error: does not take
    atomicAdd(wide, 1); //~ error
    atomicCAS(narrow, 0, 1); //~ error
    atomicExch(real, 1.0); //~ error
    atomicMax((unsigned long long *)size, 1);
}
