int f(int a)
{
    break; //~ error
    if (a) {
        continue; //~ error
    }
    switch (a) {
    case 1:
        continue; //~ error
    default:
        break;
    }
    case 3: //~ error
    default: //~ error
    return a;
}

int main()
{
    for (int i = 0; i < 3; i++)
        switch (i) {
        case 0:
            continue;
        case 1:
            break;
        }
    return f(1);
}
