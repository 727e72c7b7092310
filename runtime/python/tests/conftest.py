"""What tests share."""

from pathlib import Path

import pytest

import reconverge

ROOT = Path(__file__).resolve().parents[3]

KERNELS = r"""
__global__ void axpy(float *y, const float *x, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] += a * x[i];
}

struct Pair { int count; double value; };

__global__ void pairs(Pair *all, Pair add)
{
    all[threadIdx.x].count += add.count;
    all[threadIdx.x].value += add.value;
}

__global__ void vectors(float4 *all, float4 by)
{
    all[threadIdx.x].x += by.x;
    all[threadIdx.x].w += by.w;
}

__global__ void numbers(long long *out, bool a, char b, unsigned char c, short d, unsigned int e, long long f,
                        unsigned long long g, double h)
{
    out[0] = a, out[1] = b, out[2] = c, out[3] = d, out[4] = e, out[5] = f, out[6] = (long long)g, out[7] = (long long)h;
}

__constant__ float weights[4];
__device__ int counter;

__global__ void weighted(float *out)
{
    out[threadIdx.x] = weights[threadIdx.x];
    atomicAdd(&counter, 1);
}

__global__ void anything(void *bytes, int n)
{
    for (int i = 0; i < n; i++)
        ((unsigned char *)bytes)[i]++;
}

__global__ void says(int n)
{
    printf("thread %d of %d\n", threadIdx.x, n);
}

__global__ void nothing() {}

__global__ void beyond(int *x)
{
    if (threadIdx.x == 3)
        x[threadIdx.x + 100] = 1;
}

__global__ void hangs(int *x)
{
    while (x[0] == 0)
        x[1]++;
}

__global__ void races(int *x)
{
    __shared__ int sum;
    sum = threadIdx.x;
    x[0] = sum;
}
"""


@pytest.fixture(scope="session")
def kernels() -> reconverge.Module:
    return reconverge.compile(KERNELS, name="kernels.cu")
