const unsigned step = 5;

unsigned f(unsigned a)
{
    return a + step;
}
} //~ error
a ^= step; //~ error

int main()
{
    return f(1);
}
