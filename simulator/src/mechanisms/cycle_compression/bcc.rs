//! Basic cycle compression (BCC): groups of lanes that are all disabled are skipped. Vaidya et al., §3.1
//! and §4.1.

use super::slot::{Build, CycleCompression, MicroOperation, Saved, Widths, saved_by_groups};
use crate::mechanisms::mechanism::{Mechanism, NoOptions, options};

/// The list's entry.
pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "bcc",
    sentence: "basic cycle compression: skips every pass in which no lane is active",
    options: &[],
    trials: &[&[("pipes.simple.lanes", "3"), ("pipes.special.lanes", "2")]],
    statistics: &[],
    build: &|table| {
        options::<NoOptions>(table)?;
        Ok(Box::new(Basic))
    },
};

struct Basic;

impl CycleCompression for Basic {
    fn saved(&self, mask: u64, widths: Widths) -> Saved {
        saved_by_groups(mask, widths)
    }

    fn micro_operations(&self, mask: u64, widths: Widths) -> Vec<MicroOperation> {
        let groups = widths.groups_of(mask);
        groups.map(|group| MicroOperation::of_group(mask, group, widths)).collect()
    }
}
