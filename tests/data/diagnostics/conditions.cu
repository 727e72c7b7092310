#if 1 + //~ error
#endif
#if (1 //~ error
#endif
#if 1 / 0 //~ error
#endif
#if UNKNOWN
#elif "text" //~ error
#endif
#if defined(A) || defined B || 'a' == 97 && 2 > 1u
int fine;
#endif

int main()
{
    return fine;
}
