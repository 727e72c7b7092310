// status: 241
// err: in what the kernel printed
// err: printed_device_string.cu:14

__device__ char text[6] = "hello";

__global__ void kernel()
{
    printf("%s\n", text);
}

int main()
{
    kernel<<<1, 1>>>();
    return 0;
}
