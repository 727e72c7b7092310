// Macros of a POSIX system; g++ prints the same.
#include <unistd.h>
#include <cstdio>
int main() {
#if defined(_POSIX_VERSION) && _POSIX_VERSION >= 200112L
 printf("posix %ld\n", (long)_POSIX_VERSION);
#endif
#if defined(__linux__) && defined(__unix__) && __linux__ && __unix__
 printf("linux\n");
#endif
}

// out: posix 200809
// out: linux
