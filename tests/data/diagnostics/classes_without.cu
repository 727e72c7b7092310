// Forms of classes that C++ has: `volatile` member functions, and initialisers of members that name other members where there is
// no constructor.
struct Counted {
    int count = 0;
    int read() volatile { return count; } //~ error
    int plain() const { return count; }
};

struct Pointing {
    int value = 3;
    int *at = &value; //~ error
};

struct Made {
    int value = 3;
    int *at = &value;
    Made() {}
};

int main()
{
    Counted counted;
    Pointing pointing;
    Made made;
    return counted.plain() + *made.at;
}
