//! Builds SSA while the tree is walked (Braun and others, "Simple and Efficient Construction of
//! Static Single Assignment Form", 2013), without recursion: looking a variable up follows
//! straight blocks in a loop, and a phi that needs operands waits in a list.
//!
//! Beyond the paper, a look-up passes over blocks that do not assign the variable:
//! [`shortcuts`](super::shortcuts).

use super::shortcuts::Shortcuts;
use crate::ir::{
    Access, Block, Function, Guarded, Kind, Location, Operands, Slot, SlotData, Type, Value,
    result_type,
};
use crate::pass::fold::{self, Constants};
use crate::pass::forward::Forward;
use reconverge_isa::{Op, Space, Special, Width};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The most instructions a kernel may be lowered to.
pub const MOST_INSTRUCTIONS: usize = 1_000_000;

/// A variable of the source that lives in registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Variable(u32);

/// Variables of the source, by name and declaration.
pub type Declared = BTreeSet<(Arc<str>, Location)>;

/// A read of a variable that may not have been assigned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unset {
    /// The variable's name in the source.
    pub variable: Arc<str>,
    /// The place of its declaration.
    pub declared: Location,
    /// The place of the read.
    pub read: Location,
    /// It is certainly so, if the place is reached.
    pub surely: bool,
    /// The branches of a path without a value, the last first, each with its outcome on this path.
    pub path: Vec<(Location, Outcome)>,
}

/// The outcome of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The condition holds or does not.
    Holds(bool),
    /// A `switch` goes to the `case` of this value.
    Case(i64),
    /// A `switch` goes to its `default` label, or past its body.
    NoCase,
}

/// The form in memory of a variable that is kept there.
fn in_memory(ty: Type) -> Width {
    match ty {
        Type::Pred => Width::U8,
        Type::B32 => Width::B32,
        Type::B64 => Width::B64,
        Type::B128 => Width::B128,
    }
}

/// An access to a variable that is kept in memory: as volatile, so that none is left out.
fn kept_access(ty: Type, raw: bool) -> Access {
    Access { space: Space::Local, width: in_memory(ty), volatile: true, raw, ..Access::default() }
}

/// The most phis that are examined for one read.
const MOST_PHIS: usize = 4096;
/// The most blocks that are followed back to a branch.
const MOST_STEPS: u32 = 64;

/// The state of a block while it is built.
#[derive(Default)]
struct Building {
    predecessors: Vec<Block>,
    /// True if all predecessors are known.
    sealed: bool,
    phis: Vec<Value>,
    /// Phis made before the predecessors were known.
    incomplete: Vec<(Variable, Value)>,
}

/// Constants, addresses, parameters and special values, each made once, in the entry block.
#[derive(Default)]
struct Leaves {
    known: FxHashMap<(Kind, Type), Value>,
    order: Vec<Value>,
    location: Location,
}

impl Leaves {
    fn get(&mut self, function: &mut Function, kind: Kind, ty: Type) -> Value {
        let order = &mut self.order;
        let location = self.location;
        *self.known.entry((kind, ty)).or_insert_with_key(|(kind, ty)| {
            let value = function.add(kind.clone(), Some(*ty), location);
            order.push(value);
            value
        })
    }
}

impl Constants for Leaves {
    fn constant(&mut self, function: &mut Function, ty: Type, bits: u64) -> Value {
        self.get(function, Kind::Constant(bits & ty.mask()), ty)
    }

    fn address(&mut self, function: &mut Function, space: Space, offset: u32) -> Value {
        self.get(function, Kind::Address(space, offset), Type::B32)
    }
}

/// A function under construction and the place where the next instruction goes.
pub struct Builder<'a> {
    function: Function,
    blocks: Vec<Building>,
    shortcuts: Shortcuts,
    types: Vec<Type>,
    /// The name of each variable in the source.
    names: Vec<Option<Arc<str>>>,
    /// By variable: when it was assigned, in order.
    assigned: Vec<Vec<u32>>,
    definitions: FxHashMap<(Variable, Block), Value>,
    /// Phis whose operands are to be looked up.
    pending: Vec<(Variable, Value, Block)>,
    forward: Forward,
    leaves: Leaves,
    unrolled: FxHashSet<(Location, u32)>,
    /// By variable of the source: where it is declared.
    declared: Vec<Location>,
    /// Variables of the source that are kept in local memory.
    kept: &'a Declared,
    slots: FxHashMap<Variable, Slot>,
    /// Zeroes in the place of variables without a value; a zero of all takes their place in the end.
    undefined: BTreeMap<Value, (Value, Variable)>,
    /// The reads of the source's variables, and their places.
    reads: Vec<(Variable, Value, Block, Location)>,
    /// The values of parts of objects that were copied whole.
    parts: Vec<Value>,
    /// The blocks that end by comparing a `switch`'s value with that of a `case`, and the latter.
    cases: FxHashMap<Block, i64>,
    current: Block,
    /// The current block has its terminator: further code cannot be reached.
    ended: bool,
}

impl<'a> Builder<'a> {
    /// A builder standing in the entry block, which keeps some variables in local memory.
    pub fn new(function: Function, kept: &'a Declared) -> Builder<'a> {
        let mut builder = Builder {
            forward: Forward::new(&function),
            function,
            blocks: Vec::new(),
            shortcuts: Shortcuts::default(),
            types: Vec::new(),
            names: Vec::new(),
            assigned: Vec::new(),
            definitions: FxHashMap::default(),
            pending: Vec::new(),
            leaves: Leaves::default(),
            unrolled: FxHashSet::default(),
            declared: Vec::new(),
            kept,
            slots: FxHashMap::default(),
            undefined: BTreeMap::new(),
            reads: Vec::new(),
            parts: Vec::new(),
            cases: FxHashMap::default(),
            current: Block::ENTRY,
            ended: false,
        };
        let entry = builder.block();
        builder.seal(entry);
        builder
    }

    /// The function so far.
    pub fn function(&self) -> &Function {
        &self.function
    }

    /// The size of the function so far, in instructions.
    pub fn size(&self) -> usize {
        self.function.values.len()
    }

    /// Sets the source place of the next instructions.
    pub fn set_location(&mut self, location: Location) -> Location {
        std::mem::replace(&mut self.leaves.location, location)
    }

    /// The source place of the next instructions.
    pub fn location(&self) -> Location {
        self.leaves.location
    }

    /// Keeps the source's unroll count of the loop whose test has this location.
    pub fn unroll(&mut self, test: Location, rounds: u32) {
        // A function that is inlined several times repeats its counts each time.
        if self.unrolled.insert((test, rounds)) {
            self.function.unroll.push((test, rounds));
        }
    }

    /// A new block, not sealed.
    pub fn block(&mut self) -> Block {
        self.blocks.push(Building::default());
        self.shortcuts.add_block();
        self.function.add_block()
    }

    /// Says that all predecessors of a block are known.
    pub fn seal(&mut self, block: Block) {
        self.shortcuts.seal(block, &self.blocks[block.index()].predecessors);
        self.seal_predecessors(block);
    }

    fn seal_predecessors(&mut self, block: Block) {
        let building = &mut self.blocks[block.index()];
        building.sealed = true;
        for (variable, phi) in std::mem::take(&mut building.incomplete) {
            self.pending.push((variable, phi, block));
        }
        self.complete_phis();
    }

    /// Declares that all predecessors of a block with a label are known. They can be anywhere, so
    /// that nothing is assumed of its dominators.
    pub fn seal_label(&mut self, block: Block) {
        self.shortcuts.close(block);
        self.seal_predecessors(block);
    }

    /// Goes on at the end of a block.
    pub fn enter(&mut self, block: Block) {
        self.current = block;
        self.ended = false;
        self.shortcuts.enter(block, self.blocks[block.index()].sealed);
    }

    /// Seals a block and continues in it.
    pub fn enter_sealed(&mut self, block: Block) {
        self.seal(block);
        self.enter(block);
    }

    fn push(&mut self, kind: Kind, ty: Option<Type>) -> Value {
        if self.ended {
            // Nothing leads here; the block is removed at the end.
            let block = self.block();
            self.enter_sealed(block);
        }
        let value = self.function.add(kind, ty, self.leaves.location);
        self.function.blocks[self.current.index()].instructions.push(value);
        value
    }

    fn terminate(&mut self, kind: Kind) {
        let targets: Vec<Block> = kind.targets().collect();
        self.push(kind, None);
        for target in targets {
            let current = self.current;
            self.blocks[target.index()].predecessors.push(current);
        }
        self.shortcuts.end(self.current);
        self.ended = true;
    }

    /// Goes to a block.
    pub fn jump(&mut self, target: Block) {
        self.terminate(Kind::Jump(target));
    }

    /// Goes to one of two different blocks; to one of them at once if the condition is known.
    pub fn branch(&mut self, condition: Value, then: Block, otherwise: Block) {
        match self.function.constant(condition) {
            Some(1) => self.jump(then),
            Some(_) => self.jump(otherwise),
            None => self.terminate(Kind::Branch(condition, then, otherwise)),
        }
    }

    /// Branches as [`branch`](Self::branch) does, on a comparison with the value of a `case`.
    pub fn branch_to_case(&mut self, is_equal: Value, case: i64, then: Block, otherwise: Block) {
        self.cases.insert(self.current, case);
        self.branch(is_equal, then, otherwise);
    }

    /// Ends the thread.
    pub fn end_thread(&mut self) {
        self.terminate(Kind::Return);
    }

    /// A collective operation of threads.
    pub fn collective(&mut self, op: Op, operands: &[Value]) -> Value {
        self.push(Kind::Collective(op, Operands::new(operands)), result_type(op))
    }

    /// The words that a wide store or a product of matrices takes, as one value; a single one is itself.
    pub fn wide(&mut self, parts: &[Value]) -> Value {
        if let [single] = parts {
            return *single;
        }
        let parts: Vec<Value> = parts.iter().map(|&part| self.settled(part)).collect();
        let words: u32 = parts.iter().map(|&part| self.function.ty(part).words()).sum();
        let ty = if words == 2 { Type::B64 } else { Type::B128 };
        self.push(Kind::Join(parts), Some(ty))
    }

    /// A part of a product of matrices, from a word on.
    pub fn part_of(&mut self, whole: Value, word: u8, ty: Type) -> Value {
        self.push(Kind::Part(whole, word), Some(ty))
    }

    /// A constant; `bits` are cut to the type.
    pub fn constant(&mut self, ty: Type, bits: u64) -> Value {
        self.leaves.constant(&mut self.function, ty, bits)
    }

    /// A constant word.
    pub fn word(&mut self, bits: u32) -> Value {
        self.constant(Type::B32, bits as u64)
    }

    /// Zero, or false.
    pub fn zero(&mut self, ty: Type) -> Value {
        self.constant(ty, 0)
    }

    /// The address of an offset into a window.
    pub fn address(&mut self, space: Space, offset: u32) -> Value {
        self.leaves.address(&mut self.function, space, offset)
    }

    /// A part of the parameter area.
    pub fn parameter(&mut self, ty: Type, offset: u32, global: bool) -> Value {
        self.leaves.get(&mut self.function, Kind::Parameter { offset, global }, ty)
    }

    /// A value that the hardware supplies.
    pub fn special(&mut self, special: Special) -> Value {
        self.leaves.get(&mut self.function, Kind::Special(special), Type::B32)
    }

    /// A new local variable in memory.
    pub fn add_slot(&mut self, slot: SlotData) -> Slot {
        self.function.slots.push(slot);
        Slot(self.function.slots.len() as u32 - 1)
    }

    /// The address of a local variable.
    pub fn slot_address(&mut self, slot: Slot) -> Value {
        self.leaves.get(&mut self.function, Kind::Slot(slot), Type::B32)
    }

    /// An address of 64 bits with an offset in the brackets of an access
    /// ([`Function::offset_in_brackets`]).
    pub fn bracketed(&mut self, address: Value, offset: i64) -> Value {
        if offset == 0 {
            return address;
        }
        let offset = self.constant(Type::B64, offset as u64);
        let sum = Kind::Compute(Op::Add64, Operands::new(&[offset, address]));
        self.push(sum, Some(Type::B64))
    }

    /// The word of an address, for an instruction that takes no other.
    pub fn word_of(&mut self, address: Value) -> Value {
        match self.function.ty(address) {
            Type::B64 => self.compute(Op::Low, &[address]),
            _ => address,
        }
    }

    /// An operation, folded if its operands allow.
    pub fn compute(&mut self, op: Op, operands: &[Value]) -> Value {
        let mut kind = Kind::Compute(op, Operands::new(operands));
        match fold::simplify(&mut self.function, &mut self.leaves, &mut kind) {
            Some(value) => value,
            None => {
                let ty = match &kind {
                    Kind::Compute(op, _) => result_type(*op),
                    _ => None,
                };
                self.push(kind, ty)
            }
        }
    }

    /// A copy that operations on it do not see through.
    pub fn opaque(&mut self, value: Value) -> Value {
        let ty = self.function.ty(value);
        let op = match ty {
            Type::Pred => Op::MovPred,
            Type::B64 => Op::Mov64,
            Type::B32 | Type::B128 => Op::Mov,
        };
        self.push(Kind::Compute(op, Operands::new(&[value])), Some(ty))
    }

    /// The value that has replaced a value so far.
    pub fn settled(&mut self, value: Value) -> Value {
        self.forward.get(value)
    }

    /// Replaces the operands of a collective instruction.
    pub fn set_operands(&mut self, instruction: Value, op: Op, operands: &[Value]) {
        let kind = Kind::Collective(op, Operands::new(operands));
        self.function.values[instruction.index()].kind = kind;
    }

    /// Reads memory.
    pub fn load(&mut self, access: Access, address: Value) -> Value {
        self.push(Kind::Load(access, address), Some(Type::of_width(access.width)))
    }

    /// Writes memory.
    pub fn store(&mut self, access: Access, address: Value, value: Value) {
        self.push(Kind::Store(access, address, value), None);
    }

    /// Reads and writes memory; the result is the old value.
    pub fn atomic(&mut self, op: Op, operands: &[Value]) -> Value {
        self.atomic_in(op, Space::Generic, operands)
    }

    /// Reads and writes memory in a window; the result is the old value.
    pub fn atomic_in(&mut self, op: Op, space: Space, operands: &[Value]) -> Value {
        let kind = Kind::Atomic(op, space, Operands::new(operands));
        self.push(kind, result_type(op))
    }

    /// Accesses memory by a load, store or atomic where a predicate holds. `otherwise` is the
    /// result elsewhere, if the access has a result.
    pub fn guarded(&mut self, access: Kind, holds: Value, otherwise: Option<Value>) -> Value {
        let ty = otherwise.map(|value| self.function.ty(value));
        self.push(Kind::Guarded(Box::new(Guarded { access, holds, otherwise })), ty)
    }

    /// A new variable.
    pub fn variable(&mut self, ty: Type) -> Variable {
        self.types.push(ty);
        self.names.push(None);
        self.declared.push(Location::default());
        self.assigned.push(Vec::new());
        Variable(self.types.len() as u32 - 1)
    }

    /// A new variable of the source.
    pub fn named_variable(&mut self, ty: Type, name: String, declared: Location) -> Variable {
        let variable = self.variable(ty);
        let name: Arc<str> = name.into();
        if self.kept.contains(&(name.clone(), declared)) {
            let size = in_memory(ty).bytes();
            let slot = self.add_slot(SlotData { name: name.to_string(), size, align: size });
            self.slots.insert(variable, slot);
        }
        self.names[variable.0 as usize] = Some(name);
        self.declared[variable.0 as usize] = declared;
        variable
    }

    /// Lets a value be called after a variable, unless it is after another already. Constants and
    /// the like belong to everyone.
    fn call(&mut self, value: Value, variable: Variable) {
        let instruction = &mut self.function.values[value.index()];
        if instruction.variable.is_none() && !instruction.kind.is_leaf() {
            instruction.variable.clone_from(&self.names[variable.0 as usize]);
        }
    }

    /// The type of a variable.
    pub fn variable_type(&self, variable: Variable) -> Type {
        self.types[variable.0 as usize]
    }

    /// Assigns a variable.
    pub fn write(&mut self, variable: Variable, value: Value) {
        if let Some(&slot) = self.slots.get(&variable) {
            return self.keep(slot, variable, value, false);
        }
        if self.ended {
            let block = self.block();
            self.enter_sealed(block);
        }
        self.definitions.insert((variable, self.current), value);
        self.call(value, variable);
        self.assigned[variable.0 as usize].push(self.shortcuts.tick());
    }

    /// Takes its value from a variable: it is zero, and known to have none.
    pub fn forget(&mut self, variable: Variable) {
        match self.slots.get(&variable) {
            Some(&slot) => {
                let zero = self.zero(self.variable_type(variable));
                self.keep(slot, variable, zero, true);
            }
            None => {
                let own = self.undefined(variable);
                self.write(variable, own);
            }
        }
    }

    /// Writes a variable that is kept in memory.
    fn keep(&mut self, slot: Slot, variable: Variable, value: Value, raw: bool) {
        let ty = self.variable_type(variable);
        let value = match ty {
            Type::Pred => {
                let (one, zero) = (self.word(1), self.word(0));
                self.compute(Op::Select, &[value, one, zero])
            }
            _ => value,
        };
        let address = self.slot_address(slot);
        self.store(kept_access(ty, raw), address, value);
    }

    /// The value of a variable, which is used; zero if it was never assigned.
    pub fn read(&mut self, variable: Variable) -> Value {
        let value = self.copy(variable, false);
        if self.names[variable.0 as usize].is_some() && !self.ended {
            self.reads.push((variable, value, self.current, self.leaves.location));
        }
        value
    }

    /// The value of a variable that is a part of an object which is copied whole: it may have none.
    pub fn read_part(&mut self, variable: Variable) -> Value {
        let value = self.copy(variable, true);
        if !self.ended {
            self.parts.push(value);
        }
        value
    }

    fn copy(&mut self, variable: Variable, raw: bool) -> Value {
        let ty = self.variable_type(variable);
        if let Some(&slot) = self.slots.get(&variable) {
            let address = self.slot_address(slot);
            let value = self.load(kept_access(ty, raw), address);
            let zero = self.word(0);
            return match ty {
                Type::Pred => self.compute(Op::SetNotEqualI32, &[value, zero]),
                _ => value,
            };
        }
        if self.ended {
            return self.zero(ty);
        }
        let value = self.look_up(variable, self.current);
        self.complete_phis();
        self.forward.get(value)
    }

    /// The definition of a variable that reaches the end of a block, perhaps a phi without
    /// operands yet.
    fn look_up(&mut self, variable: Variable, block: Block) -> Value {
        let mut at = block;
        let value = loop {
            if let Some(&value) = self.definitions.get(&(variable, at)) {
                break self.forward.get(value);
            }
            if let Some(above) = self.shortcuts.over(at, &self.assigned[variable.0 as usize]) {
                at = above;
                continue;
            }
            let building = &self.blocks[at.index()];
            match *building.predecessors {
                _ if !building.sealed => {
                    let phi = self.empty_phi(variable, at);
                    self.blocks[at.index()].incomplete.push((variable, phi));
                    break phi;
                }
                [] => break self.undefined(variable),
                [only] => at = only,
                _ => {
                    let phi = self.empty_phi(variable, at);
                    self.pending.push((variable, phi, at));
                    break phi;
                }
            }
        };
        if at != block {
            self.definitions.insert((variable, block), value);
        }
        value
    }

    /// The contents of a variable without a value: zero, and for one of the source a zero of its
    /// own, to be recognised.
    fn undefined(&mut self, variable: Variable) -> Value {
        let ty = self.variable_type(variable);
        let zero = self.zero(ty);
        if self.names[variable.0 as usize].is_none() {
            return zero;
        }
        let own = self.function.add(Kind::Constant(0), Some(ty), self.leaves.location);
        self.undefined.insert(own, (zero, variable));
        own
    }

    /// Called when the function is complete. Returns the variables of the source that may be read,
    /// or copied as a part of a structure, without a value of their own or one copied to them.
    pub fn followed(&mut self) -> Declared {
        let mut followed = Declared::new();
        let reads: Vec<_> =
            self.reads.iter().map(|&(variable, value, ..)| (Some(variable), value)).collect();
        let parts: Vec<_> = self.parts.iter().map(|&value| (None, value)).collect();
        for (read, value) in reads.into_iter().chain(parts) {
            let (lacking, is_copied) = self.lacking(value);
            let read = read.filter(|_| is_copied || !lacking.is_empty());
            for variable in lacking.into_iter().chain(read) {
                let declared = self.declared[variable.0 as usize];
                followed
                    .extend(self.names[variable.0 as usize].clone().map(|name| (name, declared)));
            }
        }
        followed
    }

    /// The variables without a value at the source of a value, and true if it may be loaded from
    /// memory, copied as a part of a structure.
    fn lacking(&mut self, value: Value) -> (Vec<Variable>, bool) {
        let (mut pending, mut seen) = (vec![value], FxHashSet::default());
        let (mut found, mut is_copied) = (Vec::new(), false);
        while let Some(value) = pending.pop() {
            let value = self.forward.get(value);
            if !seen.insert(value) || seen.len() > MOST_PHIS {
                continue;
            }
            found.extend(self.undefined.get(&value).map(|&(_, variable)| variable));
            match self.function.kind(value) {
                Kind::Phi(incoming) => pending.extend(incoming.iter().map(|&(_, value)| value)),
                Kind::Load(access, _) => is_copied |= access.raw,
                // A `bool` is a word in memory.
                Kind::Compute(Op::SetNotEqualI32 | Op::Select | Op::Zext32 | Op::Low, operands) => {
                    pending.push(operands[0]);
                }
                _ => {}
            }
        }
        (found, is_copied)
    }

    /// Called when the function is complete. Returns the reads of variables of the source that find
    /// no value, each variable once; with `maybe` also those that find none only on some paths.
    pub fn unset(&mut self, maybe: bool) -> Vec<Unset> {
        if self.undefined.is_empty() {
            return Vec::new();
        }
        let reachable = self.reachable();
        let blocks = self.blocks.iter().enumerate();
        let phis = blocks
            .flat_map(|(at, block)| block.phis.iter().map(move |&phi| (phi, Block(at as u32))));
        let homes: FxHashMap<Value, Block> = phis.collect();
        let mut found = Vec::new();
        let mut known = FxHashSet::default();
        for (variable, value, block, read) in std::mem::take(&mut self.reads) {
            if !reachable[block.index()] {
                continue;
            }
            let value = self.forward.get(value);
            let surely = self.is_surely_undefined(variable, value, block, &homes);
            if !surely && !maybe {
                continue;
            }
            let Some(path) = self.path_to_undefined(variable, value, &homes, &reachable) else {
                continue;
            };
            let Some(name) = self.names[variable.0 as usize].clone() else {
                continue;
            };
            // A variable is reported once, and a function that is inlined several times.
            let declared = self.declared[variable.0 as usize];
            if known.insert((name.clone(), declared)) {
                found.push(Unset { variable: name, declared, read, surely, path });
            }
        }
        found
    }

    /// Returns true if the value read in a block is certainly undefined, at least the first time:
    /// it is that of a loop's header on entry from outside, and no other branch than the loop's own
    /// is between.
    fn is_surely_undefined(
        &mut self,
        variable: Variable,
        value: Value,
        block: Block,
        homes: &FxHashMap<Value, Block>,
    ) -> bool {
        if self.lacks(variable, value) {
            return true;
        }
        let (Kind::Phi(incoming), Some(&home)) = (self.function.kind(value), homes.get(&value))
        else {
            return false;
        };
        let incoming = incoming.clone();
        let (mut at, mut branches) = (block, 0);
        while at != home {
            let [above] = *self.blocks[at.index()].predecessors else {
                return false;
            };
            let last = self.function.instructions(above).last().copied();
            let parts = |last: Value| matches!(self.function.kind(last), Kind::Branch(..));
            branches += u32::from(last.is_some_and(parts));
            if branches > 1 || at == above {
                return false;
            }
            at = above;
        }
        let (outside, inside): (Vec<_>, Vec<_>) = incoming.into_iter().partition(|&(_, value)| {
            let value = self.forward.get(value);
            self.lacks(variable, value)
        });
        !outside.is_empty() && inside.iter().all(|&(from, _)| self.leads_to(home, from))
    }

    /// Returns true if a value means that a variable has none. Other variables that it was assigned
    /// to do not count.
    fn lacks(&self, variable: Variable, value: Value) -> bool {
        self.undefined.get(&value).is_some_and(|&(_, of)| of == variable)
    }

    /// Returns true if there is a path from one block to another one.
    fn leads_to(&self, from: Block, to: Block) -> bool {
        let mut seen = FxHashSet::default();
        let mut pending = vec![from];
        while let Some(block) = pending.pop() {
            if block == to {
                return true;
            }
            if seen.insert(block) {
                pending.extend(self.function.successors(block));
            }
        }
        false
    }

    fn reachable(&self) -> Vec<bool> {
        let mut reachable = vec![false; self.function.blocks.len()];
        let mut pending = vec![Block::ENTRY];
        while let Some(block) = pending.pop() {
            if !std::mem::replace(&mut reachable[block.index()], true) {
                pending.extend(self.function.successors(block));
            }
        }
        reachable
    }

    /// The branches by which a variable without a value becomes the value that is read: none if it
    /// is exactly that; `None` if it does not. They are those of the shortest path through the phis
    /// in these blocks.
    fn path_to_undefined(
        &mut self,
        variable: Variable,
        value: Value,
        homes: &FxHashMap<Value, Block>,
        reachable: &[bool],
    ) -> Option<Vec<(Location, Outcome)>> {
        let mut pending = std::collections::VecDeque::from([(value, Vec::new())]);
        let mut seen = FxHashSet::default();
        while let Some((value, path)) = pending.pop_front() {
            if self.lacks(variable, value) {
                return Some(path);
            }
            let (Kind::Phi(incoming), Some(&home)) = (self.function.kind(value), homes.get(&value))
            else {
                continue;
            };
            if !seen.insert(value) || seen.len() > MOST_PHIS {
                continue;
            }
            let incoming = incoming.clone();
            for (from, operand) in incoming.into_iter().filter(|(from, _)| reachable[from.index()])
            {
                let mut path = path.clone();
                path.extend(self.branch_to(from, home, reachable));
                pending.push_back((self.forward.get(operand), path));
            }
        }
        None
    }

    /// The branch that leads from one block to the next one, or to the first one if that has only
    /// one path to it, with its outcome.
    fn branch_to(&self, from: Block, to: Block, reachable: &[bool]) -> Option<(Location, Outcome)> {
        let (mut from, mut to) = (from, to);
        for _ in 0..MOST_STEPS {
            let last = *self.function.instructions(from).last()?;
            if let Kind::Branch(_, then, _) = self.function.kind(last) {
                let outcome = match (self.cases.get(&from), *then == to) {
                    (Some(&case), true) => Outcome::Case(case),
                    (Some(_), false) => Outcome::NoCase,
                    (None, holds) => Outcome::Holds(holds),
                };
                return Some((self.function.instruction(last).location, outcome));
            }
            let above = &self.blocks[from.index()].predecessors;
            let mut above = above.iter().filter(|above| reachable[above.index()]);
            let (Some(&only), None) = (above.next(), above.next()) else {
                return None;
            };
            (from, to) = (only, from);
        }
        None
    }

    fn empty_phi(&mut self, variable: Variable, block: Block) -> Value {
        let ty = self.variable_type(variable);
        let phi = self.function.add(Kind::Phi(Vec::new()), Some(ty), self.leaves.location);
        self.call(phi, variable);
        self.blocks[block.index()].phis.push(phi);
        self.definitions.insert((variable, block), phi);
        phi
    }

    fn complete_phis(&mut self) {
        while let Some((variable, phi, block)) = self.pending.pop() {
            let predecessors = self.blocks[block.index()].predecessors.clone();
            let mut incoming = Vec::with_capacity(predecessors.len());
            for from in predecessors {
                incoming.push((from, self.look_up(variable, from)));
            }
            incoming.sort();
            let mut others = incoming.iter().map(|&(_, value)| value).filter(|&v| v != phi);
            let first = others.next();
            if let Some(only) = first.filter(|&first| others.all(|other| other == first)) {
                self.forward.replace(phi, only);
            }
            self.function.values[phi.index()].kind = Kind::Phi(incoming);
        }
    }

    /// The finished function, densely numbered, without unreachable parts.
    pub fn finish(mut self) -> Function {
        if !self.ended {
            self.end_thread();
        }
        for (index, building) in self.blocks.iter_mut().enumerate() {
            let mut instructions = std::mem::take(&mut building.phis);
            if index == 0 {
                instructions.append(&mut self.leaves.order);
            }
            let data = &mut self.function.blocks[index];
            // A block that was made but never entered does not exist.
            if !data.instructions.is_empty() {
                instructions.append(&mut data.instructions);
                data.instructions = instructions;
            }
        }
        for (own, (zero, _)) in std::mem::take(&mut self.undefined) {
            self.forward.replace(own, zero);
        }
        self.function.remove_unreachable();
        self.forward.apply(&mut self.function);
        self.function.renumber();
        self.function
    }
}
