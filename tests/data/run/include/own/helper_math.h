// A program's own header goes before the one that is supplied.
inline __host__ __device__ int dot(int a, int b) { return 100 * a + b; }
