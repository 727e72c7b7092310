// status: 241
// machines: gtx480
// err: the kernel prints more than 16 MiB
// err: too_much_printed.cu:9

__global__ void kernel()
{
    for (int i = 0; i < 1000000; i++)
        printf("%f %f %f %f %f %f %f %f\n", 1., 2., 3., 4., 5., 6., 7., 8.);
}

int main()
{
    kernel<<<1, 32>>>();
    return 0;
}
