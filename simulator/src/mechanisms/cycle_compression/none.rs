//! Every group of lanes takes its pass, active or not: the baseline of Vaidya et al., Figure 2.

use super::slot::{Build, CycleCompression, MicroOperation, Saved, Widths};
use crate::mechanisms::mechanism::{Mechanism, NoOptions, options};

/// The list's entry.
pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "none",
    sentence: "issues a warp in ⌈warp width / pipe lanes⌉ passes",
    options: &[],
    trials: &[],
    statistics: &[],
    build: &|table| {
        options::<NoOptions>(table)?;
        Ok(Box::new(NoCompression))
    },
};

struct NoCompression;

impl CycleCompression for NoCompression {
    fn compresses(&self) -> bool {
        false
    }

    fn saved(&self, _mask: u64, _widths: Widths) -> Saved {
        Saved::default()
    }

    fn micro_operations(&self, mask: u64, widths: Widths) -> Vec<MicroOperation> {
        (0..widths.groups()).map(|group| MicroOperation::of_group(mask, group, widths)).collect()
    }
}
