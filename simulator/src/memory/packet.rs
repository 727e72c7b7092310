//! The packets between SMs and memory.

use super::bytes::SECTOR;
use super::mshr::MshrId;
use crate::handles::LoadId;
use crate::mechanisms::allocation::Requester;

/// The start of the physical addresses of local memory, above all of global memory.
pub(crate) const LOCAL_ARENAS: u64 = 1 << 40;

/// The start of those of the registers' backing store, above all of local memory.
pub(crate) const REGISTER_ARENAS: u64 = 1 << 41;

/// The start of the physical addresses of constant memory, to which its own addresses are added:
/// above all others.
pub(crate) const CONSTANTS: u64 = 1 << 42;

/// The kind of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RequestKind {
    Read,
    Write,
    /// A write whose data are compressed to this many bytes for the transfer.
    CompressedWrite {
        bytes: u8,
    },
    /// Atomic operations, at most `serial` of them on one address, `lanes` in all.
    Atomic {
        serial: u8,
        lanes: u8,
    },
}

impl RequestKind {
    #[inline]
    pub(crate) fn is_write(self) -> bool {
        matches!(self, RequestKind::Write | RequestKind::CompressedWrite { .. })
    }
}

/// The part of an SM that waits for the reply to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waiter {
    /// None: a write has no reply.
    Nobody,
    /// The front end, for a line of instructions.
    InstructionFetch,
    /// The load/store unit, for a line of constant memory.
    Constant,
    /// The waiters in an entry of the first level's MSHRs.
    Miss(MshrId),
    /// An atomic, by the number of its result.
    Atomic(LoadId),
    /// No instruction: the mechanism that requested the line in advance, under this number of its own.
    Unawaited(u32),
}

/// A request in flight from an SM to memory, and later its reply in flight back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Packet {
    /// The requester, which is also the receiver of the reply.
    pub(crate) by: Requester,
    pub(crate) kind: RequestKind,
    /// Address of the first-level line.
    pub(crate) line: u64,
    /// Sectors of that line.
    pub(crate) sectors: u8,
    /// The part that waits for the reply, which carries it back.
    pub(crate) waiter: Waiter,
}

impl Packet {
    /// Bytes of data that a request carries.
    pub(super) fn request_data(&self) -> u32 {
        match self.kind {
            RequestKind::Read => 0,
            RequestKind::Write => SECTOR * self.sectors.count_ones(),
            RequestKind::CompressedWrite { bytes } => bytes.into(),
            RequestKind::Atomic { lanes, .. } => 8 * u32::from(lanes),
        }
    }

    /// Bytes of data that a reply carries.
    pub(super) fn reply_data(&self) -> u32 {
        match self.kind {
            RequestKind::Read => SECTOR * self.sectors.count_ones(),
            RequestKind::Write | RequestKind::CompressedWrite { .. } => 0,
            RequestKind::Atomic { lanes, .. } => 8 * u32::from(lanes),
        }
    }
}
