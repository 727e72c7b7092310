#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define NONE() 0
#define MANY(first, ...) first

int main()
{
    int a = MAX(1); //~ error
    int b = MAX(1, 2, 3); //~ error
    int c = MAX((1, 2), 3);
    int d = NONE() + MANY(1, 2, 3);
    int MAX = 4;
    return a + b + c + d + MAX;
}
