//! Constants that the headers supply, and variables of device code that every program knows.

use super::enumeration;
use crate::check::types::CType;
pub(crate) use crate::syntax::missing::{is_unsupported, is_unsupported_c};

/// Constants with their values; `enumeration.rs` has their types.
const CONSTANTS: &[(&str, i64)] = &[
    ("CUDA_SUCCESS", 0),
    ("cudaComputeModeDefault", 0),
    ("cudaComputeModeExclusive", 1),
    ("cudaComputeModeExclusiveProcess", 3),
    ("cudaComputeModeProhibited", 2),
    ("cudaCpuDeviceId", -1),
    ("cudaDevAttrAsyncEngineCount", 40),
    ("cudaDevAttrCanMapHostMemory", 19),
    ("cudaDevAttrClockRate", 13),
    ("cudaDevAttrComputeCapabilityMajor", 75),
    ("cudaDevAttrComputeCapabilityMinor", 76),
    ("cudaDevAttrComputeMode", 20),
    ("cudaDevAttrConcurrentKernels", 31),
    ("cudaDevAttrConcurrentManagedAccess", 89),
    ("cudaDevAttrCooperativeLaunch", 95),
    ("cudaDevAttrEccEnabled", 32),
    ("cudaDevAttrGlobalMemoryBusWidth", 37),
    ("cudaDevAttrGpuOverlap", 15),
    ("cudaDevAttrIntegrated", 18),
    ("cudaDevAttrKernelExecTimeout", 17),
    ("cudaDevAttrL2CacheSize", 38),
    ("cudaDevAttrManagedMemory", 83),
    ("cudaDevAttrMaxBlockDimX", 2),
    ("cudaDevAttrMaxBlockDimY", 3),
    ("cudaDevAttrMaxBlockDimZ", 4),
    ("cudaDevAttrMaxBlocksPerMultiprocessor", 106),
    ("cudaDevAttrMaxGridDimX", 5),
    ("cudaDevAttrMaxGridDimY", 6),
    ("cudaDevAttrMaxGridDimZ", 7),
    ("cudaDevAttrMaxPitch", 11),
    ("cudaDevAttrMaxRegistersPerBlock", 12),
    ("cudaDevAttrMaxRegistersPerMultiprocessor", 82),
    ("cudaDevAttrMaxSharedMemoryPerBlock", 8),
    ("cudaDevAttrMaxSharedMemoryPerBlockOptin", 97),
    ("cudaDevAttrMaxSharedMemoryPerMultiprocessor", 81),
    ("cudaDevAttrMaxThreadsPerBlock", 1),
    ("cudaDevAttrMaxThreadsPerMultiProcessor", 39),
    ("cudaDevAttrMemoryClockRate", 36),
    ("cudaDevAttrMultiProcessorCount", 16),
    ("cudaDevAttrPciBusId", 33),
    ("cudaDevAttrPciDeviceId", 34),
    ("cudaDevAttrTccDriver", 35),
    ("cudaDevAttrTextureAlignment", 14),
    ("cudaDevAttrTotalConstantMemory", 9),
    ("cudaDevAttrUnifiedAddressing", 41),
    ("cudaDevAttrWarpSize", 10),
    ("cudaDeviceBlockingSync", 4),
    ("cudaDeviceLmemResizeToMax", 16),
    ("cudaDeviceMapHost", 8),
    ("cudaDeviceScheduleAuto", 0),
    ("cudaDeviceScheduleBlockingSync", 4),
    ("cudaDeviceScheduleSpin", 1),
    ("cudaDeviceScheduleYield", 2),
    ("cudaErrorAssert", 710),
    ("cudaErrorCudartUnloading", 4),
    ("cudaErrorDevicesUnavailable", 46),
    ("cudaErrorHardwareStackError", 714),
    ("cudaErrorHostMemoryAlreadyRegistered", 712),
    ("cudaErrorHostMemoryNotRegistered", 713),
    ("cudaErrorIllegalAddress", 700),
    ("cudaErrorIllegalInstruction", 715),
    ("cudaErrorInitializationError", 3),
    ("cudaErrorInsufficientDriver", 35),
    ("cudaErrorInvalidAddressSpace", 717),
    ("cudaErrorInvalidConfiguration", 9),
    ("cudaErrorInvalidDevice", 101),
    ("cudaErrorInvalidDeviceFunction", 98),
    ("cudaErrorInvalidDevicePointer", 17),
    ("cudaErrorInvalidHostPointer", 16),
    ("cudaErrorInvalidKernelImage", 200),
    ("cudaErrorInvalidMemcpyDirection", 21),
    ("cudaErrorInvalidPitchValue", 12),
    ("cudaErrorInvalidPtx", 218),
    ("cudaErrorInvalidResourceHandle", 400),
    ("cudaErrorInvalidSymbol", 13),
    ("cudaErrorInvalidTexture", 18),
    ("cudaErrorInvalidValue", 1),
    ("cudaErrorLaunchFailure", 719),
    ("cudaErrorLaunchOutOfResources", 701),
    ("cudaErrorLaunchTimeout", 702),
    ("cudaErrorMemoryAllocation", 2),
    ("cudaErrorMisalignedAddress", 716),
    ("cudaErrorMissingConfiguration", 52),
    ("cudaErrorNoDevice", 100),
    ("cudaErrorNoKernelImageForDevice", 209),
    ("cudaErrorNotReady", 600),
    ("cudaErrorNotSupported", 801),
    ("cudaErrorPeerAccessAlreadyEnabled", 704),
    ("cudaErrorSetOnActiveProcess", 708),
    ("cudaErrorUnknown", 999),
    ("cudaErrorUnsupportedLimit", 215),
    ("cudaEventBlockingSync", 1),
    ("cudaEventDefault", 0),
    ("cudaEventDisableTiming", 2),
    ("cudaEventInterprocess", 4),
    ("cudaFuncAttributeMaxDynamicSharedMemorySize", 8),
    ("cudaFuncAttributePreferredSharedMemoryCarveout", 9),
    ("cudaFuncCachePreferEqual", 3),
    ("cudaFuncCachePreferL1", 2),
    ("cudaFuncCachePreferNone", 0),
    ("cudaFuncCachePreferShared", 1),
    ("cudaHostAllocDefault", 0),
    ("cudaHostAllocMapped", 2),
    ("cudaHostAllocPortable", 1),
    ("cudaHostAllocWriteCombined", 4),
    ("cudaHostRegisterDefault", 0),
    ("cudaHostRegisterMapped", 2),
    ("cudaHostRegisterPortable", 1),
    ("cudaLimitMallocHeapSize", 2),
    ("cudaLimitPrintfFifoSize", 1),
    ("cudaLimitStackSize", 0),
    ("cudaMemAdviseSetAccessedBy", 5),
    ("cudaMemAdviseSetPreferredLocation", 3),
    ("cudaMemAdviseSetReadMostly", 1),
    ("cudaMemAdviseUnsetAccessedBy", 6),
    ("cudaMemAdviseUnsetPreferredLocation", 4),
    ("cudaMemAdviseUnsetReadMostly", 2),
    ("cudaMemAttachGlobal", 1),
    ("cudaMemAttachHost", 2),
    ("cudaMemAttachSingle", 4),
    ("cudaMemcpyDefault", 4),
    ("cudaMemcpyDeviceToDevice", 3),
    ("cudaMemcpyDeviceToHost", 2),
    ("cudaMemcpyHostToDevice", 1),
    ("cudaMemcpyHostToHost", 0),
    ("cudaSharedMemBankSizeDefault", 0),
    ("cudaSharedMemBankSizeEightByte", 2),
    ("cudaSharedMemBankSizeFourByte", 1),
    ("cudaSharedmemCarveoutDefault", -1),
    ("cudaSharedmemCarveoutMaxL1", 0),
    ("cudaSharedmemCarveoutMaxShared", 100),
    ("cudaStreamDefault", 0),
    ("cudaStreamNonBlocking", 1),
    ("cudaSuccess", 0),
];

/// Variables of device code that every program knows.
pub(crate) const SPECIALS: &[&str] = &["threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"];

/// The value and type of a constant of the headers, which may be qualified: `cudaError::cudaSuccess`.
pub(crate) fn constant(name: &str) -> Option<(i64, CType)> {
    let (of, name) = name.rsplit_once("::").unwrap_or(("", name));
    let at = CONSTANTS.binary_search_by(|(known, _)| (*known).cmp(name)).ok()?;
    let ty = enumeration::type_of_constant(name);
    let is_its =
        of.is_empty() || enumeration::named(of.trim_start_matches("::")) == Some(ty.clone());
    is_its.then_some((CONSTANTS[at].1, ty))
}

/// Every name of this module that programs may use.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    let constants = CONSTANTS.iter().map(|(name, _)| *name);
    constants.chain(SPECIALS.iter().copied()).chain(crate::check::library::hint::names())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted() {
        assert!(CONSTANTS.is_sorted());
        let value = |name: &str| constant(name).map(|(value, _)| value);
        assert_eq!(value("cudaMemcpyDeviceToHost"), Some(2));
        assert_eq!(value("cudaMemcpyKind::cudaMemcpyDeviceToHost"), Some(2));
        assert_eq!(value("cudaError::cudaMemcpyDeviceToHost"), None);
        assert_eq!(value("cudaMemcpy"), None);
    }
}
