struct file {
    int n;
    ~file() { n = 0; }
};

struct host_only {
    int *n;
    ~host_only() { *n = 0; }
};

struct device_only {
    int *n;
    __device__ ~device_only() { *n = 0; }
};

struct both {
    int *n;
    __host__ __device__ ~both() { *n = 0; }
};

struct deleted {
    ~deleted() = delete; //~ error
};

struct misnamed {
    ~other(); //~ error
};

struct open {
    ~open() = 3; //~ error
};

union either {
    int a;
    file b; //~ error
};

__device__ both opened; //~ error
__constant__ both fixed; //~ error

__global__ void by_value(both b) { } //~ error

__device__ void keeps()
{
    static both kept; //~ error
}

__global__ void kernel(int *a)
{
    __shared__ both s; //~ error
    host_only wrong = {a}; //~ error
    both right = {a};
    if (a[0])
        goto behind; //~ error
    both late = {a};
behind:
    switch (a[1]) {
    case 0:
        both inner = {a};
    case 1: //~ error
        break;
    }
}

void host(file *p)
{
    static file kept;
    device_only wrong = {0}; //~ error
    p->~file();
    file **rows = 0;
    typedef file pair[2];
    pair *pairs = 0;
    delete[] pairs; //~ error
    delete rows;
}

both::~both() { } //~ error
unknown::~unknown() { } //~ error
