//! Comparisons and conversions.

use crate::eighth;
use crate::float::{self, Rounding};
use crate::floating::{Around, format, rounding};
use crate::form::{Compute, Form, Words, is_float, ty};
use crate::integer::{clamped, exact, masked, signed};
use reconverge_ptx::tree::{Kind, Type};
use std::cmp::Ordering;

/// A comparison of two values of a type.
type Compare = Box<dyn Fn(u64, u64) -> bool + Send + Sync>;

const COMPARISONS: [&str; 18] = [
    "eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ", "neu", "ltu", "leu", "gtu",
    "geu", "num", "nan",
];

/// The comparison that `word` names, for a type.
fn comparison(word: &'static str, of: Type, flush: bool) -> Result<Compare, String> {
    let by_order = |word: &str| -> Option<fn(Ordering) -> bool> {
        Some(match word {
            "eq" => Ordering::is_eq,
            "ne" => Ordering::is_ne,
            "lt" => Ordering::is_lt,
            "le" => Ordering::is_le,
            "gt" => Ordering::is_gt,
            "ge" => Ordering::is_ge,
            _ => return None,
        })
    };
    if !is_float(of) {
        let (word, of) = match word {
            "lo" => ("lt", ty("u64")),
            "ls" => ("le", ty("u64")),
            "hi" => ("gt", ty("u64")),
            "hs" => ("ge", ty("u64")),
            word => (word, of),
        };
        let holds = by_order(word).ok_or_else(|| format!("`.{word}` compares floats only"))?;
        return Ok(Box::new(move |a, b| holds(exact(a, of).cmp(&exact(b, of)))));
    }
    // `.ftz` is for single and half precision.
    let flush = flush && of.bits < 64;
    let format = format(of);
    let flushed = move |bits: u64| if flush { format.flushed(bits) } else { bits };
    let compare = move |a: u64, b: u64| format.compare(flushed(a), flushed(b));
    if word == "num" || word == "nan" {
        return Ok(Box::new(move |a, b| compare(a, b).is_some() == (word == "num")));
    }
    let (ordered, unordered) = match word.strip_suffix('u') {
        Some(ordered) => (ordered, true),
        None => (word, false),
    };
    let holds = by_order(ordered).ok_or_else(|| format!("`.{word}` compares integers only"))?;
    Ok(Box::new(move |a, b| compare(a, b).map_or(unordered, holds)))
}

/// `.and`, `.or`, `.xor` with a further predicate.
fn combine(word: Option<&'static str>, holds: bool, with: bool) -> bool {
    match word {
        Some("and") => holds && with,
        Some("or") => holds || with,
        Some("xor") => holds != with,
        _ => holds,
    }
}

fn is_pair(of: Type) -> bool {
    matches!(of.kind, Kind::FloatPair | Kind::BrainPair)
}

/// Takes the comparison and the operation that combines it.
fn words_of(words: &mut Words) -> Result<(&'static str, Option<&'static str>, bool), String> {
    let word = words.one_of(&COMPARISONS).ok_or("a comparison such as `.eq` is missing")?;
    Ok((word, words.one_of(&["and", "or", "xor"]), words.take("ftz")))
}

/// `set`.
pub fn set(words: &mut Words) -> Result<Form, String> {
    let (word, combining, flush) = words_of(words)?;
    let (result, of) = (words.ty()?, words.ty()?);
    let compare = comparison(word, of, flush)?;
    let one = if is_float(result) {
        float::of_integer(1, format(result), Rounding::Nearest)
    } else {
        u64::MAX
    };
    let pairs = is_pair(of);
    let compute: Compute = Box::new(move |s, _| {
        let with = s.get(2).is_some_and(|&it| it != 0);
        let of_bits = |a, b| if combine(combining, compare(a, b), with) { one } else { 0 };
        let half = |by: u32| masked(of_bits(s[0] >> by & 0xffff, s[1] >> by & 0xffff), 16) << by;
        [if pairs { half(0) | half(16) } else { of_bits(s[0], s[1]) }, 0]
    });
    let mut sources = vec![of; 2];
    sources.extend(combining.map(|_| ty("pred")));
    Ok(Form { compute, results: vec![result], sources })
}

/// `setp`; `combines` where the instruction has a fourth operand.
pub fn set_predicate(words: &mut Words, combines: bool) -> Result<Form, String> {
    let (word, combining, flush) = words_of(words)?;
    let of = words.ty()?;
    if combining.is_some() != combines {
        return Err("a predicate goes with `.and`, `.or` or `.xor`".to_owned());
    }
    let compare = comparison(word, of, flush)?;
    let pairs = is_pair(of);
    let compute: Compute = Box::new(move |s, _| {
        let with = s.get(2).is_some_and(|&it| it != 0);
        let of = |holds| u64::from(combine(combining, holds, with));
        if pairs {
            // The second result is that of the upper halves.
            return [0, 16].map(|by| of(compare(s[0] >> by & 0xffff, s[1] >> by & 0xffff)));
        }
        let holds = compare(s[0], s[1]);
        [of(holds), of(!holds)]
    });
    let mut sources = vec![of; 2];
    sources.extend(combining.map(|_| ty("pred")));
    Ok(Form { compute, results: vec![ty("pred"); 2], sources })
}

/// `slct`.
pub fn select_by_sign(words: &mut Words) -> Result<Form, String> {
    let flush = words.take("ftz");
    let (of, by) = (words.ty()?, words.ty()?);
    let compute: Compute = Box::new(move |s, _| {
        let first = match is_float(by) {
            true => {
                let format = format(by);
                let bits = if flush { format.flushed(s[2]) } else { s[2] };
                // Minus zero is not below zero; a NaN chooses the second one.
                format.compare(bits, 0).is_some_and(Ordering::is_ge)
            }
            false => signed(s[2], 32) >= 0,
        };
        [if first { s[0] } else { s[1] }, 0]
    });
    Ok(Form { compute, results: vec![of], sources: vec![of, of, by] })
}

/// Takes a direction of rounding to integers.
fn integral(words: &mut Words) -> Option<Rounding> {
    let word = words.one_of(&["rni", "rzi", "rmi", "rpi"])?;
    Some(match word {
        "rni" => Rounding::Nearest,
        "rzi" => Rounding::Zero,
        "rmi" => Rounding::Down,
        _ => Rounding::Up,
    })
}

/// `cvt`.
pub fn convert_form(words: &mut Words) -> Result<Form, String> {
    if words.take("pack") {
        return pack(words);
    }
    if words.next_type() == Some(ty("tf32")) {
        return tensor(words);
    }
    if words.next_type().is_some_and(|to| to.kind == Kind::Tensor) {
        return eighth::narrow_form(words);
    }
    let (integral, rounding) = (integral(words), rounding(words));
    let around = Around::take(words);
    let (to, from) = (words.ty()?, words.ty()?);
    if to.name == "f16x2" && from.kind == Kind::Tensor {
        return Ok(eighth::widen_form(to, from, around.relu));
    }
    for of in [to, from] {
        if matches!(of.kind, Kind::Tensor | Kind::Reference | Kind::Predicate) {
            return Err(format!("the reference model converts no `.{}`", of.name));
        }
    }
    if is_pair(to) {
        return Ok(packed(to, from, rounding.unwrap_or(Rounding::Nearest), around));
    }
    let compute: Compute = match (is_float(from), is_float(to)) {
        (false, false) => Box::new(move |s, _| {
            let value = exact(s[0], from);
            [if around.saturate { clamped(value, to) } else { value as u64 }, 0]
        }),
        (false, true) => Box::new(move |s, _| {
            let rounding = rounding.unwrap_or(Rounding::Nearest);
            let bits = float::of_integer(exact(s[0], from), format(to), rounding);
            [around.of(to).after(format(to), bits), 0]
        }),
        (true, false) => Box::new(move |s, _| {
            let format = format(from);
            let bits = if around.of(from).flush { format.flushed(s[0]) } else { s[0] };
            let rounding = integral.unwrap_or(Rounding::Zero);
            let is_signed = to.kind == Kind::Signed;
            [format.to_integer(bits, to.bits.into(), is_signed, rounding), 0]
        }),
        (true, true) => {
            Box::new(move |s, _| [between(s[0], from, to, integral, rounding, around), 0])
        }
    };
    Ok(Form { compute, results: vec![to], sources: vec![from] })
}

/// A single in the 19 bits of `.tf32`, above 13 zeroes.
fn tensor(words: &mut Words) -> Result<Form, String> {
    let rounding = match words.take("rna") {
        true => Rounding::NearestAway,
        false => rounding(words).unwrap_or(Rounding::Nearest),
    };
    let (limits, relu) = (words.take("satfinite"), words.take("relu"));
    let (_, from) = (words.ty()?, words.ty()?);
    let compute: Compute = Box::new(move |s, _| {
        let bits = float::convert(s[0], float::SINGLE, float::TENSOR, rounding);
        let bits = match bits {
            _ if bits == float::TENSOR.nan() => return [float::SINGLE.nan(), 0],
            // The infinities; below them are the largest values.
            0x3fc00 | 0x7fc00 if limits => bits - 1,
            _ => bits,
        };
        [if relu && float::TENSOR.is_negative(bits) { 0 } else { bits << 13 }, 0]
    });
    Ok(Form { compute, results: vec![ty("b32")], sources: vec![from] })
}

/// A float as one of another type, or rounded to an integral value.
fn between(
    bits: u64,
    from: Type,
    to: Type,
    integral: Option<Rounding>,
    rounding: Option<Rounding>,
    around: Around,
) -> u64 {
    let (source, target) = (format(from), format(to));
    let bits = if around.of(from).flush { source.flushed(bits) } else { bits };
    let around = around.of(to);
    if from == to && integral.is_none() && !around.saturate {
        return bits;
    }
    let bits = integral.map_or(bits, |rounding| source.integral(bits, rounding));
    let rounding = rounding.unwrap_or(Rounding::Nearest);
    around.after(target, float::convert(bits, source, target, rounding))
}

/// `cvt.pack`: two integers limited to a few bits, and bits of a third one above them.
fn pack(words: &mut Words) -> Result<Form, String> {
    words.take("sat");
    let to = words.one_of(&["u4", "s4", "u2", "s2"]);
    let (bits, is_signed) = match to {
        Some("u4") => (4, false),
        Some("s4") => (4, true),
        Some("u2") => (2, false),
        Some(_) => (2, true),
        None => {
            let of = words.ty()?;
            (u32::from(of.bits), of.kind == Kind::Signed)
        }
    };
    let from = words.ty()?;
    let (least, most) = match is_signed {
        true => (-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1),
        false => (0, (1_i128 << bits) - 1),
    };
    let mut sources = vec![from; 2];
    if bits < 16 {
        sources.push(words.ty()?);
    }
    let compute: Compute = Box::new(move |s, _| {
        let limited = |value: u64| masked(exact(value, from).clamp(least, most) as u64, bits);
        let above = s.get(2).map_or(0, |&rest| rest << (2 * bits));
        [above | limited(s[0]) << bits | limited(s[1]), 0]
    });
    Ok(Form { compute, results: vec![ty("u32")], sources })
}

/// `cvt.rn.f16x2.f32 d, a, b`: `a` comes to the upper half.
fn packed(to: Type, from: Type, rounding: Rounding, around: Around) -> Form {
    let compute: Compute = Box::new(move |s, _| {
        let half = |bits: u64| between(bits, from, to, None, Some(rounding), around);
        [masked(half(s[0]), 16) << 16 | masked(half(s[1]), 16), 0]
    });
    Form { compute, results: vec![to], sources: vec![from; 2] }
}
