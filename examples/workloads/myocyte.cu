// myocyte: the equations of a heart muscle cell, integrated in time, as Rodinia's in its parallel mode for one cell:
// for each stage of a Runge-Kutta-Fehlberg step the host launches a kernel with two blocks of 32 threads. In the first
// block one thread computes the cell's currents and stores (33 equations here, 46 there); in the second one three
// threads compute the signalling of calmodulin, 15 equations each, in the cleft, at the membrane and in the cell, each
// on a branch of its own. The host combines the stages and chooses the steps. The equations are simpler than those of
// the original, but of their kinds: gates, currents, pumps, buffers, reactions.
//
// Measured by: dissertation chapter 6 (Table 6.2, MYOCYTE: 1.2 M instructions).
// Characteristic: long code without loops, full of exponentials, powers and divisions, in one thread of a warp; three
// threads that take three copies of one function after each other; many registers; launches that fill nothing.
//
// usage: myocyte [steps]

#include "workload.h"

const int CELL = 33, SIGNALS = 15, STATES = CELL + 3 * SIGNALS, STAGES = 6;
// Where the first kinds of states begin: 12 gates, 3 of the release channel, 10 buffers, 4 of calcium (store, cleft,
// membrane, cell), 3 of sodium, the voltage.
const int RELEASE = 12, BUFFERS = 15, CALCIUM = 25, SODIUM = 29, VOLTAGE = 32;

__device__ float gate(float v, float x, float half, float slope, float fastest, float more, float peak, float width)
{
    float rest = 1 / (1 + expf(-(v - half) / slope));
    float off = (v - peak) / width;
    return (rest - x) / (fastest + more * expf(-off * off));
}

__device__ float buffer(float calcium, float bound, float on, float most, float off)
{
    return on * calcium * (most - bound) - off * bound;
}

// The cell: currents through its membrane, the store's release and uptake, buffers and concentrations.
__device__ void cell(float time, const float *y, float *dy)
{
    float v = y[VOLTAGE], store = y[CALCIUM], cleft = y[CALCIUM + 1], membrane = y[CALCIUM + 2],
          inside = y[CALCIUM + 3];
    dy[0] = gate(v, y[0], -48, 7, 0.05f, 0.2f, -40, 20);
    dy[1] = gate(v, y[1], -70, -6, 0.6f, 8, -70, 18);
    dy[2] = gate(v, y[2], -72, -6.5f, 2, 30, -72, 16);
    dy[3] = gate(v, y[3], -14, 6, 0.6f, 1.5f, -10, 25);
    dy[4] = gate(v, y[4], -35, -8, 15, 25, -30, 22);
    dy[5] = gate(v, y[5], 1.5f, 16.7f, 60, 200, 0, 40);
    dy[6] = gate(v, y[6], -50, 7.5f, 30, 250, -45, 30);
    dy[7] = gate(v, y[7], -3, 15, 2, 9, 0, 30);
    dy[8] = gate(v, y[8], -33.5f, -10, 180, 300, -60, 30);
    dy[9] = gate(v, y[9], -33.5f, -10, 240, 280, -60, 30);
    dy[10] = gate(v, y[10], -3, 15, 1.5f, 3.5f, -30, 30);
    dy[11] = gate(v, y[11], -33.5f, -10, 20, 20, -33, 25);

    // Sodium, in the cleft (a ninth) and at the rest of the membrane.
    float sodium_cleft = 26.7f * logf(140 / y[SODIUM]), sodium_rest = 26.7f * logf(140 / y[SODIUM + 1]);
    float open = 16 * y[0] * y[0] * y[0] * y[1] * y[2];
    float na_cleft = 0.11f * (open + 0.0003f) * (v - sodium_cleft),
          na_rest = 0.89f * (open + 0.0003f) * (v - sodium_rest);
    float sigma = (expf(140 / 67.3f) - 1) / 7;
    float fraction = 1 / (1 + 0.1245f * expf(-0.1f * v / 26.7f) + 0.0365f * sigma * expf(-v / 26.7f));
    float pump_cleft = 0.11f * 1.9f * fraction / (1 + powf(11 / y[SODIUM], 4)) * (5.4f / 6.9f);
    float pump_rest = 0.89f * 1.9f * fraction / (1 + powf(11 / y[SODIUM + 1], 4)) * (5.4f / 6.9f);

    // Potassium.
    float potassium = 26.7f * logf(5.4f / 135);
    float rapid = 0.035f * y[6] / (1 + expf((v + 33) / 22.4f)) * (v - potassium);
    float slow = 0.07f * y[5] * y[5] * (v - 0.92f * potassium);
    float outward = 0.06f * y[7] * (y[8] + 0.5f * y[9]) * (v - potassium) + 0.02f * y[10] * y[11] * (v - potassium);
    float rise = 1.02f / (1 + expf(0.2385f * (v - potassium - 59.2f)));
    float decay = (0.49f * expf(0.08f * (v - potassium + 5.5f)) + expf(0.0617f * (v - potassium - 594)))
                  / (1 + expf(-0.514f * (v - potassium + 4.8f)));
    float rectifier = 0.9f * rise / (rise + decay) * (v - potassium);

    // Calcium through its channel, and its exchange for sodium.
    float scaled = v / 13.35f, driving = fabsf(scaled) < 1e-4f ? 1 : scaled / (1 - expf(-scaled));
    float channel = 4 * y[3] * y[4] / (1 + cleft / 0.005f);
    float ca_cleft = 0.9f * channel * driving * (0.34f * cleft * 10 - 0.613f * expf(-scaled));
    float ca_rest = 0.1f * channel * driving * (0.34f * membrane * 10 - 0.613f * expf(-scaled));
    float forward = expf(0.27f * v / 26.7f), backward = expf(-0.73f * v / 26.7f);
    float exchange_cleft = 0.11f * (powf(y[SODIUM], 3) * 1.8f * forward - 2744000 * cleft * backward)
                           / ((878000 + powf(y[SODIUM], 3)) * (1 + 0.27f * backward)) * 0.3f;
    float exchange_rest = 0.89f * (powf(y[SODIUM + 1], 3) * 1.8f * forward - 2744000 * membrane * backward)
                          / ((878000 + powf(y[SODIUM + 1], 3)) * (1 + 0.27f * backward)) * 0.3f;

    // The store's channel, and the pump that fills it.
    float full = 15 - 14 / (1 + powf(0.45f / store, 2.5f)), opens = 10 / full, closes = 0.5f * full;
    float blocked = 1 - y[RELEASE] - y[RELEASE + 1] - y[RELEASE + 2];
    float trigger = cleft * cleft * 400;
    dy[RELEASE] = (0.005f * blocked - closes * 0.05f * cleft * y[RELEASE])
                  - (opens * trigger * y[RELEASE] - 0.06f * y[RELEASE + 1]);
    dy[RELEASE + 1] = (opens * trigger * y[RELEASE] - 0.06f * y[RELEASE + 1])
                      - (closes * 0.05f * cleft * y[RELEASE + 1] - 0.005f * y[RELEASE + 2]);
    dy[RELEASE + 2] = (closes * 0.05f * cleft * y[RELEASE + 1] - 0.005f * y[RELEASE + 2])
                      - (0.06f * y[RELEASE + 2] - opens * trigger * blocked);
    float released = 0.5f * y[RELEASE + 1] * (store - cleft), leaked = 5e-6f * (store - cleft);
    float up = powf(inside / 0.000246f, 1.787f), down = powf(store / 1.7f, 1.787f);
    float filled = 0.00053f * (up - down) / (1 + up + down) * 10;

    // What binds calcium: in the cell, in the store, in the cleft and at the membrane.
    dy[BUFFERS] = buffer(inside, y[BUFFERS], 32.7f, 0.07f, 0.0196f);
    dy[BUFFERS + 1] = buffer(inside, y[BUFFERS + 1], 2.37f, 0.14f, 0.000032f);
    dy[BUFFERS + 2] = buffer(inside, y[BUFFERS + 2], 34, 0.024f, 0.238f);
    dy[BUFFERS + 3] = buffer(inside, y[BUFFERS + 3], 13.8f, 0.14f, 0.00046f);
    dy[BUFFERS + 4] = buffer(inside, y[BUFFERS + 4], 100, 0.0171f, 0.06f);
    dy[BUFFERS + 5] = buffer(store, y[BUFFERS + 5], 1, 2.6f, 0.65f);
    dy[BUFFERS + 6] = buffer(cleft, y[BUFFERS + 6], 100, 0.0046f, 1.3f);
    dy[BUFFERS + 7] = buffer(cleft, y[BUFFERS + 7], 100, 0.00165f, 0.03f);
    dy[BUFFERS + 8] = buffer(membrane, y[BUFFERS + 8], 100, 0.0374f, 1.3f);
    dy[BUFFERS + 9] = buffer(membrane, y[BUFFERS + 9], 100, 0.0134f, 0.03f);

    dy[CALCIUM] = filled - leaked - 0.1f * released - dy[BUFFERS + 5];
    dy[CALCIUM + 1] = -(ca_cleft - 2 * exchange_cleft) * 0.01f + 0.02f * (membrane - cleft) + released + leaked
                      - dy[BUFFERS + 6] - dy[BUFFERS + 7];
    dy[CALCIUM + 2] = -(ca_rest - 2 * exchange_rest) * 0.001f + 0.02f * (cleft - membrane) + 0.04f * (inside - membrane)
                      - dy[BUFFERS + 8] - dy[BUFFERS + 9];
    dy[CALCIUM + 3] = -filled + 0.04f * (membrane - inside) - dy[BUFFERS] - dy[BUFFERS + 1] - dy[BUFFERS + 2]
                      - dy[BUFFERS + 3] - dy[BUFFERS + 4];
    dy[SODIUM] = -(na_cleft + 3 * exchange_cleft + 3 * pump_cleft) * 0.001f + 0.01f * (y[SODIUM + 1] - y[SODIUM]);
    dy[SODIUM + 1] = -(na_rest + 3 * exchange_rest + 3 * pump_rest) * 0.0003f + 0.01f * (y[SODIUM] - y[SODIUM + 1])
                     + 0.01f * (y[SODIUM + 2] - y[SODIUM + 1]);
    dy[SODIUM + 2] = 0.01f * (y[SODIUM + 1] - y[SODIUM + 2]);
    float current = na_cleft + na_rest + pump_cleft + pump_rest + rapid + slow + outward + rectifier + ca_cleft
                    + ca_rest + exchange_cleft + exchange_rest;
    // A stimulus around the third millisecond.
    float since = (time - 3) / 1.5f;
    dy[VOLTAGE] = -current + 14 * expf(-since * since);
}

// Calmodulin and what it binds to: reactions between 15 substances, at the calcium that is there.
__device__ void signalling(const float *y, float *dy, float calcium, float speed)
{
    float ca2 = calcium * calcium * 1000;
    float r0 = speed * (2.5f * ca2 * y[0] - 0.05f * y[1]);
    float r1 = speed * (88 * ca2 * y[1] - 0.8f * y[2]);
    float r2 = speed * (0.014f * y[0] * 20 - 0.02f * y[3]);
    float r3 = speed * (0.014f * y[1] * 20 - 0.003f * y[4]);
    float r4 = speed * (0.0014f * y[2] * 20 - 0.0009f * y[5]);
    float r5 = speed * (2.5f * ca2 * y[3] - 0.3f * y[4]);
    float r6 = speed * (88 * ca2 * y[4] - 0.9f * y[5]);
    float r7 = speed * (5 * y[2] * y[6] - 0.33f * y[7]);
    float r8 = speed * (0.9f * y[1] * y[6] - 0.4f * y[8]);
    float r9 = speed * (8 * ca2 * y[8] - 0.1f * y[7]);
    float autonomous = y[7] + y[8] + y[9] + y[10], share = autonomous / (autonomous + y[6] + 0.01f);
    float r10 =
        speed
        * (0.06f * (0.055f * share + 0.0074f * share * share + 0.015f * share * share * share) * y[7] - 0.001f * y[9]);
    float r11 = speed * (0.01f * y[9] - 0.9f * ca2 * y[10]);
    float r12 = speed * (46 * y[2] * y[11] - 0.0013f * y[12]);
    float r13 = speed * (12 * ca2 * y[13] - 0.04f * y[12]);
    float r14 = speed * (0.5f * y[1] * y[11] - 0.02f * y[13]);
    float r15 = speed * (0.2f * powf(y[12] + 0.001f, 1.5f) - 0.05f * y[14]);
    dy[0] = -r0 - r2;
    dy[1] = r0 - r1 - r3 - r8 - r14;
    dy[2] = r1 - r4 - r7 - r12;
    dy[3] = r2 - r5;
    dy[4] = r3 + r5 - r6;
    dy[5] = r4 + r6;
    dy[6] = -r7 - r8;
    dy[7] = r7 + r9 - r10;
    dy[8] = r8 - r9;
    dy[9] = r10 - r11;
    dy[10] = r11;
    dy[11] = -r12 - r14;
    dy[12] = r12 + r13 - r15;
    dy[13] = r14 - r13;
    dy[14] = r15;
}

__global__ void derivatives(float time, const float *y, float *dy)
{
    int block = blockIdx.x, thread = threadIdx.x;
    if (block == 0) {
        if (thread == 0)
            cell(time, y, dy);
    } else if (block == 1) {
        if (thread == 0)
            signalling(y + CELL, dy + CELL, y[CALCIUM + 1], 1);
        if (thread == 1)
            signalling(y + CELL + SIGNALS, dy + CELL + SIGNALS, y[CALCIUM + 2], 0.8f);
        if (thread == 2)
            signalling(y + CELL + 2 * SIGNALS, dy + CELL + 2 * SIGNALS, y[CALCIUM + 3], 0.5f);
    }
}

// The host's equations, by tables.
const double GATES[12][7] = {
    {-48, 7, 0.05, 0.2, -40, 20},   {-70, -6, 0.6, 8, -70, 18},      {-72, -6.5, 2, 30, -72, 16},
    {-14, 6, 0.6, 1.5, -10, 25},    {-35, -8, 15, 25, -30, 22},      {1.5, 16.7, 60, 200, 0, 40},
    {-50, 7.5, 30, 250, -45, 30},   {-3, 15, 2, 9, 0, 30},           {-33.5, -10, 180, 300, -60, 30},
    {-33.5, -10, 240, 280, -60, 30}, {-3, 15, 1.5, 3.5, -30, 30},    {-33.5, -10, 20, 20, -33, 25}};
// Which calcium (from CALCIUM), on, most, off.
const double BINDING[10][4] = {{3, 32.7, 0.07, 0.0196}, {3, 2.37, 0.14, 0.000032}, {3, 34, 0.024, 0.238},
                               {3, 13.8, 0.14, 0.00046}, {3, 100, 0.0171, 0.06},   {0, 1, 2.6, 0.65},
                               {1, 100, 0.0046, 1.3},    {1, 100, 0.00165, 0.03},  {2, 100, 0.0374, 1.3},
                               {2, 100, 0.0134, 0.03}};
// From, with (-1: nothing), to, forward, backward, whether calcium takes part.
const double REACTIONS[14][6] = {{0, -1, 1, 2.5, 0.05, 1}, {1, -1, 2, 88, 0.8, 1},     {0, -1, 3, 0.28, 0.02, 0},
                                 {1, -1, 4, 0.28, 0.003, 0}, {2, -1, 5, 0.028, 0.0009, 0}, {3, -1, 4, 2.5, 0.3, 1},
                                 {4, -1, 5, 88, 0.9, 1},   {2, 6, 7, 5, 0.33, 0},      {1, 6, 8, 0.9, 0.4, 0},
                                 {8, -1, 7, 8, 0.1, 1},    {2, 11, 12, 46, 0.0013, 0}, {13, -1, 12, 12, 0.04, 1},
                                 {1, 11, 13, 0.5, 0.02, 0}, {12, -1, 14, 0, 0, 0}};

void host_signalling(const double *y, double *dy, double calcium, double speed)
{
    double ca2 = calcium * calcium * 1000;
    for (int i = 0; i < SIGNALS; i++)
        dy[i] = 0;
    for (int i = 0; i < 16; i++) {
        double rate;
        int from, with = -1, to;
        if (i < 14) {
            from = REACTIONS[i][0];
            with = REACTIONS[i][1];
            to = REACTIONS[i][2];
            double forward = REACTIONS[i][3] * y[from] * (with >= 0 ? y[with] : 1) * (REACTIONS[i][5] != 0 ? ca2 : 1);
            rate = forward - REACTIONS[i][4] * y[to];
            if (i == 13)
                rate = 0.2 * pow(y[12] + 0.001, 1.5) - 0.05 * y[14];
        } else if (i == 14) {
            double active = y[7] + y[8] + y[9] + y[10], s = active / (active + y[6] + 0.01);
            from = 7;
            to = 9;
            rate = 0.06 * s * (0.055 + s * (0.0074 + s * 0.015)) * y[7] - 0.001 * y[9];
        } else {
            from = 9;
            to = 10;
            rate = 0.01 * y[9] - 0.9 * ca2 * y[10];
        }
        dy[from] -= speed * rate;
        dy[to] += speed * rate;
        if (with >= 0)
            dy[with] -= speed * rate;
    }
}

void host_derivatives(double time, const double *y, double *dy)
{
    const double *ca = y + CALCIUM, *na = y + SODIUM, *ryr = y + RELEASE;
    double v = y[VOLTAGE], scaled = v / 13.35, gain[4] = {}, salt[3] = {}, current = 0;
    for (int i = 0; i < 12; i++) {
        const double *g = GATES[i];
        dy[i] = (1 / (1 + exp((g[0] - v) / g[1])) - y[i]) / (g[2] + g[3] * exp(-pow((v - g[4]) / g[5], 2)));
    }
    double sigma = (exp(140 / 67.3) - 1) / 7;
    double fraction = 1 / (1 + 0.1245 * exp(-0.1 * v / 26.7) + 0.0365 * sigma * exp(-v / 26.7));
    double forward = exp(0.27 * v / 26.7), backward = exp(-0.73 * v / 26.7);
    double driving = fabs(scaled) < 1e-4 ? 1 : scaled / (1 - exp(-scaled));
    for (int side = 0; side < 2; side++) {
        double share = side == 0 ? 0.11 : 0.89, through = side == 0 ? 0.9 : 0.1, cube = na[side] * na[side] * na[side];
        double sodium = share * (16 * pow(y[0], 3) * y[1] * y[2] + 0.0003) * (v - 26.7 * log(140 / na[side]));
        double pump = share * 1.9 * fraction / (1 + pow(11 / na[side], 4)) * 5.4 / 6.9;
        double channel =
            through * 4 * y[3] * y[4] / (1 + ca[1] / 0.005) * driving * (3.4 * ca[side + 1] - 0.613 * exp(-scaled));
        double exchange = share * 0.3 * (cube * 1.8 * forward - 2744000 * ca[side + 1] * backward)
                          / ((878000 + cube) * (1 + 0.27 * backward));
        current += sodium + pump + channel + exchange;
        salt[side] = -(sodium + 3 * exchange + 3 * pump) * (side == 0 ? 0.001 : 0.0003);
        gain[side + 1] = -(channel - 2 * exchange) * (side == 0 ? 0.01 : 0.001);
    }
    double ek = 26.7 * log(5.4 / 135), u = v - ek, rise = 1.02 / (1 + exp(0.2385 * (u - 59.2)));
    double decay = (0.49 * exp(0.08 * (u + 5.5)) + exp(0.0617 * (u - 594))) / (1 + exp(-0.514 * (u + 4.8)));
    current += 0.035 * y[6] / (1 + exp((v + 33) / 22.4)) * u + 0.07 * y[5] * y[5] * (v - 0.92 * ek)
               + (0.06 * y[7] * (y[8] + 0.5 * y[9]) + 0.02 * y[10] * y[11] + 0.9 * rise / (rise + decay)) * u;
    dy[VOLTAGE] = 14 * exp(-pow((time - 3) / 1.5, 2)) - current;

    double full = 15 - 14 / (1 + pow(0.45 / ca[0], 2.5)), trigger = 10 / full * ca[1] * ca[1] * 400;
    double closing = 0.025 * full * ca[1], blocked = 1 - ryr[0] - ryr[1] - ryr[2];
    double opening = trigger * ryr[0] - 0.06 * ryr[1], shutting = closing * ryr[1] - 0.005 * ryr[2];
    dy[RELEASE] = 0.005 * blocked - closing * ryr[0] - opening;
    dy[RELEASE + 1] = opening - shutting;
    dy[RELEASE + 2] = shutting - 0.06 * ryr[2] + trigger * blocked;
    double released = 0.5 * ryr[1] * (ca[0] - ca[1]), leaked = 5e-6 * (ca[0] - ca[1]);
    double up = pow(ca[3] / 0.000246, 1.787), down = pow(ca[0] / 1.7, 1.787),
           filled = 0.0053 * (up - down) / (1 + up + down);
    gain[0] = filled - leaked - released / 10;
    gain[1] += 0.02 * (ca[2] - ca[1]) + released + leaked;
    gain[2] += 0.02 * (ca[1] - ca[2]) + 0.04 * (ca[3] - ca[2]);
    gain[3] = 0.04 * (ca[2] - ca[3]) - filled;
    for (int i = 0; i < 10; i++) {
        const double *b = BINDING[i];
        dy[BUFFERS + i] = b[1] * ca[(int)b[0]] * (b[2] - y[BUFFERS + i]) - b[3] * y[BUFFERS + i];
        gain[(int)b[0]] -= dy[BUFFERS + i];
    }
    for (int i = 0; i < 4; i++)
        dy[CALCIUM + i] = gain[i];
    dy[SODIUM] = salt[0] + 0.01 * (na[1] - na[0]);
    dy[SODIUM + 1] = salt[1] + 0.01 * (na[0] - na[1]) + 0.01 * (na[2] - na[1]);
    dy[SODIUM + 2] = 0.01 * (na[1] - na[2]);
    const double speeds[3] = {1, 0.8, 0.5};
    for (int i = 0; i < 3; i++)
        host_signalling(y + CELL + i * SIGNALS, dy + CELL + i * SIGNALS, ca[i + 1], speeds[i]);
}

void rest(float *y)
{
    const float start[CELL] = {0.04f,   0.72f,   0.8f,  0.0001f,    0.99f,      0.005f,   0.01f,   0.004f, 0.98f,
                               0.98f,   0.004f,  0.98f, 0.89f,      0.0001f,    0.00001f, 0.0090f, 0.117f, 0.0003f,
                               0.135f,  0.0022f, 1.19f, 0.00074f, 0.00099f, 0.0022f,  0.0067f, 0.55f,  0.00017f,
                               0.0001f, 0.0001f, 9,     9,          9,          -85};
    const float substances[SIGNALS] = {0.4f,  0.02f,  0.001f, 1.2f, 0.05f, 0.01f, 0.9f, 0.01f,
                                       0.02f, 0.005f, 0.001f, 0.3f, 0.02f, 0.01f, 0};
    for (int i = 0; i < STATES; i++)
        y[i] = i < CELL ? start[i] : substances[(i - CELL) % SIGNALS];
}

// Fehlberg's method of the orders 4 and 5.
const double WEIGHTS[STAGES][STAGES] = {{0},
                                        {1.0 / 4},
                                        {3.0 / 32, 9.0 / 32},
                                        {1932.0 / 2197, -7200.0 / 2197, 7296.0 / 2197},
                                        {439.0 / 216, -8, 3680.0 / 513, -845.0 / 4104},
                                        {-8.0 / 27, 2, -3544.0 / 2565, 1859.0 / 4104, -11.0 / 40}};
const double WHEN[STAGES] = {0, 0.25, 0.375, 12.0 / 13, 1, 0.5};
const double FIFTH[STAGES] = {16.0 / 135, 0, 6656.0 / 12825, 28561.0 / 56430, -9.0 / 50, 2.0 / 55};
const double FOURTH[STAGES] = {25.0 / 216, 0, 1408.0 / 2565, 2197.0 / 4104, -1.0 / 5, 0};

int main(int argc, char **argv)
{
    int steps = argument(argc, argv, 1, 5), launches = 0, repeated = 0;
    float y[STATES], stage[STATES], k[STAGES][STATES];
    double host[STATES], host_stage[STATES], host_k[STAGES][STATES], step = 0.02, time = 0;
    rest(y);
    for (int i = 0; i < STATES; i++)
        host[i] = y[i];
    float *d_y = device_zeros<float>(STATES), *d_dy = device_zeros<float>(STATES);
    for (int taken = 0; taken < steps;) {
        double error = 0;
        for (int s = 0; s < STAGES; s++) {
            for (int i = 0; i < STATES; i++) {
                double sum = 0;
                for (int j = 0; j < s; j++)
                    sum += WEIGHTS[s][j] * k[j][i];
                stage[i] = y[i] + step * sum;
            }
            CHECK(cudaMemcpy(d_y, stage, sizeof stage, cudaMemcpyHostToDevice));
            derivatives<<<2, 32>>>(time + WHEN[s] * step, d_y, d_dy);
            CHECK(cudaMemcpy(k[s], d_dy, sizeof stage, cudaMemcpyDeviceToHost));
            launches++;
        }
        for (int i = 0; i < STATES; i++) {
            double difference = 0;
            for (int s = 0; s < STAGES; s++)
                difference += step * (FIFTH[s] - FOURTH[s]) * k[s][i];
            double off = fabs(difference) / (1e-4 + 1e-3 * fabs(y[i]));
            error = off > error ? off : error;
        }
        if (error > 1 && step > 1e-4) {
            step /= 2;
            repeated++;
            continue;
        }
        // The step is taken, by the device's derivatives and by the host's.
        for (int s = 0; s < STAGES; s++) {
            for (int i = 0; i < STATES; i++) {
                double sum = 0;
                for (int j = 0; j < s; j++)
                    sum += WEIGHTS[s][j] * host_k[j][i];
                host_stage[i] = host[i] + step * sum;
            }
            host_derivatives(time + WHEN[s] * step, host_stage, host_k[s]);
        }
        for (int i = 0; i < STATES; i++) {
            double sum = 0, host_sum = 0;
            for (int s = 0; s < STAGES; s++) {
                sum += FIFTH[s] * k[s][i];
                host_sum += FIFTH[s] * host_k[s][i];
            }
            y[i] += step * sum;
            host[i] += step * host_sum;
        }
        time += step;
        taken++;
        if (error < 0.1)
            step *= 2;
    }
    printf("myocyte: %d steps to %.3f ms (%d repeated), %d launches, %.2f mV\n", steps, time, repeated, launches,
           y[VOLTAGE]);
    for (int i = 0; i < STATES; i++)
        expect_float("state", i, host[i], y[i], 2e-3);
    for (int i = 0; i < STATES; i++)
        expect_int("state is a number:", i, 1, fabsf(y[i]) < 1000);
    return verdict("myocyte");
}
