//! Unrolling of counted loops (Muchnick, "Advanced Compiler Design and Implementation", 1997,
//! 17.4.3): the iterations of an innermost loop with a small constant trip count, or of an outer
//! one on request of the source, are written one after the other, without tests between them.
//!
//! The number of iterations is found by counting: the values that the test depends on are computed
//! iteration by iteration from their constant starts. `#pragma unroll` raises the limits, `#pragma
//! unroll N` writes N iterations (or the next fewer that divide their number), and N = 1 leaves the
//! loop alone; the default size is a [knob](Knobs). Only a loop whose single exit is the test at
//! its end is unrolled, so that every thread that is in it makes all iterations.

use super::edit::{self, Entered};
use super::iteration::{Copied, Iteration, Outside, Tested, hints, rename_outside};
use super::knobs::Knobs;
use crate::ir::{Block, Function, Kind, Location, Value};
use reconverge_isa::Effect;
use reconverge_isa::planted::Planted;
use reconverge_isa::table::evaluate_lane;
use rustc_hash::{FxHashMap, FxHashSet};

/// The most iterations and instructions that are written out on request of the source.
pub const ASKED: (u32, usize) = (1024, 4096);
/// Instructions that may be written out by default, for each iteration that may be: of loops without branches, where they can be
/// scheduled together, and of others.
const SIZES: [usize; 2] = [32, 8];
/// The most operations that a test may depend on.
const MOST_COUNTED: usize = 16;

/// Runs the pass.
pub fn run(function: &mut Function, knobs: &Knobs) -> bool {
    let (_, loops) = edit::enter_loops(function);
    let mut position = vec![0; function.values.len()];
    let mut home = vec![Block::ENTRY; function.values.len()];
    let mut count = 0;
    for block in function.reverse_postorder() {
        for &value in function.instructions(block) {
            position[value.index()] = count;
            home[value.index()] = block;
            count += 1;
        }
    }
    let predecessors = function.predecessors();
    let hints = hints(function);
    let mut unroller = Unroller {
        owner: vec![None; function.blocks.len()],
        function,
        unasked: knobs.unroll,
        position,
        home,
        hints,
        last: Outside::default(),
    };
    let mut headers = vec![false; unroller.function.blocks.len()];
    let mut done = FxHashSet::default();
    for found in &loops {
        // Inner loops are first; where one of them is unrolled the outer one is left to the next
        // run.
        let is_outer = found.blocks.iter().any(|block| headers[block.index()]);
        headers[found.header.index()] = true;
        let is_written = |block: &Block| unroller.owner[block.index()].is_some();
        if is_outer && found.blocks.iter().any(is_written) {
            continue;
        }
        if let Some(counted) = unroller.counted(found, &predecessors[found.header.index()])
            && (!is_outer || unroller.hint(&counted.tested).is_some())
            && let Some(iterations) = unroller.written_iterations(found, &counted)
        {
            unroller.unroll(found, &counted, iterations);
            done.insert(counted.tested.location(unroller.function));
        }
    }
    let Unroller { owner, last, .. } = unroller;
    if !Planted::FirstRoundStays.is_on() {
        rename_outside(function, &owner, &last);
    }
    for (location, iterations) in &mut function.unroll {
        if done.contains(location) {
            *iterations = 1;
        }
    }
    !done.is_empty()
}

/// A loop whose iterations have been counted.
struct Counted {
    tested: Tested,
    iterations: u32,
}

struct Unroller<'a> {
    function: &'a mut Function,
    /// The most iterations that are written out by default.
    unasked: u32,
    /// By value, in reverse postorder.
    position: Vec<u32>,
    home: Vec<Block>,
    /// By block: the header of the unrolled loop that it, or its original, is in.
    owner: Vec<Option<Block>>,
    /// The source's hints for loops, by the location of the test.
    hints: FxHashMap<Location, u32>,
    /// The replacement of a loop's value after it, with the loop's header.
    last: Outside,
}

impl Unroller<'_> {
    fn counted(&self, found: &Entered, entering: &[Block]) -> Option<Counted> {
        let tested = Tested::of(self.function, found, entering)?;
        let limit = if self.hint(&tested).is_some() { ASKED.0 } else { self.unasked };
        let iterations = self.count(found, &tested, limit)?;
        Some(Counted { tested, iterations })
    }

    /// The source's hint for a loop.
    fn hint(&self, tested: &Tested) -> Option<u32> {
        self.hints.get(&tested.location(self.function)).copied()
    }

    /// Counts the iterations, at most `limit`, with only the values that the test depends on.
    fn count(&self, found: &Entered, tested: &Tested, limit: u32) -> Option<u32> {
        let &Tested { latch, condition, stays, .. } = tested;
        let slice = self.slice(found, latch, condition)?;
        let mut now: FxHashMap<Value, u64> = FxHashMap::default();
        let operand = |phi: Value, from: Block| match self.function.kind(phi) {
            Kind::Phi(incoming) => incoming.iter().find(|at| at.0 == from).map(|at| at.1),
            _ => None,
        };
        for &value in &slice {
            if let Some(start) = operand(value, found.preheader) {
                now.insert(value, self.function.constant(start)?);
            }
        }
        for iteration in 1..=limit {
            for &value in &slice {
                let bits = match self.function.kind(value) {
                    &Kind::Constant(bits) => bits,
                    Kind::Compute(op, operands) => {
                        let mut bits = [0; 3];
                        for (slot, operand) in bits.iter_mut().zip(operands.iter()) {
                            *slot = *now.get(operand)?;
                        }
                        evaluate_lane(*op, bits)?
                    }
                    _ => continue,
                };
                now.insert(value, bits);
            }
            if (now.get(&condition)? & 1 != 0) != stays {
                return Some(iteration);
            }
            let next: Vec<(Value, u64)> = slice
                .iter()
                .filter_map(|&phi| Some((phi, *now.get(&operand(phi, latch)?)?)))
                .collect();
            now.extend(next);
        }
        None
    }

    /// The inputs of a test, operands first: operations, constants and phis of the header.
    fn slice(&self, found: &Entered, latch: Block, condition: Value) -> Option<Vec<Value>> {
        let mut slice = Vec::new();
        let mut pending = vec![condition];
        while let Some(value) = pending.pop() {
            if slice.contains(&value) {
                continue;
            }
            if slice.len() == MOST_COUNTED {
                return None;
            }
            slice.push(value);
            match self.function.kind(value) {
                Kind::Constant(_) => {}
                Kind::Phi(incoming) if self.home[value.index()] == found.header => {
                    pending.extend(incoming.iter().filter(|at| at.0 == latch).map(|at| at.1));
                }
                Kind::Compute(op, operands) if op.row().effect != Effect::Divide => {
                    pending.extend(operands.iter());
                }
                _ => return None,
            }
        }
        slice.sort_by_key(|value| self.position[value.index()]);
        Some(slice)
    }

    /// The number of iterations to write one after the other.
    fn written_iterations(&mut self, found: &Entered, counted: &Counted) -> Option<u32> {
        let hint = self.hint(&counted.tested);
        let values = found.blocks.iter().flat_map(|&block| self.function.instructions(block));
        let size = values.filter(|&&value| !self.function.kind(value).is_leaf()).count();
        let size_of_one = SIZES[usize::from(found.blocks.len() > 1)];
        let (most_rounds, most_size) = match hint {
            Some(_) => ASKED,
            None => (self.unasked, size_of_one.saturating_mul(self.unasked as usize)),
        };
        let wanted = match hint {
            None if most_rounds <= 1 => return None,
            // The whole loop.
            None | Some(0) => counted.iterations,
            Some(iterations) => {
                let divides = |iterations: &u32| counted.iterations.is_multiple_of(*iterations);
                (1..=iterations.min(counted.iterations)).rev().find(divides)?
            }
        };
        let whole = size.saturating_mul(wanted as usize);
        let fits = wanted <= most_rounds && whole <= most_size;
        if hint.is_some() && !fits {
            let test = counted.tested.location(self.function);
            self.function.refuse_unrolling(test, wanted, whole);
        }
        (fits && (wanted > 1 || counted.iterations == 1)).then_some(wanted)
    }

    fn unroll(&mut self, found: &Entered, counted: &Counted, iterations: u32) {
        for &block in &found.blocks {
            self.owner[block.index()] = Some(found.header);
        }
        let whole = iterations == counted.iterations;
        let original = Iteration::of(self.function, found, counted.tested.latch);
        let mut latch = counted.tested.latch;
        let mut last = Copied::default();
        let lost = u32::from(Planted::RoundLost.is_on() && whole);
        for _ in 1 + lost..iterations {
            let next = original.copy(self.function, original.after(&last));
            self.owner.resize(self.function.blocks.len(), Some(found.header));
            edit::set_terminator(self.function, latch, Kind::Jump(next.blocks[&found.header]));
            latch = next.blocks[&counted.tested.latch];
            last = next;
        }
        self.close(found, &counted.tested, latch, &last, whole);
        for value in original.values() {
            if let Some(&copy) = last.values.get(&value) {
                self.last.insert(value, (found.header, copy));
            }
        }
    }

    /// Lets the last iteration written leave the loop, or go back to the first.
    fn close(
        &mut self,
        found: &Entered,
        tested: &Tested,
        latch: Block,
        last: &Copied,
        whole: bool,
    ) {
        for phi in self.function.phis(found.header).collect::<Vec<_>>() {
            if let Kind::Phi(incoming) = &mut self.function.values[phi.index()].kind {
                incoming.retain(|&(from, _)| !whole || from == found.preheader);
                for at in incoming.iter_mut().filter(|at| at.0 == tested.latch) {
                    *at = (latch, last.value(at.1));
                }
                incoming.sort();
            }
        }
        tested.leave_from(self.function, latch);
        if whole {
            edit::set_terminator(self.function, latch, Kind::Jump(tested.exit));
        } else if let Some(terminator) = self.function.terminator(latch) {
            let header = found.header;
            // In a copy the back edge leads to the copy's header.
            let kind = &mut self.function.values[terminator.index()].kind;
            kind.map_blocks(|at| if at == tested.exit { at } else { header });
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::ir::{parse::parse, verify};
    use crate::pass::Knobs;
    use crate::pass::tests::after;

    fn count_to(iterations: u32, body: &str) -> String {
        format!(
            "  %0 = const.b32 0\n  %1 = const.b32 1\n  %2 = const.b32 {iterations}\n  jump b1\nb1:\n  \
             %3 = phi.b32 b0 %0, b1 %4\n{body}  %4 = add.i32 %3, %1\n  \
             %5 = setp.lt.s32 %4, %2\n  branch %5, b1, b2 !7:5\nb2:\n  st.global.b32 %3, %4\n  \
             return"
        )
    }

    #[test]
    fn few_rounds_are_written_out() {
        assert_eq!(
            after("unroll", &count_to(2, "  st.global.b32 %0, %3\n")),
            "  %0 = const.b32 0\n  %1 = const.b32 1\n  %2 = const.b32 2\n  jump b1\n\
             b1:\n  %3 = phi.b32 b0 %0\n  st.global.b32 %0, %3\n  %4 = add.i32 %3, %1\n  \
             %5 = setp.lt.s32 %4, %2\n  jump b3 !7:5\n\
             b2:\n  st.global.b32 %4, %12\n  return\n\
             b3:\n  st.global.b32 %0, %4\n  %12 = add.i32 %4, %1\n  \
             %13 = setp.lt.s32 %12, %2\n  jump b2 !7:5\n"
        );
    }

    #[test]
    fn many_rounds_stay_unless_the_source_asks() {
        let text = count_to(40, "");
        assert_eq!(after("unroll", &text), format!("{text}\n"));
        let mut function =
            parse(&format!("kernel k {{\n  unroll 8 !7:5\nb0:\n{text}\n}}")).unwrap();
        let function = &mut function.functions[0];
        assert!(super::run(function, &Knobs::default()));
        assert_eq!(verify(function), []);
        assert_eq!(function.to_string().matches("setp.lt").count(), 8);
        // Five times eight iterations are not written out again.
        assert!(!super::run(function, &Knobs::default()));
    }

    #[test]
    fn an_outer_loop_is_written_out_where_the_source_asks() {
        let text = "  %0 = const.b32 0\n  %1 = const.b32 1\n  %2 = const.b32 3\n  \
                    %3 = special tid.x\n  jump b1\nb1:\n  %4 = phi.b32 b0 %0, b3 %8\n  jump b2\nb2:\n  \
                    %5 = phi.b32 b1 %4, b2 %6\n  st.global.b32 %4, %5\n  %6 = add.i32 %5, %1\n  \
                    %7 = setp.lt.s32 %6, %3\n  branch %7, b2, b3\nb3:\n  %8 = add.i32 %4, %1\n  \
                    %9 = setp.lt.s32 %8, %2\n  branch %9, b1, b4 !7:5\nb4:\n  st.global.b32 %3, %8\n  \
                    return";
        let stores = |hint: &str| {
            let mut function = parse(&format!("kernel k {{\n{hint}b0:\n{text}\n}}")).unwrap();
            let function = &mut function.functions[0];
            super::run(function, &Knobs::default());
            assert_eq!(verify(function), []);
            function.to_string().matches("st.global").count()
        };
        assert_eq!(stores(""), 2);
        assert_eq!(stores("  unroll 0 !7:5\n"), 4);
    }

    #[test]
    fn the_knob_says_how_many_rounds_are_few() {
        let tests = |iterations: u32, unroll: u32, hint: &str| {
            let text = format!("kernel k {{\n{hint}b0:\n{}\n}}", count_to(iterations, ""));
            let mut function = parse(&text).unwrap().functions.remove(0);
            super::run(&mut function, &Knobs { unroll, ..Knobs::default() });
            assert_eq!(verify(&function), []);
            function.to_string().matches("setp.lt").count()
        };
        assert_eq!(tests(16, 16, ""), 16);
        assert_eq!(tests(16, 15, ""), 1);
        assert_eq!(tests(40, 40, ""), 40);
        assert_eq!(tests(2, 1, ""), 1);
        assert_eq!(tests(8, 1, "  unroll 4 !7:5\n"), 4);
        assert_eq!(tests(8, 64, "  unroll 1 !7:5\n"), 1);
    }
}
