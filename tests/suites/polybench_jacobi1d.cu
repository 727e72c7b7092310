// suite: polybench
// includes: CUDA/JACOBI1D
// defines: TSTEPS=10 N=300
// unchanged
#include "their_output.h"
#define main their_main
#define printf note
#include "jacobi1D.cu"
#undef printf
#undef main

int main()
{
    char name[] = "jacobi1D", *arguments[] = {name, NULL};
    their_main(1, arguments);
    verdict();
}

// out: PASS
