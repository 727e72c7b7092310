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
