// `new` and `delete` of objects with constructors and destructors, and of arrays of them; g++ agrees.
#include <stdio.h>
#include <stdlib.h>

struct Noisy {
    int id;
    Noisy() : id(count++) { printf("+%d ", id); }
    Noisy(int id) : id(id) { printf("+%d ", id); }
    ~Noisy() { printf("-%d ", id); }
    static int count;
};
int Noisy::count = 0;

struct Made { double x; Made() : x(1.5) {} };
struct Ended { char c; ~Ended() { ended++; } static int ended; };
int Ended::ended = 0;
struct Large { double values[5]; Noisy inside; };
struct Node { int value; Node *next; Node(int v, Node *n) : value(v), next(n) {} ~Node() { printf("~%d ", value); delete next; } };

template <class T> struct Box {
    T *p;
    explicit Box(T *p) : p(p) {}
    ~Box() { delete p; }
    T &operator*() { return *p; }
    T *operator->() { return p; }
};
template <class T> struct Vector {
    T *data;
    int size;
    Vector(int n) : data(new T[n]), size(n) {}
    ~Vector() { delete[] data; }
    T &operator[](int i) { return data[i]; }
};

int main()
{
    Noisy *a = new Noisy(100), *b = new Noisy;
    delete a;
    delete b;
    printf("\n");
    Noisy *none = 0;
    delete none;
    delete[] none;
    Noisy *row = new Noisy[4];
    row[2].id = 50;
    delete[] row;
    printf("\n");
    Noisy *empty = new Noisy[0];
    delete[] empty;
    Made *made = new Made[3];
    printf("%g %g\n", made[0].x, made[2].x);
    delete[] made;
    Ended *ended = new Ended[7];
    ended[6].c = 1;
    delete[] ended;
    printf("%d\n", Ended::ended);
    Large *large = new Large[2];
    large[1].values[4] = 2;
    printf("%g ", large[1].values[4]);
    delete[] large;
    printf("\n");
    delete new Node(1, new Node(2, new Node(3, 0)));
    printf("\n");
    {
        Box<Noisy> box(new Noisy(200));
        Box<Node> list(new Node(5, new Node(6, nullptr)));
        Vector<Noisy> v(3);
        v[1].id += 300;
        box->id++;
        (*box).id++;
        printf("%d ", list->next->value);
    }
    printf("\n");
    int n = 2;
    Vector<Ended> *nested = new Vector<Ended>(n + 1);
    delete nested;
    printf("%d\n", Ended::ended);
    Noisy **pointers = new Noisy *[2];
    for (int i = 0; i < 2; i++)
        pointers[i] = new Noisy(i + 400);
    for (int i = 0; i < 2; i++)
        delete pointers[i];
    delete[] pointers;
    printf("\n");
}

// out: +100 +0 -100 -0
// out: +1 +2 +3 +4 -4 -50 -2 -1
// out: 1.5 1.5
// out: 7
// out: +5 +6 2 -6 -5
// out: ~1 ~2 ~3
// out: +200 +7 +8 +9 6 -9 -308 -7 ~5 ~6 -202
// out: 10
// out: +400 +401 -400 -401
