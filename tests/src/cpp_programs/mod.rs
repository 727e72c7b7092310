//! Random C++ programs of the host whose output depends on the choice of overloads, templates,
//! specialisations and names, and the output of the system's compiler for them.
//!
//! A program declares types, some sets of functions and templates, and probes: blocks of `main`
//! that print. A generator cannot know which probe is valid C++, for a call may be ambiguous. So a
//! probe that the system's compiler refuses is removed, and then those that we refuse. The rest
//! must print the same. A probe that only the system's compiler refuses is counted as lenient.

mod objects;
mod overloads;
mod spaces;
mod templates;
mod world;

use crate::oracle::NoFiles;
use anyhow::{Result, bail, ensure};
use reconverge::build;
use reconverge::execute::{ModelName, Setup, execute};
use reconverge_compiler::diagnostic::Diagnostic;
use reconverge_simulator::load_machine;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;
use std::process::Command;
use world::{Line, Role, World};

/// The flags under which C++ has the meaning of our language.
const FLAGS: [&str; 6] =
    ["-w", "-O0", "-fwrapv", "-std=c++17", "-fmax-errors=0", "-fno-diagnostics-show-caret"];
const HEAD: &str = "#include <cstdio>";
/// How often lines are removed before a program counts as invalid.
const ROUNDS: usize = 6;

/// A random program.
#[derive(Clone, Debug)]
pub struct CppProgram {
    lines: Vec<Line>,
}

/// The comparison of programs; probes are counted unless a member says otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tried {
    /// Programs that are valid C++ without their invalid probes.
    pub programs: u64,
    /// Those that we accept whole.
    pub accepted: u64,
    /// Those that we refuse without their probes too.
    pub closed: u64,
    /// Both compilers accept them, and the output is the same.
    pub same: u64,
    /// Valid C++ that we refuse.
    pub refused: u64,
    /// Invalid C++ that we accept.
    pub lenient: u64,
}

impl Tried {
    /// Adds the counts of another comparison.
    pub fn add(&mut self, other: Tried) {
        self.programs += other.programs;
        self.accepted += other.accepted;
        self.closed += other.closed;
        self.same += other.same;
        self.refused += other.refused;
        self.lenient += other.lenient;
    }
}

impl fmt::Display for Tried {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tried { programs, accepted, closed, same, refused, lenient } = self;
        write!(
            f,
            "{programs} valid programs, {accepted} accepted whole, {} in part; {same} probes \
             alike, {refused} refused, {lenient} accepted though invalid",
            programs - accepted - closed
        )
    }
}

impl CppProgram {
    /// The program of a seed.
    pub fn new(seed: u64) -> CppProgram {
        let mut world = World::new(seed);
        let parts: [fn(&mut World); 14] = [
            overloads::functions,
            overloads::functions,
            overloads::members,
            overloads::operators,
            templates::classes,
            templates::values,
            templates::deduction,
            templates::nested,
            templates::specialised,
            spaces::lookup,
            spaces::associated,
            objects::lives,
            objects::references,
            objects::lambdas,
        ];
        for _ in 0..1 + world.random.below(2) {
            parts[world.random.below(parts.len())](&mut world);
        }
        if world.random.chance(20) {
            objects::enumerations(&mut world);
        }
        CppProgram { lines: world.lines }
    }

    /// The text without the lines in `removed`, which stay empty.
    fn without(&self, removed: &BTreeSet<usize>) -> Text {
        let mut text = Text { lines: vec![HEAD.to_owned()], origin: vec![None] };
        let kept = |role: &dyn Fn(Role) -> bool| {
            let lines = self.lines.iter().enumerate();
            let lines = lines.filter(|(at, line)| role(line.role) && !removed.contains(at));
            lines.map(|(at, line)| (Some(at), line.text.clone())).collect::<Vec<_>>()
        };
        let outside = kept(&|role| role != Role::Probe);
        let probes = kept(&|role| role == Role::Probe);
        let frame = |text: &str| vec![(None, text.to_owned())];
        let parts =
            [outside, frame("int main() {"), probes, frame("printf(\"\\nend\\n\"); return 0; }")];
        for (at, line) in parts.into_iter().flatten() {
            text.lines.push(line);
            text.origin.push(at);
        }
        text
    }

    /// The source text.
    pub fn source(&self) -> String {
        self.without(&BTreeSet::new()).joined()
    }

    fn probes(&self, among: &BTreeSet<usize>) -> u64 {
        among.iter().filter(|&&at| self.lines[at].role == Role::Probe).count() as u64
    }

    /// The lines of a program that fails, of which none can be removed.
    pub fn shrink(&self, fails: impl Fn(&CppProgram) -> bool) -> CppProgram {
        let mut small = self.clone();
        let mut step = small.lines.len() / 2;
        while step > 0 {
            let mut at = 0;
            while at < small.lines.len() {
                let mut fewer = small.clone();
                fewer.lines.drain(at..(at + step).min(small.lines.len()));
                if fails(&fewer) {
                    small = fewer;
                } else {
                    at += step;
                }
            }
            step /= 2;
        }
        small
    }
}

/// A source, with the line of the program that each of its lines is.
struct Text {
    lines: Vec<String>,
    origin: Vec<Option<usize>>,
}

impl Text {
    fn joined(&self) -> String {
        self.lines.join("\n") + "\n"
    }

    /// The lines of the program that may be removed, among lines of the source from 1.
    fn removable(
        &self,
        program: &CppProgram,
        lines: impl Iterator<Item = usize>,
    ) -> BTreeSet<usize> {
        let origin = |line: usize| self.origin.get(line.checked_sub(1)?).copied().flatten();
        lines.filter_map(origin).filter(|&at| program.lines[at].role != Role::Fixed).collect()
    }
}

/// The result of a compiler for a source: what it prints, or the lines that it refuses.
enum Outcome {
    Printed(String),
    Refused(Vec<usize>),
}

/// True if there is a C++ compiler.
pub fn has_compiler() -> bool {
    Command::new("c++").arg("--version").output().is_ok_and(|found| found.status.success())
}

/// The result of the system's compiler.
fn theirs(text: &Text, folder: &Path, name: &str) -> Result<Outcome> {
    let (source, binary) = (folder.join(format!("{name}.cpp")), folder.join(format!("{name}.bin")));
    std::fs::write(&source, text.joined())?;
    let output = Command::new("c++").args(FLAGS).arg("-o").arg(&binary).arg(&source).output()?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let start = format!("{}:", source.display());
        let number = |line: &str| -> Option<usize> {
            let (_, rest) = line.split_once(&start)?;
            rest.split(':').next()?.parse().ok()
        };
        let lines = said.lines().filter_map(number).collect();
        return Ok(Outcome::Refused(lines));
    }
    let output = Command::new(&binary).output()?;
    ensure!(output.status.success(), "{} ends with {}", binary.display(), output.status);
    let _ = (std::fs::remove_file(source), std::fs::remove_file(binary));
    Ok(Outcome::Printed(String::from_utf8_lossy(&output.stdout).into_owned()))
}

/// Our result.
fn ours(text: &Text) -> Result<Outcome> {
    let machine = load_machine("tiny", &[]).map_err(anyhow::Error::msg)?;
    let mut checked = build::check("program.cu", &text.joined(), &[], &mut NoFiles);
    checked.diagnostics.retain(Diagnostic::is_error);
    if checked.has_errors() {
        let said = checked.render(false);
        let number = |line: &str| -> Option<usize> {
            let (_, rest) = line.split_once("program.cu:")?;
            rest.split(':').next()?.parse().ok()
        };
        return Ok(Outcome::Refused(said.lines().filter_map(number).collect()));
    }
    let setup = Setup {
        max_operations: Some(1 << 28),
        arguments: vec!["program.cu".to_owned()],
        ..Setup::new(&machine, ModelName::Reference)
    };
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let execution = match execute(&checked, &setup, &mut output, &mut errors, &mut |_, _| {}) {
        Ok(execution) => execution,
        Err(_) => return Ok(Outcome::Refused(Vec::new())),
    };
    let status = execution.outcome.status();
    ensure!(status == 0, "{}", execution.outcome.render(&checked.sources, false));
    Ok(Outcome::Printed(String::from_utf8_lossy(&output).into_owned()))
}

/// The name in front of what ends after `main`: the static objects of all probes.
const END: &str = "end";

/// The output of each probe, by its name.
fn by_probe(printed: &str) -> BTreeMap<&str, Vec<&str>> {
    let mut found: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut probe = "";
    // An object that ends with a block may leave a line open, which the next block ends.
    for line in printed.lines().filter(|line| !line.is_empty()) {
        let is_probe = line.strip_prefix('p').is_some_and(|rest| rest.parse::<u32>().is_ok());
        let is_name = is_probe || line == END;
        if is_name {
            probe = line;
        }
        found.entry(probe).or_default().push(line);
    }
    found
}

/// Removes the lines that a compiler refuses until it accepts the rest. `None` means that it
/// refuses a line on which others depend; `removed` has the lines removed so far.
fn settle(
    program: &CppProgram,
    removed: &mut BTreeSet<usize>,
    run: impl Fn(&Text) -> Result<Outcome>,
) -> Result<Option<String>> {
    for _ in 0..ROUNDS {
        let text = program.without(removed);
        match run(&text)? {
            Outcome::Printed(printed) => return Ok(Some(printed)),
            Outcome::Refused(lines) => {
                let fewer = text.removable(program, lines.into_iter());
                if fewer.is_empty() {
                    return Ok(None);
                }
                removed.extend(fewer);
            }
        }
    }
    Ok(None)
}

/// Compares both compilers on a program, with files in `folder`. A program that the system's
/// compiler refuses without its probes too counts nothing.
///
/// # Errors
/// A probe whose outputs differ, with the program.
pub fn compare(program: &CppProgram, folder: &Path, name: &str) -> Result<Tried> {
    let mut invalid = BTreeSet::new();
    let Some(printed) = settle(program, &mut invalid, |text| theirs(text, folder, name))? else {
        return Ok(Tried::default());
    };
    let theirs = by_probe(&printed);
    let mut removed = invalid.clone();
    let Some(printed) = settle(program, &mut removed, ours)? else {
        let all: BTreeSet<usize> = (0..program.lines.len()).collect();
        let refused = program.probes(&all) - program.probes(&invalid);
        return Ok(Tried { programs: 1, closed: 1, refused, ..Tried::default() });
    };
    let mut ours = by_probe(&printed);
    if removed != invalid {
        // Static objects of probes that are refused do not end here.
        ours.remove(END);
    }
    for (probe, lines) in &ours {
        if theirs.get(probe) != Some(lines) {
            let theirs = theirs.get(probe);
            bail!("{probe} prints {lines:?} instead of {theirs:?}\n{}", program.source());
        }
    }
    Ok(Tried {
        programs: 1,
        closed: 0,
        same: ours.len() as u64,
        refused: program.probes(&removed) - program.probes(&invalid),
        lenient: lenient(program, &invalid, &removed)?,
        accepted: u64::from(removed == invalid),
    })
}

/// The number of invalid probes that we accept.
fn lenient(
    program: &CppProgram,
    invalid: &BTreeSet<usize>,
    removed: &BTreeSet<usize>,
) -> Result<u64> {
    let probes = invalid.iter().filter(|&&at| program.lines[at].role == Role::Probe);
    let mut left: BTreeSet<usize> = removed.clone();
    let all: Vec<usize> = probes.copied().collect();
    all.iter().for_each(|at| {
        left.remove(at);
    });
    match ours(&program.without(&left))? {
        Outcome::Printed(_) => Ok(all.len() as u64),
        Outcome::Refused(lines) => {
            let refused = program.without(&left).removable(program, lines.into_iter());
            Ok(all.iter().filter(|at| !refused.contains(at)).count() as u64)
        }
    }
}
