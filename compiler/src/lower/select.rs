//! Instruction selection: the intermediate representation to machine instructions on virtual
//! registers.
//!
//! A backward walk decides the form of each instruction: its immediate or constant operand (at most
//! one), and the operations that it includes (an addition its product, an access the sum that is
//! its address). Values without demand at the end are not emitted. A leaf that some instruction
//! needs in a register is moved there once, outside of loops. Then a forward walk emits the forms.

use super::annotate::Claims;
use super::divide::{Division, Part};
use super::fuse::Fuser;
use super::layout;
use super::machine::{Class, Code, Copies, End, Inst, Item, MachineBlock, Operand, Reg};
use crate::analysis::value_range::Ranges;
use crate::analysis::{DominatorTree, Loops};
use crate::ir::{Access, Block, Function, Kind, Type, Value};
use reconverge_isa::planted::Planted;
use reconverge_isa::table::OperandKind;
use reconverge_isa::{
    CONSTANT_BASE, CacheHints, Effect, GLOBAL_BASE, LOCAL_BASE, Location, Op, Queue, SHARED_BASE,
    Space, ValueClass, ValueKind, Width,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// The further tasks of selection beside choosing an instruction for each operation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked {
    /// A sum takes in its product, and an access the sum that is its address.
    pub sums: bool,
    /// Several bitwise operations or conditions become one instruction ([`Fuser`]).
    pub fuse: bool,
    /// Divisions by constants become products ([`Division`]).
    pub divide: bool,
}

/// Selects instructions for a function without critical edges to phis and without dead code.
/// `literals` are in the constant bank already; `asked` decides which instructions may combine
/// several operations, or one.
pub fn select(
    function: &Function,
    order: &[Block],
    dominators: &DominatorTree,
    loops: &Loops,
    claims: &Claims,
    literals: Vec<u32>,
    asked: Asked,
) -> Code {
    let (slots, local_bytes) = layout::slots(function);
    let parameter_bytes = parameter_bytes(function);
    let mut selector = Selector {
        function,
        dominators,
        loops,
        claims,
        slots,
        home: vec![Block::ENTRY; function.values.len()],
        vanishes: Vec::new(),
        several: Several { asked, uses: function.use_counts(), ranges: None },
        demand: vec![0; function.values.len()],
        forms: vec![None; function.values.len()],
        leaf_uses: vec![None; function.values.len()],
        copies: FxHashMap::default(),
        registers: vec![None; function.values.len()],
        joins: FxHashMap::default(),
        parts: FxHashMap::default(),
        grouped: FxHashSet::default(),
        tuples: FxHashSet::default(),
        pool: pool(&literals, parameter_bytes.next_multiple_of(8)),
        code: Code {
            blocks: Vec::new(),
            classes: Vec::new(),
            value_classes: Vec::new(),
            pinned: Vec::new(),
            literals,
            literal_offset: parameter_bytes.next_multiple_of(8),
            local_bytes,
            raw_spills: false,
        },
    };
    for (block, value) in function.placed() {
        selector.home[value.index()] = block;
        if let &Kind::Part(whole, word) = function.kind(value) {
            selector.parts.entry(whole).or_default().push((word, value));
        }
    }
    selector.vanishes = vanishing(function, &selector.home, &selector.several.uses);
    selector.choose_forms();
    let leaves = selector.place_leaves();
    selector.emit(order, leaves);
    selector.code
}

/// Bytes of the parameter area, in whole words.
pub fn parameter_bytes(function: &Function) -> u32 {
    let ends = function.parameters.iter().map(|parameter| parameter.offset + parameter.size);
    ends.max().unwrap_or(0).next_multiple_of(4)
}

/// The positions of literals that another part of the kernel has put into the constant bank.
fn pool(literals: &[u32], start: u32) -> FxHashMap<u64, u16> {
    let pairs = literals.chunks_exact(2).zip((start..).step_by(8));
    let place = |(pair, offset): (&[u32], u32)| {
        Some((u64::from(pair[0]) | u64::from(pair[1]) << 32, u16::try_from(offset).ok()?))
    };
    pairs.filter_map(place).collect()
}

/// The most sums that a product is computed in instead of by itself: it then costs the multiplier
/// as often.
const MOST_SUMS: u32 = 2;

/// For each value whether, as a product, it can be a part of all sums that read it.
fn vanishing(function: &Function, home: &[Block], uses: &[u32]) -> Vec<bool> {
    let mut sums = vec![0; function.values.len()];
    for (block, value) in function.placed() {
        if let Kind::Compute(Op::Add | Op::Add64, operands) = function.kind(value) {
            for (product, addend) in [(operands[0], operands[1]), (operands[1], operands[0])] {
                let here = home[product.index()] == block;
                sums[product.index()] += (here && function.constant(addend).is_none()) as u32;
            }
        }
    }
    let all = |(uses, sums): (&u32, &u32)| *sums > 0 && sums == uses && *sums <= MOST_SUMS;
    uses.iter().zip(&sums).map(all).collect()
}

/// A source before registers are known.
#[derive(Clone, Copy, Debug, Default)]
enum Source {
    #[default]
    None,
    Value(Value),
    /// A predicate, perhaps its complement.
    Pred(Value, bool),
    Ready(Operand),
}

/// The form in which an instruction will be emitted.
#[derive(Clone, Copy, Debug)]
struct Form {
    op: Op,
    sources: [Source; 3],
    space: Space,
    width: Width,
    offset: i32,
    pair_address: bool,
    volatile: bool,
    raw: bool,
    cache: CacheHints,
    site: Option<u8>,
    /// The predicate under which it acts, and its result elsewhere.
    guard: Option<(Source, Source)>,
    /// It is a division by a constant, which takes several instructions.
    division: Option<Division>,
}

/// The block in which a leaf has to be in a register: the lowest block above all uses.
type LeafUse = Block;

/// The analyses for operations that become one instruction, or several.
struct Several<'a> {
    asked: Asked,
    /// The number of reads of a value in the function.
    uses: Vec<u32>,
    /// The ranges of all values, when a division needs them.
    ranges: Option<Ranges<'a>>,
}

struct Selector<'a> {
    function: &'a Function,
    dominators: &'a DominatorTree,
    loops: &'a Loops,
    claims: &'a Claims,
    slots: Vec<u32>,
    home: Vec<Block>,
    /// The products that can be a part of every sum that reads them.
    vanishes: Vec<bool>,
    several: Several<'a>,
    /// The number of uses of a value in a register.
    demand: Vec<u32>,
    forms: Vec<Option<Form>>,
    leaf_uses: Vec<Option<LeafUse>>,
    /// For each predecessor the sources of its successor's phis.
    copies: FxHashMap<Block, Vec<(Value, Source)>>,
    registers: Vec<Option<Reg>>,
    /// By the value of a wide store: its parts.
    joins: FxHashMap<Value, Vec<(Source, Class)>>,
    /// By wide load, its parts with their places.
    parts: FxHashMap<Value, Vec<(u8, Value)>>,
    /// Registers that have to follow others, or be followed by them.
    grouped: FxHashSet<Reg>,
    /// The tuples of matrices that are values' own registers, which others may read too.
    tuples: FxHashSet<Vec<Reg>>,
    /// Offsets of 64-bit literals.
    pool: FxHashMap<u64, u16>,
    code: Code,
}

/// The form in which an operand is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Read {
    Word,
    Integer64,
    Float64,
    /// 64 bits of either kind: only a pattern that looks the same as both may be immediate.
    Any64,
}

fn read_as(op: Op, index: usize, width: Width) -> Read {
    match op.row().sources[index].1 {
        OperandKind::Value(ValueKind::U64 | ValueKind::I64) => Read::Integer64,
        OperandKind::Value(ValueKind::F64) => Read::Float64,
        OperandKind::Width if width == Width::B64 => Read::Any64,
        _ => Read::Word,
    }
}

impl Source {
    /// The value that it reads from a register.
    fn value(self) -> Option<Value> {
        match self {
            Source::Value(value) | Source::Pred(value, _) => Some(value),
            _ => None,
        }
    }
}

impl Selector<'_> {
    /// Decides forms, uses before definitions: blocks in postorder, instructions backwards.
    fn choose_forms(&mut self) {
        let mut blocks = self.function.reverse_postorder();
        blocks.reverse();
        let mut incoming = self.incoming();
        for block in blocks {
            self.choose_copies(block, std::mem::take(&mut incoming[block.index()]));
            for &value in self.function.instructions(block).iter().rev() {
                self.choose(block, value);
            }
        }
    }

    /// For each block the phis after it, in order, and their values when control enters from it.
    fn incoming(&self) -> Vec<Vec<(Value, Value)>> {
        let mut found = vec![Vec::new(); self.function.blocks.len()];
        for block in self.function.existing_blocks() {
            for phi in self.function.phis(block) {
                if let Kind::Phi(incoming) = self.function.kind(phi) {
                    incoming
                        .iter()
                        .for_each(|&(from, value)| found[from.index()].push((phi, value)));
                }
            }
        }
        found
    }

    /// The copies at the end of a block: there are no critical edges, so that it goes to no other
    /// block than that of the phis.
    fn choose_copies(&mut self, block: Block, incoming: Vec<(Value, Value)>) {
        for (phi, operand) in incoming {
            let read = match self.function.ty(phi) {
                Type::B64 => Read::Integer64,
                _ => Read::Word,
            };
            let source = match self.function.ty(phi) {
                Type::Pred => self.predicate(operand, block),
                _ => match self.foldable(operand, read) {
                    Some(ready) => Source::Ready(ready),
                    None => self.ask(operand, block),
                },
            };
            self.copies.entry(block).or_default().push((phi, source));
        }
    }

    /// Asks for a value in a register at a block.
    fn ask(&mut self, value: Value, block: Block) -> Source {
        self.demand[value.index()] += 1;
        if self.function.kind(value).is_leaf() {
            let lowest = match self.leaf_uses[value.index()] {
                None => block,
                Some(other) => self.dominators.common(other, block).unwrap_or(Block::ENTRY),
            };
            self.leaf_uses[value.index()] = Some(lowest);
        }
        Source::Value(value)
    }

    /// A predicate; complements are read, not computed.
    fn predicate(&mut self, value: Value, block: Block) -> Source {
        let (mut value, mut negated) = (value, false);
        while let Kind::Compute(Op::XorPred, operands) = self.function.kind(value) {
            if self.function.constant(operands[1]) != Some(1) {
                break;
            }
            value = operands[0];
            negated = !negated;
        }
        self.ask(value, block);
        Source::Pred(value, negated && !Planted::ComplementLost.is_on())
    }

    /// The 32 address bits of a leaf that is a known number.
    fn known_word(&self, value: Value) -> Option<u32> {
        match *self.function.kind(value) {
            Kind::Constant(bits) => Some(bits as u32),
            Kind::Address(space, offset) => Some(base(space).wrapping_add(offset)),
            Kind::Slot(slot) => {
                Some(LOCAL_BASE + self.slots.get(slot.0 as usize).copied().unwrap_or(0))
            }
            _ => None,
        }
    }

    /// The operand that needs no register, if the value has one.
    fn foldable(&mut self, value: Value, read: Read) -> Option<Operand> {
        if let &Kind::Parameter { offset, .. } = self.function.kind(value) {
            return Some(Operand::Const(offset as u16));
        }
        if read == Read::Word {
            return self.known_word(value).map(Operand::Imm);
        }
        let bits = self.function.constant(value)?;
        self.immediate(bits, read)
    }

    /// The operand that is a number.
    fn immediate(&mut self, bits: u64, read: Read) -> Option<Operand> {
        let as_integer = bits as u32 as i32 as i64 as u64 == bits;
        let as_float = bits as u32 == 0;
        match read {
            Read::Word => Some(Operand::Imm(bits as u32)),
            Read::Integer64 if as_integer => Some(Operand::Imm(bits as u32)),
            Read::Float64 if as_float => Some(Operand::Imm((bits >> 32) as u32)),
            Read::Any64 if bits == 0 => Some(Operand::Imm(0)),
            _ => self.literal(bits).map(Operand::Const),
        }
    }

    /// The place of a 64-bit literal in the constant bank, while there is room.
    fn literal(&mut self, bits: u64) -> Option<u16> {
        let key = if Planted::LiteralsClash.is_on() { bits & 0xFFFF_FFFF } else { bits };
        if let Some(&offset) = self.pool.get(&key) {
            return Some(offset);
        }
        let offset = self.code.literal_offset as usize + 4 * self.code.literals.len();
        let offset = u16::try_from(offset).ok().filter(|&offset| offset <= u16::MAX - 8)?;
        self.code.literals.extend([bits as u32, (bits >> 32) as u32]);
        self.pool.insert(key, offset);
        Some(offset)
    }

    fn choose(&mut self, block: Block, value: Value) {
        let function = self.function;
        let kind = function.kind(value);
        if kind.is_leaf() || (function.is_removable(value) && self.demand[value.index()] == 0) {
            return;
        }
        let form = match kind.unguarded() {
            Kind::Part(whole, _) => {
                self.demand[whole.index()] += 1;
                return;
            }
            Kind::Compute(op, operands) => self.arithmetic(block, value, *op, operands),
            Kind::Load(access, address) => self.access(block, Op::Load, access, &[*address]),
            Kind::Store(access, address, stored) => {
                self.access(block, Op::Store, access, &[*address, *stored])
            }
            Kind::Atomic(op, space, operands) => {
                let access = Access { space: *space, width: Width::B32, ..Access::default() };
                self.access(block, *op, &access, operands)
            }
            Kind::Collective(op, operands) if op.is_matrix_access() => {
                let (space, width) = (Space::Shared, Width::B128);
                let access = Access { space, width, ..Access::default() };
                self.access(block, *op, &access, operands)
            }
            Kind::Collective(op, operands) => {
                for &operand in operands.iter() {
                    if let Kind::Join(parts) = function.kind(operand) {
                        self.choose_parts(block, operand, parts);
                    }
                }
                form(*op, self.operands(block, *op, Width::B32, operands))
            }
            Kind::Matched(op, operands, site) => {
                let sources = self.operands(block, *op, Width::B32, operands);
                Form { site: Some(*site), ..form(*op, sources) }
            }
            Kind::Enqueue(queue, site, access, address) => {
                let form = match queue {
                    Queue::Data => self.access(block, Op::EnqueueData, access, &[*address]),
                    Queue::Address => self.access(block, Op::EnqueueAddress, access, &[*address]),
                    Queue::Predicate => {
                        let source = self.predicate(*address, block);
                        form(Op::EnqueuePredicate, [source, Source::None, Source::None])
                    }
                };
                Form { site: Some(*site), ..form }
            }
            Kind::Branch(condition, ..) => {
                let source = match self.dequeued(*condition) {
                    Some(source) => source,
                    None => self.predicate(*condition, block),
                };
                form(Op::Branch, [source, Source::None, Source::None])
            }
            _ => return,
        };
        self.forms[value.index()] = Some(Form { guard: self.guard(block, value), ..form });
    }

    /// The guard of an access, and the value of its result where the guard is false.
    fn guard(&mut self, block: Block, value: Value) -> Option<(Source, Source)> {
        let function = self.function;
        let Kind::Guarded(guarded) = function.kind(value) else {
            return None;
        };
        let holds = self.predicate(guarded.holds, block);
        let is_read = matches!(guarded.access, Kind::Load(..)) || self.demand[value.index()] != 0;
        let Some(other) = guarded.otherwise.filter(|_| is_read) else {
            return Some((holds, Source::None));
        };
        if let Kind::Join(parts) = function.kind(other) {
            self.choose_parts(block, other, parts);
        }
        let read = if function.ty(other) == Type::B64 { Read::Integer64 } else { Read::Word };
        let other = match self.foldable(other, read) {
            Some(ready) => Source::Ready(ready),
            None => self.ask(other, block),
        };
        Some((holds, other))
    }

    /// A value dequeued for an instruction needs no register.
    fn dequeued(&self, value: Value) -> Option<Source> {
        match *self.function.kind(value) {
            Kind::Dequeue(queue, site) => Some(Source::Ready(Operand::Dequeue(queue, site))),
            _ => None,
        }
    }

    /// Chooses each operand's form: of those that could do without a register the last does.
    fn operands(&mut self, block: Block, op: Op, width: Width, operands: &[Value]) -> [Source; 3] {
        let mut sources = [Source::None; 3];
        let mut folded = false;
        for (index, &operand) in operands.iter().enumerate().rev() {
            if let Some(source) = self.dequeued(operand) {
                sources[index] = source;
                continue;
            }
            if self.function.ty(operand) == Type::Pred {
                sources[index] = self.predicate(operand, block);
                continue;
            }
            let ready = match folded {
                true => None,
                false => self.foldable(operand, read_as(op, index, width)),
            };
            folded |= ready.is_some();
            sources[index] = match ready {
                Some(ready) => Source::Ready(ready),
                None => self.ask(operand, block),
            };
        }
        sources
    }

    fn arithmetic(&mut self, block: Block, value: Value, op: Op, operands: &[Value]) -> Form {
        if let (Op::Add | Op::Add64, true) = (op, self.several.asked.sums) {
            for (one, other) in [(0, 1), (1, 0)] {
                if let Some(form) = self.multiply_add(block, op, operands[one], operands[other]) {
                    return form;
                }
            }
        }
        if let (Op::Mov, Kind::Special(special)) = (op, self.function.kind(operands[0])) {
            let source = Source::Ready(Operand::Special(*special));
            return form(op, [source, Source::None, Source::None]);
        }
        if let Some(form) = self.division(block, op, operands) {
            return form;
        }
        if self.several.asked.fuse {
            let (function, uses, home) = (self.function, &self.several.uses, &self.home);
            let fuser = Fuser { function, uses, home };
            let fused = match op {
                Op::Or | Op::Xor | Op::Add if let Some(found) = fuser.funnel(block, value) => {
                    Some(found)
                }
                Op::And | Op::Or | Op::Xor | Op::Not => fuser.logic(block, value),
                Op::AndPred | Op::OrPred => fuser
                    .comparison(block, op, operands)
                    .map(|(op, operands)| (op, operands.to_vec())),
                _ => None,
            };
            if let Some((op, operands)) = fused {
                return form(op, self.operands(block, op, Width::B32, &operands));
            }
        }
        let sources = self.operands(block, op, Width::B32, operands);
        form(op, sources)
    }

    /// A quotient or remainder by a constant as a product.
    fn division(&mut self, block: Block, op: Op, operands: &[Value]) -> Option<Form> {
        let &[dividend, divisor] = operands else {
            return None;
        };
        let divisor = self.function.constant(divisor).filter(|_| self.several.asked.divide)?;
        let width = Division::new(op, divisor, 64, 63)?.bits();
        let function = self.function;
        let range =
            self.several.ranges.get_or_insert_with(|| Ranges::new(function)).at(dividend, block);
        let bits = if range.is_not_negative() { 64 - range.high.leading_zeros() } else { width };
        let magnitude = range.high.unsigned_abs().max((!range.low).unsigned_abs());
        let magnitude = 64 - magnitude.leading_zeros();
        let division = Division::new(op, divisor, bits, magnitude);
        let sources = [self.ask(dividend, block), Source::None, Source::None];
        Some(Form { division, ..form(op, sources) })
    }

    /// `product + addend` as one instruction, if nothing but such sums needs the product.
    fn multiply_add(
        &mut self,
        block: Block,
        op: Op,
        product: Value,
        addend: Value,
    ) -> Option<Form> {
        let function = self.function;
        let &Kind::Compute(inner, factors) = function.kind(product) else {
            return None;
        };
        if !self.vanishes[product.index()] || function.constant(addend).is_some() {
            return None;
        }
        let mad = if op == Op::Add { Op::Mad } else { Op::Mad64 };
        match inner {
            Op::Mul | Op::Mul64 => {
                let operands = [factors[0], factors[1], addend];
                // With two operands that need no register, a separate sum is as short.
                Some(form(mad, self.operands(block, mad, Width::B32, &operands)))
            }
            Op::Shl | Op::Shl64 => {
                let count = function.constant(factors[1])?;
                if count > 30 {
                    return None;
                }
                let leaf = function.kind(addend).is_leaf();
                // The factor is the one immediate: a leaf then costs a register, which pays where
                // it is filled once for many iterations.
                if leaf && self.loops.depth(block) == 0 {
                    return None;
                }
                let x = self.ask(factors[0], block);
                let addend = self.ask(addend, block);
                Some(form(mad, [x, Source::Ready(Operand::Imm(1 << count)), addend]))
            }
            _ => None,
        }
    }

    /// A memory access: constants in the address become its offset.
    fn access(&mut self, block: Block, op: Op, access: &Access, operands: &[Value]) -> Form {
        const LIMIT: i32 = 1 << 23;
        let (mut address, mut offset) = (operands[0], 0i32);
        let is_wide = self.function.ty(address) == Type::B64;
        if let Some(&stored) = operands.get(1)
            && let Kind::Join(parts) = self.function.kind(stored)
        {
            self.choose_parts(block, stored, parts);
        }
        while is_wide
            && let Some((base, bits)) = self.addend(address)
            && let Some(sum) = i64::from(offset).checked_add(bits)
            && (-i64::from(LIMIT)..i64::from(LIMIT)).contains(&sum)
        {
            (address, offset) = (base, sum as i32);
        }
        loop {
            let inner = match self.function.kind(address) {
                _ if is_wide => break,
                Kind::Compute(Op::Add, inner) => inner,
                Kind::Compute(Op::Add64, inner) if self.several.asked.sums => inner,
                // For a pair of registers the access reads the first one. The affine stream has
                // tuples of pairs.
                Kind::Compute(Op::Low, inner) if op.row().effect != Effect::Enqueue => {
                    address = inner[0];
                    continue;
                }
                _ => break,
            };
            let Some(bits) = self.function.constant(inner[1]) else {
                break;
            };
            match offset.checked_add(bits as u32 as i32) {
                Some(sum) if (-LIMIT..LIMIT).contains(&sum) => offset = sum,
                _ => break,
            }
            address = inner[0];
        }
        let mut operands = crate::ir::Operands::new(operands);
        operands[0] = address;
        let mut sources = self.operands(block, op, access.width, &operands);
        if is_wide && matches!(sources[0], Source::Ready(_)) {
            let known = self.function.constant(address);
            let fits = known.is_some_and(|it| it.wrapping_add(offset as u64) >> 32 == 0);
            if !fits {
                sources[0] = self.ask(address, block);
            }
        }
        let pair_address = is_wide && matches!(sources[0], Source::Value(_));
        if let Source::Ready(Operand::Imm(base)) = sources[0] {
            let by = if Planted::OffsetForgotten.is_on() { 0 } else { offset as u32 };
            sources[0] = Source::Ready(Operand::Imm(base.wrapping_add(by)));
            offset = 0;
        }
        let Access { space, width, volatile, raw, cache, .. } = *access;
        Form { space, width, offset, pair_address, volatile, raw, cache, ..form(op, sources) }
    }

    /// The value and the constant that an address of 64 bits is the sum of, if the access can add
    /// the constant.
    fn addend(&self, address: Value) -> Option<(Value, i64)> {
        let function = self.function;
        let computed = || match function.kind(address) {
            Kind::Compute(Op::Add64, inner) if self.several.asked.sums => {
                Some((inner[0], function.constant(inner[1])? as i64))
            }
            _ => None,
        };
        function.offset_in_brackets(address).or_else(computed)
    }

    /// The parts of a wide store's value: those that need no register are moved to the others.
    fn choose_parts(&mut self, block: Block, join: Value, parts: &[Value]) {
        let mut chosen = Vec::with_capacity(parts.len());
        for &part in parts {
            let (class, read) = match self.function.ty(part) {
                Type::B64 => (Class::Pair, Read::Integer64),
                _ => (Class::Word, Read::Word),
            };
            let source = match self.foldable(part, read) {
                Some(ready) => Source::Ready(ready),
                None => self.ask(part, block),
            };
            chosen.push((source, class));
        }
        self.joins.insert(join, chosen);
    }

    /// For each block the leaves to move into registers there: at the uses if they are in one
    /// block, but never in a loop when they can be outside.
    fn place_leaves(&mut self) -> FxHashMap<Block, Vec<Value>> {
        // The lowest of the blocks above each, itself included, that are in the fewest loops.
        let mut best: Vec<Block> = (0..self.function.blocks.len() as u32).map(Block).collect();
        for block in self.dominators.preorder() {
            if let Some(above) = self.dominators.parent(block) {
                let above = best[above.index()];
                if self.loops.depth(above) < self.loops.depth(block) {
                    best[block.index()] = above;
                }
            }
        }
        let mut placed: FxHashMap<Block, Vec<Value>> = FxHashMap::default();
        for (index, lowest) in self.leaf_uses.iter().enumerate() {
            if let Some(lowest) = lowest {
                placed.entry(best[lowest.index()]).or_default().push(Value(index as u32));
            }
        }
        placed
    }
}

/// A form that is no memory access.
fn form(op: Op, sources: [Source; 3]) -> Form {
    Form {
        op,
        sources,
        space: Space::Generic,
        width: Width::B32,
        offset: 0,
        pair_address: false,
        volatile: false,
        raw: false,
        cache: CacheHints::NONE,
        site: None,
        guard: None,
        division: None,
    }
}

fn base(space: Space) -> u32 {
    match space {
        Space::Generic => 0,
        Space::Global => GLOBAL_BASE,
        Space::Shared => SHARED_BASE,
        Space::Local => LOCAL_BASE,
        Space::Constant => CONSTANT_BASE,
    }
}

/// The second half: from forms to instructions.
impl Selector<'_> {
    fn emit(&mut self, order: &[Block], mut leaves: FxHashMap<Block, Vec<Value>>) {
        let mut position = vec![0; self.function.blocks.len()];
        for (at, block) in order.iter().enumerate() {
            position[block.index()] = at;
        }
        for &block in order {
            let leaves = leaves.remove(&block).unwrap_or_default();
            let items = self.items(block, leaves);
            let terminator = self.function.terminator(block);
            let end_location =
                terminator.map_or(Location::default(), |at| self.function.instruction(at).location);
            let end = match terminator.map(|at| self.function.kind(at)) {
                Some(Kind::Jump(target)) => End::Jump(position[target.index()]),
                Some(Kind::Branch(condition, then, otherwise)) => {
                    let (then, otherwise) = (position[then.index()], position[otherwise.index()]);
                    match *self.function.kind(*condition) {
                        Kind::Dequeue(_, site) => End::Dequeue(site, then, otherwise),
                        _ => {
                            let (condition, negated) = self.branch_condition(terminator);
                            End::Branch(condition, negated, then, otherwise)
                        }
                    }
                }
                _ => End::Exit,
            };
            let depth = self.loops.depth(block);
            self.code.blocks.push(MachineBlock { items, end, end_location, origin: block, depth });
        }
    }

    fn branch_condition(&mut self, terminator: Option<Value>) -> (Reg, bool) {
        let form = terminator.and_then(|at| self.forms[at.index()]);
        match form.map(|form| form.sources[0]) {
            Some(Source::Pred(value, negated)) => (self.reg(value), negated),
            _ => (self.code.reg(Class::Predicate), false),
        }
    }

    /// The instructions of a block. Each of its leaves is right before the first instruction that
    /// reads it, which keeps its register free until then.
    fn items(&mut self, block: Block, mut leaves: Vec<Value>) -> Vec<Item> {
        let mut items = Vec::new();
        let mut waiting: FxHashSet<Value> = leaves.iter().copied().collect();
        for &value in self.function.instructions(block) {
            let Some(form) = self.forms[value.index()] else {
                continue;
            };
            let join_of =
                |source: Source| source.value().and_then(|value| self.joins.get(&value)).cloned();
            let joins = form.sources.map(join_of);
            let (guard, other) = form.guard.unwrap_or_default();
            let others = join_of(other);
            let parts = joins.iter().flatten().chain(&others).flatten().map(|(source, _)| source);
            for source in form.sources.iter().chain([&guard, &other]).chain(parts) {
                if let Some(value) = source.value()
                    && waiting.remove(&value)
                {
                    self.emit_leaf(value, &mut items);
                }
            }
            if form.op == Op::Branch {
                continue;
            }
            if let Some(division) = form.division {
                self.divide(value, &form, division, &mut items);
                continue;
            }
            let mut tuples = [const { None }; 3];
            for ((tuple, parts), source) in tuples.iter_mut().zip(&joins).zip(form.sources) {
                if let (Some(parts), Some(join)) = (parts, source.value()) {
                    *tuple = Some(match form.op.is_matrix() {
                        true => self.matrix_tuple(value, join, parts, &mut items),
                        false => self.gather(value, parts, &mut items),
                    });
                }
            }
            let inst = self.inst(value, &form, tuples);
            self.keep_other(&inst, other, others.as_deref(), &mut items);
            items.push(Item::Inst(inst));
        }
        leaves.retain(|leaf| waiting.contains(leaf));
        for leaf in leaves {
            self.emit_leaf(leaf, &mut items);
        }
        if let Some(copies) = self.copies.remove(&block) {
            let location = self
                .function
                .terminator(block)
                .map_or(Location::default(), |at| self.function.instruction(at).location);
            let copies: Copies = copies
                .into_iter()
                .map(|(phi, source)| (self.reg(phi), self.operand(source)))
                .collect();
            items.push(Item::Copies(copies, location));
        }
        items
    }

    /// The steps of a division by a constant. The intermediate values are the same in all threads
    /// if the dividend is, at the place of the division. After a loop that threads leave at
    /// different times only the result is known.
    fn divide(&mut self, value: Value, form: &Form, division: Division, items: &mut Vec<Item>) {
        let location = self.function.instruction(value).location;
        let dividend = self.operand(form.sources[0]);
        let is_uniform = |value: Value| self.claims.class(value) == ValueClass::Uniform;
        let between = match form.sources[0].value() {
            Some(dividend) if is_uniform(dividend) && is_uniform(value) => ValueClass::Uniform,
            _ => ValueClass::Unknown,
        };
        let class_of_steps = if division.bits() == 32 { Class::Word } else { Class::Pair };
        let steps = division.steps();
        let last = steps.len() - 1;
        let mut results: Vec<Reg> = Vec::with_capacity(steps.len());
        for (at, (op, parts)) in steps.into_iter().enumerate() {
            let sources: Vec<Operand> = parts
                .into_iter()
                .enumerate()
                .map(|(index, part)| match part {
                    Part::Dividend => dividend,
                    Part::Step(at) => Operand::Reg(results[at]),
                    Part::Number(bits) => {
                        let read = read_as(op, index, Width::B32);
                        self.number(bits, read, location, items)
                    }
                })
                .collect();
            let (dest, class) = match at == last {
                true => (self.reg(value), self.claims.class(value)),
                false => (self.code.reg(class_of_steps), between),
            };
            self.code.value_classes[dest.index()] = class;
            let own = (at == last).then_some(value);
            let inst = Inst::new(op, Some(dest), &sources, location);
            items.push(Item::Inst(Inst { class, value: own, ..inst }));
            results.push(dest);
        }
    }

    /// A number as an operand, put into registers when there is no room for it among the literals.
    fn number(
        &mut self,
        bits: u64,
        read: Read,
        location: Location,
        items: &mut Vec<Item>,
    ) -> Operand {
        if let Some(operand) = self.immediate(bits, read) {
            return operand;
        }
        let pair = self.code.reg(Class::Pair);
        self.code.value_classes[pair.index()] = ValueClass::Uniform;
        self.pack(bits, pair, ValueClass::Uniform, location, items);
        Operand::Reg(pair)
    }

    /// Puts 64 bits into a pair of registers.
    fn pack(
        &mut self,
        bits: u64,
        pair: Reg,
        class: ValueClass,
        location: Location,
        items: &mut Vec<Item>,
    ) {
        let low = self.code.reg(Class::Word);
        let halves = [Operand::Imm(bits as u32), Operand::Imm((bits >> 32) as u32)];
        for inst in [
            Inst::new(Op::Mov, Some(low), &halves[..1], location),
            Inst::new(Op::Pack, Some(pair), &[Operand::Reg(low), halves[1]], location),
        ] {
            items.push(Item::Inst(Inst { class, ..inst }));
        }
    }

    /// The virtual register of a value.
    fn reg(&mut self, value: Value) -> Reg {
        if let Some(reg) = self.registers[value.index()] {
            return reg;
        }
        let class = match self.function.ty(value) {
            Type::Pred => Class::Predicate,
            Type::B32 => Class::Word,
            Type::B64 | Type::B128 => Class::Pair,
        };
        let reg = self.code.reg(class);
        self.code.value_classes[reg.index()] = self.claims.class(value);
        self.registers[value.index()] = Some(reg);
        reg
    }

    fn operand(&mut self, source: Source) -> Operand {
        match source {
            Source::None => Operand::None,
            Source::Value(value) => Operand::Reg(self.reg(value)),
            Source::Pred(value, negated) => Operand::Pred(self.reg(value), negated),
            Source::Ready(operand) => operand,
        }
    }

    /// The registers of a wide store's parts. A part that follows others elsewhere, or is no register,
    /// is copied.
    fn gather(
        &mut self,
        store: Value,
        parts: &[(Source, Class)],
        items: &mut Vec<Item>,
    ) -> Vec<Reg> {
        let mut copies = Copies::new();
        let mut registers = Vec::with_capacity(parts.len());
        for &(part, class) in parts {
            let function = self.function;
            let free = |value: &Value| !matches!(function.kind(*value), Kind::Part(..));
            let own = part.value().filter(free).map(|value| self.reg(value));
            let reg = match own.filter(|&reg| self.grouped.insert(reg)) {
                Some(reg) => reg,
                None => {
                    let reg = self.code.reg(class);
                    self.grouped.insert(reg);
                    copies.push((reg, self.operand(part)));
                    reg
                }
            };
            registers.push(reg);
        }
        if !copies.is_empty() {
            items.push(Item::Copies(copies, self.function.instruction(store).location));
        }
        registers
    }

    /// The registers of a matrix in a product. Those of another product's result or of a wide load are read where they are, and
    /// so are those that another product reads in the same order.
    fn matrix_tuple(
        &mut self,
        product: Value,
        join: Value,
        parts: &[(Source, Class)],
        items: &mut Vec<Item>,
    ) -> Vec<Reg> {
        if let Kind::Join(values) = self.function.kind(join)
            && self.are_a_whole(values)
        {
            return values.iter().map(|&value| self.reg(value)).collect();
        }
        let values = parts.iter().map(|(source, _)| source.value());
        let values: Vec<Value> = values.flatten().collect();
        let own: Vec<Reg> = values.iter().map(|&value| self.reg(value)).collect();
        if own.len() == parts.len() && self.tuples.contains(&own) {
            return own;
        }
        let gathered = self.gather(product, parts, items);
        if gathered == own {
            self.tuples.insert(own);
        }
        gathered
    }

    /// Returns true if some values are all parts of one wide value, in order.
    fn are_a_whole(&self, values: &[Value]) -> bool {
        let Some(&Kind::Part(whole, 0)) = values.first().map(|&value| self.function.kind(value))
        else {
            return false;
        };
        let mut at = 0;
        let are_parts = values.iter().all(|&value| {
            let is_next = *self.function.kind(value) == Kind::Part(whole, at);
            at += self.function.ty(value).words() as u8;
            is_next
        });
        are_parts && u32::from(at) == self.function.ty(whole).words()
    }

    /// The registers that a wide load or a product of matrices writes: those of its parts, and some for the words that
    /// nothing reads.
    fn scatter(&mut self, load: Value, mut parts: Vec<(u8, Value)>) -> Vec<Reg> {
        parts.sort();
        let words = self.function.ty(load).words() as u8;
        let mut registers = Vec::new();
        let mut at = 0;
        for (word, part) in
            parts.into_iter().map(|(word, part)| (word, Some(part))).chain([(words, None)])
        {
            while at < word {
                registers.push(self.code.reg(Class::Word));
                at += 1;
            }
            if let Some(part) = part {
                let reg = self.reg(part);
                registers.push(reg);
                at += self.code.class(reg).words();
            }
        }
        self.grouped.extend(registers.iter().copied());
        registers
    }

    fn inst(&mut self, value: Value, form: &Form, tuples: [Option<Vec<Reg>>; 3]) -> Inst {
        let instruction = self.function.instruction(value);
        let dropped = form.op != Op::Load && self.demand[value.index()] == 0;
        let wanted = instruction.ty.is_some() && !dropped;
        let parts = self.parts.remove(&value).filter(|_| wanted);
        let result = parts.map(|parts| self.scatter(value, parts));
        let mut dest = None;
        let mut sources = [Operand::None; 3];
        for (index, source) in form.sources.into_iter().enumerate() {
            sources[index] = match &tuples[index] {
                Some(tuple) => tuple.first().map_or(Operand::None, |&reg| Operand::Reg(reg)),
                None => self.operand(source),
            };
        }
        if wanted {
            dest = match &result {
                Some(tuple) => tuple.first().copied(),
                None => Some(self.reg(value)),
            };
        }
        let mut more = [[None; 3]; 4];
        let [a, b, c] = tuples;
        for (tuple, places) in [a, b, c, result].into_iter().zip(&mut more) {
            let further = tuple.into_iter().flatten().skip(1);
            further.zip(places).for_each(|(reg, place)| *place = Some(reg));
        }
        let guard = match form.guard {
            Some((Source::Pred(holds, negated), _)) => Some((self.reg(holds), negated)),
            _ => None,
        };
        // A claim is about all lanes, a guarded instruction writes some.
        let class = match guard {
            Some(_) => ValueClass::Unknown,
            None => self.claims.class(value),
        };
        Inst {
            more,
            guard,
            space: form.space,
            width: form.width,
            offset: form.offset,
            pair_address: form.pair_address,
            volatile: form.volatile,
            raw: form.raw,
            cache: form.cache,
            site: form.site,
            class,
            value: Some(value),
            ..Inst::new(form.op, dest, &sources, instruction.location)
        }
    }

    /// Puts the value that a guarded access has where its guard is false into the registers of its
    /// result, before it.
    fn keep_other(
        &mut self,
        inst: &Inst,
        other: Source,
        others: Option<&[(Source, Class)]>,
        items: &mut Vec<Item>,
    ) {
        let mut copies = Copies::new();
        match (inst.dest, others) {
            (Some(dest), None) if !matches!(other, Source::None) => {
                copies.push((dest, self.operand(other)));
            }
            (Some(_), Some(parts)) => {
                let mut places = Vec::new();
                let mut at = 0;
                for &(source, class) in parts {
                    places.push((at, class, source));
                    at += class.words();
                }
                let mut at = 0;
                let regs = inst.dest.into_iter().chain(inst.more_written());
                for reg in regs {
                    let class = self.code.class(reg);
                    let same = places.iter().find(|(place, of, _)| (*place, *of) == (at, class));
                    // Nothing reads a register without a counterpart.
                    let other = same.map_or(Operand::Imm(0), |&(.., source)| self.operand(source));
                    copies.push((reg, other));
                    at += class.words();
                }
            }
            _ => {}
        }
        if !copies.is_empty() {
            items.push(Item::Copies(copies, inst.location));
        }
    }

    /// Moves a leaf into its register.
    fn emit_leaf(&mut self, leaf: Value, items: &mut Vec<Item>) {
        let instruction = self.function.instruction(leaf);
        let location = instruction.location;
        let dest = Some(self.reg(leaf));
        let class = self.claims.class(leaf);
        let mut push = |op: Op, dest: Option<Reg>, sources: &[Operand]| {
            items.push(Item::Inst(Inst { class, ..Inst::new(op, dest, sources, location) }));
        };
        match (&instruction.kind, self.function.ty(leaf)) {
            (Kind::Special(special), _) => push(Op::Mov, dest, &[Operand::Special(*special)]),
            (Kind::Constant(bits), Type::Pred) => {
                // No operand is a predicate constant: 0 is compared with 0.
                let zero = self.code.reg(Class::Word);
                push(Op::Mov, Some(zero), &[Operand::Imm(0)]);
                let op = if bits & 1 != 0 { Op::SetEqualI32 } else { Op::SetNotEqualI32 };
                push(op, dest, &[Operand::Reg(zero), Operand::Imm(0)]);
            }
            (kind, Type::B64) => match (self.foldable(leaf, Read::Integer64), kind) {
                (Some(operand), _) => push(Op::Mov64, dest, &[operand]),
                (None, Kind::Constant(bits)) => {
                    let pair = self.reg(leaf);
                    self.pack(*bits, pair, class, location, items);
                }
                (None, _) => {}
            },
            _ => {
                if let Some(operand) = self.foldable(leaf, Read::Word) {
                    push(Op::Mov, dest, &[operand]);
                }
            }
        }
    }
}
