//! An idle upper or lower half of the warp is skipped, as Vaidya et al., §5.2, find in Ivy Bridge
//! GPUs (SIMD16 instructions whose upper or lower eight lanes are inactive take two cycles, not
//! four).
//!
//! The paper leaves open, and here is so: the lower half of an odd number of lanes is the larger
//! one; a group of the pipe's lanes that has lanes of both halves is executed.

use super::slot::{Build, CycleCompression, MicroOperation, Saved, Widths, saved_by_half};
use crate::mechanisms::mechanism::{Mechanism, NoOptions, options};

/// The list's entry.
pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "ivb-half",
    sentence: "skips the passes of an idle upper or lower half of a warp, as Ivy Bridge does",
    options: &[],
    trials: &[&[("pipes.simple.lanes", "3"), ("pipes.special.lanes", "2")]],
    statistics: &[],
    build: &|table| {
        options::<NoOptions>(table)?;
        Ok(Box::new(IdleHalf))
    },
};

struct IdleHalf;

impl CycleCompression for IdleHalf {
    fn saved(&self, mask: u64, widths: Widths) -> Saved {
        saved_by_half(mask, widths)
    }

    fn micro_operations(&self, mask: u64, widths: Widths) -> Vec<MicroOperation> {
        widths
            .groups_of_half(mask)
            .map(|group| MicroOperation::of_group(mask, group, widths))
            .collect()
    }
}
