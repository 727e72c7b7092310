// `cuComplex.h` on both sides.

#include <cmath>
#include <cstdio>
#include <cuComplex.h>

__global__ void compute(cuFloatComplex *small, cuDoubleComplex *large)
{
    cuFloatComplex a = make_cuComplex(3, 4), b = make_cuFloatComplex(1, -2);
    small[0] = cuCadd(cuComplexFloatToDouble(a), make_cuDoubleComplex(1, 1)).x == 4 ? cuCaddf(a, b) : a;
    small[1] = cuCmulf(a, b);
    small[2] = cuCdivf(cuCmulf(a, b), b);
    small[3] = cuCfmaf(a, b, cuConjf(a));
    small[4] = make_cuFloatComplex(cuCabsf(a), cuCabsf(make_cuFloatComplex(3e30f, 4e30f)) / 1e30f);
    large[0] = cuCsub(make_cuDoubleComplex(1, 2), make_cuDoubleComplex(3, 5));
    large[1] = make_cuDoubleComplex(cuCabs(make_cuDoubleComplex(-5, 12)), cuCreal(cuConj(make_cuDoubleComplex(7, 8))));
}

int main()
{
    cuFloatComplex *small;
    cuDoubleComplex *large;
    cudaMallocManaged(&small, 5 * sizeof *small);
    cudaMallocManaged(&large, 2 * sizeof *large);
    compute<<<1, 1>>>(small, large);
    int faults = cudaDeviceSynchronize() != cudaSuccess;
    const double expected[14] = {4, 2, 11, -2, 3, 4, 14, -6, 5, 5, -2, -3, 13, 7};
    for (int i = 0; i < 14; i++) {
        double found = i < 10 ? (i % 2 ? small[i / 2].y : small[i / 2].x) : i % 2 ? large[i / 2 - 5].y : large[i / 2 - 5].x;
        if (std::fabs(found - expected[i]) > 1e-5) {
            std::printf("%d: %g, expected %g\n", i, found, expected[i]);
            faults++;
        }
    }
    faults += cuCimag(cuCmul(make_cuDoubleComplex(0, 1), make_cuDoubleComplex(0, 1))) != 0;
    std::puts(faults ? "FAIL" : "PASS");
    return faults != 0;
}
