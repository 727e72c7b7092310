//! Strength reduction of addresses in loops (Aho, Lam, Sethi and Ullman, "Compilers", 2006, 9.1.8;
//! Cooper, Simpson and Vick, "Operator Strength Reduction", 2001): an address that grows by the
//! same in every iteration becomes a pointer that steps.
//!
//! It has to take at least [`LEAST_WORK`] instructions an iteration to be worth the register: a product
//! and the sum it ends in are one. At most [`MOST_POINTERS`] are made for a loop.

use super::edit::{self, Entered};
use crate::ir::{Block, Function, Kind, Location, Operands, Type, Value};
use reconverge_isa::Op;
use reconverge_isa::planted::Planted;
use rustc_hash::FxHashMap;

/// The fewest instructions in the loop that a stepping pointer replaces.
const LEAST_WORK: u32 = 2;
/// The most stepping pointers of a loop.
const MOST_POINTERS: usize = 4;
/// The most operations on the path from a counter to an address.
const MOST_DEPTH: u32 = 16;

/// Runs the pass.
pub fn run(function: &mut Function) -> bool {
    let (_, loops) = edit::enter_loops(function);
    let predecessors = function.predecessors();
    let mut home = vec![Block::ENTRY; function.values.len()];
    for (block, value) in function.placed() {
        home[value.index()] = block;
    }
    let uses = function.use_counts();
    let mut forward = super::forward::Forward::new(function);
    let mut changed = false;
    for found in &loops {
        let from = predecessors[found.header.index()].iter().copied();
        let latches: Vec<Block> = from.filter(|&at| at != found.preheader).collect();
        let &[latch] = latches.as_slice() else {
            continue;
        };
        let mut reduction =
            Reduction { found, latch, home: &mut home, uses: &uses, known: FxHashMap::default() };
        for address in reduction.addresses(function) {
            let pointer = reduction.pointer(function, address);
            forward.replace(address, pointer);
            changed = true;
        }
    }
    forward.apply(function);
    changed
}

/// A value's start, and its growth in each iteration; `None` when it stays the same.
type Line = (Value, Option<Value>);

struct Reduction<'a> {
    found: &'a Entered,
    latch: Block,
    home: &'a mut Vec<Block>,
    uses: &'a [u32],
    /// For each queried value of the loop its growth, if even.
    known: FxHashMap<Value, Option<Growth>>,
}

/// The growth of a value that grows evenly, perhaps by nothing.
#[derive(Clone, Copy, Debug, Default)]
struct Growth {
    /// Instructions of the loop that would no longer be needed if the value were a pointer that
    /// steps. Instructions with other readers stay and do not count.
    work: u32,
    /// Operations below it; bounds the search.
    depth: u32,
    grows: bool,
}

impl Reduction<'_> {
    /// The addresses that are worth a pointer, in the order of their first use.
    fn addresses(&mut self, function: &Function) -> Vec<Value> {
        let mut found: Vec<Value> = Vec::new();
        for &value in self.found.blocks.iter().flat_map(|&block| function.instructions(block)) {
            let Some(mut address) = function.kind(value).address() else {
                continue;
            };
            // A constant at the end is part of the access.
            while let &Kind::Compute(Op::Add, operands) = function.kind(address) {
                if function.constant(operands[1]).is_none() {
                    break;
                }
                address = operands[0];
            }
            if found.len() < MOST_POINTERS
                && !found.contains(&address)
                && self
                    .growth(function, address, 0)
                    .is_some_and(|growth| growth.grows && growth.work >= LEAST_WORK)
            {
                found.push(address);
            }
        }
        found
    }

    fn is_outside(&self, function: &Function, value: Value) -> bool {
        let inside = self.found.contains(self.home[value.index()]);
        !inside || function.kind(value).is_leaf()
    }

    /// The step of a counter of the loop.
    fn step(&self, function: &Function, value: Value) -> Option<Value> {
        let Kind::Phi(incoming) = function.kind(value) else {
            return None;
        };
        let &(_, next) = incoming.iter().find(|(from, _)| *from == self.latch)?;
        let &Kind::Compute(Op::Add, operands) = function.kind(next) else {
            return None;
        };
        let is_counter = self.home[value.index()] == self.found.header;
        let step = match (operands[0], operands[1]) {
            (counter, step) | (step, counter) if counter == value => step,
            _ => return None,
        };
        (is_counter && self.is_outside(function, step)).then_some(step)
    }

    /// The growth of a value; `above` operations have led to it.
    fn growth(&mut self, function: &Function, value: Value, above: u32) -> Option<Growth> {
        if self.is_outside(function, value) {
            return Some(Growth::default());
        }
        if let Some(&known) = self.known.get(&value) {
            return known;
        }
        if above > MOST_DEPTH {
            return None;
        }
        let found = self.growth_of(function, value, above);
        let found = found.filter(|growth| growth.depth <= MOST_DEPTH);
        self.known.insert(value, found);
        found
    }

    fn growth_of(&mut self, function: &Function, value: Value, above: u32) -> Option<Growth> {
        if self.step(function, value).is_some() {
            return Some(Growth { grows: true, ..Growth::default() });
        }
        let &Kind::Compute(op, operands) = function.kind(value) else {
            return None;
        };
        let once = |value: Value| self.uses[value.index()] == 1;
        let is_product = |value: Value| {
            let inside = !self.is_outside(function, value) && once(value);
            inside && matches!(function.kind(value), Kind::Compute(Op::Mul | Op::Shl, _))
        };
        let (x, y) = (operands[0], *operands.get(1)?);
        let own = match op {
            // One product ends in the sum.
            Op::Add if is_product(x) || is_product(y) => 0,
            Op::Add | Op::Sub => 1,
            Op::Mul if self.is_outside(function, x) || self.is_outside(function, y) => 1,
            Op::Shl if function.constant(y).is_some() => 1,
            _ => return None,
        };
        let (once_x, once_y) = (once(x), once(y));
        let of_x = self.growth(function, x, above + 1)?;
        let of_y = self.growth(function, y, above + 1)?;
        Some(Growth {
            work: own + of_x.work * once_x as u32 + of_y.work * once_y as u32,
            depth: 1 + of_x.depth.max(of_y.depth),
            grows: of_x.grows || of_y.grows,
        })
    }

    /// Makes the pointer for an address.
    fn pointer(&mut self, function: &mut Function, address: Value) -> Value {
        let location = function.instruction(address).location;
        let mut lines = FxHashMap::default();
        let (start, Some(step)) = self.line(function, &mut lines, address) else {
            return address;
        };
        let pointer = function.add(Kind::Phi(Vec::new()), Some(Type::B32), location);
        let sum = Kind::Compute(Op::Add, Operands::new(&[pointer, step]));
        let next = function.add(sum, Some(Type::B32), location);
        let mut incoming = vec![(self.found.preheader, start), (self.latch, next)];
        incoming.sort();
        function.values[pointer.index()].kind = Kind::Phi(incoming);
        function.blocks[self.found.header.index()].instructions.insert(0, pointer);
        edit::place_last(function, self.latch, &[next]);
        self.home.extend([self.found.header, self.latch]);
        pointer
    }

    /// Adds an instruction to the preheader.
    fn before(&mut self, function: &mut Function, kind: Kind, location: Location) -> Value {
        let value = function.add(kind, Some(Type::B32), location);
        edit::place_last(function, self.found.preheader, &[value]);
        self.home.push(self.found.preheader);
        value
    }

    /// Computes in the preheader the start and the growth of a value.
    fn line(
        &mut self,
        function: &mut Function,
        lines: &mut FxHashMap<Value, Line>,
        value: Value,
    ) -> Line {
        if let Some(&line) = lines.get(&value) {
            return line;
        }
        let line = self.make_line(function, lines, value);
        lines.insert(value, line);
        line
    }

    fn make_line(
        &mut self,
        function: &mut Function,
        lines: &mut FxHashMap<Value, Line>,
        value: Value,
    ) -> Line {
        let instruction = function.instruction(value).clone();
        let location = instruction.location;
        if !self.found.contains(self.home[value.index()]) {
            return (value, None);
        }
        if let Some(step) = self.step(function, value) {
            let (step, _) = self.line(function, lines, step);
            let Kind::Phi(incoming) = &instruction.kind else {
                return (value, None);
            };
            let entering = incoming.iter().find(|(from, _)| *from == self.found.preheader);
            return (entering.map_or(value, |&(_, start)| start), Some(step));
        }
        let Kind::Compute(op, operands) = instruction.kind else {
            // A leaf in the loop.
            return (self.before(function, instruction.kind, location), None);
        };
        let (x, grows_x) = self.line(function, lines, operands[0]);
        let (y, grows_y) = self.line(function, lines, operands[1]);
        let mut compute = |op: Op, a: Value, b: Value| {
            let kind = Kind::Compute(op, Operands::new(&[a, b]));
            self.before(function, kind, location)
        };
        let start = compute(op, x, y);
        let step = match (op, grows_x, grows_y) {
            (_, None, None) => None,
            (Op::Add | Op::Sub, Some(a), Some(b)) => Some(compute(op, a, b)),
            (Op::Add | Op::Sub, Some(a), None) => Some(a),
            (Op::Add, None, Some(b)) => Some(b),
            // 0 - b, and a product's other factor stays.
            (Op::Sub, None, Some(b)) if Planted::StepSignLost.is_on() => Some(b),
            (Op::Sub, None, Some(b)) => {
                let nothing = compute(Op::Sub, b, b);
                Some(compute(Op::Sub, nothing, b))
            }
            (_, Some(a), _) => Some(compute(op, a, y)),
            (_, None, Some(b)) => Some(compute(op, x, b)),
        };
        (start, step)
    }
}

#[cfg(test)]
mod tests {
    use crate::pass::tests::after;

    #[test]
    fn an_element_of_a_column_becomes_a_stepping_pointer() {
        let text = "  %0 = const.b32 0\n  %1 = const.b32 1\n  %2 = const.b32 2\n  \
                    %3 = param.global 0\n  %4 = special tid.x\n  jump b1\nb1:\n  \
                    %5 = phi.b32 b0 %0, b1 %10\n  %6 = mul.i32 %5, %4\n  %7 = add.i32 %6, %4\n  \
                    %8 = shl.b32 %7, %2\n  %9 = add.i32 %3, %8\n  st.global.b32 %9, %5\n  \
                    %10 = add.i32 %5, %1\n  %11 = setp.lt.s32 %10, %4\n  branch %11, b1, b2\nb2:\n  \
                    return";
        let text = after("induction", text);
        assert!(text.contains("st.global.b32 %22, %5"), "{text}");
        assert!(text.contains("%22 = phi.b32 b0 %21, b1 %23"), "{text}");
        assert!(text.contains("%23 = add.i32 %22, %20"), "{text}");
    }

    #[test]
    fn one_product_and_sum_stay() {
        let text = "  %0 = const.b32 0\n  %1 = const.b32 1\n  %2 = const.b32 2\n  \
                    %3 = param.global 0\n  %4 = special tid.x\n  jump b1\nb1:\n  \
                    %5 = phi.b32 b0 %0, b1 %10\n  %8 = shl.b32 %5, %2\n  %9 = add.i32 %3, %8\n  \
                    st.global.b32 %9, %5\n  %10 = add.i32 %5, %1\n  \
                    %11 = setp.lt.s32 %10, %4\n  branch %11, b1, b2\nb2:\n  return";
        assert_eq!(after("induction", text), format!("{text}\n"));
    }
}
