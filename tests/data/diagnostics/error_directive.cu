#ifndef SIZE
#error "define SIZE" //~ error
#endif
#if 0
#error "not this one"
#endif

int main()
{
    return missing; //~ error
}
