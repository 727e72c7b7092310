#include <algorithm>
using namespace std; //~ error

namespace tools { //~ error
int helper(int x) { return x; }
}

int main()
{
    int a = std::max(1, 2); //~ error
    std::vector<int> v; //~ error
    return a;
}
