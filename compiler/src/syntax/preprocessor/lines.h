// POSIX's functions that read a line of any length. A program's `name` means `__library_name` here, unless the program
// has a function of that name itself (`syntax/parts.rs`).

static inline ssize_t __library_getdelim(char **line, size_t *capacity, int end, FILE *file)
{
    size_t length = 0;
    while (true) {
        const int c = fgetc(file);
        if (c == EOF && length == 0)
            return -1;
        if (*line == NULL || length + 2 > *capacity) {
            const size_t grown = *line == NULL || *capacity < 60 ? 120 : 2 * *capacity;
            *line = (char *)realloc(*line, grown);
            *capacity = grown;
        }
        if (c == EOF)
            break;
        (*line)[length++] = (char)c;
        if (c == end)
            break;
    }
    (*line)[length] = 0;
    return (ssize_t)length;
}

static inline ssize_t __library_getline(char **line, size_t *capacity, FILE *file)
{
    return __library_getdelim(line, capacity, '\n', file);
}
