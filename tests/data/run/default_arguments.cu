// Default arguments: constants and strings, in a prototype or in the definition, on both sides.
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 4 };

#define CHECK(call) check((call), __FILE__, __LINE__)

inline void check(cudaError_t code, const char *file, int line, bool stop = true)
{
    if (code != cudaSuccess) {
        fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(code));
        if (stop)
            exit(1);
    }
}

int area(int width, int height = WIDTH * 2 + 1);
void say(const char *text = "nothing", const char *end = NULL);

__host__ __device__ float scale(float x, float by = 2, double plus = 0.5f) { return x * by + plus; }

__global__ void fill(float *out, int first = 3)
{
    out[threadIdx.x] = scale(first + (int)threadIdx.x) + scale(1, 1) + scale(0, 0, -1);
}

int main()
{
    float *out, host[4];
    CHECK(cudaMalloc(&out, sizeof host));
    fill<<<1, 4>>>(out);
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    printf("%g %g %g %g\n", host[0], host[1], host[2], host[3]);
    fill<<<1, 4>>>(out, -1);
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    printf("%g %g %g %g\n", host[0], host[1], host[2], host[3]);
    printf("%d %d %g\n", area(2), area(2, 3), scale(1));
    say();
    say("text");
    say("text", "!");
    return 0;
}

int area(int w, int h) { return w * h; }

void say(const char *text, const char *end) { printf("%s%s\n", text, end ? end : "."); }

// out: 7 9 11 13
// out: -1 1 3 5
// out: 18 6 2.5
// out: nothing.
// out: text.
// out: text!
