//! The results of the analyses for a place in the source, with their reasons: chains over the
//! source, from a value to the cause of its divergence or its dependence on data.

use crate::meaning::{Meaning, meaning};
use anyhow::{Result, bail};
use reconverge_compiler::analysis::access;
use reconverge_compiler::analysis::answers::Answer;
use reconverge_compiler::analysis::legality::{chain, span_at};
use reconverge_compiler::analysis::reason::{
    Question, Step, control_reasons, reasons, reasons_used,
};
use reconverge_compiler::analysis::report;
use reconverge_compiler::analysis::taint::Taint;
use reconverge_compiler::analysis::{Answers, Condition, Flow, Scope};
use reconverge_compiler::diagnostic::{self, Diagnostic, Severity, code};
use reconverge_compiler::ir::{Block, Function, Kind, Location, Value};
use reconverge_compiler::lower::Lowered;
use reconverge_compiler::syntax::{SourceMap, Span};
use std::collections::{BTreeMap, BTreeSet};

/// A place in the source for a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    line: u32,
    column: Option<u32>,
}

/// Reads `LINE` or `LINE:COLUMN`, counted from 1.
///
/// # Errors
/// The fault of the text.
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

/// The answers for a place, each with its chains of reasons over the source.
///
/// # Errors
/// There is no kernel, or none has anything there.
pub fn why(lowered: &Lowered, sources: &SourceMap, place: Place, color: bool) -> Result<String> {
    let mut found = Vec::new();
    for function in &lowered.ir {
        let flow = Flow::new(function);
        let answers = Answers::new(&flow);
        let asker = Asker { answers: &answers, files: &lowered.program.files, sources };
        found.extend(asker.at(0, place));
    }
    if lowered.ir.is_empty() {
        bail!("the program has no kernel, and `--why` asks about those");
    }
    if found.is_empty() {
        bail!("no kernel computes, branches or waits on line {}", shown(place));
    }
    Ok(diagnostic::render(&found, sources, color))
}

/// The results for a line of a kernel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LineAnswers {
    /// The variables that are computed on it and the addresses that it accesses: their names, and
    /// the answers in the notation of `--emit analysis`, with the source's names of parameters.
    pub forms: Vec<(String, String)>,
    /// The text of [`why`] for the line.
    pub why: String,
}

/// The results for each line of a kernel, by number of the file and line; none if its intermediate
/// representation is not kept.
pub fn of_lines(function: &Function, lowered: &Lowered, sources: &SourceMap) -> ByLine {
    let flow = Flow::new(function);
    let answers = Answers::new(&flow);
    let asker = Asker { answers: &answers, files: &lowered.program.files, sources };
    let locations = flow.values().map(|(_, value)| function.instruction(value).location);
    let lines: BTreeSet<(u32, u32)> = locations.map(|at| (at.file, at.line)).collect();
    let known = lines.into_iter().filter(|&(_, line)| line != 0).map(|(file, line)| {
        let found = asker.at(file, Place { line, column: None });
        let why = match found.is_empty() {
            true => String::new(),
            false => diagnostic::render(&found, sources, false),
        };
        ((file, line), LineAnswers { forms: asker.forms(file, line), why })
    });
    known.filter(|(_, known)| *known != LineAnswers::default()).collect()
}

/// By number of the file and line.
pub type ByLine = BTreeMap<(u32, u32), LineAnswers>;

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
    /// The instructions at a place of a file: the last one of each token, which is the token's
    /// whole value.
    fn at(&self, asked: u32, place: Place) -> Vec<Diagnostic> {
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
            if file == asked && line == place.line && within && answers {
                last.insert((column, instruction.ty.is_some()), (block, value));
            }
        }
        // The answer for a branch or a store includes its condition or address.
        let columns: Vec<u32> = last.keys().filter(|key| !key.1).map(|key| key.0).collect();
        last.retain(|&(column, has_result), _| !has_result || !columns.contains(&column));
        let mut found: Vec<_> = last.into_values().collect();
        if place.column.is_some() {
            // Among nested tokens, the one that begins last.
            let start = |&(_, value): &(Block, Value)| function.instruction(value).location.column;
            let nearest = found.iter().map(start).max();
            found.retain(|one| Some(start(one)) == nearest);
        }
        if let ([(_, last)], true) = (found.as_slice(), place.column.is_some())
            && let Some(note) = self.of_word(*last)
        {
            return vec![note];
        }
        found.into_iter().filter_map(|(block, value)| self.answer(block, value)).collect()
    }

    /// The answer for a word that means an operand of a longer expression, or a built-in variable.
    fn of_word(&self, last: Value) -> Option<Diagnostic> {
        let function = self.answers.function();
        let place = function.instruction(last).location;
        let all = self.answers.flow.values().map(|(_, value)| value);
        let here = all.filter(|&value| {
            let instruction = function.instruction(value);
            let is_silent =
                instruction.kind.is_leaf() && !matches!(instruction.kind, Kind::Special(_));
            instruction.location == place && !is_silent
        });
        let span = span_at(self.sources, self.files, place)?;
        match meaning(self.answers, self.sources, span, &here.collect::<Vec<_>>())? {
            Meaning::Operand(user, operand) => {
                let note = note(span, format!("this is {}", self.used(user, operand)));
                Some(self.because(note, user, operand))
            }
            Meaning::Whole(value) if value == last => None,
            Meaning::Whole(value) => {
                Some(self.reasons(note(span, format!("this is {}", self.value(value))), value))
            }
        }
    }

    /// The named values that a line computes and the addresses that it accesses, in the order of the code.
    fn forms(&self, file: u32, line: u32) -> Vec<(String, String)> {
        let function = self.answers.function();
        let mut found: Vec<(String, String)> = Vec::new();
        for (_, value) in self.answers.flow.values() {
            let instruction = function.instruction(value);
            if (instruction.location.file, instruction.location.line) != (file, line) {
                continue;
            }
            let address = match instruction.kind.unguarded() {
                Kind::Load(_, address) => Some(("address of the load", *address)),
                Kind::Store(_, address, _) => Some(("address of the store", *address)),
                Kind::Atomic(_, _, operands) => {
                    operands.first().map(|&address| ("address of the atomic", address))
                }
                _ => None,
            };
            let mut add = |name: &str, answers: &[Answer], taint: Taint| {
                let text = access::with_names(function, &report::all(answers));
                let one = (name.to_owned(), format!("{text} {}", taint.letter()));
                if !found.contains(&one) {
                    found.push(one);
                }
            };
            if let (Some(name), false) = (&instruction.variable, instruction.kind.is_leaf()) {
                add(name, &self.answers.value(value), self.answers.taints.value(value));
            }
            if let Some((name, address)) = address {
                let taint = self.answers.taints.used(value, address);
                add(name, &self.answers.used(value, address), taint);
            }
        }
        found
    }

    /// Returns true if the token at a location covers a column.
    fn covers(&self, location: Location, column: u32) -> bool {
        let Some(span) = span_at(self.sources, self.files, location) else {
            return false;
        };
        (location.column..location.column + (span.end - span.start).max(1)).contains(&column)
    }

    fn answer(&self, block: Block, value: Value) -> Option<Diagnostic> {
        let function = self.answers.function();
        let span = span_at(self.sources, self.files, function.instruction(value).location)?;
        Some(match *function.kind(value).unguarded() {
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

    /// The form of an access's address, and its meaning for memory.
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

    /// A barrier, vote or shuffle: its result, if there is one, and the threads that arrive at it.
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

/// The threads that may differ when those of a scope agree.
fn differing(scope: Scope) -> &'static str {
    match scope {
        Scope::None => "threads",
        Scope::Warp => "warps",
        Scope::Block | Scope::Grid => "blocks",
    }
}

/// The dependence on data of a value, and of the control that decides how often it is executed.
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
