//! Counts the cost that addresses of 64 bits would have in the kernels of the examples and the
//! workloads: addresses are 32 bits here, since all of device memory lies below 2 GiB.
//!
//! `cargo run [--release] -p reconverge-tests --bin addresses [-- [--kernels] DIR..]`, where each DIR has a public suite
//!
//! An *address* is a result in a register that reaches the address of an access of global or generic memory, by
//! moves, selections, shuffles, or as the base of sums and differences. In a sum of a kernel's pointer and something else, the latter is
//! no address; in a sum of two registers, the address is the one that comes from a pointer, or else the first. With 64 bits an address takes a
//! pair of registers while it is live, and the instruction that makes it is one of 64 bits. Pointers among parameters cost nothing:
//! they are read from constant memory. Code is as it is compiled for 32 bits, so that pairs need not be aligned, and nothing is
//! made again to save registers.

#![deny(clippy::unwrap_used)]

use anyhow::{Result, bail};
use clap::Parser;
use reconverge::build::{self, Checked};
use reconverge::study::catalogue::Library;
use reconverge_compiler::check::{CheckOptions, Needed};
use reconverge_compiler::lower::Options;
use reconverge_compiler::machine_code::graph::Graph;
use reconverge_compiler::machine_code::liveness::Liveness;
use reconverge_compiler::machine_code::registers::Registers;
use reconverge_compiler::syntax::Target;
use reconverge_isa::{Dest, GLOBAL_BASE, Instruction, Kernel, Op, Operand, Space};
use reconverge_simulator::run::occupancy::{Footprint, Room, shared_bytes};
use reconverge_simulator::{Machine, load_machine};
use reconverge_tests::examples::{Beside, DIVERGENT, EXAMPLES, folder};
use reconverge_tests::units::{Files, directories_of, files, is_unit};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Count what addresses of 64 bits would cost
#[derive(Parser)]
struct Arguments {
    /// Directories of public suites, whose kernels are counted as far as they compile
    suites: Vec<PathBuf>,
    /// Show every kernel too
    #[arg(long)]
    kernels: bool,
}

/// The counts of kernels, in the order of [`COLUMNS`].
#[derive(Clone, Copy, Default)]
struct Cost([u64; COLUMNS.len()]);

/// The count that is a maximum rather than a sum.
const MOST: usize = 10;

/// Titles of what is counted: instructions that access global or generic memory, and those of them whose address is in a register;
/// instructions that make an address; the most registers that are live at one time, and with a second one for each address; registers
/// that kernels take, and with as many more as are live then; kernels that take more, and the most that one does; blocks of
/// 256 threads on an SM of `v100`.
const COLUMNS: [&str; 13] = [
    "kernels",
    "instructions",
    "accesses",
    "by register",
    "addresses made",
    "live",
    "with pairs",
    "registers",
    "with pairs",
    "that grow",
    "most",
    "blocks",
    "with pairs",
];

impl Cost {
    fn add(&mut self, other: &Cost) {
        for (at, (sum, more)) in self.0.iter_mut().zip(other.0).enumerate() {
            *sum = if at == MOST { more.max(*sum) } else { *sum + more };
        }
    }

    fn row(&self, name: &str) -> String {
        format!("| {name} | {} |", self.0.map(|count| count.to_string()).join(" | "))
    }
}

/// A value: the result of an instruction in a register.
#[derive(Clone, Copy)]
struct Value {
    instruction: usize,
    register: usize,
}

/// A set of values.
type Values = Vec<u64>;

fn has(values: &Values, value: usize) -> bool {
    values[value / 64] >> (value % 64) & 1 != 0
}

/// The values that exist before each instruction of a kernel.
struct Flow<'a> {
    kernel: &'a Kernel,
    values: Vec<Value>,
    reaching: Vec<Values>,
}

impl<'a> Flow<'a> {
    fn new(kernel: &'a Kernel, graph: &Graph) -> Flow<'a> {
        let code = &kernel.code;
        let written = |instruction: usize| {
            let made = &code[instruction];
            let (first, count) = match (made.dest, made.result_kind()) {
                (Dest::Reg(register), Some(kind)) => {
                    (usize::from(register.0), usize::from(kind.registers()))
                }
                _ => (0, 0),
            };
            (first..first + count).map(move |register| Value { instruction, register })
        };
        let values: Vec<Value> = (0..code.len()).flat_map(written).collect();
        let words = values.len().div_ceil(64);
        let mut flow = Flow { kernel, values, reaching: vec![vec![0; words]; code.len()] };
        let mut after = vec![vec![0; words]; graph.len()];
        let mut changes = true;
        while changes {
            changes = false;
            for block in 0..graph.len() {
                let mut here: Values = vec![0; words];
                for &from in graph.predecessors(block) {
                    here.iter_mut().zip(&after[from]).for_each(|(word, more)| *word |= more);
                }
                for index in graph.instructions(block) {
                    flow.reaching[index].clone_from(&here);
                    flow.step(index, &mut here);
                }
                changes |= after[block] != here;
                after[block] = here;
            }
        }
        flow
    }

    /// Brings values from before an instruction to after it.
    fn step(&self, index: usize, here: &mut Values) {
        let is_sure = self.kernel.code[index].guard.is_none();
        let own = |value: &Value| value.instruction == index;
        for register in self.values.iter().filter(|value| own(value)).map(|value| value.register) {
            for (number, value) in self.values.iter().enumerate() {
                let bit = 1 << (number % 64);
                if own(value) && value.register == register {
                    here[number / 64] |= bit;
                } else if is_sure && value.register == register {
                    here[number / 64] &= !bit;
                }
            }
        }
    }

    /// The values that a source of an instruction may have.
    fn sources(&self, index: usize, source: usize) -> Vec<usize> {
        let Operand::Reg(register) = self.kernel.code[index].sources[source] else {
            return Vec::new();
        };
        let register = usize::from(register.0);
        let all = self.values.iter().enumerate();
        all.filter(|(number, value)| {
            value.register == register && has(&self.reaching[index], *number)
        })
        .map(|(number, _)| number)
        .collect()
    }

    /// True if a source is a pointer of the program: a parameter of 8 bytes, or the address of a variable.
    fn is_pointer(&self, operand: Operand) -> bool {
        match operand {
            Operand::Const(offset) => {
                let parameters = &self.kernel.parameters;
                parameters.iter().any(|it| it.size == 8 && it.offset == u32::from(offset))
            }
            Operand::Imm(word) => (GLOBAL_BASE..1 << 31).contains(&word),
            _ => false,
        }
    }

    /// The sources that an instruction's result has the address of, if it is one.
    fn bases(instruction: &Instruction) -> &'static [usize] {
        match instruction.op {
            Op::Mov | Op::Sub => &[0],
            Op::ShuffleIndex | Op::ShuffleUp | Op::ShuffleDown | Op::ShuffleXor => &[0],
            Op::Select => &[1, 2],
            Op::Add => &[0, 1],
            Op::Mad => &[2],
            _ => &[],
        }
    }

    /// The values that derive from a pointer.
    fn of_pointers(&self) -> Vec<bool> {
        let mut found = vec![false; self.values.len()];
        let mut changes = true;
        while changes {
            changes = false;
            for (number, value) in self.values.iter().enumerate() {
                let instruction = &self.kernel.code[value.instruction];
                let comes = Flow::bases(instruction).iter().any(|&source| {
                    self.is_pointer(instruction.sources[source])
                        || self.sources(value.instruction, source).iter().any(|&it| found[it])
                });
                changes |= comes && !found[number];
                found[number] |= comes;
            }
        }
        found
    }

    /// The values that are addresses.
    fn addresses(&self) -> Vec<bool> {
        let of_pointers = self.of_pointers();
        let mut found = vec![false; self.values.len()];
        let code = self.kernel.code.iter().enumerate();
        let accesses = code.filter(|(_, instruction)| reaches_memory(instruction));
        let mut pending: Vec<usize> =
            accesses.flat_map(|(index, _)| self.sources(index, 0)).collect();
        while let Some(number) = pending.pop() {
            if std::mem::replace(&mut found[number], true) {
                continue;
            }
            let index = self.values[number].instruction;
            let instruction = &self.kernel.code[index];
            let mut bases = Flow::bases(instruction).to_vec();
            if instruction.op == Op::Add {
                let comes = |source: &usize| {
                    self.is_pointer(instruction.sources[*source])
                        || self.sources(index, *source).iter().any(|&it| of_pointers[it])
                };
                bases = vec![bases.iter().copied().find(comes).unwrap_or(0)];
            }
            pending.extend(bases.into_iter().flat_map(|source| self.sources(index, source)));
        }
        found
    }
}

/// True if an instruction accesses memory whose addresses would have 64 bits.
fn reaches_memory(instruction: &Instruction) -> bool {
    instruction.is_memory() && matches!(instruction.space, Space::Global | Space::Generic)
}

/// The costs of a kernel.
fn cost(kernel: &Kernel, machine: &Machine) -> Cost {
    let code = &kernel.code;
    let graph = Graph::new(code);
    let flow = Flow::new(kernel, &graph);
    let addresses = flow.addresses();
    let liveness = Liveness::new(code, &graph);
    let (mut live, mut live_with_pairs) = (0, 0);
    for block in 0..graph.len() {
        liveness.walk(code, &graph, block, |index, before, _| {
            let mut holding: Vec<usize> = flow
                .values
                .iter()
                .enumerate()
                .filter(|(number, _)| addresses[*number] && has(&flow.reaching[index], *number))
                .map(|(_, value)| value.register)
                .filter(|&register| before.intersects(Registers::of(register..register + 1)))
                .collect();
            holding.sort_unstable();
            holding.dedup();
            live = live.max(before.general());
            live_with_pairs = live_with_pairs.max(before.general() + holding.len() as u32);
        });
    }
    let mut makers: Vec<usize> = flow
        .values
        .iter()
        .zip(&addresses)
        .filter(|(_, is_address)| **is_address)
        .map(|(value, _)| value.instruction)
        .collect();
    makers.dedup();
    let more = live_with_pairs - live;
    let blocks = |registers| {
        Footprint::new(&machine.sm, 256, registers, shared_bytes(kernel, 0))
            .blocks(&Room::of(&machine.sm))
    };
    let accesses = code.iter().filter(|instruction| reaches_memory(instruction));
    let in_register = |it: &&Instruction| matches!(it.sources[0], Operand::Reg(_));
    let with_pairs = kernel.registers + more;
    Cost([
        1,
        code.len() as u64,
        accesses.clone().count() as u64,
        accesses.filter(in_register).count() as u64,
        makers.len() as u64,
        live.into(),
        live_with_pairs.into(),
        kernel.registers.into(),
        with_pairs.into(),
        u64::from(more != 0),
        more.into(),
        blocks(kernel.registers),
        blocks(with_pairs),
    ])
}

/// A program by name.
type Named = (String, Checked);

/// The examples, unchanged.
fn examples() -> Result<Vec<Named>> {
    let all = EXAMPLES.iter().chain(DIVERGENT).map(|(path, _)| {
        let file = folder().join(format!("{path}.cu"));
        let text = std::fs::read_to_string(&file)?;
        let mut loader = Beside(file.with_file_name(""));
        Ok((path.to_string(), build::check(path, &text, &[], &mut loader)))
    });
    all.collect()
}

/// The workloads at size `test`.
fn workloads() -> Result<Vec<Named>> {
    let library = Library::built_in()?;
    let all = library.entries().keys().map(|name| {
        let words = library.entry(name)?.size("test")?;
        let macros: Vec<(String, String)> = words
            .iter()
            .filter_map(|word| word.strip_prefix("-D"))
            .map(|word| word.split_once('=').unwrap_or((word, "1")))
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        let source = library.source(name)?;
        let mut loader = Beside(folder().join("workloads"));
        let checked = build::check(&source.name, &source.text, &macros, &mut loader);
        Ok((name.clone(), checked))
    });
    all.collect()
}

/// The kernels of a suite in a directory, each for itself, as far as they compile.
fn suite(directory: &Path) -> Result<Vec<Named>> {
    let mut all = Vec::new();
    files(directory, &mut all)?;
    let mut found = BTreeMap::new();
    for unit in all.iter().filter(|path| is_unit(path)) {
        let bytes = std::fs::read(unit)?;
        let (text, name) = (String::from_utf8_lossy(&bytes), unit.to_string_lossy());
        let directories = directories_of(unit, &all);
        let mut loader = Files { directories: &directories };
        let (tree, parsed) = build::parse(&name, &text, &[], &mut loader, Target::default());
        for (kernel, span) in tree.kernels() {
            let needed = Needed::Kernel(kernel.to_string());
            let options = CheckOptions { needed, ..CheckOptions::default() };
            let checked = build::check_with(&name, &text, &[], &mut loader, options);
            // A kernel that several files include is one.
            let file = parsed.sources.name(span.file);
            if checked.module.is_some() {
                found.entry((file.to_owned(), kernel.to_string())).or_insert(checked);
            }
        }
    }
    let name = |(file, kernel): (String, String)| format!("{file} {kernel}");
    Ok(found.into_iter().map(|(key, checked)| (name(key), checked)).collect())
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let machine = load_machine("v100", &[]).map_err(anyhow::Error::msg)?;
    let mut groups = vec![
        ("examples".to_owned(), true, examples()?),
        ("workloads".to_owned(), true, workloads()?),
    ];
    for directory in &arguments.suites {
        let name = directory.file_name().unwrap_or_default().to_string_lossy().into_owned();
        groups.push((name, false, suite(directory)?));
    }
    println!("| kernels of | {} |", COLUMNS.join(" | "));
    println!("| --- |{}", " ---: |".repeat(COLUMNS.len()));
    let mut all = Cost::default();
    for (group, is_ours, programs) in groups {
        let mut sum = Cost::default();
        for (name, checked) in programs {
            let lowered = match checked.lower(&Options::default()) {
                Ok(lowered) => lowered,
                Err(refused) if is_ours => bail!("{name}: {}", refused.render(false)),
                Err(_) => continue,
            };
            for kernel in &lowered.program.kernels {
                let cost = cost(kernel, &machine);
                if arguments.kernels {
                    println!("{}", cost.row(&format!("{name} {}", kernel.name)));
                }
                sum.add(&cost);
            }
        }
        println!("{}", sum.row(&group));
        all.add(&sum);
    }
    println!("{}", all.row("all"));
    Ok(())
}
