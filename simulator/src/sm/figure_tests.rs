//! Figures of the papers, step by step: data in `simulator/tests/figures`.
//!
//! A file is a program with comments. `//: KEY = VALUE` sets an option of the machine, `//: threads
//! = N` the size of the one block; labels name basic blocks. Then steps follow, each with the
//! resulting state: the scheme's state of the warp (see [`SchemeState::text`]; a path is named
//! by its basic block), and the loads that the paths in slots would wait for.
//!
//! - `//= STATE`: as it is at the start, or now;
//! - `//> S: STATE`: the path in slot `S` runs until the state is another;
//! - `//! R: STATE`: the oldest load of register `R` is written.
//!
//! Loads stay in flight until they are written; all other results are available at once.
//!
//! `//| ROW` lines are a timeline of the same block under the timing model. Each hardware warp and
//! slot that issues has a row, and each cycle a column. A column has the first letter of the
//! issuing instruction's basic block, or `.` if none issues; `(N)` is N cycles, nine or more, in
//! which none does. `//| WARP.SLOT LETTERS`.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use reconverge_isa::{Effect, GLOBAL_BASE};

use super::issue::scoreboard::{Outstanding, Scoreboards};
use crate::block::Block;
use crate::block::path::{SlotId, SlotState};
use crate::execute::Executor;
use crate::handles::LoadId;
use crate::machine::Machine;
use crate::machine::load::load_machine;
use crate::mechanisms::{affine, divergence, lane_permutation};
use crate::memory::device::{DeviceMemory, GlobalPort};
use crate::observe::scheme_state::SchemeState;
use crate::observe::trace::Window;
use crate::program::code::Code;
use crate::program::decode::decode;
use crate::program::decoded::Entries;
use crate::run::emitted::Emitted;
use crate::run::launch::launch;
use crate::run::request::{Launch, Model};
use crate::sm::issue::scoreboard::Ready;

/// A block that a test drives by hand.
struct Bench<'a> {
    code: &'a Code,
    labels: &'a [(u32, String)],
    block: Block,
    boards: Scoreboards,
    /// In-flight loads: their number, register, and the entries that they write.
    loads: Vec<(u32, usize, Entries)>,
    loaded: u32,
}

impl Bench<'_> {
    fn place(&self, pc: u32) -> String {
        if pc == crate::block::path::NEVER {
            return "-".to_string();
        }
        let labels = self.labels.iter().rev();
        labels
            .into_iter()
            .find(|(at, _)| *at <= pc)
            .map_or(pc.to_string(), |(_, name)| name.clone())
    }

    fn state(&self) -> String {
        let paths = &self.block.paths;
        let states = self.block.divergence.describe(0, paths);
        let state = |state: &SchemeState| state.text(self.code.shape.width, &|pc| self.place(pc));
        let mut text: String = states.iter().map(state).collect();
        for slot in paths.slots() {
            if paths.state(slot) == SlotState::Empty {
                continue;
            }
            let path = paths.path(slot);
            let pending: Vec<String> = (0..self.code.registers)
                .filter(|&entry| {
                    self.boards.ready(path, &[entry].into_iter().collect()) != Ready::NOW
                })
                .map(|entry| format!("r{entry}"))
                .collect();
            if !pending.is_empty() {
                text += &format!(" {} waits for {}", self.place(path.pc), pending.join(" "));
            }
        }
        text
    }

    fn carry(&mut self) {
        for carry in self.block.paths.take_carried() {
            self.boards.carry(carry);
        }
    }

    /// One instruction of the path in a slot.
    fn step(&mut self, slot: SlotId, executor: &mut Executor, port: &mut GlobalPort) {
        let path = self.block.paths.path(slot).clone();
        let instruction = &self.code.instructions[path.pc as usize];
        assert_eq!(
            self.boards.ready(&path, &instruction.needs),
            Ready::NOW,
            "instruction {} waits",
            path.pc
        );
        let issued =
            self.block.step::<false>(self.code, slot, 0, executor, port).expect("it does not trap");
        if instruction.effect == Effect::Load {
            let load = Ready::pending(LoadId(self.loaded));
            let register = instruction.writes.iter().next().expect("a load writes");
            self.loads.push((self.loaded, register, instruction.writes));
            self.loaded += 1;
            if self.block.capabilities.tracks_threads {
                let writes = &instruction.writes;
                self.boards.write_lanes(&path.lanes, issued.mask, writes, load, 0);
            } else {
                self.boards.write(path.scoreboard, &instruction.writes, load);
            }
        }
        self.carry();
    }

    fn written(&mut self, register: &str) {
        let number: usize = register.trim_start_matches('r').parse().expect("a register");
        let at = self.loads.iter().position(|(_, it, _)| *it == number).expect("it is under way");
        let (load, _, writes) = self.loads.remove(at);
        let rows = 0..self.block.paths.len();
        self.boards.resolve(rows, &writes, Ready::pending(LoadId(load)), Ready::NOW);
    }
}

/// Basic blocks by their first instruction.
fn labels(text: &str) -> Vec<(u32, String)> {
    let mut labels = Vec::new();
    let mut pc = 0;
    for line in text.lines() {
        let line = line.split("//").next().unwrap_or_default().trim();
        let (label, rest) = line.split_once(':').unwrap_or(("", line));
        if !label.is_empty() && label.chars().all(char::is_alphanumeric) {
            labels.push((pc, label.to_string()));
            pc += u32::from(!rest.trim().is_empty());
        } else {
            pc += u32::from(!line.is_empty() && !line.starts_with('.'));
        }
    }
    labels
}

/// The rows of a timeline.
fn timeline(
    kernel: &reconverge_isa::Kernel,
    threads: u32,
    machine: &Machine,
    labels: &[(u32, String)],
) -> String {
    let mut request = Launch::of_block([threads, 1, 1], Model::Timing);
    request.limits.trace =
        Some(Window { first: 0, end: u64::MAX, sm: None, limit: 1000, follow: None });
    let mut global = [0; 256];
    let allocation = GLOBAL_BASE..GLOBAL_BASE + 256;
    let mut memory = DeviceMemory {
        global: &mut global,
        allocations: std::slice::from_ref(&allocation),
        constant: &[],
        emitted: Emitted::default(),
        checker: None,
        second_level: None,
    };
    let report = launch(kernel, &request, &mut memory, machine, &mut |_| ControlFlow::Continue(()));
    let report = report.unwrap_or_else(|stopped| panic!("{}", stopped.fault));
    let mut rows: BTreeMap<(u16, u16), Vec<u8>> = BTreeMap::new();
    for issued in &report.traces[0].instructions {
        let row = rows.entry((issued.warp, issued.slot)).or_default();
        row.resize(issued.issue as usize, b'.');
        let label = labels.iter().rev().find(|(at, _)| *at <= issued.pc);
        row.push(label.map_or(b'?', |(_, name)| name.as_bytes()[0]));
    }
    let text = |(&(warp, slot), row): (&(u16, u16), &Vec<u8>)| {
        let runs = row.chunk_by(|a, b| a == b).map(|run| match (run[0], run.len()) {
            (b'.', 9..) => format!("({})", run.len()),
            _ => String::from_utf8_lossy(run).into_owned(),
        });
        format!("//| {warp}.{slot} {}\n", runs.collect::<String>())
    };
    rows.iter().map(text).collect()
}

/// Runs a figure's file and compares every state. Returns the differences.
fn check(name: &str, text: &str) -> Option<String> {
    let (mut sets, mut threads) = (Vec::new(), 4);
    for line in text.lines().filter_map(|line| line.strip_prefix("//: ")) {
        let (key, value) = line.split_once('=').expect("a setting");
        match key.trim() {
            "threads" => threads = value.trim().parse().expect("a number"),
            key => sets.push((key.to_string(), value.trim().to_string())),
        }
    }
    sets.push(("sm.warps".to_string(), "8".to_string()));
    let machine = load_machine("tiny", &sets).unwrap_or_else(|error| panic!("{name}: {error}"));
    let program = reconverge_isa::text::parse(text).unwrap_or_else(|errors| {
        panic!("{name}: {}", errors.iter().map(|e| format!("{e}\n")).collect::<String>())
    });
    let kernel = &program.kernels[0];
    let request =
        Launch { verify_annotations: true, ..Launch::of_block([threads, 1, 1], Model::Functional) };
    let mut global = [0; 256];
    let allocation = GLOBAL_BASE..GLOBAL_BASE + 256;
    let mut memory = DeviceMemory {
        global: &mut global,
        allocations: std::slice::from_ref(&allocation),
        constant: &[],
        emitted: Emitted::default(),
        checker: None,
        second_level: None,
    };
    let mut port = GlobalPort::direct(&mut memory);
    let mut executor = Executor::new([0, 1]);
    let scheme = divergence::list::build(&machine).expect("it is good");
    let capabilities = scheme.capabilities();
    let affine = affine::list::build(&machine).expect("it is good");
    let width = machine.sm.warp_width;
    let code = decode(kernel, &request, width, &capabilities, &*affine).expect("it is good");
    let labels = labels(text);
    let lane_map = lane_permutation::list::map(&machine).expect("it is good");
    let mut bench = Bench {
        code: &code,
        labels: &labels,
        block: Block::new(scheme, lane_map.into(), machine.barrier.counts),
        boards: Scoreboards::default(),
        loads: Vec::new(),
        loaded: 0,
    };
    bench.block.start(&code, 0);
    bench.boards.reset(bench.block.paths.len(), code.scoreboard_entries(), Outstanding::One);
    if capabilities.tracks_threads {
        bench.boards.track_threads(code.shape.warps() as usize, code.shape.width as usize);
    }
    bench.carry();
    let (mut expected, mut found) = (String::new(), String::new());
    for line in text.lines() {
        let (mark, step) = match line.split_at_checked(4) {
            Some((mark @ ("//= " | "//> " | "//! "), step)) => (mark, step),
            _ => continue,
        };
        expected += line.trim_end();
        expected.push('\n');
        let (what, _) =
            if mark == "//= " { ("", step) } else { step.split_once(':').expect("a step") };
        match mark {
            "//> " => {
                let slot = SlotId(what.parse().expect("a slot"));
                let before = bench.state();
                for _ in 0..100 {
                    if bench.block.paths.state(slot) != SlotState::Runnable {
                        break;
                    }
                    bench.step(slot, &mut executor, &mut port);
                    if bench.state() != before {
                        break;
                    }
                }
            }
            "//! " => bench.written(what),
            _ => {}
        }
        let what = if what.is_empty() { String::new() } else { format!("{what}: ") };
        found += format!("{mark}{what}{}", bench.state()).trim_end();
        found.push('\n');
    }
    let rows = text.lines().filter(|line| line.starts_with("//| "));
    let rows: String = rows.map(|row| format!("{}\n", row.trim_end())).collect();
    assert!(!expected.is_empty() || !rows.is_empty(), "{name} has no steps");
    if !rows.is_empty() {
        expected += &rows;
        found += &timeline(kernel, threads, &machine, bench.labels);
    }
    (found != expected).then(|| format!("{name} says\n{expected}but it is\n{found}"))
}

#[test]
fn figures_of_the_papers() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/figures");
    let files = std::fs::read_dir(folder).expect("the folder is there");
    let mut files: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    files.sort();
    let mut wrong = String::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("it is text");
        let name = file.file_name().expect("it has a name").to_string_lossy().into_owned();
        wrong.extend(check(&name, &text));
    }
    assert!(wrong.is_empty(), "{wrong}");
}
