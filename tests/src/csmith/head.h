// The arithmetic that Csmith's programs call: defined for all operands, on the host and on the device.
#include <cstdint>
#include <cstdio>
#ifdef __CUDACC__
#define BOTH __host__ __device__
#else
#define BOTH
#endif

#define SIGNED(type, bits)                                                                                                  \
    BOTH type safe_unary_minus_func_##type##_s(type a) { return (type)(0 - (uint64_t)a); }                                   \
    BOTH type safe_add_func_##type##_s_s(type a, type b) { return (type)((uint64_t)a + (uint64_t)b); }                       \
    BOTH type safe_sub_func_##type##_s_s(type a, type b) { return (type)((uint64_t)a - (uint64_t)b); }                       \
    BOTH type safe_mul_func_##type##_s_s(type a, type b) { return (type)((uint64_t)a * (uint64_t)b); }                       \
    BOTH type safe_div_func_##type##_s_s(type a, type b) { return b == 0 || b == -1 ? a : (type)(a / b); }                   \
    BOTH type safe_mod_func_##type##_s_s(type a, type b) { return b == 0 || b == -1 ? a : (type)(a % b); }                   \
    BOTH type safe_lshift_func_##type##_s_s(type a, int b) { return b < 0 || b >= bits ? a : (type)((uint64_t)a << b); }     \
    BOTH type safe_lshift_func_##type##_s_u(type a, unsigned b) { return b >= bits ? a : (type)((uint64_t)a << b); }         \
    BOTH type safe_rshift_func_##type##_s_s(type a, int b) { return b < 0 || b >= bits ? a : (type)(a >> b); }               \
    BOTH type safe_rshift_func_##type##_s_u(type a, unsigned b) { return b >= bits ? a : (type)(a >> b); }
#define UNSIGNED(type, bits)                                                                                                \
    BOTH type safe_unary_minus_func_##type##_u(type a) { return (type)(0 - (uint64_t)a); }                                   \
    BOTH type safe_add_func_##type##_u_u(type a, type b) { return (type)((uint64_t)a + b); }                                 \
    BOTH type safe_sub_func_##type##_u_u(type a, type b) { return (type)((uint64_t)a - b); }                                 \
    BOTH type safe_mul_func_##type##_u_u(type a, type b) { return (type)((uint64_t)a * b); }                                 \
    BOTH type safe_div_func_##type##_u_u(type a, type b) { return b == 0 ? a : (type)(a / b); }                              \
    BOTH type safe_mod_func_##type##_u_u(type a, type b) { return b == 0 ? a : (type)(a % b); }                              \
    BOTH type safe_lshift_func_##type##_u_s(type a, int b) { return b < 0 || b >= bits ? a : (type)((uint64_t)a << b); }     \
    BOTH type safe_lshift_func_##type##_u_u(type a, unsigned b) { return b >= bits ? a : (type)((uint64_t)a << b); }         \
    BOTH type safe_rshift_func_##type##_u_s(type a, int b) { return b < 0 || b >= bits ? a : (type)(a >> b); }               \
    BOTH type safe_rshift_func_##type##_u_u(type a, unsigned b) { return b >= bits ? a : (type)(a >> b); }

SIGNED(int8_t, 8)
SIGNED(int16_t, 16)
SIGNED(int32_t, 32)
SIGNED(int64_t, 64)
UNSIGNED(uint8_t, 8)
UNSIGNED(uint16_t, 16)
UNSIGNED(uint32_t, 32)
UNSIGNED(uint64_t, 64)
