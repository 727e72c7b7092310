// suite: polybench
// includes: CUDA/JACOBI2D
// unchanged
#include "their_output.h"
#define main their_main
#define printf note
#include "jacobi2D.cu"
#undef printf
#undef main

int main()
{
    char name[] = "jacobi2D", *arguments[] = {name, NULL};
    their_main(1, arguments);
    verdict();
}

// out: PASS
