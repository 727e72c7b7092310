//! Constants that the headers supply, and names that we know but do not have.

/// Constants with their values; all are `int`.
const CONSTANTS: &[(&str, i64)] = &[
    ("cudaErrorAssert", 710),
    ("cudaErrorHardwareStackError", 714),
    ("cudaErrorIllegalAddress", 700),
    ("cudaErrorIllegalInstruction", 715),
    ("cudaErrorInitializationError", 3),
    ("cudaErrorInvalidAddressSpace", 717),
    ("cudaErrorInvalidConfiguration", 9),
    ("cudaErrorInvalidDevice", 101),
    ("cudaErrorInvalidDeviceFunction", 98),
    ("cudaErrorInvalidDevicePointer", 17),
    ("cudaErrorInvalidMemcpyDirection", 21),
    ("cudaErrorInvalidPitchValue", 12),
    ("cudaErrorInvalidSymbol", 13),
    ("cudaErrorInvalidValue", 1),
    ("cudaErrorLaunchFailure", 719),
    ("cudaErrorLaunchOutOfResources", 701),
    ("cudaErrorLaunchTimeout", 702),
    ("cudaErrorMemoryAllocation", 2),
    ("cudaErrorMisalignedAddress", 716),
    ("cudaErrorNoDevice", 100),
    ("cudaErrorNotReady", 600),
    ("cudaErrorNotSupported", 801),
    ("cudaErrorUnknown", 999),
    ("cudaMemcpyDefault", 4),
    ("cudaMemcpyDeviceToDevice", 3),
    ("cudaMemcpyDeviceToHost", 2),
    ("cudaMemcpyHostToDevice", 1),
    ("cudaMemcpyHostToHost", 0),
    ("cudaSuccess", 0),
];

/// Variables of device code that every program knows.
pub(super) const SPECIALS: &[&str] = &["threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"];

/// The value of a constant of the headers.
pub(super) fn constant(name: &str) -> Option<i64> {
    let at = CONSTANTS.binary_search_by(|(known, _)| known.cmp(&name)).ok()?;
    Some(CONSTANTS[at].1)
}

/// Every name of this module that programs may use.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    CONSTANTS.iter().map(|(name, _)| *name).chain(SPECIALS.iter().copied())
}

/// Beginnings of names that belong to parts of CUDA that are not modelled.
const UNSUPPORTED_CUDA: &[&str] = &[
    "__barrier_sync",
    "__brkpt",
    "__byte_perm",
    "__dadd",
    "__ddiv",
    "__dmul",
    "__double2",
    "__dsqrt",
    "__fadd_r",
    "__fdiv_r",
    "__float2",
    "__fmul_r",
    "__fns",
    "__frcp_r",
    "__fsqrt_r",
    "__fsub_r",
    "__funnelshift",
    "__half",
    "__hadd",
    "__hfma",
    "__hmul",
    "__int2",
    "__ldca",
    "__ldcg",
    "__ldcs",
    "__ldcv",
    "__ldlu",
    "__ll2",
    "__match",
    "__nanosleep",
    "__nv_",
    "__prof_trigger",
    "__reduce",
    "__rhadd",
    "__sad",
    "__sincosf",
    "__sinhf",
    "__stcg",
    "__stcs",
    "__stwb",
    "__stwt",
    "__trap",
    "__uint2",
    "__ull2",
    "__usad",
    "__vadd",
    "__vabs",
    "__vcmp",
    "__vmax",
    "__vmin",
    "__vsub",
    "clock64",
    "cooperative_groups",
    "cublas",
    "cuda",
    "cudnn",
    "cufft",
    "curand",
    "cusparse",
    "cutil",
    "cutCheck",
    "cutCreate",
    "cutDelete",
    "cutGet",
    "cutStart",
    "cutStop",
    "half",
    "nv_bfloat16",
    "nvcuda",
    "sdkCreate",
    "sdkDelete",
    "sdkGet",
    "sdkReset",
    "sdkStart",
    "sdkStop",
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
    "acosh",
    "asinh",
    "atanh",
    "cerr",
    "cin",
    "cout",
    "ctime",
    "endl",
    "erfc",
    "erfcf",
    "freopen",
    "frexp",
    "getline",
    "getopt",
    "gets",
    "ldexp",
    "lgamma",
    "localtime",
    "logb",
    "longjmp",
    "lrint",
    "lround",
    "modf",
    "nanosleep",
    "norm3df",
    "normcdf",
    "normcdff",
    "omp_get_num_threads",
    "omp_get_thread_num",
    "pthread_create",
    "remainder",
    "setjmp",
    "signal",
    "sincos",
    "sincosf",
    "sinpi",
    "sinpif",
    "system",
    "tgamma",
    "va_start",
    "vprintf",
];

/// Whether the name belongs to a part of CUDA that is not modelled.
pub(super) fn is_unsupported(name: &str) -> bool {
    UNSUPPORTED_CUDA.iter().any(|prefix| name.starts_with(prefix))
}

/// Whether the name is a function of C's library that is not supplied.
pub(super) fn is_unsupported_c(name: &str) -> bool {
    UNSUPPORTED_C.binary_search(&name).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted() {
        assert!(CONSTANTS.is_sorted());
        assert!(UNSUPPORTED_C.is_sorted());
        assert_eq!(constant("cudaMemcpyDeviceToHost"), Some(2));
        assert_eq!(constant("cudaMemcpy"), None);
    }
}
