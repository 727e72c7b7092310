//! The contents of the headers of C and CUDA.
//!
//! Most of their functions, types and constants are built into the checker, so including them does
//! nothing; their macros are defined in every program, included or not, and a program may define its
//! own. Some are texts in the language itself, which including them reads.

/// Headers of C, C++ and CUDA. Parts of them that are not built in are reported at their use.
const SUPPLIED: &str = "
    __iterator.h __narrow.h __traits.h __uniform.h __utility.h algorithm array assert.h atomic bitset builtin_types.h cassert cctype cfloat chrono climits
    cmath complex complex.h cooperative_groups.h cooperative_groups/reduce.h crt/device_functions.h cuComplex.h cstddef cstdint cstdio
    cstdlib cstring ctime ctype.h cublas.h cublas_v2.h cublasLt.h cuda.h
    cuda_bf16.h cuda_bf16.hpp cuda_fp16.h cuda_fp16.hpp cuda_pipeline.h cuda_pipeline_primitives.h cuda_profiler_api.h
    cuda_runtime.h cuda_runtime_api.h cuda_texture_types.h cufft.h curand.h curand_kernel.h
    cutil.h cutil_inline.h cutil_math.h deque device_atomic_functions.h device_functions.h
    device_launch_parameters.h device_types.h driver_types.h errno.h exception fcntl.h float.h
    fstream functional getopt.h helper_cuda.h helper_cuda_drvapi.h helper_functions.h
    helper_math.h helper_string.h helper_timer.h host_defines.h initializer_list inttypes.h
    iomanip iostream iterator limits limits.h list locale.h malloc.h map math.h math_constants.h
    math_functions.h memory memory.h mutex new numeric nvToolsExt.h omp.h ostream queue random ratio set signal.h
    sm_20_atomic_functions.h sstream stack stdarg.h stdbool.h stddef.h stdexcept stdint.h stdio.h
    stdlib.h string string.h strings.h sys/resource.h sys/stat.h sys/time.h sys/types.h
    texture_fetch_functions.h thread time.h tuple type_traits typeinfo unistd.h unordered_map
    unordered_set utility vector vector_functions.h vector_functions.hpp vector_types.h
";

/// Returns true if including `name` does nothing.
pub(super) fn is_supplied(name: &str) -> bool {
    SUPPLIED.split_whitespace().any(|supplied| supplied == name)
}

/// Headers that a text of ours replaces.
pub(super) struct Supplied {
    /// The text's name in diagnostics.
    pub name: &'static str,
    /// The headers that it replaces.
    headers: &'static str,
    pub text: &'static str,
    /// True if a file of the program's own with the header's name is read instead.
    pub yields: bool,
}

static TEXTS: &[Supplied] = &[
    Supplied {
        name: "<helpers of CUDA's samples>",
        headers: "
            cutil.h cutil_inline.h helper_cuda.h helper_functions.h helper_string.h helper_timer.h
        ",
        text: include_str!("sdk.h"),
        yields: false,
    },
    Supplied {
        name: "<vectors of CUDA's samples>",
        headers: "cutil_math.h helper_math.h",
        text: include_str!("vector_math.h"),
        yields: true,
    },
    Supplied {
        name: "<half precision>",
        headers: "cuda_fp16.h cuda_fp16.hpp",
        text: include_str!("half.h"),
        yields: false,
    },
    Supplied {
        name: "<numbers of 16 bits>",
        headers: "__narrow.h",
        text: include_str!("narrow.h"),
        yields: false,
    },
    Supplied {
        name: "<upper halves of floats>",
        headers: "cuda_bf16.h cuda_bf16.hpp",
        text: include_str!("bfloat16.h"),
        yields: false,
    },
    // This library has only the includes of its header.
    Supplied {
        name: "<what cuBLAS includes>",
        headers: "cublas_v2.h cublasLt.h",
        text: "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n",
        yields: false,
    },
    Supplied {
        name: "<cooperative groups>",
        headers: "cooperative_groups.h cooperative_groups/reduce.h",
        text: include_str!("cooperative_groups.h"),
        yields: false,
    },
    Supplied {
        name: "<pipelines>",
        headers: "cuda_pipeline.h cuda_pipeline_primitives.h",
        text: include_str!("pipeline.h"),
        yields: false,
    },
    Supplied {
        name: "<pairs>",
        headers: "__utility.h utility",
        text: include_str!("std/utility.h"),
        yields: false,
    },
    Supplied {
        name: "<traits of types>",
        headers: "__traits.h limits type_traits",
        text: include_str!("std/traits.h"),
        yields: false,
    },
    Supplied {
        name: "<iterators>",
        headers: "__iterator.h iterator initializer_list",
        text: include_str!("std/iterator.h"),
        yields: false,
    },
    Supplied {
        name: "<uniform numbers>",
        headers: "__uniform.h",
        text: include_str!("std/uniform.h"),
        yields: false,
    },
    Supplied {
        name: "<algorithms>",
        headers: "algorithm numeric",
        text: include_str!("std/algorithm.h"),
        yields: false,
    },
    Supplied {
        name: "<chrono>",
        headers: "chrono ratio",
        text: include_str!("std/chrono.h"),
        yields: false,
    },
    Supplied {
        name: "<vectors of objects>",
        headers: "vector",
        text: include_str!("std/vector.h"),
        yields: false,
    },
    Supplied {
        name: "<arrays>",
        headers: "array",
        text: include_str!("std/array.h"),
        yields: false,
    },
    Supplied {
        name: "<random numbers>",
        headers: "random",
        text: include_str!("std/random.h"),
        yields: false,
    },
    Supplied {
        name: "<owning pointers>",
        headers: "memory",
        text: include_str!("std/memory.h"),
        yields: false,
    },
    Supplied {
        name: "<operators as objects>",
        headers: "functional",
        text: include_str!("std/functional.h"),
        yields: false,
    },
    Supplied {
        name: "<strings>",
        headers: "string",
        text: include_str!("std/string.h"),
        yields: false,
    },
    Supplied {
        name: "<options of the command line>",
        headers: "getopt.h",
        text: include_str!("std/getopt.h"),
        yields: false,
    },
    Supplied {
        name: "<POSIX>",
        headers: "unistd.h",
        text: "#include <getopt.h>\n#define _POSIX_VERSION 200809L\n",
        yields: false,
    },
    Supplied {
        name: "<complex numbers of CUDA>",
        headers: "cuComplex.h",
        text: include_str!("std/complex.h"),
        yields: false,
    },
    // These have only their includes.
    Supplied {
        name: "<what streams include>",
        headers: "fstream iomanip iostream ostream sstream",
        text: "#include <string>\n",
        yields: false,
    },
    Supplied {
        name: "<exceptions of the standard library>",
        headers: "exception stdexcept",
        text: include_str!("std/exceptions.h"),
        yields: false,
    },
];

/// The text that including `name` reads, once.
pub(super) fn text(name: &str) -> Option<&'static Supplied> {
    TEXTS.iter().find(|text| text.headers.split_whitespace().any(|header| header == name))
}

/// The text of ours that replaces a header.
pub fn supplied_header(name: &str) -> Option<&'static str> {
    text(name).map(|found| found.text)
}

/// Directories of libraries on top of CUDA.
const LIBRARIES: &[&str] = &["cooperative_groups/", "cub/", "cuda/", "cutlass/", "thrust/"];

/// Returns true if `name` is a header of a library that is not modelled.
pub(super) fn is_unsupported(name: &str) -> bool {
    LIBRARIES.iter().any(|library| name.starts_with(library))
}

/// The macros of every program, for every target.
pub(super) const PREDEFINED: &str = r#"
#define __CUDACC__ 1
#define __NVCC__ 1
#define __RECONVERGE__ 1
#define __cplusplus 201703L
#define __STDC__ 1
#define __linux__ 1
#define __linux 1
#define __unix__ 1
#define __unix 1
#define __LP64__ 1
#define _LP64 1
#define NULL nullptr
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
#define CLOCKS_PER_SEC 1000000
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_PROCESS_CPUTIME_ID 2
#define EOF (-1)
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define BUFSIZ 8192
#define FILENAME_MAX 4096
#define PATH_MAX 4096
#define errno (*__errno_location())
#define EPERM 1
#define ENOENT 2
#define EIO 5
#define EBADF 9
#define ENOMEM 12
#define EACCES 13
#define EEXIST 17
#define EISDIR 21
#define EINVAL 22
#define EMFILE 24
#define EFBIG 27
#define EDOM 33
#define ERANGE 34
#define CHAR_BIT 8
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define CHAR_MIN (-128)
#define CHAR_MAX 127
#define SHRT_MIN (-32768)
#define SHRT_MAX 32767
#define USHRT_MAX 65535
#define INT_MIN (-2147483647 - 1)
#define INT_MAX 2147483647
#define UINT_MAX 4294967295u
#define LONG_MIN (-9223372036854775807L - 1)
#define LONG_MAX 9223372036854775807L
#define ULONG_MAX 18446744073709551615uL
#define LLONG_MIN (-9223372036854775807LL - 1)
#define LLONG_MAX 9223372036854775807LL
#define ULLONG_MAX 18446744073709551615uLL
#define INT8_MIN (-128)
#define INT8_MAX 127
#define UINT8_MAX 255
#define INT16_MIN (-32768)
#define INT16_MAX 32767
#define UINT16_MAX 65535
#define INT32_MIN (-2147483647 - 1)
#define INT32_MAX 2147483647
#define UINT32_MAX 4294967295u
#define INT64_MIN (-9223372036854775807L - 1)
#define INT64_MAX 9223372036854775807L
#define UINT64_MAX 18446744073709551615uL
#define SIZE_MAX 18446744073709551615uL
#define FLT_MAX 3.40282346638528859812e+38f
#define FLT_MIN 1.17549435082228750797e-38f
#define FLT_EPSILON 1.1920928955078125e-7f
#define FLT_DIG 6
#define FLT_MANT_DIG 24
#define DBL_MAX 1.79769313486231570815e+308
#define DBL_MIN 2.22507385850720138309e-308
#define DBL_EPSILON 2.2204460492503130808e-16
#define DBL_DIG 15
#define DBL_MANT_DIG 53
#define INFINITY (__builtin_inff())
#define HUGE_VAL (__builtin_inf())
#define HUGE_VALF (__builtin_inff())
#define NAN (__builtin_nanf())
#define CUDART_INF_F (__builtin_inff())
#define CUDART_INF (__builtin_inf())
#define CUDART_NAN_F (__builtin_nanf())
#define CUDART_PI_F 3.141592654f
#define CUDART_PI 3.1415926535897931e+0
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define assert(condition) (__assert((condition), #condition, __FILE__, __LINE__))
#define checkCudaErrors(call) __check_cuda((call), #call, __FILE__, __LINE__)
#define getLastCudaError(message) __check_cuda(cudaGetLastError(), message, __FILE__, __LINE__)
#define cudaStreamLegacy ((cudaStream_t)1)
#define cudaStreamPerThread ((cudaStream_t)2)
#define offsetof(type, member) ((size_t)&((type *)0)->member)
#define PRId32 "d"
#define PRIu32 "u"
#define PRIx32 "x"
#define PRId64 "ld"
#define PRIu64 "lu"
#define PRIx64 "lx"
#define __launch_bounds(...) __launch_bounds__(__VA_ARGS__)
"#;
