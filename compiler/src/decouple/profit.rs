//! Decides if the streams of a decoupled kernel are better than the whole of it.

use super::report::Reason;
use reconverge_isa::{Instruction, Space};

/// The cost of a stream for warps: instructions, weighted ten times for each loop around them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// All of them.
    pub weight: u64,
    /// The part of it in loops.
    pub in_loops: u64,
}

/// Returns true if an affine stream spills: a load or store of local memory in it is one of a
/// spilled register, and a guard on anything but a branch is one of a spilled predicate.
pub fn has_spills(affine: &[Instruction]) -> bool {
    affine.iter().any(|instruction| {
        instruction.is_memory() && instruction.space != Space::Constant
            || instruction.guard.is_some() && !instruction.has_target()
    })
}

/// The reason not to decouple a kernel, given the cost of the whole, of its non-affine and of its
/// affine stream, and the number of loads that the affine stream issues early. `only_if_it_pays`:
/// the most warps of a block, if streams must be expected to gain.
pub fn objection(
    [whole, main, affine]: [Cost; 3],
    loads_early: usize,
    only_if_it_pays: Option<u32>,
) -> Option<Reason> {
    let saved = whole.weight.saturating_sub(main.weight);
    if main.weight > whole.weight || (saved == 0 && loads_early == 0) {
        return Some(Reason::NotShorter);
    }
    let warps = only_if_it_pays?;
    let of_block = saved.saturating_mul(u64::from(warps));
    if loads_early == 0 && of_block <= affine.weight {
        Some(Reason::AffineStream { saved: of_block, executed: affine.weight, warps })
    } else if is_marginal(whole, main) {
        Some(Reason::OutsideOfLoops(saved, whole.weight))
    } else {
        None
    }
}

/// Returns true if a kernel spends its time in loops without savings: less than a tenth of the
/// whole is saved, and all of that before and after them. Two streams start later, and their first
/// fetches are more.
fn is_marginal(whole: Cost, main: Cost) -> bool {
    let saved = whole.weight.saturating_sub(main.weight);
    whole.in_loops != 0
        && main.in_loops >= whole.in_loops
        && saved.saturating_mul(10) < whole.weight
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(weight: u64) -> Cost {
        Cost { weight, in_loops: weight }
    }

    #[test]
    fn what_the_affine_stream_executes_counts_for_the_warps_of_a_block() {
        let costs = [cost(100), cost(90), cost(20)];
        let too_much =
            |warps: u32| Reason::AffineStream { saved: 10 * u64::from(warps), executed: 20, warps };
        assert_eq!(objection(costs, 0, Some(1)), Some(too_much(1)));
        assert_eq!(objection(costs, 0, Some(2)), Some(too_much(2)));
        assert_eq!(objection(costs, 0, Some(3)), None);
        // An early load hides latency, and all kernels were requested.
        assert_eq!(objection(costs, 1, Some(1)), None);
        assert_eq!(objection(costs, 0, None), None);
    }
}
