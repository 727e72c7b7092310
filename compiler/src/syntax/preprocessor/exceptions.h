// What `throw` becomes: the end of the program, with libstdc++'s message. In a program with handlers, one of which might
// catch it, `::__throw_end` means `__throw_end_to_handler` (`syntax/unsupported`).

static inline void __throw_end(const char *type)
{
    fprintf(stderr, "terminate called after throwing an instance of '%s'\n", type);
    abort();
}
static inline void __throw_end_to_handler(const char *type)
{
    fprintf(stderr, "unsupported: an exception of type '%s' in a program that catches exceptions\n", type);
    abort();
}
static inline void __throw_object(unsigned) { ::__throw_end("unsigned int"); }
static inline void __throw_object(const char *) { ::__throw_end("char const*"); }
template <class T> void __throw_object(const T &)
{
    // The name of the function holds that of the type: `__throw_object<type>`.
    char type[256];
    snprintf(type, sizeof type, "%s", __func__ + 15);
    type[strlen(type) - 1] = 0;
    ::__throw_end(type);
}
