// An array that is too large for the stack, in a function that calls nothing.
// status: 241
// err: stack exhausted in 'main': its local variables do not fit
// err: `malloc`
// err: host_frame.cu:8

// The frame is made where the function begins.
int main()
{
    double field[2000][2000];
    field[3][4] = 1;
    return (int)field[3][4];
}
