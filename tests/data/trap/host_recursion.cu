// status: 241
// err: stack
// err: host_recursion.cu
// models: reference

int down(int n)
{
    int local[16];
    local[n & 15] = n;
    return down(n + 1) + local[n & 15];
}

int main()
{
    return down(0);
}
