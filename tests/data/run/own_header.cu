// cc: no
// A header of the program's own with the name of one that is supplied.
#include "include/own/all.h"
#include <stdio.h>

inline int dot(int2 a, int2 b) { return a.x * b.x + a.y * b.y; }

int main() { printf("%d %d\n", dot(3, 4), dot(make_int2(1, 2), make_int2(3, 4))); }

// out: 304 11
