// comd: the Lennard-Jones forces of molecular dynamics with cells, as CoMD's GPU version (thread_atom): copper atoms on
// a face-centred lattice, slightly displaced, in boxes that are a little wider than the cutoff. A thread has an atom;
// it walks through all atoms of the 27 boxes around its own and takes those that are near enough. Boxes beyond the
// edges are copies of those at the other side.
//
// Measured by: dissertation chapter 6 (Table 6.2, CoMD: 6.3 G instructions; one of the four programs that gain).
// Characteristic: the threads of a warp have atoms of two or three boxes, so that their loops run over a few places at
// a time and end at different times; each box has room for 64 atoms, of which about 18 are used; neighbours are
// read again by each of the block's warps. Arrays of doubles, one for each coordinate (-DSINGLE: floats). Blocks of
// 128 threads, eight of which fit on an SM.
//
// usage: comd [cells of the lattice along an edge [atoms]]: the forces on the first `atoms` atoms

#include "workload.h"

#ifdef SINGLE
typedef float real;
#else
typedef double real;
#endif

const int BLOCK = 128, ROOM = 64, AROUND = 27;
const float LATTICE = 3.615f, SIGMA = 2.315f, EPSILON = 0.167f, CUTOFF = 5.7875f;

struct atoms {
    real *x, *y, *z, *fx, *fy, *fz, *energy;
};

// The atoms of the inner boxes: which box each is in, and its place there.
struct atom_list {
    int *box, *place;
    int count;
};

__global__ void forces(atoms a, atom_list list, const int *in_box, const int *neighbours, real cutoff2, real sigma6,
                       real epsilon)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread >= list.count)
        return;
    int box = list.box[thread], mine = box * ROOM + list.place[thread];
    real x = a.x[mine], y = a.y[mine], z = a.z[mine];
    real fx = 0, fy = 0, fz = 0, energy = 0;
    for (int j = 0; j < AROUND; j++) {
        int other_box = neighbours[box * AROUND + j];
        for (int place = 0; place < in_box[other_box]; place++) {
            int other = other_box * ROOM + place;
            real dx = x - a.x[other], dy = y - a.y[other], dz = z - a.z[other];
            real r2 = dx * dx + dy * dy + dz * dz;
            if (r2 <= cutoff2 && r2 > 0) {
                r2 = (real)1 / r2;
                real r6 = sigma6 * (r2 * r2 * r2);
                energy += (real)0.5 * r6 * (r6 - 1);
                real force = r6 * r2 * ((real)48 * r6 - 24);
                fx += dx * force;
                fy += dy * force;
                fz += dz * force;
            }
        }
    }
    a.fx[mine] = fx * epsilon;
    a.fy[mine] = fy * epsilon;
    a.fz[mine] = fz * epsilon;
    a.energy[mine] = energy * 4 * epsilon;
}

// Boxes are numbered from inside: first the inner ones, then the copies at the edges. Coordinates are from -1 to
// `side`.
struct boxes {
    int side, inner, all;
    int *number;
};

int box_at(boxes b, int x, int y, int z)
{
    int wide = b.side + 2;
    return b.number[((z + 1) * wide + y + 1) * wide + x + 1];
}

int inside(int at, int side)
{
    return at >= 0 && at < side;
}

boxes number_boxes(int side)
{
    int wide = side + 2;
    boxes b = {side, side * side * side, wide * wide * wide, (int *)malloc(wide * wide * wide * sizeof(int))};
    int inner = 0, outer = b.inner;
    for (int i = 0; i < b.all; i++) {
        int x = i % wide - 1, y = i / wide % wide - 1, z = i / wide / wide - 1;
        b.number[i] = inside(x, side) && inside(y, side) && inside(z, side) ? inner++ : outer++;
    }
    return b;
}

// Copies the boxes of one side to beyond the other.
void fill_edges(boxes b, real *x, real *y, real *z, int *in_box, real length)
{
    for (int k = -1; k <= b.side; k++) {
        for (int j = -1; j <= b.side; j++) {
            for (int i = -1; i <= b.side; i++) {
                if (inside(i, b.side) && inside(j, b.side) && inside(k, b.side))
                    continue;
                int from = box_at(b, (i + b.side) % b.side, (j + b.side) % b.side, (k + b.side) % b.side);
                int to = box_at(b, i, j, k);
                in_box[to] = in_box[from];
                for (int place = 0; place < in_box[from]; place++) {
                    x[to * ROOM + place] = x[from * ROOM + place] + (i < 0 ? -length : i < b.side ? 0 : length);
                    y[to * ROOM + place] = y[from * ROOM + place] + (j < 0 ? -length : j < b.side ? 0 : length);
                    z[to * ROOM + place] = z[from * ROOM + place] + (k < 0 ? -length : k < b.side ? 0 : length);
                }
            }
        }
    }
}

// The nearest of an atom's images, along one edge.
double nearest(double distance, double length)
{
    return distance > length / 2 ? distance - length : distance < -length / 2 ? distance + length : distance;
}

int main(int argc, char **argv)
{
    int cells = argument(argc, argv, 1, 6), count = 4 * cells * cells * cells;
    real length = cells * LATTICE;
    int side = (int)(length / CUTOFF);
    // With fewer boxes a box and its copy would be neighbours of the same one twice.
    if (side < 3) {
        printf("comd: at least 5 cells are needed\n");
        return 2;
    }
    boxes b = number_boxes(side);
    real *x = (real *)calloc(b.all * ROOM, sizeof(real)), *y = (real *)calloc(b.all * ROOM, sizeof(real));
    real *z = (real *)calloc(b.all * ROOM, sizeof(real));
    int *in_box = (int *)calloc(b.all, sizeof(int)), *neighbours = (int *)malloc(b.inner * AROUND * sizeof(int));
    const float corners[4][3] = {
        {0.25f, 0.25f, 0.25f}, {0.25f, 0.75f, 0.75f}, {0.75f, 0.25f, 0.75f}, {0.75f, 0.75f, 0.25f}};
    for (int atom = 0; atom < count; atom++) {
        int cell = atom / 4;
        real px = (cell % cells + corners[atom % 4][0]) * LATTICE + 0.2f * (random_unit() - 0.5f);
        real py = (cell / cells % cells + corners[atom % 4][1]) * LATTICE + 0.2f * (random_unit() - 0.5f);
        real pz = (cell / cells / cells + corners[atom % 4][2]) * LATTICE + 0.2f * (random_unit() - 0.5f);
        int box = box_at(b, (int)(px / length * side), (int)(py / length * side), (int)(pz / length * side));
        int at = box * ROOM + in_box[box]++;
        x[at] = px;
        y[at] = py;
        z[at] = pz;
    }
    fill_edges(b, x, y, z, in_box, length);
    atom_list list = {(int *)malloc(count * sizeof(int)), (int *)malloc(count * sizeof(int)), 0};
    for (int k = 0; k < side; k++) {
        for (int j = 0; j < side; j++) {
            for (int i = 0; i < side; i++) {
                int box = box_at(b, i, j, k);
                for (int n = 0; n < AROUND; n++)
                    neighbours[box * AROUND + n] = box_at(b, i + n % 3 - 1, j + n / 3 % 3 - 1, k + n / 9 - 1);
                for (int place = 0; place < in_box[box]; place++) {
                    list.box[list.count] = box;
                    list.place[list.count++] = place;
                }
            }
        }
    }
    expect_int("atoms in the list", 0, count, list.count);
    int moving = argument(argc, argv, 2, count);
    moving = moving < count ? moving : count;
    printf("comd: %d of %d atoms, %d boxes of %d on the average\n", moving, count, b.inner, count / b.inner);

    int room = b.all * ROOM;
    atoms d = {to_device(x, room), to_device(y, room), to_device(z, room), device_zeros<real>(room),
               device_zeros<real>(room), device_zeros<real>(room), device_zeros<real>(room)};
    atom_list d_list = {to_device(list.box, count), to_device(list.place, count), moving};
    int *d_in_box = to_device(in_box, b.all), *d_neighbours = to_device(neighbours, b.inner * AROUND);
    real sigma6 = (real)SIGMA * SIGMA * SIGMA * SIGMA * SIGMA * SIGMA;
    forces<<<(moving + BLOCK - 1) / BLOCK, BLOCK>>>(d, d_list, d_in_box, d_neighbours, (real)CUTOFF * CUTOFF, sigma6,
                                                    EPSILON);

    // On the host from all atoms, without boxes, for some of them.
    real *fx = to_host(d.fx, room), *fy = to_host(d.fy, room), *fz = to_host(d.fz, room),
         *energy = to_host(d.energy, room);
    int step = moving / (400000 / count + 4) + 1;
    for (int i = 0; i < moving; i += step) {
        int mine = list.box[i] * ROOM + list.place[i];
        double sum_x = 0, sum_y = 0, sum_z = 0, sum = 0;
        for (int k = 0; k < count; k++) {
            int other = list.box[k] * ROOM + list.place[k];
            double dx = nearest(x[mine] - x[other], length);
            if (fabs(dx) > CUTOFF)
                continue;
            double dy = nearest(y[mine] - y[other], length), dz = nearest(z[mine] - z[other], length);
            double r2 = dx * dx + dy * dy + dz * dz;
            if (k == i || r2 > (double)CUTOFF * CUTOFF)
                continue;
            double s6 = pow(SIGMA / sqrt(r2), 6);
            sum += 2 * EPSILON * (s6 * s6 - s6);
            double force = 24 * EPSILON * (2 * s6 * s6 - s6) / r2;
            sum_x += force * dx;
            sum_y += force * dy;
            sum_z += force * dz;
        }
        double tolerance = sizeof(real) == 4 ? 2e-3 : 1e-5;
        expect_float("force x on atom", i, sum_x, fx[mine], tolerance);
        expect_float("force y on atom", i, sum_y, fy[mine], tolerance);
        expect_float("force z on atom", i, sum_z, fz[mine], tolerance);
        expect_float("energy of atom", i, sum, energy[mine], tolerance);
    }
    return verdict("comd");
}
