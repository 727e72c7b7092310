// Files from disk, relative to the including file; guards; headers that are supplied.
#include <assert.h>
#include <cuda.h>
#include <cuda_runtime.h>
#include <float.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define OFFSET 5
#include "include/helper.h"
#include "include/helper.h"
#include "include/deeper/constants.h"

__global__ void use(int *out) { out[threadIdx.x] = helper(threadIdx.x); }

int main()
{
    int host[4], *out;
    cudaMalloc((void **)&out, sizeof host);
    use<<<1, 4>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d %d\n", host[0], host[1], host[2], host[3], helper(10));
    printf("%d %d %u %lld\n", INT_MAX, INT_MIN, UINT_MAX, LLONG_MIN);
    printf("%d %d %d %d\n", CHAR_BIT, SCHAR_MIN, USHRT_MAX, SHRT_MIN);
    printf("%g %g %g\n", FLT_MAX, DBL_MAX, FLT_EPSILON);
    printf("%d %d\n", EXIT_SUCCESS, EXIT_FAILURE);
    assert(host[0] == 5);
    return EXIT_SUCCESS;
}

// out: 5 8 11 14 35
// out: 2147483647 -2147483648 4294967295 -9223372036854775808
// out: 8 -128 65535 -32768
// out: 3.40282e+38 1.79769e+308 1.19209e-07
// out: 0 1
