__device__ float scale(float x);
__device__ int scale(float x) { return 1; } //~ error

int count(int a);
int count(int a);
int count(int a) { return a; }

void later(int a);
__global__ void later(int a) {} //~ error

int main()
{
    return count(1);
}
