// status: 241
// err: the string at
// err: in what the kernel printed
// err: printed_device_string.cu:16

__global__ void kernel()
{
    __shared__ char text[6];
    text[0] = 'a';
    printf("%s\n", text);
}

int main()
{
    // Shared memory is gone when what a kernel printed becomes text.
    kernel<<<1, 1>>>();
    return 0;
}
