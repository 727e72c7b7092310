//! `compile --emit analysis`, `--emit analysis-json` and `--why`.

use anyhow::{Result, bail};
use reconverge_compiler::analysis::access;
use reconverge_compiler::analysis::answers::Answer;
use reconverge_compiler::analysis::legality::{chain, span_at};
use reconverge_compiler::analysis::reason::{
    Question, Step, control_reasons, reasons, reasons_used,
};
use reconverge_compiler::analysis::report::{self, KernelReport};
use reconverge_compiler::analysis::taint::Taint;
use reconverge_compiler::analysis::{Answers, Condition, Flow, Scope};
use reconverge_compiler::diagnostic::{self, Diagnostic, Severity, code};
use reconverge_compiler::ir::{Block, Function, Kind, Location, Value};
use reconverge_compiler::lower::Lowered;
use reconverge_compiler::machine_code::LastReads;
use reconverge_compiler::syntax::{SourceMap, Span};
use reconverge_isa::Kernel;
use serde::Serialize;
use std::collections::BTreeMap;

/// The version of the JSON's shape.
const SCHEMA: u32 = 1;

/// A place in the source that is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    line: u32,
    column: Option<u32>,
}

/// Reads `LINE` or `LINE:COLUMN`, counted from 1.
///
/// # Errors
/// What is wrong with the text.
pub fn place(text: &str) -> Result<Place, String> {
    let number = |text: &str| match text.parse::<u32>() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err(format!("`{text}` is not a number from 1 on; expected LINE or LINE:COLUMN")),
    };
    Ok(match text.split_once(':') {
        Some((line, column)) => Place { line: number(line)?, column: Some(number(column)?) },
        None => Place { line: number(text)?, column: None },
    })
}

/// The kernels with the answers of all analyses beside their instructions.
pub fn text(lowered: &Lowered, sources: &SourceMap) -> String {
    let source = |location: Location| {
        let name = lowered.program.files.get(location.file as usize)?;
        let file = sources.files().find(|&file| sources.name(file) == name)?;
        Some(sources.line_text(file, location.line).to_owned())
    };
    let each = |(function, kernel): (&Function, &Kernel)| {
        let flow = Flow::new(function);
        let registers = LastReads::new(&kernel.code);
        format!("{}; {registers}\n", report::text(&Answers::new(&flow), &source))
    };
    lowered.ir.iter().zip(&lowered.program.kernels).map(each).collect::<Vec<_>>().join("\n")
}

/// The same of kernels that were read as text, of which there is neither source nor machine code.
pub fn text_of(functions: &[Function]) -> String {
    let each = |function: &Function| report::text(&Answers::new(&Flow::new(function)), &|_| None);
    functions.iter().map(each).collect::<Vec<_>>().join("\n")
}

#[derive(Serialize)]
struct Analysis<'a> {
    schema: u32,
    program: &'a str,
    kernels: Vec<KernelAnalysis>,
}

#[derive(Serialize)]
struct KernelAnalysis {
    #[serde(flatten)]
    answers: KernelReport,
    /// Absent where there is no machine code: of kernels that were read as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    registers: Option<RegisterReport>,
}

/// The registers of the machine code that the kernel becomes.
#[derive(Serialize)]
struct RegisterReport {
    /// Sources that are registers or predicates.
    operands: usize,
    /// How many of them are last reads.
    last_reads: usize,
    /// How many would be if each thread had registers of its own.
    last_reads_per_thread: usize,
    /// The most general registers that a warp needs at once.
    most_held: u32,
    /// The most that one of its threads needs.
    most_held_per_thread: u32,
}

impl From<LastReads> for RegisterReport {
    fn from(found: LastReads) -> RegisterReport {
        RegisterReport {
            operands: found.operands,
            last_reads: found.count(),
            last_reads_per_thread: found.per_thread,
            most_held: found.most_held,
            most_held_per_thread: found.most_per_thread,
        }
    }
}

/// The results of the analyses as JSON.
pub fn json(program: &str, lowered: &Lowered) -> Result<String> {
    let each = |(function, kernel): (&Function, &Kernel)| {
        kernel_analysis(function, Some(LastReads::new(&kernel.code).into()))
    };
    document(program, lowered.ir.iter().zip(&lowered.program.kernels).map(each).collect())
}

/// The same as data of kernels that were read as text.
pub fn json_of(program: &str, functions: &[Function]) -> Result<String> {
    let each = |function: &Function| kernel_analysis(function, None);
    document(program, functions.iter().map(each).collect())
}

fn kernel_analysis(function: &Function, registers: Option<RegisterReport>) -> KernelAnalysis {
    let flow = Flow::new(function);
    KernelAnalysis { answers: report::report(&Answers::new(&flow)), registers }
}

fn document(program: &str, kernels: Vec<KernelAnalysis>) -> Result<String> {
    let mut text = serde_json::to_string_pretty(&Analysis { schema: SCHEMA, program, kernels })?;
    text.push('\n');
    Ok(text)
}

/// The answers for what stands at a place, each with its chains of reasons over the source.
///
/// # Errors
/// Nothing of any kernel stands there.
pub fn why(lowered: &Lowered, sources: &SourceMap, place: Place, color: bool) -> Result<String> {
    let mut found = Vec::new();
    for function in &lowered.ir {
        let flow = Flow::new(function);
        let answers = Answers::new(&flow);
        let asker = Asker { answers: &answers, files: &lowered.program.files, sources };
        found.extend(asker.at(place));
    }
    if found.is_empty() {
        bail!("no kernel computes, branches or waits on line {}", shown(place));
    }
    Ok(diagnostic::render(&found, sources, color))
}

fn shown(place: Place) -> String {
    match place.column {
        Some(column) => format!("{}, column {column}", place.line),
        None => place.line.to_string(),
    }
}

struct Asker<'q, 'f, 'a> {
    answers: &'q Answers<'f, 'a>,
    files: &'q [String],
    sources: &'q SourceMap,
}

impl Asker<'_, '_, '_> {
    /// What stands at a place of the program's own file: of each token the last instruction, which
    /// is the whole of what the token stands for.
    fn at(&self, place: Place) -> Vec<Diagnostic> {
        let function = self.answers.function();
        let mut last: BTreeMap<(u32, bool), (Block, Value)> = BTreeMap::new();
        for (block, value) in self.answers.flow.values() {
            let instruction = function.instruction(value);
            let Location { file, line, column } = instruction.location;
            let within = match place.column {
                Some(asked) => self.covers(instruction.location, asked),
                None => true,
            };
            let kind = &instruction.kind;
            let answers = !kind.is_leaf() && !matches!(kind, Kind::Jump(_) | Kind::Return);
            if file == 0 && line == place.line && within && answers {
                last.insert((column, instruction.ty.is_some()), (block, value));
            }
        }
        // The answer for a branch or a store says what its condition or address is.
        let columns: Vec<u32> = last.keys().filter(|key| !key.1).map(|key| key.0).collect();
        last.retain(|&(column, has_result), _| !has_result || !columns.contains(&column));
        let mut found: Vec<_> = last.into_values().collect();
        if place.column.is_some() {
            // Of tokens around each other, the one that begins last.
            let start = |&(_, value): &(Block, Value)| function.instruction(value).location.column;
            let nearest = found.iter().map(start).max();
            found.retain(|one| Some(start(one)) == nearest);
        }
        found.into_iter().filter_map(|(block, value)| self.answer(block, value)).collect()
    }

    /// Whether the token at a location covers a column.
    fn covers(&self, location: Location, column: u32) -> bool {
        let Some(span) = span_at(self.sources, self.files, location) else {
            return false;
        };
        (location.column..location.column + (span.end - span.start).max(1)).contains(&column)
    }

    fn answer(&self, block: Block, value: Value) -> Option<Diagnostic> {
        let function = self.answers.function();
        let span = span_at(self.sources, self.files, function.instruction(value).location)?;
        Some(match *function.kind(value) {
            Kind::Branch(condition, ..) => self.branch(span, block, value, condition),
            Kind::Collective(..) => self.collective(span, block, value),
            Kind::Store(_, address, stored) => {
                let note = note(span, format!("what is stored is {}", self.used(value, stored)));
                let note = self.because(note, value, stored);
                self.address(note, value, address)
            }
            Kind::Load(_, address) => {
                let note = note(span, format!("what is loaded is {}", self.value(value)));
                let note = self.reasons(note, value);
                self.address(note, value, address)
            }
            Kind::Atomic(_, _, ref operands) if !operands.is_empty() => {
                let note = note(span, format!("this is {}", self.value(value)));
                self.address(self.reasons(note, value), value, operands[0])
            }
            _ => self.reasons(note(span, format!("this is {}", self.value(value))), value),
        })
    }

    /// What an access's address is, and what that means for memory.
    fn address(&self, note: Diagnostic, user: Value, address: Value) -> Diagnostic {
        let note = note.note(format!("the address is {}", self.used(user, address)));
        match access::pattern(self.answers, user) {
            Some(pattern) => note.note(pattern),
            None => note,
        }
    }

    /// Answers in words, with the source's names of parameters.
    fn named(&self, found: &[Answer]) -> String {
        let sentences: Vec<_> = found.iter().map(Answer::sentence).collect();
        access::with_names(self.answers.function(), &sentences.join("; "))
    }

    fn value(&self, value: Value) -> String {
        let answers = self.named(&self.answers.value(value));
        let (own, control) = self.answers.taint(value);
        format!("{answers}; it {}", taints(own, control))
    }

    fn used(&self, user: Value, operand: Value) -> String {
        let answers = self.named(&self.answers.used(user, operand));
        let taint = self.answers.taints.used(user, operand);
        format!("{answers}; it {}", taints(taint, Taint::Programmatic))
    }

    /// Adds why a value is not the same everywhere, and why it is data.
    fn reasons(&self, note: Diagnostic, value: Value) -> Diagnostic {
        let scope = self.answers.convergence(Condition::Always).scope(value);
        let varies = match scope {
            Scope::Grid => Vec::new(),
            scope => reasons(self.answers, Question::Varies(scope), value),
        };
        let data = reasons(self.answers, Question::Data, value);
        self.chains(note, scope, varies, data)
    }

    /// Adds the reasons for the scope and taint of an operand at its use.
    fn because(&self, note: Diagnostic, user: Value, operand: Value) -> Diagnostic {
        let scope = self.answers.convergence(Condition::Always).scope_used(user, operand);
        let varies = match scope {
            Scope::Grid => Vec::new(),
            scope => reasons_used(self.answers, Question::Varies(scope), user, operand),
        };
        let data = reasons_used(self.answers, Question::Data, user, operand);
        self.chains(note, scope, varies, data)
    }

    fn chains(
        &self,
        note: Diagnostic,
        scope: Scope,
        varies: Vec<Step>,
        data: Vec<Step>,
    ) -> Diagnostic {
        let mut note = self.chain(note, &varies);
        if !varies.is_empty() {
            let steps = match varies.len() {
                1 => "1".to_owned(),
                last => format!("1 to {last}"),
            };
            note = note.note(format!("{} differ because of {steps}", differing(scope)));
        }
        if !data.is_empty() && data.last() != varies.last() {
            let texts: Vec<_> = data.iter().map(|step| self.in_words(step)).collect();
            note = note.note(format!("it is data: {}", texts.join("; ")));
        }
        note
    }

    fn chain(&self, note: Diagnostic, steps: &[Step]) -> Diagnostic {
        chain(note, steps, |step| span_at(self.sources, self.files, step.location))
    }

    fn in_words(&self, step: &Step) -> String {
        let Location { line, column, .. } = step.location;
        format!("{} ({line}:{column})", step.text)
    }

    fn branch(&self, span: Span, block: Block, value: Value, condition: Value) -> Diagnostic {
        let scope = self.answers.convergence(Condition::Always).branch(block);
        let own = self.answers.taints.branch(block);
        let control = self.answers.taints.control(block);
        let agree = match scope {
            Scope::None => "may diverge within a warp".to_owned(),
            scope => format!("is uniform in the {}", scope.name()),
        };
        let message = format!("this branch {agree}; it {}", taints(own, control));
        let mut found = self.because(note(span, message), value, condition);
        for (under, scope) in self.answers.branch(block).into_iter().skip(1) {
            found = found.note(format!("{}: uniform in the {}", under.sentence(), scope.name()));
        }
        found.note(format!("its condition is {}", self.used(value, condition)))
    }

    /// A barrier, vote or shuffle: what it gives, if anything, and who comes to it.
    fn collective(&self, span: Span, block: Block, at: Value) -> Diagnostic {
        let verdict = self.answers.barrier(block, at).map(|barrier| match barrier.is_legal() {
            true if barrier.needs == Scope::Warp => {
                note(span, "all lanes of a warp that have not ended take part in this")
            }
            true => note(span, "all threads of a block come to this barrier together"),
            false => {
                let steps = control_reasons(self.answers, barrier.question(), block);
                self.chain(note(span, barrier.missing()), &steps)
            }
        });
        if self.answers.function().instruction(at).ty.is_none() {
            return verdict.unwrap_or_else(|| note(span, "its mask says which lanes take part"));
        }
        let own = note(span, format!("this is {}", self.value(at)));
        let own = self.reasons(own, at);
        match verdict {
            Some(verdict) => own.note(verdict.message),
            None => own,
        }
    }
}

fn note(span: Span, message: impl Into<String>) -> Diagnostic {
    let mut note = Diagnostic::error(code::ANALYSIS, span, message);
    note.severity = Severity::Note;
    note
}

/// Who may differ when those of a scope agree.
fn differing(scope: Scope) -> &'static str {
    match scope {
        Scope::None => "threads",
        Scope::Warp => "warps",
        Scope::Block | Scope::Grid => "blocks",
    }
}

/// Whether something, and the control that decides how often it is executed, depend on data.
fn taints(own: Taint, control: Taint) -> &'static str {
    match (own, control) {
        (Taint::Programmatic, Taint::Programmatic) => "depends on no data in memory",
        (Taint::Programmatic, Taint::Data) => {
            "depends on no data in memory, but is under control that does"
        }
        (Taint::Data, Taint::Programmatic) => "depends on data in memory",
        (Taint::Data, Taint::Data) => "depends on data in memory, and so does the control over it",
    }
}
