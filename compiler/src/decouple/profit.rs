//! Whether the streams of a decoupled kernel are better than the whole of it.

use super::report::Reason;
use reconverge_isa::{Instruction, Space};

/// What warps execute of a stream: instructions, ten times as many for each loop around them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// All of them.
    pub weight: u64,
    /// Those in loops.
    pub in_loops: u64,
}

/// Whether an affine stream spills: a load or store of local memory there is one of a spilled register, and
/// a guard on anything but a branch is one of a spilled predicate.
pub fn has_spills(affine: &[Instruction]) -> bool {
    affine.iter().any(|instruction| {
        instruction.is_memory() && instruction.space != Space::Constant
            || instruction.guard.is_some() && !instruction.has_target()
    })
}

/// Why a kernel is better not decoupled, given the cost of the whole and of its non-affine stream, and how
/// many loads the affine stream issues early. `only_if_it_pays`: small savings do not count.
pub fn objection(
    [whole, main]: [Cost; 2],
    loads_early: usize,
    only_if_it_pays: bool,
) -> Option<Reason> {
    let saved = whole.weight.saturating_sub(main.weight);
    if main.weight > whole.weight || (saved == 0 && loads_early == 0) {
        Some(Reason::NotShorter)
    } else if only_if_it_pays && is_marginal(whole, main) {
        Some(Reason::OutsideOfLoops(saved, whole.weight))
    } else {
        None
    }
}

/// Whether a kernel spends its time in loops of which nothing is saved: less than a tenth of the whole is, and
/// all of that before and after them. Two streams start later, and their first fetches are more.
fn is_marginal(whole: Cost, main: Cost) -> bool {
    let saved = whole.weight.saturating_sub(main.weight);
    whole.in_loops != 0
        && main.in_loops >= whole.in_loops
        && saved.saturating_mul(10) < whole.weight
}
