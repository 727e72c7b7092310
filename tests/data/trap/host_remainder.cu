// status: 241
// err: division by zero
// err: host_remainder.cu:8
// models: reference

unsigned long long modulo(unsigned long long a, unsigned long long b)
{
    return a % b;
}

int main(int argc, char **argv)
{
    return (int)modulo(5, argc - 1);
}
