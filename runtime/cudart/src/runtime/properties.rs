//! `cudaDeviceProp` and the attributes of the device.
//!
//! The structure differs between versions of CUDA, so it is written by the offsets of its members. The values are those that a
//! program under `run` sees; members that are not listed are 0.

use reconverge::host::device::DeviceLimits;
use reconverge::host::properties::{attribute as attribute_name, property};
use reconverge_compiler::syntax::Target;
use std::sync::OnceLock;

/// The form of `cudaDeviceProp`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// The layout of CUDA 11.
    Cuda11,
    /// The layout of CUDA 12, which has more members at the end.
    Cuda12,
    /// The layout of CUDA 13, which has fewer.
    Cuda13,
}

/// Members: name, offset in CUDA 11 and 12, offset in CUDA 13 (none: removed), bytes.
const MEMBERS: &[(&str, usize, Option<usize>, usize)] = &[
    ("totalGlobalMem", 288, Some(288), 8),
    ("sharedMemPerBlock", 296, Some(296), 8),
    ("regsPerBlock", 304, Some(304), 4),
    ("warpSize", 308, Some(308), 4),
    ("memPitch", 312, Some(312), 8),
    ("maxThreadsPerBlock", 320, Some(320), 4),
    ("maxThreadsDim", 324, Some(324), 4),
    ("maxGridSize", 336, Some(336), 4),
    ("clockRate", 348, None, 4),
    ("totalConstMem", 352, Some(352), 8),
    ("major", 360, Some(360), 4),
    ("minor", 364, Some(364), 4),
    ("textureAlignment", 368, Some(368), 8),
    ("texturePitchAlignment", 376, Some(376), 8),
    ("deviceOverlap", 384, None, 4),
    ("multiProcessorCount", 388, Some(384), 4),
    ("canMapHostMemory", 400, Some(392), 4),
    ("concurrentKernels", 576, Some(560), 4),
    ("asyncEngineCount", 600, Some(584), 4),
    ("unifiedAddressing", 604, Some(588), 4),
    ("memoryClockRate", 608, None, 4),
    ("memoryBusWidth", 612, Some(592), 4),
    ("l2CacheSize", 616, Some(596), 4),
    ("maxThreadsPerMultiProcessor", 624, Some(604), 4),
    ("sharedMemPerMultiprocessor", 640, Some(624), 8),
    ("regsPerMultiprocessor", 648, Some(632), 4),
    ("managedMemory", 652, Some(636), 4),
    ("concurrentManagedAccess", 676, Some(656), 4),
    ("cooperativeLaunch", 688, Some(668), 4),
    ("sharedMemPerBlockOptin", 696, Some(672), 8),
    ("maxBlocksPerMultiProcessor", 712, Some(688), 4),
    // CUDA 11 ends before it.
    ("memoryPoolsSupported", 744, Some(720), 4),
];

/// `cudaDevAttrMemoryPoolsSupported`.
const MEMORY_POOLS: i32 = 115;

/// Bytes of the member `name`.
const NAME: usize = 256;
/// Bytes of the structure, by layout.
const SIZES: [usize; 3] = [728, 1032, 1008];

/// The value of a member; the front end takes instructions of the capability 7.5.
fn values(limits: &DeviceLimits, name: &str) -> Vec<i64> {
    match name {
        "major" => vec![7],
        "minor" => vec![5],
        "cooperativeLaunch" | "memoryPoolsSupported" => vec![1],
        _ => property(limits, Target::default(), name),
    }
}

/// The bytes of the structure.
pub fn image(limits: &DeviceLimits, layout: Layout) -> Vec<u8> {
    let mut bytes = vec![0; SIZES[layout as usize]];
    let name = limits.machine.name.as_bytes();
    let length = name.len().min(NAME - 1);
    bytes[..length].copy_from_slice(&name[..length]);
    for &(name, old, new, size) in MEMBERS {
        let Some(offset) = (if layout == Layout::Cuda13 { new } else { Some(old) }) else {
            continue;
        };
        for (index, value) in values(limits, name).into_iter().enumerate() {
            let at = offset + index * size;
            if let Some(place) = bytes.get_mut(at..at + size) {
                place.copy_from_slice(&value.to_le_bytes()[..size]);
            }
        }
    }
    bytes
}

/// The value of an attribute by its number; those that the machine lacks are 0.
pub fn attribute(limits: &DeviceLimits, number: i32) -> Option<i32> {
    match attribute_name(number) {
        _ if number == MEMORY_POOLS => Some(1),
        Some((name, index)) => values(limits, name).get(index).map(|&value| value as i32),
        // `cudaDevAttr` ends below this number.
        None => (1..160).contains(&number).then_some(0),
    }
}

/// Returns true if the program has loaded the library by the name of CUDA 13.
pub fn is_cuda_13() -> bool {
    static FOUND: OnceLock<bool> = OnceLock::new();
    *FOUND.get_or_init(|| {
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
        maps.lines().any(|line| line.ends_with("/libcudart.so.13"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_lie_apart_and_inside() {
        for layout in [Layout::Cuda11, Layout::Cuda12, Layout::Cuda13] {
            let mut end = NAME;
            for &(name, old, new, size) in MEMBERS {
                let offset = if layout == Layout::Cuda13 { new } else { Some(old) };
                let count = if name.starts_with("max") && name.ends_with(['m', 'e']) && size == 4 {
                    if matches!(name, "maxThreadsDim" | "maxGridSize") { 3 } else { 1 }
                } else {
                    1
                };
                let is_absent = layout == Layout::Cuda11 && name == "memoryPoolsSupported";
                if let Some(offset) = offset.filter(|_| !is_absent) {
                    assert!(offset >= end, "{name}");
                    end = offset + count * size;
                }
            }
            assert!(end <= SIZES[layout as usize]);
        }
    }
}
