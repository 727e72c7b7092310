// The host waits for what nobody does.
// status: 243
// err: host_loop.cu:13
// err: `--max-operations`
// options: --max-operations 100000
#include <stdio.h>

int ready;

void wait(void)
{
    printf("waiting\n");
    while (!ready)
        ;
}

int main()
{
    wait();
    return 0;
}

// out: waiting
