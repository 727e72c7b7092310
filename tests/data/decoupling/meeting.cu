// What is chosen where threads of a block meet: the affine stream computes it from the conditions.

// Both halves of the condition are computed where a thread needs them, and what they decide is asked for after
// code that only some threads execute.
__global__ void marked(const float *from, float *to, int width, int height) {
    int x = threadIdx.x, y = threadIdx.y, at = x + y * width;
    bool inside = false;
    if (x > 0 && y > 0 && x < width && y < height) {
        inside = true;
        to[at] = from[at];
    }
    __syncthreads();
    if (inside) {
        to[at - 1] = from[at + 1];
    }
}

// A place and whether it counts are computed on one path, in several steps: the halo of a tile.
__global__ void halo(const float *from, float *to, int width, int height, int planes) {
    int x = threadIdx.x, y = threadIdx.y, place = 0;
    bool in_halo = false;
    if (y < 2) {
        x = x - 1 + blockIdx.x * 32;
        y = y * 9 + blockIdx.y * 8;
        place = x + y * width;
        to[threadIdx.x] = 0;
        in_halo = x >= 0 && x < width && y < height;
    }
    for (int z = 0; z < planes; z++) {
        if (in_halo) {
            to[place] = from[place];
            place += width * height;
        }
    }
}

// What decides is loaded.
__global__ void by_data(const int *from, int *to, int n) {
    int at = threadIdx.x;
    if (from[at] > n) {
        to[at] = n;
        at += n;
    }
    to[at + 1] = from[at];
}

// Threads leave the inner loop in different rounds: what they bring is not known before.
__global__ void out_of_a_loop(const int *from, int *to, int n) {
    int at = 0;
    if (threadIdx.x < n) {
        for (at = threadIdx.x; at < n * 7; at += 5) {
            to[at] = from[at];
        }
    }
    to[at] = n;
}
