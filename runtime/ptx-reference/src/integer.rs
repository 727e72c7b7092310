//! Integer arithmetic and logic.

use crate::form::{Compute, Form, Words, scalar, ty};
use reconverge_ptx::tree::{Kind, Type};

/// The integer of the low `bits` bits.
pub fn signed(value: u64, bits: u32) -> i64 {
    ((value << (64 - bits)) as i64) >> (64 - bits)
}

/// The low `bits` bits.
pub fn masked(value: u64, bits: u32) -> u64 {
    value & (u64::MAX >> (64 - bits))
}

/// The value of an integer type, exactly.
pub fn exact(value: u64, of: Type) -> i128 {
    let bits = u32::from(of.bits);
    match of.kind {
        Kind::Signed => signed(value, bits).into(),
        _ => masked(value, bits).into(),
    }
}

/// The nearest value of an integer type.
pub fn clamped(value: i128, to: Type) -> u64 {
    let bits = u32::from(to.bits);
    let (least, most) = match to.kind {
        Kind::Signed => (-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1),
        _ => (0, (1_i128 << bits) - 1),
    };
    masked(value.clamp(least, most) as u64, bits)
}

/// The form of an instruction on integers or bits; `None` if this file has none of that name.
pub fn form(mnemonic: &str, words: &mut Words) -> Option<Result<Form, String>> {
    Some(match mnemonic {
        "add" | "sub" | "addc" | "subc" => sum(mnemonic, words),
        "mul" | "mad" | "madc" => product(mnemonic, words),
        "mul24" | "mad24" => product24(mnemonic, words),
        "sad" => {
            let of = words.ty();
            of.map(|of| {
                let difference =
                    move |s: &[u64]| (exact(s[0], of) - exact(s[1], of)).unsigned_abs();
                scalar(of, 3, move |s| s[2].wrapping_add(difference(s) as u64))
            })
        }
        "div" | "rem" => division(mnemonic == "div", words),
        "abs" | "neg" => sign(mnemonic == "abs", words),
        "min" | "max" => extreme(mnemonic == "max", words),
        "popc" | "clz" | "bfind" => count(mnemonic, words),
        "brev" => words.ty().map(|of| {
            let bits = u32::from(of.bits);
            scalar(of, 1, move |s| masked(s[0], bits).reverse_bits() >> (64 - bits))
        }),
        "bfe" => words.ty().map(extract),
        "bfi" => words.ty().map(insert),
        "fns" => words.ty().map(find_nth),
        "bmsk" => bit_mask(words),
        "szext" => extend(words),
        "dp4a" | "dp2a" => dot(mnemonic == "dp4a", words),
        "and" | "or" | "xor" | "not" | "cnot" => logic(mnemonic, words),
        "lop3" => lookup(words),
        "shl" | "shr" => shift(mnemonic == "shl", words),
        "shf" => funnel(words),
        "prmt" => permute(words),
        _ => return None,
    })
}

/// Applies a function to both halves of words.
pub fn halves(of: Type, sources: usize, f: impl Fn(&[u64]) -> u64 + Send + Sync + 'static) -> Form {
    scalar(of, sources, move |s| {
        let half = |by: u32| {
            let parts: Vec<u64> = s.iter().map(|value| value >> by & 0xffff).collect();
            (f(&parts) & 0xffff) << by
        };
        half(0) | half(16)
    })
}

/// The type of one half of a packed type of integers.
fn half_of(of: Type) -> Type {
    ty(if of.kind == Kind::SignedPair { "s16" } else { "u16" })
}

fn is_pair(of: Type) -> bool {
    matches!(of.kind, Kind::SignedPair | Kind::UnsignedPair)
}

fn sum(mnemonic: &str, words: &mut Words) -> Result<Form, String> {
    let (carries_out, saturates) = (words.take("cc"), words.take("sat"));
    let of = words.ty()?;
    let carries_in = mnemonic.ends_with('c');
    let subtracts = mnemonic.starts_with("sub");
    if is_pair(of) {
        return Ok(halves(of, 2, move |s| match subtracts {
            true => s[0].wrapping_sub(s[1]),
            false => s[0].wrapping_add(s[1]),
        }));
    }
    let bits = u32::from(of.bits);
    let compute: Compute = Box::new(move |s, carry| {
        let (a, b) = (u128::from(masked(s[0], bits)), u128::from(masked(s[1], bits)));
        if saturates {
            let (a, b) = (exact(s[0], of), exact(s[1], of));
            return [clamped(if subtracts { a - b } else { a + b }, of), 0];
        }
        let extra = u128::from(carries_in && *carry);
        // The carry flag of a subtraction is its borrow.
        let wide = match subtracts {
            true => a.wrapping_sub(b).wrapping_sub(extra),
            false => a + b + extra,
        };
        if carries_out {
            *carry = wide >> bits & 1 != 0;
        }
        [wide as u64, 0]
    });
    Ok(Form { compute, results: vec![of], sources: vec![of; 2] })
}

fn product(mnemonic: &str, words: &mut Words) -> Result<Form, String> {
    let (high, low, wide) = (words.take("hi"), words.take("lo"), words.take("wide"));
    let (carries_out, saturates) = (words.take("cc"), words.take("sat"));
    let of = words.ty()?;
    if u8::from(high) + u8::from(low) + u8::from(wide) != 1 {
        return Err("one of `.hi`, `.lo` and `.wide` is needed".to_owned());
    }
    let adds = mnemonic != "mul";
    let carries_in = mnemonic == "madc";
    let bits = u32::from(of.bits);
    let result = match (wide, of.kind, bits) {
        (false, ..) => of,
        (true, Kind::Signed, 16) => ty("s32"),
        (true, Kind::Signed, _) => ty("s64"),
        (true, _, 16) => ty("u32"),
        (true, ..) => ty("u64"),
    };
    let compute: Compute = Box::new(move |s, carry| {
        let product = exact(s[0], of).wrapping_mul(exact(s[1], of));
        let part = if high { product >> bits } else { product };
        if !adds {
            return [part as u64, 0];
        }
        if saturates {
            let part = exact(part as u64, of);
            return [clamped(part + exact(s[2], of), of), 0];
        }
        let width = u32::from(result.bits);
        let sum = u128::from(masked(part as u64, width))
            + u128::from(masked(s[2], width))
            + u128::from(carries_in && *carry);
        if carries_out {
            *carry = sum >> width & 1 != 0;
        }
        [sum as u64, 0]
    });
    let mut sources = vec![of; 2];
    if adds {
        sources.push(result);
    }
    Ok(Form { compute, results: vec![result], sources })
}

fn product24(mnemonic: &str, words: &mut Words) -> Result<Form, String> {
    let (high, low, saturates) = (words.take("hi"), words.take("lo"), words.take("sat"));
    let of = words.ty()?;
    if high == low {
        return Err("one of `.hi` and `.lo` is needed".to_owned());
    }
    let adds = mnemonic == "mad24";
    let short = move |value: u64| match of.kind {
        Kind::Signed => i128::from(signed(value, 24)),
        _ => i128::from(masked(value, 24)),
    };
    Ok(scalar(of, if adds { 3 } else { 2 }, move |s| {
        let product = short(s[0]) * short(s[1]);
        let part = if high { product >> 16 } else { product };
        match (adds, saturates) {
            (false, _) => part as u64,
            (true, true) => clamped(exact(part as u64, of) + exact(s[2], of), of),
            (true, false) => (part as u64).wrapping_add(s[2]),
        }
    }))
}

fn division(quotient: bool, words: &mut Words) -> Result<Form, String> {
    let of = words.ty()?;
    Ok(scalar(of, 2, move |s| {
        let (a, b) = (exact(s[0], of), exact(s[1], of));
        match (b, quotient) {
            // A division by zero sets all bits; its remainder is the dividend.
            (0, true) => u64::MAX,
            (0, false) => a as u64,
            (_, true) => (a / b) as u64,
            (_, false) => (a % b) as u64,
        }
    }))
}

fn sign(absolute: bool, words: &mut Words) -> Result<Form, String> {
    let of = words.ty()?;
    Ok(scalar(of, 1, move |s| {
        let value = exact(s[0], of);
        (if absolute { value.abs() } else { -value }) as u64
    }))
}

fn extreme(greater: bool, words: &mut Words) -> Result<Form, String> {
    let relu = words.take("relu");
    let of = words.ty()?;
    let choose = move |s: &[u64], of: Type| {
        let (a, b) = (exact(s[0], of), exact(s[1], of));
        let chosen = if greater { a.max(b) } else { a.min(b) };
        (if relu { chosen.max(0) } else { chosen }) as u64
    };
    Ok(match is_pair(of) {
        true => halves(of, 2, move |s| choose(s, half_of(of))),
        false => scalar(of, 2, move |s| choose(s, of)),
    })
}

fn count(mnemonic: &str, words: &mut Words) -> Result<Form, String> {
    let shift_amount = words.take("shiftamt");
    let of = words.ty()?;
    let bits = u32::from(of.bits);
    let leading = move |value: u64| masked(value, bits).leading_zeros() - (64 - bits);
    let f: fn(u64, u32) -> u32 = match mnemonic {
        "popc" => |value, _| value.count_ones(),
        _ => |_, leading| leading,
    };
    let finds = mnemonic == "bfind";
    let compute: Compute = Box::new(move |s, _| {
        let value = masked(s[0], bits);
        let flips = finds && of.kind == Kind::Signed && signed(value, bits) < 0;
        let value = if flips { masked(!value, bits) } else { value };
        let leading = leading(value);
        let found = match (finds, leading == bits) {
            (false, _) => f(value, leading),
            (true, true) => u32::MAX,
            (true, false) if shift_amount => leading,
            (true, false) => bits - 1 - leading,
        };
        [found.into(), 0]
    });
    Ok(Form { compute, results: vec![ty("u32")], sources: vec![of] })
}

fn extract(of: Type) -> Form {
    let bits = u32::from(of.bits);
    let compute: Compute = Box::new(move |s, _| {
        let (position, length) = (s[1] as u32 & 0xff, s[2] as u32 & 0xff);
        let bit = |at: u32| s[0] >> at & 1;
        let fill = match of.kind {
            Kind::Signed if length > 0 => bit((position + length - 1).min(bits - 1)),
            _ => 0,
        };
        let of_bit = |at: u32| match at < length && position + at < bits {
            true => bit(position + at),
            false => fill,
        };
        [(0..bits).map(|at| of_bit(at) << at).sum(), 0]
    });
    Form { compute, results: vec![of], sources: vec![of, ty("u32"), ty("u32")] }
}

fn insert(of: Type) -> Form {
    let bits = u32::from(of.bits);
    let compute: Compute = Box::new(move |s, _| {
        let (position, length) = (s[2] as u32 & 0xff, s[3] as u32 & 0xff);
        let mut result = s[1];
        for at in (0..length).take_while(|at| position + at < bits) {
            let place = position + at;
            result = result & !(1 << place) | (s[0] >> at & 1) << place;
        }
        [result, 0]
    });
    Form { compute, results: vec![of], sources: vec![of, of, ty("u32"), ty("u32")] }
}

fn find_nth(of: Type) -> Form {
    let compute: Compute = Box::new(move |s, _| {
        let (mask, base, offset) = (s[0] as u32, s[1] as u32, s[2] as u32 as i32);
        let step = if offset < 0 { -1 } else { 1 };
        let mut left = offset.unsigned_abs().saturating_sub(1);
        let mut at = i64::from(base);
        while (0..32).contains(&at) {
            if mask >> at & 1 != 0 {
                if left == 0 {
                    return [at as u64, 0];
                }
                left -= 1;
            }
            if offset == 0 {
                break;
            }
            at += step;
        }
        [u32::MAX.into(), 0]
    });
    Form { compute, results: vec![of], sources: vec![of, ty("u32"), ty("s32")] }
}

/// The number of bits that `.clamp` and `.wrap` make of a number.
fn mode(words: &mut Words) -> Result<fn(u64) -> u32, String> {
    match (words.take("clamp"), words.take("wrap")) {
        (true, false) => Ok(|value| (value as u32).min(32)),
        (false, true) => Ok(|value| value as u32 & 31),
        _ => Err("one of `.clamp` and `.wrap` is needed".to_owned()),
    }
}

fn bit_mask(words: &mut Words) -> Result<Form, String> {
    let mode = mode(words)?;
    let of = words.ty()?;
    Ok(scalar(of, 2, move |s| {
        let (start, width) = (mode(s[0]), mode(s[1]));
        ((1_u64 << width) - 1) << start & 0xffff_ffff
    }))
}

fn extend(words: &mut Words) -> Result<Form, String> {
    let mode = mode(words)?;
    let of = words.ty()?;
    let compute: Compute = Box::new(move |s, _| {
        let value = match (mode(s[1]), of.kind) {
            (0, _) => 0,
            (bits, Kind::Signed) => signed(s[0], bits) as u64,
            (bits, _) => masked(s[0], bits),
        };
        [value, 0]
    });
    Ok(Form { compute, results: vec![of], sources: vec![of, ty("u32")] })
}

fn dot(of_bytes: bool, words: &mut Words) -> Result<Form, String> {
    let high = words.take("hi");
    let low = words.take("lo");
    if !of_bytes && high == low {
        return Err("one of `.lo` and `.hi` is needed".to_owned());
    }
    let (a, b) = (words.ty()?, words.ty()?);
    let is_signed = [a, b].iter().any(|of| of.kind == Kind::Signed);
    let result = ty(if is_signed { "s32" } else { "u32" });
    let part = |value: u64, at: u32, bits: u32, of: Type| match of.kind {
        Kind::Signed => signed(value >> (at * bits), bits),
        _ => masked(value >> (at * bits), bits) as i64,
    };
    let compute: Compute = Box::new(move |s, _| {
        let terms = match of_bytes {
            true => (0..4).map(|at| part(s[0], at, 8, a) * part(s[1], at, 8, b)).sum::<i64>(),
            false => {
                let first = if high { 2 } else { 0 };
                (0..2).map(|at| part(s[0], at, 16, a) * part(s[1], first + at, 8, b)).sum()
            }
        };
        [(terms as u64).wrapping_add(s[2]), 0]
    });
    Ok(Form { compute, results: vec![result], sources: vec![a, b, result] })
}

fn logic(mnemonic: &str, words: &mut Words) -> Result<Form, String> {
    let of = words.ty()?;
    let bits = u32::from(of.bits);
    Ok(match mnemonic {
        "and" => scalar(of, 2, |s| s[0] & s[1]),
        "or" => scalar(of, 2, |s| s[0] | s[1]),
        "xor" => scalar(of, 2, |s| s[0] ^ s[1]),
        "not" => scalar(of, 1, |s| !s[0]),
        _ => scalar(of, 1, move |s| (masked(s[0], bits) == 0).into()),
    })
}

fn lookup(words: &mut Words) -> Result<Form, String> {
    let joins = words.take("or");
    let meets = words.take("and");
    let of = words.ty()?;
    let table = move |s: &[u64]| {
        let chosen = |at: u64| {
            let pick = |value: u64, bit: u64| if at & bit != 0 { value } else { !value };
            pick(s[0], 4) & pick(s[1], 2) & pick(s[2], 1)
        };
        (0..8).filter(|at| s[3] >> at & 1 != 0).fold(0, |all, at| all | chosen(at))
    };
    let mut sources = vec![of, of, of, ty("u32")];
    let mut results = vec![of];
    if joins || meets {
        sources.push(ty("pred"));
        results.push(ty("pred"));
    }
    let compute: Compute = Box::new(move |s, _| {
        let value = table(s) & 0xffff_ffff;
        let other = s.get(4).is_some_and(|&it| it != 0);
        let truth = if joins { value != 0 || other } else { value != 0 && other };
        [value, truth.into()]
    });
    Ok(Form { compute, results, sources })
}

fn shift(left: bool, words: &mut Words) -> Result<Form, String> {
    let of = words.ty()?;
    let bits = u32::from(of.bits);
    let compute: Compute = Box::new(move |s, _| {
        let by = (s[1] as u32).min(bits);
        let value = match (left, of.kind) {
            (true, _) => u128::from(s[0]) << by,
            (false, Kind::Signed) => (i128::from(signed(s[0], bits)) >> by) as u128,
            (false, _) => u128::from(masked(s[0], bits)) >> by,
        };
        [value as u64, 0]
    });
    Ok(Form { compute, results: vec![of], sources: vec![of, ty("u32")] })
}

fn funnel(words: &mut Words) -> Result<Form, String> {
    let (left, right) = (words.take("l"), words.take("r"));
    if left == right {
        return Err("one of `.l` and `.r` is needed".to_owned());
    }
    let mode = mode(words)?;
    let of = words.ty()?;
    Ok(scalar(of, 3, move |s| {
        let joined = masked(s[1], 32) << 32 | masked(s[0], 32);
        let by = mode(s[2]);
        if left { ((u128::from(joined) << by) >> 32) as u64 } else { joined >> by }
    }))
}

fn permute(words: &mut Words) -> Result<Form, String> {
    let modes = ["f4e", "b4e", "rc8", "ecl", "ecr", "rc16"];
    let of = words.ty()?;
    let mode = modes.into_iter().find(|mode| words.take(mode));
    Ok(scalar(of, 3, move |s| {
        let joined = masked(s[1], 32) << 32 | masked(s[0], 32);
        let chosen = s[2] & 3;
        // The byte, and true where its sign is repeated instead.
        let select = |at: u64| match mode {
            None => (s[2] >> (4 * at) & 7, s[2] >> (4 * at + 3) & 1 != 0),
            Some("f4e") => (chosen + at, false),
            Some("b4e") => ((chosen + 8 - at) & 7, false),
            Some("rc8") => (chosen, false),
            Some("ecl") => (chosen.max(at), false),
            Some("ecr") => (chosen.min(at), false),
            _ => ((chosen & 1) * 2 + (at & 1), false),
        };
        let byte = |at: u64| {
            let (from, repeats) = select(at);
            let byte = joined >> (8 * from) & 0xff;
            if repeats { if byte & 0x80 != 0 { 0xff } else { 0 } } else { byte }
        };
        (0..4).map(|at| byte(at) << (8 * at)).sum()
    }))
}
