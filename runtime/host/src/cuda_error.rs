//! CUDA's error codes, with their names and sentences.

/// No error.
pub const SUCCESS: i32 = 0;
/// An argument is out of its range.
pub const INVALID_VALUE: i32 = 1;
/// No memory is left.
pub const MEMORY_ALLOCATION: i32 = 2;
/// A launch requests a grid or block that exceeds the device's limits.
pub const INVALID_CONFIGURATION: i32 = 9;
/// A row is longer than the pitch.
pub const INVALID_PITCH_VALUE: i32 = 12;
/// Not a `__device__` or `__constant__` variable.
pub const INVALID_SYMBOL: i32 = 13;
/// Not a direction of copying.
pub const INVALID_MEMCPY_DIRECTION: i32 = 21;
/// There is no such device.
pub const INVALID_DEVICE: i32 = 101;
/// Not an event, or one that was never recorded.
pub const INVALID_RESOURCE_HANDLE: i32 = 400;
/// The device lacks the operation.
pub const NOT_SUPPORTED: i32 = 801;
/// The kernel needs more than the device has.
pub const LAUNCH_OUT_OF_RESOURCES: i32 = 701;

const TABLE: &[(i32, &str, &str)] = &[
    (0, "cudaSuccess", "no error"),
    (1, "cudaErrorInvalidValue", "invalid argument"),
    (2, "cudaErrorMemoryAllocation", "out of memory"),
    (3, "cudaErrorInitializationError", "initialization error"),
    (4, "cudaErrorCudartUnloading", "driver shutting down"),
    (9, "cudaErrorInvalidConfiguration", "invalid configuration argument"),
    (12, "cudaErrorInvalidPitchValue", "invalid pitch argument"),
    (13, "cudaErrorInvalidSymbol", "invalid device symbol"),
    (16, "cudaErrorInvalidHostPointer", "invalid host pointer"),
    (17, "cudaErrorInvalidDevicePointer", "invalid device pointer"),
    (18, "cudaErrorInvalidTexture", "invalid texture reference"),
    (21, "cudaErrorInvalidMemcpyDirection", "invalid copy direction for memcpy"),
    (
        35,
        "cudaErrorInsufficientDriver",
        "CUDA driver version is insufficient for CUDA runtime version",
    ),
    (52, "cudaErrorMissingConfiguration", "__global__ function call is not configured"),
    (98, "cudaErrorInvalidDeviceFunction", "invalid device function"),
    (100, "cudaErrorNoDevice", "no CUDA-capable device is detected"),
    (101, "cudaErrorInvalidDevice", "invalid device ordinal"),
    (200, "cudaErrorInvalidKernelImage", "device kernel image is invalid"),
    (201, "cudaErrorDeviceUninitialized", "invalid device context"),
    (
        209,
        "cudaErrorNoKernelImageForDevice",
        "no kernel image is available for execution on the device",
    ),
    (
        217,
        "cudaErrorPeerAccessUnsupported",
        "peer access is not supported between these two devices",
    ),
    (218, "cudaErrorInvalidPtx", "a PTX JIT compilation failed"),
    (301, "cudaErrorFileNotFound", "file not found"),
    (400, "cudaErrorInvalidResourceHandle", "invalid resource handle"),
    (401, "cudaErrorIllegalState", "the operation cannot be performed in the present state"),
    (500, "cudaErrorSymbolNotFound", "named symbol not found"),
    (600, "cudaErrorNotReady", "device not ready"),
    (700, "cudaErrorIllegalAddress", "an illegal memory access was encountered"),
    (701, "cudaErrorLaunchOutOfResources", "too many resources requested for launch"),
    (702, "cudaErrorLaunchTimeout", "the launch timed out and was terminated"),
    (704, "cudaErrorPeerAccessAlreadyEnabled", "peer access is already enabled"),
    (705, "cudaErrorPeerAccessNotEnabled", "peer access has not been enabled"),
    (710, "cudaErrorAssert", "device-side assert triggered"),
    (
        712,
        "cudaErrorHostMemoryAlreadyRegistered",
        "part or all of the requested memory range is already mapped",
    ),
    (
        713,
        "cudaErrorHostMemoryNotRegistered",
        "pointer does not correspond to a registered memory region",
    ),
    (716, "cudaErrorMisalignedAddress", "misaligned address"),
    (719, "cudaErrorLaunchFailure", "unspecified launch failure"),
    (720, "cudaErrorCooperativeLaunchTooLarge", "too many blocks in cooperative launch"),
    (801, "cudaErrorNotSupported", "operation not supported"),
    (900, "cudaErrorStreamCaptureUnsupported", "operation not permitted when stream is capturing"),
    (999, "cudaErrorUnknown", "unknown error"),
];

/// The name from `cudaGetErrorName`.
pub fn name(code: i32) -> &'static str {
    let row = TABLE.iter().find(|row| row.0 == code);
    row.map_or("unrecognized error code", |row| row.1)
}

/// The sentence from `cudaGetErrorString`.
pub fn sentence(code: i32) -> &'static str {
    let row = TABLE.iter().find(|row| row.0 == code);
    row.map_or("unrecognized error code", |row| row.2)
}
