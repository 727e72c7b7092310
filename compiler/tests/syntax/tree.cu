#define SCALE(x) ((x) * 2.0f)
typedef struct { int a[4]; float *b; } pair;
enum mode { FAST, SLOW = 3 };
__constant__ float table[2] = { 1.0f, .5f };
__global__ void __launch_bounds__(256) k(const float *__restrict__ in, pair *out, unsigned n)
{
    extern __shared__ float tile[];
    int i = blockIdx.x * blockDim.x + threadIdx.x, j(2);
    if (i < n) out[i].b[0] = SCALE(in[i]); else return;
    for (int k = 0; k < 4; k++) out->a[k] += k & 1 ? -k : (int)in[k];
    switch (j) { case 1: case SLOW: break; default: j = sizeof(pair *); }
}
int main()
{
    dim3 grid(4, 4);
    k<<<grid, 256, sizeof(float) * 256>>>(0, nullptr, float(3));
    do ; while ("text"[0] == 'a');
}
