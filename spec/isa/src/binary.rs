//! The binary form of a program: a container of counted records around 128-bit instructions.
//!
//! [`FIELDS`] is where an instruction's layout is declared; the encoder, the decoder and the
//! specification's picture derive from it.

mod hints;

use std::fmt;

use crate::cache::CacheHints;
use crate::control_bits::ControlBits;
pub use crate::field::Field;
use crate::hints::Hints;
use crate::instruction::*;
use crate::lane::ValueKind;
use crate::placement::Placement;
use crate::program::*;
use crate::region::Region;
use crate::table::{Effect, Op};
use crate::validate::{Fault, Place, validate};

/// The first bytes of every container.
pub const MAGIC: [u8; 4] = *b"RCVG";
/// The version of the container and of the encoding of programs with hints.
pub const VERSION: u32 = 4;
/// The version of programs without hints that state the places of registers ([`Kernel::record`]).
pub const VERSION_WITHOUT_HINTS: u32 = 3;
/// The version of those that do not: the same without that.
pub const VERSION_WITHOUT_PLACEMENTS: u32 = 2;

/// The first bytes of the section of control bits.
const CONTROL_TAG: [u8; 4] = *b"CTRL";

/// The first bytes of the section of uniform registers.
const UNIFORM_TAG: [u8; 4] = *b"UNIF";

/// The version that a program is written in.
pub fn version_of(program: &Program) -> u32 {
    let says = |kernel: &Kernel| {
        !kernel.record.placements.is_empty()
            || !kernel.record.regions.is_empty()
            || kernel.record.long_lived != 0
    };
    let hints = |kernel: &Kernel| kernel.code.iter().any(|it| it.hints != Hints::NONE);
    if program.kernels.iter().any(hints) {
        VERSION
    } else if program.kernels.iter().any(says) {
        VERSION_WITHOUT_HINTS
    } else {
        VERSION_WITHOUT_PLACEMENTS
    }
}

const IMMEDIATE: Field = Field::new(
    "immediate",
    0,
    32,
    "the immediate, constant offset or special value's number; the target of a branch or `bssy`",
);
const SHARED: Field = Field::new(
    "offset",
    32,
    24,
    "a memory instruction's or an enqueued address's offset, signed; a branch's reconvergence point, all ones for none",
);
const REGISTER: [Field; 3] = [
    Field::new(
        "source0",
        56,
        8,
        "source 0's register, predicate or site; a convergence barrier's or a dependence counter's number",
    ),
    Field::new("source1", 64, 8, "source 1's register or predicate"),
    Field::new(
        "source2",
        72,
        8,
        "source 2's register or predicate; the site of an enqueue or a barrier; a load's or store's cache hints",
    ),
];
const DEST: Field =
    Field::new("dest", 80, 8, "the result's register or predicate, all ones for none");
const SOURCE_KIND: [Field; 3] = [
    Field::new("kind0", 88, 3, "source 0's kind"),
    Field::new("kind1", 91, 3, "source 1's kind"),
    Field::new("kind2", 94, 3, "source 2's kind"),
];
const LAST_READ: Field = Field::new("last", 97, 3, "annotation: bit i when source i is read last");
const SPACE: Field = Field::new("space", 100, 3, "which window of the address space");
const WIDTH: Field = Field::new("width", 103, 3, "width and extension of a load or store");
const CLASS: Field = Field::new("class", 106, 2, "annotation: class of the result");
const UNIFORM: Field =
    Field::new("uni", 108, 1, "annotation: uniform branch, volatile load or store");
const TAINT: Field = Field::new(
    "taint",
    109,
    2,
    "annotation: what a branch depends on; a load's or store's bit 0 is 1 if it is raw, bit 1 if it has the hint `nc`",
);
const GUARD: Field = Field::new("guard", 111, 4, "the guard's predicate, all ones for none");
const NEGATED: Field =
    Field::new("not", 115, 1, "act where the guard, or what is dequeued, is false");
const QUEUE: Field = Field::new(
    "queue",
    116,
    2,
    "which queue source 0 is taken from; 1 in a barrier that has a site, and in an access whose address is a pair of registers",
);
const OPCODE: Field = Field::new("opcode", 118, 10, "the operation's number");

/// The fields of an instruction from the lowest bit to the highest; together they are its 128
/// bits. The number is stored with its lowest byte first.
pub const FIELDS: [Field; 19] = [
    IMMEDIATE,
    SHARED,
    REGISTER[0],
    REGISTER[1],
    REGISTER[2],
    DEST,
    SOURCE_KIND[0],
    SOURCE_KIND[1],
    SOURCE_KIND[2],
    LAST_READ,
    SPACE,
    WIDTH,
    CLASS,
    UNIFORM,
    TAINT,
    GUARD,
    NEGATED,
    QUEUE,
    OPCODE,
];

/// The numbers of a source's kinds, with their meanings.
pub const SOURCE_KINDS: [(u32, &str); 8] = [
    (KIND_NONE, "absent"),
    (KIND_REGISTER, "register, or first register of a pair or of four"),
    (KIND_PREDICATE, "predicate"),
    (KIND_COMPLEMENT, "complement of a predicate"),
    (KIND_IMMEDIATE, "the immediate field"),
    (KIND_CONSTANT, "constant bank 0 at the offset in the immediate field"),
    (KIND_SPECIAL, "the special value numbered by the immediate field"),
    (KIND_DEQUEUE, "taken from the queue, for the site in the source's field"),
];
const KIND_NONE: u32 = 0;
const KIND_REGISTER: u32 = 1;
const KIND_PREDICATE: u32 = 2;
const KIND_COMPLEMENT: u32 = 3;
const KIND_IMMEDIATE: u32 = 4;
const KIND_CONSTANT: u32 = 5;
const KIND_SPECIAL: u32 = 6;
const KIND_DEQUEUE: u32 = 7;

/// The classes of a result in encoding order, with their spelling in text.
pub const CLASSES: [(ValueClass, &str); 3] = [
    (ValueClass::Unknown, "no claim"),
    (ValueClass::Uniform, "`!uniform`"),
    (ValueClass::Affine, "`!affine`"),
];
/// The dependence of a branch, in encoding order, with its spelling in text.
pub const TAINTS: [(BranchTaint, &str); 3] = [
    (BranchTaint::Unknown, "no claim"),
    (BranchTaint::Programmatic, "`!P`"),
    (BranchTaint::Data, "`!D`"),
];

fn index_of<T: PartialEq>(all: &[(T, &str)], item: T) -> u32 {
    let position = all.iter().position(|(other, _)| *other == item);
    position.unwrap_or(0) as u32
}

fn item_at<T: Copy>(all: &[(T, &str)], index: u32) -> Option<T> {
    Some(all.get(index as usize)?.0)
}

/// Encodes an instruction that obeys the rules ([`validate()`]); for another one, parts that do not
/// fit are cut off.
pub fn encode_instruction(instruction: &Instruction) -> u128 {
    let Instruction {
        op,
        guard,
        dest,
        sources,
        space,
        width,
        offset,
        pair_address,
        target,
        barrier,
        site,
        annotations,
        hints: _,
    } = *instruction;
    let mut bits = 0;
    OPCODE.put(&mut bits, u32::from(op.row().opcode));
    let number = guard.map_or(GUARD.ones(), |guard| u32::from(guard.predicate.0));
    GUARD.put(&mut bits, number);
    NEGATED.put(&mut bits, u32::from(guard.is_some_and(|guard| guard.negated)));
    let number = match dest {
        Dest::None => DEST.ones(),
        Dest::Reg(register) => u32::from(register.0),
        Dest::Pred(predicate) => u32::from(predicate.0),
    };
    DEST.put(&mut bits, number);
    for (index, source) in sources.into_iter().enumerate() {
        encode_source(&mut bits, index, source);
    }
    if instruction.has_target() {
        IMMEDIATE.put(&mut bits, target);
    }
    if instruction.has_barrier() || instruction.has_counter() {
        REGISTER[0].put(&mut bits, u32::from(barrier));
    }
    if let Some(site) = site {
        REGISTER[2].put(&mut bits, u32::from(site));
        QUEUE.put(&mut bits, u32::from(op.row().effect == Effect::Barrier));
    }
    if pair_address {
        QUEUE.put(&mut bits, 1);
    }
    if matches!(op.row().effect, Effect::Load | Effect::Store) {
        REGISTER[2].put(&mut bits, u32::from(annotations.cache.bits()));
    }
    if op.row().effect == Effect::Branch {
        SHARED.put(&mut bits, annotations.reconverge.unwrap_or(SHARED.ones()));
    } else {
        SHARED.put(&mut bits, offset as u32);
    }
    SPACE.put(&mut bits, index_of(&Space::ALL, space));
    WIDTH.put(&mut bits, index_of(&Width::ALL, width));
    LAST_READ.put(&mut bits, u32::from(annotations.last_read));
    CLASS.put(&mut bits, index_of(&CLASSES, annotations.class));
    UNIFORM.put(&mut bits, u32::from(annotations.uniform || annotations.volatile));
    let taint = index_of(&TAINTS, annotations.taint);
    let of_access = u32::from(annotations.raw) | u32::from(annotations.cache.non_coherent) << 1;
    TAINT.put(&mut bits, taint | of_access);
    bits
}

fn encode_source(bits: &mut u128, index: usize, source: Operand) {
    if let Operand::Dequeue { queue, negated, .. } = source {
        QUEUE.put(bits, 1 + index_of(&Queue::ALL, queue));
        NEGATED.put(bits, u32::from(negated));
    }
    let (kind, field, value) = match source {
        Operand::None => (KIND_NONE, IMMEDIATE, 0),
        Operand::Reg(register) => (KIND_REGISTER, REGISTER[index], u32::from(register.0)),
        Operand::Pred { predicate, negated } => {
            let kind = if negated { KIND_COMPLEMENT } else { KIND_PREDICATE };
            (kind, REGISTER[index], u32::from(predicate.0))
        }
        Operand::Imm(value) => (KIND_IMMEDIATE, IMMEDIATE, value),
        Operand::Const(offset) => (KIND_CONSTANT, IMMEDIATE, u32::from(offset)),
        Operand::Special(special) => (KIND_SPECIAL, IMMEDIATE, index_of(&Special::ALL, special)),
        Operand::Dequeue { site, .. } => (KIND_DEQUEUE, REGISTER[index], u32::from(site)),
    };
    SOURCE_KIND[index].put(bits, kind);
    field.put(bits, value);
}

/// Decodes an instruction; the message describes a fault of the bits. Every instruction has exactly
/// one encoding: bits that it does not use must be zero.
pub fn decode_instruction(bits: u128) -> Result<Instruction, String> {
    let opcode = OPCODE.get(bits);
    let op = Op::from_opcode(opcode as u16).ok_or_else(|| format!("unknown opcode {opcode:#x}"))?;
    let unknown = |field: Field| format!("field {} holds {}", field.name, field.get(bits));
    let mut this = Instruction::new(op);
    this.guard = (GUARD.get(bits) != GUARD.ones())
        .then(|| Guard { predicate: Pred(GUARD.get(bits) as u8), negated: NEGATED.get(bits) != 0 });
    for (index, source) in this.sources.iter_mut().enumerate() {
        *source = decode_source(bits, index).ok_or_else(|| unknown(SOURCE_KIND[index]))?;
    }
    let is_register = matches!(this.sources[0], Operand::Reg(_));
    this.pair_address = this.is_memory() && is_register && QUEUE.get(bits) != 0;
    this.space = item_at(&Space::ALL, SPACE.get(bits)).ok_or_else(|| unknown(SPACE))?;
    this.width = item_at(&Width::ALL, WIDTH.get(bits)).ok_or_else(|| unknown(WIDTH))?;
    this.dest = match (this.result_kind(), DEST.get(bits)) {
        (_, number) if number == DEST.ones() => Dest::None,
        (Some(ValueKind::Predicate), number) => Dest::Pred(Pred(number as u8)),
        (_, number) => Dest::Reg(Reg(number as u8)),
    };
    if this.has_target() {
        this.target = IMMEDIATE.get(bits);
    }
    if this.has_barrier() || this.has_counter() {
        this.barrier = REGISTER[0].get(bits) as u8;
    }
    let site = REGISTER[2].get(bits) as u8;
    this.site = match op.row().effect {
        Effect::Enqueue => Some(site),
        Effect::Barrier if QUEUE.get(bits) != 0 => Some(site),
        _ => None,
    };
    if op.row().effect == Effect::Branch {
        let point = SHARED.get(bits);
        this.annotations.reconverge = (point != SHARED.ones()).then_some(point);
    } else {
        let unused = 32 - SHARED.width;
        this.offset = (SHARED.get(bits) << unused) as i32 >> unused;
    }
    this.annotations.last_read = LAST_READ.get(bits) as u8;
    this.annotations.class = item_at(&CLASSES, CLASS.get(bits)).ok_or_else(|| unknown(CLASS))?;
    let flag = UNIFORM.get(bits) != 0;
    let accesses = matches!(op.row().effect, Effect::Load | Effect::Store);
    (this.annotations.uniform, this.annotations.volatile) = (flag && !accesses, flag && accesses);
    let taint = TAINT.get(bits);
    if accesses {
        this.annotations.raw = taint & 1 != 0;
        let hints = CacheHints::of_bits(REGISTER[2].get(bits) as u8);
        let hints = hints.ok_or_else(|| unknown(REGISTER[2]))?;
        this.annotations.cache = CacheHints { non_coherent: taint >> 1 != 0, ..hints };
    } else {
        this.annotations.taint = item_at(&TAINTS, taint).ok_or_else(|| unknown(TAINT))?;
    }
    match encode_instruction(&this) ^ bits {
        0 => Ok(this),
        difference => Err(misfit(difference)),
    }
}

fn decode_source(bits: u128, index: usize) -> Option<Operand> {
    let predicate = Pred(REGISTER[index].get(bits) as u8);
    let immediate = IMMEDIATE.get(bits);
    Some(match SOURCE_KIND[index].get(bits) {
        KIND_NONE => Operand::None,
        KIND_REGISTER => Operand::Reg(Reg(predicate.0)),
        kind @ (KIND_PREDICATE | KIND_COMPLEMENT) => {
            Operand::Pred { predicate, negated: kind == KIND_COMPLEMENT }
        }
        KIND_IMMEDIATE => Operand::Imm(immediate),
        // Too great an offset loses bits here, which the comparison with the encoding finds.
        KIND_CONSTANT => Operand::Const(immediate as u16),
        KIND_SPECIAL => Operand::Special(item_at(&Special::ALL, immediate)?),
        KIND_DEQUEUE => Operand::Dequeue {
            queue: item_at(&Queue::ALL, QUEUE.get(bits).checked_sub(1)?)?,
            site: predicate.0,
            negated: NEGATED.get(bits) != 0,
        },
        _ => return None,
    })
}

/// Names the lowest field in which bits are set that mean nothing.
fn misfit(difference: u128) -> String {
    let field = FIELDS.iter().find(|field| field.get(difference) != 0);
    let name = field.map_or("?", |field| field.name);
    format!("bits of field {name} are set that the operation does not use")
}

/// Why bytes are no program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BinaryError {
    /// The byte at which it was found.
    pub offset: usize,
    /// The fault.
    pub message: String,
}

impl fmt::Display for BinaryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {:#x}: {}", self.offset, self.message)
    }
}

impl std::error::Error for BinaryError {}

/// Encodes a program, or reports the rules that it breaks.
pub fn encode(program: &Program) -> Result<Vec<u8>, Vec<Fault>> {
    let faults = validate(program);
    if !faults.is_empty() {
        return Err(faults);
    }
    let mut out = Writer(Vec::new());
    out.0.extend(MAGIC);
    let version = version_of(program);
    out.word(version);
    out.each(&program.files, |out, file| out.bytes(file.as_bytes()));
    out.each(&program.variables, |out, variable| {
        out.bytes(variable.name.as_bytes());
        out.word(variable.address);
        out.word(variable.size);
        out.bytes(&variable.image);
    });
    out.each(&program.kernels, |out, kernel| {
        write_kernel(out, kernel);
        if version >= VERSION_WITHOUT_HINTS {
            out.each(&kernel.record.placements, |out, placement| out.word(placement.word()));
            out.each(&kernel.record.regions, |out, region| {
                out.word(region.start);
                out.bytes(&region.preloads);
                out.bytes(&region.erasures);
            });
            out.bytes(&kernel.record.evictions);
            out.word(kernel.record.long_lived);
        }
    });
    let (names, hints) = hints::of(&program.kernels);
    if !hints.is_empty() {
        out.0.extend(hints::TAG);
        out.each(&names, |out, name| out.bytes(name.as_bytes()));
        out.each(&hints, |out, words| words.iter().for_each(|word| out.word(*word)));
    }
    let stating = program.kernels.iter().zip(0..);
    let stating: Vec<(&Kernel, u32)> =
        stating.filter(|(kernel, _)| !kernel.record.control_bits.is_empty()).collect();
    if !stating.is_empty() {
        out.0.extend(CONTROL_TAG);
        out.each(&stating, |out, (kernel, number)| {
            out.word(*number);
            out.each(&kernel.record.control_bits, |out, bits| out.word(bits.word()));
        });
    }
    let uniform = program.kernels.iter().zip(0..);
    let uniform: Vec<(u32, u32)> = uniform
        .filter(|(kernel, _)| kernel.record.uniform != 0)
        .map(|(kernel, number)| (number, kernel.record.uniform))
        .collect();
    if !uniform.is_empty() {
        out.0.extend(UNIFORM_TAG);
        out.each(&uniform, |out, (number, count)| {
            out.word(*number);
            out.word(*count);
        });
    }
    Ok(out.0)
}

/// Words are stored with the lowest byte first; sequences begin with their count as a word.
struct Writer(Vec<u8>);

impl Writer {
    fn word(&mut self, word: u32) {
        self.0.extend(word.to_le_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.word(bytes.len() as u32);
        self.0.extend(bytes);
    }

    fn each<T>(&mut self, items: &[T], mut write: impl FnMut(&mut Writer, &T)) {
        self.word(items.len() as u32);
        for item in items {
            write(self, item);
        }
    }
}

fn write_kernel(out: &mut Writer, kernel: &Kernel) {
    out.bytes(kernel.name.as_bytes());
    out.each(&kernel.parameters, |out, parameter| {
        out.bytes(parameter.name.as_bytes());
        out.word(parameter.offset);
        out.word(parameter.size);
    });
    out.word(kernel.parameter_bytes);
    out.each(&kernel.literals, |out, literal| out.word(*literal));
    out.word(kernel.registers);
    out.word(kernel.predicates);
    out.word(kernel.shared_bytes);
    out.word(kernel.local_bytes);
    out.word(kernel.max_threads);
    out.each(kernel.affine.as_slice(), |out, affine| {
        out.word(affine.entry);
        out.word(affine.registers);
        out.word(affine.predicates);
    });
    out.each(&kernel.code, |out, instruction| {
        out.0.extend(encode_instruction(instruction).to_le_bytes())
    });
    out.each(&kernel.lines, |out, line| {
        out.word(line.file);
        out.word(line.line);
        out.word(line.column);
    });
}

/// Decodes a program and checks the rules, so that the result is as good as compiled.
pub fn decode(bytes: &[u8]) -> Result<Program, BinaryError> {
    let mut reader = Reader { bytes, at: 0, version: 0, places: Vec::new(), code: Vec::new() };
    if reader.take(4).ok() != Some(&MAGIC) {
        return Err(error(0, "it does not begin with RCVG"));
    }
    reader.version = reader.word()?;
    if !(VERSION_WITHOUT_PLACEMENTS..=VERSION).contains(&reader.version) {
        let version = reader.version;
        let known = format!("{VERSION_WITHOUT_PLACEMENTS} to {VERSION} are known");
        return Err(error(4, format!("version {version}; only {known}")));
    }
    let files = reader.each(4, Reader::text)?;
    let variables = reader.each(16, Reader::variable)?;
    let mut kernels = reader.each(48, Reader::kernel)?;
    reader.hints(&mut kernels)?;
    reader.control_bits(&mut kernels)?;
    reader.uniform(&mut kernels)?;
    if reader.at != bytes.len() {
        return Err(error(reader.at, "bytes follow the program"));
    }
    let program = Program { files, variables, kernels };
    if reader.version != version_of(&program) {
        let (version, needed) = (reader.version, version_of(&program));
        return Err(error(4, format!("version {version}; the contents are of version {needed}")));
    }
    match validate(&program).into_iter().next() {
        None => Ok(program),
        Some(fault) => Err(error(reader.place(&program, fault.place), fault.message)),
    }
}

fn error(offset: usize, message: impl Into<String>) -> BinaryError {
    BinaryError { offset, message: message.into() }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    /// The container's version.
    version: u32,
    /// The start of each variable, then of each kernel.
    places: Vec<usize>,
    /// The start of each kernel's code.
    code: Vec<usize>,
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], BinaryError> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        match rest.get(..count) {
            Some(taken) => {
                self.at += count;
                Ok(taken)
            }
            None => Err(error(self.at, "the program ends too early")),
        }
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], BinaryError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    fn word(&mut self) -> Result<u32, BinaryError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    fn count(&mut self) -> Result<usize, BinaryError> {
        Ok(self.word()? as usize)
    }

    fn bytes(&mut self) -> Result<&'a [u8], BinaryError> {
        let count = self.count()?;
        self.take(count)
    }

    fn text(&mut self) -> Result<String, BinaryError> {
        let start = self.at;
        let text = std::str::from_utf8(self.bytes()?);
        Ok(text.map_err(|_| error(start, "a name is not UTF-8"))?.to_string())
    }

    /// Reads a sequence whose items take at least `least` bytes each. A count that the rest of
    /// the bytes cannot hold is refused before anything is allocated for it.
    fn each<T>(
        &mut self,
        least: usize,
        read: impl Fn(&mut Self) -> Result<T, BinaryError>,
    ) -> Result<Vec<T>, BinaryError> {
        let start = self.at;
        let count = self.count()?;
        if count > (self.bytes.len() - self.at) / least {
            return Err(error(start, format!("too few bytes for {count} items")));
        }
        (0..count).map(|_| read(self)).collect()
    }

    fn variable(&mut self) -> Result<Variable, BinaryError> {
        self.places.push(self.at);
        Ok(Variable {
            name: self.text()?,
            address: self.word()?,
            size: self.word()?,
            image: self.bytes()?.to_vec(),
        })
    }

    fn kernel(&mut self) -> Result<Kernel, BinaryError> {
        self.places.push(self.at);
        Ok(Kernel {
            name: self.text()?,
            parameters: self.each(12, Reader::parameter)?,
            parameter_bytes: self.word()?,
            literals: self.each(4, Reader::word)?,
            registers: self.word()?,
            predicates: self.word()?,
            shared_bytes: self.word()?,
            local_bytes: self.word()?,
            max_threads: self.word()?,
            affine: {
                let start = self.at;
                match self.each(12, Reader::affine)?.as_slice() {
                    [] => None,
                    [affine] => Some(*affine),
                    _ => return Err(error(start, "a kernel has at most one affine stream")),
                }
            },
            code: {
                self.code.push(self.at + 4);
                self.each(16, Reader::instruction)?
            },
            lines: self.each(12, Reader::location)?,
            record: match self.version {
                VERSION_WITHOUT_PLACEMENTS => Record::default(),
                _ => self.record()?,
            },
        })
    }

    /// The section of hints, if there is one.
    fn hints(&mut self, kernels: &mut [Kernel]) -> Result<(), BinaryError> {
        if self.bytes.get(self.at..self.at + hints::TAG.len()) != Some(hints::TAG.as_slice()) {
            return Ok(());
        }
        if self.version != VERSION {
            let message = format!(
                "hints of version {} are no longer read; compile the program again",
                self.version
            );
            return Err(error(self.at, message));
        }
        self.at += hints::TAG.len();
        let start = self.at;
        let names = self.each(4, Reader::text)?;
        if names.is_empty() || !names.is_sorted_by(|one, next| one < next) {
            return Err(error(start, "the names of hints stand in order, each once"));
        }
        let start = self.at;
        let all = self.each(16, |reader| Ok((reader.at, reader.hint()?)))?;
        let order = "hints stand in the order of the code, and of their names";
        let place = |words: &hints::Words| (words[0], words[1], words[2]);
        let mut used = vec![false; names.len()];
        for (number, (at, words)) in all.iter().enumerate() {
            if number != 0 && place(&all[number - 1].1) >= place(words) {
                return Err(error(*at, order));
            }
            hints::give(kernels, &names, *words).map_err(|message| error(*at, message))?;
            used[words[2] as usize] = true;
        }
        if used.contains(&false) {
            return Err(error(start, "a name of a hint is not used"));
        }
        Ok(())
    }

    /// The section of control bits, if there is one.
    fn control_bits(&mut self, kernels: &mut [Kernel]) -> Result<(), BinaryError> {
        if self.bytes.get(self.at..self.at + CONTROL_TAG.len()) != Some(CONTROL_TAG.as_slice()) {
            return Ok(());
        }
        self.at += CONTROL_TAG.len();
        let start = self.at;
        let all = self.each(8, |reader| {
            let start = reader.at;
            Ok((start, reader.count()?, reader.each(4, Reader::control_word)?))
        })?;
        if all.is_empty() {
            return Err(error(start, "a section of control bits has at least one kernel"));
        }
        let mut least = 0;
        for (at, number, words) in all {
            let kernel = kernels.get_mut(number).filter(|_| number >= least && !words.is_empty());
            let order = "control bits stand in the order of the kernels that have some";
            kernel.ok_or_else(|| error(at, order))?.record.control_bits = words;
            least = number + 1;
        }
        Ok(())
    }

    /// The section of uniform registers, if there is one.
    fn uniform(&mut self, kernels: &mut [Kernel]) -> Result<(), BinaryError> {
        if self.bytes.get(self.at..self.at + UNIFORM_TAG.len()) != Some(UNIFORM_TAG.as_slice()) {
            return Ok(());
        }
        self.at += UNIFORM_TAG.len();
        let start = self.at;
        let all = self.each(8, |reader| Ok((reader.at, reader.count()?, reader.word()?)))?;
        if all.is_empty() {
            return Err(error(start, "a section of uniform registers has at least one kernel"));
        }
        let mut least = 0;
        for (at, number, count) in all {
            let kernel = kernels.get_mut(number).filter(|_| number >= least && count != 0);
            let order = "uniform registers stand in the order of the kernels that have some";
            kernel.ok_or_else(|| error(at, order))?.record.uniform = count;
            least = number + 1;
        }
        Ok(())
    }

    fn control_word(&mut self) -> Result<ControlBits, BinaryError> {
        let start = self.at;
        let word = self.word()?;
        ControlBits::of_word(word)
            .ok_or_else(|| error(start, format!("{word:#x} has bits that are no control bits")))
    }

    fn hint(&mut self) -> Result<hints::Words, BinaryError> {
        let mut words = hints::Words::default();
        for word in &mut words {
            *word = self.word()?;
        }
        Ok(words)
    }

    fn affine(&mut self) -> Result<AffineStream, BinaryError> {
        Ok(AffineStream { entry: self.word()?, registers: self.word()?, predicates: self.word()? })
    }

    fn parameter(&mut self) -> Result<Parameter, BinaryError> {
        Ok(Parameter { name: self.text()?, offset: self.word()?, size: self.word()? })
    }

    fn instruction(&mut self) -> Result<Instruction, BinaryError> {
        let start = self.at;
        let bits = u128::from_le_bytes(self.array()?);
        decode_instruction(bits).map_err(|message| error(start, message))
    }

    fn record(&mut self) -> Result<Record, BinaryError> {
        Ok(Record {
            placements: self.each(4, Reader::placement)?,
            regions: self.each(12, Reader::region)?,
            evictions: self.bytes()?.to_vec(),
            long_lived: self.word()?,
            control_bits: Vec::new(),
            uniform: 0,
        })
    }

    fn region(&mut self) -> Result<Region, BinaryError> {
        Ok(Region {
            start: self.word()?,
            preloads: self.bytes()?.to_vec(),
            erasures: self.bytes()?.to_vec(),
        })
    }

    fn placement(&mut self) -> Result<Placement, BinaryError> {
        let start = self.at;
        let word = self.word()?;
        Placement::of_word(word)
            .ok_or_else(|| error(start, format!("{word:#x} says no levels of registers")))
    }

    fn location(&mut self) -> Result<Location, BinaryError> {
        Ok(Location { file: self.word()?, line: self.word()?, column: self.word()? })
    }

    fn place(&self, program: &Program, place: Place) -> usize {
        let known = match place {
            Place::Variable(index) => self.places.get(index).copied(),
            Place::Kernel(index) | Place::Parameter { kernel: index, .. } => {
                self.places.get(program.variables.len() + index).copied()
            }
            Place::Instruction { kernel, index } => {
                self.code.get(kernel).map(|start| start + 16 * index)
            }
        };
        known.unwrap_or(0)
    }
}
