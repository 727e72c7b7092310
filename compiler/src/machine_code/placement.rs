//! The placement of values in a register file that the compiler manages: a last result file and an
//! operand register file before the main one.
//!
//! Source: Aamodt, Fung, Rogers, §3.6.1 (after Gebhart et al.): the movement into these levels and
//! out of them "is managed explicitly by the compiler", so that hardware needs no tags, and values
//! that live on are in the main file when the warp leaves the active pool. The text leaves open how
//! values are chosen. The rules here are:
//!
//! - A value is the result of one instruction without a guard: a register, or a pair. It is kept at
//!   one more level at most, from there on until a read of it in the same basic block and in the
//!   same strand ([`super::strands`]). So no value is expected at these levels when another path of
//!   the warp may have let the warp leave the pool: within a block a path continues, or begins a
//!   strand.
//! - The reads up to that one are served there, later ones by the main file. A value is also
//!   written to the main file if it is read later, in another block or strand, as a part of a pair,
//!   or in lanes that a guarded write leaves alone. A value all of whose reads are served is not.
//! - Gain is the energy saved by that: for each read that is served the main file's energy less the
//!   level's, and the write to the main file if it is left out, less the write to the level. The
//!   last result file is filled first, then the operand register file; at each level values are
//!   taken by gain for each instruction for which they hold the entry. One that finds no entry
//!   until its last read is tried until an earlier one, in the operand register file and then in
//!   the last result file.
//! - Results of loads and atomics outside the SM, of atomics and of barriers are in the main file:
//!   they arrive when the warp has left the pool.

use super::assembly::Assembly;
use super::graph::Graph;
use super::liveness::Liveness;
use super::registers::{Registers, destination};
use super::strands::{self, is_long};
use reconverge_isa::planted::Planted;
use reconverge_isa::{
    AccessCost, CodeTarget, Dest, Effect, Instruction, OPERAND_ENTRIES, Operand, Placement,
    RegisterLevel, RegisterLevels,
};

/// The pass `placement`: places the values of a kernel at the levels of the machine's register file, and returns the
/// number of instructions with an operand at another level than the main one.
pub fn run(assembly: &mut Assembly, target: &CodeTarget) -> usize {
    let Some(levels) = &target.levels else {
        return 0;
    };
    let kernel = &mut assembly.kernel;
    kernel.record.placements = place(kernel.main_code(), levels);
    let placements = &mut kernel.record.placements;
    if !placements.is_empty() {
        placements.resize(kernel.code.len(), Placement::default());
    }
    let strand = |it: &Placement| Placement { strand: it.strand, ..Placement::default() };
    placements.iter().filter(|it| **it != strand(it)).count()
}

/// Places the values of finished code: by instruction, or nothing where nothing is to be said.
pub fn place(code: &[Instruction], levels: &RegisterLevels) -> Vec<Placement> {
    let graph = Graph::new(code);
    let liveness = Liveness::new(code, &graph);
    let begins = strands::begins(code, &graph);
    let strand = |&strand: &bool| Placement { strand, ..Placement::default() };
    let mut placements: Vec<Placement> = begins.iter().map(strand).collect();
    for block in 0..graph.len() {
        let mut live = vec![Registers::default(); graph.instructions(block).len()];
        let first = graph.instructions(block).start;
        liveness.walk(code, &graph, block, |index, _, after| live[index - first] = after);
        let mut found = Segment::default();
        for index in graph.instructions(block) {
            if begins[index] && index != first && !Planted::PlacedAcrossStrands.is_on() {
                found.end(live[index - 1 - first]);
                found.choose(levels, &mut placements);
            }
            found.look(index, &code[index]);
        }
        if let Some(&live) = live.last() {
            found.end(live);
        }
        found.choose(levels, &mut placements);
    }
    if placements.iter().all(|placement| *placement == Placement::default()) {
        placements.clear();
    }
    placements
}

/// A value within a segment: a part of a basic block in one strand.
#[derive(Debug)]
struct Value {
    /// The instruction that writes it, and its register.
    written: usize,
    register: u8,
    words: u8,
    /// Instructions and sources that read all of it, in order.
    reads: Vec<(usize, usize)>,
    /// Something else reads it after these.
    is_needed: bool,
}

impl Value {
    fn registers(&self) -> Registers {
        let first = usize::from(self.register);
        Registers::of(first..first + usize::from(self.words))
    }
}

/// The values of a segment.
#[derive(Debug, Default)]
struct Segment {
    over: Vec<Value>,
    /// The values that are still in their registers.
    open: Vec<Value>,
}

impl Segment {
    /// Takes an instruction into account.
    fn look(&mut self, index: usize, instruction: &Instruction) {
        for (number, source) in instruction.sources.iter().enumerate() {
            let Operand::Reg(register) = *source else {
                continue;
            };
            let words = instruction.source_kind(number).map_or(1, |kind| kind.registers());
            let first = usize::from(register.0);
            let read = Registers::of(first..first + usize::from(words));
            self.close(read, true, |value| {
                let is_whole = (value.register, value.words) == (register.0, words);
                if is_whole {
                    value.reads.push((index, number));
                }
                is_whole
            });
        }
        let written = destination(instruction);
        let is_whole = instruction.guard.is_none();
        // If half of a pair is overwritten, the other half may be read.
        let covers = |value: &Value| {
            let mut rest = value.registers();
            rest.remove(written);
            rest == Registers::default()
        };
        let (ends, parts): (Vec<Value>, Vec<Value>) =
            std::mem::take(&mut self.open).into_iter().partition(|value| is_whole && covers(value));
        self.over.extend(ends);
        self.open = parts;
        self.close(written, true, |_| false);
        let kept = matches!(
            instruction.op.row().effect,
            Effect::Compute | Effect::Divide | Effect::Load | Effect::Collective
        );
        let words = instruction.result_kind().map_or(0, |kind| kind.registers());
        if let Dest::Reg(register) = instruction.dest
            && is_whole
            && kept
            && !is_long(instruction)
            && matches!(words, 1 | 2)
        {
            let (register, reads) = (register.0, Vec::new());
            let value = Value { written: index, register, words, reads, is_needed: false };
            self.open.push(value);
        }
    }

    /// Values that some registers hold are over, but those that `keep` keeps.
    fn close(
        &mut self,
        registers: Registers,
        is_needed: bool,
        mut keep: impl FnMut(&mut Value) -> bool,
    ) {
        let mut at = 0;
        while let Some(value) = self.open.get_mut(at) {
            if !value.registers().intersects(registers) || keep(value) {
                at += 1;
                continue;
            }
            value.is_needed |= is_needed;
            self.over.push(self.open.remove(at));
        }
    }

    /// The segment ends, after which some registers are live.
    fn end(&mut self, live: Registers) {
        for mut value in self.open.drain(..) {
            value.is_needed = value.registers().intersects(live);
            self.over.push(value);
        }
    }

    /// Chooses a level for each value of the segment, which has ended.
    fn choose(&mut self, levels: &RegisterLevels, placements: &mut [Placement]) {
        let values = std::mem::take(&mut self.over);
        let last_result = usize::from(levels.last_result);
        let operand = levels.operand_entries.min(OPERAND_ENTRIES);
        let mut last = Level {
            cost: levels.last_result_cost,
            main: levels.main_cost,
            taken: vec![Vec::new(); last_result],
        };
        let mut operands = Level {
            cost: levels.operand_cost,
            main: levels.main_cost,
            taken: vec![Vec::new(); usize::from(operand)],
        };
        let last_result = |_| RegisterLevel::LastResult;
        let values = last.fill(values, Reads::All, placements, last_result);
        let entry = |entry| RegisterLevel::Operand(entry as u8);
        let values = operands.fill(values, Reads::First, placements, entry);
        last.fill(values, Reads::First, placements, last_result);
    }
}

/// The reads of a value that are served where no entry is free until the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reads {
    /// None: all or nothing.
    All,
    /// The first ones.
    First,
}

/// A level with the purpose of its entries.
struct Level {
    cost: AccessCost,
    main: AccessCost,
    /// By entry: from which instruction until which.
    taken: Vec<Vec<(usize, usize)>>,
}

impl Level {
    /// The saving of a value whose first `served` reads are served here.
    fn gain(&self, value: &Value, served: usize) -> f64 {
        let words = f64::from(value.words);
        let left_out = served == value.reads.len() && !value.is_needed;
        let write = if left_out { self.main.write } else { 0.0 } - self.cost.write;
        words * (served as f64 * (self.main.read - self.cost.read) + write)
    }

    /// The first of the free entries that a value needs until an instruction; takes them.
    fn take(&mut self, value: &Value, until: usize) -> Option<usize> {
        let words = usize::from(value.words);
        let is_free = |entry: &Vec<(usize, usize)>| {
            entry.iter().all(|&(from, to)| until <= from || to <= value.written)
        };
        let first = self.taken.windows(words).position(|entries| entries.iter().all(is_free))?;
        let entries = &mut self.taken[first..first + words];
        entries.iter_mut().for_each(|entry| entry.push((value.written, until)));
        Some(first)
    }

    /// Gives values entries; those that get none.
    fn fill(
        &mut self,
        values: Vec<Value>,
        reads: Reads,
        placements: &mut [Placement],
        name: impl Fn(usize) -> RegisterLevel,
    ) -> Vec<Value> {
        let worth = |value: &Value| {
            let &(last, _) = value.reads.last()?;
            let gain = self.gain(value, value.reads.len());
            Some(gain / (last - value.written) as f64)
        };
        let mut order: Vec<(f64, Value)> = Vec::new();
        let mut rest = Vec::new();
        for value in values {
            match worth(&value).filter(|&worth| worth > 0.0) {
                Some(worth) => order.push((worth, value)),
                None => rest.push(value),
            }
        }
        order.sort_by(|(one, a), (other, b)| other.total_cmp(one).then(a.written.cmp(&b.written)));
        for (_, value) in order {
            let mut served = value.reads.len();
            let entry = loop {
                if served == 0 || self.gain(&value, served) <= 0.0 {
                    break None;
                }
                if let Some(entry) = self.take(&value, value.reads[served - 1].0) {
                    break Some(entry);
                }
                served = if reads == Reads::All { 0 } else { served - 1 };
            };
            let Some(entry) = entry.map(&name) else {
                rest.push(value);
                continue;
            };
            let written = &mut placements[value.written];
            written.result = entry;
            written.and_main = served < value.reads.len() || value.is_needed;
            for &(index, number) in &value.reads[..served] {
                placements[index].sources[number] = entry;
            }
        }
        rest.sort_by_key(|value| value.written);
        rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reconverge_isa::text::parse;

    /// The code with its placements, an instruction a line.
    fn placed(text: &str, levels: &RegisterLevels) -> Vec<String> {
        let mut program = parse(text).expect("it is good");
        program.kernels[0].record.placements = place(&program.kernels[0].code, levels);
        let text = reconverge_isa::text::print_kernel(&program, &program.kernels[0]);
        parse(&text).expect("what is placed obeys the rules");
        let lines = text.lines().filter(|line| line.starts_with("  ") && !line.contains("    ."));
        lines.map(|line| line.trim().to_owned()).collect()
    }

    /// One entry of each level.
    fn one() -> RegisterLevels {
        RegisterLevels::counted(1)
    }

    #[test]
    fn a_value_that_is_read_at_once_needs_no_main_register() {
        let text = "mov.b32 r0, 1\n add.i32 r1, r0, 1\n add.i32 r2, r1, r0\n exit";
        // r1 saves a read and a write for one instruction, r0 two reads and a write for two: r1 has the last result file.
        assert_eq!(
            placed(text, &one()),
            [
                "mov.b32 r0, 1 !write orf0",
                "add.i32 r1, r0, 1 !read orf0 !write lrf",
                "add.i32 r2, r1, r0 !read lrf,orf0",
                "exit"
            ]
        );
        // A value without reads is in the main file, as all are if there are no other levels.
        let none = RegisterLevels { last_result: false, ..RegisterLevels::counted(0) };
        assert!(placed(text, &none).iter().all(|line| !line.contains('!')));
        // Reads that cost more than they save are not served.
        let dear = AccessCost { read: 1.0, write: 1.5 };
        let levels = RegisterLevels { last_result_cost: dear, operand_cost: dear, ..one() };
        assert!(placed(text, &levels).iter().all(|line| !line.contains('!')));
    }

    #[test]
    fn what_lives_on_is_written_to_the_main_file_too() {
        // r1 is read after the strand's end, which is the use of r2.
        let text = "ld.global.b32 r2, [r0]\n add.i32 r1, r0, 1\n add.i32 r3, r1, r1\n add.i32 r3, r2, r1\n \
            st.global.b32 [r0], r3\n exit";
        assert_eq!(
            placed(text, &one()),
            [
                "ld.global.b32 r2, [r0]",
                "add.i32 r1, r0, 1 !write lrf,main",
                "add.i32 r3, r1, r1 !read lrf,lrf",
                "add.i32 r3, r2, r1 !strand !write lrf",
                "st.global.b32 [r0], r3 !read _,lrf",
                "exit"
            ]
        );
    }

    #[test]
    fn a_guarded_write_leaves_lanes_alone() {
        let text =
            "mov.b32 r0, 1\n add.i32 r1, r0, r0\n @p0 mov.b32 r0, 2\n add.i32 r1, r0, r1\n exit";
        let lines = placed(text, &one());
        assert_eq!(lines[0], "mov.b32 r0, 1 !write lrf,main");
        assert_eq!(lines[1], "add.i32 r1, r0, r0 !read lrf,lrf !write lrf");
        assert_eq!(lines[3], "add.i32 r1, r0, r1 !read _,lrf");
    }

    #[test]
    fn a_pair_takes_two_entries_and_is_read_as_a_whole() {
        let text = "mov.b64 r0:1, 1\n add.i64 r2:3, r0:1, 1\n add.i32 r4, r2, 1\n exit";
        let lines = placed(text, &RegisterLevels::counted(2));
        assert_eq!(lines[0], "mov.b64 r0:1, 1 !write orf0");
        assert_eq!(lines[1], "add.i64 r2:3, r0:1, 1 !read orf0");
    }

    #[test]
    fn a_value_without_an_entry_until_its_last_read_is_served_until_an_earlier_one() {
        // The others hold the last result file for one instruction each; r0 has it until the first of them.
        let text = "mov.b32 r0, 1\n add.i32 r1, r0, r0\n add.i32 r2, r1, r1\n add.i32 r2, r2, r2\n add.i32 r2, r2, r0\n exit";
        let levels = RegisterLevels { operand_entries: 0, ..one() };
        assert_eq!(
            placed(text, &levels),
            [
                "mov.b32 r0, 1 !write lrf,main",
                "add.i32 r1, r0, r0 !read lrf,lrf !write lrf",
                "add.i32 r2, r1, r1 !read lrf,lrf !write lrf",
                "add.i32 r2, r2, r2 !read lrf,lrf !write lrf",
                "add.i32 r2, r2, r0 !read lrf",
                "exit"
            ]
        );
    }
}
