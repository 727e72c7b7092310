// `exit` ends the host's variables outside functions, and none of functions; g++ agrees.
#include <stdio.h>
#include <stdlib.h>

// The first to begin is the last to end.
struct Line {
    ~Line() { printf("\n"); }
} line;

struct Noisy {
    int id;
    Noisy(int id) : id(id) {}
    ~Noisy() { printf("-%d ", id); }
};
struct Group { Noisy row[2]; ~Group() { printf("~group "); } };
Noisy first(1);
Noisy row[2][2] = {{Noisy(10), Noisy(11)}, {Noisy(12), Noisy(13)}};
Group groups[2] = {{{Noisy(20), Noisy(21)}}, {{Noisy(22), Noisy(23)}}};

void leave(int status)
{
    Noisy local(100);
    if (status)
        exit(status);
}

int main()
{
    Noisy local(101);
    leave(0);
    leave(7);
}

// out: -100 ~group -23 -22 ~group -21 -20 -13 -12 -11 -10 -1
// status: 7
