//! Diagnostics about a file of kernels: its faults, and the parts that it leaves out.

use reconverge_compiler::diagnostic::{Code, Diagnostic, Severity, code};
use reconverge_compiler::ir::{self, Function};
use reconverge_compiler::machine_code::reconvergence;
use reconverge_compiler::syntax::{FileId, SourceMap, Span};
use reconverge_isa::text::{KernelPlaces, Position, TextError, TextFault, odd_size};
use reconverge_isa::{BranchTaint, Instruction, Kernel, Place, ValueClass};

/// More faults than anyone reads in one go.
pub(super) const MOST: usize = 100;

/// The word or sign at a place of a text; the end of the line, or of the text, where there is none.
pub(super) fn word_at(sources: &SourceMap, file: FileId, at: Position) -> Span {
    let text = sources.text(file);
    let line = (at.line as usize).checked_sub(1).and_then(|line| sources.line_range(file, line));
    let Some(line) = line else {
        let end = text.len() as u32;
        return Span::new(file, end, end);
    };
    let rest = text[line.clone()].trim_end_matches(['\n', '\r']);
    let skipped = rest.char_indices().nth((at.column as usize).saturating_sub(1));
    let start = skipped.map_or(rest.len(), |(start, _)| start);
    let word = &rest[start..];
    let ends = |c: char| c.is_whitespace() || ",:[]{}!=;\"".contains(c);
    let length = match word.chars().next() {
        None => 0,
        Some('"') => word[1..].find('"').map_or(word.len(), |end| end + 2),
        Some(first) if ends(first) => first.len_utf8(),
        Some(_) => word.find(ends).unwrap_or(word.len()),
    };
    let start = line.start + start;
    Span::new(file, start as u32, (start + length) as u32)
}

/// A fault of a text.
pub fn in_text(code: Code, error: TextError, file: FileId, sources: &SourceMap) -> Diagnostic {
    let at = Position { line: error.line, column: error.column };
    let found = Diagnostic::error(code, word_at(sources, file, at), error.message);
    found.advice(error.help.as_deref().unwrap_or_default())
}

/// A remark about an oddity in a text.
pub(super) fn remark(remark: TextError, file: FileId, sources: &SourceMap) -> Diagnostic {
    let found = in_text(code::ODD_PARAMETER, remark, file, sources);
    Diagnostic { severity: Severity::Warning, ..found }
}

/// The code of a fault in the text of kernels.
pub(super) fn code_of(kind: TextFault) -> Code {
    match kind {
        TextFault::Syntax => code::KERNEL_TEXT,
        TextFault::Name => code::KERNEL_NAME,
        TextFault::Range => code::KERNEL_RANGE,
        TextFault::Rule => code::KERNEL_RULE,
    }
}

/// The kernel that a fault is in.
pub(super) fn kernel_of(place: Place) -> usize {
    match place {
        Place::Variable(_) => 0,
        Place::Kernel(kernel)
        | Place::Parameter { kernel, .. }
        | Place::Instruction { kernel, .. } => kernel,
    }
}

/// The rules that a function of IR text breaks, and its oddities.
pub(super) fn of_function(
    function: &Function,
    places: &ir::parse::Places,
    file: FileId,
    sources: &SourceMap,
) -> Vec<Diagnostic> {
    let span = |at: Position| word_at(sources, file, at);
    let place = |place: ir::Place| {
        let found = match place {
            ir::Place::Function => None,
            ir::Place::Block(block) => places.blocks.get(block.index()),
            ir::Place::Value(value) => places.values.get(value.index()),
        };
        found.copied().filter(|at| at.line != 0).unwrap_or(places.kernel)
    };
    let faults = ir::verify(function).into_iter().take(MOST);
    let mut found: Vec<Diagnostic> = faults
        .map(|fault| Diagnostic::error(code::IR_RULE, span(place(fault.place)), fault.message))
        .collect();
    for (parameter, &at) in function.parameters.iter().zip(&places.parameters) {
        let odd = odd_size(parameter);
        found.extend(odd.map(|why| Diagnostic::warning(code::ODD_PARAMETER, span(at), why)));
    }
    found
}

/// The properties that a kernel of machine code does not state; `left_out` has sentences already.
pub(super) fn of_kernel(
    kernel: &Kernel,
    places: &KernelPlaces,
    mut left_out: Vec<String>,
    file: FileId,
    sources: &SourceMap,
) -> Vec<Diagnostic> {
    let span = |at: Position| word_at(sources, file, at);
    let position = |index: usize| places.instructions.get(index).copied().unwrap_or(places.kernel);
    let branch = |(branch, point): (usize, usize)| {
        let message = "the branch may diverge and does not say where its paths reconverge";
        let found = Diagnostic::warning(code::NO_RECONVERGENCE, span(position(branch)), message)
            .label("without `!reconverge` they run apart to the end of the kernel")
            .secondary(span(position(point)), "here they could reconverge");
        found.help("put a label there, and `!reconverge LABEL` after the target")
    };
    let missing = reconvergence::missing(kernel.main_code()).into_iter().take(MOST);
    let mut found: Vec<Diagnostic> = missing.map(branch).collect();
    if !kernel.code.iter().any(is_annotated) && kernel.code.len() > 1 {
        left_out.push(
            "without `!last`, `!uniform`, `!affine`, `!uni`, `!P` and `!D`, mechanisms that rely on them, such as affine units and \
             compaction by taint, gain nothing"
                .to_owned(),
        );
    }
    if !left_out.is_empty() {
        let message = format!("`{}` leaves out what the compiler says of its code", kernel.name);
        let all = Diagnostic::warning(code::LEFT_OUT, span(places.kernel), message);
        let all = left_out.into_iter().fold(all, Diagnostic::note);
        found.push(Diagnostic { severity: Severity::Note, ..all });
    }
    found
}

fn is_annotated(instruction: &Instruction) -> bool {
    let annotations = &instruction.annotations;
    annotations.last_read != 0
        || annotations.class != ValueClass::Unknown
        || annotations.uniform
        || annotations.taint != BranchTaint::Unknown
}
