// Destructors in device code: guards of counters in divergent code, temporaries, arrays, and results by value.
#include <stdio.h>

struct Guard {
    int *count;
    int amount;
    __host__ __device__ Guard(int *count, int amount) : count(count), amount(amount) { *count += amount; }
    __host__ __device__ ~Guard() { *count -= amount; }
};

struct Trail {
    int *log;
    int digit;
    __device__ Trail(int *log, int digit) : log(log), digit(digit) {}
    __device__ Trail(const Trail &other) : log(other.log), digit(other.digit + 1) {}
    __device__ ~Trail() { *log = *log * 10 + digit; }
    __device__ int value() const { return digit; }
};

struct Both {
    Trail first, second;
    __device__ Both(int *log, int digit) : first(log, digit), second(log, digit + 1) {}
    __device__ ~Both() { *first.log = *first.log * 10; }
};

__device__ Trail made(int *log, int digit) { return Trail(log, digit); }
__device__ int taken(Trail by_value) { return by_value.digit; }

// How deep the guards were where each lane left.
__device__ int leave(int *count, int lane)
{
    Guard a(count, 1);
    if (lane % 4 == 0)
        return *count;
    for (int i = 0; i < lane; i++) {
        Guard b(count, 10);
        if (i == 2)
            continue;
        if (i == 5)
            break;
        Guard c(count, 100);
        if (i == 7 - lane % 3)
            return *count;
    }
    if (lane % 2) {
        Guard d(count, 1000);
        goto out;
    }
    {
        Guard e(count, 10000);
        return *count;
    }
out:
    Guard f(count, 100000);
    return *count;
}

__global__ void guards(int *counts, int *seen)
{
    const int lane = threadIdx.x;
    counts[lane] = 0;
    seen[lane] = leave(&counts[lane], lane);
}

__global__ void trails(int *logs, int *seen)
{
    const int lane = threadIdx.x;
    int log = 0;
    {
        Trail one(&log, 1), two(&log, 2);
        if (lane & 1)
            Trail(&log, 3);
        int sum = made(&log, 4).value() + (lane & 2 ? made(&log, 5).value() : 0);
        const Trail &kept = made(&log, 6);
        seen[lane] = sum + taken(two) + kept.digit;
    }
    logs[lane] = log;
    log = 0;
    {
        Trail row[3] = {Trail(&log, 1), Trail(&log, 2), Trail(&log, 3)};
        Both both(&log, 4);
        for (int i = 0; i < (lane & 3); i++) {
            Trail each(&log, 6 + i);
        }
        switch (lane & 3) {
        case 0: {
            Trail in(&log, 9);
            break;
        }
        case 1:
            log++;
        default:
            break;
        }
    }
    logs[lane + 32] = log;
}

int main()
{
    int *logs, *seen;
    cudaMallocManaged(&logs, 64 * sizeof(int));
    cudaMallocManaged(&seen, 32 * sizeof(int));
    guards<<<1, 32>>>(logs, seen);
    cudaDeviceSynchronize();
    int open = 0;
    for (int i = 0; i < 32; i++)
        open += logs[i];
    printf("open %d\n", open);
    for (int i = 0; i < 12; i++) {
        printf("%d ", seen[i]);
    }
    printf("\n");
    trails<<<1, 32>>>(logs, seen);
    cudaDeviceSynchronize();
    for (int i = 0; i < 4; i++)
        printf("%d %d %d\n", logs[i], logs[i + 32], seen[i]);
    int count = 5;
    {
        Guard host(&count, 2);
        printf("%d ", count);
    }
    printf("%d\n", count);
}

// out: open 0
// out: 1 100001 10001 100001 1 100001 10001 100001 1 100001 10001 100001
// out: 43621 9054321 13
// out: 343621 7054321 13
// out: 543621 67054321 18
// out: 3543621 678054321 18
// out: 7 5
