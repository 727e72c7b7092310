// `stdexcept`: what programs throw. It ends the program, as what nothing catches does.

#include <string>

#define __STD_EXCEPTION(name) \
    namespace std { \
    class name { \
        string __what; \
\
    public: \
        explicit name(const string &what) : __what(what) {} \
        explicit name(const char *what) : __what(what) {} \
        const char *what() const { return __what.c_str(); } \
    }; \
    } \
    static inline void __throw_object(const std::name &of) { std::__throw("std::" #name, of.what()); }
__STD_EXCEPTION(logic_error)
__STD_EXCEPTION(invalid_argument)
__STD_EXCEPTION(domain_error)
__STD_EXCEPTION(length_error)
__STD_EXCEPTION(out_of_range)
__STD_EXCEPTION(runtime_error)
__STD_EXCEPTION(range_error)
__STD_EXCEPTION(overflow_error)
__STD_EXCEPTION(underflow_error)
#undef __STD_EXCEPTION
