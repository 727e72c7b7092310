// suite: ispass
// includes: NQU
// unchanged
#define main their_main
#include "nqueen.cu"
#undef main

// Solutions for boards that are even, odd, and need several launches.
int main()
{
    const long long known[] = {0, 0, 0, 0, 0, 0, 4, 40, 92, 352, 724};
    int wrong = 0;
    for (int n = 6; n <= 10; n++) {
        long long device = solve_nqueen_cuda(n, n == 10 ? 96 : 192), host = solve_nqueen(n);
        if (device != known[n] || host != known[n]) {
            printf("%d: %lld on the device, %lld on the host\n", n, device, host);
            wrong++;
        }
    }
    if (!wrong)
        puts("PASS");
    return 0;
}

// out: PASS
