//! CUDA's properties and attributes of the device, from the machine.

use super::cuda_error as code;
use super::device::DeviceLimits;
use super::environment::HostEnvironment;
use crate::interpreter::environment::Interrupt;
use reconverge_compiler::check::builtin::Builtin;
use reconverge_compiler::check::tree::{Module, Struct, Type};
use reconverge_compiler::syntax::Target;

/// Bytes of a pitch are a multiple of this.
pub(super) const PITCH: u64 = 512;

/// The value of a member of `cudaDeviceProp`; arrays have one for each element. Members that are
/// not named here are 0.
pub fn property(limits: &DeviceLimits, target: Target, name: &str) -> Vec<i64> {
    let machine = &limits.machine;
    let (major, minor) = target.capability();
    let all = |values: [u32; 3]| values.iter().map(|&value| value.into()).collect();
    vec![match name {
        "totalGlobalMem" => limits.global.into(),
        "sharedMemPerBlock" | "sharedMemPerMultiprocessor" | "sharedMemPerBlockOptin" => {
            limits.shared.into()
        }
        "regsPerBlock" | "regsPerMultiprocessor" => machine.registers.into(),
        "warpSize" => limits.warp.into(),
        "memPitch" => i32::MAX.into(),
        "maxThreadsPerBlock" => limits.threads.into(),
        "maxThreadsDim" => return all(limits.block),
        "maxGridSize" => return all(limits.grid),
        "clockRate" => machine.clock_khz.into(),
        "totalConstMem" => super::memory::CONSTANT_SIZE.into(),
        "major" => major.into(),
        "minor" => minor.into(),
        "textureAlignment" => PITCH as i64,
        "texturePitchAlignment" => 32,
        "multiProcessorCount" => machine.sms.into(),
        "memoryClockRate" => machine.memory_khz.into(),
        "memoryBusWidth" => machine.bus_bits.into(),
        "l2CacheSize" => machine.l2.into(),
        "maxThreadsPerMultiProcessor" => i64::from(machine.warps) * i64::from(limits.warp),
        "maxBlocksPerMultiProcessor" => machine.blocks.into(),
        "deviceOverlap"
        | "asyncEngineCount"
        | "canMapHostMemory"
        | "unifiedAddressing"
        | "managedMemory"
        | "concurrentManagedAccess"
        | "concurrentKernels" => 1,
        _ => 0,
    }]
}

/// The member of `cudaDeviceProp` for an attribute's number, and the index of its element.
pub fn attribute(number: i32) -> Option<(&'static str, usize)> {
    Some(match number {
        1 => ("maxThreadsPerBlock", 0),
        2..=4 => ("maxThreadsDim", number as usize - 2),
        5..=7 => ("maxGridSize", number as usize - 5),
        8 => ("sharedMemPerBlock", 0),
        9 => ("totalConstMem", 0),
        10 => ("warpSize", 0),
        11 => ("memPitch", 0),
        12 => ("regsPerBlock", 0),
        13 => ("clockRate", 0),
        14 => ("textureAlignment", 0),
        15 => ("deviceOverlap", 0),
        16 => ("multiProcessorCount", 0),
        17 => ("kernelExecTimeoutEnabled", 0),
        18 => ("integrated", 0),
        19 => ("canMapHostMemory", 0),
        20 => ("computeMode", 0),
        31 => ("concurrentKernels", 0),
        32 => ("ECCEnabled", 0),
        33 => ("pciBusID", 0),
        34 => ("pciDeviceID", 0),
        35 => ("tccDriver", 0),
        36 => ("memoryClockRate", 0),
        37 => ("memoryBusWidth", 0),
        38 => ("l2CacheSize", 0),
        39 => ("maxThreadsPerMultiProcessor", 0),
        40 => ("asyncEngineCount", 0),
        41 => ("unifiedAddressing", 0),
        75 => ("major", 0),
        76 => ("minor", 0),
        81 => ("sharedMemPerMultiprocessor", 0),
        82 => ("regsPerMultiprocessor", 0),
        83 => ("managedMemory", 0),
        89 => ("concurrentManagedAccess", 0),
        95 => ("cooperativeLaunch", 0),
        97 => ("sharedMemPerBlockOptin", 0),
        106 => ("maxBlocksPerMultiProcessor", 0),
        _ => return None,
    })
}

/// The bytes of a `cudaDeviceProp` of this layout.
fn image(layout: &Struct, module: &Module, limits: &DeviceLimits) -> Vec<u8> {
    let mut bytes = vec![0; layout.size as usize];
    for field in &layout.fields {
        let (element, count) = match &field.ty {
            Type::Array(element, count) => (&**element, *count as usize),
            ty => (ty, 1),
        };
        let size = element.size(&module.structs) as usize;
        let values: Vec<i64> = match field.name.as_str() {
            "name" => limits.machine.name.bytes().take(count - 1).map(i64::from).collect(),
            name => property(limits, module.target, name),
        };
        for (index, value) in values.iter().take(count).enumerate() {
            let at = field.offset as usize + index * size;
            bytes[at..at + size].copy_from_slice(&value.to_le_bytes()[..size]);
        }
    }
    bytes
}

impl HostEnvironment<'_> {
    /// Calls a function about the device; `None` for others.
    pub(super) fn device_library(
        &mut self,
        builtin: Builtin,
        arguments: &[u64],
    ) -> Result<Option<i32>, Interrupt> {
        use Builtin::*;
        let get = |index: usize| arguments.get(index).copied().unwrap_or(0);
        let (a, b, c) = (get(0), get(1), get(2));
        Ok(Some(match builtin {
            CudaGetDeviceProperties if b as i32 != 0 => code::INVALID_DEVICE,
            CudaGetDeviceProperties => {
                let module = self.module;
                let is_it = |one: &&Struct| {
                    one.name == "cudaDeviceProp" && one.fields.iter().any(|f| f.name == "memPitch")
                };
                let layout = module.structs.iter().find(is_it);
                let bytes = layout.map(|layout| image(layout, module, &self.cuda.limits));
                let bytes = bytes.unwrap_or_default();
                self.bytes(a as u32, bytes.len() as u64, true)?.copy_from_slice(&bytes);
                code::SUCCESS
            }
            CudaDeviceGetAttribute if c as i32 != 0 => code::INVALID_DEVICE,
            CudaDeviceGetAttribute => match attribute(b as i32) {
                Some((name, index)) => {
                    let values = property(&self.cuda.limits, self.module.target, name);
                    let value = values.get(index).copied().unwrap_or(0);
                    self.put_int(a as u32, value as u32)?
                }
                None => code::INVALID_VALUE,
            },
            CudaGetVersion => self.put_int(a as u32, self.module.target.toolkit.version())?,
            CudaMemGetInfo => {
                let total = u64::from(self.cuda.limits.global);
                let free = self.memory.device().unused().min(total);
                self.put_long(a as u32, free)?;
                self.put_long(b as u32, total)?
            }
            CudaDeviceGetLimit => {
                let value = match b as i32 {
                    // The stack of a thread, `printf`'s buffer, the heap: the initial limits of
                    // devices.
                    0 => 1024,
                    1 => 1 << 20,
                    2 => 8 << 20,
                    _ => return Ok(Some(code::INVALID_VALUE)),
                };
                let set = self.cuda.device_limits.get(&(b as i32)).copied();
                self.put_long(a as u32, set.unwrap_or(value))?
            }
            CudaDeviceSetLimit if !(0..=2).contains(&(a as i32)) => code::INVALID_VALUE,
            CudaDeviceSetLimit => {
                self.cuda.device_limits.insert(a as i32, b);
                code::SUCCESS
            }
            CudaDeviceCanAccessPeer => self.put_int(a as u32, 0)?,
            CudaChooseDevice => self.put_int(a as u32, 0)?,
            _ => return Ok(None),
        }))
    }
}
