//! Several operations as one instruction, for selection: trees of bitwise operations with up to
//! three inputs, two opposite shifts that are joined, and a comparison with the condition that it
//! is joined with. The operations that it replaces have no other reader and are in the same block.
//!
//! A tree is identified by its truth table. It becomes an instruction of up to three words with the
//! same table for some order of the inputs (Cong and Ding, "FlowMap", 1994, also cover logic by
//! cuts of few inputs).

use crate::ir::{Block, Function, Kind, Value};
use reconverge_isa::Op;
use reconverge_isa::planted::Planted;
use reconverge_isa::table::evaluate_lane;

/// The parts of the function that the search for a tree may read.
pub struct Fuser<'a> {
    /// The function.
    pub function: &'a Function,
    /// The number of reads of each value.
    pub uses: &'a [u32],
    /// The block of each value.
    pub home: &'a [Block],
}

/// The instructions of two or three words that do bitwise logic, those of two first.
const LOGIC: [Op; 16] = [
    Op::AndNot,
    Op::OrNot,
    Op::And3,
    Op::Or3,
    Op::Xor3,
    Op::AndOr,
    Op::AndXor,
    Op::OrAnd,
    Op::OrXor,
    Op::XorAnd,
    Op::XorOr,
    Op::AndNotAnd,
    Op::AndNotOr,
    Op::AndNotXor,
    Op::BitSelect,
    Op::Majority,
];
/// The most operations of a tree.
const MOST: usize = 4;
/// The columns of a truth table of three inputs.
const COLUMNS: [u64; 3] = [0xf0, 0xcc, 0xaa];
const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// A tree of bitwise operations: the values that it has taken in, and where it ends.
#[derive(Clone)]
struct Tree {
    inner: Vec<Value>,
    inputs: Vec<Value>,
}

impl Fuser<'_> {
    fn is_swallowed(&self, value: Value, block: Block) -> bool {
        self.uses[value.index()] == 1 && self.home[value.index()] == block
    }

    /// The instruction that combines a bitwise operation with those that feed it, and its operands.
    pub fn logic(&self, block: Block, root: Value) -> Option<(Op, Vec<Value>)> {
        let mut best = None;
        let mut most = 1;
        let mut trees = vec![Tree { inner: vec![root], inputs: self.operands(root)? }];
        while let Some(tree) = trees.pop() {
            let size = tree.inner.len();
            if size > most
                && let Some(found) = self.instruction(root, &tree)
            {
                (best, most) = (Some(found), size);
            }
            for (at, &input) in tree.inputs.iter().enumerate() {
                if size < MOST
                    && self.is_swallowed(input, block)
                    && self.funnel(block, input).is_none()
                    && let Some(operands) = self.operands(input)
                {
                    let mut more = tree.clone();
                    more.inner.push(input);
                    more.inputs.splice(at..=at, operands);
                    trees.push(more);
                }
            }
        }
        best
    }

    /// The operands of a bitwise operation on words.
    fn operands(&self, value: Value) -> Option<Vec<Value>> {
        match self.function.kind(value) {
            Kind::Compute(Op::And | Op::Or | Op::Xor | Op::Not, operands) => {
                Some(operands.to_vec())
            }
            _ => None,
        }
    }

    fn instruction(&self, root: Value, tree: &Tree) -> Option<(Op, Vec<Value>)> {
        let mut inputs = tree.inputs.clone();
        // All ones make a complement of an exclusive or: they are no input.
        inputs.retain(|&input| self.function.constant(input) != Some(0xffff_ffff));
        inputs.sort();
        inputs.dedup();
        let leaves = inputs.iter().filter(|&&input| self.function.kind(input).is_leaf()).count();
        // An instruction has one operand that is no register.
        if !(2..=3).contains(&inputs.len()) || leaves > 1 {
            return None;
        }
        let table = self.table(root, &tree.inner, &inputs)?;
        LOGIC.iter().filter(|op| op.row().sources.len() == inputs.len()).find_map(|&op| {
            let order = ORDERS.into_iter().find(|order| {
                // With two inputs the third column is unused.
                (inputs.len() == 3 || order[2] == 2)
                    && evaluate_lane(op, order.map(|at| COLUMNS[at]))
                        .is_some_and(|bits| bits & 0xff == table)
            })?;
            let order = &order[..op.row().sources.len()];
            Some((op, order.iter().map(|&at| inputs[at]).collect()))
        })
    }

    /// The truth table of a tree.
    fn table(&self, value: Value, inner: &[Value], inputs: &[Value]) -> Option<u64> {
        if let Some(at) = inputs.iter().position(|&input| input == value) {
            return Some(COLUMNS[at]);
        }
        if !inner.contains(&value) {
            return self.function.constant(value);
        }
        let Kind::Compute(op, operands) = self.function.kind(value) else {
            return None;
        };
        let mut bits = [0; 3];
        for (bits, &operand) in bits.iter_mut().zip(operands.iter()) {
            *bits = self.table(operand, inner, inputs)?;
        }
        Some(evaluate_lane(*op, bits)? & 0xff)
    }

    /// Two words that are shifted by constants whose sum is 32, to the left and to the right, and
    /// joined, as a rotation is: the instruction, and its operands.
    pub fn funnel(&self, block: Block, root: Value) -> Option<(Op, Vec<Value>)> {
        // Sums and exclusive ors join them too: they have no bits in common.
        let Kind::Compute(Op::Or | Op::Xor | Op::Add, operands) = self.function.kind(root) else {
            return None;
        };
        [(operands[0], operands[1]), (operands[1], operands[0])].into_iter().find_map(
            |(left, right)| {
                let (Op::ShrU32, [low, by], count @ 1..32) = self.with_constant(right)? else {
                    return None;
                };
                let high = self.before_shift(left, low, 32 - count)?;
                // An instruction has one operand that is no register: the count.
                let is_word = |word: Value| !self.function.kind(word).is_leaf();
                // A value with other readers is still computed.
                let swallowed = self.is_swallowed(left, block) || self.is_swallowed(right, block);
                if !swallowed || !is_word(low) || !is_word(high) {
                    return None;
                }
                let words = if Planted::FunnelHalves.is_on() { [high, low] } else { [low, high] };
                Some((Op::FunnelRight, vec![words[0], words[1], by]))
            },
        )
    }

    /// The word that `left` is, shifted to the left by `count`. The shift of a product or a shift
    /// by a constant has become a product or a shift itself: the constants show that it is `word`,
    /// shifted.
    fn before_shift(&self, left: Value, word: Value, count: u64) -> Option<Value> {
        let (op, [of, _], constant) = self.with_constant(left)?;
        if op == Op::Shl && constant == count {
            return Some(of);
        }
        let (inner_op, [inner_of, _], inner) = self.with_constant(word)?;
        let is_shifted = match op {
            Op::Shl => constant == inner + count,
            Op::Mul => constant as u32 == (inner as u32) << count,
            _ => false,
        };
        (is_shifted && op == inner_op && of == inner_of).then_some(word)
    }

    /// An operation of a value and a constant: its operands, and the constant.
    fn with_constant(&self, value: Value) -> Option<(Op, [Value; 2], u64)> {
        match self.function.kind(value) {
            Kind::Compute(op, operands) => match operands[..] {
                [of, by] => Some((*op, [of, by], self.function.constant(by)?)),
                _ => None,
            },
            _ => None,
        }
    }

    /// A comparison joined with another condition: the instruction, and its operands.
    pub fn comparison(&self, block: Block, op: Op, operands: &[Value]) -> Option<(Op, [Value; 3])> {
        let &[one, other] = operands else {
            return None;
        };
        [(other, one), (one, other)].into_iter().find_map(|(compared, condition)| {
            let (mut at, mut negated) = (compared, false);
            loop {
                let Kind::Compute(inner, operands) = self.function.kind(at) else {
                    return None;
                };
                if !self.is_swallowed(at, block) {
                    return None;
                }
                if *inner != Op::XorPred || self.function.constant(operands[1]) != Some(1) {
                    let negated = negated && !Planted::JoinedComplement.is_on();
                    let compares = if negated { inner.complement()? } else { *inner };
                    return Some((compares.joined(op)?, [operands[0], operands[1], condition]));
                }
                (at, negated) = (operands[0], !negated);
            }
        })
    }
}
