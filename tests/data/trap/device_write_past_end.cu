// status: 241
// err: error[R0005]
// err: fill
// err: block (0,1,0)
// err: thread (1,1,0)
// err: device_write_past_end.cu:11
// err: `a`, 7 short, allocated here
__global__ void fill(short *a, int width)
{
    int x = threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    a[y * width + x] = x * y;
}

int main()
{
    short *a;
    cudaMalloc((void **)&a, 7 * sizeof(short));
    fill<<<dim3(1, 2), dim3(2, 2)>>>(a, 2);
    cudaDeviceSynchronize();
    return 0;
}
