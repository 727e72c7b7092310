// Where it pays, as far as the compiler can tell.

// The loop follows data: what could be moved is before and behind it.
__global__ void follows_data(const unsigned *starts, int *counts, int number)
{
    int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= number)
        return;
    unsigned value = starts[index];
    int steps = 0;
    while (value > 1 && steps < 500) {
        if (value % 2 != 0)
            value = value * 3 + 1;
        else
            value /= 2;
        ++steps;
    }
    counts[index] = steps;
}

// Without a loop, what is before and behind is all there is.
__global__ void once(const float *from, float *to, int number)
{
    int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index < number)
        to[index] = expf(logf(from[index]) * 0.5f) + sinf(from[index]) * cosf(from[index]);
}

// Of this loop a part is moved.
__global__ void counts_rounds(const float *from, float *to, int number)
{
    int index = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int round = 0; round < number; ++round)
        sum = sum * sum + sqrtf(sum + 0.25f) - sum / (sum + 2.0f);
    to[index] = sum + from[index];
}

// The affine stream executes more for a block than its one warp saves.
__global__ void for_one_warp(const float *from, float *to, int number)
{
    int at = threadIdx.x;
    for (int round = 0; round < number; ++round) {
        atomicAdd(&to[(int)from[at]], 1.0f / from[at + 1]);
    }
}

// The same for blocks of more warps.
__global__ void for_many_warps(const float *from, float *to, int number)
{
    int at = threadIdx.x;
    for (int round = 0; round < number; ++round) {
        atomicAdd(&to[(int)from[at]], 1.0f / from[at + 1]);
    }
}

int main()
{
    for_one_warp<<<1, 32>>>(nullptr, nullptr, 0);
    for_many_warps<<<1, 512>>>(nullptr, nullptr, 0);
}
