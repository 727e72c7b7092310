// Memory of three dimensions: rows with a pitch, in slices of as many rows as were asked for. Widths are in bytes.

struct cudaExtent {
    size_t width, height, depth;
};

struct cudaPos {
    size_t x, y, z;
};

struct cudaPitchedPtr {
    void *ptr;
    size_t pitch, xsize, ysize;
};

struct cudaArray;

struct cudaMemcpy3DParms {
    struct cudaArray *srcArray;
    cudaPos srcPos;
    cudaPitchedPtr srcPtr;
    struct cudaArray *dstArray;
    cudaPos dstPos;
    cudaPitchedPtr dstPtr;
    cudaExtent extent;
    int kind;
};

static inline cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth)
{
    cudaExtent made = {width, height, depth};
    return made;
}

static inline cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{
    cudaPos made = {x, y, z};
    return made;
}

static inline cudaPitchedPtr make_cudaPitchedPtr(void *from, size_t pitch, size_t width, size_t height)
{
    cudaPitchedPtr made = {from, pitch, width, height};
    return made;
}

static inline cudaError_t cudaMalloc3D(cudaPitchedPtr *made, cudaExtent extent)
{
    void *memory;
    size_t pitch;
    const cudaError_t error = cudaMallocPitch(&memory, &pitch, extent.width, extent.height * extent.depth);
    if (error == cudaSuccess)
        *made = make_cudaPitchedPtr(memory, pitch, extent.width, extent.height);
    return error;
}

static inline cudaError_t cudaMemset3D(cudaPitchedPtr memory, int byte, cudaExtent extent)
{
    cudaError_t error = cudaSuccess;
    for (size_t z = 0; z < extent.depth && error == cudaSuccess; z++)
        error = cudaMemset2D(
            (char *)memory.ptr + z * memory.ysize * memory.pitch, memory.pitch, byte, extent.width, extent.height);
    return error;
}

static inline cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *what)
{
    if (what->srcArray != NULL || what->dstArray != NULL) {
        fprintf(stderr, "cudaMemcpy3D: arrays are not copied\n");
        return cudaErrorNotSupported;
    }
    const cudaPitchedPtr &from = what->srcPtr, &to = what->dstPtr;
    cudaError_t error = cudaSuccess;
    for (size_t z = 0; z < what->extent.depth && error == cudaSuccess; z++)
        error = cudaMemcpy2D(
            (char *)to.ptr + ((z + what->dstPos.z) * to.ysize + what->dstPos.y) * to.pitch + what->dstPos.x, to.pitch,
            (const char *)from.ptr + ((z + what->srcPos.z) * from.ysize + what->srcPos.y) * from.pitch + what->srcPos.x,
            from.pitch, what->extent.width, what->extent.height, what->kind);
    return error;
}

static inline cudaError_t cudaMemset3DAsync(cudaPitchedPtr memory, int byte, cudaExtent extent, cudaStream_t = 0)
{
    return cudaMemset3D(memory, byte, extent);
}
static inline cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *what, cudaStream_t = 0) { return cudaMemcpy3D(what); }
