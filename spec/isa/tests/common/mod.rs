//! Random numbers and random valid programs.

use reconverge_isa::region_rules::{result_registers, source_registers};
use reconverge_isa::table::TABLE;
use reconverge_isa::*;

/// Marsaglia's xorshift64*: seeded, so that a failure can be repeated.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, limit: u32) -> u32 {
        (((self.bits() >> 32) * u64::from(limit)) >> 32) as u32
    }

    pub fn chance(&mut self, of: u32) -> bool {
        self.below(of) == 0
    }

    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u32) as usize]
    }

    /// Bits that are often an edge case of some type.
    pub fn word(&mut self) -> u32 {
        const EDGES: [u32; 20] = [
            0,
            1,
            2,
            31,
            32,
            0x7fff_ffff,
            0x8000_0000,
            0xffff_ffff,
            0xffff_fffe,
            0x7f80_0000,
            0xff80_0000,
            0x7fc0_0000,
            0x7f80_0001,
            0xffc1_2345,
            0x0080_0000,
            0x007f_ffff,
            0x3f80_0000,
            0xbf80_0000,
            0x7ff0_0000,
            0xfff0_0000,
        ];
        match self.below(4) {
            0 => self.pick(&EDGES),
            1 => self.below(64),
            // Floats of moderate size.
            2 => (self.bits() as u32 & 0x807f_ffff) | ((0x70 + self.below(32)) << 23),
            _ => self.bits() as u32,
        }
    }
}

fn register(random: &mut Random, kind: ValueKind) -> Reg {
    match kind.registers() {
        2 => Reg(2 * random.below(127) as u8),
        4 => Reg(4 * random.below(63) as u8),
        _ => Reg(random.below(255) as u8),
    }
}

fn name(random: &mut Random, index: usize) -> String {
    let odd = [
        "x",
        "_Z3fooIfE",
        "a b",
        "\"quoted\" \\",
        "line\nbreak\r\t",
        "größe",
        "// no",
        "",
        "9lives",
        "é\u{2028}\u{0}",
    ];
    format!("{}{index}", random.pick(&odd))
}

/// A random instruction of the kernel that obeys every rule.
pub fn instruction(random: &mut Random, op: Op, code: u32, constants: u32) -> Instruction {
    let row = op.row();
    let mut this = Instruction::new(op);
    if this.has_counter() {
        this.barrier = random.below(6) as u8;
        this.sources[0] = Operand::Imm(random.below(64));
        return this;
    }
    if row.effect == Effect::AwaitCopies {
        this.sources[0] = Operand::Imm(random.below(256));
        return this;
    }
    if this.has_barrier() {
        this.barrier = random.below(16) as u8;
    } else if row.effect == Effect::Enqueue || row.effect == Effect::Barrier && random.chance(2) {
        this.site = Some(random.below(255) as u8);
    } else if !op.is_matrix_access() && random.chance(3) {
        let predicate = Pred(random.below(15) as u8);
        this.guard = Some(Guard { predicate, negated: random.chance(2) });
    }
    if this.has_width() {
        this.width = random.pick(&Width::ALL).0;
    }
    if this.has_address() {
        let writable = if row.effect == Effect::Load { 5 } else { 4 };
        this.space = random.pick(&Space::ALL[..writable]).0;
        this.offset = match random.below(4) {
            0 => 0,
            1 => random.pick(&[-(1 << 23), (1 << 23) - 1, -1, 1]),
            _ => random.below(1 << 24) as i32 - (1 << 23),
        };
        this.pair_address = this.is_memory() && random.chance(4);
    }
    if op.is_matrix_access() {
        (this.space, this.width, this.pair_address) = (Space::Shared, Width::B128, false);
    }
    if matches!(op, Op::Load | Op::Store) {
        let names: Vec<&str> = CacheHints::all_names().collect();
        for _ in 0..random.below(4) {
            let mut cache = this.annotations.cache;
            let suits = match row.effect {
                Effect::Load => CacheHints::suit_loads,
                _ => CacheHints::suit_stores,
            };
            if cache.add(random.pick(&names)) && suits(cache) {
                this.annotations.cache = cache;
            }
        }
    }
    if let Some(kind) = this.result_kind() {
        this.dest = match kind {
            ValueKind::Predicate => Dest::Pred(Pred(random.below(15) as u8)),
            _ if row.effect == Effect::Atomic && random.chance(2) => Dest::None,
            _ => Dest::Reg(register(random, kind)),
        };
        this.annotations.class =
            random.pick(&[ValueClass::Unknown, ValueClass::Uniform, ValueClass::Affine]);
    }
    let mut immediates = 0;
    for index in 0..3 {
        let Some(kind) = this.source_kind(index) else { break };
        let odd = if immediates == 0 { random.below(8) } else { 7 };
        this.sources[index] = match (kind, odd) {
            _ if index == 0 && this.pair_address => Operand::Reg(register(random, kind)),
            (ValueKind::Predicate, _) => {
                Operand::Pred { predicate: Pred(random.below(15) as u8), negated: random.chance(2) }
            }
            (ValueKind::Quad, _) => Operand::Reg(register(random, kind)),
            (_, 0 | 1) => Operand::Imm(random.word()),
            (_, 2) => Operand::Const(4 * random.below(constants / 4 - 1) as u16),
            (_, 3) if op == Op::Mov => Operand::Special(random.pick(&Special::ALL).0),
            _ => Operand::Reg(register(random, kind)),
        };
        if matches!(this.sources[index], Operand::Reg(_) | Operand::Pred { .. }) {
            this.annotations.last_read |= (random.below(2) as u8) << index;
        } else {
            immediates += 1;
        }
    }
    if row.effect == Effect::Branch {
        this.target = random.below(code);
        this.annotations.reconverge = (!random.chance(3)).then(|| random.below(code));
        this.annotations.uniform = random.chance(2);
        this.annotations.taint =
            random.pick(&[BranchTaint::Unknown, BranchTaint::Programmatic, BranchTaint::Data]);
    }
    this
}

/// Lets an instruction that can dequeue do so, for this site.
pub fn dequeue(random: &mut Random, this: &mut Instruction, site: u8) {
    let queue = match this.op.row().effect {
        _ if this.op.is_matrix_access() => return,
        Effect::Load => random.pick(&[Queue::Data, Queue::Address]),
        Effect::Store | Effect::Atomic => Queue::Address,
        Effect::Branch => Queue::Predicate,
        _ if this.op == Op::MovPred => Queue::Predicate,
        _ => return,
    };
    let negated = queue == Queue::Predicate && random.chance(2);
    this.guard = None;
    this.offset = 0;
    this.pair_address = false;
    this.annotations.last_read &= !1;
    this.sources[0] = Operand::Dequeue { queue, site, negated };
}

/// The instruction of the affine stream that goes with one that dequeues, or with a barrier.
fn enqueue(random: &mut Random, of: &Instruction, code: u32, constants: u32) -> Instruction {
    let Some((queue, site)) = of.dequeues() else {
        return Instruction { site: of.site, ..Instruction::new(Op::Barrier) };
    };
    let op = match queue {
        Queue::Data => Op::EnqueueData,
        Queue::Address => Op::EnqueueAddress,
        Queue::Predicate => Op::EnqueuePredicate,
    };
    let mut this = instruction(random, op, code, constants);
    this.site = Some(site);
    this.space = of.space;
    if this.has_width() {
        let widths = Width::ALL.iter().filter(|(width, _)| width.bytes() == of.access_bytes());
        this.width = random.pick(&widths.map(|(width, _)| *width).collect::<Vec<_>>());
    }
    this
}

/// Appends an affine stream to a kernel that has none.
fn decouple(random: &mut Random, kernel: &mut Kernel, constants: u32) {
    const OPS: [Op; 7] =
        [Op::Mov, Op::Add, Op::Mul, Op::Select64, Op::AndPred, Op::Branch, Op::Load];
    let entry = kernel.code.len();
    let mut sites = Vec::new();
    for index in 0..entry {
        let this = &mut kernel.code[index];
        let site = sites.len() as u8;
        if random.chance(2) {
            dequeue(random, this, site);
            if this.op.row().effect == Effect::Barrier {
                this.site = Some(site);
            }
        }
        if this.dequeues().is_some() || this.site.is_some() {
            sites.push(index);
        }
    }
    for _ in 0..random.below(20) {
        let op = random.pick(&OPS);
        let mut this = instruction(random, op, entry as u32, constants);
        if op == Op::Load {
            this.space = Space::Constant;
            // Four registers are more than a tuple.
            if this.width == Width::B128 {
                this.width = Width::B64;
            }
        }
        if op != Op::Branch {
            this.guard = None;
        }
        kernel.code.push(this);
    }
    for index in sites {
        let of = kernel.code[index];
        let at = entry + random.below((kernel.code.len() - entry) as u32 + 1) as usize;
        kernel.code.insert(at, enqueue(random, &of, 1, constants));
    }
    kernel.code.push(Instruction::new(Op::Exit));
    let length = (kernel.code.len() - entry) as u32;
    for this in &mut kernel.code[entry..] {
        if this.op == Op::Branch {
            this.target = entry as u32 + this.target % length;
            let point = &mut this.annotations.reconverge;
            *point = point.map(|point| entry as u32 + point % length);
        }
        if this.op.row().effect == Effect::Enqueue {
            this.guard = None;
        }
    }
    kernel.lines.resize(kernel.code.len(), Location::default());
    let (registers, predicates) = (255, 15);
    kernel.affine = Some(AffineStream { entry: entry as u32, registers, predicates });
}

fn kernel(random: &mut Random, index: usize, files: u32) -> Kernel {
    let mut kernel = Kernel {
        name: name(random, index),
        registers: 255,
        predicates: 15,
        shared_bytes: random.below(3) * 100,
        local_bytes: random.below(3) * 36,
        max_threads: random.below(3) * 128,
        ..Kernel::default()
    };
    for parameter in 0..random.below(4) {
        let name = name(random, parameter as usize);
        kernel.parameters.push(Parameter { name, offset: 8 * parameter, size: 4 });
    }
    kernel.parameter_bytes = 8 * kernel.parameters.len() as u32 + 4 * random.below(3);
    kernel.literals = (0..4 + random.below(20)).map(|_| random.word()).collect();
    let constants = kernel.literal_offset() + 4 * kernel.literals.len() as u32;
    let code = 1 + random.below(60);
    for _ in 1..code {
        let one_stream = |row: &&Row| row.effect != Effect::Enqueue;
        let rows: Vec<&Row> = TABLE.iter().filter(one_stream).collect();
        let op = random.pick(&rows).op;
        let this = instruction(random, op, code, constants);
        kernel.code.push(Instruction { site: None, ..this });
        let last = kernel.lines.last().copied().unwrap_or_default();
        kernel.lines.push(match random.chance(2) && files != 0 {
            true => {
                Location { file: random.below(files), line: random.word(), column: random.word() }
            }
            false => last,
        });
    }
    kernel.code.push(Instruction::new(Op::Exit));
    kernel.lines.push(Location::default());
    aim(random, &mut kernel.code);
    if random.chance(2) {
        decouple(random, &mut kernel, constants);
    }
    if random.chance(2) {
        place(random, &mut kernel);
    }
    if random.chance(2) {
        cut(random, &mut kernel);
    }
    if random.chance(2) {
        control(random, &mut kernel);
    }
    if random.chance(3) {
        kernel.record.long_lived = random.below(255);
    }
    kernel
}

/// Cuts the stream that is not affine into regions of an instruction each.
fn cut(random: &mut Random, kernel: &mut Kernel) {
    let mut evictions = vec![0; kernel.code.len()];
    let mut regions = Vec::new();
    for (at, instruction) in kernel.main_code().iter().enumerate() {
        let mut preloads = RegisterSet::default();
        for number in 0..3 {
            let registers = source_registers(instruction, number);
            if !registers.is_empty() && random.chance(2) {
                evictions[at] |= 1 << number;
            }
            registers.for_each(|register| _ = preloads.insert(register));
        }
        if !result_registers(instruction).is_empty() && random.chance(2) {
            evictions[at] |= EVICTS_RESULT;
        }
        let erased: RegisterSet = (0..random.below(3)).map(|_| random.below(255) as u16).collect();
        let list = |set: RegisterSet| set.iter().map(|register| register as u8);
        regions.push(Region {
            start: at as u32,
            erasures: list(erased).filter(|&it| !preloads.has(it.into())).collect(),
            preloads: list(preloads).collect(),
        });
    }
    (kernel.record.regions, kernel.record.evictions) = (regions, evictions);
}

/// Gives instructions of the stream that is not affine control bits.
fn control(random: &mut Random, kernel: &mut Kernel) {
    let counter = |random: &mut Random| random.chance(2).then(|| random.below(6) as u8);
    let mut all = vec![ControlBits::default(); kernel.code.len()];
    for (bits, instruction) in all.iter_mut().zip(kernel.main_code()) {
        if instruction.has_barrier() {
            continue;
        }
        (bits.stall, bits.yields) = (random.below(16) as u8, random.chance(2));
        bits.wait = random.below(64) as u8;
        if instruction.result_kind().is_some() {
            bits.write = counter(random);
        }
        if instruction.guard.is_some() {
            bits.read = counter(random);
        }
        let effect = instruction.op.row().effect;
        if matches!(effect, Effect::Load | Effect::Store | Effect::Atomic) {
            bits.common = matches!(instruction.sources[0], Operand::Reg(_)) && random.chance(2);
        }
        for (at, source) in instruction.sources.iter().enumerate() {
            if let Operand::Reg(_) = source {
                bits.read = counter(random);
                bits.reuse |= (random.below(2) as u8) << at;
            }
        }
    }
    if all.iter().any(|bits| *bits != ControlBits::default()) {
        kernel.record.control_bits = all;
    }
}

/// Gives registers of the stream that is not affine levels.
fn place(random: &mut Random, kernel: &mut Kernel) {
    let level = |random: &mut Random, words: u8| match (random.below(3), words) {
        (1, 1) => RegisterLevel::LastResult,
        (2, 1 | 2) => RegisterLevel::Operand(random.below(31) as u8),
        _ => RegisterLevel::Main,
    };
    let words = |kind: Option<ValueKind>| kind.map_or(0, |kind| kind.registers());
    let mut placements = vec![Placement::default(); kernel.code.len()];
    for (placement, instruction) in placements.iter_mut().zip(kernel.main_code()) {
        for (number, source) in placement.sources.iter_mut().enumerate() {
            if let Operand::Reg(_) = instruction.sources[number] {
                *source = level(random, words(instruction.source_kind(number)));
            }
        }
        if matches!(instruction.dest, Dest::Reg(_)) && instruction.guard.is_none() {
            placement.result = level(random, words(instruction.result_kind()));
        }
        placement.and_main = placement.result != RegisterLevel::Main && random.chance(2);
        placement.strand = random.chance(5);
    }
    if placements.iter().any(|placement| *placement != Placement::default()) {
        kernel.record.placements = placements;
    }
}

/// Lets every `bssy` name some `bsync`; without one it becomes one.
fn aim(random: &mut Random, code: &mut [Instruction]) {
    for index in 0..code.len() {
        if code[index].op != Op::Bssy {
            continue;
        }
        let start = random.below(code.len() as u32) as usize;
        let mut around = (start..code.len()).chain(0..start);
        match around.find(|&at| code[at].op == Op::Bsync) {
            Some(meet) => {
                code[index].target = meet as u32;
                code[index].barrier = code[meet].barrier;
            }
            None => code[index].op = Op::Bsync,
        }
    }
}

/// A random program that obeys every rule.
pub fn program(seed: u64) -> Program {
    let random = &mut Random::new(seed);
    let files: Vec<String> = (0..random.below(3) as usize).map(|i| name(random, i)).collect();
    let mut variables = Vec::new();
    for index in 0..random.below(3) as usize {
        let size = random.below(200);
        let image = (0..random.below(size + 1)).map(|_| random.bits() as u8).collect();
        let address = random.pick(&[CONSTANT_BASE, GLOBAL_BASE]) + random.below(60000);
        variables.push(Variable { name: name(random, index), address, size, image });
    }
    let count = random.below(4) as usize;
    let kernels = (0..count).map(|i| kernel(random, i, files.len() as u32)).collect();
    Program { files, variables, kernels }
}
