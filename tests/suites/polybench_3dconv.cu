// suite: polybench
// includes: CUDA/3DCONV
// defines: N=1 NI=24 NJ=20 NK=28
// unchanged
#include "their_output.h"
#define main their_main
#define printf note
#include "3DConvolution.cu"
#undef printf
#undef main

int main()
{
    char name[] = "3DConvolution", *arguments[] = {name, NULL};
    their_main(1, arguments);
    verdict();
}

// out: PASS
