// status: 241
// err: device_pointer_on_host.cu:10
// err: device
// models: reference

int main()
{
    int *a;
    cudaMalloc((void **)&a, 64);
    a[3] = 5;
    return 0;
}
