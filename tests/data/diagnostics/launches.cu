__global__ void k(int *a, float f)
{
    a[0] = (int)f;
}

struct point {
    int x;
};

int main()
{
    struct point p = {1};
    int *a = 0;
    float *wrong = 0;
    k<<<1>>>(a, 1.0f); //~ error
    k<<<>>>(a, 1.0f); //~ error
    k<<<1, 2, 3, 4, 5>>>(a, 1.0f); //~ error
    k<<<p, 1>>>(a, 1.0f); //~ error
    k<<<1, a>>>(a, 1.0f); //~ error
    k<<<dim3(1, 2), 32, 16, 0>>>(a, 1);
    k<<<1, 1>>>(wrong, 1.0f); //~ error
    k<<<1, 1>>>(a, a); //~ error
    missing<<<1, 1>>>(a); //~ error
    int x = k<<<1, 1>>>(a, 1.0f); //~ error
    return x;
}
