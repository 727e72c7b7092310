//! Structures that headers of C and CUDA supply; each is made when a program first names it.

use crate::check::builtin::Ty;
use crate::check::state::Checker;
use crate::check::tree::StructId;
use crate::check::types::CType;
use std::sync::Arc;

/// A structure with its members in order; `name[n]` is an array.
struct Supplied {
    name: &'static str,
    members: &'static [(&'static str, CType)],
}

const STRUCTURES: &[Supplied] = &[
    Supplied { name: "timeval", members: &[("tv_sec", CType::LONG), ("tv_usec", CType::LONG)] },
    Supplied { name: "timespec", members: &[("tv_sec", CType::LONG), ("tv_nsec", CType::LONG)] },
    Supplied {
        name: "timezone",
        members: &[("tz_minuteswest", CType::INT), ("tz_dsttime", CType::INT)],
    },
    Supplied { name: "cudaDeviceProp", members: DEVICE_PROPERTIES },
    // Resources that graphics share with kernels; no function makes one.
    Supplied { name: "cudaGraphicsResource", members: &[("handle", CType::INT)] },
];

/// The members of `cudaDeviceProp` that programs read.
const DEVICE_PROPERTIES: &[(&str, CType)] = &[
    ("name[256]", CType::CHAR),
    ("totalGlobalMem", CType::SIZE),
    ("sharedMemPerBlock", CType::SIZE),
    ("regsPerBlock", CType::INT),
    ("warpSize", CType::INT),
    ("memPitch", CType::SIZE),
    ("maxThreadsPerBlock", CType::INT),
    ("maxThreadsDim[3]", CType::INT),
    ("maxGridSize[3]", CType::INT),
    ("clockRate", CType::INT),
    ("totalConstMem", CType::SIZE),
    ("major", CType::INT),
    ("minor", CType::INT),
    ("textureAlignment", CType::SIZE),
    ("texturePitchAlignment", CType::SIZE),
    ("deviceOverlap", CType::INT),
    ("multiProcessorCount", CType::INT),
    ("kernelExecTimeoutEnabled", CType::INT),
    ("integrated", CType::INT),
    ("canMapHostMemory", CType::INT),
    ("computeMode", CType::INT),
    ("concurrentKernels", CType::INT),
    ("ECCEnabled", CType::INT),
    ("pciBusID", CType::INT),
    ("pciDeviceID", CType::INT),
    ("pciDomainID", CType::INT),
    ("tccDriver", CType::INT),
    ("asyncEngineCount", CType::INT),
    ("unifiedAddressing", CType::INT),
    ("memoryClockRate", CType::INT),
    ("memoryBusWidth", CType::INT),
    ("l2CacheSize", CType::INT),
    ("maxThreadsPerMultiProcessor", CType::INT),
    ("sharedMemPerMultiprocessor", CType::SIZE),
    ("regsPerMultiprocessor", CType::INT),
    ("managedMemory", CType::INT),
    ("isMultiGpuBoard", CType::INT),
    ("concurrentManagedAccess", CType::INT),
    ("cooperativeLaunch", CType::INT),
    ("sharedMemPerBlockOptin", CType::SIZE),
    ("maxBlocksPerMultiProcessor", CType::INT),
];

/// The structure to which a parameter of the table points.
pub(crate) fn structure_of(ty: Ty) -> Option<&'static str> {
    match ty {
        Ty::Timeval => Some("timeval"),
        Ty::Timespec => Some("timespec"),
        Ty::DeviceProp => Some("cudaDeviceProp"),
        _ => None,
    }
}

/// A member's name and type.
fn described<'m>(member: &'m str, ty: &CType) -> (&'m str, CType) {
    let bracket = member.strip_suffix(']').and_then(|member| member.split_once('['));
    match bracket.and_then(|(name, count)| Some((name, count.parse().ok()?))) {
        Some((name, count)) => (name, CType::Array(Arc::new(ty.clone().plain()), Some(count))),
        None => (member, ty.clone()),
    }
}

impl Checker {
    /// The structure of a header, a vector type among others.
    pub(crate) fn supplied_structure(&mut self, name: &str) -> Option<StructId> {
        let Some(found) = STRUCTURES.iter().find(|known| known.name == name) else {
            return self.vector_type(name);
        };
        if let Some(known) = self.structs.vector(name) {
            return Some(known);
        }
        let id = self.announce_struct(name.to_owned(), false);
        for (member, ty) in found.members {
            let (member, ty) = described(member, ty);
            let (size, align) = (self.size_of(&ty)?, self.align_of(&ty));
            self.structure_mut(id).push(member, ty.plain(), size, align);
        }
        self.structure_mut(id).finish();
        self.structs.add_vector(name, id);
        Some(id)
    }
}
