// suite: polybench
// includes: CUDA/2DCONV
// defines: N=1 NI=64 NJ=64
// unchanged
#include "their_output.h"
#define main their_main
#define printf note
#include "2DConvolution.cu"
#undef printf
#undef main

int main()
{
    char name[] = "2DConvolution", *arguments[] = {name, NULL};
    their_main(1, arguments);
    verdict();
}

// out: PASS
