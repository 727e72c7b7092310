// cfd: steps of a solver for compressible flow (Euler's equations) on an unstructured mesh, finite volumes.
//
// AVC (Table 1), BCC (Table 1) measure it; DAC's kind too, but our text of that paper stops before its list.
// Modelled on Rodinia's CFD (euler3d).
//
// Characteristic: one thread for each cell, blocks of 192; a structure of arrays, so that a cell's own values are
// contiguous, while those of its four neighbours scatter; in the flux kernel an unrolled loop over the faces with a
// branch of three ways (a neighbour, a wall, the far field) and a great many live floats: about 40 to 60 registers,
// the source's example of computation data that is spilled. Five conserved values for each cell; three Runge-Kutta
// steps, each with a flux and a short update kernel; the local time step before them.
//
// The mesh: a sheet of cells with four neighbours each, renumbered within windows of 256, walls on one side and far
// field on the others, faces' normals with noise.
//
// usage: cfd [columns of cells [rows [iterations [start]]]]; their product a multiple of 192; start 1: uniform flow,
// as the public program, 2: disturbed at random, so that every term of the flux counts in the comparison

#include "workload.h"

#define THREADS 192
#define FACES 4
#define GAMMA 1.4f
#define RUNGE_KUTTA 3
#define DENSITY 0
#define MOMENTUM 1
#define ENERGY 4
#define VALUES 5
#define WALL -1
#define FAR_FIELD -2
#define WINDOW 256

// The far field's values, and its contributions to the flux of momentum and energy.
__constant__ float far_value[VALUES];
__constant__ float3 far_flux[4];

struct fluxes {
    float3 momentum_x, momentum_y, momentum_z, energy;
};

__device__ static fluxes contributions(float3 momentum, float energy, float pressure, float3 velocity)
{
    fluxes f;
    f.momentum_x = make_float3(velocity.x * momentum.x + pressure, velocity.x * momentum.y, velocity.x * momentum.z);
    f.momentum_y = make_float3(f.momentum_x.y, velocity.y * momentum.y + pressure, velocity.y * momentum.z);
    f.momentum_z = make_float3(f.momentum_x.z, f.momentum_y.z, velocity.z * momentum.z + pressure);
    float work = energy + pressure;
    f.energy = make_float3(velocity.x * work, velocity.y * work, velocity.z * work);
    return f;
}

__device__ static float3 velocity_of(float density, float3 momentum)
{
    return make_float3(momentum.x / density, momentum.y / density, momentum.z / density);
}

__device__ static float square_of(float3 v)
{
    return v.x * v.x + v.y * v.y + v.z * v.z;
}

__device__ static float pressure_of(float density, float energy, float speed_squared)
{
    return (GAMMA - 1.0f) * (energy - 0.5f * density * speed_squared);
}

__global__ void initialise(int cells, float *variables)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    for (int j = 0; j < VALUES; j++)
        variables[i + j * cells] = far_value[j];
}

__global__ void step_factors(int cells, const float *variables, const float *areas, float *factors)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    float density = variables[i + DENSITY * cells];
    float3 momentum = make_float3(variables[i + MOMENTUM * cells], variables[i + (MOMENTUM + 1) * cells],
                                  variables[i + (MOMENTUM + 2) * cells]);
    float energy = variables[i + ENERGY * cells];
    float3 velocity = velocity_of(density, momentum);
    float speed_squared = square_of(velocity);
    float sound = sqrtf(GAMMA * pressure_of(density, energy, speed_squared) / density);
    factors[i] = 0.5f / (sqrtf(areas[i]) * (sqrtf(speed_squared) + sound));
}

__global__ void compute_flux(int cells, const int *neighbours, const float *normals, const float *variables,
                             float *flux)
{
    const float smoothing = 0.2f;
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    float density = variables[i + DENSITY * cells];
    float3 momentum = make_float3(variables[i + MOMENTUM * cells], variables[i + (MOMENTUM + 1) * cells],
                                  variables[i + (MOMENTUM + 2) * cells]);
    float energy = variables[i + ENERGY * cells];
    float3 velocity = velocity_of(density, momentum);
    float speed_squared = square_of(velocity);
    float speed = sqrtf(speed_squared);
    float pressure = pressure_of(density, energy, speed_squared);
    float sound = sqrtf(GAMMA * pressure / density);
    fluxes own = contributions(momentum, energy, pressure, velocity);

    float sum_density = 0.0f, sum_energy = 0.0f;
    float3 sum = make_float3(0.0f, 0.0f, 0.0f);
#pragma unroll
    for (int j = 0; j < FACES; j++) {
        int other = neighbours[i + j * cells];
        float3 normal = make_float3(normals[i + j * cells], normals[i + (j + FACES) * cells],
                                    normals[i + (j + 2 * FACES) * cells]);
        float length = sqrtf(normal.x * normal.x + normal.y * normal.y + normal.z * normal.z);
        if (other >= 0) {
            float density_n = variables[other + DENSITY * cells];
            float3 momentum_n = make_float3(variables[other + MOMENTUM * cells],
                                            variables[other + (MOMENTUM + 1) * cells],
                                            variables[other + (MOMENTUM + 2) * cells]);
            float energy_n = variables[other + ENERGY * cells];
            float3 velocity_n = velocity_of(density_n, momentum_n);
            float squared_n = square_of(velocity_n);
            float pressure_n = pressure_of(density_n, energy_n, squared_n);
            float sound_n = sqrtf(GAMMA * pressure_n / density_n);
            fluxes f = contributions(momentum_n, energy_n, pressure_n, velocity_n);

            // Artificial viscosity.
            float factor = -length * smoothing * 0.5f * (speed + sqrtf(squared_n) + sound + sound_n);
            sum_density += factor * (density - density_n);
            sum_energy += factor * (energy - energy_n);
            sum.x += factor * (momentum.x - momentum_n.x);
            sum.y += factor * (momentum.y - momentum_n.y);
            sum.z += factor * (momentum.z - momentum_n.z);

            factor = 0.5f * normal.x;
            sum_density += factor * (momentum_n.x + momentum.x);
            sum_energy += factor * (f.energy.x + own.energy.x);
            sum.x += factor * (f.momentum_x.x + own.momentum_x.x);
            sum.y += factor * (f.momentum_y.x + own.momentum_y.x);
            sum.z += factor * (f.momentum_z.x + own.momentum_z.x);

            factor = 0.5f * normal.y;
            sum_density += factor * (momentum_n.y + momentum.y);
            sum_energy += factor * (f.energy.y + own.energy.y);
            sum.x += factor * (f.momentum_x.y + own.momentum_x.y);
            sum.y += factor * (f.momentum_y.y + own.momentum_y.y);
            sum.z += factor * (f.momentum_z.y + own.momentum_z.y);

            factor = 0.5f * normal.z;
            sum_density += factor * (momentum_n.z + momentum.z);
            sum_energy += factor * (f.energy.z + own.energy.z);
            sum.x += factor * (f.momentum_x.z + own.momentum_x.z);
            sum.y += factor * (f.momentum_y.z + own.momentum_y.z);
            sum.z += factor * (f.momentum_z.z + own.momentum_z.z);
        } else if (other == WALL) {
            sum.x += normal.x * pressure;
            sum.y += normal.y * pressure;
            sum.z += normal.z * pressure;
        } else if (other == FAR_FIELD) {
            float factor = 0.5f * normal.x;
            sum_density += factor * (far_value[MOMENTUM] + momentum.x);
            sum_energy += factor * (far_flux[3].x + own.energy.x);
            sum.x += factor * (far_flux[0].x + own.momentum_x.x);
            sum.y += factor * (far_flux[1].x + own.momentum_y.x);
            sum.z += factor * (far_flux[2].x + own.momentum_z.x);

            factor = 0.5f * normal.y;
            sum_density += factor * (far_value[MOMENTUM + 1] + momentum.y);
            sum_energy += factor * (far_flux[3].y + own.energy.y);
            sum.x += factor * (far_flux[0].y + own.momentum_x.y);
            sum.y += factor * (far_flux[1].y + own.momentum_y.y);
            sum.z += factor * (far_flux[2].y + own.momentum_z.y);

            factor = 0.5f * normal.z;
            sum_density += factor * (far_value[MOMENTUM + 2] + momentum.z);
            sum_energy += factor * (far_flux[3].z + own.energy.z);
            sum.x += factor * (far_flux[0].z + own.momentum_x.z);
            sum.y += factor * (far_flux[1].z + own.momentum_y.z);
            sum.z += factor * (far_flux[2].z + own.momentum_z.z);
        }
    }
    flux[i + DENSITY * cells] = sum_density;
    flux[i + MOMENTUM * cells] = sum.x;
    flux[i + (MOMENTUM + 1) * cells] = sum.y;
    flux[i + (MOMENTUM + 2) * cells] = sum.z;
    flux[i + ENERGY * cells] = sum_energy;
}

__global__ void time_step(int j, int cells, const float *old, float *variables, const float *factors,
                          const float *flux)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    float factor = factors[i] / (RUNGE_KUTTA + 1 - j);
    for (int value = 0; value < VALUES; value++)
        variables[i + value * cells] = old[i + value * cells] + factor * flux[i + value * cells];
}

// The flux tensor of one state, rows: density, momentum x, y, z, energy; columns: directions.
static void host_tensor(const double *v, double tensor[VALUES][3], double *pressure)
{
    double square = (v[1] * v[1] + v[2] * v[2] + v[3] * v[3]) / v[0];
    *pressure = ((double)GAMMA - 1) * (v[ENERGY] - 0.5 * square);
    for (int axis = 0; axis < 3; axis++) {
        double speed = v[MOMENTUM + axis] / v[0];
        for (int value = 0; value < VALUES; value++)
            tensor[value][axis] = v[value] * speed;
        tensor[MOMENTUM + axis][axis] += *pressure;
        tensor[ENERGY][axis] += *pressure * speed;
    }
}

// Speed of the fluid and of sound together.
static double host_speeds(const double *v, double pressure)
{
    return sqrt(v[1] * v[1] + v[2] * v[2] + v[3] * v[3]) / v[0] + sqrt(GAMMA * pressure / v[0]);
}

// Compares the flux of cell `i` with the sum over its faces, in double precision.
static void check_flux(int cells, int i, const int *neighbours, const float *normals, const float *variables,
                       const double *far, const float *flux)
{
    double own[VALUES], other[VALUES], sum[VALUES] = {0, 0, 0, 0, 0}, scale = 1;
    double own_tensor[VALUES][3], other_tensor[VALUES][3], pressure, other_pressure;
    for (int value = 0; value < VALUES; value++)
        own[value] = variables[i + value * cells];
    host_tensor(own, own_tensor, &pressure);
    for (int j = 0; j < FACES; j++) {
        int neighbour = neighbours[i + j * cells];
        double normal[3], length = 0;
        for (int axis = 0; axis < 3; axis++) {
            normal[axis] = normals[i + (j + axis * FACES) * cells];
            length += normal[axis] * normal[axis];
        }
        length = sqrt(length);
        for (int value = 0; value < VALUES; value++)
            other[value] = neighbour >= 0 ? variables[neighbour + value * cells] : far[value];
        host_tensor(other, other_tensor, &other_pressure);
        double viscosity = -length * 0.1 * (host_speeds(own, pressure) + host_speeds(other, other_pressure));
        for (int value = 0; value < VALUES; value++) {
            double term = neighbour >= 0 ? viscosity * (own[value] - other[value]) : 0;
            for (int axis = 0; axis < 3; axis++) {
                double mean = 0.5 * (own_tensor[value][axis] + other_tensor[value][axis]);
                if (neighbour == WALL)
                    mean = value == MOMENTUM + axis ? pressure : 0;
                term += normal[axis] * mean;
            }
            sum[value] += term;
            scale += fabs(term);
        }
    }
    for (int value = 0; value < VALUES; value++)
        expect_float("flux", i + value * cells, 0, (flux[i + value * cells] - sum[value]) / scale, 2e-5);
}

// Neighbours, normals (outwards, their sum near zero) and areas of a sheet of columns x rows cells.
static void make_mesh(int columns, int rows, int *neighbours, float *normals, float *areas)
{
    static const int way[FACES][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    int cells = columns * rows;
    int *number = (int *)malloc(cells * sizeof(int));
    for (int i = 0; i < cells; i++)
        number[i] = i;
    for (int i = 0; i < cells; i++) {
        // A swap within the window of cell i.
        int first = i / WINDOW * WINDOW, many = cells - first < WINDOW ? cells - first : WINDOW;
        int other = first + random_below(many), held = number[i];
        number[i] = number[other];
        number[other] = held;
    }
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++) {
            int cell = number[y * columns + x];
            areas[cell] = 0.8f + 0.4f * random_unit();
            for (int j = 0; j < FACES; j++) {
                int u = x + way[j][0], v = y + way[j][1];
                int inside = u >= 0 && u < columns && v >= 0 && v < rows;
                neighbours[cell + j * cells] = inside ? number[v * columns + u] : v < 0 ? WALL : FAR_FIELD;
                // Faces 2 and 3 are faces 0 and 1 of the neighbour, seen from the other side.
                if (j >= 2 && inside) {
                    for (int axis = 0; axis < 3; axis++)
                        normals[cell + (j + axis * FACES) * cells]
                            = -normals[number[v * columns + u] + (j - 2 + axis * FACES) * cells];
                } else {
                    normals[cell + j * cells] = way[j][0] + 0.1f * (random_unit() - 0.5f);
                    normals[cell + (j + FACES) * cells] = way[j][1] + 0.1f * (random_unit() - 0.5f);
                    normals[cell + (j + 2 * FACES) * cells] = 0.1f * (random_unit() - 0.5f);
                }
            }
        }
    free(number);
}

// Flow at Mach 1.2 along x.
static void set_far_field(double *far)
{
    double tensor[VALUES][3], pressure = 1.0, speed = 1.2 * sqrt(GAMMA * pressure / GAMMA);
    far[DENSITY] = GAMMA;
    far[MOMENTUM] = GAMMA * speed;
    far[MOMENTUM + 1] = far[MOMENTUM + 2] = 0;
    far[ENERGY] = 0.5 * GAMMA * speed * speed + pressure / (GAMMA - 1.0);
    host_tensor(far, tensor, &pressure);
    float values[VALUES];
    float3 contributions[4];
    for (int value = 0; value < VALUES; value++)
        values[value] = far[value];
    for (int row = 0; row < 4; row++)
        contributions[row] = make_float3(tensor[row + 1][0], tensor[row + 1][1], tensor[row + 1][2]);
    CHECK(cudaMemcpyToSymbol(far_value, values, sizeof values));
    CHECK(cudaMemcpyToSymbol(far_flux, contributions, sizeof contributions));
}

// Changes every value of every cell by up to a tenth, and the momentum also where it was 0.
static void disturb(float *variables, int cells)
{
    float *host = to_host(variables, cells * VALUES);
    for (int i = 0; i < cells * VALUES; i++) {
        float noise = 0.2f * random_unit() - 0.1f;
        host[i] += i / cells == DENSITY || i / cells == ENERGY ? noise * host[i] : noise;
    }
    CHECK(cudaMemcpy(variables, host, cells * VALUES * sizeof(float), cudaMemcpyHostToDevice));
    free(host);
}

int main(int argc, char **argv)
{
    int columns = argument(argc, argv, 1, 384);
    int rows = argument(argc, argv, 2, 180);
    int iterations = argument(argc, argv, 3, 1);
    int start = argument(argc, argv, 4, 1);
    int cells = columns * rows;
    if (cells % THREADS) {
        printf("columns times rows must be a multiple of %d\n", THREADS);
        return 2;
    }
    int *neighbours = (int *)malloc(cells * FACES * sizeof(int));
    float *normals = (float *)malloc(cells * FACES * 3 * sizeof(float));
    float *areas = (float *)malloc(cells * sizeof(float));
    make_mesh(columns, rows, neighbours, normals, areas);
    double far[VALUES];
    set_far_field(far);

    int *device_neighbours = to_device(neighbours, cells * FACES);
    float *device_normals = to_device(normals, cells * FACES * 3), *device_areas = to_device(areas, cells);
    float *variables = device_zeros<float>(cells * VALUES), *old = device_zeros<float>(cells * VALUES);
    float *flux = device_zeros<float>(cells * VALUES), *factors = device_zeros<float>(cells);
    float *before = 0;
    int blocks = cells / THREADS;
    initialise<<<blocks, THREADS>>>(cells, variables);
    CHECK(cudaGetLastError());
    if (start > 1)
        disturb(variables, cells);
    for (int i = 0; i < iterations; i++) {
        CHECK(cudaMemcpy(old, variables, cells * VALUES * sizeof(float), cudaMemcpyDeviceToDevice));
        step_factors<<<blocks, THREADS>>>(cells, variables, device_areas, factors);
        CHECK(cudaGetLastError());
        for (int j = 0; j < RUNGE_KUTTA; j++) {
            // What the last flux is computed from, for the comparison.
            if (i == iterations - 1 && j == RUNGE_KUTTA - 1)
                before = to_host(variables, cells * VALUES);
            compute_flux<<<blocks, THREADS>>>(cells, device_neighbours, device_normals, variables, flux);
            CHECK(cudaGetLastError());
            time_step<<<blocks, THREADS>>>(j, cells, old, variables, factors, flux);
            CHECK(cudaGetLastError());
        }
    }

    float *last_flux = to_host(flux, cells * VALUES), *after = to_host(variables, cells * VALUES);
    float *first = to_host(old, cells * VALUES), *factor = to_host(factors, cells);
    int stride = cells <= 1024 ? 1 : cells / 499;
    for (int i = 0; i < cells; i += stride) {
        check_flux(cells, i, neighbours, normals, before, far, last_flux);
        double v[VALUES], tensor[VALUES][3], pressure;
        for (int value = 0; value < VALUES; value++)
            v[value] = first[i + value * cells];
        host_tensor(v, tensor, &pressure);
        expect_float("step factor", i, 0.5 / (sqrt((double)areas[i]) * host_speeds(v, pressure)), factor[i], 1e-5);
        for (int value = 0; value < VALUES; value++) {
            int at = i + value * cells;
            expect_float("variable", at, v[value] + (double)factor[i] / 2 * last_flux[at], after[at], 1e-5);
        }
    }
    float *device[] = {device_normals, device_areas, variables, old, flux, factors};
    CHECK(cudaFree(device_neighbours));
    for (int i = 0; i < 6; i++)
        CHECK(cudaFree(device[i]));
    return verdict("cfd");
}
