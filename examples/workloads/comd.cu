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
// -DEAM takes CoMD's other potential, the embedded-atom method: two passes over the neighbours instead of one, with a
// step between them, and two tables that are interpolated at scattered places for each neighbour that is near enough.
//
// usage: comd [cells of the lattice along an edge [atoms]] [-DEAM] [-DSINGLE]: the forces on the first `atoms` atoms

#include "workload.h"

#ifdef SINGLE
typedef float real;
#else
typedef double real;
#endif

const int BLOCK = 128, ROOM = 64, AROUND = 27, ENTRIES = 500;
const float LATTICE = 3.615f, SIGMA = 2.315f, EPSILON = 0.167f;
#ifdef EAM
const float CUTOFF = 4.95f;
#else
const float CUTOFF = 5.7875f;
#endif

struct atoms {
    real *x, *y, *z, *fx, *fy, *fz, *energy, *density, *slope;
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

// A function at equal distances of its argument, with an entry more before the first and two after the last.
struct table {
    real from, entries_a_unit;
    const real *values;
};

// The function and its derivative, from the four entries around.
__device__ void interpolate(const table &t, real at, real *value, real *slope)
{
    at = (at > t.from ? at - t.from : 0) * t.entries_a_unit;
    int i = (int)floor(at);
    if (i > ENTRIES - 1)
        i = ENTRIES - 1;
    const real *v = t.values + 1 + i;
    at -= i;
    real first = v[1] - v[-1], second = v[2] - v[0];
    *value = v[0] + (real)0.5 * at * (first + at * (v[1] + v[-1] - 2 * v[0]));
    *slope = (real)0.5 * (first + at * (second - first)) * t.entries_a_unit;
}

// Pair forces, and the density of the neighbours' electrons.
__global__ void eam_pairs(atoms a, atom_list list, const int *in_box, const int *neighbours, real cutoff2, table pair,
                          table electrons)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread >= list.count)
        return;
    int box = list.box[thread], mine = box * ROOM + list.place[thread];
    real x = a.x[mine], y = a.y[mine], z = a.z[mine];
    real fx = 0, fy = 0, fz = 0, energy = 0, density = 0;
    for (int j = 0; j < AROUND; j++) {
        int other_box = neighbours[box * AROUND + j];
        for (int place = 0; place < in_box[other_box]; place++) {
            int other = other_box * ROOM + place;
            real dx = x - a.x[other], dy = y - a.y[other], dz = z - a.z[other];
            real r2 = dx * dx + dy * dy + dz * dz;
            if (r2 <= cutoff2 && r2 > 0) {
                real r = sqrt(r2), phi, phi_slope, rho, rho_slope;
                interpolate(pair, r, &phi, &phi_slope);
                interpolate(electrons, r, &rho, &rho_slope);
                fx -= phi_slope * dx / r;
                fy -= phi_slope * dy / r;
                fz -= phi_slope * dz / r;
                energy += (real)0.5 * phi;
                density += rho;
            }
        }
    }
    a.fx[mine] = fx;
    a.fy[mine] = fy;
    a.fz[mine] = fz;
    a.energy[mine] = energy;
    a.density[mine] = density;
}

// The energy of an atom in its neighbours' electrons.
__global__ void eam_embed(atoms a, atom_list list, table embedding)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread >= list.count)
        return;
    int mine = list.box[thread] * ROOM + list.place[thread];
    real energy, slope;
    interpolate(embedding, a.density[mine], &energy, &slope);
    a.energy[mine] += energy;
    a.slope[mine] = slope;
}

// The edges' copies get what the boxes at the other side have.
__global__ void eam_edges(real *slope, const int *from, const int *in_box, int inner)
{
    int box = inner + blockIdx.x, place = threadIdx.x;
    if (place < in_box[box])
        slope[box * ROOM + place] = slope[from[blockIdx.x] * ROOM + place];
}

// Forces by the electrons.
__global__ void eam_forces(atoms a, atom_list list, const int *in_box, const int *neighbours, real cutoff2,
                           table electrons)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread >= list.count)
        return;
    int box = list.box[thread], mine = box * ROOM + list.place[thread];
    real x = a.x[mine], y = a.y[mine], z = a.z[mine], own = a.slope[mine];
    real fx = a.fx[mine], fy = a.fy[mine], fz = a.fz[mine];
    for (int j = 0; j < AROUND; j++) {
        int other_box = neighbours[box * AROUND + j];
        for (int place = 0; place < in_box[other_box]; place++) {
            int other = other_box * ROOM + place;
            real dx = x - a.x[other], dy = y - a.y[other], dz = z - a.z[other];
            real r2 = dx * dx + dy * dy + dz * dz;
            if (r2 <= cutoff2 && r2 > 0) {
                real r = sqrt(r2), rho, rho_slope;
                interpolate(electrons, r, &rho, &rho_slope);
                real force = (own + a.slope[other]) * rho_slope / r;
                fx -= force * dx;
                fy -= force * dy;
                fz -= force * dz;
            }
        }
    }
    a.fx[mine] = fx;
    a.fy[mine] = fy;
    a.fz[mine] = fz;
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
void fill_edges(boxes b, real *x, real *y, real *z, int *in_box, int *source, real length)
{
    for (int k = -1; k <= b.side; k++) {
        for (int j = -1; j <= b.side; j++) {
            for (int i = -1; i <= b.side; i++) {
                if (inside(i, b.side) && inside(j, b.side) && inside(k, b.side))
                    continue;
                int from = box_at(b, (i + b.side) % b.side, (j + b.side) % b.side, (k + b.side) % b.side);
                int to = box_at(b, i, j, k);
                in_box[to] = in_box[from];
                source[to - b.inner] = from;
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

// The potential of the pairs, the electrons of an atom and the energy within such electrons, with their derivatives.
double host_pair(double r, double *slope)
{
    double repulsion = 2.2 * exp(-2.6 * (r - 2.2)), attraction = 0.35 * exp(-1.3 * (r - 2.2));
    *slope = -2.6 * repulsion + 1.3 * attraction;
    return repulsion - attraction;
}

double host_electrons(double r, double *slope)
{
    double rho = 0.2 * exp(-1.1 * (r - 2.5));
    *slope = -1.1 * rho;
    return rho;
}

double host_embedding(double density, double *slope)
{
    *slope = -0.9 / sqrt(density + 0.1);
    return -1.8 * sqrt(density + 0.1);
}

// A table of one of these on the device, for arguments up to `to`.
table tabulate(int which, double from, double to)
{
    real *values = (real *)malloc((ENTRIES + 3) * sizeof(real));
    for (int i = 0; i < ENTRIES + 3; i++) {
        double at = from + (i - 1) * (to - from) / ENTRIES, slope;
        values[i] = which == 0 ? host_pair(at, &slope)
                    : which == 1 ? host_electrons(at, &slope) : host_embedding(at > 0 ? at : 0, &slope);
    }
    table t = {(real)from, (real)(ENTRIES / (to - from)), to_device(values, ENTRIES + 3)};
    free(values);
    return t;
}

// Distance of two atoms by the nearest image; what is further than the cutoff is -1.
double apart(const real *x, const real *y, const real *z, int a, int b, double length, double *d)
{
    d[0] = nearest(x[a] - x[b], length);
    if (fabs(d[0]) > CUTOFF)
        return -1;
    d[1] = nearest(y[a] - y[b], length);
    d[2] = nearest(z[a] - z[b], length);
    double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    return r2 <= (double)CUTOFF * CUTOFF ? sqrt(r2) : -1;
}

// How the energy of an atom changes with the density of its neighbours' electrons.
double host_slope(const real *x, const real *y, const real *z, atom_list list, int i, double length, double *energy)
{
    double density = 0, slope, d[3];
    int mine = list.box[i] * ROOM + list.place[i];
    for (int k = 0; k < list.count; k++) {
        double r = k == i ? -1 : apart(x, y, z, mine, list.box[k] * ROOM + list.place[k], length, d);
        if (r > 0)
            density += host_electrons(r, &slope);
    }
    *energy = host_embedding(density, &slope);
    return slope;
}

// Force and energy of one atom by the embedded-atom method, from all atoms without boxes.
void host_eam(const real *x, const real *y, const real *z, atom_list list, int i, double length, double *force)
{
    int mine = list.box[i] * ROOM + list.place[i];
    double own = host_slope(x, y, z, list, i, length, &force[3]), d[3], pair_slope, rho_slope, unused;
    force[0] = force[1] = force[2] = 0;
    for (int k = 0; k < list.count; k++) {
        double r = k == i ? -1 : apart(x, y, z, mine, list.box[k] * ROOM + list.place[k], length, d);
        if (r < 0)
            continue;
        force[3] += host_pair(r, &pair_slope) / 2;
        host_electrons(r, &rho_slope);
        double size = pair_slope + (own + host_slope(x, y, z, list, k, length, &unused)) * rho_slope;
        for (int axis = 0; axis < 3; axis++)
            force[axis] -= size * d[axis] / r;
    }
}

// Force and energy of one atom by the Lennard-Jones potential, in the same way.
void host_lennard_jones(const real *x, const real *y, const real *z, atom_list list, int i, double length,
                        double *force)
{
    int mine = list.box[i] * ROOM + list.place[i];
    double d[3];
    force[0] = force[1] = force[2] = force[3] = 0;
    for (int k = 0; k < list.count; k++) {
        double r = k == i ? -1 : apart(x, y, z, mine, list.box[k] * ROOM + list.place[k], length, d);
        if (r < 0)
            continue;
        double s6 = pow(SIGMA / r, 6);
        force[3] += 2 * EPSILON * (s6 * s6 - s6);
        for (int axis = 0; axis < 3; axis++)
            force[axis] += 24 * EPSILON * (2 * s6 * s6 - s6) / (r * r) * d[axis];
    }
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
    int *source = (int *)malloc((b.all - b.inner) * sizeof(int));
    fill_edges(b, x, y, z, in_box, source, length);
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
    atoms d = {to_device(x, room),       to_device(y, room),       to_device(z, room),
               device_zeros<real>(room), device_zeros<real>(room), device_zeros<real>(room),
               device_zeros<real>(room), device_zeros<real>(room), device_zeros<real>(room)};
    atom_list d_list = {to_device(list.box, count), to_device(list.place, count), moving};
    int *d_in_box = to_device(in_box, b.all), *d_neighbours = to_device(neighbours, b.inner * AROUND);
    int blocks = (moving + BLOCK - 1) / BLOCK;
#ifdef EAM
    table pair = tabulate(0, 1, CUTOFF), electrons = tabulate(1, 1, CUTOFF), embedding = tabulate(2, 0, 20);
    int *d_source = to_device(source, b.all - b.inner);
    atom_list all = d_list;
    all.count = count;
    eam_pairs<<<(count + BLOCK - 1) / BLOCK, BLOCK>>>(d, all, d_in_box, d_neighbours, (real)CUTOFF * CUTOFF, pair,
                                                      electrons);
    eam_embed<<<(count + BLOCK - 1) / BLOCK, BLOCK>>>(d, all, embedding);
    eam_edges<<<b.all - b.inner, ROOM>>>(d.slope, d_source, d_in_box, b.inner);
    eam_forces<<<blocks, BLOCK>>>(d, d_list, d_in_box, d_neighbours, (real)CUTOFF * CUTOFF, electrons);
#else
    real sigma6 = (real)SIGMA * SIGMA * SIGMA * SIGMA * SIGMA * SIGMA;
    forces<<<blocks, BLOCK>>>(d, d_list, d_in_box, d_neighbours, (real)CUTOFF * CUTOFF, sigma6, EPSILON);
#endif

    // On the host from all atoms, without boxes, for some of them.
    real *fx = to_host(d.fx, room), *fy = to_host(d.fy, room), *fz = to_host(d.fz, room);
    real *energy = to_host(d.energy, room);
    double tolerance = sizeof(real) == 4 ? 2e-3 : 1e-5, force[4];
#ifdef EAM
    int step = moving / (5000 / count + 3) + 1;
#else
    int step = moving / (400000 / count + 4) + 1;
#endif
    for (int i = 0; i < moving; i += step) {
        int mine = list.box[i] * ROOM + list.place[i];
#ifdef EAM
        // The tables are near the functions, but not the same.
        tolerance = 1e-3;
        host_eam(x, y, z, list, i, length, force);
#else
        host_lennard_jones(x, y, z, list, i, length, force);
#endif
        expect_float("force x on atom", i, force[0], fx[mine], tolerance);
        expect_float("force y on atom", i, force[1], fy[mine], tolerance);
        expect_float("force z on atom", i, force[2], fz[mine], tolerance);
        expect_float("energy of atom", i, force[3], energy[mine], tolerance);
    }
    return verdict("comd");
}
