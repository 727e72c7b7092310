//! The headers that take the place of CUDA's, in a folder of the user's cache.

use super::super::exec::folder::{cache, put};
use anyhow::Result;
use reconverge_compiler::syntax::supplied_header;
use std::path::PathBuf;

/// Headers of ours.
const OWN: &[(&str, &str)] = &[
    ("crt/sm_70_rt.hpp", include_str!("../../../headers/sm_70_rt.hpp")),
    ("cuComplex.h", include_str!("../../../headers/cuComplex.h")),
    ("cuda.h", include_str!("../../../headers/cuda.h")),
    ("cuda_runtime.h", include_str!("../../../headers/cuda_runtime.h")),
    ("cuda_runtime_api.h", include_str!("../../../headers/cuda_runtime_api.h")),
    ("curand_kernel.h", include_str!("../../../headers/curand_kernel.h")),
    ("device_atomic_functions.h", include_str!("../../../headers/device_atomic_functions.h")),
    ("device_functions.h", include_str!("../../../headers/device_functions.h")),
    ("driver_types.h", include_str!("../../../headers/driver_types.h")),
    ("grid_group.h", include_str!("../../../headers/grid_group.h")),
    ("host_defines.h", include_str!("../../../headers/host_defines.h")),
    ("math_constants.h", include_str!("../../../headers/math_constants.h")),
    ("texture_indirect_functions.h", include_str!("../../../headers/texture_indirect_functions.h")),
    ("vector_functions.h", include_str!("../../../headers/vector_functions.h")),
    ("vector_types.h", include_str!("../../../headers/vector_types.h")),
];

/// Headers whose contents `cuda_runtime.h` has.
const EMPTY: &[&str] = &[
    "builtin_types.h",
    "channel_descriptor.h",
    "cuda_device_runtime_api.h",
    "cuda_profiler_api.h",
    "cudaProfiler.h",
    "device_launch_parameters.h",
    "math_functions.h",
    "sm_20_atomic_functions.h",
    "sm_30_intrinsics.h",
    "surface_functions.h",
    "surface_indirect_functions.h",
    "surface_types.h",
    "texture_fetch_functions.h",
    "texture_types.h",
    "vector_functions.hpp",
];

/// Headers that the compiler of CUDA source has as texts in CUDA.
const SHARED: &[&str] =
    &["__narrow.h", "cooperative_groups.h", "cuda_bf16.h", "cuda_fp16.h", "helper_math.h"];

/// Every header with its text.
pub fn all() -> Vec<(&'static str, String)> {
    let own = OWN.iter().map(|(name, text)| (*name, (*text).to_owned()));
    let empty = EMPTY.iter().map(|name| (*name, "#include <cuda_runtime.h>\n".to_owned()));
    let groups = ("cooperative_groups/reduce.h", "#include <cooperative_groups.h>\n".to_owned());
    let shared = SHARED.iter().map(|name| {
        let text = supplied_header(name).unwrap_or_default();
        let more = if *name == "cooperative_groups.h" { "#include <grid_group.h>\n" } else { "" };
        (*name, format!("#pragma once\n#include <cuda_runtime.h>\n{text}{more}"))
    });
    own.chain(empty).chain([groups]).chain(shared).collect()
}

/// The folder with all of them; other texts have another folder.
///
/// # Errors
/// It cannot be written.
pub fn folder() -> Result<PathBuf> {
    let all = all();
    let key: Vec<&str> = all.iter().flat_map(|(name, text)| [*name, text]).collect();
    let folder = cache("headers", key.join("\0").as_bytes())?;
    for (name, text) in &all {
        let file = folder.join(name);
        if let Some(inner) = file.parent() {
            std::fs::create_dir_all(inner)?;
        }
        put(&file, text.as_bytes())?;
    }
    Ok(folder)
}
