// What is thrown ends the program, with libstdc++'s message, as no handler catches it.
// cc: no
#include <cstdio>
#include <stdexcept>
#include <string>

int positive(int n)
{
    if (n < 0)
        throw std::invalid_argument("negative: " + std::to_string(n));
    return n;
}

int main()
{
    printf("%d\n", positive(3));
    printf("%d\n", positive(-3));
}

// status: 134
// out: 3
