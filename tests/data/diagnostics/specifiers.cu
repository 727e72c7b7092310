unsigned float a; //~ error
int double b; //~ error
short long c; //~ error
long long long d; //~ error
signed unsigned e; //~ error
long double f; //~ error
unsigned char fine;
long unsigned int long alsoFine;

int main()
{
    return fine;
}
