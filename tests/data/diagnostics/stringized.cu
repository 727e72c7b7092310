#define S(x) #x
#define T(x) S(x) S(x)
#define T4(x) T(T(T(T(x))))
#define T16(x) T4(T4(T4(T4(x))))

int main()
{
    const char *s = T16(T16("a")); //~ error
    return s != 0;
}
