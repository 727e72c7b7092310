// Only some ways lead past what gives the variable a value.

__global__ void best(const float *x, float *out, int n, int mode) {
    float most;
    if (n > 0) most = x[0];
    *out = most;

    int step;
    switch (mode) {
    case 0:
        step = 1;
        break;
    case 1:
        step = 2;
        break;
    }
    out[step] = 1;
}

__global__ void differences(const int *x, int *out, int n) {
    int before;
    for (int i = 0; i < n; i++) {
        if (i > 0) out[i] = x[i] - before;
        before = x[i];
    }
}

__global__ void choose(int *out, int mode, long long key) {
    int step, other;
    switch (mode) {
    case -7:
        break;
    default:
        step = 2;
    }
    out[0] = step;
    switch (key) {
    case 1:
    case 2:
    case 3:
    case 4:
    case 1ll << 40:
        other = 5;
        break;
    case 6:
        other = 7;
    }
    out[1] = other;
}
