// status: 241
// err: trap
// err: thread (3,0,0)
// err: asked_for.cu:9

__global__ void kernel(int n)
{
    if (threadIdx.x == n)
        __trap();
}

int main()
{
    kernel<<<1, 8>>>(3);
    cudaDeviceSynchronize();
    return 0;
}
