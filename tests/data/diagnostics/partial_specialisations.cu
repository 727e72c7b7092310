template <bool, class T = void> struct only_if {};
template <class T> struct only_if<true, T> { typedef T type; };

// Two that are for the same arguments, and neither says more.
template <class T, class E = void> struct size { enum { is = 1 }; };
template <class T> struct size<T, typename only_if<(sizeof(T) > 4)>::type> { enum { is = 2 }; };
template <class T> struct size<T *, void> { enum { is = 3 }; };

// A parameter that follows from nothing.
template <class T> struct element { enum { is = 1 }; };
template <class T> using pointer_to = T *;
template <class T> struct element<pointer_to<T>> { enum { is = 2 }; }; //~ error

int main()
{
    int a = size<int *>::is; //~ error
    int b = size<char>::is + size<double>::is;
    int c = element<int *>::is;
    return a + b + c;
}
