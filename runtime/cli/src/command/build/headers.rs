//! The headers that take the place of CUDA's, in a folder of the user's cache.

use super::super::exec::folder::{cache, put};
use anyhow::Result;
use reconverge_compiler::syntax::supplied_header;
use std::path::PathBuf;

/// Headers of ours.
const OWN: &[(&str, &str)] = &[
    ("crt/sm_70_rt.hpp", include_str!("../../../headers/sm_70_rt.hpp")),
    ("cuda.h", include_str!("../../../headers/cuda.h")),
    ("cuda_runtime.h", include_str!("../../../headers/cuda_runtime.h")),
    ("cuda_runtime_api.h", include_str!("../../../headers/cuda_runtime_api.h")),
    ("device_atomic_functions.h", include_str!("../../../headers/device_atomic_functions.h")),
    ("device_functions.h", include_str!("../../../headers/device_functions.h")),
    ("driver_types.h", include_str!("../../../headers/driver_types.h")),
    ("host_defines.h", include_str!("../../../headers/host_defines.h")),
    ("math_constants.h", include_str!("../../../headers/math_constants.h")),
    ("vector_functions.h", include_str!("../../../headers/vector_functions.h")),
    ("vector_types.h", include_str!("../../../headers/vector_types.h")),
];

/// Headers whose contents `cuda_runtime.h` has.
const EMPTY: &[&str] = &[
    "builtin_types.h",
    "cuda_device_runtime_api.h",
    "cuda_profiler_api.h",
    "cudaProfiler.h",
    "device_launch_parameters.h",
    "math_functions.h",
    "sm_20_atomic_functions.h",
    "sm_30_intrinsics.h",
    "vector_functions.hpp",
];

/// Headers that the compiler of CUDA source has as texts in CUDA.
const SHARED: &[&str] = &[
    "__narrow.h",
    "cooperative_groups.h",
    "cooperative_groups/reduce.h",
    "cuda_bf16.h",
    "cuda_fp16.h",
    "helper_math.h",
];

/// The folder with all of them.
///
/// # Errors
/// It cannot be written.
pub fn folder() -> Result<PathBuf> {
    let folder = cache("headers", reconverge::study::VERSION.as_bytes())?;
    for inner in ["cooperative_groups", "crt"] {
        std::fs::create_dir_all(folder.join(inner))?;
    }
    for (name, text) in OWN {
        put(&folder.join(name), text.as_bytes())?;
    }
    for name in EMPTY {
        put(&folder.join(name), b"#include <cuda_runtime.h>\n")?;
    }
    for name in SHARED {
        let text = supplied_header(name).unwrap_or_default();
        let text = format!("#pragma once\n#include <cuda_runtime.h>\n{text}");
        put(&folder.join(name), text.as_bytes())?;
    }
    Ok(folder)
}
