// lattice_boltzmann: fluid flow in a lid-driven cavity by the lattice Boltzmann method, 19 directions in 3
// dimensions.
//
// DAC's kind of program; our text of that paper stops before its list. Modelled on Parboil's LBM.
//
// Characteristic: one thread for each cell, a block for each row of 120 cells (padded to 128); a structure of
// arrays, so that all 19 loads and 19 stores of a warp are contiguous, the stores shifted by one cell where they
// stream (scatter); two branches on a flag of the cell, obstacle or fluid and accelerated or not; long straight
// arithmetic between loads and stores, many registers; bound by memory.
//
// usage: lattice_boltzmann [rows in y [rows in z [steps]]]

#include "workload.h"

#define SIZE_X 120
#define PADDED_X 128
#define DIRECTIONS 19
// Planes before and after the cells, so that streaming out of the box stays inside the array.
#define MARGIN 2
#define OMEGA 1.95f

#define OBSTACLE 1u
#define ACCELERATE 2u

__device__ static void exchange(float &a, float &b)
{
    float held = a;
    a = b;
    b = held;
}

// A distribution after the collision; `weight` is the direction's weight times omega times the density, `u` the
// velocity along the direction, and `u2` 1.5 times the speed's square, less 1.
__device__ static float relaxed(float f, float weight, float u, float u2)
{
    return (1.0f - OMEGA) * f + weight * (u * (4.5f * u + 3.0f) - u2);
}

// Array 19 holds the flags. `from` and `to` begin at the first cell, after the margin.
__global__ void stream_collide(const float *from, float *to, int plane)
{
    int slice = PADDED_X * gridDim.x;
    int at = threadIdx.x + PADDED_X * blockIdx.x + slice * blockIdx.y;

    float c = from[at + 0 * plane], n = from[at + 1 * plane], s = from[at + 2 * plane], e = from[at + 3 * plane],
          w = from[at + 4 * plane], t = from[at + 5 * plane], b = from[at + 6 * plane], ne = from[at + 7 * plane],
          nw = from[at + 8 * plane], se = from[at + 9 * plane], sw = from[at + 10 * plane],
          nt = from[at + 11 * plane], nb = from[at + 12 * plane], st = from[at + 13 * plane],
          sb = from[at + 14 * plane], et = from[at + 15 * plane], eb = from[at + 16 * plane],
          wt = from[at + 17 * plane], wb = from[at + 18 * plane];
    unsigned flags = __float_as_uint(from[at + DIRECTIONS * plane]);

    if (flags & OBSTACLE) {
        // What streams into an obstacle goes back to where it came from.
        exchange(n, s);
        exchange(e, w);
        exchange(t, b);
        exchange(ne, sw);
        exchange(nw, se);
        exchange(nt, sb);
        exchange(nb, st);
        exchange(et, wb);
        exchange(eb, wt);
    } else {
        float rho = c + n + s + e + w + t + b + ne + nw + se + sw + nt + nb + st + sb + et + eb + wt + wb;
        float ux = (e + ne + se + et + eb - w - nw - sw - wt - wb) / rho;
        float uy = (n + ne + nw + nt + nb - s - se - sw - st - sb) / rho;
        float uz = (t + nt + st + et + wt - b - nb - sb - eb - wb) / rho;
        if (flags & ACCELERATE) {
            ux = 0.005f;
            uy = 0.002f;
            uz = 0.000f;
        }
        float u2 = 1.5f * (ux * ux + uy * uy + uz * uz) - 1.0f;
        float weighted = OMEGA * rho;
        c = (1.0f - OMEGA) * c + 1.0f / 3.0f * weighted * -u2;
        float axis = 1.0f / 18.0f * weighted;
        float diagonal = 1.0f / 36.0f * weighted;
        n = relaxed(n, axis, uy, u2);
        s = relaxed(s, axis, -uy, u2);
        e = relaxed(e, axis, ux, u2);
        w = relaxed(w, axis, -ux, u2);
        t = relaxed(t, axis, uz, u2);
        b = relaxed(b, axis, -uz, u2);
        ne = relaxed(ne, diagonal, ux + uy, u2);
        nw = relaxed(nw, diagonal, -ux + uy, u2);
        se = relaxed(se, diagonal, ux - uy, u2);
        sw = relaxed(sw, diagonal, -ux - uy, u2);
        nt = relaxed(nt, diagonal, uy + uz, u2);
        nb = relaxed(nb, diagonal, uy - uz, u2);
        st = relaxed(st, diagonal, -uy + uz, u2);
        sb = relaxed(sb, diagonal, -uy - uz, u2);
        et = relaxed(et, diagonal, ux + uz, u2);
        eb = relaxed(eb, diagonal, ux - uz, u2);
        wt = relaxed(wt, diagonal, -ux + uz, u2);
        wb = relaxed(wb, diagonal, -ux - uz, u2);
    }

    to[at + 0 * plane] = c;
    to[at + 1 * plane + PADDED_X] = n;
    to[at + 2 * plane - PADDED_X] = s;
    to[at + 3 * plane + 1] = e;
    to[at + 4 * plane - 1] = w;
    to[at + 5 * plane + slice] = t;
    to[at + 6 * plane - slice] = b;
    to[at + 7 * plane + 1 + PADDED_X] = ne;
    to[at + 8 * plane - 1 + PADDED_X] = nw;
    to[at + 9 * plane + 1 - PADDED_X] = se;
    to[at + 10 * plane - 1 - PADDED_X] = sw;
    to[at + 11 * plane + PADDED_X + slice] = nt;
    to[at + 12 * plane + PADDED_X - slice] = nb;
    to[at + 13 * plane - PADDED_X + slice] = st;
    to[at + 14 * plane - PADDED_X - slice] = sb;
    to[at + 15 * plane + 1 + slice] = et;
    to[at + 16 * plane + 1 - slice] = eb;
    to[at + 17 * plane - 1 + slice] = wt;
    to[at + 18 * plane - 1 - slice] = wb;
}

// The directions in the arrays' order.
static const int way[DIRECTIONS][3] = {
    {0, 0, 0}, {0, 1, 0}, {0, -1, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 0, 1},
    {0, 0, -1}, {1, 1, 0}, {-1, 1, 0}, {1, -1, 0}, {-1, -1, 0}, {0, 1, 1},
    {0, 1, -1}, {0, -1, 1}, {0, -1, -1}, {1, 0, 1}, {1, 0, -1}, {-1, 0, 1},
    {-1, 0, -1},
};

static double weight_of(int direction)
{
    int axes = abs(way[direction][0]) + abs(way[direction][1]) + abs(way[direction][2]);
    return axes == 0 ? 1.0 / 3 : axes == 1 ? 1.0 / 18 : 1.0 / 36;
}

static int opposite(int direction)
{
    for (int other = 0; other < DIRECTIONS; other++)
        if (way[other][0] == -way[direction][0] && way[other][1] == -way[direction][1]
            && way[other][2] == -way[direction][2])
            return other;
    return 0;
}

// Compares what cell `at` sent to its neighbours in the last step with what it should have sent.
static void check_cell(const float *before, const float *after, int at, int plane, int slice)
{
    unsigned flags;
    memcpy(&flags, before + at + DIRECTIONS * plane, sizeof flags);
    double rho = 0, u[3] = {0, 0, 0};
    for (int d = 0; d < DIRECTIONS; d++) {
        double f = before[at + d * plane];
        rho += f;
        for (int axis = 0; axis < 3; axis++)
            u[axis] += way[d][axis] * f;
    }
    for (int axis = 0; axis < 3; axis++)
        u[axis] /= rho;
    if (flags & ACCELERATE) {
        u[0] = 0.005;
        u[1] = 0.002;
        u[2] = 0;
    }
    double square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
    for (int d = 0; d < DIRECTIONS; d++) {
        double along = way[d][0] * u[0] + way[d][1] * u[1] + way[d][2] * u[2];
        double equilibrium = weight_of(d) * rho * (1 + 3 * along + 4.5 * along * along - 1.5 * square);
        double expected = (1 - (double)OMEGA) * before[at + d * plane] + OMEGA * equilibrium;
        if (flags & OBSTACLE)
            expected = before[at + opposite(d) * plane];
        int target = at + way[d][0] + way[d][1] * PADDED_X + way[d][2] * slice;
        expect_float("distribution", d * plane + at, expected, after[d * plane + target], 1e-6);
    }
}

int main(int argc, char **argv)
{
    int size_y = argument(argc, argv, 1, 32);
    int size_z = argument(argc, argv, 2, 24);
    int steps = argument(argc, argv, 3, 3);
    int slice = PADDED_X * size_y, plane = slice * (size_z + 2 * MARGIN);
    int total = (DIRECTIONS + 1) * plane, origin = MARGIN * slice;

    // A fluid at rest in a box of obstacles; the cells below and above its two ends in z are accelerated.
    float *host = (float *)malloc(total * sizeof(float));
    for (int d = 0; d < DIRECTIONS; d++) {
        float weight = weight_of(d);
        for (int i = 0; i < plane; i++)
            host[d * plane + i] = weight;
    }
    unsigned *flags = (unsigned *)(host + DIRECTIONS * plane);
    memset(flags, 0, plane * sizeof(unsigned));
    for (int z = 0; z < size_z; z++)
        for (int y = 0; y < size_y; y++)
            for (int x = 0; x < SIZE_X; x++) {
                bool edge = x == 0 || x == SIZE_X - 1 || y == 0 || y == size_y - 1 || z == 0 || z == size_z - 1;
                unsigned flag = edge ? OBSTACLE : z == 1 || z == size_z - 2 ? ACCELERATE : 0;
                flags[origin + x + PADDED_X * y + slice * z] = flag;
            }

    float *from = to_device(host, total), *to = to_device(host, total);
    dim3 grid(size_y, size_z);
    for (int step = 0; step < steps; step++) {
        stream_collide<<<grid, SIZE_X>>>(from + origin, to + origin, plane);
        CHECK(cudaGetLastError());
        float *held = from;
        from = to;
        to = held;
    }

    // Each step is checked by the last one: what every sampled cell received is what the step before it computed.
    float *after = to_host(from, total), *before = to_host(to, total);
    int rows = size_y * size_z, stride = rows <= 16 ? 1 : rows * SIZE_X / 499;
    for (int i = 0; i < rows * SIZE_X; i += stride)
        check_cell(before + origin, after + origin, i / SIZE_X * PADDED_X + i % SIZE_X, plane, slice);
    double mass = 0, mass_before = 0;
    for (int i = 0; i < rows * SIZE_X; i += rows <= 16 ? 1 : 97) {
        int at = origin + i / SIZE_X * PADDED_X + i % SIZE_X;
        for (int d = 0; d < DIRECTIONS; d++) {
            mass += after[d * plane + at];
            mass_before += host[d * plane + at];
        }
    }
    // Nothing flows out: the mean density stays 1 but for what the sample misses.
    expect_float("mass", 0, 1.0, mass / mass_before, 0.02);
    CHECK(cudaFree(from));
    CHECK(cudaFree(to));
    free(host);
    free(after);
    free(before);
    return verdict("lattice_boltzmann");
}
