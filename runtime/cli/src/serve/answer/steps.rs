//! One block of a launch, step by step: the effects of each of its instructions, and the block's
//! state after it.

use super::asked::{Asked, faults, messages, stopped};
use super::lines::{self, CodeLine};
use super::ptx;
use crate::serve::question::{NO_FILES, StepOptions, Target, words};
use anyhow::{Result, bail, ensure};
use reconverge::execute::{self, ModelName, Setup};
use reconverge::host::sandbox::{Input, Sandbox};
use reconverge::interruption::Interruption;
use reconverge::kernel_record::KernelRecord;
use reconverge::message::Message;
use reconverge::session;
use reconverge::trace::{Follow, Selection};
use reconverge_compiler::check::Needed;
use reconverge_isa::wording::counted;
use reconverge_isa::{Effect, Kernel, Program, text};
use reconverge_simulator::mechanisms::divergence;
use reconverge_simulator::observe::scheme_state::{
    LaneSet, PathStatus, SchemeEntry, SchemePath, SchemeState,
};
use reconverge_simulator::observe::steps::{BlockState, LaneAccess, PathState, Pending};
use reconverge_simulator::observe::trace::{Trace, TracedInstruction};
use reconverge_simulator::{Progress, code_target};
use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The most steps of an answer, and about the most bytes that they may take.
const MOST: u32 = 3000;
const MOST_BYTES: usize = 12 << 20;

/// The answer.
#[derive(Serialize, Default)]
pub struct Stepped {
    /// The diagnostics of the compilation, if it fails.
    diagnostics: Vec<Message>,
    /// The reason why the program was stopped, if it was; empty if that was after the shown steps.
    ended: String,
    /// The place at which it was stopped, and its denied requests.
    faults: Vec<Message>,
    kernel: String,
    /// Blocks along x, y and z, and threads of a block.
    grid: [u32; 3],
    block: [u32; 3],
    /// Lanes of a warp.
    width: u32,
    /// The divergence scheme.
    scheme: String,
    /// Its paths may hold threads of several warps.
    regroups: bool,
    /// Bytes of a line of the first level, and banks of shared memory.
    line: u32,
    banks: u32,
    assembly: Vec<CodeLine>,
    steps: Vec<Step>,
    /// True if the block has more steps than are shown.
    full: bool,
}

/// An instruction, and the state after it.
#[derive(Serialize)]
struct Step {
    pc: u32,
    /// Its warp in the block; none for a warp of the SM's own.
    warp: Option<u32>,
    /// Its slot of the warp.
    slot: u16,
    /// The lanes of its path, and those in which it acted.
    lanes: Lanes,
    acted: String,
    /// Cycles: fetched, issued, started in its pipe, in the load/store unit, ended.
    times: [Option<u64>; 5],
    /// The scheme's state for the warp.
    scheme: Vec<SchemeRow>,
    /// Paths that have changed since the step before, and slots that have none any more.
    paths: Vec<PathRow>,
    gone: Vec<u16>,
    /// By warp: addresses and predicates in its operand queues.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    queues: Vec<[u32; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    access: Option<AccessRow>,
}

/// The threads of lanes: of one warp, each at its place, or any.
#[derive(Serialize, Clone, PartialEq)]
#[serde(untagged)]
enum Lanes {
    Warp { warp: u32, mask: String },
    Mixed { threads: Vec<Option<u16>> },
}

/// The state of a scheme, or of a part of a block under it.
#[derive(Serialize)]
struct SchemeRow {
    /// The entries of its stack or table, the last one on top of a stack; then the paths beside them.
    entries: Vec<EntryRow>,
    paths: Vec<SchemePathRow>,
    /// By warp: true if it has bypassed compaction.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    bypassed: Vec<bool>,
    /// Branches with their history in the predictor.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    predictions: Vec<(u32, u8)>,
}

/// An entry of a scheme's stack or table.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum EntryRow {
    /// Paths up to a reconvergence PC. It ends at a likely convergence point, or has one.
    Stack {
        reconvergence: Option<u32>,
        paths: Vec<SchemePathRow>,
        is_likely: bool,
        likely: Option<u32>,
    },
    /// Lanes that wait for each other at an instruction, by a convergence barrier.
    Set { barrier: Option<u8>, pc: u32, lanes: Lanes },
    /// Threads of several warps, by warp; the warps that are still to arrive or to issue.
    BlockWide {
        reconvergence: Option<u32>,
        members: Vec<Lanes>,
        pc: u32,
        warps: u32,
        is_active: bool,
    },
}

#[derive(Serialize)]
struct SchemePathRow {
    /// `L` or `R`.
    name: Option<&'static str>,
    pc: u32,
    lanes: Lanes,
    /// `running`, `idle`, `at-barrier`, `deferred` or `blocked`.
    status: &'static str,
}

#[derive(Serialize)]
struct PathRow {
    slot: u16,
    pc: u32,
    reconvergence: Option<u32>,
    waits: bool,
    lanes: Lanes,
    /// Registers without their value yet: name, true if memory supplies it, and the cycle if it is
    /// known.
    pending: Vec<(String, bool, Option<u64>)>,
}

#[derive(Serialize)]
struct AccessRow {
    /// `load`, `store` or `atomic`.
    what: &'static str,
    space: &'static str,
    /// Lanes with their addresses.
    lanes: Vec<(u8, u32)>,
}

/// Runs a program and records one block of a launch.
pub fn steps(asked: &Asked, options: &StepOptions) -> Result<Stepped> {
    let scheme = options.divergence.as_ref().filter(|name| !name.is_empty());
    let settings = scheme.map(|name| ("divergence".to_owned(), name.clone()));
    let target = asked.source.target(settings.as_slice())?;
    if asked.source.is_ptx() {
        return steps_of_ptx(asked, options, &target);
    }
    let checked = asked.check(&target, Needed::Program)?;
    if checked.module.is_none() {
        return Ok(Stepped { diagnostics: messages(&checked, &[]), ..Stepped::default() });
    }
    let stop = Arc::new(AtomicBool::new(false));
    let setup = setup(asked, options, &target, &stop)?;
    let mut has_begun = false;
    let mut launches = 0;
    // Code after the launch does not run.
    let mut watch = |kernel: &str, now: &Progress| {
        let is_start = (now.cycles, now.blocks_done, now.instructions) == (0, 0, 0);
        if is_start && has_begun {
            stop.store(true, Ordering::Relaxed);
        } else if is_start && kernel == options.kernel {
            has_begun = launches == options.launch;
            launches += 1;
        }
    };
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let run = execute::lower(&checked, &setup).and_then(|lowered| {
        let (output, errors) = (&mut output, &mut errors);
        let run = execute::execute_lowered(&checked, &lowered, &setup, output, errors, &mut watch);
        run.map(|execution| (execution, lowered))
    });
    let (execution, lowered) = match run {
        Ok(done) => done,
        Err(refused) => {
            let diagnostics = messages(&checked, &refused.diagnostics);
            return Ok(Stepped { diagnostics, ..Stepped::default() });
        }
    };
    let stepped = stepped(&execution.records, &lowered.program, options, &target)?;
    let was_stopped = stop.load(Ordering::Relaxed);
    // The recording stops the program after the launch, which is no fault.
    let (ended, faults) = match was_stopped {
        true => (String::new(), Vec::new()),
        false => {
            let ended = execution.outcome.render(&checked.sources, false);
            (ended, faults(&execution, &checked.sources))
        }
    };
    Ok(Stepped { ended, faults, ..stepped })
}

/// Launches a PTX kernel as the arguments say, and records one of its blocks.
fn steps_of_ptx(asked: &Asked, options: &StepOptions, target: &Target) -> Result<Stepped> {
    let launching = ptx::launching(asked, &options.arguments, Some(&options.kernel))?;
    ensure!(options.launch == 0, "the arguments are one launch; launches are numbered from 0");
    let lowering = target.build.lowering().for_run(code_target(&target.machine));
    let (module, diagnostics) = ptx::module(asked, &lowering);
    let Some(module) = module else {
        return Ok(Stepped { diagnostics, ..Stepped::default() });
    };
    let session =
        session::Target { trace: Some(selection(options)), ..ptx::session_target(target) };
    let launched = ptx::launch(&module, &session, &launching, asked.limits.printed)?;
    let program = &module.lowered().program;
    let found = stepped(launched.record.as_slice(), program, options, target)?;
    let sources = &module.checked().sources;
    Ok(Stepped {
        ended: launched.outcome.render(sources, false),
        faults: stopped(&launched.outcome, sources),
        ..found
    })
}

/// The steps of the block.
fn stepped(
    records: &[KernelRecord],
    program: &Program,
    options: &StepOptions,
    target: &Target,
) -> Result<Stepped> {
    let (trace, record) = shown(records, options, target)?;
    let Some(kernel) = program.kernel(&options.kernel) else {
        bail!("there is no kernel `{}`", options.kernel);
    };
    let steps = rows(trace, kernel, target.machine.sm.warp_width);
    Ok(Stepped {
        kernel: kernel.name.clone(),
        grid: record.grid,
        block: record.block,
        width: target.machine.sm.warp_width,
        scheme: target.machine.divergence.clone(),
        regroups: divergence::list::capabilities(&target.machine.divergence)
            .is_some_and(|it| it.regroups),
        line: target.machine.l1.line,
        banks: target.machine.shared.banks,
        assembly: lines::of_assembly(&text::print_kernel(program, kernel)),
        full: trace.full.is_some() || steps.len() < trace.states.len(),
        steps,
        ..Stepped::default()
    })
}

fn setup<'a>(
    asked: &Asked,
    options: &StepOptions,
    target: &'a Target,
    stop: &Arc<AtomicBool>,
) -> Result<Setup<'a>> {
    let name = asked.source.name().to_owned();
    let arguments = words(&options.arguments)?;
    Ok(Setup {
        max_output: Some(asked.limits.printed),
        host_memory: None,
        options: target.build.lowering(),
        arguments: std::iter::once(name).chain(arguments).collect(),
        sandbox: Sandbox {
            input: Input::Text(options.input.clone().into_bytes()),
            closed: Some(NO_FILES),
            ..Sandbox::default()
        },
        trace: Some(selection(options)),
        interruption: Interruption::by(stop.clone()),
        ..Setup::new(&target.machine, ModelName::Timing)
    })
}

/// The block to record.
fn selection(options: &StepOptions) -> Selection {
    Selection {
        cycles: 0..u64::MAX,
        sm: None,
        kernel: Some(options.kernel.clone()),
        follow: Some(Follow { launch: options.launch, block: options.block, most: MOST }),
    }
}

/// The recording of the launch.
fn shown<'a>(
    records: &'a [KernelRecord],
    options: &StepOptions,
    target: &Target,
) -> Result<(&'a Trace, &'a KernelRecord)> {
    let StepOptions { kernel, launch, block, .. } = options;
    let launches = records.iter().filter(|record| record.name == *kernel);
    let count = launches.clone().count();
    let Some(record) = launches.into_iter().nth(*launch) else {
        match count {
            0 => {
                bail!("the program does not launch `{kernel}` on machine `{}`", target.machine.name)
            }
            _ => {
                bail!(
                    "the program launches `{kernel}` {}; launches are numbered from 0",
                    counted(count as u64, "time")
                )
            }
        }
    };
    let blocks: u64 = record.grid.iter().map(|&count| u64::from(count)).product();
    ensure!(*block < blocks, "launch {launch} of `{kernel}` has the blocks 0 to {}", blocks - 1);
    match record.traces.iter().find(|trace| !trace.states.is_empty()) {
        Some(trace) => Ok((trace, record)),
        None => bail!(
            "block {block} of launch {launch} of `{kernel}` has not run before it was stopped"
        ),
    }
}

fn rows(trace: &Trace, kernel: &Kernel, width: u32) -> Vec<Step> {
    let mut before: &[PathState] = &[];
    let row = |(instruction, state): (&TracedInstruction, &'_ BlockState)| {
        let TracedInstruction { fetch, issue, start, memory, end, .. } = *instruction;
        Step {
            pc: instruction.pc,
            warp: state.warp,
            slot: instruction.slot,
            lanes: lanes(&state.threads, width),
            acted: bits(instruction.acted, width),
            times: [Some(fetch), Some(issue), start, memory, Some(end)],
            scheme: state
                .scheme
                .iter()
                .map(|it| scheme_row(it, state.warp.unwrap_or(0), width))
                .collect(),
            paths: Vec::new(),
            gone: Vec::new(),
            queues: state.queues.clone(),
            access: access(&state.access, kernel, instruction.pc),
        }
    };
    let (mut steps, mut bytes) = (Vec::new(), 0);
    for (instruction, state) in trace.instructions.iter().zip(&trace.states) {
        let mut step = row((instruction, state));
        let changed = state.paths.iter().filter(|path| !before.contains(path));
        step.paths = changed.map(|path| path_row(path, width)).collect();
        let is_gone = |slot: &u16| state.paths.iter().all(|path| path.slot != *slot);
        step.gone = before.iter().map(|path| path.slot).filter(is_gone).collect();
        before = &state.paths;
        bytes += size(&step, width as usize);
        if bytes > MOST_BYTES {
            break;
        }
        steps.push(step);
    }
    steps
}

/// The approximate number of bytes that a step takes in the answer, in warps of `width` lanes.
fn size(step: &Step, width: usize) -> usize {
    let path = |path: &PathRow| 100 + 4 * width + 20 * path.pending.len();
    let paths: usize = step.paths.iter().map(path).sum();
    let accesses = step.access.as_ref().map_or(0, |access| 16 * access.lanes.len());
    let scheme: usize = step.scheme.iter().map(|state| scheme_size(state, width)).sum();
    200 + 4 * width + scheme + paths + 10 * step.queues.len() + accesses
}

fn scheme_size(state: &SchemeRow, width: usize) -> usize {
    let entry = |entry: &EntryRow| match entry {
        EntryRow::Stack { paths, .. } => 80 + paths.len() * (80 + 4 * width),
        EntryRow::Set { .. } => 80 + width,
        EntryRow::BlockWide { members, .. } => 80 + members.len() * (30 + 4 * width),
    };
    let entries: usize = state.entries.iter().map(entry).sum();
    let rows = 6 * state.bypassed.len() + 10 * state.predictions.len();
    40 + entries + state.paths.len() * (80 + 4 * width) + rows
}

/// The state of a scheme for a warp of the block.
fn scheme_row(state: &SchemeState, warp: u32, width: u32) -> SchemeRow {
    let of = |set: &LaneSet| match set {
        LaneSet::Mask(mask) => Lanes::Warp { warp, mask: bits(*mask, width) },
        LaneSet::Threads(threads) => lanes(threads, width),
    };
    let path = |path: &SchemePath| SchemePathRow {
        name: path.name,
        pc: path.pc,
        lanes: of(&path.lanes),
        status: match path.status {
            PathStatus::Running => "running",
            PathStatus::Idle => "idle",
            PathStatus::AtBarrier => "at-barrier",
            PathStatus::Deferred => "deferred",
            PathStatus::Blocked => "blocked",
        },
    };
    let entry = |entry: &SchemeEntry| match entry {
        SchemeEntry::Stack { reconvergence, paths, is_likely, likely } => EntryRow::Stack {
            reconvergence: *reconvergence,
            paths: paths.iter().map(path).collect(),
            is_likely: *is_likely,
            likely: *likely,
        },
        SchemeEntry::Set { barrier, pc, lanes } => {
            EntryRow::Set { barrier: *barrier, pc: *pc, lanes: of(lanes) }
        }
        SchemeEntry::BlockWide { reconvergence, members, pc, warps, is_active } => {
            EntryRow::BlockWide {
                reconvergence: *reconvergence,
                members: members.iter().map(of).collect(),
                pc: *pc,
                warps: *warps,
                is_active: *is_active,
            }
        }
    };
    SchemeRow {
        entries: state.entries.iter().map(entry).collect(),
        paths: state.paths.iter().map(path).collect(),
        bypassed: state.bypassed.clone(),
        predictions: state.predictions.iter().map(|row| (row.pc, row.history)).collect(),
    }
}

fn path_row(path: &PathState, width: u32) -> PathRow {
    let pending = |it: &Pending| {
        let letter = if it.is_predicate { 'p' } else { 'r' };
        (format!("{letter}{}", it.register), it.from_memory, it.cycle)
    };
    PathRow {
        slot: path.slot,
        pc: path.pc,
        reconvergence: path.reconvergence,
        waits: path.waits,
        lanes: lanes(&path.threads, width),
        pending: path.pending.iter().map(pending).collect(),
    }
}

fn access(lanes: &[LaneAccess], kernel: &Kernel, pc: u32) -> Option<AccessRow> {
    let first = lanes.first()?;
    let what = match kernel.code.get(pc as usize)?.op.row().effect {
        Effect::Store => "store",
        Effect::Atomic => "atomic",
        _ => "load",
    };
    let lanes = lanes.iter().map(|one| (one.lane, one.address)).collect();
    Some(AccessRow { what, space: first.space, lanes })
}

/// Lanes as digits beside each other, the first lane first.
fn bits(mask: u64, width: u32) -> String {
    (0..width).map(|lane| if mask >> lane & 1 != 0 { '1' } else { '0' }).collect()
}

fn lanes(threads: &[Option<u16>], width: u32) -> Lanes {
    let home = threads.iter().flatten().next().map_or(0, |&first| u32::from(first) / width);
    let at_home = |(lane, thread): (u32, &Option<u16>)| {
        thread.is_none_or(|thread| u32::from(thread) == home * width + lane)
    };
    if (0..).zip(threads).all(at_home) {
        let mask = threads.iter().map(|thread| if thread.is_some() { '1' } else { '0' });
        return Lanes::Warp { warp: home, mask: mask.collect() };
    }
    Lanes::Mixed { threads: threads.to_vec() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_at_home_are_a_mask() {
        let shown = |threads: &[Option<u16>]| serde_json::to_string(&lanes(threads, 4)).unwrap();
        assert_eq!(shown(&[None, Some(5), None, Some(7)]), r#"{"warp":1,"mask":"0101"}"#);
        assert_eq!(shown(&[None, Some(4), None, None]), r#"{"threads":[null,4,null,null]}"#);
        assert_eq!(bits(0b1010, 4), "0101");
    }
}
