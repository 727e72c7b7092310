vec4 color; //~ error

struct point {
    flaot x; //~ error
    int y;
};

int f(size p) { return 0; } //~ error

int main()
{
    uint_t a = 3; //~ error
    struct pont p; //~ error
    point q;
    q.y = 5;
    return q.y;
}
