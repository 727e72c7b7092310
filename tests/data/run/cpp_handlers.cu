// Handlers are not supported: where nothing is thrown the block goes as it is written.
// cc: no
#include <cstdio>
#include <string>

int main()
{
    try {
        printf("%d\n", std::stoi("12"));
    } catch (const std::exception &e) {
        printf("%s\n", e.what());
    } catch (...) {
        return 1;
    }
    try {
        printf("%d\n", std::stoi("none"));
    } catch (...) {
        printf("caught\n");
    }
}

// status: 134
// out: 12
