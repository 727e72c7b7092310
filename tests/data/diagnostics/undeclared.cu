#include <stdio.h>
#include <math.h>

float average(const float *values, int count)
{
    float total = 0;
    for (int index = 0; index < count; index++)
        total += value[index]; //~ error
    return totl //~ error
           / cuont; //~ error
}

__global__ void scale(float *values, float factor)
{
    int i = blockIdx.x * blockDim.x + threadidx.x; //~ error
    values[i] *= facto; //~ error
    __syncthread(); //~ error
}

int main()
{
    for (int i = 0; i < 3; i++)
        ;
    prinft("%d\n"); //~ error
    printf("%d\n", i); //~ error
    printf("%g\n", sqrtt(2.0)); //~ error
    cudaMaloc(0, 4); //~ error
    return 0;
}
