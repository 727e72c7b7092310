// Jumps past initialisers, which C++ refuses: forward, into a block, into loops, and to the labels of a switch; and jumps that
// pass none.
int forward(int n)
{
    if (n > 3)
        goto end; //~ warning
    int a = n;
    n += a;
end:
    return n;
}

int into(int n)
{
    if (n == 1)
        goto inside; //~ warning
    for (int i = 0; i < n; i++) {
        n--;
inside:
        n--;
    }
    return n;
}

int cases(int n)
{
    switch (n) {
    case 0:
        int a = 1;
        return a;
    case 1: //~ warning
        return a;
    default: { //~ warning
        int b = 2;
        return b;
    }
    }
}

int none(int n)
{
    int a = 1;
again:
    int b;
    b = a;
    {
        int c = b;
        n -= c;
        if (n > 0)
            goto again;
        if (n < -5)
            goto out;
    }
    switch (n) {
    case 0: {
        int d = 4;
        return d;
    }
    case 1:
        for (int i = 0; i < 3; i++)
            n += i;
        break;
    case 2:
        int e;
        e = n;
        return e;
    case 3:
        break;
    }
out:
    return n;
}

int main()
{
    return forward(1) + into(2) + cases(3) + none(4) + missing; //~ error
}
