// A part of CUDA's headers, so that clang makes PTX of the examples without CUDA: see make.sh.
#pragma once
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __restrict__ __restrict
#include <stddef.h>
#include <stdint.h>
struct uint3 { unsigned x, y, z; };
struct dim3 { unsigned x, y, z; __host__ __device__ dim3(unsigned a=1,unsigned b=1,unsigned c=1):x(a),y(b),z(c){} 
 __host__ __device__ dim3(uint3 v):x(v.x),y(v.y),z(v.z){} __host__ __device__ operator uint3() const { return {x,y,z}; } };
#include <__clang_cuda_builtin_vars.h>
typedef int cudaError_t; typedef struct CUevent* cudaEvent_t; cudaError_t cudaEventCreate(cudaEvent_t*); cudaError_t cudaEventRecord(cudaEvent_t, void* =0); cudaError_t cudaEventSynchronize(cudaEvent_t); cudaError_t cudaEventElapsedTime(float*, cudaEvent_t, cudaEvent_t); cudaError_t cudaEventDestroy(cudaEvent_t); enum { cudaSuccess=0 }; enum cudaMemcpyKind { cudaMemcpyHostToDevice=1, cudaMemcpyDeviceToHost=2, cudaMemcpyDeviceToDevice=3, cudaMemcpyHostToHost=0 };
template<class T> cudaError_t cudaMalloc(T**, size_t); cudaError_t cudaFree(void*);
cudaError_t cudaMemcpy(void*, const void*, size_t, cudaMemcpyKind); cudaError_t cudaMemset(void*, int, size_t);
template<class T> cudaError_t cudaMemcpyToSymbol(const T&, const void*, size_t, size_t=0, cudaMemcpyKind=cudaMemcpyHostToDevice);
template<class T> cudaError_t cudaMemcpyFromSymbol(void*, const T&, size_t, size_t=0, cudaMemcpyKind=cudaMemcpyDeviceToHost);
cudaError_t cudaDeviceSynchronize(); cudaError_t cudaGetLastError(); const char* cudaGetErrorString(cudaError_t);
extern "C" { cudaError_t cudaConfigureCall(dim3, dim3, size_t=0, void* =0); unsigned __cudaPushCallConfiguration(dim3,dim3,size_t=0,void* =0); cudaError_t cudaLaunchKernel(const void*, dim3, dim3, void**, size_t, void*); }

__device__ static inline int atomicAdd(int* p, int v) { return __nvvm_atom_add_gen_i(p, v); }
__device__ static inline unsigned atomicAdd(unsigned* p, unsigned v) { return __nvvm_atom_add_gen_i((int*)p, v); }
__device__ static inline float atomicAdd(float* p, float v) { return __nvvm_atom_add_gen_f(p, v); }
__device__ static inline int atomicMin(int* p, int v) { return __nvvm_atom_min_gen_i(p, v); }
__device__ static inline int atomicMax(int* p, int v) { return __nvvm_atom_max_gen_i(p, v); }
__device__ static inline int atomicCAS(int* p, int c, int v) { return __nvvm_atom_cas_gen_i(p, c, v); }
__device__ static inline int atomicExch(int* p, int v) { return __nvvm_atom_xchg_gen_i(p, v); }
__device__ static inline int min(int a,int b){return a<b?a:b;} __device__ static inline int max(int a,int b){return a>b?a:b;}
__host__ static inline int min(int a,int b){return a<b?a:b;} __host__ static inline int max(int a,int b){return a>b?a:b;}
__device__ static inline float sqrtf(float x){return __nvvm_sqrt_rn_f(x);} 
__device__ static inline float fabsf(float x){return __builtin_fabsf(x);} 
__device__ static inline float fminf(float a,float b){return __nvvm_fmin_f(a,b);} __device__ static inline float fmaxf(float a,float b){return __nvvm_fmax_f(a,b);}
__device__ static inline float floorf(float x){return __nvvm_floor_f(x);} 
extern "C" __device__ int vprintf(const char*, const char*);
