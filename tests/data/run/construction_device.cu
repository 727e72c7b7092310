// Objects that keep their own addresses, in device code.
#include <stdio.h>
struct Self { Self *p; int v; __device__ Self(int v):p(this),v(v){} __device__ bool ok() const { return p==this; } };
struct Own { Own *p; int v; __device__ Own(int v):p(this),v(v){} __device__ Own(const Own &o):p(this),v(o.v+100){ } __device__ ~Own(){ v=-1; } __device__ bool ok() const { return p==this; } };
struct vec3 { float x,y,z; __host__ __device__ vec3(float a,float b,float c):x(a),y(b),z(c){} __host__ __device__ vec3():x(0),y(0),z(0){} __host__ __device__ vec3 operator+(const vec3&o)const{return vec3(x+o.x,y+o.y,z+o.z);} __host__ __device__ vec3 operator*(float s)const{return vec3(x*s,y*s,z*s);} };
struct ray { vec3 o,d; __host__ __device__ ray(const vec3&o,const vec3&d):o(o),d(d){} __host__ __device__ vec3 at(float t)const{return o+d*t;} };
__device__ ray mkray(float f){ return ray(vec3(f,f,f), vec3(1,2,3)); }
__device__ Own omk(int a){ return Own(a);}
__device__ Own onamed(int a){ Own s(a); s.v++; return s; }
__device__ int byval(Own o){ return o.ok()*1000+o.v; }
struct Stack { int a[8]; int *top; __device__ Stack():top(a){} __device__ void push(int v){ *top++ = v; } __device__ int pop(){ return *--top; } };
__global__ void k(int *r, float *f, int n){
  int i = threadIdx.x; int j = 0; r += i*32;
  Self a(i); r[j++]=a.ok(); Own b=omk(i); r[j++]=b.ok(); Own c=onamed(i); r[j++]=c.ok()*10+c.v; Own d=c; r[j++]=d.ok()*10+d.v;
  r[j++]=byval(c); r[j++]=byval(Own(3)); r[j++]=byval(omk(4));
  Own e = i&1 ? Own(1) : Own(2); r[j++]=e.ok()*10+e.v;
  Stack s; for(int q=0;q<n;q++) s.push(q*i); int t=0; for(int q=0;q<n;q++) t=t*3+s.pop(); r[j++]=t;
  Self arr[3]={Self(1),2,Self(3)}; r[j++]=arr[0].ok()+arr[1].ok()*2+arr[2].ok()*4;
  for(int q=0;q<2;q++){ Self z(q); r[j++]=z.ok(); }
  ray w = mkray(i); vec3 p = w.at(2); f[i*3]=p.x; f[i*3+1]=p.y; f[i*3+2]=p.z;
}
int main(){ int *r; float *f; cudaMallocManaged(&r, 4*32*4); cudaMallocManaged(&f,4*12); k<<<1,4>>>(r,f,5); cudaDeviceSynchronize();
 for(int i=0;i<4;i++){ for(int j=0;j<14;j++) printf("%d ", r[i*32+j]); printf("| %g %g %g\n", f[i*3],f[i*3+1],f[i*3+2]); } return 0; }
// out: 1 1 11 111 1101 1003 1004 12 0 7 1 1 0 0 | 2 4 6
// out: 1 1 12 112 1102 1003 1004 11 426 7 1 1 0 0 | 3 5 7
// out: 1 1 13 113 1103 1003 1004 12 852 7 1 1 0 0 | 4 6 8
// out: 1 1 14 114 1104 1003 1004 11 1278 7 1 1 0 0 | 5 7 9
