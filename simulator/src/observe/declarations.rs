//! The statistics of energy, and the text of `spec/statistics.md`.

use crate::observe::profile::PER_LINE;
use crate::observe::statistic::{Declaration, Kind};

const fn figure(name: &'static str, unit: &'static str, sentence: &'static str) -> Declaration {
    Declaration::of(name, unit, sentence, Kind::Energy)
}

/// The statistics that energy adds where the machine has `energy = "counters"`.
pub const ENERGY_DECLARATIONS: &[Declaration] = &[
    figure("energy", "J", "All energy, including that of memory."),
    figure(
        "energy_dynamic",
        "J",
        "Energy of events: all but what is taken with time, by leakage, clock, SMs and DRAM's background.",
    ),
    figure("energy_frontend", "J", "Energy of fetch, decoding, scheduling and the pipeline."),
    figure("energy_register_file", "J", "Energy of the register file and the operand collector."),
    figure("energy_execution", "J", "Energy of the units that execute."),
    figure("energy_shared_memory", "J", "Energy of shared memory."),
    figure("energy_constant_cache", "J", "Energy of the constant cache."),
    figure("energy_l1", "J", "Energy of the first-level data cache."),
    figure("energy_local_cache", "J", "Energy of the slot `local-cache`."),
    figure("energy_interconnect", "J", "Energy of the interconnect."),
    figure("energy_l2", "J", "Energy of the second-level cache."),
    figure(
        "energy_dram",
        "J",
        "Energy of memory: rows opened and closed, reads, writes, refreshes, and its background.",
    ),
    figure("energy_static", "J", "Energy of leakage and of the clock, and constant energy of SMs."),
    figure("power", "W", "Mean power: energy by time."),
    figure(
        "instructions_per_joule",
        "instructions per joule",
        "Thread instructions for each joule: performance for each watt.",
    ),
];

/// The text of `spec/statistics.md`, given all statistics.
pub fn statistics_markdown(declarations: impl IntoIterator<Item = &'static Declaration>) -> String {
    let mut text = String::from(
        "# Statistics\n\
         \n\
         Generated from the declarations in `simulator/src/observe/statistics.rs` and in the files of mechanisms; do not edit.\n\
         \n\
         Counters are exact, and summed over SMs and units; those marked *max* have the largest count instead.\n\
         Ratios are derived from counters, and absent when their denominator is zero.\n\
         Energy is derived from counters and the machine file's energies (`docs/energy.md`), and absent unless the machine has `energy = \"counters\"`.\n\
         The last column is GPGPU-Sim's name of the statistic.\n\
         \n\
         Statistics with *line* in the second column are also counted by source line, with `--profile`.\n\
         A lost issue slot is charged to one of the paths that wait for the slot's reason: the one known to resume first, or else the oldest.\n\
         So a slot lost to memory belongs to the line that needs the value, not to the line that loads it.\n\
         Costs that belong to no line are listed separately; with them, lines add up to the kernel's statistics.\n\
         \n\
         | name | kind | unit | content | known as |\n\
         | --- | --- | --- | --- | --- |\n",
    );
    for declaration in declarations {
        let kind = match declaration.kind {
            Kind::Sum => "counter",
            Kind::Max => "counter, max",
            Kind::Ratio | Kind::Quotient { .. } => "ratio",
            Kind::Energy => "energy",
        };
        let line = if PER_LINE.contains(&declaration.name) { ", line" } else { "" };
        let alias = declaration.alias.map_or(String::new(), |alias| format!("`{alias}`"));
        text.push_str(&format!(
            "| `{}` | {kind}{line} | {} | {} | {alias} |\n",
            declaration.name, declaration.unit, declaration.sentence
        ));
    }
    text
}
