//! The meaning of an access's address for memory, in words: the distance between the addresses of
//! neighbouring threads. It decides the number of lines that a warp touches, or the passes over the
//! banks of shared memory.

use super::affine::{Coefficient, Condition, Scope, Symbol, WARP};
use super::answers::Answers;
use super::transfer::Fact;
use crate::ir::{Function, Kind, Value};
use reconverge_isa::wording::counted;
use reconverge_isa::{Space, Special};
use std::collections::{BTreeMap, BTreeSet};

/// The bytes of a line that the sentences count in: that of all machine files.
pub(crate) const LINE: u64 = 128;

/// The banks of shared memory that the sentences count with: those of all machine files but one.
const BANKS: u64 = 32;
/// The bytes of a bank's word.
const BANK_BYTES: u64 = 4;

/// The relation between the addresses of neighbouring threads, in a warp of 32 threads in one row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Neighbours {
    /// All threads access one address.
    Same,
    /// So many bytes apart.
    Apart(i64),
    /// A number of bytes apart; after a number of threads, fewer than a warp, addresses repeat.
    Repeated(i64, u32),
    /// So many bytes apart, in terms of the source; `None` where the source has no name for it.
    ApartBy(Option<String>),
    /// Not all equally far apart.
    Uneven,
    /// By no known rule.
    Unknown,
}

/// The relation between the addresses of a load, a store or an atomic, and the number of bytes that
/// a thread accesses; `None` for any other instruction.
pub fn neighbours(answers: &Answers, user: Value) -> Option<(Neighbours, u64)> {
    let function = answers.function();
    let (address, bytes) = match function.kind(user).unguarded() {
        Kind::Load(access, address) | Kind::Store(access, address, _) => {
            (*address, u64::from(access.width.bytes()))
        }
        Kind::Atomic(_, _, operands) => (*operands.first()?, 4),
        _ => return None,
    };
    let convergence = answers.convergence(Condition::Rows);
    let fact = convergence.used(user, address);
    let found = match fact {
        _ if fact.agreement(Condition::Rows) >= Scope::Warp => Neighbours::Same,
        Fact::Form(form) if form.low => Neighbours::Uneven,
        // The quotient of a period of whole warps is one value in each.
        Fact::Form(form) if form.period != 1 => match form.near {
            Coefficient::Constant(step) if form.period.is_multiple_of(WARP) => {
                Neighbours::Apart(step)
            }
            Coefficient::Constant(step) if form.period < WARP && form.terms[0].is_zero() => {
                Neighbours::Repeated(step, form.period)
            }
            _ => Neighbours::Uneven,
        },
        Fact::Form(form) => match form.terms[0] {
            Coefficient::Constant(step) => Neighbours::Apart(step),
            step => Neighbours::ApartBy(distance(function, step)),
        },
        _ => Neighbours::Unknown,
    };
    Some((found, bytes))
}

/// The unit that a warp's accesses are counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    /// Lines that a warp touches.
    Lines,
    /// Passes over the banks of shared memory.
    Passes,
}

/// Describes the addresses of a load, a store or an atomic in a warp of 32 threads that lies in one
/// row, by lines or, for shared memory, by passes over its banks; `None` for any other instruction.
pub fn pattern(answers: &Answers, user: Value) -> Option<String> {
    let (neighbours, bytes) = neighbours(answers, user)?;
    let unit = match answers.function().kind(user).unguarded() {
        Kind::Load(access, _) | Kind::Store(access, ..) if access.space == Space::Shared => {
            Unit::Passes
        }
        Kind::Atomic(_, Space::Shared, _) => Unit::Passes,
        _ => Unit::Lines,
    };
    let most = match unit {
        Unit::Lines => format!("a warp touches up to {WARP} lines"),
        Unit::Passes => format!("an access of a warp takes up to {WARP} passes over {BANKS} banks"),
    };
    Some(match neighbours {
        Neighbours::Same => {
            let one = if unit == Unit::Lines { "line" } else { "pass" };
            format!("all threads of a warp access one address, so one {one}")
        }
        Neighbours::Apart(step) if unit == Unit::Lines => {
            let more = if step.unsigned_abs() < LINE { ", or one more" } else { "" };
            let (step, lines) = (apart(step), counted(lines(step, bytes), "line"));
            format!("{step}, so a warp touches {lines} of {LINE} bytes{more}")
        }
        Neighbours::Repeated(step, period) if unit == Unit::Lines => {
            let lines = lines_of(step, bytes, period);
            let more = if step.unsigned_abs() < LINE { ", or one more" } else { "" };
            let (step, lines) = (repeated(step, period), counted(lines, "line"));
            format!("{step}, so a warp touches {lines} of {LINE} bytes{more}")
        }
        Neighbours::Repeated(step, period) => {
            let (passes, _) = passes(step, bytes, period);
            let (step, passes) = (repeated(step, period), counted(passes, "pass"));
            format!("{step}, so an access of a warp takes {passes} over {BANKS} banks")
        }
        Neighbours::Apart(step) => {
            let (passes, least) = passes(step, bytes, WARP);
            let conflicts = match passes == least {
                true => ", without conflicts".to_owned(),
                false => format!(" instead of {least}: several of its words lie in one bank"),
            };
            let (step, passes) = (apart(step), counted(passes, "pass"));
            format!("{step}, so an access of a warp takes {passes} over {BANKS} banks{conflicts}")
        }
        Neighbours::ApartBy(distance) => {
            let distance = distance.unwrap_or_else(|| "an unknown number of".to_owned());
            format!("neighbouring threads are {distance} bytes apart, so {most}")
        }
        Neighbours::Uneven => format!("neighbouring threads are not all equally far apart: {most}"),
        Neighbours::Unknown => {
            format!("no rule for neighbouring threads' addresses is known: {most}")
        }
    })
}

/// The distance between neighbouring threads, as text.
fn apart(step: i64) -> String {
    match step {
        1 | -1 => format!("neighbouring threads are {step} byte apart"),
        _ => format!("neighbouring threads are {step} bytes apart"),
    }
}

/// The distance between neighbouring threads whose addresses repeat, as text.
fn repeated(step: i64, period: u32) -> String {
    format!("{}, and the addresses repeat after {}", apart(step), counted(period.into(), "thread"))
}

/// The number of lines that the accesses of a warp touch if the first starts one.
fn lines(step: i64, bytes: u64) -> u64 {
    lines_of(step, bytes, WARP)
}

/// The same for so many threads.
fn lines_of(step: i64, bytes: u64, threads: u32) -> u64 {
    let step = step.unsigned_abs();
    match step {
        LINE.. => u64::from(threads),
        _ => ((u64::from(threads) - 1) * step + bytes).div_ceil(LINE),
    }
}

/// The number of passes over the banks that an access of a warp takes if its first address starts
/// the first bank, and the number that its width needs. That one has a pass for each stretch of
/// threads that could access all banks at once. Addresses repeat after `period` threads.
fn passes(step: i64, bytes: u64, period: u32) -> (u64, u64) {
    let words = bytes.div_ceil(BANK_BYTES).max(1);
    let threads = (BANKS / words).max(1);
    let least = u64::from(WARP).div_ceil(threads);
    let mut all = 0;
    for first in (0..u64::from(WARP)).step_by(threads as usize) {
        let mut of_bank: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
        for thread in first..(first + threads).min(WARP.into()) {
            let place = thread % u64::from(period.max(1));
            let start = step.unsigned_abs().wrapping_mul(place) / BANK_BYTES;
            for word in start..start.saturating_add(words) {
                of_bank.entry(word % BANKS).or_default().insert(word);
            }
        }
        all += of_bank.values().map(|words| words.len() as u64).max().unwrap_or(1);
    }
    (all, least)
}

/// A coefficient in terms of the source; `None` if it has no name there.
fn distance(function: &Function, step: Coefficient) -> Option<String> {
    match step {
        Coefficient::Constant(step) => Some(step.to_string()),
        Coefficient::Scaled(symbol, 1) => name(function, symbol),
        Coefficient::Scaled(symbol, factor) => {
            Some(format!("{factor}·{}", name(function, symbol)?))
        }
        Coefficient::Opaque(_) => None,
    }
}

/// The source's name for a symbol.
fn name(function: &Function, symbol: Symbol) -> Option<String> {
    Some(match symbol {
        Symbol::Special(Special::NtidX) => "blockDim.x".to_owned(),
        Symbol::Special(Special::NtidY) => "blockDim.y".to_owned(),
        Symbol::Special(Special::NtidZ) => "blockDim.z".to_owned(),
        Symbol::Special(special) => special.name().to_owned(),
        Symbol::Layer => "blockDim.x·blockDim.y".to_owned(),
        Symbol::Parameter(offset) => parameter(function, offset),
        Symbol::Value(value) => function.instruction(value).variable.as_ref()?.to_string(),
    })
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
    use crate::ir::parse::parse;

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
    fn passes_follow_from_step_and_width() {
        assert_eq!(
            [4, 8, 128, 132, 0, 1, 256].map(|step| passes(step, 4, 32)).map(|it| it.0),
            [1, 2, 32, 1, 1, 1, 32]
        );
        // A double takes two passes and a vector of four floats four, without conflicts.
        assert_eq!(passes(8, 8, 32), (2, 2));
        assert_eq!(passes(16, 16, 32), (4, 4));
        assert_eq!(passes(16, 8, 32), (4, 2));
        assert_eq!(passes(i64::MIN, 4, 32), (2, 1));
        // Four rows of eight threads read the same eight words.
        assert_eq!([4, 128].map(|step| passes(step, 4, 8).0), [1, 8]);
    }

    #[test]
    fn addresses_of_a_lane_are_evenly_apart() {
        let masked = |mask: u32| {
            said(&format!("  %6 = const.b32 {mask}\n  %7 = and.b32 %0, %6\n  %8 = mul.i32 %7, %3"))
        };
        let evenly = "neighbouring threads are 4 bytes apart, so a warp touches 1 line of 128 bytes, or one more";
        assert_eq!([31, 63].map(masked), [evenly; 2]);
        assert_eq!(
            masked(7),
            "neighbouring threads are 4 bytes apart, and the addresses repeat after 8 threads, so a warp touches 1 line of 128 bytes, or one more"
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
