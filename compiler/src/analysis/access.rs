//! What the address of an access means for memory, in words: how far the addresses of neighbouring
//! threads are apart, and so how many lines a warp touches.

use super::affine::{Coefficient, Condition, Scope, Symbol, WARP};
use super::answers::Answers;
use super::transfer::Fact;
use crate::ir::{Function, Kind, Value};
use reconverge_isa::Special;

/// The bytes of a line that the sentences count in: that of all machine files.
const LINE: u64 = 128;

/// Says of a load, a store or an atomic what its addresses are like in a warp of 32 threads that lies
/// in one row; `None` for any other instruction.
pub fn pattern(answers: &Answers, user: Value) -> Option<String> {
    let function = answers.function();
    let (address, bytes) = match function.kind(user) {
        Kind::Load(access, address) | Kind::Store(access, address, _) => {
            (*address, u64::from(access.width.bytes()))
        }
        Kind::Atomic(_, _, operands) => (*operands.first()?, 4),
        _ => return None,
    };
    let convergence = answers.convergence(Condition::Rows);
    let fact = convergence.used(user, address);
    if fact.agreement(Condition::Rows) >= Scope::Warp {
        return Some("all threads of a warp access one address, so one line".to_owned());
    }
    let most = format!("a warp touches up to {WARP} lines");
    let Fact::Form(form) = fact else {
        return Some(format!("no rule for neighbouring threads' addresses is known: {most}"));
    };
    if form.low || form.period != 1 {
        return Some(format!("neighbouring threads are not all equally far apart: {most}"));
    }
    Some(match form.terms[0] {
        Coefficient::Constant(step) => {
            let lines = lines(step, bytes);
            let plural = if lines == 1 { "" } else { "s" };
            format!(
                "neighbouring threads are {step} bytes apart, so a warp touches {lines} line{plural} \
                 of {LINE} bytes{}",
                if step.unsigned_abs() < LINE { ", or one more" } else { "" }
            )
        }
        step => {
            format!("neighbouring threads are {} bytes apart, so {most}", distance(function, step))
        }
    })
}

/// How many lines the accesses of a warp fall in if the first starts one.
fn lines(step: i64, bytes: u64) -> u64 {
    let step = step.unsigned_abs();
    match step {
        LINE.. => u64::from(WARP),
        _ => ((u64::from(WARP) - 1) * step + bytes).div_ceil(LINE),
    }
}

fn distance(function: &Function, step: Coefficient) -> String {
    match step {
        Coefficient::Constant(step) => step.to_string(),
        Coefficient::Scaled(symbol, 1) => name(function, symbol),
        Coefficient::Scaled(symbol, factor) => format!("{factor}·{}", name(function, symbol)),
        Coefficient::Opaque(_) => "an unknown number of".to_owned(),
    }
}

/// What the source calls a symbol.
fn name(function: &Function, symbol: Symbol) -> String {
    match symbol {
        Symbol::Special(Special::NtidX) => "blockDim.x".to_owned(),
        Symbol::Special(Special::NtidY) => "blockDim.y".to_owned(),
        Symbol::Special(Special::NtidZ) => "blockDim.z".to_owned(),
        Symbol::Special(special) => special.name().to_owned(),
        Symbol::Layer => "blockDim.x·blockDim.y".to_owned(),
        Symbol::Parameter(offset) => parameter(function, offset),
        Symbol::Value(value) => match &function.instruction(value).variable {
            Some(name) => name.to_string(),
            None => "an unknown number of".to_owned(),
        },
    }
}

/// The source's name of the parameter at an offset; of a word inside of one, where in it.
pub fn parameter(function: &Function, offset: u32) -> String {
    let mut parameters = function.parameters.iter();
    match parameters.find(|one| (one.offset..one.offset + one.size).contains(&offset)) {
        Some(found) if found.offset == offset => found.name.clone(),
        Some(found) => format!("{}[bytes from {}]", found.name, offset - found.offset),
        None => format!("c[{offset}]"),
    }
}

/// A text in which parameters have the names of the source in the place of `c[OFFSET]`.
pub fn with_names(function: &Function, text: &str) -> String {
    let mut parts = text.split("c[");
    let mut named = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let found = part
            .split_once(']')
            .and_then(|(number, rest)| Some((parameter(function, number.parse().ok()?), rest)));
        match found {
            Some((name, rest)) => named.extend([name.as_str(), rest]),
            None => named.extend(["c[", part]),
        }
    }
    named
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Flow;
    use crate::ir::parse;

    fn said(address: &str) -> String {
        let text = format!(
            "kernel k {{\n  param \"out\" 0 8\n  param \"h\" 8 4\nb0:\n  %0 = special tid.x\n  \
             %1 = param.global 0\n  %2 = param.b32 8\n  %3 = const.b32 4\n  %4 = const.b32 512\n  \
             %5 = special ctaid.x\n{address}\n  %9 = add.i32 %1, %8\n  st.global.b32 %9, %0\n  \
             return\n}}"
        );
        let function = parse(&text).unwrap().functions.remove(0);
        let flow = Flow::new(&function);
        let answers = Answers::new(&flow);
        let patterns: Vec<_> =
            flow.values().filter_map(|(_, value)| pattern(&answers, value)).collect();
        patterns.join("\n")
    }

    #[test]
    fn the_distance_of_neighbours_says_how_many_lines() {
        assert_eq!(
            said("  %8 = mul.i32 %0, %3"),
            "neighbouring threads are 4 bytes apart, so a warp touches 1 line of 128 bytes, or one more"
        );
        assert_eq!(
            said("  %8 = mul.i32 %0, %4"),
            "neighbouring threads are 512 bytes apart, so a warp touches 32 lines of 128 bytes"
        );
        assert_eq!(
            said("  %7 = mul.i32 %0, %2\n  %8 = mul.i32 %7, %3"),
            "neighbouring threads are 4·h bytes apart, so a warp touches up to 32 lines"
        );
        assert_eq!(
            said("  %8 = mul.i32 %5, %3"),
            "all threads of a warp access one address, so one line"
        );
        assert_eq!(
            said("  %8 = mul.i32 %0, %0"),
            "no rule for neighbouring threads' addresses is known: a warp touches up to 32 lines"
        );
    }

    #[test]
    fn parameters_have_their_names() {
        let text = "kernel k {\n  param \"m\" 0 4\n  param \"v\" 8 16\nb0:\n  return\n}";
        let function = parse(text).unwrap().functions.remove(0);
        let named = with_names(&function, "4*c[0]*tid.x + c[12] + c[99] + ?");
        assert_eq!(named, "4*m*tid.x + v[bytes from 4] + c[99] + ?");
    }
}
