//! The rules of a kernel with two streams: the operations allowed in the affine stream, and the
//! agreement of the streams about each site. The streams must also reach the sites equally often
//! and in the same order. That is not checked here: the compiler proves it, and the machine
//! compares the dequeued values.

use std::collections::BTreeMap;

use crate::instruction::*;
use crate::program::*;
use crate::table::{Effect, Op, Row, Unit};

/// Reports broken rules; with the index of an instruction, or for the whole kernel.
pub(crate) fn check_streams(kernel: &Kernel, report: &mut impl FnMut(Option<usize>, String)) {
    let entry = kernel.affine.map(|affine| affine.entry as usize);
    if let Some(entry) = entry
        && (entry == 0 || entry >= kernel.code.len())
    {
        report(None, format!("its affine stream begins at {entry}, but has to leave two streams"));
        return;
    }
    let in_affine = |index: usize| entry.is_some_and(|entry| index >= entry);
    let mut sites = [BTreeMap::new(), BTreeMap::new()];
    for (index, instruction) in kernel.code.iter().enumerate() {
        let affine = in_affine(index);
        if affine {
            check_affine(instruction, &mut |message| report(Some(index), message));
        } else if instruction.enqueues().is_some() {
            report(Some(index), "only the affine stream enqueues".into());
        }
        if instruction.has_target() {
            let points = [Some(instruction.target), instruction.annotations.reconverge];
            let crosses = points.into_iter().flatten().any(|to| in_affine(to as usize) != affine);
            if crosses {
                report(Some(index), "it leads from one stream into the other".into());
            }
        }
        let Some((number, site)) = Site::of(instruction) else {
            continue;
        };
        if entry.is_none() {
            report(Some(index), "it has a site, but the kernel has no affine stream".into());
        } else if sites[usize::from(affine)].insert(number, (index, site)).is_some() {
            report(Some(index), format!("site {number} appears twice in the stream"));
        }
    }
    let [main, affine] = &sites;
    for (number, (index, site)) in main {
        match affine.get(number) {
            None => report(Some(*index), format!("the affine stream has no site {number}")),
            Some((_, other)) if other != site => report(
                Some(*index),
                format!("site {number} is {site} here, {other} in the affine stream"),
            ),
            Some(_) => {}
        }
    }
    for (number, (index, _)) in affine {
        if !main.contains_key(number) {
            report(Some(*index), format!("nothing dequeues at site {number}"));
        }
    }
}

/// The properties of a site on which the two streams have to agree.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Site {
    /// An address in this window, for an access of this many bytes.
    Address(Queue, Space, u32),
    Predicate,
    Barrier,
}

impl Site {
    fn of(instruction: &Instruction) -> Option<(u8, Site)> {
        let (queue, number) = match (instruction.site, instruction.dequeues()) {
            (Some(number), _) => (instruction.enqueues(), number),
            (None, Some((queue, number))) => (Some(queue), number),
            (None, None) => return None,
        };
        let site = match queue {
            None => Site::Barrier,
            Some(Queue::Predicate) => Site::Predicate,
            Some(queue) => Site::Address(queue, instruction.space, instruction.access_bytes()),
        };
        Some((number, site))
    }
}

impl std::fmt::Display for Site {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Site::Address(queue, space, bytes) => {
                write!(f, "{} of {bytes} bytes of {} memory", queue.name(), space.name())
            }
            Site::Predicate => f.write_str("pred"),
            Site::Barrier => f.write_str("a barrier"),
        }
    }
}

/// Returns true if the affine warp can execute an operation at all. The compiler must ensure that
/// it can for the actual values.
fn is_affine(instruction: &Instruction) -> bool {
    let row = instruction.op.row();
    match row.effect {
        Effect::Compute | Effect::Divide => {
            matches!(row.unit, Unit::Integer | Unit::IntegerMultiply | Unit::IntegerDivide)
        }
        Effect::Load => instruction.space == Space::Constant && instruction.width != Width::B128,
        Effect::Branch | Effect::Exit | Effect::Enqueue => true,
        Effect::Barrier => instruction.op == Op::Barrier,
        _ => false,
    }
}

fn check_affine(instruction: &Instruction, report: &mut impl FnMut(String)) {
    let Row { effect, mnemonic, .. } = *instruction.op.row();
    if !is_affine(instruction) {
        report(format!("the affine stream has no `{mnemonic}`"));
    }
    if instruction.guard.is_some() && effect != Effect::Branch {
        report("only branches have a guard in the affine stream".into());
    }
    if instruction.dequeues().is_some() {
        report("nothing is dequeued in the affine stream".into());
    }
    if effect == Effect::Barrier && instruction.site.is_none() {
        report("a barrier of the affine stream has a site".into());
    }
}
