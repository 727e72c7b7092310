// Iterations that run side by side count as operations, as those that do not.
// status: 243
// err: rows_limit.cu:13
// err: `--max-operations`
// options: --max-operations 1000000
#include <stdio.h>

int main()
{
    static int cells[512];
    printf("begun\n");
    for (unsigned i = 0; i < 4000000000u; i++)
        cells[i & 511] = i;
    return cells[0];
}

// out: begun
