// `new` of structures that start with more than zeroes; g++ agrees.
#include <stdio.h>
struct made { int a; made() : a(5) {} made(int a) : a(a) {} };
struct starts { int a = 3; float b; };
struct plain { int a, b; };
int main()
{
    made *one = new made, *two = new made(7), *three = new made();
    starts *four = new starts();
    plain *five = new plain();
    printf("%d %d %d %d %g %d\n", one->a, two->a, three->a, four->a, four->b, five->b);
    delete one; delete two; delete three; delete four; delete five;
    return 0;
}
// out: 5 7 5 3 0 0
