// suite: samples
// includes: Samples/0_Introduction/vectorAdd
// unchanged
// The whole program: it checks its own result.
#include "vectorAdd.cu"
// out: [Vector addition of 50000 elements]
// out: Copy input data from the host memory to the CUDA device
// out: CUDA kernel launch with 196 blocks of 256 threads
// out: Copy output data from the CUDA device to the host memory
// out: Test PASSED
// out: Done
