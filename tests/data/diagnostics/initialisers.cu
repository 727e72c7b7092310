struct point {
    int x, y;
};

int a[2] = {1, 2, 3}; //~ error
char text[3] = "text"; //~ error
struct point p = {1, 2, 3}; //~ error
int scalar = {1, 2}; //~ error
int b[2] = 5; //~ error
int c[2][2] = {{1, 2}, {3, 4}, {5, 6}}; //~ error
char fits[5] = "text";
int zero[4] = {};

int main()
{
    int d[2] = a; //~ error
    return d[0] + fits[0] + zero[0];
}
