__device__ void swap(int &a, int &b)
{
    int t = a;
    a = b;
    b = t;
}

int defaulted(int a, int b = 2);
int computed(int a, int b = defaulted(1)); //~ error
int referred(const int &a = 1); //~ error
int before(int a = 1, int b); //~ error

int defaulted(int a, int b) { return a + b; }
int computed(int a, int b) { return a + b; }
int referred(const int &a) { return a; }

float overloaded(float x) { return x; }
int overloaded(int x) { return x; }
int twice(int x, double y);
int twice(double x, int y);
template <class F> struct takes {};

int main()
{
    auto f = [](int x) { return x + b; }; //~ error
    int *a = new int[10];
    int(*rows)[3] = new int[10][3]; //~ error
    delete[] 1.5; //~ error
    delete[] a;
    try {
        throw; //~ error
    } catch (int e) {
    }
    int b[3] = {1, 2, 3};
    for (int x : {1, 2.5}) //~ error
        a[0] += x;
    overloaded(b); //~ error
    twice(1, 1); //~ error
    defaulted(); //~ error
    defaulted(1, 2, 3); //~ error
    takes<int(float)> function; //~ error
    takes<takes<int(float)>()> nested; //~ error
    takes<int()> nothing; //~ error
    b[0] = noexcept(computed(1, 2)) && noexcept(b[0]); //~ error
    return b[0] + computed(1) + referred();
}
