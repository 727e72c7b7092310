// Objects in a program that host and device see differently.
#include <stdio.h>
struct Own { Own *p; int v; __host__ __device__ Own(int v):p(this),v(v){} __host__ __device__ Own(const Own &o):p(this),v(o.v+100){ } __host__ __device__ ~Own(){ v=-1; } __host__ __device__ bool ok() const { return p==this; } };
Own g1(1); Own g2[2] = {Own(2), g1};
struct Cfg { Own a; int k; Cfg():a(5),k(6){} };
Cfg cfg;
Own mkg(const Own &o){ return Own(o.v+1); }
Own g3 = mkg(Own(7)); 
__host__ __device__ int which(Own o){
#ifdef __CUDA_ARCH__
 return o.v + 1000*o.ok();
#else
 return o.v + 2000*o.ok();
#endif
}
__device__ int dcnt;
struct RAII { int *p; __device__ RAII(int *p):p(p){ atomicAdd(p,1);} __device__ ~RAII(){ atomicAdd(p,100);} };
template <class T, int N> struct Vec { T d[N]; T *e; __device__ Vec():e(d){} __device__ void push(const T &t){ new (e) T(t); ++e; } __device__ ~Vec(){ while(e!=d) (--e)->~T(); } __device__ int size() const { return e-d; } };
struct Cnt { int *c; __device__ Cnt():c(0){} __device__ Cnt(int*c):c(c){ atomicAdd(c,1);} __device__ Cnt(const Cnt&o):c(o.c){ if(c) atomicAdd(c,10);} __device__ ~Cnt(){ if(c) atomicAdd(c,100);} };
__global__ void k(int *r){ RAII a(r); { RAII b(r+1); r[2]=which(Own(4)); } Own x = threadIdx.x ? Own(1) : which(Own(9)); r[3]=x.ok()*10000+x.v; 
 Vec<Cnt,4> v; v.push(Cnt(r+4)); v.push(v.d[0]); r[5]=v.size(); 
 __shared__ char raw[sizeof(Own)]; Own *s = new (raw) Own(77); r[6]=s->ok()*1000+s->v; s->~Own(); r[7]=s->v; }
int main(){ int *r; cudaMallocManaged(&r, 64); k<<<1,1>>>(r); cudaDeviceSynchronize(); for(int i=0;i<8;i++) printf("%d ", r[i]); puts("");
 printf("%d %d %d %d %d %d %d\n", g1.ok(), g2[0].ok(), g2[1].ok(), g2[1].v, cfg.a.ok(), g3.ok(), g3.v); printf("%d\n", which(Own(3))); return 0; }
// out: 101 101 1004 11009 521 2 1077 -1
// out: 1 1 1 101 1 1 8
// out: 2003
