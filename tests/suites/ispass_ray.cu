// suite: ispass
// includes: RAY
// unchanged
#include "driver.h"
#define main their_main
#include "rayTracing.cu"
#undef main

struct Vector {
    double x, y, z;
};
Vector operator+(Vector a, Vector b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Vector operator-(Vector a, Vector b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Vector operator*(double k, Vector a) { return {k * a.x, k * a.y, k * a.z}; }
static double scalar(Vector a, Vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static Vector unit(Vector a) { return 1 / sqrt(scalar(a, a)) * a; }

struct Body {
    Vector center;
    double radius, color[4];
    bool is_plane;
};

// How far along the ray the body is, or 0.
static double distance_to(const Body &body, Vector from, Vector along)
{
    Vector way = body.center - from;
    if (body.is_plane) {
        double t = fabs(along.y) < 1e-4 ? 0 : way.y / along.y;
        return t > 0 ? t : 0;
    }
    double ahead = scalar(way, along), square = scalar(way, way), radius = body.radius * body.radius;
    double aside = square - ahead * ahead;
    if ((ahead < 0 && square > radius) || aside > radius)
        return 0;
    return square > radius ? ahead - sqrt(radius - aside) : ahead + sqrt(radius - aside);
}

static bool is_lit(const Body *bodies, int count, Vector point, Vector light)
{
    Vector lamp = {10, 10, 10};
    for (int i = 0; i < count; i++) {
        double t = distance_to(bodies[i], point + 1e-4 * light, light);
        Vector hit = point + t * light;
        if (t > 0 && scalar(hit, hit) <= scalar(lamp - point, lamp - point))
            return false;
    }
    return true;
}

// The color that comes from where a ray leads, and what is mirrored there.
static void trace(const Body *bodies, int count, Vector from, Vector along, int depth, double *color)
{
    int nearest = -1;
    double t = 1e4;
    for (int i = 0; i < count; i++) {
        double at = distance_to(bodies[i], from, along);
        if (at > 0 && at < t) {
            t = at;
            nearest = i;
        }
    }
    for (int k = 0; k < 4; k++)
        color[k] = k == 3 && depth == 0;
    if (nearest < 0)
        return;
    const Body &body = bodies[nearest];
    Vector point = from + t * along, lamp = {10, 10, 10}, up = {0, 1, 0};
    Vector light = unit(lamp - point), back = unit(from - point);
    Vector normal = body.is_plane ? up : unit(point - body.center);
    Vector facing = scalar(back, normal) < 0 ? -1 * normal : normal;
    for (int k = 0; k < 4; k++)
        color[k] = 0.05 * body.color[k];
    if (scalar(facing, light) > 0 && is_lit(bodies, count, point, light)) {
        double shine = fmax(0, fmin(1, scalar(facing, unit(light + back))));
        for (int k = 0; k < 4; k++)
            color[k] += 0.3 * body.color[k] * fmin(1, scalar(facing, light)) + (k < 3 ? 0.8 * pow(shine, 50) : 0);
    }
    if (depth < 4) {
        double mirrored[4];
        Vector next = unit(2 * scalar(normal, back) * normal - back);
        trace(bodies, count, point + 1e-4 * next, next, depth + 1, mirrored);
        for (int k = 0; k < 4; k++)
            color[k] += 0.8 * mirrored[k];
    }
}

// A plane and three spheres, drawn by the kernel and traced in double precision.
int main()
{
    const int side = 64;
    static uint got[side * side];
    const float shift = 0.3f, focus = 1.5f;
    const float view[3][4] = {{0, -0.2425356f, -0.9701425f, 0}, {0, 0.9701425f, -0.2425356f, 0.5f}, {1, 0, 0, 2}};
    Body bodies[numObj];
    Vector axes[3], eye = {view[0][3], view[1][3], view[2][3]};
    const float scene[numObj][7] = {
        {0, -1.5f, 0, 0.5f, 0, 1, 1}, {-1, 0, -1, 0.5f, 1, 0, 0}, {1, 0, -1, 0.5f, 0, 0, 1}, {0, 0, -2, 0.75f, 0, 1, 0}
    };
    for (int i = 0; i < numObj; i++) {
        const float *of = scene[i];
        Sphere s = {make_float3(of[0], of[1], of[2]), of[3], of[4], of[5], of[6], 1};
        node[i].s = s;
        node[i].fg = i == 0;
        Body body = {{of[0] + shift, of[1], of[2]}, of[3], {of[4], of[5], of[6], 1}, i == 0};
        bodies[i] = body;
    }
    for (int i = 0; i < 3; i++) {
        Vector axis = {view[i][0], view[i][1], view[i][2]};
        axes[i] = axis;
    }
    uint *image = zeros<uint>(side * side);
    cudaMemcpyToSymbol(MView, view, sizeof view);
    cudaMemcpyToSymbol(cnode, node, sizeof node);
    render<<<dim3(side / 16, side / 8), dim3(16, 8)>>>(image, NULL, side, side, shift, focus);
    to_host(got, image, side * side);
    int wrong = 0, bright = 0;
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            double color[4];
            Vector along = focus * axes[0] + 2.0 / side * (x - side / 2) * axes[2] + 2.0 / side * (y - side / 2) * axes[1];
            trace(bodies, numObj, eye, unit(along), 0, color);
            bool differs = false;
            for (int k = 0; k < 4; k++) {
                double value = 255 * fmin(1, color[k]);
                differs = differs || fabs((got[y * side + x] >> 8 * k & 255) - value) > 2;
                bright += value > 128;
            }
            wrong += differs;
        }
    // Rounding decides at edges whether a ray meets a body.
    return verdict((wrong > side * side / 100 ? wrong : 0) + (bright < 100), "pixels");
}

// out: PASS
