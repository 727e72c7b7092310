//! Loads, stores and atomics that touch more lines than their bytes need.

use super::evidence::{Evidence, access_name};
use super::finding::{Cost, Found, Place, Rule};
use reconverge_compiler::analysis::access::Neighbours;

/// Fires at a source line whose accesses of one kind touch more than [`RATIO`] times the lines of the first-level
/// cache that their bytes would fill, if the line accesses beyond those cost [`SHARE`] of the load/store units' cycles.
///
/// `transactions` and `memory_accesses` of the instruction give the number of lines that it
/// touches. The necessary ones are its active lanes times their bytes by the bytes of a line, at
/// least one per access. An access of neighbouring elements that starts in the middle of a line
/// touches two lines in the place of one, which is not reported.
pub struct Uncoalesced;

/// The least ratio to the necessary lines.
pub const RATIO: f64 = 2.0;

/// The least share of the load/store units' cycles.
pub const SHARE: f64 = 0.05;

impl Rule for Uncoalesced {
    fn name(&self) -> &'static str {
        "uncoalesced"
    }

    fn cause(&self) -> Option<&'static str> {
        Some("coalescing")
    }

    fn find(&self, evidence: &Evidence) -> Vec<Found> {
        let groups = evidence.by_line(|_, instruction, statistics| {
            access_name(instruction).filter(|_| statistics.memory_accesses != 0)
        });
        let found = groups.iter().filter_map(|((.., kind), pcs)| {
            let accesses = evidence.sum(pcs, |s| s.memory_accesses) as f64;
            let touched = evidence.sum(pcs, |s| s.transactions) as f64;
            let least: f64 = pcs.iter().map(|&pc| least_lines(evidence, pc)).sum();
            let a_cycle = evidence.machine.load_store.lines_per_cycle;
            let cost = Cost::load_store(touched - least, a_cycle, evidence);
            if touched <= RATIO * least || cost.share < SHARE {
                return None;
            }
            let pc = evidence.most(pcs, |s| s.transactions)?;
            let neighbours = evidence.neighbours(pc);
            let mut message = format!(
                "uncoalesced {kind}: a warp touches {:.1} lines, {:.1} would do",
                touched / accesses,
                least / accesses
            );
            if let Some(apart) = neighbours.as_ref().and_then(apart) {
                message += &format!("; neighbouring threads {apart}");
            }
            let advice = advice(neighbours.as_ref()).to_owned();
            Some(Found { place: Place::Instruction(pc), message, cost, advice })
        });
        found.collect()
    }
}

/// The lines that the bytes of an instruction's accesses would fill.
pub(super) fn least_lines(evidence: &Evidence, pc: u32) -> f64 {
    let (Some(instruction), Some(s)) = (evidence.instruction(pc), evidence.instructions.get(&pc))
    else {
        return 0.0;
    };
    let bytes = s.thread_instructions * u64::from(instruction.access_bytes());
    let lines = bytes as f64 / f64::from(evidence.machine.l1.line.max(1));
    lines.max(s.memory_accesses as f64)
}

/// The access pattern of neighbouring threads, as far as it explains the cost.
fn apart(neighbours: &Neighbours) -> Option<String> {
    match neighbours {
        Neighbours::Apart(step) => Some(format!("are {step} bytes apart")),
        Neighbours::Repeated(step, threads) => {
            Some(format!("are {step} bytes apart and repeat after {threads} threads"))
        }
        Neighbours::ApartBy(Some(distance)) => Some(format!("are {distance} bytes apart")),
        Neighbours::Uneven => Some("are not all equally far apart".to_owned()),
        Neighbours::Unknown => Some("access addresses that follow no known rule".to_owned()),
        Neighbours::ApartBy(None) | Neighbours::Same => None,
    }
}

fn advice(neighbours: Option<&Neighbours>) -> &'static str {
    match neighbours {
        Some(Neighbours::Apart(_) | Neighbours::Repeated(..)) => {
            "let neighbouring threads access neighbouring elements: exchange the indices, or keep each member of a \
             structure in an array of its own"
        }
        Some(Neighbours::ApartBy(_) | Neighbours::Uneven) => {
            "let `threadIdx.x` choose the element within a row, or bring a tile into shared memory row by row and \
             read it from there by columns"
        }
        _ => {
            "let the threads of a warp use elements that lie together: sort or group what they work on, or bring it \
             into shared memory first"
        }
    }
}
