// status: 134
// err: failed_assertion.cu:9
// models: reference
#include <assert.h>

int check(int n)
{
    int twice = 2 * n;
    assert(twice < 10);
    return twice;
}

int main()
{
    return check(1) + check(5);
}
