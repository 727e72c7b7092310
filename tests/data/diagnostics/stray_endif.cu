#else //~ error
int main()
{
#if 1
    return 0;
#else
    return 1;
#else //~ error
    return 2;
#endif
}
#endif //~ error
