// Loads, stores and assumptions with wrong arguments.
struct point { int x, y; };
__global__ void k(int *out, const int *in, void *any, int n, const point *p, bool *b, int **q, float3 *v, float4 *w)
{
    out[0] = __ldg(n); //~ error
    out[1] = __ldcs(any); //~ error
    out[2] = __ldcg(in, 1); //~ error
    __stcg(in, 1); //~ error
    __stcs(out, in); //~ error
    __stwt(out); //~ error
    if (__builtin_expect(n, true))
        __builtin_assume(*any); //~ error
    out[3] = __isShared(n); //~ error
    __trap(1); //~ error
    point read = __ldcs(p); //~ error
    *b = __ldg(b); //~ error
    *q = __ldg(q); //~ error
    *v = __ldg(v); //~ error
    __stcs(v, *v); //~ error
    *w = __ldg(w);
    __stcs(w, *w);
}
