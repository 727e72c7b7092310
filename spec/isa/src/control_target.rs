//! The requirements on control bits of a machine that checks no dependences: a part of its [`CodeTarget`](crate::CodeTarget).

use crate::control_bits::{COUNTERS, MAX_STALL};
use crate::instruction::Instruction;
use crate::table::{Op, Row, TABLE};

/// A machine that checks no dependences, as the compiler sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ControlTarget {
    /// The latencies that never vary.
    pub latencies: FixedLatencies,
    /// The dependence counters that code may use, 1 to [`COUNTERS`].
    pub counters: u8,
    /// Uniform registers per warp.
    pub uniform: u32,
    /// The parts of the compiler's work that are left out.
    pub without: ControlParts,
}

impl ControlTarget {
    /// A machine with all counters, for which all parts of the work are done.
    pub fn new(latencies: FixedLatencies) -> ControlTarget {
        ControlTarget {
            latencies,
            counters: COUNTERS,
            uniform: 0,
            without: ControlParts::default(),
        }
    }

    /// Returns true if a part of the work is done.
    pub fn does(&self, part: ControlPart) -> bool {
        !self.without.has(part)
    }
}

/// A part of the compiler's work on control bits that can be left out, to measure its gain. Code stays right without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControlPart {
    /// Stall counts wait only for results that are read; without, each instruction waits for its own result.
    Stalls,
    /// Dependence counters are allocated; without, there is one for results and one for sources.
    Counters,
    /// An instruction may wait until a counter is above 0, if its producers end in order.
    Limits,
    /// Sources stay in the operand cache.
    Reuse,
    /// Registers are assigned by bank.
    Banks,
    /// Blocks are scheduled by the latencies.
    Scheduling,
    /// Accesses of one address by all threads of a warp are marked.
    Addresses,
    /// Values that all threads of a warp share are in uniform registers.
    Uniform,
}

impl ControlPart {
    /// All parts, with their names on the command line and their effect when left out.
    pub const ALL: [(ControlPart, &'static str, &'static str); 8] = [
        (
            ControlPart::Stalls,
            "stalls",
            "each result of fixed latency is awaited at once, read or not",
        ),
        (
            ControlPart::Counters,
            "counters",
            "all results share one counter, and all sources another one",
        ),
        (ControlPart::Limits, "limits", "each wait for a counter ends when it is 0"),
        (ControlPart::Reuse, "reuse", "no source stays in the operand cache"),
        (ControlPart::Banks, "banks", "registers are assigned without regard to banks"),
        (
            ControlPart::Scheduling,
            "scheduling",
            "blocks are scheduled as if other warps hid the latencies of arithmetic",
        ),
        (
            ControlPart::Addresses,
            "addresses",
            "accesses of one address by all threads of a warp are not marked",
        ),
        (ControlPart::Uniform, "uniform", "no value is kept in a uniform register"),
    ];

    /// The part of a name.
    pub fn parse(name: &str) -> Option<ControlPart> {
        ControlPart::ALL.into_iter().find(|(_, known, _)| *known == name).map(|(part, ..)| part)
    }
}

/// Some parts of the compiler's work on control bits; none by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ControlParts(u16);

impl FromIterator<ControlPart> for ControlParts {
    fn from_iter<T: IntoIterator<Item = ControlPart>>(parts: T) -> ControlParts {
        ControlParts(parts.into_iter().fold(0, |all, part| all | 1 << part as u16))
    }
}

impl ControlParts {
    /// Returns true if a part is among them.
    pub fn has(self, part: ControlPart) -> bool {
        self.0 >> part as u16 & 1 != 0
    }

    /// The parts of both.
    pub fn and(self, other: ControlParts) -> ControlParts {
        ControlParts(self.0 | other.0)
    }
}

/// The latencies for which control bits are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FixedLatencies {
    /// By operation, in the order of [`TABLE`]: the cycles from the issue of an instruction to that of
    /// the first one that can read its result, below [`MAX_STALL`]. 0 if they vary: then a
    /// dependence counter tells when.
    latencies: [u8; TABLE.len()],
    /// The cycles by which an instruction of varying latency has to issue later to read such a result:
    /// it is forwarded to instructions of fixed latency only (MICRO 2025, §5.3).
    pub unforwarded: u8,
}

impl FixedLatencies {
    /// Those of a machine. `latency` gives the latency of an operation that is always the same and
    /// at least 1; those from [`MAX_STALL`] on are taken to vary, because a reader of varying latency
    /// waits a cycle longer.
    pub fn new(latency: impl Fn(&Row) -> Option<u64>) -> FixedLatencies {
        let mut latencies = [0; TABLE.len()];
        for (entry, row) in latencies.iter_mut().zip(TABLE) {
            let fixed = latency(row).and_then(|cycles| u8::try_from(cycles).ok());
            *entry = fixed.filter(|&cycles| cycles < MAX_STALL).unwrap_or(0);
        }
        FixedLatencies { latencies, unforwarded: 1 }
    }

    /// The cycles from the issue of an instruction to that of the first one that can read its
    /// result; `None` if they vary.
    pub fn latency(&self, instruction: &Instruction) -> Option<u8> {
        self.latency_of(instruction.op)
    }

    /// The cycles by which an instruction has to issue later than the latency of what it reads.
    pub fn read_delay(&self, reader: &Instruction) -> u8 {
        if self.latency(reader).is_none() { self.unforwarded } else { 0 }
    }

    /// The same as [`FixedLatencies::latency`] for any instruction of an operation.
    pub fn latency_of(&self, op: Op) -> Option<u8> {
        let cycles = self.latencies.get(op as usize).copied().unwrap_or(0);
        (cycles != 0).then_some(cycles)
    }
}
