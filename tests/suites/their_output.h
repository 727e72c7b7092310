// What PolyBench programs print, in place of `printf`: times are nobody's business here, the number of
// results that differ between host and device is.
#include <stdio.h>

static int comparisons, differences;

static int note(const char *) { return 0; }
static int note(const char *, double) { return 0; }
static int note(const char *, int, const char *) { return 0; }
static int note(const char *, int found)
{
    comparisons++;
    differences += found;
    return 0;
}
static int note(const char *format, double, int found) { return note(format, found); }

static void verdict()
{
    if (comparisons > 0 && differences == 0)
        puts("PASS");
    else
        printf("%d comparisons, %d differences\n", comparisons, differences);
}
