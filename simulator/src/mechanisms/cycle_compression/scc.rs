//! Swizzled cycle compression (SCC): lanes are moved so that they fill as few passes as they can. Vaidya
//! et al., §3.2 and §4.2; the settings are those of Figure 6.
//!
//! The paper leaves open, and here is so: of several lanes with a surplus the lowest gives one
//! away.

use std::collections::VecDeque;

use super::slot::{Build, CycleCompression, MicroOperation, Saved, Widths, saved_by_groups};
use crate::execute::lanes::lanes_of;
use crate::mechanisms::mechanism::{Mechanism, NoOptions, options};

/// The list's entry.
pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "scc",
    sentence: "swizzled cycle compression: moves active lanes together, so that they take the fewest passes",
    options: &[],
    trials: &[&[("pipes.simple.lanes", "3"), ("pipes.special.lanes", "2")]],
    statistics: &[],
    build: &|table| {
        options::<NoOptions>(table)?;
        Ok(Box::new(Swizzled))
    },
};

struct Swizzled;

/// As few passes as the lanes of `mask` can take: the paper's `o_cyc_cnt`.
fn optimal(mask: u64, widths: Widths) -> u32 {
    mask.count_ones().div_ceil(widths.pipe)
}

impl CycleCompression for Swizzled {
    fn saved(&self, mask: u64, widths: Widths) -> Saved {
        let groups = saved_by_groups(mask, widths);
        let swizzle = widths.groups() - groups.passes() - optimal(mask, widths);
        Saved { swizzle, ..groups }
    }

    fn micro_operations(&self, mask: u64, widths: Widths) -> Vec<MicroOperation> {
        let passes = optimal(mask, widths);
        if widths.groups_of(mask).count() as u32 == passes {
            let groups = widths.groups_of(mask);
            return groups.map(|group| MicroOperation::of_group(mask, group, widths)).collect();
        }
        // By place in the pipe: the lanes that have it, lowest group first (`a_ln_q`).
        let mut queues = vec![VecDeque::new(); widths.pipe as usize];
        for lane in lanes_of(mask) {
            queues[lane % widths.pipe as usize].push_back(lane as u32);
        }
        let surplus = |queue: &VecDeque<u32>| queue.len().saturating_sub(passes as usize);
        let mut surplus: Vec<usize> = queues.iter().map(surplus).collect();
        let mut pass = || {
            let mut lanes = Vec::with_capacity(queues.len());
            for n in 0..queues.len() {
                let own = queues[n].pop_front();
                lanes.push(own.or_else(|| {
                    let from = surplus.iter().position(|&surplus| surplus > 0)?;
                    surplus[from] -= 1;
                    queues[from].pop_front()
                }));
            }
            MicroOperation(lanes)
        };
        (0..passes).map(|_| pass()).collect()
    }
}
