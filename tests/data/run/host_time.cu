// Simulated time: it starts at nothing and goes on with what is done.
// cc: no
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

__global__ void work(int *p)
{
    for (int i = 0; i < 100; i++)
        p[threadIdx.x] += i;
}

double seconds()
{
    struct timeval t;
    struct timezone zone;
    gettimeofday(&t, &zone);
    return t.tv_sec + t.tv_usec * 1e-6;
}

int main()
{
    double start = seconds();
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    int *p;
    cudaMalloc(&p, 64 * sizeof(int));
    work<<<1, 64>>>(p);
    cudaDeviceSynchronize();
    clock_gettime(CLOCK_MONOTONIC, &after);
    long passed = (after.tv_sec - before.tv_sec) * 1000000000L + after.tv_nsec - before.tv_nsec;
    timeval now;
    gettimeofday(&now, NULL);
    printf("%d %d %ld\n", passed > 0, seconds() >= start, (long)now.tv_sec);
    printf("%zu %zu %g\n", sizeof(struct timeval), sizeof(timespec), difftime(5, 3));
    usleep(1000);
    sleep(1);
    printf("%d %d\n", seconds() - start < 1, getenv("HOME") == NULL);
    srand(time(NULL));
    return 0;
}

// out: 1 1 0
// out: 16 16 2
// out: 1 1
