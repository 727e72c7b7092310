//! The built-in functions on words: bits, bytes, halves.

use crate::memory::{
    CONSTANT_BASE, CONSTANT_SIZE, DEVICE_BASE, HOST_BASE, LOCAL_BASE, SHARED_BASE, WINDOW,
};
use reconverge_compiler::check::builtin::Builtin;

/// The value of such a built-in.
pub fn word(builtin: Builtin, a: u64, b: u64, c: u64) -> Option<u64> {
    use Builtin::*;
    let (x, y) = (a as i64, b as i64);
    let wide = (b as u32 as u64) << 32 | a as u32 as u64;
    let (count, most) = (c as u32 % 32, (c as u32).min(32));
    let value = match builtin {
        // Slots keep their sign, so that nothing overflows.
        HaddI | HaddU => (x + y) >> 1,
        RhaddI | RhaddU => (x + y + 1) >> 1,
        SadI | SadU => ((x - y).abs() + c as i64) as u32 as i64,
        BrevL => return Some(a.reverse_bits()),
        BytePerm => return Some(permuted(wide, c)),
        FunnelL => ((wide << count) >> 32) as i64,
        FunnelLc => (((wide as u128) << most) >> 32) as u32 as i64,
        FunnelR => (wide >> count) as u32 as i64,
        FunnelRc => (wide >> most) as u32 as i64,
        Fns => find_nth(a as u32, b as u32, c as i32).into(),
        Dp4aI => {
            sum(4, |n| i64::from(byte(a, n) as i8) * i64::from(byte(b, n) as i8), c) as i32 as i64
        }
        Dp4aU => sum(4, |n| i64::from(byte(a, n)) * i64::from(byte(b, n)), c) as u32 as i64,
        Dp2aLoI | Dp2aHiI => {
            let first = if builtin == Dp2aHiI { 2 } else { 0 };
            let half = |n: u32| (a >> (16 * n)) as i16 as i64;
            sum(2, |n| half(n) * i64::from(byte(b, first + n) as i8), c) as i32 as i64
        }
        Dp2aLoU | Dp2aHiU => {
            let first = if builtin == Dp2aHiU { 2 } else { 0 };
            let half = |n: u32| (a >> (16 * n)) as u16 as i64;
            sum(2, |n| half(n) * i64::from(byte(b, first + n)), c) as u32 as i64
        }
        IsGlobal => (DEVICE_BASE..HOST_BASE).contains(&(a as u32)).into(),
        IsShared => (SHARED_BASE..SHARED_BASE + WINDOW).contains(&(a as u32)).into(),
        IsLocal => (LOCAL_BASE..LOCAL_BASE + WINDOW).contains(&(a as u32)).into(),
        IsConstant => (CONSTANT_BASE..CONSTANT_BASE + CONSTANT_SIZE).contains(&(a as u32)).into(),
        GenericToSpace => return Some(a as u32 as u64),
        HiLoToDouble => return Some(a << 32 | b as u32 as u64),
        DoubleHigh => (a >> 32) as i32 as i64,
        DoubleLow => a as i32 as i64,
        _ => return simd(builtin, a as u32, b as u32).map(u64::from),
    };
    Some(value as u64)
}

fn byte(word: u64, number: u32) -> u8 {
    (word >> (8 * number)) as u8
}

fn sum(terms: u32, term: impl Fn(u32) -> i64, more: u64) -> i64 {
    (0..terms).map(term).sum::<i64>().wrapping_add(more as i64)
}

fn permuted(bytes: u64, selector: u64) -> u64 {
    let chosen = |n: u32| u64::from(byte(bytes, (selector >> (4 * n)) as u32 & 7)) << (8 * n);
    (0..4).map(chosen).sum()
}

/// As PTX describes `fns`.
fn find_nth(mask: u32, base: u32, n: i32) -> u32 {
    let is_one = |place: u32| mask >> place & 1 != 0;
    let nth = (n.unsigned_abs() as usize).wrapping_sub(1);
    let found = match n {
        _ if base > 31 => None,
        0 => Some(base).filter(|&place| is_one(place)),
        1.. => (base..32).filter(|&place| is_one(place)).nth(nth),
        _ => (0..=base).rev().filter(|&place| is_one(place)).nth(nth),
    };
    found.unwrap_or(u32::MAX)
}

/// Applies a function to the halves or bytes of words.
fn each(parts: u32, signed: bool, a: u32, b: u32, function: impl Fn(i64, i64) -> i64) -> [i64; 4] {
    let bits = 32 / parts;
    let part = |word: u32, number: u32| {
        let raised = word << (32 - bits * (number + 1));
        match signed {
            true => i64::from(raised as i32 >> (32 - bits)),
            false => i64::from(raised >> (32 - bits)),
        }
    };
    let mut results = [0; 4];
    for (number, result) in (0..parts).zip(&mut results) {
        *result = function(part(a, number), part(b, number));
    }
    results
}

fn simd(builtin: Builtin, a: u32, b: u32) -> Option<u32> {
    use Builtin::*;
    // The end of the name is the number of parts.
    let parts = if builtin.row().names.first()?.ends_with('4') { 4 } else { 2 };
    let bits = 32 / parts;
    let joined = |results: [i64; 4]| {
        let part = |(number, value): (usize, &i64)| {
            (*value as u32 & ((1 << bits) - 1)) << (number as u32 * bits)
        };
        results.iter().take(parts as usize).enumerate().map(part).sum()
    };
    let (most, most_unsigned) = ((1i64 << (bits - 1)) - 1, (1i64 << bits) - 1);
    let signed = |function: &dyn Fn(i64, i64) -> i64| joined(each(parts, true, a, b, function));
    let unsigned = |function: &dyn Fn(i64, i64) -> i64| joined(each(parts, false, a, b, function));
    let clamp = |value: i64| value.clamp(-most - 1, most);
    let clamp_unsigned = |value: i64| value.clamp(0, most_unsigned);
    let total = |signed| each(parts, signed, a, b, |x, y| (x - y).abs()).iter().sum::<i64>() as u32;
    Some(match builtin {
        VAbs2 | VAbs4 => signed(&|x, _| x.abs()),
        VAbsSs2 | VAbsSs4 => signed(&|x, _| clamp(x.abs())),
        VAbsDiffS2 | VAbsDiffS4 => signed(&|x, y| (x - y).abs()),
        VAbsDiffU2 | VAbsDiffU4 => unsigned(&|x, y| (x - y).abs()),
        VAdd2 | VAdd4 => unsigned(&|x, y| x + y),
        VAddSs2 | VAddSs4 => signed(&|x, y| clamp(x + y)),
        VAddUs2 | VAddUs4 => unsigned(&|x, y| clamp_unsigned(x + y)),
        VSub2 | VSub4 => unsigned(&|x, y| x - y),
        VSubSs2 | VSubSs4 => signed(&|x, y| clamp(x - y)),
        VSubUs2 | VSubUs4 => unsigned(&|x, y| clamp_unsigned(x - y)),
        VAvgS2 | VAvgS4 => {
            signed(&|x, y| if x + y < 0 { -((1 - x - y) / 2) } else { (x + y + 1) / 2 })
        }
        VAvgU2 | VAvgU4 => unsigned(&|x, y| (x + y + 1) / 2),
        VHaddU2 | VHaddU4 => unsigned(&|x, y| (x + y) / 2),
        VMaxS2 | VMaxS4 => signed(&|x, y| x.max(y)),
        VMaxU2 | VMaxU4 => unsigned(&|x, y| x.max(y)),
        VMinS2 | VMinS4 => signed(&|x, y| x.min(y)),
        VMinU2 | VMinU4 => unsigned(&|x, y| x.min(y)),
        VNeg2 | VNeg4 => signed(&|x, _| -x),
        VNegSs2 | VNegSs4 => signed(&|x, _| clamp(-x)),
        VSadS2 | VSadS4 => total(true),
        VSadU2 | VSadU4 => total(false),
        VCmpEq2 | VCmpEq4 => signed(&|x, y| -i64::from(x == y)),
        VSetEq2 | VSetEq4 => signed(&|x, y| i64::from(x == y)),
        VCmpNe2 | VCmpNe4 => signed(&|x, y| -i64::from(x != y)),
        VSetNe2 | VSetNe4 => signed(&|x, y| i64::from(x != y)),
        VCmpGeS2 | VCmpGeS4 => signed(&|x, y| -i64::from(x >= y)),
        VSetGeS2 | VSetGeS4 => signed(&|x, y| i64::from(x >= y)),
        VCmpGeU2 | VCmpGeU4 => unsigned(&|x, y| -i64::from(x >= y)),
        VSetGeU2 | VSetGeU4 => unsigned(&|x, y| i64::from(x >= y)),
        VCmpGtS2 | VCmpGtS4 => signed(&|x, y| -i64::from(x > y)),
        VSetGtS2 | VSetGtS4 => signed(&|x, y| i64::from(x > y)),
        VCmpGtU2 | VCmpGtU4 => unsigned(&|x, y| -i64::from(x > y)),
        VSetGtU2 | VSetGtU4 => unsigned(&|x, y| i64::from(x > y)),
        VCmpLeS2 | VCmpLeS4 => signed(&|x, y| -i64::from(x <= y)),
        VSetLeS2 | VSetLeS4 => signed(&|x, y| i64::from(x <= y)),
        VCmpLeU2 | VCmpLeU4 => unsigned(&|x, y| -i64::from(x <= y)),
        VSetLeU2 | VSetLeU4 => unsigned(&|x, y| i64::from(x <= y)),
        VCmpLtS2 | VCmpLtS4 => signed(&|x, y| -i64::from(x < y)),
        VSetLtS2 | VSetLtS4 => signed(&|x, y| i64::from(x < y)),
        VCmpLtU2 | VCmpLtU4 => unsigned(&|x, y| -i64::from(x < y)),
        VSetLtU2 | VSetLtU4 => unsigned(&|x, y| i64::from(x < y)),
        _ => return None,
    })
}
