// The version of CUDA whose names these headers have.

#ifndef RECONVERGE_CUDA_H
#define RECONVERGE_CUDA_H

#include <stdint.h>

#define CUDA_VERSION 12000

typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;

#endif
