int main()
{
    int sum = 0;
    for (int i = 0, i < 10, i++) //~ error
        sum += i;
    while sum > 3 //~ error
        sum--;
    else
        sum++;
    int 4a = 5; //~ error
    return sum;
}

int int f(int x) //~ error
{
    return x;
}
