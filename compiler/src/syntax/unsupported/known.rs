//! The supported parts of CUDA and the libraries, by name, and replacements for the others.

use crate::syntax::words::INTEGER_TYPES;

/// Types of CUDA's parts that are not modelled.
const UNSUPPORTED_TYPES: &[&str] = &[
    "cudaGraph_t",
    "cudaMipmappedArray",
    "cudaMipmappedArray_t",
    "cudaSurfaceObject_t",
    "curandState",
    "curandState_t",
    "surface",
];

/// Functions and types of `std` that C and CUDA have without it.
const PLAIN_WITHOUT_STD: &str = "
    FILE abort abs acos asin atan atan2 atof atoi atol atoll boolalpha bsearch calloc cbrt ceil
    cerr clock clock_t clog copysign cos cosh cout dec defaultfloat difftime endl ends erf exit
    exp exp2 expm1 fabs fclose feof ferror fflush fgetc fgets fixed floor flush fma fmax fmin
    fmod fopen fprintf fputc fputs fread free fscanf fseek ftell fwrite getchar getenv hex
    hexfloat hypot internal isalnum isalpha isdigit
    isfinite isinf islower isnan isspace isupper labs left llabs log log10 log1p log2 malloc max
    memchr memcmp memcpy memmove memset min nearbyint noboolalpha noshowbase noshowpoint
    noshowpos nouppercase oct ostream perror pow printf putchar puts qsort rand realloc rewind
    right rint round scanf scientific setfill setprecision setw showbase showpoint showpos sin
    sinh snprintf sprintf sqrt srand sscanf strcat strchr strcmp strcpy strcspn strerror
    strlen strncat strncmp strncpy strpbrk strrchr strspn strstr strtod strtof strtok strtol
    strtoll strtoul strtoull swap tan tanh time time_t tolower toupper trunc
    uppercase
";

fn contains(words: &str, word: &str) -> bool {
    words.split_whitespace().any(|one| one == word)
}

/// Returns true if a name is that of a type that is not modelled.
pub(super) fn is_unsupported_type(name: &str) -> bool {
    UNSUPPORTED_TYPES.contains(&name)
}

/// Replacements for parts of CUDA and libraries, by the prefixes of their names.
const ADVICE: &[(&str, &str)] = &[
    ("__nv_bfloat16", "include `cuda_bf16.h`"),
    ("cooperative_groups", "blocks, and tiles of a warp, are there"),
    ("cub", "write the algorithm as a kernel"),
    ("cublas", "write the algorithm as a kernel"),
    ("cuda::", "`__syncthreads()` and `__threadfence()` are there, and plain copies"),
    ("cudaGraph", "launch the kernels one after the other"),
    ("cudaSurfaceObject", "write to memory through a pointer"),
    ("cudnn", "write the algorithm as a kernel"),
    ("cufft", "write the algorithm as a kernel"),
    (
        "curand",
        "write a generator, such as a linear congruential one, or pass numbers from the host",
    ),
    ("cusparse", "write the algorithm as a kernel"),
    ("cutlass", "write the algorithm as a kernel"),
    ("nvcuda", "write the products as loops"),
    ("std::", "include its header; `reconverge explain E0503` says what there is of the library"),
    ("surf", "write to memory through a pointer"),
    ("tex", "compute the index and read memory"),
    ("thrust", "write the algorithm as a kernel"),
    ("wmma", "write the products as loops"),
];

/// The replacement for a part of CUDA or a library.
pub(crate) fn advice(name: &str) -> &'static str {
    let fits = |(prefix, _): &&(&str, &str)| name.starts_with(prefix);
    let longest = ADVICE.iter().filter(fits).max_by_key(|(prefix, _)| prefix.len());
    longest.map_or("", |(_, advice)| advice)
}

/// Beginnings of names of fetches from textures and surfaces.
const FETCHES: &[&str] =
    &["surf1D", "surf2D", "surf3D", "surfCubemap", "tex1D", "tex2D", "tex3D", "texCubemap"];

/// Returns true if a name is that of a fetch that is not modelled.
pub(super) fn is_unsupported_fetch(name: &str) -> bool {
    FETCHES.iter().any(|fetch| name.starts_with(fetch))
        && !["tex1D", "tex1Dfetch", "tex2D"].contains(&name)
}

/// Returns true if C or CUDA has `std::name` without `std::`.
pub(crate) fn is_plain_without_std(name: &str) -> bool {
    contains(PLAIN_WITHOUT_STD, name) || contains(INTEGER_TYPES, name)
}
