//! The kernels of a run with their key figures: all launches of each together.

use super::slots::{Segment, bar};
use reconverge::findings::Evidence;
use reconverge::numbers::grouped;
use reconverge::report::{figures, shape};
use reconverge_isa::wording::counted;
use reconverge_simulator::Machine;
use serde::Serialize;

/// A kernel.
#[derive(Serialize, Debug)]
pub struct KernelPart {
    /// Its name.
    pub name: String,
    /// The number and kind of its launches.
    pub launches: String,
    /// Percent of the cycles of all launches.
    pub share: String,
    /// The resources that it uses.
    pub takes: String,
    /// The rows of the terminal's table: titles and values.
    pub figures: Vec<(String, String)>,
    /// The use of its issue slots.
    pub bar: Vec<Segment>,
    /// All of them.
    pub slots: String,
}

/// The kernels that were launched, in the order of the first launches.
pub fn parts(kernels: &[Evidence], machine: &Machine) -> Vec<KernelPart> {
    let cycles: u64 = kernels.iter().map(|kernel| kernel.statistics.cycles).sum();
    kernels.iter().map(|kernel| part(kernel, cycles, machine)).collect()
}

fn part(kernel: &Evidence, cycles: u64, machine: &Machine) -> KernelPart {
    let statistics = &kernel.statistics;
    let slots = statistics.issue_slots;
    let energy = kernel.launches.iter().find_map(|record| record.energy.as_ref());
    KernelPart {
        name: kernel.kernel.name.clone(),
        launches: launches(kernel),
        share: format!("{:.1}", 100.0 * statistics.cycles as f64 / cycles.max(1) as f64),
        takes: format!(
            "{} registers per thread, {} bytes of shared memory per block",
            kernel.kernel.registers, statistics.shared_bytes
        ),
        figures: figures(statistics, energy, machine),
        bar: bar(statistics, slots, slots),
        slots: grouped(slots),
    }
}

/// `3 launches: 128 × 256`.
fn launches(kernel: &Evidence) -> String {
    let count = kernel.launches.len();
    let mut shapes: Vec<String> = Vec::new();
    for record in &kernel.launches {
        let text = format!("{} × {}", shape(record.grid), shape(record.block));
        if !shapes.contains(&text) {
            shapes.push(text);
        }
        if shapes.len() > 3 {
            break;
        }
    }
    let more = if shapes.len() > 3 { ", and others" } else { "" };
    shapes.truncate(3);
    let stopped = kernel.launches.iter().any(|record| !record.complete);
    let stopped = if stopped { "; the last was stopped" } else { "" };
    format!(
        "{}, blocks × threads {}{more}{stopped}",
        counted(count as u64, "launch"),
        shapes.join(", ")
    )
}
