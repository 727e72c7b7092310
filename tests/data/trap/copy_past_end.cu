// status: 241
// err: copy_past_end.cu:10
// models: reference

int main()
{
    int host[16];
    int *a;
    cudaMalloc((void **)&a, 10 * sizeof(int));
    cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
    return 0;
}
