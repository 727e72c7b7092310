// A loop that prints without end.
// status: 243
// err: host_prints.cu:11
// err: `--max-output`
// options: --max-output 21
#include <stdio.h>

int main()
{
    for (int i = 0;; i++)
        printf("line %d\n", i);
}

// out: line 0
// out: line 1
// out: line 2
