enum { ONE = 1 };

int f(int a, int b)
{
    switch (a) {
    case 1:
        return 1;
    case ONE: //~ error
        return 2;
    case b: //~ error
        return 3;
    case 'a':
    case 97: //~ error
    default:
        return 4;
    case 1.5: //~ error
        return 5;
    default: //~ error
        return 6;
    }
}

int main()
{
    return f(1, 2);
}
