// Without what is left out, nobody knows what the template is for these arguments.
template <class T, int n> struct row { enum { is = 1 }; };
template <class T> struct row<T, float> { enum { is = 2 }; }; //~ error
int main()
{
    return row<int, 1>::is;
}
