//! The log of Konata (R. Shioya), "Kanata log format" version 0004: a line a command, fields between tabs.
//!
//! `C=` and `C` set and advance the cycle; `I` begins an instruction, `L` labels it (0: the text
//! shown, 1: the text shown when pointed at), `S` and `E` begin and end a stage, `R` retires. All
//! stages are in lane 0. A thread of the log is a hardware warp: SM x warps of an SM + warp, its
//! affine warp last if it has one.

use super::Launch;
use reconverge_isa::Decoupling;
use reconverge_simulator::{Machine, code_target};
use std::fmt::Write;

pub(super) fn write(machine: &Machine, launches: &[Launch]) -> String {
    let mut all = Vec::new();
    for launch in launches {
        for (sm, trace) in &launch.traces {
            let traced = trace.instructions.iter();
            all.extend(traced.map(|one| (launch.begin + one.fetch, *sm, launch, one)));
        }
    }
    // The sort is stable: instructions of an SM stay in the order of issue.
    all.sort_by_key(|&(fetch, sm, ..)| (fetch, sm));
    let has_affine_warp = code_target(machine).decoupling != Decoupling::Never;
    let warps = u64::from(machine.sm.warps) + u64::from(has_affine_warp);
    let mut commands: Vec<(u64, usize, String)> = Vec::new();
    let mut retired = Vec::new();
    for (id, (_, sm, launch, one)) in all.iter().enumerate() {
        let thread = *sm as u64 * warps + u64::from(one.warp);
        let begin = launch.begin;
        let mut begun = format!("I\t{id}\t{id}\t{thread}\n");
        let text = format!("{}: {}", one.pc, launch.text(one.pc)).replace(['\t', '\n'], " ");
        let about = format!(
            "{} SM {sm} warp {} block {} lanes {} {}",
            launch.record.name,
            one.warp,
            one.block,
            Launch::lanes(one),
            launch.source(one.pc)
        );
        // Writing to a string does not fail.
        let _ = writeln!(begun, "L\t{id}\t0\t{text}");
        let _ = writeln!(begun, "L\t{id}\t1\t{}", about.trim_end().replace(['\t', '\n'], " "));
        commands.push((begin + one.stages()[0].1, id, begun));
        for (stage, from, to) in one.stages() {
            let letter = stage.letter();
            commands.push((begin + from, id, format!("S\t{id}\t0\t{letter}\n")));
            commands.push((begin + to, id, format!("E\t{id}\t0\t{letter}\n")));
        }
        retired.push((begin + one.last(), id));
    }
    retired.sort_unstable();
    for (number, &(cycle, id)) in retired.iter().enumerate() {
        commands.push((cycle, id, format!("R\t{id}\t{number}\t0\n")));
    }
    // Stable again: of one instruction in one cycle, a stage ends before the next begins.
    commands.sort_by_key(|&(cycle, id, _)| (cycle, id));
    let mut out = String::from("Kanata\t0004\n");
    let mut now = commands.first().map_or(0, |&(cycle, ..)| cycle);
    let _ = writeln!(out, "C=\t{now}");
    for (cycle, _, text) in commands {
        if cycle > now {
            let _ = writeln!(out, "C\t{}", cycle - now);
            now = cycle;
        }
        out.push_str(&text);
    }
    out
}
