// Destructors of class templates, in them and outside, of local and nested structures, and guards; g++ agrees.
#include <stdio.h>

// The first to begin is the last to end.
struct Line {
    ~Line() { printf("\n"); }
} line;

template <class T> struct Scoped {
    T *place;
    T before;
    Scoped(T *place, T value) : place(place), before(*place) { *place = value; }
    ~Scoped();
};
template <class T> Scoped<T>::~Scoped() { *place = before; }

template <class T, int N> struct Stack {
    T items[N];
    int size;
    Stack() : size(0) {}
    ~Stack() { printf("~stack<%d> ", N); }
    void push(const T &t) { items[size++] = t; }
};
template <> struct Stack<char, 1> {
    ~Stack() { printf("~special "); }
};
template <class T> struct Outer {
    struct Inner {
        T t;
        ~Inner() { printf("~inner%d ", (int)t); }
    };
    Inner inner;
    T own;
    ~Outer() { printf("~outer%d ", (int)own); }
};
namespace space {
struct Named {
    const char *name;
    Named(const char *name) : name(name) {}
    ~Named();
    void say(const char *what) const { printf("%s:%s ", name, what); }
};
}
space::Named::~Named() { say("gone"); }

template <class T> int depth(T t, int n)
{
    space::Named named("depth");
    Scoped<int> scoped(t, n);
    if (n == 0)
        return *t;
    return depth(t, n - 1) + *t;
}
struct Counter { int n; };
struct Guard {
    Guard(const Guard &) = delete;
    Guard &operator=(const Guard &) = delete;
    Counter *c;
    Guard(Counter &c) : c(&c) { c.n++; }
    ~Guard() { c->n--; }
};
Guard guarded(Counter &c) { return Guard(c); }

int main()
{
    int value = 1;
    {
        Scoped<int> a(&value, 2);
        Scoped<int> b(&value, 3);
        printf("%d ", value);
    }
    printf("%d\n", value);
    {
        Stack<int, 3> s;
        s.push(4);
        Stack<char, 1> t;
        Stack<Stack<int, 2>, 2> nested;
    }
    printf("\n");
    {
        Outer<int> o = {{1}, 2};
        Outer<short>::Inner i = {3};
    }
    printf("\n");
    printf("%d %d\n", depth(&value, 3), value);
    struct Local {
        int n;
        ~Local() { printf("local%d ", n); }
    };
    for (int i = 0; i < 2; i++) {
        Local local = {i};
    }
    printf("\n");
    Counter c = {0};
    {
        Guard one(c);
        Guard two = guarded(c);
        guarded(c);
        printf("%d ", c.n);
    }
    printf("%d\n", c.n);
    typedef Stack<int, 5> Five;
    Five five;
    union Both { int a; float b; } both = {1};
    printf("%d\n", both.a);
}

// out: 3 1
// out: ~stack<2> ~stack<2> ~stack<2> ~special ~stack<3>
// out: ~inner3 ~outer2 ~inner1
// out: depth:gone depth:gone depth:gone depth:gone 6 1
// out: local0 local1
// out: 2 0
// out: 1
// out: ~stack<5>
