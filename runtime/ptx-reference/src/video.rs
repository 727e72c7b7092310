//! Video instructions on two or four parts of a word.

use crate::form::{Compute, Form, Words, ty};
use crate::integer::{clamped, exact};
use reconverge_ptx::tree::{Kind, Type};

/// The form of a video instruction; `None` if there is none of that name.
pub fn form(mnemonic: &str, words: &mut Words) -> Option<Result<Form, String>> {
    let (name, parts) = match mnemonic.strip_suffix('2') {
        Some(name) => (name, 2),
        None => (mnemonic.strip_suffix('4')?, 4),
    };
    let known = ["vadd", "vsub", "vavrg", "vabsdiff", "vmin", "vmax"];
    known.contains(&name).then(|| parts_of(name, parts, words))
}

fn parts_of(name: &str, parts: u32, words: &mut Words) -> Result<Form, String> {
    let (saturates, adds) = (words.take("sat"), words.take("add"));
    let (result, a, b) = (words.ty()?, words.ty()?, words.ty()?);
    let part_type = |of: Type| match (of.kind, parts) {
        (Kind::Signed, 2) => ty("s16"),
        (Kind::Signed, _) => ty("s8"),
        (_, 2) => ty("u16"),
        _ => ty("u8"),
    };
    let (to, a_part, b_part) = (part_type(result), part_type(a), part_type(b));
    let f: fn(i128, i128) -> i128 = match name {
        "vadd" => |a, b| a + b,
        "vsub" => |a, b| a - b,
        // The average rounds away from zero.
        "vavrg" => |a, b| (a + b + i128::from(a + b >= 0)) >> 1,
        "vabsdiff" => |a, b| (a - b).abs(),
        "vmin" => |a, b| a.min(b),
        _ => |a, b| a.max(b),
    };
    let width = 32 / parts;
    let compute: Compute = Box::new(move |s, _| {
        let mut joined = 0;
        let mut sum = s[2];
        for at in 0..parts {
            let part = |value: u64, of: Type| exact(value >> (at * width), of);
            let value = f(part(s[0], a_part), part(s[1], b_part));
            let cut = if saturates { clamped(value, to) } else { value as u64 };
            joined |= (cut & ((1 << width) - 1)) << (at * width);
            sum = sum.wrapping_add(exact(cut, to) as u64);
        }
        [if adds { sum } else { joined }, 0]
    });
    Ok(Form { compute, results: vec![result], sources: vec![a, b, result] })
}
