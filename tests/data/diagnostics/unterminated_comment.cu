int before = 1;

int main()
{
    return before;
}

/* this goes on //~ error
int after = 2;
