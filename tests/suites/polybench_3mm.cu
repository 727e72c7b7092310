// suite: polybench
// includes: CUDA/3MM
// defines: N=1 NI=32 NJ=32 NK=32 NL=32 NM=32
// unchanged
#include "their_output.h"
#define main their_main
#define printf note
#include "3mm.cu"
#undef printf
#undef main

int main()
{
    char name[] = "3mm", *arguments[] = {name, NULL};
    their_main(1, arguments);
    verdict();
}

// out: PASS
