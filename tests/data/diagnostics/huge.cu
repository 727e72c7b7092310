int huge[1000000][1000000]; //~ error
struct big {
    char bytes[3000000000]; //~ error
};

__global__ void k(int *a)
{
    __shared__ int tile[100000][100000]; //~ error
    int own[1 << 30]; //~ error
    tile[0][0] = own[0] = a[0];
}

int main()
{
    return 0;
}
