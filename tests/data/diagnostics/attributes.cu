// Attributes that change where members lie are refused; the others are left out.
struct __attribute__((packed)) tight { //~ error
    char c;
    int i;
};

struct wide {
    char c;
} __attribute__((aligned(16))); //~ error

__attribute__((noinline)) int plain() { return 1; }

__device__ __attribute__((always_inline)) inline int quick(int a) { return a; }

int main()
{
    return plain() + (int)sizeof(struct wide);
}
