// suite: rodinia
// includes: cuda/cfd
// unchanged
#include "driver.h"
#define main their_main
#include "euler3d.cu"
#undef main

// What a state carries through a face with this normal, in double.
static void carried(const double *state, const double *normal, double *out)
{
    double v[3], square = 0, through = 0;
    for (int k = 0; k < 3; k++) {
        v[k] = state[1 + k] / state[0];
        square += v[k] * v[k];
        through += state[1 + k] * normal[k];
    }
    double pressure = (1.4 - 1) * (state[4] - 0.5 * state[0] * square), speed = through / state[0];
    out[0] = through;
    for (int k = 0; k < 3; k++)
        out[1 + k] = speed * state[1 + k] + pressure * normal[k];
    out[4] = speed * (state[4] + pressure);
    out[5] = sqrt(square) + sqrt(1.4 * pressure / state[0]);
    out[6] = pressure;
}

// A step of the Euler equations on random neighbours, with walls and the far field, against the host.
int main()
{
    const int n = 2 * BLOCK_SIZE_1;
    const double free_stream[NVAR] = {1.4, 1.68, 0.2, 0, 3.5};
    static float states[n * NVAR], normals[n * NNB * NDIM], areas[n], factors[n], fluxes[n * NVAR], after[n * NVAR];
    static int around[n * NNB];
    srand(18);
    float far[NVAR];
    for (int k = 0; k < NVAR; k++)
        far[k] = free_stream[k];
    float3 momentum = make_float3(far[1], far[2], far[3]), velocity, fx, fy, fz, fe;
    velocity = make_float3(far[1] / far[0], far[2] / far[0], far[3] / far[0]);
    float square = velocity.x * velocity.x + velocity.y * velocity.y + velocity.z * velocity.z;
    float pressure = 0.4f * (far[4] - 0.5f * far[0] * square);
    compute_flux_contribution(far[0], momentum, far[4], pressure, velocity, fx, fy, fz, fe);
    cudaMemcpyToSymbol(ff_variable, far, sizeof far);
    cudaMemcpyToSymbol(ff_flux_contribution_momentum_x, &fx, sizeof fx);
    cudaMemcpyToSymbol(ff_flux_contribution_momentum_y, &fy, sizeof fy);
    cudaMemcpyToSymbol(ff_flux_contribution_momentum_z, &fz, sizeof fz);
    cudaMemcpyToSymbol(ff_flux_contribution_density_energy, &fe, sizeof fe);

    float *states_d = alloc<float>(n * NVAR), *old_d = alloc<float>(n * NVAR), *fluxes_d = alloc<float>(n * NVAR);
    float *normals_d = alloc<float>(n * NNB * NDIM), *areas_d = alloc<float>(n), *factors_d = alloc<float>(n);
    int *around_d = alloc<int>(n * NNB), wrong = 0;
    initialize_variables(n, states_d);
    download(states, states_d, n * NVAR);
    for (int i = 0; i < n * NVAR; i++)
        wrong += states[i] != far[i / n];
    for (int i = 0; i < n; i++) {
        states[i] = 1 + rand() % 100 / 100.0f;
        for (int k = 1; k < 4; k++)
            states[i + k * n] = rand() % 100 / 100.0f - 0.5f;
        states[i + 4 * n] = 3 + rand() % 100 / 100.0f;
        areas[i] = 1 + rand() % 10;
        for (int j = 0; j < NNB; j++)
            around[i + j * n] = rand() % 8 == 0 ? -1 - rand() % 2 : rand() % n;
    }
    for (int i = 0; i < n * NNB * NDIM; i++)
        normals[i] = rand() % 100 / 100.0f - 0.5f;
    upload(states_d, states, n * NVAR);
    upload(normals_d, normals, n * NNB * NDIM);
    upload(areas_d, areas, n);
    upload<int>(around_d, around, n * NNB);
    copy<float>(old_d, states_d, n * NVAR);
    compute_step_factor(n, states_d, areas_d, factors_d);
    compute_flux(n, around_d, normals_d, states_d, fluxes_d);
    time_step(1, n, old_d, states_d, factors_d, fluxes_d);
    download(factors, factors_d, n);
    download(fluxes, fluxes_d, n * NVAR);
    download(after, states_d, n * NVAR);
    for (int i = 0; i < n; i++) {
        double own[NVAR], sum[NVAR] = {}, a[7], b[7], unit[3] = {};
        for (int k = 0; k < NVAR; k++)
            own[k] = states[i + k * n];
        carried(own, unit, a);
        double factor = 0.5 / (sqrt(areas[i]) * a[5]);
        wrong += !(fabs(factors[i] - factor) < 1e-5 * factor);
        for (int j = 0; j < NNB; j++) {
            double normal[3], other[NVAR], length = 0;
            for (int k = 0; k < 3; k++) {
                normal[k] = normals[i + (j + k * NNB) * n];
                length += normal[k] * normal[k];
            }
            length = sqrt(length);
            carried(own, normal, a);
            int neighbour = around[i + j * n];
            if (neighbour == -1) {
                for (int k = 0; k < 3; k++)
                    sum[1 + k] += normal[k] * a[6];
                continue;
            }
            for (int k = 0; k < NVAR; k++)
                other[k] = neighbour >= 0 ? (double)states[neighbour + k * n] : free_stream[k];
            carried(other, normal, b);
            for (int k = 0; k < NVAR; k++) {
                sum[k] += 0.5 * (a[k] + b[k]);
                if (neighbour >= 0)
                    sum[k] -= length * 0.2 * 0.5 * (a[5] + b[5]) * (own[k] - other[k]);
            }
        }
        for (int k = 0; k < NVAR; k++) {
            wrong += !(fabs(fluxes[i + k * n] - sum[k]) < 1e-4 * (1 + fabs(sum[k])));
            wrong += !(fabs(after[i + k * n] - own[k] - factor / RK * sum[k]) < 1e-4 * (1 + fabs(own[k])));
        }
    }
    dealloc(states_d);
    dealloc<int>(around_d);
    return verdict(wrong, "values");
}

// out: PASS
