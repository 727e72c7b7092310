// Attributes that change where members lie are understood or refused; the others are left out.
struct __attribute__((packed)) tight {
    char c;
    int i;
};
static_assert(sizeof(tight) == 5, "packed");

struct wide {
    char c;
} __attribute__((aligned(16)));
static_assert(sizeof(wide) == 16 && alignof(wide) == 16, "aligned");

typedef float four __attribute__((vector_size(16))); //~ error

typedef int far_apart __attribute__((aligned(16))); //~ error

enum __attribute__((packed)) small { ONE, TWO }; //~ error

#pragma pack(push, 3) //~ error

__attribute__((noinline)) int plain() { return 1; }

__device__ __attribute__((always_inline)) inline int quick(int a) { return a; }

struct bits {
    unsigned low : 3;
    bool flag : 2; //~ error
    float real : 4; //~ error
    int named : 0; //~ error
    __attribute__((aligned(8))) int far : 3; //~ error
};

struct parts {
    unsigned low : 3;
    int value;
} __attribute__((packed));

int main()
{
    parts p = {1, 2};
    unsigned *a = &p.low; //~ error
    unsigned &b = p.low; //~ error
    int &c = p.value; //~ error
    int d = sizeof(p.low); //~ error
    p.low = p.value;
    return plain() + (int)sizeof(struct wide);
}
