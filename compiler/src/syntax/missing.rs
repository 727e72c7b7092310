//! Names of the libraries of C and CUDA that are known, but not supplied.

/// Beginnings of names that belong to parts of CUDA that are not modelled.
const UNSUPPORTED_CUDA: &[&str] = &[
    "CUBLAS_",
    "CUFFT_",
    "CURAND_",
    "__barrier_sync",
    "__float2half",
    "__half",
    "__hadd",
    "__hfma",
    "__hmul",
    "__nv_",
    "__sinhf",
    "cooperative_groups",
    "cublas",
    "cuda",
    "cut",
    "cudnn",
    "cufft",
    "curand",
    "cusparse",
    "half",
    "nvcuda",
    "sdk",
    "surf1D",
    "surf2D",
    "surf3D",
    "surfCubemap",
    "surface",
    "tex1D",
    "tex2D",
    "tex3D",
    "texCubemap",
    "texture",
    "thrust",
];

/// Functions of C's library, and of others that programs expect, that are not supplied.
const UNSUPPORTED_C: &[&str] = &[
    "cin",
    "ctime",
    "freopen",
    "getopt_long_only",
    "gets",
    "localtime",
    "longjmp",
    "nanosleep",
    "omp_get_num_threads",
    "omp_get_thread_num",
    "pthread_create",
    "setjmp",
    "signal",
    "system",
    "va_start",
    "vprintf",
];

/// Types of C's library that are not supplied.
pub(crate) fn is_unsupported_c_type(name: &str) -> bool {
    ["jmp_buf", "pthread_t", "va_list"].contains(&name)
}

/// Returns true if the name belongs to a part of CUDA that is not modelled.
pub(crate) fn is_unsupported(name: &str) -> bool {
    UNSUPPORTED_CUDA.iter().any(|prefix| name.starts_with(prefix))
}

/// Returns true if the name is a function of C's library that is not supplied.
pub(crate) fn is_unsupported_c(name: &str) -> bool {
    UNSUPPORTED_C.binary_search(&name).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted() {
        assert!(UNSUPPORTED_C.is_sorted());
        assert!(is_unsupported_c("getopt_long_only"));
        assert!(!is_unsupported_c("printf"));
    }
}
