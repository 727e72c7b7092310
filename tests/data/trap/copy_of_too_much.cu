// A number of bytes that comes of a negative one: nearly all that 64 bits can say.
// status: 241
// err: copy_of_too_much.cu:11
// err: out-of-bounds

int main()
{
    int host[4], *data;
    cudaMalloc(&data, sizeof host);
    int n = -4;
    cudaMemcpy(host, data, n, cudaMemcpyDeviceToHost);
    return 0;
}
