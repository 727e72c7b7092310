// All of these have a value when they are read, or are not read.

struct Pair {
    int low, high;
};

__device__ Pair half(int x) {
    Pair pair;
    pair.low = x;
    return pair;
}

__global__ void fine(const int *x, int *out, int n) {
    int a, b, c;
    if (n > 0) {
        a = 1;
    } else {
        a = 2;
    }
    for (int i = 0; i < n; i++) {
        int square;
        square = i * i;
        out[i] = square + a;
    }
    do {
        b = x[a];
        a++;
    } while (b > 0);
    out[0] = b;
    if (sizeof(int) == 8) out[1] = c;
    (void)c;
    Pair pair = half(n);
    out[2] = pair.low;
    int parts[4];
    for (int i = 0; i < 4; i++) parts[i] = x[i];
    out[3] = parts[n & 3];
}
