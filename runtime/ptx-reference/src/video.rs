//! Video instructions, on selected bytes and halves of words.

use crate::form::{Compute, Form, Words, ty};
use crate::integer::{clamped, exact};
use reconverge_ptx::tree::{Instruction, Kind, Operand, Type};

/// The form of a video instruction; `None` if there is none of that name.
pub fn form(instruction: &Instruction, words: &mut Words) -> Option<Result<Form, String>> {
    let mnemonic = &*instruction.mnemonic.text;
    let known =
        ["vadd", "vsub", "vavrg", "vabsdiff", "vmin", "vmax", "vset", "vshl", "vshr", "vmad"];
    let (name, parts) = match mnemonic.as_bytes().last()? {
        b'2' => (&mnemonic[..mnemonic.len() - 1], 2),
        b'4' => (&mnemonic[..mnemonic.len() - 1], 4),
        _ => (mnemonic, 1),
    };
    let name = known.into_iter().find(|it| *it == name)?;
    Some(match (name, parts) {
        ("vmad", 1) => multiply_add(instruction, words),
        (_, 1) => scalar(name, instruction, words),
        _ => parts_of(name, parts, instruction, words),
    })
}

/// Returns true for mnemonics whose operands may have selectors.
pub fn selects(mnemonic: &str) -> bool {
    mnemonic.starts_with('v') && mnemonic != "vote"
}

fn selector(instruction: &Instruction, at: usize) -> Option<String> {
    instruction.operands.get(at)?.selector().map(str::to_owned)
}

fn is_negated(instruction: &Instruction, at: usize) -> bool {
    instruction.operands.get(at).is_some_and(Operand::is_negated)
}

/// The first bit and the number of bits that `b0` to `b3`, `h0` and `h1` name.
fn place(selector: &Option<String>) -> (u32, u32) {
    let Some(text) = selector else {
        return (0, 32);
    };
    let bits = if text.starts_with('b') { 8 } else { 16 };
    let number = text.chars().nth(1).and_then(|it| it.to_digit(10)).unwrap_or(0);
    (number * bits, bits)
}

/// A type of so many bits.
fn of_bits(signed: bool, bits: u32) -> Type {
    ty(match (signed, bits) {
        (true, 8) => "s8",
        (true, 16) => "s16",
        (true, _) => "s32",
        (false, 8) => "u8",
        (false, 16) => "u16",
        (false, _) => "u32",
    })
}

fn is_signed(of: Type) -> bool {
    of.kind == Kind::Signed
}

fn compare(word: &str, a: i128, b: i128) -> bool {
    match word {
        "eq" => a == b,
        "ne" => a != b,
        "lt" => a < b,
        "le" => a <= b,
        "gt" => a > b,
        _ => a >= b,
    }
}

/// Replaces bits of a word.
fn merged(word: u64, value: u64, from: u32, bits: u32) -> u64 {
    let mask = ((1_u64 << bits) - 1) << from;
    word & !mask | value << from & mask
}

/// The primary operation.
fn operation(
    name: &'static str,
    words: &mut Words,
) -> Result<Box<dyn Fn(i128, i128) -> i128 + Send + Sync>, String> {
    let test = words.one_of(&["eq", "ne", "lt", "le", "gt", "ge"]);
    let (clamps, wraps) = (words.take("clamp"), words.take("wrap"));
    let shift = move |by: i128| if wraps { by & 31 } else { by.min(32) };
    Ok(match (name, test) {
        ("vset", Some(test)) => Box::new(move |a, b| compare(test, a, b).into()),
        ("vset", None) => return Err("a comparison such as `.eq` is missing".to_owned()),
        (_, Some(test)) => return Err(format!("`.{test}` has no meaning here")),
        ("vshl" | "vshr", _) if clamps == wraps => {
            return Err("one of `.clamp` and `.wrap` is needed".to_owned());
        }
        ("vshl", _) => Box::new(move |a, b| a << shift(b)),
        ("vshr", _) => Box::new(move |a, b| a >> shift(b)),
        ("vadd", _) => Box::new(|a, b| a + b),
        ("vsub", _) => Box::new(|a, b| a - b),
        // Halves round away from zero.
        ("vavrg", _) => Box::new(|a, b| (a + b + i128::from(a + b >= 0)) >> 1),
        ("vabsdiff", _) => Box::new(|a, b| (a - b).abs()),
        ("vmin", _) => Box::new(|a, b| a.min(b)),
        _ => Box::new(|a, b| a.max(b)),
    })
}

fn scalar(
    name: &'static str,
    instruction: &Instruction,
    words: &mut Words,
) -> Result<Form, String> {
    let saturates = words.take("sat");
    let second = words.one_of(&["add", "min", "max"]);
    let primary = operation(name, words)?;
    let result = if name == "vset" { ty("u32") } else { words.ty()? };
    let (a, b) = (words.ty()?, words.ty()?);
    let merges = selector(instruction, 0);
    let places = [1, 2].map(|at| place(&selector(instruction, at)));
    let has_third = instruction.operands.len() > 3;
    if has_third != (merges.is_some() || second.is_some()) {
        return Err(
            "a third source goes with a selected destination or a second operation".to_owned()
        );
    }
    let (from, bits) = place(&merges);
    let compute: Compute = Box::new(move |s, _| {
        let part = |at: usize, of: Type| {
            let (from, bits) = places[at];
            exact(s[at] >> from, of_bits(is_signed(of), bits))
        };
        let mut value = primary(part(0, a), part(1, b));
        if saturates {
            let limit = of_bits(is_signed(result), bits);
            value = exact(clamped(value, limit), limit);
        }
        let Some(&third) = s.get(2) else {
            return [value as u64, 0];
        };
        let c = exact(third, result);
        let value = match second {
            Some("add") => (value + c) as u64,
            Some("min") => value.min(c) as u64,
            Some(_) => value.max(c) as u64,
            None => merged(third, value as u64, from, bits),
        };
        [value, 0]
    });
    let mut sources = vec![a, b];
    sources.extend(has_third.then_some(result));
    Ok(Form { compute, results: vec![result], sources })
}

fn multiply_add(instruction: &Instruction, words: &mut Words) -> Result<Form, String> {
    let (saturates, plus_one) = (words.take("sat"), words.take("po"));
    let shift = match words.one_of(&["shr7", "shr15"]) {
        Some("shr7") => 7,
        Some(_) => 15,
        None => 0,
    };
    let (result, a, b) = (words.ty()?, words.ty()?, words.ty()?);
    let places = [1, 2].map(|at| place(&selector(instruction, at)));
    let minus = is_negated(instruction, 1) != is_negated(instruction, 2);
    let minus_c = is_negated(instruction, 3);
    let signed = is_signed(a) || is_signed(b) || minus || minus_c;
    let compute: Compute = Box::new(move |s, _| {
        let part = |at: usize, of: Type| {
            let (from, bits) = places[at];
            exact(s[at] >> from, of_bits(is_signed(of), bits))
        };
        let product = part(0, a) * part(1, b);
        let c = exact(s[2], of_bits(signed, 32));
        let sum = if minus { -product } else { product } + if minus_c { -c } else { c };
        let value = (sum + i128::from(plus_one)) >> shift;
        [if saturates { clamped(value, of_bits(signed, 32)) } else { value as u64 }, 0]
    });
    Ok(Form { compute, results: vec![result], sources: vec![a, b, result] })
}

fn parts_of(
    name: &'static str,
    parts: u32,
    instruction: &Instruction,
    words: &mut Words,
) -> Result<Form, String> {
    let (saturates, adds) = (words.take("sat"), words.take("add"));
    let primary = operation(name, words)?;
    let result = if name == "vset" { ty("u32") } else { words.ty()? };
    let (a, b) = (words.ty()?, words.ty()?);
    let width = 32 / parts;
    // The digits of a selector, the last for part 0.
    let digits = |at: usize, usual: u32| -> Vec<u32> {
        match selector(instruction, at) {
            Some(text) => text
                .chars()
                .skip(1)
                .filter_map(|it| it.to_digit(10))
                .collect::<Vec<_>>()
                .into_iter()
                .rev()
                .collect(),
            None => (usual..usual + parts).collect(),
        }
    };
    let (mask, first, second) = (digits(0, 0), digits(1, 0), digits(2, parts));
    let limit = of_bits(is_signed(result), width);
    let compute: Compute = Box::new(move |s, _| {
        let joined = s[0] & 0xffff_ffff | s[1] << 32;
        let part = |at: u32, of: Type| exact(joined >> (at * width), of_bits(is_signed(of), width));
        let mut found = s[2];
        for at in 0..parts {
            if !mask.contains(&at) {
                continue;
            }
            let value = primary(part(first[at as usize], a), part(second[at as usize], b));
            let value = if saturates { clamped(value, limit) } else { value as u64 };
            let as_word = if saturates { exact(value, limit) as u64 } else { value };
            found = match adds {
                true => found.wrapping_add(as_word),
                false => merged(found, value, at * width, width),
            };
        }
        [found, 0]
    });
    Ok(Form { compute, results: vec![result], sources: vec![a, b, result] })
}
