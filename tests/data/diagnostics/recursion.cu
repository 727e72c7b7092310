__device__ int factorial(int n) //~ error
{
    return n < 2 ? 1 : n * factorial(n - 1);
}

__device__ int odd(int n);
__device__ int even(int n) { return n == 0 ? 1 : odd(n - 1); }
__device__ int odd(int n) { return n == 0 ? 0 : even(n - 1); } //~ error

int host_factorial(int n) { return n < 2 ? 1 : n * host_factorial(n - 1); }

__global__ void k(int *a)
{
    a[0] = factorial(a[1]) + even(a[2]);
}

int main()
{
    k<<<1, 1>>>(0);
    return host_factorial(3);
}
