// Times every kernel launch of a program that knows nothing of it. Loaded in front of the CUDA runtime (LD_PRELOAD),
// it stands in for the functions to which nvcc lowers `<<<...>>>`, and records an event before and after each launch.
//
// What comes before a launch on the host must not be measured: the first event would pass as soon as it is recorded,
// and the time between both would hold what the driver takes to submit the kernel. So a host function is put into the
// stream first, which holds it until both events and the kernel are in it. Then launches run one at a time, from
// end to end, as they do in the simulator.
//
// RECONVERGE_LAUNCHES names the file that gets, when the program ends, a line `time MICROSECONDS` for each launch, and
// how many launches have no time (`untimed N`: of a stream that is being captured, or of which an event failed) and how
// many ran with the stream not held (`not-held N`: a launch that waits for the stream itself).
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

// What is needed of the runtime's interface, which is the same in all of its releases from 10 on.
typedef int cudaError_t;
typedef void *cudaStream_t;
typedef void *cudaEvent_t;
typedef struct {
    unsigned x, y, z;
} dim3;
typedef struct {
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
} cudaLaunchConfig_t; // and what this does not read

// Milliseconds for which a stream is held at most; a launch is submitted in far less.
#define PATIENCE 500

static cudaError_t (*is_capturing)(cudaStream_t, int *);
static cudaError_t (*launch_host_function)(cudaStream_t, void (*)(void *), void *);
static cudaError_t (*event_create)(cudaEvent_t *);
static cudaError_t (*event_record)(cudaEvent_t, cudaStream_t);
static cudaError_t (*event_synchronize)(cudaEvent_t);
static cudaError_t (*event_elapsed)(float *, cudaEvent_t, cudaEvent_t);
static cudaError_t (*event_destroy)(cudaEvent_t);

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
// The runtime may call one of these functions from another.
static __thread int inside;
static double *times;
static size_t count, room;
static unsigned long untimed, not_held;
// Cleared when a launch has waited for the stream: the next ones would too.
static int holds = 1;

static void *next(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) {
        fprintf(stderr, "launches: the CUDA runtime has no %s; is the program linked with --cudart shared?\n", name);
        exit(125);
    }
    return found;
}

static void find_functions(void)
{
    is_capturing = next("cudaStreamIsCapturing");
    launch_host_function = next("cudaLaunchHostFunc");
    event_create = next("cudaEventCreate");
    event_record = next("cudaEventRecord");
    event_synchronize = next("cudaEventSynchronize");
    event_elapsed = next("cudaEventElapsedTime");
    event_destroy = next("cudaEventDestroy");
}

typedef struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int is_open, is_late, has_passed;
} Gate;

// What the stream waits in.
static void wait_at(void *argument)
{
    Gate *gate = argument;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += PATIENCE * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    pthread_mutex_lock(&gate->lock);
    while (!gate->is_open && !gate->is_late)
        gate->is_late = pthread_cond_timedwait(&gate->changed, &gate->lock, &until) != 0;
    gate->has_passed = 1;
    pthread_cond_broadcast(&gate->changed);
    pthread_mutex_unlock(&gate->lock);
}

// Opens the gate and waits until the stream is through; says whether it had to be opened.
static int open_gate(Gate *gate)
{
    pthread_mutex_lock(&gate->lock);
    int was_held = !gate->is_late;
    gate->is_open = 1;
    pthread_cond_broadcast(&gate->changed);
    while (!gate->has_passed)
        pthread_cond_wait(&gate->changed, &gate->lock);
    pthread_mutex_unlock(&gate->lock);
    return was_held;
}

static void keep(double microseconds)
{
    if (count == room) {
        room = room ? 2 * room : 1024;
        times = realloc(times, room * sizeof *times);
        if (!times) {
            fprintf(stderr, "launches: no memory\n");
            exit(125);
        }
    }
    times[count++] = microseconds;
}

// A launch, whatever function it is made by.
typedef struct {
    void *function;
    const void *what;
    dim3 grid, block;
    void **arguments;
    size_t shared;
    cudaStream_t stream;
    const cudaLaunchConfig_t *config;
} Launch;

static cudaError_t make(const Launch *launch)
{
    if (launch->config) {
        cudaError_t (*function)(const cudaLaunchConfig_t *, const void *, void **) = launch->function;
        return function(launch->config, launch->what, launch->arguments);
    }
    cudaError_t (*function)(const void *, dim3, dim3, void **, size_t, cudaStream_t) = launch->function;
    return function(launch->what, launch->grid, launch->block, launch->arguments, launch->shared, launch->stream);
}

static cudaError_t between_events(const Launch *launch)
{
    int capture = 0;
    cudaEvent_t start, stop;
    if (is_capturing(launch->stream, &capture) || capture || event_create(&start)) {
        untimed++;
        return make(launch);
    }
    if (event_create(&stop)) {
        event_destroy(start);
        untimed++;
        return make(launch);
    }
    Gate gate = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0, 0};
    int held = holds && !launch_host_function(launch->stream, wait_at, &gate);
    int failed = event_record(start, launch->stream);
    cudaError_t status = make(launch);
    failed |= event_record(stop, launch->stream);
    if (held && !open_gate(&gate))
        holds = held = 0;
    float milliseconds;
    failed |= event_synchronize(stop);
    // A launch that is refused takes no time; its status is the program's to read.
    if (!status) {
        if (failed || event_elapsed(&milliseconds, start, stop)) {
            untimed++;
        } else {
            keep(1000.0 * milliseconds);
            not_held += !held;
        }
    }
    event_destroy(start);
    event_destroy(stop);
    return status;
}

static cudaError_t timed(Launch launch)
{
    if (inside)
        return make(&launch);
    inside = 1;
    pthread_mutex_lock(&one_at_a_time);
    if (!is_capturing)
        find_functions();
    cudaError_t status = between_events(&launch);
    pthread_mutex_unlock(&one_at_a_time);
    inside = 0;
    return status;
}

// One function of the runtime that launches; nvcc 13 calls __cudaLaunchKernel, earlier ones cudaLaunchKernel.
#define LAUNCHES(name)                                                                                                  \
    cudaError_t name(const void *what, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t stream)     \
    {                                                                                                                   \
        static void *function;                                                                                          \
        if (!function)                                                                                                  \
            function = next(#name);                                                                                     \
        return timed((Launch){function, what, grid, block, arguments, shared, stream, NULL});                        \
    }

LAUNCHES(cudaLaunchKernel)
LAUNCHES(__cudaLaunchKernel)
LAUNCHES(cudaLaunchCooperativeKernel)

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *what, void **arguments)
{
    static void *function;
    if (!function)
        function = next("cudaLaunchKernelExC");
    return timed((Launch){.function = function, .what = what, .arguments = arguments, .stream = config->stream,
                          .config = config});
}

__attribute__((destructor)) static void write_times(void)
{
    const char *path = getenv("RECONVERGE_LAUNCHES");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file) {
        fprintf(stderr, "launches: RECONVERGE_LAUNCHES names no file that can be written\n");
        return;
    }
    for (size_t i = 0; i < count; i++)
        fprintf(file, "time %.3f\n", times[i]);
    fprintf(file, "untimed %lu\nnot-held %lu\n", untimed, not_held);
    fclose(file);
}
