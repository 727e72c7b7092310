// ray_tracing: spheres above a floor, with a light, shadows and up to five reflections.
// Measured in chapters 3 and 5 of the dissertation (Tables 3.2 and 5.4, "RAY"). Modelled on the ray tracer of the
// ISPASS-2009 benchmarks.
//
// A block of 16 by 8 threads has as many pixels. A ray that hits nothing ends the loop over reflections. Each object is
// a plane or a sphere (a branch on constant memory, the same for all lanes); hits, misses and rays from inside are
// nested data-dependent branches with two paths. Shadow rays are traced in a loop that ends at the first hit. The
// colours of the reflections lie in a local array that is indexed by the loop, and are put together at the end.
//
// usage: ray_tracing [pixels along an edge]

#include "workload.h"

#define DEPTH 5
#define OBJECTS 6
#define FAR_AWAY 10000.0f

struct Object {
    float3 center;
    float radius;
    float3 color;
    int plane;
};

struct Ray {
    float3 from, to;
};

__constant__ Object objects[OBJECTS];
// The rows of the camera's matrix: right, up and forward, each with the position's coordinate.
__constant__ float4 view[3];

__device__ __forceinline__ float3 vector3(float x, float y, float z)
{
    return make_float3(x, y, z);
}

__device__ __forceinline__ float3 operator+(float3 a, float3 b)
{
    return vector3(a.x + b.x, a.y + b.y, a.z + b.z);
}

__device__ __forceinline__ float3 operator-(float3 a, float3 b)
{
    return vector3(a.x - b.x, a.y - b.y, a.z - b.z);
}

__device__ __forceinline__ float3 operator*(float s, float3 a)
{
    return vector3(s * a.x, s * a.y, s * a.z);
}

__device__ __forceinline__ float dot(float3 a, float3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

__device__ __forceinline__ float3 unit(float3 a)
{
    return rsqrtf(dot(a, a)) * a;
}

// How far along the ray the sphere is hit; 0 where it is not.
__device__ __forceinline__ float hit_sphere(Ray ray, float3 center, float radius)
{
    float3 way = center - ray.from;
    float along = dot(way, ray.to), distance2 = dot(way, way), radius2 = radius * radius, result;
    if (along < 0.0f && distance2 > radius2) {
        result = 0.0f;
    } else {
        float beside2 = distance2 - along * along;
        if (beside2 > radius2) {
            result = 0.0f;
        } else {
            float half = sqrtf(radius2 - beside2);
            if (distance2 > radius2)
                result = along - half;
            else
                result = along + half;
        }
    }
    return result;
}

// The same for the plane of the floor through `center`.
__device__ __forceinline__ float hit_plane(Ray ray, float3 center)
{
    float3 normal = vector3(0, 1, 0);
    float slope = dot(normal, ray.to), result;
    if (fabsf(slope) < 0.0001f) {
        result = 0.0f;
    } else {
        float t = -dot(normal, ray.from - center) / slope;
        if (t > 0)
            result = t;
        else
            result = 0.0f;
    }
    return result;
}

// Whether nothing lies between a point and the light in that direction.
__device__ bool lit(float3 point, float3 direction, float3 light)
{
    float t = 0;
    float3 way = light - point;
    float far2 = dot(way, way);
    Ray ray = {point + 0.001f * direction, direction};
    for (int j = 0; j < OBJECTS && t == 0.0f; j++) {
        if (objects[j].plane)
            t = hit_plane(ray, objects[j].center);
        else
            t = hit_sphere(ray, objects[j].center, objects[j].radius);
        if (t > 0.0f && t * t > far2)
            t = 0.0f;
    }
    return t == 0.0f;
}

__device__ unsigned bits_of(float3 color)
{
    return (unsigned)(__saturatef(color.z) * 255) << 16 | (unsigned)(__saturatef(color.y) * 255) << 8 |
           (unsigned)(__saturatef(color.x) * 255);
}

__global__ void render(unsigned *image, int width, int height, float focus)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float3 pile[DEPTH];
    int hits = 0;
    for (int i = 0; i < DEPTH; i++)
        pile[i] = vector3(0, 0, 0);
    if (x < width && y < height) {
        float depth = FAR_AWAY, pixel = 2.0f / min(width, height);
        float across = (x - width * 0.5f) * pixel, up = (y - height * 0.5f) * pixel;
        float3 light = vector3(10, 10, -10);
        Ray ray;
        ray.from = vector3(view[0].w, view[1].w, view[2].w);
        ray.to = unit(focus * vector3(view[2].x, view[2].y, view[2].z) +
                      across * vector3(view[0].x, view[0].y, view[0].z) +
                      up * vector3(view[1].x, view[1].y, view[1].z));
        for (int i = 0; i < DEPTH && hits == i; i++) {
            int object = 0;
            for (int j = 0; j < OBJECTS; j++) {
                float t;
                if (objects[j].plane)
                    t = hit_plane(ray, objects[j].center);
                else
                    t = hit_sphere(ray, objects[j].center, objects[j].radius);
                if (t > 0.0f && t < depth) {
                    depth = t;
                    object = j;
                }
            }
            if (depth < FAR_AWAY) {
                hits++;
                float3 color = objects[object].color;
                float3 point = ray.from + depth * ray.to;
                float3 to_light = unit(light - point), to_eye = unit(ray.from - point);
                float3 normal = objects[object].plane ? vector3(0, 1, 0) : unit(point - objects[object].center);
                if (dot(to_eye, normal) < 0.0f)
                    normal = -1.0f * normal;
                pile[i] = 0.05f * color;
                float facing = dot(normal, to_light);
                if (facing > 0.0f && lit(point, to_light, light)) {
                    float3 between = unit(to_light + to_eye);
                    pile[i] = pile[i] + (0.3f * min(1.0f, facing)) * color;
                    float shine = 0.8f * powf(max(0.0f, min(1.0f, dot(between, normal))), 50.0f);
                    if (shine > 0.001f)
                        pile[i] = pile[i] + shine * vector3(1, 1, 1);
                }
                // On with the reflected ray.
                ray.to = unit(ray.to - (2.0f * dot(ray.to, normal)) * normal);
                ray.from = point + 0.001f * ray.to;
                depth = FAR_AWAY;
            }
        }
        float3 sum = vector3(0, 0, 0);
        for (int i = hits - 1; i >= 0; i--)
            sum = pile[i] + 0.5f * sum;
        image[y * width + x] = bits_of(sum);
    }
}

// The distance to the nearest object in front of `from`, -1 without one.
static double host_nearest(const Object *scene, const double *from, const double *to, int *object)
{
    double nearest = -1;
    for (int j = 0; j < OBJECTS; j++) {
        double t = -1;
        if (scene[j].plane) {
            if (fabs(to[1]) >= 0.0001)
                t = (scene[j].center.y - from[1]) / to[1];
        } else {
            double cx = from[0] - scene[j].center.x, cy = from[1] - scene[j].center.y;
            double cz = from[2] - scene[j].center.z;
            double b = 2 * (cx * to[0] + cy * to[1] + cz * to[2]);
            double c = cx * cx + cy * cy + cz * cz - (double)scene[j].radius * scene[j].radius;
            double root2 = b * b - 4 * c;
            if (root2 >= 0) {
                t = (-b - sqrt(root2)) / 2;
                if (t <= 0)
                    t = (-b + sqrt(root2)) / 2;
            }
        }
        if (t > 0 && t < FAR_AWAY && (nearest < 0 || t < nearest)) {
            nearest = t;
            *object = j;
        }
    }
    return nearest;
}

static double host_dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void host_unit(double *a)
{
    double length = sqrt(host_dot(a, a));
    for (int k = 0; k < 3; k++)
        a[k] /= length;
}

// The host's tracer, in double, by the quadratic formula and by recursion: writes to `color` what a ray sees.
static void host_trace(const Object *scene, const double *from, const double *to, int depth, double *color)
{
    int object = 0, ignored;
    color[0] = color[1] = color[2] = 0;
    double t = depth < DEPTH ? host_nearest(scene, from, to, &object) : -1;
    if (t <= 0)
        return;
    const Object *hit = scene + object;
    double point[3], normal[3], light[3] = {10, 10, -10}, eye[3], half[3], next[3], start[3], reflected[3];
    double center[3] = {hit->center.x, hit->center.y, hit->center.z};
    double own[3] = {hit->color.x, hit->color.y, hit->color.z};
    for (int k = 0; k < 3; k++) {
        point[k] = from[k] + t * to[k];
        normal[k] = hit->plane ? k == 1 : point[k] - center[k];
        light[k] -= point[k];
        eye[k] = -to[k];
    }
    double light_distance = sqrt(host_dot(light, light));
    host_unit(light);
    host_unit(normal);
    double sign = host_dot(eye, normal) < 0 ? -1 : 1, along = host_dot(to, normal);
    for (int k = 0; k < 3; k++) {
        normal[k] *= sign;
        half[k] = light[k] + eye[k];
        next[k] = to[k] - 2 * along * normal[k] * sign;
        start[k] = point[k] + 0.001 * light[k];
    }
    host_unit(half);
    host_unit(next);
    double facing = host_dot(normal, light), shine = 0, direct = 0;
    if (facing > 0) {
        double blocked = host_nearest(scene, start, light, &ignored);
        if (blocked < 0 || blocked > light_distance) {
            direct = 0.3 * facing;
            shine = 0.8 * pow(fmax(0.0, fmin(1.0, host_dot(half, normal))), 50);
        }
    }
    for (int k = 0; k < 3; k++)
        start[k] = point[k] + 0.001 * next[k];
    host_trace(scene, start, next, depth + 1, reflected);
    for (int k = 0; k < 3; k++)
        color[k] = (0.05 + direct) * own[k] + (shine > 0.001 ? shine : 0) + 0.5 * reflected[k];
}

// Whether a pixel is within three levels of what the host has for it.
static bool alike(const Object *scene, const float4 *camera, unsigned found, int x, int y, int size, float focus)
{
    double pixel = 2.0 / size, across = (x - size * 0.5) * pixel, up = (y - size * 0.5) * pixel, color[3];
    double from[3] = {camera[0].w, camera[1].w, camera[2].w};
    double to[3] = {focus * camera[2].x + across * camera[0].x + up * camera[1].x,
                    focus * camera[2].y + across * camera[0].y + up * camera[1].y,
                    focus * camera[2].z + across * camera[0].z + up * camera[1].z};
    host_unit(to);
    host_trace(scene, from, to, 0, color);
    for (int k = 0; k < 3; k++) {
        int expected = (int)(fmin(1.0, color[k]) * 255), got = found >> 8 * k & 255;
        if (abs(expected - got) > 3)
            return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    int size = argument(argc, argv, 1, 64);
    const float focus = 2.0f;
    Object scene[OBJECTS] = {{{0, -0.5f, 0}, 0, {0.9f, 0.9f, 0.8f}, 1},
                             {{0, 0.5f, 0}, 1, {0.9f, 0.2f, 0.2f}, 0},
                             {{-1.6f, 0.1f, 0.4f}, 0.6f, {0.2f, 0.9f, 0.3f}, 0},
                             {{1.7f, 0.2f, -0.3f}, 0.7f, {0.2f, 0.3f, 0.9f}, 0},
                             {{0.6f, -0.2f, -1.5f}, 0.3f, {0.9f, 0.8f, 0.2f}, 0},
                             {{-0.9f, 1.6f, 1}, 0.5f, {0.7f, 0.3f, 0.9f}, 0}};
    // From a little above and in front of the scene.
    float4 camera[3] = {{1, 0, 0, 0.2f}, {0, 0.97f, 0.24f, 1.2f}, {0, -0.24f, 0.97f, -5}};
    CHECK(cudaMemcpyToSymbol(objects, scene, sizeof(scene)));
    CHECK(cudaMemcpyToSymbol(view, camera, sizeof(camera)));
    unsigned *image_there = device_zeros<unsigned>(size * size);
    render<<<dim3((size + 15) / 16, (size + 7) / 8), dim3(16, 8)>>>(image_there, size, size, focus);
    CHECK(cudaDeviceSynchronize());
    unsigned *image = to_host(image_there, size * size);

    // Where an edge runs through a pixel, rounding decides: one in a hundred may differ.
    int samples = size <= 48 ? size * size : 2000, different = 0, colored = 0;
    for (int i = 0; i < samples; i++) {
        int place = size <= 48 ? i : (int)(random_bits() % (size * size));
        different += !alike(scene, camera, image[place], place % size, place / size, size, focus);
        colored += image[place] != 0;
    }
    printf("%d of %d pixels differ from the host's, %d are not black\n", different, samples, colored);
    expect_int("pixels differ by more than one in a hundred", different, 0, different > samples / 100 + 1);
    expect_int("some are not black", colored, 1, colored > samples / 4);
    CHECK(cudaFree(image_there));
    return verdict("ray_tracing");
}
