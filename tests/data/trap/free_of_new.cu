// status: 241
// err: free of
// err: which is from `new`
// models: reference
#include <stdlib.h>

int main()
{
    free(new int(3));
    return 0;
}
