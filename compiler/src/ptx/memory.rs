//! Memory: loads, stores, atomics, fences.

use super::kernel::{Ins, Kernel, Place, Symbol, register_type};
use super::kind::is_half;
use super::operand::{B32, B64, PREDICATE, missing};
use super::{Refused, Result};
use crate::ir::{self, Access, Operands, PartOf, Value};
use crate::lower::collective::{FENCE_BLOCK, FENCE_DEVICE};
use reconverge_isa::{CacheHints, Op, Space, Width};
use reconverge_ptx::Span;
use reconverge_ptx::tree::{self, Kind, Operand, OperandKind, Type};

/// Where an access goes.
#[derive(Clone, Copy)]
pub enum Target {
    /// An address and its window.
    Address(Value, Space),
    /// A parameter of the kernel: the offset that is read, and where the parameter ends.
    Parameter(u32, u32),
}

/// One of the accesses that a vector is divided into: its index, and their number.
#[derive(Clone, Copy)]
struct Piece {
    at: u32,
    count: u32,
}

impl Piece {
    /// The access of a scalar.
    const WHOLE: Piece = Piece { at: 0, count: 1 };
}

/// A value that is loaded.
#[derive(Clone, Copy)]
struct Loaded {
    value: Value,
    /// Its type: of a signed one below a word, it is that word.
    ty: Type,
    /// Where a guard is false, it is what its destination held.
    keeps: bool,
}

impl Kernel<'_, '_> {
    /// An instruction of memory.
    pub fn memory(&mut self, ins: Ins) -> Result<()> {
        match ins.mnemonic() {
            "ld" | "ldu" => self.load(ins),
            "st" => self.store(ins),
            "atom" | "red" => self.atomic(ins),
            "membar" | "fence" => {
                let scope = if ins.has("cta") { FENCE_BLOCK } else { FENCE_DEVICE };
                let scope = self.builder.word(scope);
                self.builder.collective(Op::Fence, &[scope]);
                Ok(())
            }
            _ => self.control_caches(ins),
        }
    }

    /// A hint about cached bytes, which is an instruction without a result.
    fn control_caches(&mut self, ins: Ins) -> Result<()> {
        let Target::Address(address, _) = self.accessed(ins, ins.operand(0)?)? else {
            return Err(ins.refused("does not take the kernel's parameters"));
        };
        // The actions of `Op::CacheControl`.
        let action =
            match (ins.mnemonic(), ins.one_of(&["L2", "L2::evict_last", "L2::evict_normal"])) {
                ("applypriority", _) => 4,
                ("discard", _) => 5,
                (_, None) => 0,
                (_, Some("L2")) => 1,
                (_, Some("L2::evict_last")) => 2,
                _ => 3,
            };
        let action = self.builder.word(action);
        let address = self.builder.word_of(address);
        self.builder.collective(Op::CacheControl, &[address, action]);
        Ok(())
    }

    /// Where an address operand points.
    pub fn accessed(&mut self, ins: Ins, operand: &Operand) -> Result<Target> {
        let OperandKind::Address(base) = &operand.kind else {
            return Err(ins.refused("has no address"));
        };
        let (name, offset) = match &base.kind {
            OperandKind::Name(name) => (name, 0),
            OperandKind::Offset(name, offset) => (name, *offset),
            OperandKind::Constant(constant) => {
                let bits = constant.integer().unwrap_or_default();
                let address = self.builder.constant(ir::Type::B64, bits);
                return Ok(Target::Address(address, window(ins)));
            }
            _ => return Err(ins.refused("has no address")),
        };
        match self.scopes.find(name) {
            Some((&Symbol::Place(Place::Parameter(start, size)), _)) => {
                let at = i64::from(start).wrapping_add(offset);
                let end = start + size;
                match (i64::from(start)..end.into()).contains(&at) && ins.has("param") {
                    true => Ok(Target::Parameter(at as u32, end)),
                    false => Err(outside(name, operand.span)),
                }
            }
            Some((&Symbol::Place(place), _)) => {
                let space = match place {
                    Place::Window(space, _) => space,
                    _ => Space::Local,
                };
                let address = self.place(place, offset);
                let address = address.ok_or_else(|| outside(name, operand.span))?;
                Ok(Target::Address(address, space))
            }
            Some((Symbol::Register(_, ty), _)) => {
                let is_wide = ty.bits == 64;
                let value = self.named(name, base.span)?;
                let address = match is_wide {
                    true => self.builder.bracketed(value, offset),
                    false => {
                        let offset = self.builder.word(offset as u32);
                        self.builder.compute(Op::Add, &[value, offset])
                    }
                };
                Ok(Target::Address(address, window(ins)))
            }
            Some((Symbol::Missing, _)) => Err(missing(name, operand.span)),
            _ => {
                let message = format!("`{name}` has no address that is known before the launch");
                Err(Refused::new(operand.span, message))
            }
        }
    }

    /// The target of a vector's piece of some bytes. The address is computed once, so that the pieces become one access.
    fn piece_of(&mut self, target: Target, bytes: u32, piece: Piece) -> Target {
        let offset = piece.at * bytes;
        match target {
            Target::Address(address, space) if offset != 0 => {
                let address = match self.builder.function().ty(address) {
                    ir::Type::B64 => self.builder.bracketed(address, offset.into()),
                    _ => {
                        let offset = self.builder.word(offset);
                        self.builder.compute(Op::Add, &[address, offset])
                    }
                };
                Target::Address(address, space)
            }
            Target::Parameter(start, end) => Target::Parameter(start + offset, end),
            Target::Address(..) => target,
        }
    }

    /// How an element of a type is accessed, which is part `at` of `count`.
    fn access(&self, ins: Ins, space: Space, bytes: u32, piece: Piece) -> Access {
        let Piece { at, count } = piece;
        let whole = bytes * count;
        let ordered = ["volatile", "relaxed", "acquire", "release", "mmio"];
        Access {
            space,
            width: width(bytes),
            volatile: ins.one_of(&ordered).is_some(),
            raw: false,
            cache: cache_hints(ins),
            part: (count > 1 && matches!(whole, 8 | 16))
                .then_some(PartOf { bytes: whole as u8, at: (at * bytes) as u8 }),
        }
    }

    fn load(&mut self, ins: Ins) -> Result<()> {
        let ty = ins.ty()?;
        let (to, address) = (ins.operand(0)?, ins.operand(1)?);
        let target = self.accessed(ins, address)?;
        match &to.kind {
            _ if ty.bits > 64 => {
                let halves = self.halves(to)?;
                self.load_vector(ins, target, &halves, B64)
            }
            OperandKind::Vector(items) if items.len() > 1 => {
                self.load_vector(ins, target, items, ty)
            }
            kind => {
                // One register may stand in braces too.
                let to = match kind {
                    OperandKind::Vector(items) if let [only] = items.as_slice() => only,
                    _ => to,
                };
                let kept = self.kept(to, ty);
                let loaded = self.loaded(ins, target, ty, Piece::WHOLE, kept)?;
                self.take(to, loaded)
            }
        }
    }

    /// Loads the elements of a vector.
    fn load_vector(&mut self, ins: Ins, target: Target, items: &[Operand], ty: Type) -> Result<()> {
        // Several values below a word are loaded together, as many as a word has.
        let each = u32::from(ty.bits) / 8;
        let (pieces, size) = pieces(each, items.len() as u32);
        let mut values = Vec::new();
        for piece in 0..pieces {
            let bits = Type { kind: Kind::Bits, bits: (size * 8) as u8, ..B32 };
            let item = items.get(piece as usize).filter(|_| size == each);
            let kept = item.and_then(|item| self.kept(item, ty));
            let loaded =
                self.loaded(ins, target, bits, Piece { at: piece, count: pieces }, kept)?;
            for part in 0..size / each {
                let value = match size == each {
                    true => loaded.value,
                    false => self.part(loaded.value, bits.bits, part, ty.bits),
                };
                values.push(Loaded { value, ty, ..loaded });
            }
        }
        for (item, loaded) in items.iter().zip(values) {
            self.take(item, loaded)?;
        }
        Ok(())
    }

    /// Writes what is loaded to a destination.
    fn take(&mut self, to: &Operand, loaded: Loaded) -> Result<()> {
        if loaded.keeps {
            self.replace(to, loaded.value, loaded.ty);
            return Ok(());
        }
        self.write(to, loaded.value, loaded.ty)
    }

    /// An element that is loaded, or `kept` where a guard is false.
    fn loaded(
        &mut self,
        ins: Ins,
        target: Target,
        ty: Type,
        piece: Piece,
        kept: Option<Value>,
    ) -> Result<Loaded> {
        let bytes = u32::from(ty.bits) / 8;
        match self.piece_of(target, bytes, piece) {
            Target::Parameter(offset, end) => {
                if offset >= end {
                    return Err(Refused::new(ins.it.span, "this reads beyond the parameter"));
                }
                let value = self.parameter(offset, ty, ins.it.span)?;
                Ok(Loaded { value, ty, keeps: false })
            }
            Target::Address(address, space) => {
                let mut access = self.access(ins, space, bytes, piece);
                let small = ty.kind == Kind::Signed && ty.bits < 32;
                if small {
                    access.width = if ty.bits == 8 { Width::S8 } else { Width::S16 };
                }
                let value = match self.guard {
                    None => self.builder.load(access, address),
                    Some(holds) => {
                        let other = kept.unwrap_or_else(|| self.builder.zero(register_type(ty)));
                        self.builder.guarded(ir::Kind::Load(access, address), holds, Some(other))
                    }
                };
                let word = Type { kind: Kind::Signed, bits: 32, name: "s32" };
                let ty = if small { word } else { ty };
                Ok(Loaded { value, ty, keeps: kept.is_some() })
            }
        }
    }

    /// A value of the kernel's parameters.
    pub fn parameter(&mut self, offset: u32, ty: Type, span: Span) -> Result<Value> {
        let bytes = u32::from(ty.bits) / 8;
        if !offset.is_multiple_of(bytes.max(1)) {
            let message = format!("a parameter of {bytes} bytes is read at offset {offset}");
            return Err(Refused::new(span, message).help("accesses are aligned to their size"));
        }
        Ok(match bytes {
            8 if self.points_to_global.contains(&offset) => {
                let low = self.builder.parameter(ir::Type::B32, offset, true);
                let high = self.builder.parameter(ir::Type::B32, offset + 4, false);
                self.builder.compute(Op::Pack, &[low, high])
            }
            8 => self.builder.parameter(ir::Type::B64, offset, false),
            4 => self.builder.parameter(ir::Type::B32, offset, false),
            _ => {
                let word = self.builder.parameter(ir::Type::B32, offset & !3, false);
                self.piece(word, 8 * (offset & 3), ty.bits, false)
            }
        })
    }

    fn store(&mut self, ins: Ins) -> Result<()> {
        let ty = ins.ty()?;
        let from = ins.operand(1)?;
        match &from.kind {
            _ if ty.bits > 64 => {
                let halves = self.halves(from)?;
                self.store_vector(ins, &halves, B64)
            }
            OperandKind::Vector(items) => self.store_vector(ins, items, ty),
            _ => {
                let value = self.value(from, ty)?;
                let target = self.accessed(ins, ins.operand(0)?)?;
                self.stored(ins, target, value, ty, Piece::WHOLE)
            }
        }
    }

    /// Stores the elements of a vector.
    fn store_vector(&mut self, ins: Ins, items: &[Operand], ty: Type) -> Result<()> {
        let each = u32::from(ty.bits) / 8;
        let (pieces, size) = pieces(each, items.len() as u32);
        let mut values = Vec::new();
        for item in items {
            values.push(self.value(item, ty)?);
        }
        let target = self.accessed(ins, ins.operand(0)?)?;
        for (piece, values) in values.chunks((size / each) as usize).enumerate() {
            let bits = Type { kind: Kind::Bits, bits: (size * 8) as u8, ..B32 };
            let value = match values {
                [one] => *one,
                several => self.join(several, ty.bits, bits.bits),
            };
            self.stored(ins, target, value, bits, Piece { at: piece as u32, count: pieces })?;
        }
        Ok(())
    }

    fn stored(
        &mut self,
        ins: Ins,
        target: Target,
        value: Value,
        ty: Type,
        piece: Piece,
    ) -> Result<()> {
        let bytes = u32::from(ty.bits) / 8;
        let operand = ins.operand(0)?;
        match self.piece_of(target, bytes, piece) {
            Target::Address(address, space) => {
                let access = self.access(ins, space, bytes, piece);
                match self.guard {
                    None => self.builder.store(access, address, value),
                    Some(holds) => {
                        let store = ir::Kind::Store(access, address, value);
                        self.builder.guarded(store, holds, None);
                    }
                }
                self.remember_argument(operand, value);
                Ok(())
            }
            Target::Parameter(..) => {
                Err(Refused::new(operand.span, "the kernel's parameters cannot be written"))
            }
        }
    }

    fn atomic(&mut self, ins: Ins) -> Result<()> {
        let ty = ins.ty()?;
        let returns = ins.mnemonic() == "atom";
        let first = usize::from(returns);
        let Target::Address(address, space) = self.accessed(ins, ins.operand(first)?)? else {
            return Err(ins.refused("cannot change the kernel's parameters"));
        };
        let op = atomic_operation(ins, ty)?;
        let mut operands = vec![address, self.value(ins.operand(first + 1)?, ty)?];
        if ins.has("cas") {
            // PTX has what is compared first, the machine what is stored.
            operands.insert(1, self.value(ins.operand(first + 2)?, ty)?);
        }
        let Some(holds) = self.guard else {
            let old = self.builder.atomic_in(op, space, &operands);
            return if returns { self.result(ins, old, ty) } else { Ok(()) };
        };
        let to = ins.operand(0)?;
        let kept = if returns { self.kept(to, ty) } else { None };
        let other = kept.unwrap_or_else(|| self.builder.zero(register_type(ty)));
        let access = ir::Kind::Atomic(op, space, Operands::new(&operands));
        let value = self.builder.guarded(access, holds, Some(other));
        match returns {
            true => self.take(to, Loaded { value, ty, keeps: kept.is_some() }),
            false => Ok(()),
        }
    }

    /// Gives parameters whose address the text takes a copy in local memory, which has one.
    pub fn copy_parameters(
        &mut self,
        kernel: &tree::Function,
        body: &tree::Block,
        places: &[reconverge_isa::Parameter],
    ) {
        let mut taken = std::collections::BTreeSet::new();
        addresses_taken(body, &mut taken);
        for (parameter, place) in kernel.parameters.iter().zip(places) {
            if !taken.contains(&parameter.name.text) || place.size == 0 {
                continue;
            }
            let slot = self.builder.add_slot(ir::SlotData {
                name: place.name.clone(),
                size: place.size,
                align: 16,
            });
            let mut at = 0;
            while at < place.size {
                let bytes = match place.size - at {
                    4.. if (place.offset + at).is_multiple_of(4) => 4,
                    _ => 1,
                };
                let ty = Type { kind: Kind::Bits, bits: bytes as u8 * 8, ..B32 };
                let word = self.builder.parameter(ir::Type::B32, (place.offset + at) & !3, false);
                let value = match bytes {
                    4 => word,
                    _ => self.piece(word, 8 * ((place.offset + at) & 3), ty.bits, false),
                };
                let access =
                    Access { space: Space::Local, width: width(bytes), ..Access::default() };
                if let Some(address) = self.place(Place::Slot(slot), i64::from(at)) {
                    self.builder.store(access, address, value);
                }
                at += bytes;
            }
            let place = Symbol::Place(Place::Slot(slot));
            self.scopes.declare(&parameter.name.text, None, place);
        }
    }

    /// The value of an operand that is a predicate.
    pub fn predicate(&mut self, ins: Ins, index: usize) -> Result<Value> {
        self.value(ins.operand(index)?, PREDICATE)
    }
}

/// Adds the names whose address is taken, other than in brackets.
fn addresses_taken(
    block: &tree::Block,
    taken: &mut std::collections::BTreeSet<reconverge_ptx::Text>,
) {
    for statement in &block.statements {
        match statement {
            tree::Statement::Block(block) => addresses_taken(block, taken),
            tree::Statement::Instruction(instruction) => {
                for operand in &instruction.operands {
                    if let OperandKind::Name(name) | OperandKind::Offset(name, _) = &operand.kind {
                        taken.insert(name.clone());
                    }
                }
            }
            _ => {}
        }
    }
}

/// The cache hints that an instruction states.
fn cache_hints(ins: Ins) -> CacheHints {
    let mut hints = CacheHints::NONE;
    for modifier in &ins.it.modifiers {
        hints.add(&modifier.text.replace("::", "_"));
    }
    hints
}

fn outside(name: &str, span: Span) -> Refused {
    Refused::new(
        span,
        format!("this is outside of the parameter `{name}`, or not read by `ld.param`"),
    )
}

/// How many accesses a vector takes, and how many bytes each: elements below a word go together.
fn pieces(each: u32, count: u32) -> (u32, u32) {
    let whole = each * count;
    let size = if each < 4 { whole.min(4) } else { each };
    (whole / size, size)
}

pub fn width(bytes: u32) -> Width {
    match bytes {
        1 => Width::U8,
        2 => Width::U16,
        8 => Width::B64,
        _ => Width::B32,
    }
}

/// The window that an instruction names.
fn window(ins: Ins) -> Space {
    match ins.one_of(&["global", "shared", "shared::cta", "local", "const", "param"]) {
        Some("global") => Space::Global,
        Some("shared" | "shared::cta") => Space::Shared,
        Some("local" | "param") => Space::Local,
        Some("const") => Space::Constant,
        _ if ins.mnemonic() == "ldu" => Space::Global,
        _ => Space::Generic,
    }
}

fn atomic_operation(ins: Ins, ty: Type) -> Result<Op> {
    let words = ["add", "min", "max", "inc", "dec", "and", "or", "xor", "exch", "cas"];
    let wide = ty.bits == 64;
    let sized = |narrow, wide_op| if wide { wide_op } else { narrow };
    let signed = ty.kind == Kind::Signed;
    Ok(match ins.one_of(&words) {
        Some("add") if is_half(ty) => match ty.name {
            "f16" => Op::AtomAddF16,
            "f16x2" => Op::AtomAddF16x2,
            "bf16" => Op::AtomAddBf16,
            _ => Op::AtomAddBf16x2,
        },
        Some("add") if ty.kind == Kind::Float => sized(Op::AtomAddF32, Op::AtomAddF64),
        Some("add") => sized(Op::AtomAdd, Op::AtomAdd64),
        Some("min") if signed => sized(Op::AtomMinS32, Op::AtomMinS64),
        Some("min") => sized(Op::AtomMinU32, Op::AtomMinU64),
        Some("max") if signed => sized(Op::AtomMaxS32, Op::AtomMaxS64),
        Some("max") => sized(Op::AtomMaxU32, Op::AtomMaxU64),
        Some("inc") => Op::AtomInc,
        Some("dec") => Op::AtomDec,
        Some("and") => sized(Op::AtomAnd, Op::AtomAnd64),
        Some("or") => sized(Op::AtomOr, Op::AtomOr64),
        Some("xor") => sized(Op::AtomXor, Op::AtomXor64),
        Some("exch") => sized(Op::AtomExch, Op::AtomExch64),
        Some("cas") if ty.bits == 16 => Op::AtomCas16,
        Some("cas") => sized(Op::AtomCas, Op::AtomCas64),
        _ => return Err(ins.refused("has no translation")),
    })
}
