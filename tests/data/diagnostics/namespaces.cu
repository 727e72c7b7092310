#include <algorithm>
// Harmless, since what C and CUDA have is found without it.
using namespace std;

namespace tools {
int helper(int x) { return x; }
}

int main()
{
    int a = std::max(1, 2);
    std::vector<int> v; //~ error
    std::sort(&a, &a + 1);
    std::for_each_n(&a, 1, a); //~ error
    return a + tools::helper(1) + tools::missing(2); //~ error
}

namespace first {
int both = 1, once = 2;
void call(int) {}
}
namespace second {
int both = 3;
void call(float) {}
}
namespace inner {
int both = 4;
using namespace first;
using namespace second;
// Its own is nearer.
int own() { return both; }
}
using namespace first;
using namespace second;

int ambiguous()
{
    call(1);
    int both_of_them = first::both + once;
    {
        int both = both_of_them;
        call(both + 0.5f);
    }
    return both; //~ error
}
