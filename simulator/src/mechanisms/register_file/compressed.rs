//! `compressed`: a register whose values are alike takes a part of its place in its bank, and accesses take the others no energy.
//!
//! Source: Aamodt, Fung, Rogers, §3.5.1 and §3.5.2 ("Partial Register File Access"). The values
//! that an instruction writes are compressed before they reach the register file. Lee et al. store
//! base, deltas and immediates (BDI, Pekhimenko et al.); Liu et al. (G-Scalar) store the leading
//! bytes that all have in common once. A compressed register stays in its place; fewer of the
//! banks that make up the place are accessed. It is decompressed when it is read. Under divergence
//! a written register is not compressed (said of G-Scalar).
//!
//! Decisions where the source is open: a bank of `banked` consists of chunks of some bytes each,
//! which are the banks of the source. Chunks that a compressed register does not need are neither
//! read nor written, and a chunk in which no register of its bank holds anything is gated. Deltas
//! have 0, 1 or 2 bytes; immediates take one bit more per lane, and the shortest form is taken. A
//! write by some of the threads of a warp to a compressed register reads it first, and writes it in
//! full. Latencies are ours.

use super::banks::Banks;
use super::collectors::{Collectors, Place, Settings, Storage};
use super::followed::InUse;
use super::slot::{Build, Destination, Operands, Properties, Shape, entry};
use crate::execute::lanes::lanes_of;
use crate::handles::RegisterRow;
use crate::mechanisms::event::{Effects, Event, EventSet};
use crate::mechanisms::mechanism::{Mechanism, check_range, options};
use crate::observe::statistic::Declaration;
use crate::observe::statistics::Statistics;

const COMPRESSED_READS: Declaration = Declaration::sum(
    "register_compressed_reads",
    "registers",
    "Warp registers read from the register file that were compressed (`compressed`).",
);
const COMPRESSED_WRITES: Declaration = Declaration::sum(
    "register_compressed_writes",
    "registers",
    "Warp registers written to the register file that were compressed.",
);
const EXPANSIONS: Declaration = Declaration::sum(
    "register_expansions",
    "registers",
    "Compressed warp registers that were read and written in full because some of their threads wrote to them.",
);
const GATED_CYCLES: Declaration = Declaration::sum(
    "register_gated_cycles",
    "chunk cycles",
    "Cycles, summed over the chunks of banks, in which no register held anything in the chunk, which was gated.",
);

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "compressed",
    sentence: "`banked` whose registers take fewer chunks of their bank if their values are alike",
    options: &[
        (
            "encoding",
            "`base-delta-immediate` (default) or `common-bytes` (the leading bytes that all lanes share)",
        ),
        (
            "chunks",
            "parts of a register's place in its bank that are accessed apart, 1 to 64; default 8",
        ),
        ("compress", "cycles that a result spends in the compressor, 0 to 64; default 1"),
        ("decompress", "cycles that a compressed operand takes longer, 0 to 64; default 1"),
    ],
    trials: &[
        &[
            ("compressed.encoding", "common-bytes"),
            ("banked.banks", "1"),
            ("compressed.decompress", "9"),
        ],
        &[
            ("compressed.chunks", "64"),
            ("compressed.compress", "7"),
            ("banked.hazards", "release-on-read"),
        ],
    ],
    statistics: &[COMPRESSED_READS, COMPRESSED_WRITES, EXPANSIONS, GATED_CYCLES],
    build: &|table, shape| {
        let options: Options = options(table)?;
        check_range("chunks", options.chunks, 1..=64)?;
        for (key, value) in [("compress", options.compress), ("decompress", options.decompress)] {
            check_range(key, value, 0..=64)?;
        }
        let settings = Settings::shared(shape)?;
        let compressed = Compressed::new(options, settings.banks, shape);
        Ok(Box::new(Collectors::new(settings, shape, compressed)))
    },
};

#[derive(Clone, Copy, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Options {
    encoding: Encoding,
    chunks: u32,
    compress: u32,
    decompress: u32,
}

impl Default for Options {
    fn default() -> Options {
        Options { encoding: Encoding::BaseDeltaImmediate, chunks: 8, compress: 1, decompress: 1 }
    }
}

/// The compression of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Encoding {
    /// Each is near to a base or to 0.
    BaseDeltaImmediate,
    /// All begin with the same bytes.
    CommonBytes,
}

impl Encoding {
    /// Bytes of a register of `lanes` lanes with these values; without compression four per lane.
    fn bytes(self, values: impl Iterator<Item = u32> + Clone, lanes: u32) -> u32 {
        match self {
            Encoding::BaseDeltaImmediate => base_delta_immediate(values, lanes),
            Encoding::CommonBytes => {
                let mut rest = values.clone();
                let first = rest.next().unwrap_or(0);
                let differ = rest.fold(0, |differ, value| differ | (value ^ first));
                // Common bytes once, the others for each lane.
                let common = differ.leading_zeros() / 8;
                common + lanes * (4 - common)
            }
        }
    }
}

/// Returns true if a difference, with its sign, fits in `bytes` bytes.
fn fits(difference: u32, bytes: u32) -> bool {
    match bytes {
        0 => difference == 0,
        1 => i8::try_from(difference as i32).is_ok(),
        _ => i16::try_from(difference as i32).is_ok(),
    }
}

/// Base, a delta a lane, and, if some lanes have the base 0, a bit a lane.
fn base_delta_immediate(values: impl Iterator<Item = u32> + Clone, lanes: u32) -> u32 {
    let mut least = 4 * lanes;
    for bytes in 0..=2 {
        let near = |base: u32| move |value: u32| fits(value.wrapping_sub(base), bytes);
        let size = 4 + lanes * bytes;
        let first = values.clone().next().unwrap_or(0);
        if values.clone().all(near(first)) {
            least = least.min(size);
        }
        // The first value that is no immediate is the base.
        let base = values.clone().find(|&value| !near(0)(value)).unwrap_or(0);
        if values.clone().all(|value| near(0)(value) || near(base)(value)) {
            least = least.min(size + lanes.div_ceil(8));
        }
    }
    least
}

/// The contents of a warp's register.
#[derive(Clone, Copy, Debug, Default)]
struct Register {
    /// Chunks; none before it is written.
    chunks: u16,
    is_compressed: bool,
    bank: u8,
}

struct Compressed {
    options: Options,
    /// Lanes of a register, bytes of a chunk, and a register's chunks.
    lanes: u32,
    chunk: u32,
    chunks: u16,
    /// By hardware warp and register.
    warps: Vec<Vec<Register>>,
    /// By register of the result that is to be written: its chunks, if it was compressed. Empty if that is not known.
    next_chunks: Vec<Option<u16>>,
    /// By bank and chunk: registers that hold something there; and how many of them are not 0.
    holders: Vec<u32>,
    powered: InUse,
    counts: Counts,
}

/// Its counters: registers read and written compressed, those read to be written in full, and the bytes of registers that
/// reads and writes did not access.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    compressed_reads: u64,
    compressed_writes: u64,
    expansions: u64,
    read_bytes_saved: u64,
    write_bytes_saved: u64,
}

impl Compressed {
    fn new(options: Options, banks: u32, shape: &Shape) -> Compressed {
        let lanes = shape.width;
        let chunk = (4 * lanes).div_ceil(options.chunks).max(1);
        let chunks = (4 * lanes).div_ceil(chunk) as u16;
        Compressed {
            options,
            lanes,
            chunk,
            chunks,
            warps: Vec::new(),
            next_chunks: Vec::new(),
            holders: vec![0; banks as usize * usize::from(chunks)],
            powered: InUse::default(),
            counts: Counts::default(),
        }
    }

    fn register(&self, row: RegisterRow) -> Register {
        let registers = self.warps.get(row.warp.index());
        registers.and_then(|all| all.get(usize::from(row.register))).copied().unwrap_or_default()
    }

    /// A register holds something else from now on.
    fn set(&mut self, row: RegisterRow, new: Register, now: u64) {
        let old = std::mem::replace(entry(&mut self.warps, row), new);
        for chunk in 0..old.chunks {
            let holders = &mut self.holders
                [usize::from(old.bank) * usize::from(self.chunks) + usize::from(chunk)];
            *holders -= 1;
            if *holders == 0 {
                self.powered.remove(now);
            }
        }
        for chunk in 0..new.chunks {
            let holders = &mut self.holders
                [usize::from(new.bank) * usize::from(self.chunks) + usize::from(chunk)];
            *holders += 1;
            if *holders == 1 {
                self.powered.add(now);
            }
        }
    }

    /// Compresses the values of the result that is written next.
    fn compress(&mut self, result: &Destination, values: &[u32], alive: u64) {
        self.next_chunks.clear();
        // Threads that end in this instruction write nothing.
        if alive & !result.lanes != 0 {
            return;
        }
        let encoding = self.options.encoding;
        for row in values.chunks(self.lanes as usize) {
            let written = lanes_of(result.lanes).filter_map(|lane| row.get(lane).copied());
            let chunks = encoding.bytes(written, self.lanes).div_ceil(self.chunk) as u16;
            self.next_chunks.push((chunks < self.chunks).then_some(chunks));
        }
    }

    /// Bytes of a register that an access of some of its chunks leaves out.
    fn left_out(&self, chunks: u16) -> u64 {
        let all = 4 * self.lanes;
        u64::from(all - (u32::from(chunks) * self.chunk).min(all))
    }
}

impl Storage for Compressed {
    fn locate(&self, _operands: &Operands, _place: usize, _now: u64) -> Place {
        Place::Bank
    }

    fn reads(&mut self, operands: &Operands, place: usize, _now: u64) -> u64 {
        let register = self.register(operands.row(place));
        if !register.is_compressed {
            return 0;
        }
        self.counts.compressed_reads += 1;
        self.counts.read_bytes_saved += self.left_out(register.chunks);
        self.options.decompress.into()
    }

    fn write(&mut self, result: &Destination, ready: u64, banks: &mut Banks) -> u64 {
        let now = banks.now();
        let next_chunks = std::mem::take(&mut self.next_chunks);
        let is_whole = !next_chunks.is_empty();
        let compress = if is_whole { u64::from(self.options.compress) } else { 0 };
        let mut cycle = ready.max(now) + compress;
        for (at, register) in result.registers().enumerate() {
            let old = self.register(result.warp.row(register));
            if !is_whole && old.is_compressed {
                // The other lanes keep their values: the register is read and written in full.
                self.counts.expansions += 1;
                self.counts.compressed_reads += 1;
                self.counts.read_bytes_saved += self.left_out(old.chunks);
                let read = banks.expand(result.warp.row(register), cycle);
                cycle = read + 1 + u64::from(self.options.decompress);
            }
            cycle = banks.write(result.warp.row(register), cycle);
            let compressed = next_chunks.get(at).copied().flatten();
            let chunks = compressed.unwrap_or(self.chunks);
            self.counts.compressed_writes += u64::from(compressed.is_some());
            self.counts.write_bytes_saved += self.left_out(chunks);
            let bank = banks.bank(result.warp.row(register));
            let new = Register { chunks, is_compressed: compressed.is_some(), bank };
            self.set(result.warp.row(register), new, now);
        }
        self.next_chunks = next_chunks;
        self.next_chunks.clear();
        cycle
    }

    fn properties(&self) -> Properties {
        Properties { by_warp: true, ..Properties::default() }
    }

    fn events(&self) -> EventSet {
        EventSet::WRITING.and(EventSet::BYPASSED).and(EventSet::WARP_RELEASED)
    }

    fn on_event(&mut self, event: &Event, _banks: &mut Banks, _effects: &mut Effects) {
        match *event {
            Event::Writing { result, values, alive } => self.compress(result, values, alive),
            Event::Bypassed { result, now } => {
                for register in result.registers() {
                    self.set(result.warp.row(register), Register::default(), now);
                }
            }
            Event::WarpReleased { warp, registers, now } => {
                for register in 0..registers {
                    self.set(warp.row(register), Register::default(), now);
                }
            }
            _ => {}
        }
    }

    fn count(&self, statistics: &mut Statistics, cycle: u64) {
        statistics.register_read_bytes_saved += self.counts.read_bytes_saved;
        statistics.register_write_bytes_saved += self.counts.write_bytes_saved;
        let own = &mut statistics.mechanisms;
        own.add(&COMPRESSED_READS, self.counts.compressed_reads);
        own.add(&COMPRESSED_WRITES, self.counts.compressed_writes);
        own.add(&EXPANSIONS, self.counts.expansions);
        own.add(&GATED_CYCLES, self.holders.len() as u64 * cycle - self.powered.until(cycle));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(encoding: Encoding, values: &[u32]) -> u32 {
        encoding.bytes(values.iter().copied(), values.len() as u32)
    }

    /// Eight lanes whose values begin with these, and continue with the last.
    fn eight(values: &[u32]) -> Vec<u32> {
        (0..8).map(|lane| values[lane.min(values.len() - 1)]).collect()
    }

    #[test]
    fn sizes() {
        use Encoding::{BaseDeltaImmediate as Bdi, CommonBytes as Common};
        // Uniform: the base; or four common bytes.
        assert_eq!(bytes(Bdi, &eight(&[0x12345678])), 4);
        assert_eq!(bytes(Common, &eight(&[0x12345678])), 4);
        // Deltas of one byte, with their sign, modulo 2³²; three common bytes, or none.
        assert_eq!(bytes(Bdi, &eight(&[0x1000, 0xf80, 0x107f])), 4 + 8);
        assert_eq!(bytes(Common, &eight(&[0x1000, 0x107f])), 3 + 8);
        assert_eq!(bytes(Common, &eight(&[0x1000, 0xfff])), 2 + 2 * 8);
        assert_eq!(bytes(Bdi, &eight(&[0xffff_ffff, 1])), 4 + 8);
        assert_eq!(bytes(Bdi, &eight(&[0xffff_ffff, 0])), 4 + 1);
        assert_eq!(bytes(Common, &eight(&[0xffff_ffff, 0])), 4 * 8);
        // Deltas of two bytes.
        assert_eq!(bytes(Bdi, &eight(&[0x1000, 0x1080])), 4 + 2 * 8);
        // Far from each other: some are 0, or small.
        assert_eq!(bytes(Bdi, &eight(&[0x1234_5678, 0])), 4 + 1);
        assert_eq!(bytes(Bdi, &eight(&[0x1234_5678, 5])), 4 + 8 + 1);
        assert_eq!(bytes(Bdi, &eight(&[0x1234_5678, 5, 0x1234_5600, 0x4567_89ab])), 4 * 8);
    }
}
