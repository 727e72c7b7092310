//! Barrier legality: if control over a barrier is not uniform in the block, some threads may never
//! arrive at it, while the others wait (CUDA leaves this undefined; here it is a deadlock unless
//! the others end). If control over a vote or shuffle is not uniform in the warp, it acts without
//! some of the lanes.

use super::answers::{Answers, BarrierControl};
use super::collective;
use super::convergence::Convergence;
use super::flow::Flow;
use super::reason::{Step, control_reasons};
use super::steady::Steady;
use super::{DominatorTree, Launches, Scope};
use crate::diagnostic::{Diagnostic, code};
use crate::ir::{Block, Function, Kind, Location};
use crate::syntax::{SourceMap, Span};

/// The range of the token at a location; `files` are the names that locations number.
pub fn span_at(sources: &SourceMap, files: &[String], location: Location) -> Option<Span> {
    let name = files.get(location.file as usize)?;
    let file = sources.files().find(|&file| sources.name(file) == name)?;
    sources.token_at(file, location.line, location.column)
}

/// Returns true if a function has barriers, votes or shuffles that [`warnings`] may be about.
pub fn has_barrier(function: &Function) -> bool {
    let mut kinds = function.placed().map(|(_, value)| function.kind(value));
    kinds.any(|kind| matches!(kind, Kind::Collective(op, _) if !op.is_per_lane()))
}

/// A warning for each barrier at which some threads of a block may not arrive, with the chain of
/// reasons. `launched` has the common properties of all launches of each kernel in the program;
/// kernels that it lacks may be launched with any configuration. `steady` has the facts about each
/// kernel's loads.
pub fn warnings(
    functions: &[Function],
    launched: &[Launches],
    steady: &[Steady],
    files: &[String],
    sources: &SourceMap,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let launched = launched.iter().copied().chain(std::iter::repeat(Launches::default()));
    let steady = steady.iter().map(Some).chain(std::iter::repeat(None));
    let kernels = functions.iter().zip(launched).zip(steady);
    for ((function, launched), steady) in kernels.filter(|((it, _), _)| has_barrier(it)) {
        let flow = Flow::new(function);
        let answers = Answers::new(&flow);
        let mut barriers = answers.barriers();
        barriers.retain(|barrier| !barrier.is_legal_under(launched.condition));
        // With blocks of known extents and warps of 32 more is known; most kernels do not need it.
        if !barriers.is_empty() {
            let flow = Flow::with(function, steady);
            let known = Convergence::new(&flow, Launches { narrow: true, ..launched });
            barriers.retain(|barrier| known.control(barrier.block) < barrier.needs);
            barriers.retain(|barrier| !is_on_all_paths(function, &known, barrier));
        }
        for barrier in &barriers {
            let location = function.instruction(barrier.at).location;
            if let Some(span) = span_at(sources, files, location) {
                let steps = control_reasons(&answers, barrier.question(), barrier.block);
                found.push(warning(span, barrier, &steps, files, sources));
            }
        }
    }
    found
}

/// The most blocks of a function that is examined, to bound the time.
const MOST_BLOCKS: usize = 1000;

/// Returns true if all lanes of the warp make the call of a `warp.sync` whose mask names them all,
/// although at several places. Each path from a branch at which the warp diverges to its
/// reconvergence must have equally many such calls.
fn is_on_all_paths(function: &Function, known: &Convergence, sync: &BarrierControl) -> bool {
    let Some(call) = collective::full_call(function, sync.block, sync.at) else {
        return false;
    };
    if function.blocks.len() > MOST_BLOCKS {
        return false;
    }
    let calls = |block: Block| {
        let values = function.instructions(block).iter();
        values.filter(|&&at| collective::full_call(function, block, at) == Some(call)).count()
    };
    let calls: Vec<usize> = (0..function.blocks.len()).map(|at| calls(Block(at as u32))).collect();
    let order = function.reverse_postorder();
    let meetings = DominatorTree::post_dominators(function);
    order.iter().filter(|&&block| known.branch(block) < Scope::Warp).all(|&branch| {
        let meeting = meetings.parent(branch);
        // By block: the calls on every path from its start to the meeting, if they are equally many.
        let mut on_paths: Vec<Option<usize>> = vec![None; function.blocks.len()];
        let behind = |on_paths: &[Option<usize>], block: Block| {
            let mut counts = function.successors(block).map(|next| match Some(next) == meeting {
                true => Some(0),
                false => on_paths[next.index()],
            });
            let first = counts.next().unwrap_or(Some(0))?;
            counts.all(|count| count == Some(first)).then_some(first)
        };
        for &block in order.iter().rev() {
            on_paths[block.index()] =
                behind(&on_paths, block).map(|count| count + calls[block.index()]);
        }
        behind(&on_paths, branch).is_some() || !is_between(function, branch, meeting, sync.block)
    })
}

/// Returns true if a block is on a path from a branch to where its paths meet.
fn is_between(function: &Function, branch: Block, meeting: Option<Block>, wanted: Block) -> bool {
    let mut seen = vec![false; function.blocks.len()];
    let mut open = vec![branch];
    while let Some(block) = open.pop() {
        for next in function.successors(block) {
            if Some(next) != meeting && !std::mem::replace(&mut seen[next.index()], true) {
                open.push(next);
            }
        }
    }
    seen[wanted.index()]
}

fn warning(
    span: Span,
    barrier: &BarrierControl,
    steps: &[Step],
    files: &[String],
    sources: &SourceMap,
) -> Diagnostic {
    let mut warning = Diagnostic::warning(code::DIVERGENT_BARRIER, span, barrier.missing());
    let place = |step: &Step| span_at(sources, files, step.location);
    warning = chain(warning, steps, place);
    if barrier.control.iter().any(|&(_, scope)| scope >= barrier.needs) {
        let note =
            "they all do when blockDim.x is a multiple of the warp, or the block has one row";
        warning = warning.note(note);
    }
    warning.help(match barrier.needs {
        Scope::Warp => {
            "let all lanes of the warp reach it, or name those that do in a mask: \
             take it with `__ballot_sync` before the branch"
        }
        _ => "let all threads of the block reach it: guard the work around it instead",
    })
}

/// Adds a chain of reasons to a diagnostic: each step beside its place in the source.
pub fn chain(
    mut diagnostic: Diagnostic,
    steps: &[Step],
    place: impl Fn(&Step) -> Option<Span>,
) -> Diagnostic {
    for (number, step) in (1..).zip(steps) {
        let text = format!("{number}. {}", step.text);
        let Some(span) = place(step) else {
            diagnostic = diagnostic.note(text);
            continue;
        };
        // Several remarks about one place become one label, in order.
        match diagnostic.secondary.iter_mut().find(|label| label.span == span) {
            Some(label) => label.text = format!("{}; {text}", label.text),
            None => diagnostic = diagnostic.secondary(span, text),
        }
    }
    diagnostic
}
