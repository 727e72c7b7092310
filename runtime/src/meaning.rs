//! The value that a word of the source means.
//!
//! Instructions are placed at the start of the expression that they compute, so several share a
//! word: in `i + 1` the sum is at `i`. The word itself means the operand.

use reconverge_compiler::analysis::Answers;
use reconverge_compiler::analysis::access::parameter;
use reconverge_compiler::ir::{Function, Kind, Value};
use reconverge_compiler::syntax::{SourceMap, Span};
use reconverge_isa::Special;

/// The value that a word means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// The result of an instruction, as of an operator, a call or a branch.
    Whole(Value),
    /// An operand of an instruction: `Operand(user, operand)`.
    Operand(Value, Value),
}

/// The meaning of a word with instructions, in the order of the code; `None` if they compute
/// something that only begins with it.
pub fn meaning(
    answers: &Answers,
    sources: &SourceMap,
    word: Span,
    instructions: &[Value],
) -> Option<Meaning> {
    let function = answers.function();
    let says_more = |&&value: &&Value| !matches!(rank(function.kind(value)), Rank::Value);
    let strongest =
        instructions.iter().filter(says_more).max_by_key(|&&it| rank(function.kind(it)));
    if let Some(&value) = strongest {
        return Some(Meaning::Whole(value));
    }
    let (&first, &last) = (instructions.first()?, instructions.last()?);
    let text = sources.slice(word);
    let begins = |is: fn(&char) -> bool| text.chars().next().is_some_and(|first| is(&first));
    if begins(char::is_ascii_digit) {
        return None;
    }
    let is_name = begins(|first| first.is_alphabetic() || *first == '_');
    let after = sources.text(word.file).get(word.end as usize..).unwrap_or_default();
    let is_call = after.trim_start().starts_with('(');
    if !is_name || is_call {
        return Some(Meaning::Whole(last));
    }
    if matches!(function.kind(first), Kind::Special(_)) {
        return Some(Meaning::Whole(first));
    }
    let mut found = None;
    function.kind(first).each_operand(|operand| {
        if found.is_none() && is_called(function, operand, text) {
            found = Some(Meaning::Operand(first, operand));
        }
    });
    found
}

/// The relation of an instruction to its word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Value,
    Access,
    Branch,
}

fn rank(kind: &Kind) -> Rank {
    match kind.unguarded() {
        Kind::Branch(..) => Rank::Branch,
        Kind::Load(..) | Kind::Store(..) | Kind::Atomic(..) => Rank::Access,
        _ => Rank::Value,
    }
}

/// Returns true if the source has this name for a value.
fn is_called(function: &Function, value: Value, name: &str) -> bool {
    let instruction = function.instruction(value);
    if instruction.variable.as_deref() == Some(name) {
        return true;
    }
    match instruction.kind {
        Kind::Parameter { offset, .. } => parameter(function, offset) == name,
        Kind::Special(special) => built_in(special) == Some(name),
        _ => false,
    }
}

/// The built-in variable that a special value is a member of.
fn built_in(special: Special) -> Option<&'static str> {
    Some(match special {
        Special::TidX | Special::TidY | Special::TidZ => "threadIdx",
        Special::NtidX | Special::NtidY | Special::NtidZ => "blockDim",
        Special::CtaidX | Special::CtaidY | Special::CtaidZ => "blockIdx",
        Special::NctaidX | Special::NctaidY | Special::NctaidZ => "gridDim",
        _ => return None,
    })
}

/// The column where a line assigns to a variable: the name in front of `=` or of an operator with
/// `=`.
pub fn assigned(line: &str, name: &str) -> Option<usize> {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    line.match_indices(name).map(|(at, _)| at).find(|&at| {
        let (before, after) = (&line[..at], &line[at + name.len()..]);
        let stands_alone = !before.ends_with(is_word) && !after.starts_with(is_word);
        let operator = after.trim_start();
        let rest = operator.trim_start_matches(['+', '-', '*', '/', '%', '&', '|', '^', '<', '>']);
        let is_comparison = operator != rest
            && operator.starts_with(['<', '>'])
            && !(operator.starts_with("<<=") || operator.starts_with(">>="));
        stands_alone && !is_comparison && rest.starts_with('=') && !rest.starts_with("==")
    })
}

#[cfg(test)]
mod tests {
    use super::assigned;

    #[test]
    fn assignments_are_found() {
        for (line, name, at) in [
            ("    int i = i2 + 1;", "i", Some(8)),
            ("if (i == 3) i += 2;", "i", Some(12)),
            ("while (i <= 3) i <<= 1;", "i", Some(15)),
            ("x[i] = 3;", "i", None),
            ("return i;", "i", None),
        ] {
            assert_eq!(assigned(line, name), at, "{line}");
        }
    }
}
