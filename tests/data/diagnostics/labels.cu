int f(int n)
{
    if (n < 0)
        goto fnish; //~ error
    for (int i = 0; i < n; i++) {
    twice:
        if (i == 3)
            goto elsewhere; //~ error
    }
    goto twice;
twice: //~ error
finish:
    return n;
}

__device__ int g(int n)
{
    goto finish; //~ error
    return n;
}

__device__ int h(int n)
{
    switch (n) {
    case 1:
        return 2;
    defualt: //~ warning
        return 3;
    }
    return 1;
}

int without_return(int n) //~ note
{
    if (n)
        goto end;
    return 1;
end:
    n = 2;
} //~ warning

int main()
{
    goto; //~ error
    return f(3) + without_return(1);
again: //~ warning
    return 0;
}
