//! The cycles of a launch with one cause of lost time after the other taken away, as bars.

use reconverge::kernel_record::KernelRecord;
use reconverge::numbers::grouped;
use reconverge::{causes, what_if};
use serde::Serialize;

/// A kernel's longest launch that was measured.
#[derive(Serialize, Debug)]
pub struct Waterfall {
    kernel: String,
    /// The number of first blocks that were measured, if not all.
    blocks: Option<String>,
    steps: Vec<Bar>,
}

/// A bar.
#[derive(Serialize, Debug)]
struct Bar {
    words: String,
    cycles: String,
    /// Empty for the launch as it is.
    change: String,
    /// The bar's length in percent of the longest one's.
    width: String,
}

/// The waterfalls of a run's kernels; none without `--what-if`.
pub fn parts(records: &[KernelRecord]) -> Vec<Waterfall> {
    let part = |(record, launched): (&KernelRecord, &causes::Launched)| {
        let steps = causes::steps(launched);
        let longest = steps.iter().map(|step| step.cycles).max().unwrap_or(1).max(1);
        let bar = |step: causes::Step| Bar {
            words: step.words,
            cycles: grouped(step.cycles),
            change: step.change,
            width: format!("{:.1}", 100.0 * step.cycles as f64 / longest as f64),
        };
        Waterfall {
            kernel: record.name.clone(),
            blocks: launched.blocks.map(grouped),
            steps: steps.into_iter().map(bar).collect(),
        }
    };
    what_if::longest(records).into_iter().map(part).collect()
}
