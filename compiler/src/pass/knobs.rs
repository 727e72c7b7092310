//! The numbers of passes that a user may choose.

use reconverge_isa::{CodeTarget, FixedLatencies};

/// The options of passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Knobs {
    /// The most iterations that `unroll` and `partial-unroll` write out without a request in the
    /// source; 1 leaves such loops alone.
    pub unroll: u32,
    /// The registers of a thread, as words, up to which `schedule` moves loads forward, and, with
    /// four more, `licm` and `hoist` compute things earlier. More of them group more loads, and
    /// leave room for fewer warps.
    pub target_registers: u32,
    /// The latencies that `schedule` fills with other instructions, for a machine that checks no dependences. Without,
    /// other warps hide those of arithmetic.
    pub latencies: Option<FixedLatencies>,
    /// True for a machine of today, for which nvcc is the model: `partial-unroll` unrolls the remainder loops of its
    /// largest main loops too, and `vector-access` and `wide-access` join loads of constants.
    pub is_of_today: bool,
    /// True if `predicate` replaces short arms by guarded instructions.
    pub predication: bool,
}

impl Knobs {
    /// The words alive up to which code moves to places where they are alive for longer: a few more
    /// than scheduling fills, since the moved values have to be alive anyway.
    pub(super) fn most_live(&self) -> u32 {
        self.target_registers + 4
    }
}

impl Default for Knobs {
    fn default() -> Self {
        let target_registers = CodeTarget::default().target_registers;
        Knobs {
            unroll: 16,
            target_registers,
            latencies: None,
            is_of_today: false,
            predication: false,
        }
    }
}
