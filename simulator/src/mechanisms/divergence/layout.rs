//! Facts about a kernel's code that some divergence schemes need beforehand. They are computed only
//! when the machine's scheme reads them ([`super::slot::Capabilities::reads_layout`]).

use std::sync::Arc;

use reconverge_isa::{Effect, Op};

use crate::program::decoded::Decoded;

/// Facts about a kernel's code, by instruction.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The number of instructions up to the end of its basic block, itself included.
    pub lengths: Arc<[u32]>,
    /// For a branch whose paths may leave a loop before they reconverge: the basic block that ends
    /// the loop's iteration, where the remaining paths probably meet. None for all others, and
    /// for branches whose paths may arrive at a barrier before they reconverge: the lanes that wait
    /// for each other there must not depend on the order of arrival at a likely point.
    pub likely: Arc<[Option<LikelyPoint>]>,
    /// True if a joint operation of active lanes follows in the basic block, before a `warp.sync`
    /// that lets them meet: after one they must not part.
    pub together: Arc<[bool]>,
    /// True if it arms convergence barriers.
    pub arms: bool,
}

/// A place where the paths of a branch in a loop probably meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LikelyPoint {
    /// The first instruction of the basic block that ends an iteration.
    pub place: u32,
    /// The first instruction of the loop.
    pub first: u32,
    /// The last one.
    pub last: u32,
    /// Every iteration ends there: the loop has no other backward branch.
    pub ends_all: bool,
}

impl LikelyPoint {
    /// Returns true if an instruction is in the loop.
    pub(super) fn is_around(self, pc: u32) -> bool {
        (self.first..=self.last).contains(&pc)
    }
}

impl Layout {
    /// Computed from all instructions of a kernel.
    pub(crate) fn of(instructions: &[Decoded]) -> Layout {
        let mut backward = Vec::new();
        let mut begins = vec![false; instructions.len() + 1];
        for (pc, instruction) in instructions.iter().enumerate() {
            match instruction.effect {
                Effect::Branch => {
                    begins[instruction.jump as usize] = true;
                    if instruction.jump as usize <= pc {
                        backward.push((instruction.jump as usize, pc));
                    }
                    begins[pc + 1] = true;
                }
                Effect::Exit => begins[pc + 1] = true,
                _ => {}
            }
        }
        let mut lengths = vec![1; instructions.len()];
        let mut together = vec![false; instructions.len()];
        for pc in (0..instructions.len()).rev() {
            let goes_on = pc + 1 < instructions.len() && !begins[pc + 1];
            if goes_on {
                lengths[pc] = lengths[pc + 1] + 1;
            }
            together[pc] = match instructions[pc] {
                Decoded { op, .. } if op == Op::WarpSync || op.is_matrix() => false,
                Decoded { op, effect: Effect::Collective, .. } if !op.is_per_lane() => true,
                _ => goes_on && together[pc + 1],
            };
        }
        let barriers: Vec<usize> =
            (0..instructions.len()).filter(|&pc| instructions[pc].is_barrier()).collect();
        let likely = (0..instructions.len())
            .map(|pc| likely(&instructions[pc], &begins, &backward, &barriers, pc));
        let likely: Arc<[Option<LikelyPoint>]> = likely.collect();
        let arms = instructions.iter().any(|instruction| instruction.effect == Effect::Bssy);
        Layout { likely, lengths: lengths.into(), together: together.into(), arms }
    }
}

/// The basic block at the end of the closest backward branch around a branch, if the branch may
/// leave that loop and precedes it. Backward branches are given with their targets first. None
/// if there is a barrier from the loop on, up to the branch's reconvergence.
fn likely(
    instruction: &Decoded,
    begins: &[bool],
    backward: &[(usize, usize)],
    barriers: &[usize],
    pc: usize,
) -> Option<LikelyPoint> {
    if instruction.effect != Effect::Branch {
        return None;
    }
    let around = backward.iter().filter(|(target, from)| *target <= pc && pc < *from);
    let &(target, from) = around.min_by_key(|(target, from)| from - target)?;
    let inside = |reconverge: u32| (target..=from).contains(&(reconverge as usize));
    let start = (0..=from).rev().find(|&at| begins[at]).unwrap_or(0);
    let reconverge = instruction.annotations.reconverge;
    if reconverge.is_some_and(inside) || start <= pc {
        return None;
    }
    let ends = reconverge.map_or(usize::MAX, |reconverge| reconverge as usize);
    let ends = if ends < target { usize::MAX } else { ends };
    let first = barriers.partition_point(|&barrier| barrier < target);
    let waits = barriers.get(first).is_some_and(|&barrier| barrier < ends);
    let ends = backward.iter().filter(|(other, _)| *other == target).count();
    let [place, first, last] = [start, target, from].map(|it| it as u32);
    let point = LikelyPoint { place, first, last, ends_all: ends == 1 };
    (!waits).then_some(point)
}
