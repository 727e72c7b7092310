// status: 241
// err: error[R0006]
// err: this memory has been freed
// err: `data.values`, 64 int, allocated here, and freed since
struct Data {
    int count;
    int *values;
};

__global__ void fill(int *values)
{
    values[threadIdx.x] = threadIdx.x;
}

int main()
{
    Data data;
    cudaMalloc(&data.values, 64 * sizeof(int));
    cudaFree(data.values);
    fill<<<1, 64>>>(data.values);
    cudaDeviceSynchronize();
    return 0;
}
