// suite: polybench
// includes: CUDA/LU
// defines: N=64
// unchanged
#include "their_output.h"
#define main their_main
#define printf note
#include "lu.cu"
#undef printf
#undef main

int main()
{
    char name[] = "lu", *arguments[] = {name, NULL};
    their_main(1, arguments);
    verdict();
}

// out: PASS
