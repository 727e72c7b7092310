// Names that are declared further down only.
int a() { return b(); } //~ error
int b() { return 1; }
namespace n { int g() { return c + h(2); } } //~ error
int c = 1;
int h(int);

int main()
{
    return a() + n::g() + d; //~ error
}
int d = 2;
