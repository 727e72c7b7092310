//! Machine code before registers are assigned: the instructions of the machine on as many virtual
//! registers as needed.

use crate::ir::{Block, Location, Value};
use reconverge_isa::{CacheHints, Op, Queue, Space, Special, ValueClass, Width};

/// A virtual register. Unlike an SSA value it may be written in several places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reg(pub u32);

impl Reg {
    /// The position in [`Code::classes`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The registers that a virtual one can be assigned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// A general register.
    Word,
    /// An even general register and the next.
    Pair,
    /// A predicate register.
    Predicate,
    /// A uniform register, which the threads of a warp share.
    Uniform,
}

impl Class {
    /// The number of general registers.
    pub fn words(self) -> u8 {
        match self {
            Class::Word | Class::Uniform => 1,
            Class::Pair => 2,
            Class::Predicate => 0,
        }
    }
}

/// A source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Operand {
    /// Absent.
    #[default]
    None,
    /// A word or pair.
    Reg(Reg),
    /// A predicate, or its complement.
    Pred(Reg, bool),
    /// As in the machine.
    Imm(u32),
    /// As in the machine.
    Const(u16),
    /// As in the machine.
    Special(Special),
    /// The next value in a queue for a site.
    Dequeue(Queue, u8),
}

impl Operand {
    /// The register it reads.
    pub fn reg(self) -> Option<Reg> {
        match self {
            Operand::Reg(reg) | Operand::Pred(reg, _) => Some(reg),
            _ => None,
        }
    }
}

/// The place of the result among an instruction's tuples.
pub const RESULT: usize = 3;

/// An instruction that is no jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inst {
    /// The operation.
    pub op: Op,
    /// Acts only where the predicate is true (or, negated, false); the result then keeps its old
    /// value elsewhere.
    pub guard: Option<(Reg, bool)>,
    /// The result.
    pub dest: Option<Reg>,
    /// The sources.
    pub sources: [Operand; 3],
    /// The further registers of tuples, which follow the first: of each source, and at [`RESULT`] of the result. Wide
    /// accesses and matrices have tuples.
    pub more: [[Option<Reg>; 3]; 4],
    /// Memory operations: which window.
    pub space: Space,
    /// Memory operations: how wide.
    pub width: Width,
    /// Memory operations: added to the address.
    pub offset: i32,
    /// Memory operations: the whole pair of source 0 is the address, and not its low word.
    pub pair_address: bool,
    /// Loads and stores: true for a `volatile` object.
    pub volatile: bool,
    /// Loads: of bytes that may have no value. Stores: leave their bytes without a value.
    pub raw: bool,
    /// Loads and stores: the cache hints.
    pub cache: CacheHints,
    /// Enqueues, and barriers of both streams: which site.
    pub site: Option<u8>,
    /// The claim about the result.
    pub class: ValueClass,
    /// Its place in the source.
    pub location: Location,
    /// Its value in the intermediate representation, if it is exactly one.
    pub value: Option<Value>,
}

impl Inst {
    /// An operation on some sources.
    pub fn new(op: Op, dest: Option<Reg>, sources: &[Operand], location: Location) -> Inst {
        let mut inst = Inst {
            op,
            guard: None,
            dest,
            sources: [Operand::None; 3],
            more: [[None; 3]; 4],
            space: Space::Generic,
            width: Width::B32,
            offset: 0,
            pair_address: false,
            volatile: false,
            raw: false,
            cache: CacheHints::NONE,
            site: None,
            class: ValueClass::Unknown,
            location,
            value: None,
        };
        for (slot, &source) in inst.sources.iter_mut().zip(sources) {
            *slot = source;
        }
        inst
    }

    /// The tuples of registers, which have to follow each other: at least two in each.
    pub fn tuples(&self) -> impl Iterator<Item = Vec<Reg>> + use<> {
        let firsts = self.sources.map(Operand::reg).into_iter().chain([self.dest]);
        firsts.zip(self.more).filter_map(|(first, more)| {
            more[0]?;
            Some(first.into_iter().chain(more.into_iter().flatten()).collect())
        })
    }

    /// The further registers of sources.
    pub fn more_read(&self) -> impl Iterator<Item = Reg> + use<> {
        self.more.into_iter().take(RESULT).flatten().flatten()
    }

    /// The further registers of the result.
    pub fn more_written(&self) -> impl Iterator<Item = Reg> + use<> {
        self.more[RESULT].into_iter().flatten()
    }
}

/// Copies that happen at once.
pub type Copies = Vec<(Reg, Operand)>;

/// A part of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// An instruction.
    Inst(Inst),
    /// The copies for the successor's phis.
    Copies(Copies, Location),
}

impl Item {
    /// Calls `visit` with each register that is read, including a result that a guard may keep.
    pub fn each_read(&self, mut visit: impl FnMut(Reg)) {
        match self {
            Item::Inst(inst) => {
                inst.sources.iter().filter_map(|source| source.reg()).for_each(&mut visit);
                inst.more_read().for_each(&mut visit);
                if let Some((guard, _)) = inst.guard {
                    visit(guard);
                    inst.dest.into_iter().chain(inst.more_written()).for_each(&mut visit);
                }
            }
            Item::Copies(copies, _) => {
                copies.iter().filter_map(|(_, source)| source.reg()).for_each(visit);
            }
        }
    }

    /// Calls `visit` with each register that is written.
    pub fn each_write(&self, mut visit: impl FnMut(Reg)) {
        match self {
            Item::Inst(inst) => {
                inst.dest.into_iter().chain(inst.more_written()).for_each(visit);
            }
            Item::Copies(copies, _) => copies.iter().for_each(|&(dest, _)| visit(dest)),
        }
    }
}

/// The end of a block; targets are positions in [`Code::blocks`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Goes to a block.
    Jump(usize),
    /// Goes to the first block if the predicate (or, negated, its complement) holds.
    Branch(Reg, bool, usize, usize),
    /// Goes to the first block if the value dequeued at the site holds.
    Dequeue(u8, usize, usize),
    /// Ends the thread.
    Exit,
}

impl End {
    /// The blocks it goes to.
    pub fn targets(self) -> impl Iterator<Item = usize> {
        let targets = match self {
            End::Jump(target) => [Some(target), None],
            End::Branch(_, _, then, otherwise) | End::Dequeue(_, then, otherwise) => {
                [Some(then), Some(otherwise)]
            }
            End::Exit => [None, None],
        };
        targets.into_iter().flatten()
    }

    /// The predicate it reads.
    pub fn reads(self) -> Option<Reg> {
        match self {
            End::Branch(condition, ..) => Some(condition),
            _ => None,
        }
    }
}

/// A block.
#[derive(Clone, Debug)]
pub struct MachineBlock {
    /// Its instructions.
    pub items: Vec<Item>,
    /// The end.
    pub end: End,
    /// The source place of the end.
    pub end_location: Location,
    /// The block of the intermediate representation.
    pub origin: Block,
    /// The number of loops around it.
    pub depth: u32,
}

/// A kernel, its blocks in the order in which they will lie.
#[derive(Clone, Debug)]
pub struct Code {
    /// In order; the first is the entry.
    pub blocks: Vec<MachineBlock>,
    /// The class of each virtual register.
    pub classes: Vec<Class>,
    /// The claim about the value in each virtual register.
    pub value_classes: Vec<ValueClass>,
    /// True if a register was made by spilling, and must not be spilled itself.
    pub pinned: Vec<bool>,
    /// The literal pool.
    pub literals: Vec<u32>,
    /// The start of the literal pool in the constant bank.
    pub literal_offset: u32,
    /// Bytes of local memory in use.
    pub local_bytes: u32,
    /// A spilled value may be undefined.
    pub raw_spills: bool,
}

impl Code {
    /// A new virtual register.
    pub fn reg(&mut self, class: Class) -> Reg {
        self.classes.push(class);
        self.value_classes.push(ValueClass::Unknown);
        self.pinned.push(false);
        Reg(self.classes.len() as u32 - 1)
    }

    /// The tuples of registers, each with its instruction.
    pub fn tuples(&self) -> impl Iterator<Item = (&Inst, Vec<Reg>)> + '_ {
        let items = self.blocks.iter().flat_map(|block| &block.items);
        let insts = items.filter_map(|item| match item {
            Item::Inst(inst) => Some(inst),
            Item::Copies(..) => None,
        });
        insts.flat_map(|inst| inst.tuples().map(move |tuple| (inst, tuple)))
    }

    /// The class of a virtual register.
    pub fn class(&self, reg: Reg) -> Class {
        self.classes[reg.index()]
    }
}
