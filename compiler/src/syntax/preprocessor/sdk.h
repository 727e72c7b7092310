// What programs take from the helper headers of CUDA's samples, old (cutil.h) and new (helper_*.h).

#define cutilSafeCall(call) __check_cuda((call), #call, __FILE__, __LINE__)
#define cutilSafeCallNoSync(call) __check_cuda((call), #call, __FILE__, __LINE__)
#define cutilSafeThreadSync() __check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize()", __FILE__, __LINE__)
#define cutilDeviceSynchronize() cudaDeviceSynchronize()
#define cutilDeviceReset() cudaDeviceReset()
#define cutilCheckMsg(message) __check_cuda(cudaGetLastError(), message, __FILE__, __LINE__)
#define cutilCheckMsgAndSync(message) __check_cuda(cudaGetLastError(), message, __FILE__, __LINE__)
#define cutilCheckError(call) __cut_check((call), #call, __FILE__, __LINE__)
#define cutilCondition(call) __cut_check((call), #call, __FILE__, __LINE__)
#define CUDA_SAFE_CALL(call) __check_cuda((call), #call, __FILE__, __LINE__)
#define CUDA_SAFE_CALL_NO_SYNC(call) __check_cuda((call), #call, __FILE__, __LINE__)
#define CUT_SAFE_CALL(call) __cut_check((call), #call, __FILE__, __LINE__)
#define CUT_CHECK_ERROR(message) __check_cuda(cudaGetLastError(), message, __FILE__, __LINE__)
#define CUT_CONDITION(value) __cut_check((value), #value, __FILE__, __LINE__)
#define CUT_DEVICE_INIT(argc, argv) ((void)(argc), (void)(argv), (void)cudaSetDevice(0))
#define CUT_BANK_CHECKER(array, index) array[index]
#define CUT_EXIT(argc, argv) exit(EXIT_SUCCESS)
#define CUT_BANK_CHECKER(array, index) array[index]
#define cutilExit(argc, argv) exit(EXIT_SUCCESS)
#define CUTFalse false
#define CUTTrue true
#define cutFree(pointer) free(pointer)

typedef bool CUTBoolean;

static inline void __cut_check(bool good, const char *what, const char *file, int line)
{
    if (!good) {
        fprintf(stderr, "%s:%d: %s failed\n", file, line, what);
        exit(EXIT_FAILURE);
    }
}

// Timers.

struct StopWatchInterface {
    double started, total;
    int sessions;
    bool running;
};

static inline double __sdk_milliseconds()
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e3 + now.tv_nsec * 1e-6;
}

static inline bool sdkCreateTimer(StopWatchInterface **timer)
{
    *timer = (StopWatchInterface *)calloc(1, sizeof(StopWatchInterface));
    return *timer != NULL;
}

static inline bool sdkDeleteTimer(StopWatchInterface **timer)
{
    free(*timer);
    *timer = NULL;
    return true;
}

static inline bool sdkStartTimer(StopWatchInterface **timer)
{
    (*timer)->started = __sdk_milliseconds();
    (*timer)->running = true;
    return true;
}

static inline bool sdkStopTimer(StopWatchInterface **timer)
{
    (*timer)->total += __sdk_milliseconds() - (*timer)->started;
    (*timer)->sessions++;
    (*timer)->running = false;
    return true;
}

static inline bool sdkResetTimer(StopWatchInterface **timer)
{
    (*timer)->total = 0;
    (*timer)->sessions = 0;
    (*timer)->started = __sdk_milliseconds();
    return true;
}

static inline float sdkGetTimerValue(StopWatchInterface **timer)
{
    double total = (*timer)->total;
    if ((*timer)->running)
        total += __sdk_milliseconds() - (*timer)->started;
    return (float)total;
}

static inline float sdkGetAverageTimerValue(StopWatchInterface **timer)
{
    return (*timer)->sessions > 0 ? (float)((*timer)->total / (*timer)->sessions) : 0.0f;
}

static StopWatchInterface *__cut_timers[1024];
static unsigned int __cut_timer_count;

static inline CUTBoolean cutCreateTimer(unsigned int *name)
{
    if (__cut_timer_count == 1024)
        return CUTFalse;
    *name = __cut_timer_count++;
    return sdkCreateTimer(&__cut_timers[*name]);
}

static inline CUTBoolean cutDeleteTimer(unsigned int name) { return sdkDeleteTimer(&__cut_timers[name]); }
static inline CUTBoolean cutStartTimer(unsigned int name) { return sdkStartTimer(&__cut_timers[name]); }
static inline CUTBoolean cutStopTimer(unsigned int name) { return sdkStopTimer(&__cut_timers[name]); }
static inline CUTBoolean cutResetTimer(unsigned int name) { return sdkResetTimer(&__cut_timers[name]); }
static inline float cutGetTimerValue(unsigned int name) { return sdkGetTimerValue(&__cut_timers[name]); }
static inline float cutGetAverageTimerValue(unsigned int name)
{
    return sdkGetAverageTimerValue(&__cut_timers[name]);
}

// Devices.

static inline int gpuGetMaxGflopsDeviceId() { return 0; }
static inline int cutGetMaxGflopsDeviceId() { return 0; }

static inline int findCudaDevice(int argc, const char **argv)
{
    (void)argc;
    (void)argv;
    cudaSetDevice(0);
    return 0;
}

static inline int cutilDeviceInit(int argc, char **argv) { return findCudaDevice(argc, (const char **)argv); }
static inline int cutilChooseCudaDevice(int argc, char **argv) { return cutilDeviceInit(argc, argv); }

// Options of the command line: `-name`, `--name`, `-name=value`.

static inline const char *__sdk_option(int argc, const char **argv, const char *name)
{
    size_t length = strlen(name);
    for (int i = 1; i < argc; i++) {
        const char *text = argv[i];
        if (*text != '-')
            continue;
        while (*text == '-')
            text++;
        if (strncasecmp(text, name, length) == 0 && (text[length] == 0 || text[length] == '='))
            return text + length;
    }
    return NULL;
}

static inline bool checkCmdLineFlag(int argc, const char **argv, const char *name)
{
    return __sdk_option(argc, argv, name) != NULL;
}

static inline int getCmdLineArgumentInt(int argc, const char **argv, const char *name)
{
    const char *value = __sdk_option(argc, argv, name);
    return value != NULL && *value == '=' ? atoi(value + 1) : 0;
}

static inline float getCmdLineArgumentFloat(int argc, const char **argv, const char *name)
{
    const char *value = __sdk_option(argc, argv, name);
    return value != NULL && *value == '=' ? (float)atof(value + 1) : 0.0f;
}

static inline bool getCmdLineArgumentString(int argc, const char **argv, const char *name, char **result)
{
    const char *value = __sdk_option(argc, argv, name);
    *result = value != NULL && *value == '=' ? (char *)(value + 1) : (char *)NULL;
    return *result != NULL;
}

static inline CUTBoolean cutCheckCmdLineFlag(int argc, const char **argv, const char *name)
{
    return checkCmdLineFlag(argc, argv, name);
}

static inline CUTBoolean cutGetCmdLineArgumenti(int argc, const char **argv, const char *name, int *result)
{
    if (!checkCmdLineFlag(argc, argv, name))
        return CUTFalse;
    *result = getCmdLineArgumentInt(argc, argv, name);
    return CUTTrue;
}

static inline CUTBoolean cutGetCmdLineArgumentf(int argc, const char **argv, const char *name, float *result)
{
    if (!checkCmdLineFlag(argc, argv, name))
        return CUTFalse;
    *result = getCmdLineArgumentFloat(argc, argv, name);
    return CUTTrue;
}

static inline CUTBoolean cutGetCmdLineArgumentstr(int argc, const char **argv, const char *name, char **result)
{
    return getCmdLineArgumentString(argc, argv, name, result);
}

// Comparisons of results.

static inline bool sdkCompareL2fe(const float *reference, const float *data, const unsigned int count, const float epsilon)
{
    float error = 0, norm = 0;
    for (unsigned int i = 0; i < count; i++) {
        float difference = reference[i] - data[i];
        error += difference * difference;
        norm += reference[i] * reference[i];
    }
    return fabsf(norm) >= 1e-7f && sqrtf(error) / sqrtf(norm) < epsilon;
}

static inline bool compareData(const float *reference, const float *data, const unsigned int count, const float epsilon)
{
    for (unsigned int i = 0; i < count; i++)
        if (!(fabsf(reference[i] - data[i]) <= epsilon))
            return false;
    return true;
}

static inline CUTBoolean cutComparefe(const float *reference, const float *data, const unsigned int count, const float epsilon)
{
    return compareData(reference, data, count, epsilon);
}

static inline CUTBoolean cutComparef(const float *reference, const float *data, const unsigned int count)
{
    return compareData(reference, data, count, 0.0f);
}

static inline CUTBoolean cutCompareL2fe(const float *reference, const float *data, const unsigned int count, const float epsilon)
{
    return sdkCompareL2fe(reference, data, count, epsilon);
}

static inline CUTBoolean cutComparei(const int *reference, const int *data, const unsigned int count)
{
    return memcmp(reference, data, count * sizeof(int)) == 0;
}
