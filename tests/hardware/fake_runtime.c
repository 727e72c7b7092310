// A CUDA runtime without a device, for the tests of launches.c: one stream, which a thread works off, and a clock
// that only it and launches advance. A kernel takes 2,000 microseconds; a launch takes the host 30,000 before the kernel
// is in the stream. What waits in the stream until then is not measured; what does not wait is.
//
// FAKE_RUNTIME may be `refuse` (launches fail), `capture` (the stream is being captured), or `wait` (a launch waits for
// the stream to be empty, as the loading of a module may).
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef int cudaError_t;
typedef void *cudaStream_t;
typedef struct {
    unsigned x, y, z;
} dim3;
typedef struct {
    long passed, generation, recorded;
} Event;
typedef Event *cudaEvent_t;
typedef void (*Function)(void *);

enum { KERNEL = 2000, SUBMISSION = 30000, LONGEST = 4096, INVALID_VALUE = 1 };

typedef struct {
    Function function;
    void *argument;
    Event *event;
} Item;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static Item items[LONGEST];
static int first, last, is_busy, is_in_function, has_thread;
static long now;
static cudaError_t error;

static void *work(void *nothing)
{
    pthread_mutex_lock(&lock);
    for (;;) {
        while (first == last)
            pthread_cond_wait(&changed, &lock);
        Item item = items[first % LONGEST];
        is_busy = 1;
        if (item.function) {
            is_in_function = 1;
            pthread_cond_broadcast(&changed);
            pthread_mutex_unlock(&lock);
            item.function(item.argument);
            pthread_mutex_lock(&lock);
            is_in_function = 0;
        } else if (item.event) {
            item.event->passed = now;
            item.event->generation++;
        } else {
            now += KERNEL;
        }
        first++;
        is_busy = 0;
        pthread_cond_broadcast(&changed);
    }
    return nothing;
}

static void put(Item item)
{
    pthread_mutex_lock(&lock);
    if (!has_thread) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, work, NULL))
            abort();
        has_thread = 1;
    }
    items[last++ % LONGEST] = item;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static int is(const char *mode)
{
    const char *asked = getenv("FAKE_RUNTIME");
    return asked && !strcmp(asked, mode);
}

static void until_empty(void)
{
    pthread_mutex_lock(&lock);
    while (first != last || is_busy)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

static cudaError_t launch(dim3 block)
{
    if (is("refuse") || block.x > 1024)
        return error = INVALID_VALUE;
    if (is("wait"))
        until_empty();
    // The stream does what it can meanwhile.
    pthread_mutex_lock(&lock);
    while ((first != last || is_busy) && !is_in_function)
        pthread_cond_wait(&changed, &lock);
    now += SUBMISSION;
    pthread_mutex_unlock(&lock);
    put((Item){0});
    return 0;
}

cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t stream)
{
    return launch(block);
}

cudaError_t __cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t stream)
{
    // As a runtime may that has one within the other.
    return cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}

cudaError_t cudaLaunchKernelExC(const dim3 *config, const void *kernel, void **arguments)
{
    return launch(config[1]);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, int *status)
{
    *status = is("capture");
    return 0;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, Function function, void *argument)
{
    put((Item){.function = function, .argument = argument});
    return 0;
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    *event = calloc(1, sizeof **event);
    return *event ? 0 : 2;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    event->recorded++;
    put((Item){.event = event});
    return 0;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    pthread_mutex_lock(&lock);
    while (event->generation < event->recorded)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return 0;
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t stop)
{
    *milliseconds = (stop->passed - start->passed) / 1000.0f;
    return 0;
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    free(event);
    return 0;
}

cudaError_t cudaDeviceSynchronize(void)
{
    until_empty();
    return 0;
}

cudaError_t cudaGetLastError(void)
{
    cudaError_t last_error = error;
    error = 0;
    return last_error;
}

// What the host code that nvcc makes calls beside them: a program whose kernels do nothing.
static dim3 pushed[2];
static size_t pushed_shared;
static cudaStream_t pushed_stream;

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream)
{
    pushed[0] = grid;
    pushed[1] = block;
    pushed_shared = shared;
    pushed_stream = stream;
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, cudaStream_t *stream)
{
    *grid = pushed[0];
    *block = pushed[1];
    *shared = pushed_shared;
    *stream = pushed_stream;
    return 0;
}

cudaError_t __cudaGetKernel(void **kernel, const void *function)
{
    *kernel = (void *)function;
    return 0;
}

void **__cudaRegisterFatBinary(void *binary)
{
    static void *handle;
    return &handle;
}

void __cudaRegisterFatBinaryEnd(void **handle)
{
}

void __cudaUnregisterFatBinary(void **handle)
{
}

char __cudaInitModule(void **handle)
{
    return 0;
}

void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int limit, void *thread,
                            void *block, void *dimension, void *grid, int *size)
{
}

cudaError_t cudaMalloc(void **memory, size_t size)
{
    *memory = calloc(1, size);
    return *memory ? 0 : 2;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t size, int kind)
{
    until_empty();
    memcpy(to, from, size);
    return 0;
}

cudaError_t cudaMemset(void *memory, int value, size_t size)
{
    until_empty();
    memset(memory, value, size);
    return 0;
}

cudaError_t cudaFree(void *memory)
{
    until_empty();
    free(memory);
    return 0;
}

const char *cudaGetErrorString(cudaError_t status)
{
    return status ? "an error" : "no error";
}
