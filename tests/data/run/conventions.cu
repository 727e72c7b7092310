// Ours, where C says nothing: wrapping, shifts by more than the width, conversions of what does not fit, NaNs.
// Each case is computed three times: folded, on the host from variables, on the device.
#include <math.h>
#include <stdio.h>

#define CASES(F, one, zero)                                                    \
    F(0, (2147483647 * (one)) + 1)                                             \
    F(1, (-2147483647 * (one) - 1) / -1)                                       \
    F(2, (-2147483647 * (one) - 1) % -1)                                       \
    F(3, 1 << (33 * (one)))                                                    \
    F(4, -8 >> (34 * (one)))                                                   \
    F(5, (1LL << (65 * (one))) - (1LL << (-1 * (one))))                        \
    F(6, (int)(3e9f * (one)))                                                  \
    F(7, (int)(-3e9f * (one)))                                                 \
    F(8, (int)((zero) * 1.0f / (zero)))                                        \
    F(9, (unsigned)(-1.5f * (one)))                                            \
    F(10, (unsigned)(1e20 * (one)))                                            \
    F(11, (long long)(1e20f * (one)))                                          \
    F(12, (long long)(-1e300 * (one)))                                         \
    F(13, (int)(1e300 * (one)))                                                \
    F(14, (long long)((zero) * 1.0 / (zero)))                                  \
    F(15, (unsigned char)(int)(300.5f * (one)))                                \
    F(16, abs(-2147483647 * (one) - 1))                                        \
    F(17, 1000.0f * fminf((zero) * 1.0f / (zero), 2.0f * (one)))               \
    F(18, 1000.0f * fmaxf(2.0f * (one), (zero) * 1.0f / (zero)))               \
    F(19, 1.0f / fminf((zero) * 0.0f, -0.0f * (one)) < 0)                      \
    F(20, 1.0f / fmaxf(-0.0f * (one), (zero) * 0.0f) > 0)                      \
    F(21, (9223372036854775807LL * (one)) + 1)                                 \
    F(22, (-9223372036854775807LL * (one) - 1) / -1)                           \
    F(23, 1u << (32 * (one)))

#define STORE(i, value) out[i] = (long long)(value);

__global__ void device(long long *out, int one, int zero) { CASES(STORE, one, zero) }

void host(long long *out, int one, int zero) { CASES(STORE, one, zero) }

void folded(long long *out)
{
    CASES(STORE, 1, 0.0f)
}

int main()
{
    long long results[3][24], *out;
    cudaMalloc((void **)&out, sizeof results[0]);
    folded(results[0]);
    host(results[1], 1, 0);
    device<<<1, 1>>>(out, 1, 0);
    cudaMemcpy(results[2], out, sizeof results[2], cudaMemcpyDeviceToHost);
    for (int i = 0; i < 24; i++) {
        printf("%d: %lld", i, results[0][i]);
        if (results[1][i] != results[0][i])
            printf(" host %lld", results[1][i]);
        if (results[2][i] != results[0][i])
            printf(" device %lld", results[2][i]);
        printf("\n");
    }
    float zero = results[0][2];
    printf("%f %d\n", zero / zero, zero / zero == zero / zero);
    return 0;
}

// cc: no
// out: 0: -2147483648
// out: 1: -2147483648
// out: 2: 0
// out: 3: 0
// out: 4: -1
// out: 5: 0
// out: 6: -2147483648 device 2147483647
// out: 7: -2147483648
// out: 8: -2147483648 device 0
// out: 9: 4294967295 device 0
// out: 10: 0 device 4294967295
// out: 11: -9223372036854775808 device 9223372036854775807
// out: 12: -9223372036854775808
// out: 13: -2147483648 device 2147483647
// out: 14: -9223372036854775808
// out: 15: 44
// out: 16: -2147483648
// out: 17: 2000
// out: 18: 2000
// out: 19: 1
// out: 20: 1
// out: 21: -9223372036854775808
// out: 22: -9223372036854775808
// out: 23: 0
// out: nan 0
