// `getopt_long` as glibc has it: options behind other arguments, short names of long ones, and what is wrong.
#include <cstdio>
#include <cstdlib>
#include <unistd.h>
#include <getopt.h>
int main(int argc, char **argv)
{
    int c, n = 0;
    static struct option longs[] = {{"num", required_argument, 0, 'n'}, {"verbose", no_argument, 0, 'v'}, {0, 0, 0, 0}};
    while ((c = getopt_long(argc, argv, "n:vx", longs, NULL)) != -1) {
        switch (c) {
        case 'n': n = atoi(optarg); break;
        case 'v': printf("verbose\n"); break;
        default: printf("other %c %d\n", c, optopt);
        }
    }
    printf("%d %d:", n, optind); for (int i = optind; i < argc; i++) printf(" %s", argv[i]); printf("\n");
    return 0;
}

// args: a -xn3 b --nu=4 -v c --bad -q --verb d -- -v
// out: other x 0
// out: verbose
// out: other ? 0
// out: other ? 113
// out: verbose
// out: 4 8: a b c d -v
