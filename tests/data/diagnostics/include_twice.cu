#include "include_twice.cu" //~ error
#include "include_twice.cu"

int main()
{
    return 0;
}
