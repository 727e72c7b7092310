int main()
{
    return 0;
}

#ifdef NEVER //~ error
int a;
#else
#if 1 //~ error
int b;
int c;
