// Files: writing, reading back, moving about, formatted input.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct edge {
    int to;
    float cost;
};

void write_graph(const char *name)
{
    FILE *f = fopen(name, "w");
    if (!f) {
        printf("cannot write\n");
        exit(1);
    }
    fprintf(f, "%d\n", 3);
    for (int i = 0; i < 3; i++)
        fprintf(f, "%d %d %.2f\n", i, (i * 2 + 1) % 3, i * 0.5);
    fputs("end of\tfile", f);
    fputc('\n', f);
    printf("closed: %d\n", fclose(f));
}

int main()
{
    write_graph("graph.txt");
    FILE *f = fopen("graph.txt", "r");
    int n = 0, from, to, r;
    double cost;
    printf("%d ", fscanf(f, "%d", &n));
    for (int i = 0; i < n; i++) {
        int got = fscanf(f, "%d %d %lf", &from, &to, &cost);
        printf("[%d: %d %d %g] ", got, from, to, cost);
    }
    char word[20], line[40];
    r = fscanf(f, "%19s", word);
    printf("%d %s\n", r, word);
    printf("%s", fgets(line, sizeof line, f));
    r = fgets(line, sizeof line, f) == NULL;
    printf("%d %d\n", r, feof(f) != 0);
    rewind(f);
    printf("%ld %d ", ftell(f), feof(f));
    printf("%c\n", fgetc(f));
    ungetc('#', f);
    printf("%c ", getc(f));
    printf("%ld\n", ftell(f));
    fseek(f, -5, SEEK_END);
    int c, count = 0;
    while ((c = fgetc(f)) != EOF)
        count += c == '\n' ? 100 : 1;
    printf("%d %d\n", count, ferror(f));
    fclose(f);

    struct edge edges[4] = {{1, 1.5f}, {2, 2.5f}, {3, 3.5f}, {4, 4.5f}}, back[4] = {};
    f = fopen("edges.bin", "wb+");
    printf("%zu\n", fwrite(edges, sizeof(struct edge), 4, f));
    fseek(f, sizeof(struct edge), SEEK_SET);
    printf("%zu ", fread(back, sizeof(struct edge), 4, f));
    printf("%d %.1f %d %ld\n", back[0].to, back[2].cost, feof(f) != 0, ftell(f));
    fclose(f);

    f = fopen("edges.bin", "ab");
    fwrite("tail", 1, 4, f);
    fflush(f);
    fclose(f);
    f = fopen("edges.bin", "rb");
    fseek(f, 0, SEEK_END);
    printf("%ld\n", ftell(f));
    fclose(f);

    f = fopen("graph.txt", "r");
    int lines = 0;
    while (fgets(line, 8, f))
        lines++;
    printf("%d pieces\n", lines);
    r = fputc('x', f);
    printf("%d %d\n", r, ferror(f) != 0);
    clearerr(f);
    printf("%d\n", ferror(f));
    fclose(f);

    errno = 0;
    f = fopen("nothing.txt", "r");
    printf("%d %d %s\n", f == NULL, errno == ENOENT, strerror(errno));
    perror("nothing.txt");
    fputs("done\n", stdout);
    fputc('.', stdout);
    fwrite("..\n", 1, 3, stdout);
    return 0;
}

// out: closed: 0
// out: 1 [3: 0 1 0] [3: 1 0 0.5] [3: 2 2 1] 1 end
// out:  of	file
// out: 1 1
// out: 0 0 3
// out: # 1
// out: 104 0
// out: 4
// out: 3 2 4.5 1 32
// out: 36
// out: 9 pieces
// out: -1 1
// out: 0
// out: 1 1 No such file or directory
// out: done
// out: ...
