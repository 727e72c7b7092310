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
    ~shape() { sides = 0; } //~ error
    int sides;
};

struct made {
    int a;
    made(int x) : a(x), b(x) {} //~ error
};

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
