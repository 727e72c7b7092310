struct node;
struct node one; //~ error
struct node *fine;
void nothing; //~ error
int open[]; //~ error

struct list {
    struct list next; //~ error
    void v; //~ error
};

int f(void v) { return 0; } //~ error

int main()
{
    void x; //~ error
    return sizeof(struct node) //~ error
        + fine->x;             //~ error
}
