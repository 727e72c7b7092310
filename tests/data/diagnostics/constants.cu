int n = 4;
const int five = 5;
int fixed[five * 2 + sizeof(int)];
int count() { return 3; }
__device__ int on_device = n; //~ error
enum { BAD = n }; //~ error

void f(int m)
{
    int a[m]; //~ error
    int b[five];
    int c[-1]; //~ error
    int d[2.5]; //~ error
    int e[0]; //~ error
    (void)a; (void)b; (void)c; (void)d; (void)e;
}

__global__ void k(int m)
{
    __shared__ int tile[m]; //~ error
    tile[0] = 1;
}

int main()
{
    f(1);
    return fixed[0];
}

__device__ int *before = &defined_below; //~ error
extern __device__ int later;
__device__ int *not_placed = &later; //~ error
__device__ int later = 1;
__device__ int *itself = (int *)&itself; //~ error
