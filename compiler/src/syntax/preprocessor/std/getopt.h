// Options of the command line: `getopt.h`, and what `unistd.h` has of it. As in glibc, options may stand behind other
// arguments, which `argv` has at its end afterwards, unless the list begins with `+` or `POSIXLY_CORRECT` is set.

#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define no_argument 0
#define required_argument 1
#define optional_argument 2

static char *optarg = nullptr;
static int optind = 1, opterr = 1, optopt = '?';

struct option {
    const char *name;
    int has_arg;
    int *flag;
    int val;
};

// Inside an argument such as `-abc`: what of it is still to be read; and where those are that are no options.
static char *__getopt_rest = nullptr;
static int __getopt_first = 1, __getopt_last = 1;
static bool __getopt_begun = false;

// Moves arguments that are no options behind the options read since.
static inline void __getopt_exchange(char **argv)
{
    const int others = __getopt_last - __getopt_first, read = optind - __getopt_last;
    for (int k = 0; k < read; k++) {
        char *const moved = argv[__getopt_last + k];
        for (int i = __getopt_last + k; i > __getopt_first + k; i--)
            argv[i] = argv[i - 1];
        argv[__getopt_first + k] = moved;
    }
    __getopt_first += read;
    __getopt_last = __getopt_first + others;
}

static inline int __getopt_long(int argc, char **argv, const char *options, const option *names, int *found)
{
    const bool says = opterr && options[0] != ':', missing = options[0] == ':';
    char *text = argv[optind];
    char *const value = strchr(text, '=');
    const size_t length = value != nullptr ? value - (text + 2) : strlen(text + 2);
    int chosen = -1;
    bool several = false;
    for (int i = 0; names[i].name != nullptr; i++) {
        if (strncmp(names[i].name, text + 2, length) != 0)
            continue;
        if (strlen(names[i].name) == length) {
            chosen = i;
            several = false;
            break;
        }
        several = several || (chosen >= 0 && names[i].val != names[chosen].val);
        if (chosen < 0)
            chosen = i;
    }
    optind++;
    if (chosen < 0 || several) {
        if (says && several)
            fprintf(stderr, "%s: option '%s' is ambiguous\n", argv[0], text);
        else if (says)
            fprintf(stderr, "%s: unrecognized option '--%.*s'\n", argv[0], (int)length, text + 2);
        optopt = 0;
        return '?';
    }
    const option *one = names + chosen;
    if (value != nullptr && one->has_arg == no_argument) {
        if (says)
            fprintf(stderr, "%s: option '--%s' doesn't allow an argument\n", argv[0], one->name);
        optopt = one->val;
        return '?';
    }
    if (value != nullptr) {
        optarg = value + 1;
    } else if (one->has_arg == required_argument) {
        if (optind >= argc) {
            if (says)
                fprintf(stderr, "%s: option '--%s' requires an argument\n", argv[0], one->name);
            optopt = one->val;
            return missing ? ':' : '?';
        }
        optarg = argv[optind++];
    }
    if (found != nullptr)
        *found = chosen;
    if (one->flag != nullptr) {
        *one->flag = one->val;
        return 0;
    }
    return one->val;
}

static inline int getopt_long(int argc, char *const *argv_given, const char *options, const option *names, int *found)
{
    char **argv = (char **)argv_given;
    const bool in_order = options[0] == '+';
    if (options[0] == '+')
        options++;
    const bool says = opterr && options[0] != ':', missing = options[0] == ':';
    optarg = nullptr;
    if (!__getopt_begun)
        optopt = 0;
    __getopt_begun = true;
    if (optind == 0) {
        optind = 1;
        __getopt_rest = nullptr;
        __getopt_first = __getopt_last = 1;
    }
    if (__getopt_rest == nullptr || *__getopt_rest == 0) {
        if (__getopt_last > optind)
            __getopt_last = optind;
        if (__getopt_first > optind)
            __getopt_first = optind;
        if (!in_order) {
            if (__getopt_first != __getopt_last && __getopt_last != optind)
                __getopt_exchange(argv);
            else if (__getopt_last != optind)
                __getopt_first = optind;
            while (optind < argc && (argv[optind][0] != '-' || argv[optind][1] == 0))
                optind++;
            __getopt_last = optind;
        }
        if (optind < argc && strcmp(argv[optind], "--") == 0) {
            optind++;
            if (__getopt_first != __getopt_last && __getopt_last != optind)
                __getopt_exchange(argv);
            else if (__getopt_first == __getopt_last)
                __getopt_first = optind;
            __getopt_last = argc;
            optind = argc;
        }
        if (optind >= argc) {
            if (__getopt_first != __getopt_last)
                optind = __getopt_first;
            return -1;
        }
        if (argv[optind][0] != '-' || argv[optind][1] == 0)
            return -1;
        if (names != nullptr && argv[optind][1] == '-')
            return __getopt_long(argc, argv, options, names, found);
        __getopt_rest = argv[optind] + 1;
    }
    const char c = *__getopt_rest++;
    const char *known = c == ':' || c == ';' ? nullptr : strchr(options, c);
    if (*__getopt_rest == 0)
        optind++;
    if (known == nullptr) {
        if (says)
            fprintf(stderr, "%s: invalid option -- '%c'\n", argv[0], c);
        optopt = c;
        return '?';
    }
    if (known[1] != ':')
        return c;
    if (*__getopt_rest != 0) {
        optarg = __getopt_rest;
        optind++;
    } else if (known[2] != ':') {
        if (optind == argc) {
            if (says)
                fprintf(stderr, "%s: option requires an argument -- '%c'\n", argv[0], c);
            optopt = c;
            __getopt_rest = nullptr;
            return missing ? ':' : '?';
        }
        optarg = argv[optind++];
    }
    __getopt_rest = nullptr;
    return c;
}

static inline int getopt(int argc, char *const *argv, const char *options)
{
    return getopt_long(argc, argv, options, nullptr, nullptr);
}
