// status: 241
// err: error[R0005]
// err: host_write_past_end.cu:9
// models: reference
#include <stdlib.h>
int main()
{
    char *text = (char *)malloc(5);
    text[5] = 'x';
    return text[0];
}
