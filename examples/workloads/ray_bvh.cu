// ray_bvh: primary rays, or primary rays and ambient occlusion, of a scene of triangles in a bounding volume hierarchy.
//
// Measured in BCC: its two in-house ray tracers, "RT-PR-Conf", "-AL", "-BL", "-WM" (primary rays of the scenes
// conference, alien, bulldozer and windmill) and "RT-AO-AL", "-BL", "-WM" (ambient occlusion; divergent kernels in its
// text). Their code and scenes are not published. The scenes here are generated after the names: a conference room with
// a table and chairs; a body of bumps and horns; a bulldozer of boxes with tracks; a windmill with lattice blades on
// hills. This file is the conference room unless SCENE is given; the files ray_primary_*.cu and ray_occlusion_*.cu
// include it.
//
// Characteristic: a thread is a pixel, a warp 8 x 4 of them. One loop in which a lane is either at an inner node (tests
// two boxes, goes on to the nearer, keeps the other on a stack in local memory) or at a leaf (a loop over its
// triangles, with exits at each of three tests). Neighbouring rays part at the edges of objects and leave the loop at
// different times. Occlusion rays point in random directions and end at their first hit; pixels of the background have
// none.
//
// usage: ray_bvh [width] [height] [occlusion rays a pixel]     (-DSCENE=CONFERENCE, ALIEN, BULLDOZER or WINDMILL)

#include "workload.h"

#define CONFERENCE 0
#define ALIEN 1
#define BULLDOZER 2
#define WINDMILL 3
#ifndef SCENE
#define SCENE CONFERENCE
#endif
#ifndef OCCLUSION_RAYS
#define OCCLUSION_RAYS 0
#endif
#define MOST_TRIANGLES 8192
#define LEAF 4
#define STACK 32
#define FAR_AWAY 1e30f

struct Vector {
    float x, y, z;
};

__host__ __device__ inline Vector vector(float x, float y, float z)
{
    Vector v = {x, y, z};
    return v;
}

__host__ __device__ inline Vector operator+(Vector a, Vector b)
{
    return vector(a.x + b.x, a.y + b.y, a.z + b.z);
}

__host__ __device__ inline Vector operator-(Vector a, Vector b)
{
    return vector(a.x - b.x, a.y - b.y, a.z - b.z);
}

__host__ __device__ inline Vector operator*(float s, Vector a)
{
    return vector(s * a.x, s * a.y, s * a.z);
}

__host__ __device__ inline float dot(Vector a, Vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

__host__ __device__ inline Vector cross(Vector a, Vector b)
{
    return vector(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

__host__ __device__ inline Vector unit(Vector a)
{
    return (1.0f / sqrtf(dot(a, a))) * a;
}

// An inner node has no triangles: its children are `first` and `first` + 1.
struct Node {
    Vector low;
    int first;
    Vector high;
    int count;
};

// A corner and the two edges from it.
struct Triangle {
    Vector corner, edge1, edge2;
};

struct Camera {
    Vector eye, forward, right, up;
};

// A ray's nearest triangle (-1: none) and how far away it is.
struct Hit {
    int triangle;
    float distance;
};

__host__ __device__ inline Vector pixel_direction(const Camera &camera, int x, int y, int width, int height)
{
    float across = (2.0f * x + 1.0f) / width - 1.0f, down = (2.0f * y + 1.0f) / height - 1.0f;
    return unit(camera.forward + across * camera.right - down * camera.up);
}

// A direction about `normal` for the ray's number, more often near it than aside (cosine-weighted).
__host__ __device__ inline Vector occlusion_direction(Vector normal, unsigned int number)
{
    unsigned int bits = number * 747796405u + 2891336453u;
    bits = ((bits >> ((bits >> 28) + 4)) ^ bits) * 277803737u;
    bits = (bits >> 22) ^ bits;
    float square = (bits & 0xffff) * (1.0f / 65536.0f), angle = (bits >> 16) * (6.2831853f / 65536.0f);
    float radius = sqrtf(square);
    Vector side = fabsf(normal.x) > 0.5f ? vector(0, 1, 0) : vector(1, 0, 0);
    Vector tangent = unit(cross(side, normal)), other = cross(normal, tangent);
    return radius * cosf(angle) * tangent + radius * sinf(angle) * other + sqrtf(1.0f - square) * normal;
}

// Where the ray enters the box, or FAR_AWAY if it misses it or enters beyond `limit`.
__device__ inline float enter_box(const Node &node, Vector origin, Vector inverse, float limit)
{
    float x0 = (node.low.x - origin.x) * inverse.x, x1 = (node.high.x - origin.x) * inverse.x;
    float y0 = (node.low.y - origin.y) * inverse.y, y1 = (node.high.y - origin.y) * inverse.y;
    float z0 = (node.low.z - origin.z) * inverse.z, z1 = (node.high.z - origin.z) * inverse.z;
    float enter = fmaxf(fmaxf(fminf(x0, x1), fminf(y0, y1)), fmaxf(fminf(z0, z1), 0.0f));
    float leave = fminf(fminf(fmaxf(x0, x1), fmaxf(y0, y1)), fminf(fmaxf(z0, z1), limit));
    return enter <= leave ? enter : FAR_AWAY;
}

// The nearest hit closer than `limit`; with `any`, the first that is found.
__device__ inline Hit trace(const Node *nodes, const Triangle *triangles, Vector origin, Vector direction, float limit,
                            bool any)
{
    Hit hit = {-1, limit};
    Vector inverse = vector(1.0f / direction.x, 1.0f / direction.y, 1.0f / direction.z);
    int stack[STACK], depth = 0, at = 0;
    // The only way out is at the loop's head, so that lanes meet there after each node.
    while (at >= 0) {
        Node node = nodes[at];
        int next = -1;
        if (node.count == 0) {
            int left = node.first, right = node.first + 1;
            float enter_left = enter_box(nodes[left], origin, inverse, hit.distance);
            float enter_right = enter_box(nodes[right], origin, inverse, hit.distance);
            bool left_first = enter_left <= enter_right;
            if (enter_left < FAR_AWAY && enter_right < FAR_AWAY) {
                stack[depth++] = left_first ? right : left;
                next = left_first ? left : right;
            } else if (enter_left < FAR_AWAY) {
                next = left;
            } else if (enter_right < FAR_AWAY) {
                next = right;
            }
        } else {
            for (int i = node.first; i < node.first + node.count; i++) {
                Triangle triangle = triangles[i];
                Vector p = cross(direction, triangle.edge2);
                float determinant = dot(triangle.edge1, p);
                if (fabsf(determinant) < 1e-12f)
                    continue;
                float scale = 1.0f / determinant;
                Vector from = origin - triangle.corner;
                float u = scale * dot(from, p);
                if (u < 0 || u > 1)
                    continue;
                Vector q = cross(from, triangle.edge1);
                float v = scale * dot(direction, q);
                if (v < 0 || u + v > 1)
                    continue;
                float distance = scale * dot(triangle.edge2, q);
                if (distance > 0 && distance < hit.distance) {
                    hit.triangle = i;
                    hit.distance = distance;
                }
            }
            if (any && hit.triangle >= 0)
                depth = 0;
        }
        if (next < 0 && depth > 0)
            next = stack[--depth];
        at = next;
    }
    return hit;
}

__global__ void primary_rays(Hit *hits, const Node *nodes, const Triangle *triangles, Camera camera, int width,
                             int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        hits[y * width + x] = trace(nodes, triangles, camera.eye, pixel_direction(camera, x, y, width, height),
                                    FAR_AWAY, false);
}

// How many of a pixel's occlusion rays meet nothing within `reach`; -1 for background.
__global__ void ambient_occlusion(int *open, Hit *hits, const Node *nodes, const Triangle *triangles, Camera camera,
                                  int width, int height, int rays, float reach)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int pixel = y * width + x, count = -1;
    Vector direction = pixel_direction(camera, x, y, width, height);
    Hit hit = trace(nodes, triangles, camera.eye, direction, FAR_AWAY, false);
    if (hit.triangle >= 0) {
        Vector normal = unit(cross(triangles[hit.triangle].edge1, triangles[hit.triangle].edge2));
        if (dot(normal, direction) > 0)
            normal = -1.0f * normal;
        Vector origin = camera.eye + hit.distance * direction + 1e-3f * normal;
        count = 0;
        for (int ray = 0; ray < rays; ray++) {
            Vector way = occlusion_direction(normal, pixel * rays + ray);
            if (trace(nodes, triangles, origin, way, reach, true).triangle < 0)
                count++;
        }
    }
    hits[pixel] = hit;
    open[pixel] = count;
}

static Triangle scene[MOST_TRIANGLES];
static int scene_count = 0;

static void add_triangle(Vector a, Vector b, Vector c)
{
    if (scene_count < MOST_TRIANGLES) {
        scene[scene_count].corner = a;
        scene[scene_count].edge1 = b - a;
        scene[scene_count].edge2 = c - a;
        scene_count++;
    }
}

static void add_square(Vector a, Vector b, Vector c, Vector d)
{
    add_triangle(a, b, c);
    add_triangle(a, c, d);
}

// A box about `middle` with these half edges (which may be turned).
static void add_box(Vector middle, Vector x, Vector y, Vector z)
{
    Vector corner[8];
    for (int i = 0; i < 8; i++)
        corner[i] = middle + (i & 1 ? 1.0f : -1.0f) * x + (i & 2 ? 1.0f : -1.0f) * y + (i & 4 ? 1.0f : -1.0f) * z;
    add_square(corner[0], corner[1], corner[3], corner[2]);
    add_square(corner[4], corner[6], corner[7], corner[5]);
    add_square(corner[0], corner[4], corner[5], corner[1]);
    add_square(corner[2], corner[3], corner[7], corner[6]);
    add_square(corner[0], corner[2], corner[6], corner[4]);
    add_square(corner[1], corner[5], corner[7], corner[3]);
}

static void add_straight_box(float x, float y, float z, float dx, float dy, float dz)
{
    add_box(vector(x, y, z), vector(dx, 0, 0), vector(0, dy, 0), vector(0, 0, dz));
}

// A room, a long table, and chairs of six boxes on both sides. y is up.
static void make_conference()
{
    add_straight_box(0, 3, 0, 10, 3, 6);
    add_straight_box(0, 1.2f, 0, 7, 0.08f, 1.6f);
    for (int leg = 0; leg < 4; leg++)
        add_straight_box(leg & 1 ? 6.5f : -6.5f, 0.56f, leg & 2 ? 1.3f : -1.3f, 0.1f, 0.56f, 0.1f);
    for (int i = 0; i < 28; i++) {
        float x = -6.5f + i / 2 + 0.2f * random_unit(), side = i & 1 ? 1 : -1, z = side * (2.1f + 0.3f * random_unit());
        add_straight_box(x, 0.7f, z, 0.32f, 0.05f, 0.3f);
        add_straight_box(x, 1.2f, z + side * 0.28f, 0.32f, 0.45f, 0.04f);
        for (int leg = 0; leg < 4; leg++)
            add_straight_box(x + (leg & 1 ? 0.27f : -0.27f), 0.33f, z + (leg & 2 ? 0.25f : -0.25f), 0.03f, 0.33f,
                             0.03f);
    }
}

static Vector alien_point(int ring, int rings, int at, int around)
{
    float latitude = 3.1415927f * ring / rings, longitude = 6.2831853f * at / around;
    float bumps = 1 + 0.18f * sinf(5 * longitude) * sinf(4 * latitude) + 0.12f * sinf(9 * longitude + 3 * latitude);
    // Horns: narrow peaks at eight longitudes on the upper half.
    float horn = cosf(4 * longitude);
    if (latitude < 1.2f && horn > 0.8f)
        bumps += 3 * (horn - 0.8f) * sinf(latitude);
    float radius = 2 * bumps * sinf(latitude);
    return vector(radius * cosf(longitude), 2.6f * bumps * cosf(latitude) + 2.6f, radius * sinf(longitude));
}

static void make_alien()
{
    const int rings = 28, around = 44;
    add_square(vector(-30, 0, -30), vector(-30, 0, 30), vector(30, 0, 30), vector(30, 0, -30));
    for (int ring = 0; ring < rings; ring++)
        for (int at = 0; at < around; at++)
            add_square(alien_point(ring, rings, at, around), alien_point(ring + 1, rings, at, around),
                       alien_point(ring + 1, rings, at + 1, around), alien_point(ring, rings, at + 1, around));
}

static void make_bulldozer()
{
    add_square(vector(-30, 0, -30), vector(-30, 0, 30), vector(30, 0, 30), vector(30, 0, -30));
    add_straight_box(0, 1.9f, 0, 2.2f, 0.6f, 1.0f);
    add_straight_box(-0.9f, 3.2f, 0, 0.9f, 0.7f, 0.9f);
    add_straight_box(-0.9f, 4.0f, 0, 1.1f, 0.08f, 1.1f);
    add_straight_box(1.2f, 2.9f, 0.5f, 0.1f, 0.5f, 0.1f);
    // The blade, of strips that bend forward, and its arms.
    for (int i = 0; i < 12; i++) {
        float lean = (i - 6) * (i - 6) * 0.012f;
        add_straight_box(3.4f + lean, 0.3f + 0.14f * i, 0, 0.05f, 0.07f, 2.1f);
    }
    for (int side = -1; side <= 1; side += 2) {
        add_straight_box(2.3f, 0.9f, side * 1.2f, 1.1f, 0.1f, 0.1f);
        // A track: plates around two half circles and along two lines, and wheels within.
        for (int plate = 0; plate < 44; plate++) {
            float along = plate * 0.25f, x, y, angle;
            if (along < 4) {
                x = -2 + along;
                y = 0.1f;
                angle = 0;
            } else if (along < 5.5f) {
                angle = (along - 4) / 1.5f * 3.1415927f;
                x = 2 + 0.5f * sinf(angle);
                y = 0.6f - 0.5f * cosf(angle);
            } else if (along < 9.5f) {
                x = 2 - (along - 5.5f);
                y = 1.1f;
                angle = 3.1415927f;
            } else {
                angle = 3.1415927f + (along - 9.5f) / 1.5f * 3.1415927f;
                x = -2 + 0.5f * sinf(angle);
                y = 0.6f - 0.5f * cosf(angle);
            }
            Vector forward = vector(cosf(angle), sinf(angle), 0), out = vector(-sinf(angle), cosf(angle), 0);
            add_box(vector(x, y, side * 1.35f), 0.11f * forward, 0.05f * out, vector(0, 0, 0.32f));
        }
        for (int wheel = 0; wheel < 7; wheel++)
            add_straight_box(-2 + wheel * 0.66f, 0.6f, side * 1.35f, 0.24f, 0.24f, 0.2f);
    }
}

static float hill(float x, float z)
{
    return 0.7f * sinf(0.5f * x + 1) * cosf(0.4f * z) + 0.3f * sinf(1.3f * x + 0.7f * z);
}

static void make_windmill()
{
    for (int i = -13; i < 13; i++) {
        for (int k = -13; k < 13; k++) {
            float x = i, z = k;
            add_square(vector(x, hill(x, z), z), vector(x, hill(x, z + 1), z + 1),
                       vector(x + 1, hill(x + 1, z + 1), z + 1), vector(x + 1, hill(x + 1, z), z));
        }
    }
    for (int side = 0; side < 16; side++) {
        float a = side * 0.39269908f, b = a + 0.39269908f;
        add_square(vector(1.5f * cosf(a), 0, 1.5f * sinf(a)), vector(0.8f * cosf(a), 6, 0.8f * sinf(a)),
                   vector(0.8f * cosf(b), 6, 0.8f * sinf(b)), vector(1.5f * cosf(b), 0, 1.5f * sinf(b)));
        add_triangle(vector(0.95f * cosf(a), 6, 0.95f * sinf(a)), vector(0, 7, 0),
                     vector(0.95f * cosf(b), 6, 0.95f * sinf(b)));
    }
    // Four blades: a beam, and a lattice of bars along and across.
    for (int blade = 0; blade < 4; blade++) {
        float angle = 0.4f + blade * 1.5707963f;
        Vector out = vector(cosf(angle), sinf(angle), 0), side = vector(-sinf(angle), cosf(angle), 0);
        Vector hub = vector(0, 6.2f, -1.2f), deep = vector(0, 0, 0.02f);
        add_box(hub + 2.2f * out, 2.2f * out, 0.06f * side, 2.0f * deep);
        for (int bar = 0; bar < 5; bar++)
            add_box(hub + 2.5f * out + (0.2f + 0.2f * bar) * side, 1.8f * out, 0.02f * side, deep);
        for (int bar = 0; bar < 14; bar++)
            add_box(hub + (0.75f + 0.26f * bar) * out + 0.55f * side, 0.02f * out, 0.5f * side, deep);
    }
}

static float along(Vector v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static Node tree[2 * MOST_TRIANGLES];
static int tree_count = 1;

// Builds the hierarchy over triangles `first` to `first` + `count` - 1 under tree[at]: halves by the middle of the
// longest side of the centres' box.
static void build(int at, int first, int count)
{
    Vector low = vector(FAR_AWAY, FAR_AWAY, FAR_AWAY), high = -1.0f * low, centre_low = low, centre_high = high;
    for (int i = first; i < first + count; i++) {
        Vector a = scene[i].corner, b = a + scene[i].edge1, c = a + scene[i].edge2;
        Vector least = vector(fminf(a.x, fminf(b.x, c.x)), fminf(a.y, fminf(b.y, c.y)), fminf(a.z, fminf(b.z, c.z)));
        Vector most = vector(fmaxf(a.x, fmaxf(b.x, c.x)), fmaxf(a.y, fmaxf(b.y, c.y)), fmaxf(a.z, fmaxf(b.z, c.z)));
        low = vector(fminf(low.x, least.x), fminf(low.y, least.y), fminf(low.z, least.z));
        high = vector(fmaxf(high.x, most.x), fmaxf(high.y, most.y), fmaxf(high.z, most.z));
        Vector centre = least + most;
        centre_low = vector(fminf(centre_low.x, centre.x), fminf(centre_low.y, centre.y),
                            fminf(centre_low.z, centre.z));
        centre_high = vector(fmaxf(centre_high.x, centre.x), fmaxf(centre_high.y, centre.y),
                             fmaxf(centre_high.z, centre.z));
    }
    // Flat boxes get some thickness, so that rounding does not let a ray slip past.
    tree[at].low = low - vector(1e-4f, 1e-4f, 1e-4f);
    tree[at].high = high + vector(1e-4f, 1e-4f, 1e-4f);
    tree[at].first = first;
    tree[at].count = count;
    if (count <= LEAF)
        return;
    Vector size = centre_high - centre_low;
    int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    float middle = 0.5f * (along(centre_low, axis) + along(centre_high, axis));
    int left = first;
    for (int i = first; i < first + count; i++) {
        float a = along(scene[i].corner, axis);
        float b = a + along(scene[i].edge1, axis), c = a + along(scene[i].edge2, axis);
        if (fminf(a, fminf(b, c)) + fmaxf(a, fmaxf(b, c)) < middle) {
            Triangle kept = scene[i];
            scene[i] = scene[left];
            scene[left++] = kept;
        }
    }
    int half = left - first;
    if (half == 0 || half == count)
        half = count / 2;
    int child = tree_count;
    tree_count += 2;
    tree[at].first = child;
    tree[at].count = 0;
    build(child, first, half);
    build(child + 1, first + half, count - half);
}

// The host's hit, against all triangles, in double precision: where the ray meets the plane, and on which side of each
// edge that is.
static Hit host_trace(Vector origin, Vector direction, float limit)
{
    Hit hit = {-1, limit};
    for (int i = 0; i < scene_count; i++) {
        Triangle *t = &scene[i];
        double nx = (double)t->edge1.y * t->edge2.z - (double)t->edge1.z * t->edge2.y;
        double ny = (double)t->edge1.z * t->edge2.x - (double)t->edge1.x * t->edge2.z;
        double nz = (double)t->edge1.x * t->edge2.y - (double)t->edge1.y * t->edge2.x;
        double slope = nx * direction.x + ny * direction.y + nz * direction.z;
        if (slope == 0)
            continue;
        double px = t->corner.x - origin.x, py = t->corner.y - origin.y, pz = t->corner.z - origin.z;
        double distance = (nx * px + ny * py + nz * pz) / slope;
        if (distance <= 0 || distance >= hit.distance)
            continue;
        // From the corner to the point, in parts of the edges.
        px = distance * direction.x - px;
        py = distance * direction.y - py;
        pz = distance * direction.z - pz;
        double e11 = dot(t->edge1, t->edge1), e12 = dot(t->edge1, t->edge2), e22 = dot(t->edge2, t->edge2);
        double p1 = px * t->edge1.x + py * t->edge1.y + pz * t->edge1.z;
        double p2 = px * t->edge2.x + py * t->edge2.y + pz * t->edge2.z, scale = e11 * e22 - e12 * e12;
        double u = (e22 * p1 - e12 * p2) / scale, v = (e11 * p2 - e12 * p1) / scale;
        if (u >= 0 && v >= 0 && u + v <= 1) {
            hit.triangle = i;
            hit.distance = distance;
        }
    }
    return hit;
}

// Compares a sample of the pixels with the host. At edges, rounding may decide otherwise: for 1 of 50 of them.
static void compare(const Hit *hits, const int *open, const Camera &camera, int width, int height, int rays,
                    float reach)
{
    int pixels = width * height, stride = 1 + (int)((double)pixels * scene_count * (1 + rays) / 4e5);
    int compared = 0, different = 0, rays_compared = 0, rays_different = 0;
    stride |= 1;
    for (int pixel = 0; pixel < pixels; pixel += stride) {
        Vector direction = pixel_direction(camera, pixel % width, pixel / width, width, height);
        Hit expected = host_trace(camera.eye, direction, FAR_AWAY), found = hits[pixel];
        compared++;
        if ((expected.triangle < 0) != (found.triangle < 0) ||
            (found.triangle >= 0 && fabs(expected.distance - found.distance) > 1e-3 * expected.distance)) {
            different++;
            continue;
        }
        if (!open || found.triangle < 0) {
            different += open && open[pixel] != -1;
            continue;
        }
        Vector normal = unit(cross(scene[found.triangle].edge1, scene[found.triangle].edge2));
        if (dot(normal, direction) > 0)
            normal = -1.0f * normal;
        Vector origin = camera.eye + found.distance * direction + 1e-3f * normal;
        int count = 0;
        for (int ray = 0; ray < rays; ray++)
            count += host_trace(origin, occlusion_direction(normal, pixel * rays + ray), reach).triangle < 0;
        rays_compared += rays;
        rays_different += abs(count - open[pixel]);
    }
    expect_int("pixels of 50 that differ: at", compared, 0, different * 50 / compared);
    if (rays_compared > 0)
        expect_int("occlusion rays of 50 that differ: at", rays_compared, 0, rays_different * 50 / rays_compared);
}

int main(int argc, char **argv)
{
    int width = argument(argc, argv, 1, 16), height = argument(argc, argv, 2, 16);
    int rays = argc > 3 ? atoi(argv[3]) : OCCLUSION_RAYS;
    const Vector eyes[4] = {vector(-8.5f, 3.8f, 4.6f), vector(7, 5, -8), vector(7.5f, 4.5f, 7), vector(6, 4.5f, -11)};
    const Vector targets[4] = {vector(2, 0.6f, -1), vector(0, 2.6f, 0), vector(0.3f, 1.6f, 0), vector(0, 4, 0)};
    if (SCENE == CONFERENCE)
        make_conference();
    else if (SCENE == ALIEN)
        make_alien();
    else if (SCENE == BULLDOZER)
        make_bulldozer();
    else
        make_windmill();
    build(0, 0, scene_count);

    Camera camera;
    camera.eye = eyes[SCENE];
    camera.forward = unit(targets[SCENE] - eyes[SCENE]);
    camera.right = 0.6f * unit(cross(camera.forward, vector(0, 1, 0)));
    camera.up = ((float)height / width) * cross(camera.right, camera.forward);

    int pixels = width * height;
    Node *nodes = to_device(tree, tree_count);
    Triangle *triangles = to_device(scene, scene_count);
    Hit *hits = device_zeros<Hit>(pixels);
    dim3 grid((width + 7) / 8, (height + 7) / 8), block(8, 8);
    const float reach = 2.0f;
    int *found_open = NULL;
    if (rays > 0) {
        int *open = device_zeros<int>(pixels);
        ambient_occlusion<<<grid, block>>>(open, hits, nodes, triangles, camera, width, height, rays, reach);
        CHECK(cudaDeviceSynchronize());
        found_open = to_host(open, pixels);
    } else {
        primary_rays<<<grid, block>>>(hits, nodes, triangles, camera, width, height);
        CHECK(cudaDeviceSynchronize());
    }
    Hit *found = to_host(hits, pixels);
    int seen = 0;
    for (int i = 0; i < pixels; i++)
        seen += found[i].triangle >= 0;
    printf("%d triangles, %d nodes; %d of %d pixels see a triangle\n", scene_count, tree_count, seen, pixels);
    compare(found, found_open, camera, width, height, rays, reach);
    return verdict("ray_bvh");
}
