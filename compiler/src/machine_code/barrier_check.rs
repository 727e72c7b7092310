//! Proves the convergence barriers of a kernel right: follows through the code in which each thread
//! participates.

use super::graph::{Graph, may_diverge};
use reconverge_isa::{BARRIERS, Effect, Instruction};

/// The place where threads that reach an instruction have to reconverge, for one barrier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Reconvergence {
    /// No thread participates.
    #[default]
    None,
    /// At this instruction.
    At(u32),
    /// Threads that arrived along different paths, at different instructions.
    Several,
}

/// The state of threads that reach an instruction, for one barrier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Known {
    /// Some do not take part.
    free: bool,
    at: Reconvergence,
}

type State = [Known; BARRIERS as usize];

fn join(one: &mut State, other: &State) -> bool {
    let before = *one;
    for (one, other) in one.iter_mut().zip(other) {
        one.free |= other.free;
        one.at = match (one.at, other.at) {
            (Reconvergence::None, at) | (at, Reconvergence::None) => at,
            (one, other) if one == other => one,
            _ => Reconvergence::Several,
        };
    }
    *one != before
}

/// The first instruction that breaks the rules of `spec/machine.md` for convergence barriers in
/// compiled code. A number is set for one reconvergence point at a time. `bsync` is reached by its
/// participants and by no others, and no thread ends in between. Every branch that may diverge and
/// reconverges has a barrier, unless none is left.
pub fn check(code: &[Instruction]) -> Result<(), String> {
    let graph = Graph::new(code);
    let mut at_start: Vec<Option<State>> = vec![None; graph.len()];
    let mut pending = Vec::new();
    if let Some(entry) = at_start.first_mut() {
        *entry = Some([Known { free: true, at: Reconvergence::None }; BARRIERS as usize]);
        pending.push(0);
    }
    while let Some(block) = pending.pop() {
        let Some(mut state) = at_start[block] else {
            continue;
        };
        for index in graph.instructions(block) {
            // A fault on one path is a fault, so faults found early are real.
            step(&mut state, index, &code[index])
                .map_err(|fault| format!("instruction {index}, `{}`: {fault}", code[index]))?;
        }
        for &next in graph.successors(block) {
            let changed = match &mut at_start[next] {
                Some(known) => join(known, &state),
                unknown => {
                    *unknown = Some(state);
                    true
                }
            };
            if changed {
                pending.push(next);
            }
        }
    }
    Ok(())
}

fn step(state: &mut State, index: usize, instruction: &Instruction) -> Result<(), &'static str> {
    let known = usize::from(instruction.barrier).min(state.len() - 1);
    let known = &mut state[known];
    match instruction.op.row().effect {
        Effect::Bssy => {
            let at = Reconvergence::At(instruction.target);
            if known.at != Reconvergence::None && known.at != at {
                return Err("threads take part that reconverge elsewhere");
            }
            *known = Known { free: false, at };
        }
        Effect::Bsync => {
            if known.free || known.at != Reconvergence::At(index as u32) {
                return Err("threads come here that do not reconverge here");
            }
            *known = Known { free: true, at: Reconvergence::None };
        }
        Effect::Exit if state.iter().any(|known| known.at != Reconvergence::None) => {
            return Err("threads end that others wait for");
        }
        Effect::Branch if may_diverge(instruction) => {
            let Some(reconvergence) = instruction.annotations.reconverge else {
                return Ok(());
            };
            let set = Known { free: false, at: Reconvergence::At(reconvergence) };
            if !state.contains(&set) && state.iter().any(|known| known.free) {
                return Err("no barrier is set for it");
            }
        }
        _ => {}
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use reconverge_isa::text;

    fn fault(code: &str) -> Option<String> {
        let text = format!(".kernel k\n.predicates 1\n{code}");
        let program = text::parse(&text).unwrap_or_else(|errors| panic!("{}", errors[0]));
        check(&program.kernels[0].code).err()
    }

    #[test]
    fn good_code_passes() {
        let code = "bssy b0, J\n @p0 bra J !reconverge J\n bar.sync\nJ: bsync b0\n exit";
        assert_eq!(fault(code), None);
        let again = "L: bssy b3, J\n @p0 bra L !reconverge J\nJ: bsync b3\n exit";
        assert_eq!(fault(again), None);
    }

    #[test]
    fn each_rule_is_checked() {
        let cases = [
            ("@p0 bra J !reconverge J\n bar.sync\nJ: exit", "no barrier is set for it"),
            ("bssy b0, J\n @p0 exit\nJ: bsync b0\n exit", "threads end that others wait for"),
            ("bssy b0, J\n bra K\nJ: bsync b0\nK: exit", "threads end that others wait for"),
            (
                "bssy b0, J\n bssy b0, K\nJ: bsync b0\nK: bsync b0\n exit",
                "that reconverge elsewhere",
            ),
            ("bssy b0, K\nJ: bsync b0\nK: bsync b0\n exit", "that do not reconverge here"),
            (
                "@p0 bra K\n bssy b0, J\nK: bar.sync\nJ: bsync b0\n exit",
                "threads come here that do not reconverge here",
            ),
        ];
        for (code, expected) in cases {
            let found = fault(code).unwrap_or_default();
            assert!(found.contains(expected), "{code}: {found}");
        }
    }
}
