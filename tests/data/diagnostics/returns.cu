void nothing()
{
    return 1; //~ error
}

int something()
{
    return; //~ error
}

__global__ int kernel_value(int *a) //~ error
{
    return 1;
}

__global__ void kernel(int *a)
{
    return a[0]; //~ error
}

int main()
{
    int x = nothing(); //~ error
    (void)x;
    return something();
}
