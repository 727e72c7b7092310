int a = 1;
float a; //~ error

int f(int x) { return x; }
int f(int y) { return y; } //~ error

struct s { int x; };
struct s { float y; }; //~ error

struct t {
    int member;
    float member; //~ error
};

enum { RED, GREEN, RED }; //~ error

int g(int p, int p) { return p; } //~ error

int main()
{
    int x = 1;
    int x = 2; //~ error
    {
        int x = 3;
        (void)x;
    }
    return x;
}
