class counter {
public:
    int value;
    void add() { value++; }
};

struct vector {
    float x, y;
    float length() const { return x + y; }
    void grow() { x *= 2; }
};

struct derived : vector { //~ error
    float z;
};

struct shape {
    virtual float area(); //~ error
    virtual ~shape() { sides = 0; } //~ error
    int sides;
};

struct made {
    int a;
    made(int x) : a(x), b(x) {} //~ error
};

struct counted {
    int copies;
    counted() : copies(0) {}
    counted(const counted &other) : copies(other.copies + 1) {}
    counted &operator=(const counted &other) { copies = other.copies + 1; return *this; }
};

union holder {
    int plain;
    counted inner;
};

struct moved {
    int a;
    moved(int a) : a(a) {}
    moved(moved &&other) : a(other.a) { other.a = 0; }
};

void takes(moved &&one);

void copies(holder &a, holder &b)
{
    holder c = b; //~ error
    a = b; //~ error
    moved d(1);
    moved e = d; //~ error
    takes(d); //~ error
    new (d) moved(2); //~ error
}

int main()
{
    const vector v = {1, 2};
    v.grow(); //~ error
    v.shrink(); //~ error
    v.length(1); //~ error
    vector::length(); //~ error
    made m; //~ error
    return this->x; //~ error
}
