// Enumerations whose values need more than `int`.
#include <cstdio>
enum mode { LOW, HIGH = 0x80000000 };
enum distance { NEAR = -1, FAR = 1ll << 40 };
enum full { ALL = ~0ull, NONE = 0 };
enum mixed { DOWN = -1, UP = 0x80000000 };
enum class byte : unsigned char { TOP = 255 };
enum class wide : unsigned long long { TOP = 0xffffffffffffffffull };
enum { AFTER = 0x7fffffff, NEXT };
struct part { enum kind { A, B = 0xf0000000u } k; };
__global__ void kernel(unsigned long long *out, mode m, distance f)
{
    out[0] = m > LOW;
    out[1] = (unsigned long long)m;
    out[2] = f;
    out[3] = sizeof(f) * 10 + sizeof(m);
    out[4] = ALL;
}
int main()
{
    unsigned long long *device, out[5];
    cudaMalloc(&device, sizeof out);
    kernel<<<1, 1>>>(device, HIGH, FAR);
    cudaMemcpy(out, device, sizeof out, cudaMemcpyDeviceToHost);
    printf("%llu %llu %llu %llu %llx\n", out[0], out[1], out[2], out[3], out[4]);
    mode m = HIGH;
    distance f = FAR;
    printf("%d %llu %d\n", m > LOW, (unsigned long long)m, (int)sizeof(mode));
    printf("%lld %d %d %d\n", (long long)f, (int)sizeof(distance), (int)sizeof(NEAR), NEAR < FAR);
    printf("%llu %d\n", (unsigned long long)ALL, ALL > NONE);
    printf("%lld %d %d\n", (long long)UP, DOWN < UP, (int)sizeof(mixed));
    printf("%d %llx\n", (int)byte::TOP, (unsigned long long)wide::TOP);
    printf("%lld %d\n", (long long)NEXT, NEXT > AFTER);
    part p = {part::B};
    printf("%u %d %d\n", (unsigned)p.k, p.k > part::A, (int)sizeof(part));
}
// out: 1 2147483648 1099511627776 84 ffffffffffffffff
// out: 1 2147483648 4
// out: 1099511627776 8 8 1
// out: 18446744073709551615 1
// out: 2147483648 1 8
// out: 255 ffffffffffffffff
// out: 2147483648 1
// out: 4026531840 1 4
