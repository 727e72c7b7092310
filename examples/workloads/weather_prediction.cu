// weather_prediction: cloud microphysics of a weather model in the manner of WRF's WSM5 scheme, as the WP benchmark of
// GPGPU-Sim: vapour, cloud water, cloud ice, rain and snow of each column of air. A thread has a column and walks its
// 27 levels several times: fall speeds, rain and snow that fall in as many small steps as the fastest drop needs,
// melting, exchange between the five kinds of water above and below freezing, and condensation. The rates are simpler
// than WSM5's; the order of the steps, the branches and the arrays are as there.
//
// Measured by: dissertation chapter 5 (Table 5.4, WP: 365 M instructions, 2.00 sectors of a line used).
// Characteristic: a dozen arrays of 27 numbers in each thread's local memory, many registers, branches by temperature
// and by which kinds of water are there, and a loop whose length depends on the column. Blocks of 8 x 8: a warp has
// four rows of eight columns, so that it uses one sector each of four lines.
//
// usage: weather_prediction [columns east-west [columns north-south [steps]]]

#include "workload.h"

const int LEVELS = 27, SIDE = 8;
const float FREEZING = 273.15f, LEAST = 1e-9f, STEP = 60.0f;

// One number for each level of each column, in WRF's order: east-west fastest, then levels, then north-south.
struct fields {
    float *t, *q, *cloud, *ice, *rain, *snow, *density, *thickness, *pressure, *fallen;
};

// What a thread keeps of its column.
struct column {
    float t[LEVELS], q[LEVELS], cloud[LEVELS], ice[LEVELS], rain[LEVELS], snow[LEVELS];
    float density[LEVELS], thickness[LEVELS], pressure[LEVELS], rain_speed[LEVELS], snow_speed[LEVELS];
};

__device__ float saturation(float t, float pressure)
{
    float e = t > FREEZING ? 610.78f * expf(17.269f * (t - FREEZING) / (t - 35.86f))
                           : 610.78f * expf(21.875f * (t - FREEZING) / (t - 7.66f));
    return 0.622f * e / (pressure - 0.378f * e);
}

// Speeds at which rain and snow fall, and how many steps the fastest takes to cross no more than a level each.
__device__ int fall_speeds(column &c)
{
    int steps = 1;
    for (int k = 0; k < LEVELS; k++) {
        float thin = sqrtf(1.28f / c.density[k]), fastest = 0;
        c.rain_speed[k] = c.snow_speed[k] = 0;
        if (c.rain[k] > LEAST)
            fastest = c.rain_speed[k] = 36.0f * powf(c.density[k] * c.rain[k] * 0.001f, 0.1364f) * thin;
        if (c.snow[k] > LEAST) {
            // Snow that melts falls as rain does.
            if (c.t[k] > FREEZING)
                c.snow_speed[k] = 36.0f * powf(c.density[k] * c.snow[k] * 0.001f, 0.1364f) * thin;
            else
                c.snow_speed[k] = 6.0f * powf(c.density[k] * c.snow[k] * 0.001f, 0.1f) * thin;
            fastest = fmaxf(fastest, c.snow_speed[k]);
        }
        steps = max(steps, (int)(fastest / c.thickness[k] * STEP + 1));
    }
    return min(steps, 100);
}

// Rain and snow fall through the levels, from the top; snow melts on its way. What reaches the ground.
__device__ float fall(column &c, int steps)
{
    float part = STEP / steps, ground = 0;
    for (int n = 0; n < steps; n++) {
        float rain_above = 0, snow_above = 0;
        for (int k = LEVELS - 1; k >= 0; k--) {
            float rain_out = c.density[k] * c.rain[k] * c.rain_speed[k];
            float snow_out = c.density[k] * c.snow[k] * c.snow_speed[k];
            float each = part / (c.density[k] * c.thickness[k]);
            c.rain[k] = fmaxf(c.rain[k] + (rain_above - rain_out) * each, 0.0f);
            c.snow[k] = fmaxf(c.snow[k] + (snow_above - snow_out) * each, 0.0f);
            if (c.t[k] > FREEZING && c.snow[k] > 0) {
                float melts = fminf(c.snow[k], 1e-5f * (c.t[k] - FREEZING) * sqrtf(c.snow[k]) * part);
                c.snow[k] -= melts;
                c.rain[k] += melts;
                c.t[k] -= 332.0f * melts;
            }
            rain_above = rain_out;
            snow_above = snow_out;
        }
        ground += (rain_above + snow_above) * part;
    }
    return ground;
}

// One level's exchange between vapour, cloud water and rain.
__device__ void warm(column &c, int k, float excess)
{
    if (c.cloud[k] > 5e-4f) {
        float grows = fminf(c.cloud[k], 1e-3f * powf(c.cloud[k] - 5e-4f, 1.1f) * STEP);
        c.cloud[k] -= grows;
        c.rain[k] += grows;
    }
    if (c.rain[k] > LEAST && c.cloud[k] > LEAST) {
        float swept = fminf(c.cloud[k], 2.2f * c.cloud[k] * powf(c.rain[k], 0.875f) * STEP);
        c.cloud[k] -= swept;
        c.rain[k] += swept;
    }
    if (c.rain[k] > 0 && excess < 0) {
        float dries = fminf(c.rain[k], -excess * sqrtf(c.density[k] * c.rain[k]) * 0.01f * STEP);
        c.rain[k] -= dries;
        c.q[k] += dries;
        c.t[k] -= 2490.0f * dries;
    }
}

// One level's exchange with ice and snow, below freezing; above, snow that dries and ice that melts.
__device__ void cold(column &c, int k, float excess)
{
    float below = FREEZING - c.t[k];
    if (below > 0) {
        float crystals = fminf(expf(0.12f * below), 200.0f);
        if (c.snow[k] > LEAST && c.ice[k] > LEAST) {
            float swept = fminf(c.ice[k], c.ice[k] * crystals * powf(c.snow[k], 0.8f) * 0.1f * STEP);
            c.ice[k] -= swept;
            c.snow[k] += swept;
        }
        if (c.snow[k] > LEAST && c.cloud[k] > LEAST) {
            float frozen = fminf(c.cloud[k], c.cloud[k] * powf(c.snow[k], 0.8f) * STEP);
            c.cloud[k] -= frozen;
            c.snow[k] += frozen;
            c.t[k] += 332.0f * frozen;
        }
        if (excess > 0) {
            float most = 0.5f * excess, born = fminf(most, 1e-7f * crystals * STEP);
            if (c.ice[k] > 0)
                born = fminf(most, born + 0.02f * excess * sqrtf(crystals));
            c.ice[k] += born;
            c.q[k] -= born;
            c.t[k] += 2820.0f * born;
        }
        if (c.ice[k] > 8e-5f) {
            float grows = c.ice[k] - 8e-5f;
            c.ice[k] -= grows;
            c.snow[k] += grows;
        }
        if (below > 40 && c.cloud[k] > 0) {
            c.ice[k] += c.cloud[k];
            c.t[k] += 332.0f * c.cloud[k];
            c.cloud[k] = 0;
        }
    } else {
        if (c.snow[k] > LEAST && excess < 0) {
            float dries = fminf(c.snow[k], -excess * sqrtf(c.snow[k]) * 0.02f * STEP);
            c.snow[k] -= dries;
            c.q[k] += dries;
            c.t[k] -= 2820.0f * dries;
        }
        if (c.ice[k] > 0) {
            c.cloud[k] += c.ice[k];
            c.t[k] -= 332.0f * c.ice[k];
            c.ice[k] = 0;
        }
    }
}

// Vapour beyond saturation condenses; cloud water evaporates where the air is dry.
__device__ void condense(column &c, int k)
{
    float saturated = saturation(c.t[k], c.pressure[k]);
    float moved = (c.q[k] - saturated) / (1 + 1.35e7f * saturated / (c.t[k] * c.t[k]));
    if (moved < 0)
        moved = fmaxf(moved, -c.cloud[k]);
    c.q[k] -= moved;
    c.cloud[k] += moved;
    c.t[k] += 2490.0f * moved;
}

__global__ void microphysics(fields f, int east, int north)
{
    int i = blockIdx.x * SIDE + threadIdx.x, j = blockIdx.y * SIDE + threadIdx.y;
    if (i >= east || j >= north)
        return;
    column c;
    for (int k = 0; k < LEVELS; k++) {
        int at = (j * LEVELS + k) * east + i;
        c.t[k] = f.t[at];
        c.q[k] = f.q[at];
        c.cloud[k] = fmaxf(f.cloud[at], 0.0f);
        c.ice[k] = fmaxf(f.ice[at], 0.0f);
        c.rain[k] = fmaxf(f.rain[at], 0.0f);
        c.snow[k] = fmaxf(f.snow[at], 0.0f);
        c.density[k] = f.density[at];
        c.thickness[k] = f.thickness[at];
        c.pressure[k] = f.pressure[at];
    }
    int steps = fall_speeds(c);
    f.fallen[j * east + i] += fall(c, steps);
    for (int k = 0; k < LEVELS; k++) {
        float excess = c.q[k] - saturation(c.t[k], c.pressure[k]);
        warm(c, k, excess);
        cold(c, k, excess);
        condense(c, k);
    }
    for (int k = 0; k < LEVELS; k++) {
        int at = (j * LEVELS + k) * east + i;
        f.t[at] = c.t[k];
        f.q[at] = c.q[k];
        f.cloud[at] = c.cloud[k];
        f.ice[at] = c.ice[k];
        f.rain[at] = c.rain[k];
        f.snow[at] = c.snow[k];
    }
}

// The host's: one level's water in double precision.
struct air {
    double t, q, cloud, ice, rain, snow, density, thickness, pressure, rain_speed, snow_speed;
};

double host_saturation(const air &a)
{
    double kelvin = a.t - 273.15,
           e = 610.78 * exp(kelvin > 0 ? 17.269 * kelvin / (a.t - 35.86) : 21.875 * kelvin / (a.t - 7.66));
    return 0.622 * e / (a.pressure - 0.378 * e);
}

double host_fall(air *levels)
{
    int steps = 1;
    for (air *a = levels; a < levels + LEVELS; a++) {
        double thin = sqrt(1.28 / a->density);
        double as_rain = 36 * pow(a->density * a->rain / 1000, 0.1364) * thin;
        double as_wet = 36 * pow(a->density * a->snow / 1000, 0.1364) * thin;
        double as_snow = 6 * pow(a->density * a->snow / 1000, 0.1) * thin;
        a->rain_speed = a->rain > LEAST ? as_rain : 0;
        a->snow_speed = a->snow <= LEAST ? 0 : a->t > 273.15 ? as_wet : as_snow;
        double fastest = a->rain_speed > a->snow_speed ? a->rain_speed : a->snow_speed;
        int needed = (int)(fastest / a->thickness * STEP + 1);
        steps = needed > steps ? needed : steps;
    }
    steps = steps > 100 ? 100 : steps;
    double ground = 0, part = STEP / steps;
    for (int n = 0; n < steps; n++) {
        double rain_in = 0, snow_in = 0;
        for (air *a = levels + LEVELS - 1; a >= levels; a--) {
            double rain_out = a->density * a->rain * a->rain_speed, snow_out = a->density * a->snow * a->snow_speed;
            a->rain += (rain_in - rain_out) * part / (a->density * a->thickness);
            a->snow += (snow_in - snow_out) * part / (a->density * a->thickness);
            a->rain = a->rain < 0 ? 0 : a->rain;
            a->snow = a->snow < 0 ? 0 : a->snow;
            double melts = a->t > 273.15 ? 1e-5 * (a->t - 273.15) * sqrt(a->snow) * part : 0;
            melts = melts > a->snow ? a->snow : melts;
            a->snow -= melts;
            a->rain += melts;
            a->t -= 332 * melts;
            rain_in = rain_out;
            snow_in = snow_out;
        }
        ground += (rain_in + snow_in) * part;
    }
    return ground;
}

// Moves `amount`, but no more than there is, and its heat.
void move(double *from, double *to, double amount, double *t, double heat)
{
    amount = amount > *from ? *from : amount;
    *from -= amount;
    *to += amount;
    *t += heat * amount;
}

void host_exchange(air *a)
{
    double excess = a->q - host_saturation(*a);
    if (a->cloud > 5e-4)
        move(&a->cloud, &a->rain, 1e-3 * pow(a->cloud - 5e-4, 1.1) * STEP, &a->t, 0);
    if (a->rain > LEAST && a->cloud > LEAST)
        move(&a->cloud, &a->rain, 2.2 * a->cloud * pow(a->rain, 0.875) * STEP, &a->t, 0);
    if (excess < 0)
        move(&a->rain, &a->q, -excess * sqrt(a->density * a->rain) * 0.01 * STEP, &a->t, -2490);
    double below = 273.15 - a->t;
    if (below <= 0) {
        if (a->snow > LEAST && excess < 0)
            move(&a->snow, &a->q, -excess * sqrt(a->snow) * 0.02 * STEP, &a->t, -2820);
        move(&a->ice, &a->cloud, a->ice, &a->t, -332);
    } else {
        double crystals = exp(0.12 * below) > 200 ? 200 : exp(0.12 * below);
        if (a->snow > LEAST && a->ice > LEAST)
            move(&a->ice, &a->snow, a->ice * crystals * pow(a->snow, 0.8) * 0.1 * STEP, &a->t, 0);
        if (a->snow > LEAST && a->cloud > LEAST)
            move(&a->cloud, &a->snow, a->cloud * pow(a->snow, 0.8) * STEP, &a->t, 332);
        if (excess > 0) {
            double born = 1e-7 * crystals * STEP < excess / 2 ? 1e-7 * crystals * STEP : excess / 2;
            born += a->ice > 0 ? 0.02 * excess * sqrt(crystals) : 0;
            move(&a->q, &a->ice, born < excess / 2 ? born : excess / 2, &a->t, 2820);
        }
        if (a->ice > 8e-5)
            move(&a->ice, &a->snow, a->ice - 8e-5, &a->t, 0);
        if (below > 40)
            move(&a->cloud, &a->ice, a->cloud, &a->t, 332);
    }
    double saturated = host_saturation(*a), moved = (a->q - saturated) / (1 + 1.35e7 * saturated / (a->t * a->t));
    move(moved < 0 ? &a->cloud : &a->q, moved < 0 ? &a->q : &a->cloud, fabs(moved), &a->t, moved < 0 ? -2490 : 2490);
}

float *field(int cells)
{
    return (float *)malloc(cells * sizeof(float));
}

// Air that is colder and thinner with height, with clouds in patches and showers in some columns.
fields weather(int east, int north)
{
    int cells = east * north * LEVELS;
    fields f = {field(cells), field(cells), field(cells), field(cells), field(cells),
                field(cells), field(cells), field(cells), field(cells), NULL};
    for (int j = 0; j < north; j++) {
        for (int i = 0; i < east; i++) {
            // Neighbours are alike: patches of 4 x 4 columns share their weather.
            unsigned patch = (i / 4 * 7919 + j / 4 * 104729 + 1) * 2654435761u >> 16;
            int cloudy = patch % 3 == 0, showers = patch % 5 == 0;
            float ground = 278.0f + patch % 23;
            for (int k = 0; k < LEVELS; k++) {
                int at = (j * LEVELS + k) * east + i;
                float share = 1 - 0.034f * k, noise = random_unit();
                f.t[at] = ground - 2.8f * k + noise;
                f.pressure[at] = 101325.0f * share;
                f.density[at] = f.pressure[at] / (287.0f * f.t[at]);
                f.thickness[at] = 60.0f + 18.0f * k;
                f.q[at] = 0.014f * share * share * share * (0.4f + 0.6f * noise);
                f.cloud[at] = cloudy && k > 4 && k < 18 ? 1.2e-3f * noise : 0;
                f.ice[at] = cloudy && f.t[at] < FREEZING ? 1.5e-4f * noise : 0;
                f.rain[at] = showers && k < 12 ? 2e-3f * noise : 0;
                f.snow[at] = showers && k >= 8 ? 1e-3f * noise : 0;
            }
        }
    }
    return f;
}

int main(int argc, char **argv)
{
    int east = argument(argc, argv, 1, 64), north = argument(argc, argv, 2, 64), steps = argument(argc, argv, 3, 1);
    int cells = east * north * LEVELS;
    fields f = weather(east, north);
    fields d = {to_device(f.t, cells), to_device(f.q, cells), to_device(f.cloud, cells), to_device(f.ice, cells),
                to_device(f.rain, cells), to_device(f.snow, cells), to_device(f.density, cells),
                to_device(f.thickness, cells), to_device(f.pressure, cells), device_zeros<float>(east * north)};
    dim3 grid((east + SIDE - 1) / SIDE, (north + SIDE - 1) / SIDE), block(SIDE, SIDE);
    for (int step = 0; step < steps; step++)
        microphysics<<<grid, block>>>(d, east, north);
    printf("weather_prediction: %d x %d columns, %d levels, %d steps\n", east, north, LEVELS, steps);

    float *t = to_host(d.t, cells), *q = to_host(d.q, cells), *cloud = to_host(d.cloud, cells);
    float *rain = to_host(d.rain, cells), *snow = to_host(d.snow, cells), *ice = to_host(d.ice, cells);
    float *fallen = to_host(d.fallen, east * north);
    int columns = east * north, stride = columns / 256 + 1;
    for (int at = 0; at < columns; at += stride) {
        int i = at % east, j = at / east;
        air levels[LEVELS];
        double ground = 0;
        for (int k = 0; k < LEVELS; k++) {
            int cell = (j * LEVELS + k) * east + i;
            air one = {f.t[cell], f.q[cell], f.cloud[cell], f.ice[cell], f.rain[cell], f.snow[cell],
                       f.density[cell], f.thickness[cell], f.pressure[cell], 0, 0};
            levels[k] = one;
        }
        for (int step = 0; step < steps; step++) {
            ground += host_fall(levels);
            for (int k = 0; k < LEVELS; k++)
                host_exchange(&levels[k]);
        }
        expect_float("water on the ground of column", at, ground, fallen[at], 1e-3);
        for (int k = 0; k < LEVELS; k++) {
            int cell = (j * LEVELS + k) * east + i;
            expect_float("temperature of cell", cell, levels[k].t, t[cell], 1e-5);
            // In grams of water in a kilogram of air.
            expect_float("vapour of cell", cell, levels[k].q * 1000, q[cell] * 1000, 1e-3);
            expect_float("cloud of cell", cell, levels[k].cloud * 1000, cloud[cell] * 1000, 1e-3);
            expect_float("ice of cell", cell, levels[k].ice * 1000, ice[cell] * 1000, 1e-3);
            expect_float("rain of cell", cell, levels[k].rain * 1000, rain[cell] * 1000, 1e-3);
            expect_float("snow of cell", cell, levels[k].snow * 1000, snow[cell] * 1000, 1e-3);
        }
    }
    return verdict("weather_prediction");
}
