// suite: polybench
// includes: CUDA/GEMVER
// defines: N=256
// unchanged
#include "their_output.h"
#define main their_main
#define printf note
#include "gemver.cu"
#undef printf
#undef main

int main()
{
    char name[] = "gemver", *arguments[] = {name, NULL};
    their_main(1, arguments);
    verdict();
}

// out: PASS
