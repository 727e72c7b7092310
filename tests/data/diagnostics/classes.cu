class counter { //~ error
public:
    int value;
    void add() { value++; }
};

struct vector {
    float x, y;
    float length() { return x + y; } //~ error
};

struct derived : vector { //~ error
    float z;
};

int main()
{
    return 0;
}
