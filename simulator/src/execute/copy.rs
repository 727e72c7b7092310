//! Asynchronous copies from global to shared memory: what is read, and where it goes.
//!
//! Global memory is read when the copy issues. Without time its bytes are in shared memory at once; with time they
//! arrive when the load has ended ([`Copies`](crate::block::copies::Copies)).

use reconverge_isa::{GLOBAL_BASE, GLOBAL_END, MAX_LANES, SHARED_BASE, Space, WarpSource, Width};

use crate::block::copies::MOST_BYTES;
use crate::block::path::Lanes;
use crate::check::event::{CheckEvent, CopyPart, Kept};
use crate::execute::atomic::lane_value;
use crate::execute::lanes::lanes_of;
use crate::memory::device::GlobalPort;
use crate::memory::words::read;
use crate::run::fault::TrapKind;

/// A lane's copy of `count` bytes, and zeros up to `size`.
#[derive(Clone, Copy)]
pub(super) struct Copied {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) count: u32,
    pub(super) size: u32,
}

/// Checks both places of a lane's copy; shared memory has `shared` bytes.
pub(super) fn check(copied: Copied, shared: usize, port: &mut GlobalPort) -> Result<(), TrapKind> {
    let Copied { from, to, count, size } = copied;
    if count > size {
        return Err(TrapKind::CopySize { count, size });
    }
    let misaligned = |address: u32, write| {
        (address & (size - 1) != 0).then_some(TrapKind::Misaligned { address, size, write })
    };
    let out_of_bounds = |address, size, write, space, limit, nearest| TrapKind::OutOfBounds {
        address,
        size,
        write,
        space,
        limit,
        nearest,
    };
    let end = u64::from(to) + u64::from(size);
    if to < SHARED_BASE || end > u64::from(SHARED_BASE) + shared as u64 {
        return Err(out_of_bounds(to, size, true, Space::Shared, shared as u32, None));
    }
    if let Some(kind) = misaligned(to, true) {
        return Err(kind);
    }
    if count == 0 {
        return Ok(());
    }
    if from >= GLOBAL_END {
        return Err(TrapKind::HostPointer { address: from, write: false });
    }
    if !port.check(from, u64::from(from) + u64::from(count)) {
        let nearest = port.nearest(from);
        return Err(out_of_bounds(from, count, false, Space::Global, 0, nearest));
    }
    misaligned(from, false).map_or(Ok(()), Err)
}

/// The bytes that a lane copies from a checked address.
pub(super) fn source(port: &mut GlobalPort, address: u32, count: u32) -> [u8; MOST_BYTES] {
    let mut bytes = [0; MOST_BYTES];
    let offset = address.wrapping_sub(GLOBAL_BASE) as usize;
    if let Some(from) = port.bytes().get(offset..offset + count as usize)
        && let Some(to) = bytes.get_mut(..from.len())
    {
        to.copy_from_slice(from);
    }
    let Some(log) = port.log() else {
        return bytes;
    };
    let addresses = (0..count).step_by(4).map(|at| address + at);
    if count != 0 && log.has_stored(addresses) {
        for at in 0..count {
            let old = u64::from(bytes[at as usize]);
            bytes[at as usize] = log.load(address + at, Width::U8, old) as u8;
        }
    }
    bytes
}

/// The threads in the lanes of `mask`.
pub(super) fn thread_numbers(lanes: &Lanes, mask: u64, width: usize) -> [u16; MAX_LANES] {
    let mut threads = [0; MAX_LANES];
    for lane in lanes_of(mask) {
        threads[lane] = lanes.thread(lane, width).unwrap_or_default().0;
    }
    threads
}

/// Copies of the lanes of `mask`, of `size` bytes each.
pub(super) struct Copying<'a> {
    pub(super) addresses: &'a [u32; MAX_LANES],
    pub(super) sources: &'a [WarpSource<'a>; 3],
    pub(super) mask: u64,
    pub(super) size: u32,
}

impl Copying<'_> {
    /// The bytes from byte `at` on, at most `most`, that a lane reads.
    fn count(&self, lane: usize, at: u32, most: u32) -> u32 {
        (lane_value(&self.sources[2], lane) as u32).saturating_sub(at).min(most)
    }

    /// The lanes that read all of `bytes` bytes from byte `at` on.
    fn reading(&self, at: u32, bytes: u32) -> u64 {
        let lanes = lanes_of(self.mask).filter(|&lane| self.count(lane, at, bytes) == bytes);
        lanes.fold(0, |all, lane| all | 1 << lane)
    }
}

/// Notifies the checker of copies that start, word by word: of the reads, and of the writes to come.
#[cold]
pub(super) fn raise(part: CopyPart, copying: Copying, shared: &[u8], port: &mut GlobalPort) {
    let Copying { addresses, sources, mask, size } = copying;
    for at in (0..size).step_by(4) {
        let words = copying.reading(at, 4);
        raise_reads(part, addresses, words, [at, 4], port);
        // The last bytes of a copy that ends within a word.
        for byte in at..at + 4 {
            raise_reads(part, addresses, copying.reading(byte, 1) & !words, [byte, 1], port);
        }
        let mut write = CopyPart { lanes: mask, size: 4, writes: true, ..part };
        for lane in lanes_of(mask) {
            let to = (lane_value(&sources[1], lane) as u32).wrapping_add(at);
            let from = addresses[lane].wrapping_add(at);
            let bytes = source(port, from, copying.count(lane, at, 4));
            write.addresses[lane] = to;
            write.stored[lane] = read(&bytes, 0, Width::B32);
            write.shared[lane] = read(shared, to.wrapping_sub(SHARED_BASE) as usize, Width::B32);
        }
        port.raise(part.block, CheckEvent::Copy(Box::new(Kept::copying(&write))));
    }
}

/// Notifies the checker of reads of some lanes: of bytes at a place of each copy.
fn raise_reads(
    part: CopyPart,
    addresses: &[u32; MAX_LANES],
    lanes: u64,
    [at, size]: [u32; 2],
    port: &mut GlobalPort,
) {
    if lanes == 0 {
        return;
    }
    let mut part = CopyPart { lanes, size, writes: false, ..part };
    for lane in lanes_of(lanes) {
        part.addresses[lane] = addresses[lane].wrapping_add(at);
    }
    port.raise_access(&Kept::copying(&part).seen());
}
