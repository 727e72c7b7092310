//! Checks that a function is well-formed.

use super::print;
use super::{
    Access, Block, Function, Kind, Type, Value, atomic_operands, computes, result_type, source_type,
};
use crate::analysis::dominators::DominatorTree;
use reconverge_isa::{Effect, Op, Queue, Space};
use std::fmt::{self, Display, Formatter};

/// The subject of a [`Fault`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The function as a whole.
    Function,
    /// A block.
    Block(Block),
    /// An instruction.
    Value(Value),
}

/// A rule that a function breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The function's name.
    pub function: String,
    /// The place in the function.
    pub place: Place,
    /// The text of the instruction, if it is about one.
    pub text: Option<String>,
    /// The broken rule, as a sentence.
    pub message: String,
}

impl Display for Fault {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        match &self.text {
            Some(text) => write!(f, "{}: `{text}`: {}", self.function, self.message),
            None => write!(f, "{}: {}", self.function, self.message),
        }
    }
}

/// Everything that is wrong with a function; empty when it is well-formed.
pub fn verify(function: &Function) -> Vec<Fault> {
    let mut verifier =
        Verifier { function, faults: Vec::new(), home: vec![None; function.values.len()] };
    verifier.structure();
    // Types and dominance are only defined for a graph whose parts exist.
    if verifier.faults.is_empty() {
        verifier.graph();
        verifier.uses();
    }
    verifier.faults
}

struct Verifier<'a> {
    function: &'a Function,
    faults: Vec<Fault>,
    /// The block and position in it of each value.
    home: Vec<Option<(Block, usize)>>,
}

impl Verifier<'_> {
    fn fault(&mut self, place: Place, message: String) {
        let text = match place {
            Place::Value(value) if value.index() < self.function.values.len() => {
                Some(print::instruction(self.function, value).trim_start().to_owned())
            }
            _ => None,
        };
        self.faults.push(Fault { function: self.function.name.clone(), place, text, message });
    }

    /// Every number is in range, every instruction in one place, terminators at the ends.
    fn structure(&mut self) {
        let function = self.function;
        if function.blocks.first().is_none_or(|entry| entry.instructions.is_empty()) {
            self.fault(Place::Function, "there is no entry block b0".to_owned());
        }
        for block in function.existing_blocks() {
            let instructions = function.instructions(block);
            for (at, &value) in instructions.iter().enumerate() {
                match self.home.get_mut(value.index()) {
                    Some(home @ None) => *home = Some((block, at)),
                    Some(_) => {
                        self.fault(Place::Value(value), format!("{value} stands in two places"));
                    }
                    None => {
                        self.fault(Place::Block(block), format!("{value} does not exist"));
                        continue;
                    }
                }
                self.position(block, at, value);
                self.numbers(value);
            }
        }
    }

    fn position(&mut self, block: Block, at: usize, value: Value) {
        let function = self.function;
        let instructions = function.instructions(block);
        let kind = function.kind(value);
        let last = at + 1 == instructions.len();
        if kind.is_terminator() != last {
            let what = if last { "does not end with a terminator" } else { "goes on after one" };
            self.fault(Place::Value(value), format!("{block} {what}"));
        }
        let before = at.checked_sub(1).map(|at| instructions[at]);
        let after_other = before
            .and_then(|value| function.values.get(value.index()))
            .is_some_and(|before| !matches!(before.kind, Kind::Phi(_)));
        if matches!(kind, Kind::Phi(_)) && after_other {
            self.fault(
                Place::Value(value),
                format!("the phi {value} does not stand at the start of {block}"),
            );
        }
        if matches!(kind, Kind::Removed) {
            self.fault(Place::Block(block), format!("{value} in {block} was removed"));
        }
    }

    fn numbers(&mut self, value: Value) {
        let function = self.function;
        let kind = function.kind(value);
        let mut bad = Vec::new();
        kind.each_operand(|operand| {
            if operand.index() >= function.values.len() {
                bad.push(format!("{operand} does not exist"));
            }
        });
        if !function.instruction(value).hints.is_fixed() {
            bad.push("has a hint that names an instruction of machine code".to_owned());
        }
        let incoming = match kind {
            Kind::Phi(incoming) => incoming.as_slice(),
            _ => &[],
        };
        let named = kind.targets().chain(incoming.iter().map(|&(from, _)| from));
        for block in named {
            let exists = function.blocks.get(block.index());
            if exists.is_none_or(|data| data.instructions.is_empty()) {
                bad.push(format!("{block} does not exist"));
            }
        }
        for message in bad {
            self.fault(Place::Value(value), message);
        }
    }

    /// Blocks are reachable, the entry is not a target, branches have two targets.
    fn graph(&mut self) {
        let function = self.function;
        let mut reachable = vec![false; function.blocks.len()];
        for block in function.reverse_postorder() {
            reachable[block.index()] = true;
        }
        for block in function.existing_blocks() {
            if !reachable[block.index()] {
                self.fault(Place::Block(block), format!("{block} cannot be reached"));
            }
            let targets: Vec<Block> = function.successors(block).collect();
            let end = function.terminator(block).map_or(Place::Block(block), Place::Value);
            if targets.contains(&Block::ENTRY) {
                self.fault(end, format!("{block} goes to the entry"));
            }
            if targets.len() == 2 && targets[0] == targets[1] {
                self.fault(end, format!("both targets of {block}'s branch are {}", targets[0]));
            }
        }
    }

    /// Operands have the right types and are defined before.
    fn uses(&mut self) {
        let function = self.function;
        let dominators = DominatorTree::dominators(function);
        let predecessors = function.predecessors();
        let uses = function.use_counts();
        let mut sites = [false; 256];
        let in_parts = function.loaded_in_parts();
        for (block, value) in function.placed() {
            self.types(value);
            if let Some(site) = function.kind(value).site()
                && std::mem::replace(&mut sites[usize::from(site)], true)
            {
                self.fault(Place::Value(value), format!("site {site} appears twice"));
            }
            if let Kind::Dequeue(queue, _) = *function.kind(value)
                && (uses[value.index()] != 1 || !self.is_dequeued_after(block, value, queue))
            {
                self.fault(
                    Place::Value(value),
                    format!("{value} is not for just the instruction after it"),
                );
            }
            function.kind(value).each_operand(|operand| {
                if let Some(message) = misread(function, &in_parts, value, operand) {
                    self.fault(Place::Value(value), message);
                }
            });
            if let Some(message) = part_without_other(function, value) {
                self.fault(Place::Value(value), message);
            }
            if let Kind::Phi(incoming) = function.kind(value) {
                let mut from: Vec<Block> = incoming.iter().map(|&(from, _)| from).collect();
                from.sort();
                if from != predecessors[block.index()] {
                    self.fault(
                        Place::Value(value),
                        format!("the operands of the phi {value} are not {block}'s predecessors"),
                    );
                }
                for &(from, operand) in incoming {
                    self.defined(&dominators, operand, from, usize::MAX, value);
                }
            } else {
                let at = self.home[value.index()].map_or(0, |(_, at)| at);
                let mut operands = Vec::new();
                function.kind(value).each_operand(|operand| operands.push(operand));
                for operand in operands {
                    self.defined(&dominators, operand, block, at, value);
                }
            }
        }
    }

    /// Returns true if the dequeued value is the address or condition of the next instruction.
    fn is_dequeued_after(&self, block: Block, value: Value, queue: Queue) -> bool {
        let function = self.function;
        let next = self.home[value.index()].map(|(_, at)| at + 1);
        let next = next.and_then(|at| function.instructions(block).get(at));
        match next.map(|&next| function.kind(next)) {
            Some(Kind::Load(_, address)) => *address == value && queue != Queue::Predicate,
            Some(Kind::Store(_, address, _)) => *address == value && queue == Queue::Address,
            Some(Kind::Atomic(_, _, operands)) => {
                operands.first() == Some(&value) && queue == Queue::Address
            }
            Some(Kind::Branch(..)) => queue == Queue::Predicate,
            _ => false,
        }
    }

    fn defined(
        &mut self,
        tree: &DominatorTree,
        operand: Value,
        block: Block,
        at: usize,
        user: Value,
    ) {
        let before = self.home[operand.index()].is_some_and(|(home, position)| {
            if home == block { position < at } else { tree.dominates(home, block) }
        });
        if !before {
            let user_name = named(self.function, user);
            let message =
                format!("{operand} is not defined on every path to {user_name} in {block}");
            self.fault(Place::Value(user), message);
        }
    }

    fn types(&mut self, value: Value) {
        let function = self.function;
        let kind = function.kind(value);
        let name = named(function, value);
        let (operands, result) = match signature(function, value) {
            Ok(found) => found,
            Err(message) => return self.fault(Place::Value(value), format!("{name}: {message}")),
        };
        let mut actual = Vec::new();
        let mut exist = true;
        kind.each_operand(|operand| exist &= !matches!(function.kind(operand), Kind::Removed));
        if !exist {
            // An undefined operand is a better message than one without a type.
            return;
        }
        kind.each_operand(|operand| actual.push(function.instruction(operand).ty));
        let expected: Vec<Option<Type>> = operands.into_iter().map(Some).collect();
        if actual != expected {
            let (actual, expected) = (spelled(&actual), spelled(&expected));
            let message = format!("{name}: operands are {actual}, not {expected}");
            self.fault(Place::Value(value), message);
        }
        if function.instruction(value).ty != result {
            let (ty, result) = (spelled(&[function.instruction(value).ty]), spelled(&[result]));
            let message = format!("{name}: the result is {ty}, not {result}");
            self.fault(Place::Value(value), message);
        }
    }
}

/// A value by its name in the text, which an instruction without a result does not have.
fn named(function: &Function, value: Value) -> String {
    match function.instruction(value).ty {
        Some(_) => value.to_string(),
        None => "this instruction".to_owned(),
    }
}

/// Types as the text has them; `nothing` for an instruction without a result.
fn spelled(types: &[Option<Type>]) -> String {
    let name = |ty: &Option<Type>| ty.map_or("nothing", Type::name);
    match types {
        [] => "none".to_owned(),
        types => types.iter().map(name).collect::<Vec<_>>().join(", "),
    }
}

/// The types of an instruction's operands and of its result.
type Signature = (Vec<Type>, Option<Type>);

/// The types of an instruction's operands and of its result.
fn signature(function: &Function, value: Value) -> Result<Signature, String> {
    let instruction = function.instruction(value);
    let Kind::Guarded(guarded) = &instruction.kind else {
        return unguarded_signature(function, &instruction.kind, instruction.ty);
    };
    if !matches!(guarded.access, Kind::Load(..) | Kind::Store(..) | Kind::Atomic(..)) {
        return Err("has a guard, but is no load, store or atomic".to_owned());
    }
    let (mut operands, result) = unguarded_signature(function, &guarded.access, instruction.ty)?;
    if guarded.otherwise.is_some() != result.is_some() {
        return Err("has a result where its guard is false just if it has one".to_owned());
    }
    operands.push(Type::Pred);
    operands.extend(result);
    Ok((operands, result))
}

fn unguarded_signature(
    function: &Function,
    kind: &Kind,
    ty: Option<Type>,
) -> Result<Signature, String> {
    use Type::{B32, B64, Pred};
    let any = ty.ok_or_else(|| "has no type".to_owned());
    let address = |value: Value| if function.ty(value) == B64 { B64 } else { B32 };
    Ok(match kind {
        Kind::Guarded(_) => return Err("has two guards".to_owned()),
        Kind::Removed | Kind::Jump(_) | Kind::Return => (vec![], None),
        Kind::Constant(bits) => {
            let ty = any?;
            if bits & !ty.mask() != 0 || ty == Type::B128 {
                return Err(format!("the constant does not fit {}", ty.name()));
            }
            (vec![], Some(ty))
        }
        Kind::Parameter { offset, global } => {
            let ty = any?;
            let fits = ty == B32 || (ty == B64 && !*global);
            if offset % 4 != 0 || *offset > 0xfffc || !fits {
                return Err("parameters are words below 64 KiB".to_owned());
            }
            (vec![], Some(ty))
        }
        Kind::Slot(slot) if slot.0 as usize >= function.slots.len() => {
            return Err(format!("{slot} does not exist"));
        }
        Kind::Address(..) | Kind::Slot(_) | Kind::Special(_) => (vec![], Some(B32)),
        Kind::Compute(op, _) if !computes(*op) => {
            return Err("is not an arithmetic operation".to_owned());
        }
        Kind::Collective(op, _) if !op.is_collective() => {
            return Err("is nothing that threads do together".to_owned());
        }
        Kind::Compute(op, _) | Kind::Collective(op, _) => {
            (sources(*op, op.row().sources.len()), result_type(*op))
        }
        Kind::Matched(op, ..) if op.row().effect != Effect::Barrier => {
            return Err("is no barrier".to_owned());
        }
        Kind::Matched(op, ..) => (sources(*op, op.row().sources.len()), result_type(*op)),
        Kind::Enqueue(Queue::Predicate, ..) => (vec![Pred], None),
        Kind::Enqueue(..) => (vec![B32], None),
        Kind::Dequeue(Queue::Predicate, _) => (vec![], Some(Pred)),
        Kind::Dequeue(..) => (vec![], Some(B32)),
        Kind::Load(access, _) if !access.cache.suit_loads() => {
            return Err("has a cache hint of stores".to_owned());
        }
        Kind::Load(access, at) => (vec![address(*at)], Some(Type::of_width(access.width))),
        Kind::Store(Access { space, .. }, ..) | Kind::Atomic(_, space, _)
            if *space == Space::Constant =>
        {
            return Err("constant memory cannot be written".to_owned());
        }
        Kind::Store(access, ..) if !access.cache.suit_stores() => {
            return Err("has a cache hint of loads".to_owned());
        }
        Kind::Store(access, at, _) => (vec![address(*at), Type::of_width(access.width)], None),
        Kind::Atomic(op, ..) if op.row().effect != Effect::Atomic => {
            return Err("is not an atomic operation".to_owned());
        }
        Kind::Atomic(op, _, operands) => {
            let mut types = sources(*op, atomic_operands(*op));
            if let (Some(ty), Some(&at)) = (types.first_mut(), operands.first()) {
                *ty = address(at);
            }
            (types, result_type(*op))
        }
        Kind::Part(whole, word) => {
            let (ty, whole) = (any?, function.ty(*whole));
            let fits = u32::from(*word) % ty.words().max(1) == 0
                && u32::from(*word) + ty.words() <= whole.words();
            if !fits || !matches!(ty, B32 | B64) {
                return Err(format!("is no part of {}", whole.name()));
            }
            (vec![whole], Some(ty))
        }
        Kind::Join(parts) => {
            let types: Vec<Type> = parts.iter().map(|&part| function.ty(part)).collect();
            let words = types.iter().try_fold(0, |at, ty| {
                let fits = matches!(ty, B32 | B64) && at % ty.words() == 0;
                fits.then_some(at + ty.words())
            });
            let ty = any?;
            if !matches!(ty, B64 | Type::B128) || words != Some(ty.words()) {
                return Err(format!("its parts do not make {}", ty.name()));
            }
            (types, Some(ty))
        }
        Kind::Phi(_) if ty == Some(Type::B128) => return Err("is a phi of 128 bits".to_owned()),
        Kind::Phi(incoming) => (vec![any.clone()?; incoming.len()], Some(any?)),
        Kind::Branch(..) => (vec![Pred], None),
    })
}

/// The fault in reading a wide access: a load that others than its parts read, or parts of a store
/// that others than a store read.
fn misread(function: &Function, in_parts: &[bool], value: Value, operand: Value) -> Option<String> {
    let kind = function.kind(value);
    let wrong = match function.kind(operand).unguarded() {
        Kind::Join(_) => {
            let guarded_load = matches!(kind.unguarded(), Kind::Load(..));
            let in_parts = !guarded_load || in_parts[value.index()];
            kind.address() == Some(operand) || !(takes_join(kind) && in_parts)
        }
        Kind::Load(access, _) if in_parts[operand.index()] => {
            access.volatile || !matches!(kind, Kind::Part(..))
        }
        Kind::Collective(op, _) if op.is_matrix() && function.ty(operand) != Type::B32 => {
            !matches!(kind, Kind::Part(..))
        }
        _ => matches!(kind, Kind::Part(..)) || function.ty(operand) == Type::B128,
    };
    wrong.then(|| format!("{value} reads {operand}, a wide access or what it stores"))
}

/// Returns true if an instruction takes a wide value: a store, a product of matrices, or a guarded load for its other value.
fn takes_join(kind: &Kind) -> bool {
    match kind.unguarded() {
        Kind::Store(..) => true,
        Kind::Collective(op, _) => op.is_matrix(),
        Kind::Load(..) => kind.guard().is_some(),
        _ => false,
    }
}

/// Returns the fault of a part of a guarded load: its other value must join parts of the same places and types.
fn part_without_other(function: &Function, part: Value) -> Option<String> {
    let &Kind::Part(whole, word) = function.kind(part) else {
        return None;
    };
    let Kind::Guarded(guarded) = function.kind(whole) else {
        return None;
    };
    let other = guarded.otherwise.map(|value| function.kind(value));
    let found = match other {
        Some(Kind::Join(parts)) => {
            let mut at = 0;
            parts.iter().any(|&other| {
                let here = at;
                at += function.ty(other).words();
                here == u32::from(word) && function.ty(other) == function.ty(part)
            })
        }
        _ => false,
    };
    (!found).then(|| format!("{part} has no counterpart in the other value of {whole}"))
}

fn sources(op: Op, count: usize) -> Vec<Type> {
    (0..count).filter_map(|index| source_type(op, index)).collect()
}
