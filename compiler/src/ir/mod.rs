//! The intermediate representation: SSA over a control-flow graph (spec/ir.md).
//!
//! A value is like a register of the machine: a predicate, 32 bits or 64 bits; 128 bits only
//! between a wide access and the parts that it loads or stores. The operation that reads the bits
//! decides their meaning. Arithmetic operations *are* the machine's ([`Op`]), so a new operation
//! needs only a row in the instruction table. Beyond them the representation has leaves (constants,
//! addresses, parameters, special values), memory accesses, phis and terminators.
//!
//! An instruction and its result share one number, [`Value`]. Phis have one operand for each
//! predecessor, named by its block; the two targets of a branch differ, so a block is never twice
//! a predecessor of another.

pub mod format;
pub mod parse;
pub mod print;
mod scan;
pub mod verify;

pub use verify::{Fault, Place, verify};

pub use reconverge_isa::Location;
use reconverge_isa::table::OperandKind;
use reconverge_isa::{
    CacheHints, Effect, Hints, Op, Parameter, Queue, Space, Special, ValueKind, Width,
};
use std::ops::Deref;
use std::sync::Arc;

/// An instruction, and its result if it has one; written `%7`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(pub u32);

/// A basic block; written `b3`. Block 0 is the entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Block(pub u32);

/// A variable in the thread's local memory; written `s2`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot(pub u32);

impl Value {
    /// The position in [`Function::values`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Block {
    /// The function's first block.
    pub const ENTRY: Block = Block(0);

    /// The position in [`Function::blocks`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The size and kind of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Type {
    /// A truth value, in a predicate register.
    Pred,
    /// 32 bits: an integer, a float or an address.
    B32,
    /// 64 bits: an integer or a double, in a pair of registers.
    B64,
    /// 128 bits: the value of a wide access or a matrix, in four registers. Only [`Kind::Part`], stores and products of
    /// matrices read it, only loads, products and [`Kind::Join`] make it.
    B128,
}

impl Type {
    /// All of them with their spelling.
    pub const ALL: [(Type, &'static str); 4] =
        [(Type::Pred, "pred"), (Type::B32, "b32"), (Type::B64, "b64"), (Type::B128, "b128")];

    /// The spelling.
    pub fn name(self) -> &'static str {
        Type::ALL[self as usize].1
    }

    /// The type of a value of the instruction table's kind.
    pub fn of(kind: ValueKind) -> Type {
        match kind.registers() {
            0 => Type::Pred,
            1 => Type::B32,
            4 => Type::B128,
            _ => Type::B64,
        }
    }

    /// Words that it occupies in general registers.
    pub fn words(self) -> u32 {
        match self {
            Type::Pred => 0,
            Type::B32 => 1,
            Type::B64 => 2,
            Type::B128 => 4,
        }
    }

    /// The type that an access of this width reads or writes.
    pub fn of_width(width: Width) -> Type {
        match width {
            Width::B64 => Type::B64,
            Width::B128 => Type::B128,
            _ => Type::B32,
        }
    }

    /// The bits that count, of at most 64.
    pub fn mask(self) -> u64 {
        match self {
            Type::Pred => 1,
            Type::B32 => u32::MAX as u64,
            Type::B64 | Type::B128 => u64::MAX,
        }
    }
}

/// Up to three operands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Operands {
    values: [Value; 3],
    length: u8,
}

impl Operands {
    /// Copies the first three of `values`.
    pub fn new(values: &[Value]) -> Operands {
        let mut operands = Operands::default();
        for &value in values.iter().take(3) {
            operands.values[operands.length as usize] = value;
            operands.length += 1;
        }
        operands
    }
}

impl Deref for Operands {
    type Target = [Value];
    fn deref(&self) -> &[Value] {
        &self.values[..self.length as usize]
    }
}

impl std::ops::DerefMut for Operands {
    fn deref_mut(&mut self) -> &mut [Value] {
        &mut self.values[..self.length as usize]
    }
}

/// The mode of a memory access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Access {
    /// The window that the address is known to be in.
    pub space: Space,
    /// Bytes, and extension when loaded.
    pub width: Width,
    /// Neither removed, repeated nor reordered among volatile ones.
    pub volatile: bool,
    /// For a load: copies bytes that may have no value. For a store: leaves its bytes without a
    /// value.
    pub raw: bool,
    /// The part that it is of a whole access in the source.
    pub part: Option<PartOf>,
    /// The cache hints in the source: accesses with different ones are not joined.
    pub cache: CacheHints,
}

/// A part of a vector that the source reads or writes as a whole, which is aligned to its size: the promise by which the
/// parts become one access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PartOf {
    /// Bytes of the whole: 8 or 16.
    pub bytes: u8,
    /// Bytes of it in front of the part.
    pub at: u8,
}

/// The operation of an instruction.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Nothing: the number is not in use.
    Removed,
    /// Bits, zero-extended.
    Constant(u64),
    /// The address of a byte offset into shared, constant or global memory. Apart from
    /// `Constant`, so that an integer is never mistaken for a pointer.
    Address(Space, u32),
    /// The address of a local variable.
    Slot(Slot),
    /// Words of the parameter area.
    Parameter {
        /// Byte offset.
        offset: u32,
        /// The word is a pointer that the host made: it points into global memory.
        global: bool,
    },
    /// A value that the hardware supplies.
    Special(Special),
    /// An operation of the machine without effect beyond, perhaps, a trap.
    Compute(Op, Operands),
    /// Reads memory at an address. That of a load, store or atomic has 32 bits; or 64, and the access
    /// traps unless the upper word is 0.
    Load(Access, Value),
    /// Writes memory: address, value.
    Store(Access, Value, Value),
    /// A part of the value of a wide load or of a product of matrices, from this word on. Nothing but parts reads these.
    Part(Value, u8),
    /// The parts that a wide store writes or a product of matrices reads, one after the other. Nothing else reads it.
    Join(Vec<Value>),
    /// Reads and writes memory: address, value and, for compare-and-swap, the compared value.
    Atomic(Op, Space, Operands),
    /// A load, store or atomic of the threads for which a predicate holds.
    Guarded(Box<Guarded>),
    /// A collective operation of threads: barriers of the block, votes and shuffles of a warp's
    /// active lanes. Its result depends on the other participants, so it is neither moved to other
    /// participants nor replaced by another one.
    Collective(Op, Operands),
    /// A barrier that both streams of a kernel have, with its site.
    Matched(Op, Operands, u8),
    /// In the affine stream: puts a predicate, or an address with its purpose, into a queue.
    Enqueue(Queue, u8, Access, Value),
    /// In the other stream: the value that the affine one has enqueued at this site. It precedes
    /// the one instruction that reads it, as its address or condition.
    Dequeue(Queue, u8),
    /// The value for the predecessor that control entered from.
    Phi(Vec<(Block, Value)>),
    /// Goes to a block.
    Jump(Block),
    /// Goes to the first block if the predicate holds, else to the second, which differs.
    Branch(Value, Block, Block),
    /// Ends the thread.
    Return,
}

/// A guarded access to memory. Threads for which the predicate does not hold neither access memory nor trap.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Guarded {
    /// [`Kind::Load`], [`Kind::Store`] or [`Kind::Atomic`].
    pub access: Kind,
    /// The predicate.
    pub holds: Value,
    /// The result where the predicate does not hold, of an access that has a result.
    pub otherwise: Option<Value>,
}

impl Kind {
    /// The access of a guarded access; any other instruction itself. An analysis that takes a guarded access for an
    /// unguarded one assumes more reads and writes than there are.
    pub fn unguarded(&self) -> &Kind {
        match self {
            Kind::Guarded(guarded) => &guarded.access,
            kind => kind,
        }
    }

    /// The predicate of a guarded access.
    pub fn guard(&self) -> Option<Value> {
        match self {
            Kind::Guarded(guarded) => Some(guarded.holds),
            _ => None,
        }
    }

    /// The address that a load, store or atomic accesses, guarded or not.
    pub fn address(&self) -> Option<Value> {
        match self.unguarded() {
            Kind::Load(_, address) | Kind::Store(_, address, _) => Some(*address),
            Kind::Atomic(_, _, operands) => operands.first().copied(),
            _ => None,
        }
    }

    /// The same, to be changed.
    pub fn address_mut(&mut self) -> Option<&mut Value> {
        match self {
            Kind::Guarded(guarded) => guarded.access.address_mut(),
            Kind::Load(_, address) | Kind::Store(_, address, _) => Some(address),
            Kind::Atomic(_, _, operands) => operands.first_mut(),
            _ => None,
        }
    }

    /// Calls `visit` with each operand, phis' included.
    pub fn each_operand(&self, mut visit: impl FnMut(Value)) {
        match self {
            Kind::Compute(_, operands)
            | Kind::Atomic(_, _, operands)
            | Kind::Matched(_, operands, _)
            | Kind::Collective(_, operands) => operands.iter().copied().for_each(visit),
            Kind::Load(_, address) => visit(*address),
            Kind::Enqueue(.., value) => visit(*value),
            Kind::Store(_, address, value) => {
                visit(*address);
                visit(*value);
            }
            Kind::Phi(incoming) => incoming.iter().for_each(|&(_, value)| visit(value)),
            Kind::Part(whole, _) => visit(*whole),
            Kind::Join(parts) => parts.iter().copied().for_each(visit),
            Kind::Branch(condition, ..) => visit(*condition),
            Kind::Guarded(guarded) => {
                guarded.access.each_operand(&mut visit as &mut dyn FnMut(Value));
                visit(guarded.holds);
                guarded.otherwise.into_iter().for_each(visit);
            }
            _ => {}
        }
    }

    /// Replaces each operand, phis' included.
    pub fn map_operands(&mut self, mut map: impl FnMut(Value) -> Value) {
        match self {
            Kind::Compute(_, operands)
            | Kind::Atomic(_, _, operands)
            | Kind::Matched(_, operands, _)
            | Kind::Collective(_, operands) => {
                operands.iter_mut().for_each(|value| *value = map(*value));
            }
            Kind::Load(_, address) => *address = map(*address),
            Kind::Enqueue(.., value) => *value = map(*value),
            Kind::Store(_, address, value) => {
                *address = map(*address);
                *value = map(*value);
            }
            Kind::Phi(incoming) => {
                incoming.iter_mut().for_each(|(_, value)| *value = map(*value));
            }
            Kind::Part(whole, _) => *whole = map(*whole),
            Kind::Join(parts) => parts.iter_mut().for_each(|part| *part = map(*part)),
            Kind::Branch(condition, ..) => *condition = map(*condition),
            Kind::Guarded(guarded) => {
                guarded.access.map_operands(&mut map as &mut dyn FnMut(Value) -> Value);
                guarded.holds = map(guarded.holds);
                guarded.otherwise = guarded.otherwise.map(map);
            }
            _ => {}
        }
    }

    /// Replaces each block that a terminator or phi names.
    pub fn map_blocks(&mut self, mut map: impl FnMut(Block) -> Block) {
        match self {
            Kind::Phi(incoming) => incoming.iter_mut().for_each(|(from, _)| *from = map(*from)),
            Kind::Jump(target) => *target = map(*target),
            Kind::Branch(_, then, otherwise) => {
                *then = map(*then);
                *otherwise = map(*otherwise);
            }
            _ => {}
        }
    }

    /// The blocks a terminator goes to.
    pub fn targets(&self) -> impl Iterator<Item = Block> + use<> {
        let targets = match *self {
            Kind::Jump(target) => [Some(target), None],
            Kind::Branch(_, then, otherwise) => [Some(then), Some(otherwise)],
            _ => [None, None],
        };
        targets.into_iter().flatten()
    }

    /// Returns true if it ends a block.
    pub fn is_terminator(&self) -> bool {
        matches!(self, Kind::Jump(_) | Kind::Branch(..) | Kind::Return)
    }

    /// Returns true if it is a constant of one thread, with the same meaning everywhere.
    pub fn is_leaf(&self) -> bool {
        matches!(
            self,
            Kind::Constant(_)
                | Kind::Address(..)
                | Kind::Slot(_)
                | Kind::Parameter { .. }
                | Kind::Special(_)
        )
    }

    /// Returns true if the same operands give the same result everywhere. Divisions do: where one
    /// dominates another, the second cannot trap.
    pub fn is_pure(&self) -> bool {
        let parts = matches!(self, Kind::Part(..) | Kind::Join(_));
        self.is_leaf() || parts || matches!(self, Kind::Compute(..) | Kind::Phi(_))
    }

    /// Returns true if its thread needs nothing of it but its result; dequeuing loads, votes and
    /// shuffles still stay ([`Function::is_removable`]).
    pub fn is_removable(&self) -> bool {
        match self {
            Kind::Load(access, _) => !access.volatile,
            Kind::Guarded(guarded) => guarded.access.is_removable(),
            Kind::Collective(op, _) => !self.synchronises() && op.row().result.is_some(),
            _ => self.is_pure(),
        }
    }

    /// The site at which an instruction of one of two streams has its counterpart.
    pub fn site(&self) -> Option<u8> {
        match *self {
            Kind::Matched(_, _, site) | Kind::Enqueue(_, site, ..) | Kind::Dequeue(_, site) => {
                Some(site)
            }
            _ => None,
        }
    }

    /// Returns true if all threads of the block that have not ended wait for each other here.
    pub fn is_barrier(&self) -> bool {
        matches!(self, Kind::Collective(op, _) | Kind::Matched(op, ..) if op.row().effect == Effect::Barrier)
    }

    /// Returns true if it counts threads at a barrier with a count, and perhaps waits there.
    pub fn is_counted_barrier(&self) -> bool {
        matches!(self, Kind::Collective(op, _) if op.row().effect == Effect::CountedBarrier)
    }

    /// Returns true if other threads' writes are visible after it, or nothing may be moved past it.
    pub fn synchronises(&self) -> bool {
        let stays = |op: Op| op == Op::WarpSync || op.is_per_lane() || op.is_matrix_access();
        self.is_barrier()
            || self.is_counted_barrier()
            || matches!(self, Kind::Collective(op, _) if stays(*op))
    }
}

/// An instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// Its operation.
    pub kind: Kind,
    /// The type of its result.
    pub ty: Option<Type>,
    /// Its place in the source.
    pub location: Location,
    /// The first source variable that the result was assigned to, if one was.
    pub variable: Option<Arc<str>>,
    /// Its hints, which the machine instruction that computes it gets.
    pub hints: Hints,
}

/// The type of an operation's source, from the instruction table; `width` is for memory.
pub fn source_type(op: Op, index: usize) -> Option<Type> {
    match op.row().sources.get(index)?.1 {
        OperandKind::Value(kind) => Some(Type::of(kind)),
        OperandKind::Width => None,
    }
}

/// The type of an operation's result, from the instruction table.
pub fn result_type(op: Op) -> Option<Type> {
    match op.row().result? {
        OperandKind::Value(kind) => Some(Type::of(kind)),
        OperandKind::Width => None,
    }
}

/// Returns true if an operation is allowed in [`Kind::Compute`].
pub fn computes(op: Op) -> bool {
    matches!(op.row().effect, Effect::Compute | Effect::Divide)
}

/// The number of operands of an atomic operation: only compare-and-swap reads the third.
pub fn atomic_operands(op: Op) -> usize {
    match op {
        Op::AtomCas | Op::AtomCas16 | Op::AtomCas64 => 3,
        _ => 2,
    }
}

/// The instructions of a block: phis first, a terminator last. A block without any does not exist.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockData {
    /// In order.
    pub instructions: Vec<Value>,
}

/// A variable in local memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlotData {
    /// Source name.
    pub name: String,
    /// Bytes.
    pub size: u32,
    /// A power of two.
    pub align: u32,
}

/// A kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Function {
    /// Source name.
    pub name: String,
    /// The contents of the parameter area.
    pub parameters: Vec<Parameter>,
    /// Bytes of static shared memory.
    pub shared_bytes: u32,
    /// Threads a block at most, 0 when not said.
    pub max_threads: u32,
    /// Blocks of so many threads that an SM should hold at once, 0 when not said.
    pub min_blocks: u32,
    /// General registers per thread at most, 0 when not said.
    pub max_registers: u32,
    /// Local variables.
    pub slots: Vec<SlotData>,
    /// Reads of bytes that may lack a value stay loads, because a check observes them.
    pub keeps_unset: bool,
    /// The unroll factors of loops in the source, by the location of the branch that tests: the
    /// iterations to write one after the other, 0 for all.
    pub unroll: Vec<(Location, u32)>,
    /// Requests for loops in the source that passes have refused, each loop once.
    pub unheeded: Vec<Unheeded>,
    /// By block number.
    pub blocks: Vec<BlockData>,
    /// By value number.
    pub values: Vec<Instruction>,
}

/// A loop that `#pragma unroll` would make too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unheeded {
    /// The location of the branch that tests.
    pub test: Location,
    /// The number of iterations that would be written one after the other.
    pub iterations: u32,
    /// The number of instructions that they would have.
    pub size: usize,
}

impl Function {
    /// Notes a loop that would become too large.
    pub fn refuse_unrolling(&mut self, test: Location, iterations: u32, size: usize) {
        if self.unheeded.iter().all(|known| known.test != test) {
            self.unheeded.push(Unheeded { test, iterations, size });
        }
    }

    /// The instruction of a value.
    pub fn instruction(&self, value: Value) -> &Instruction {
        &self.values[value.index()]
    }

    /// The operation of a value's instruction.
    pub fn kind(&self, value: Value) -> &Kind {
        &self.values[value.index()].kind
    }

    /// The type of a value that is an operand. Instructions without a result count as words; the
    /// verifier refuses them as operands.
    pub fn ty(&self, value: Value) -> Type {
        self.values[value.index()].ty.unwrap_or(Type::B32)
    }

    /// Returns true if an instruction can be left out when its result is not read. Votes and shuffles stay: other lanes may
    /// need their operands.
    pub fn is_removable(&self, value: Value) -> bool {
        let kind = self.kind(value);
        let dequeues =
            matches!(kind, Kind::Load(_, at) if matches!(self.kind(*at), Kind::Dequeue(..)));
        kind.is_removable() && !dequeues && !matches!(kind, Kind::Collective(..))
    }

    /// The bits of a constant.
    pub fn constant(&self, value: Value) -> Option<u64> {
        match *self.kind(value) {
            Kind::Constant(bits) => Some(bits),
            _ => None,
        }
    }

    /// The value and the constant that an address of 64 bits is the sum of, if the constant is the
    /// first operand: an offset in the brackets of an access of PTX. A sum that the text computes
    /// has its constant second.
    pub fn offset_in_brackets(&self, address: Value) -> Option<(Value, i64)> {
        match self.kind(address) {
            Kind::Compute(Op::Add64, operands) => {
                Some((operands[1], self.constant(operands[0])? as i64))
            }
            _ => None,
        }
    }

    /// Adds an instruction without placing it in a block.
    pub fn add(&mut self, kind: Kind, ty: Option<Type>, location: Location) -> Value {
        let (variable, hints) = (None, Hints::NONE);
        self.values.push(Instruction { kind, ty, location, variable, hints });
        Value(self.values.len() as u32 - 1)
    }

    /// Adds an instruction of a kind, with the type, location and hints of another one, in no block. It stands for no variable.
    pub fn add_copy(&mut self, kind: Kind, of: &Instruction) -> Value {
        let value = self.add(kind, of.ty, of.location);
        self.values[value.index()].hints = of.hints;
        value
    }

    /// Adds a block, not yet existing because empty.
    pub fn add_block(&mut self) -> Block {
        self.blocks.push(BlockData::default());
        Block(self.blocks.len() as u32 - 1)
    }

    /// The instructions of a block.
    pub fn instructions(&self, block: Block) -> &[Value] {
        &self.blocks[block.index()].instructions
    }

    /// The blocks that exist, in the order of their numbers.
    pub fn existing_blocks(&self) -> impl Iterator<Item = Block> + '_ {
        let blocks = (0..self.blocks.len() as u32).map(Block);
        blocks.filter(|block| !self.blocks[block.index()].instructions.is_empty())
    }

    /// The last instruction of a block.
    pub fn terminator(&self, block: Block) -> Option<Value> {
        self.instructions(block).last().copied()
    }

    /// The blocks that control may go to from a block.
    pub fn successors(&self, block: Block) -> impl Iterator<Item = Block> + use<> {
        let terminator = self.terminator(block).map_or(&Kind::Return, |value| self.kind(value));
        terminator.targets()
    }

    /// The predecessors of each block, in the order of block numbers.
    pub fn predecessors(&self) -> Vec<Vec<Block>> {
        let mut predecessors = vec![Vec::new(); self.blocks.len()];
        for block in self.existing_blocks() {
            for target in self.successors(block) {
                predecessors[target.index()].push(block);
            }
        }
        predecessors
    }

    /// The phis of a block.
    pub fn phis(&self, block: Block) -> impl Iterator<Item = Value> + '_ {
        let instructions = self.instructions(block).iter().copied();
        instructions.take_while(|&value| matches!(self.kind(value), Kind::Phi(_)))
    }

    /// Every instruction that is in a block, by block.
    pub fn placed(&self) -> impl Iterator<Item = (Block, Value)> + '_ {
        self.existing_blocks()
            .flat_map(|block| self.instructions(block).iter().map(move |&value| (block, value)))
    }

    /// The number of times that each value is an operand.
    pub fn use_counts(&self) -> Vec<u32> {
        let mut counts = vec![0; self.values.len()];
        for (_, value) in self.placed() {
            self.kind(value).each_operand(|operand| counts[operand.index()] += 1);
        }
        counts
    }

    /// For each value whether it is a load that is read in parts.
    pub fn loaded_in_parts(&self) -> Vec<bool> {
        let mut found = vec![false; self.values.len()];
        for (_, value) in self.placed() {
            if let Kind::Part(whole, _) = self.kind(value) {
                found[whole.index()] = true;
            }
        }
        found
    }

    /// The blocks reachable from the entry, each before its successors where there is no cycle. The
    /// first of a branch's targets is first.
    pub fn reverse_postorder(&self) -> Vec<Block> {
        self.reverse_postorder_by(|block| self.successors(block).collect())
    }

    /// The reverse postorder by the successors that `last_first` gives: popped from the end, so
    /// that the first one ends up right after the block.
    pub fn reverse_postorder_by(&self, last_first: impl Fn(Block) -> Vec<Block>) -> Vec<Block> {
        let mut order = Vec::new();
        let mut seen = vec![false; self.blocks.len()];
        let mut stack = Vec::new();
        if !self.blocks.is_empty() {
            seen[0] = true;
            stack.push((Block::ENTRY, last_first(Block::ENTRY)));
        }
        while let Some((block, pending)) = stack.last_mut() {
            match pending.pop() {
                Some(next) if !seen[next.index()] => {
                    seen[next.index()] = true;
                    stack.push((next, last_first(next)));
                }
                Some(_) => {}
                None => {
                    order.push(*block);
                    stack.pop();
                }
            }
        }
        order.reverse();
        order
    }

    /// Rewrites every operand through `forward`, which maps a value to its replacement (itself
    /// when there is none).
    pub fn replace_operands(&mut self, mut forward: impl FnMut(Value) -> Value) {
        for block in 0..self.blocks.len() {
            for at in 0..self.blocks[block].instructions.len() {
                let value = self.blocks[block].instructions[at];
                self.values[value.index()].kind.map_operands(&mut forward);
            }
        }
    }

    /// Takes instructions out of their blocks.
    pub fn remove_where(&mut self, mut remove: impl FnMut(Value) -> bool) {
        for block in &mut self.blocks {
            let values = &mut self.values;
            block.instructions.retain(|&value| {
                let gone = remove(value);
                if gone {
                    values[value.index()].kind = Kind::Removed;
                    values[value.index()].ty = None;
                }
                !gone
            });
        }
    }

    /// Removes blocks that cannot be reached, and their operands from phis.
    pub fn remove_unreachable(&mut self) {
        let mut reachable = vec![false; self.blocks.len()];
        for block in self.reverse_postorder() {
            reachable[block.index()] = true;
        }
        for (index, &kept) in reachable.iter().enumerate() {
            if !kept {
                for value in std::mem::take(&mut self.blocks[index].instructions) {
                    self.values[value.index()].kind = Kind::Removed;
                    self.values[value.index()].ty = None;
                }
            }
        }
        for value in &mut self.values {
            if let Kind::Phi(incoming) = &mut value.kind {
                incoming.retain(|(from, _)| reachable[from.index()]);
            }
        }
    }

    /// Numbers blocks and values again, densely, in reverse postorder.
    pub fn renumber(&mut self) {
        let order = self.reverse_postorder();
        let mut new_block = vec![Block::ENTRY; self.blocks.len()];
        let mut new_value = vec![Value::default(); self.values.len()];
        let mut count = 0;
        for (number, &block) in order.iter().enumerate() {
            new_block[block.index()] = Block(number as u32);
            for &value in self.instructions(block) {
                new_value[value.index()] = Value(count);
                count += 1;
            }
        }
        let mut blocks = Vec::with_capacity(order.len());
        let mut values = Vec::with_capacity(count as usize);
        for block in order {
            let mut instructions = std::mem::take(&mut self.blocks[block.index()].instructions);
            for value in &mut instructions {
                let mut instruction = self.values[value.index()].clone();
                instruction.kind.map_operands(|operand| new_value[operand.index()]);
                instruction.kind.map_blocks(|target| new_block[target.index()]);
                values.push(instruction);
                *value = new_value[value.index()];
            }
            blocks.push(BlockData { instructions });
        }
        self.blocks = blocks;
        self.values = values;
    }
}
