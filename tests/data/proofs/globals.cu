// proved add 2 of 2
// Variables of the program, structures of two numbers, which are stored at once.

struct Pair { int low, high; };
__device__ Pair pairs[128];
__device__ int values[128];

__global__ void add() {
    int i = threadIdx.x;
    pairs[i].low = values[i];
    pairs[i].high = 1;
}

int main() {
    add<<<1, 128>>>();
    cudaDeviceSynchronize();
    return 0;
}
