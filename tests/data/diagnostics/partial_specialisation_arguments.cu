// What a template is for is not known once one of its partial specialisations is faulty.
template <class T, int n> struct row { enum { is = 1 }; };
template <class T> struct row<T, float> { enum { is = 2 }; };
int main()
{
    return row<int, 1>::is; //~ error
}
