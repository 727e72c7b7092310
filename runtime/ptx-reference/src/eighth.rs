//! Conversions to and from pairs of floats of eight bits: by the table of all values.

use crate::float::{self, HALF, Rounding, SINGLE};
use crate::form::{Compute, Form, Words, ty};
use crate::product::eighth;
use reconverge_ptx::tree::Type;

/// The values from zero up to the largest finite one, by their bits.
fn values(of: &str) -> Vec<f64> {
    (0..0x80).map(|bits| eighth(bits, of)).take_while(|value| value.is_finite()).collect()
}

/// The bits of the value nearest to a float; of two that are as near, the even one.
fn nearest(values: &[f64], value: f32) -> u64 {
    if value.is_nan() {
        return 0x7f;
    }
    let magnitude = f64::from(value.abs());
    // Middles are exact: values have few bits.
    let below = values.windows(2).enumerate().take_while(|(low, pair)| {
        let middle = (pair[0] + pair[1]) / 2.0;
        magnitude > middle || magnitude == middle && low % 2 == 1
    });
    below.count() as u64 | if value.is_sign_negative() { 0x80 } else { 0 }
}

/// `cvt` to a pair.
pub fn narrow_form(words: &mut Words) -> Result<Form, String> {
    words.skip(|word| ["rn", "satfinite"].contains(&word));
    let relu = words.take("relu");
    let (to, from) = (words.ty()?, words.ty()?);
    let values = values(&to.name[..4]);
    let byte = move |value: f32| match nearest(&values, value) {
        0x80.. if relu => 0,
        bits => bits,
    };
    let compute: Compute = match from.name {
        "f32" => Box::new(move |s, _| {
            let [high, low] = [s[0], s[1]].map(|bits| byte(f32::from_bits(bits as u32)));
            [high << 8 | low, 0]
        }),
        _ => Box::new(move |s, _| {
            let [high, low] = [s[0] >> 16, s[0] & 0xffff].map(|half| {
                let single = float::convert(half & 0xffff, HALF, SINGLE, Rounding::Nearest);
                byte(f32::from_bits(single as u32))
            });
            [high << 8 | low, 0]
        }),
    };
    let sources = vec![from; if from.name == "f32" { 2 } else { 1 }];
    Ok(Form { compute, results: vec![ty("b16")], sources })
}

/// `cvt` from a pair.
pub fn widen_form(to: Type, from: Type, relu: bool) -> Form {
    let compute: Compute = Box::new(move |s, _| {
        let half = |bits: u64| {
            let value = eighth(bits & 0xff, &from.name[..4]);
            let double = value.to_bits();
            let half = float::convert(double, float::DOUBLE, HALF, Rounding::Nearest);
            if relu && !value.is_nan() && value.is_sign_negative() { 0 } else { half }
        };
        [half(s[0] >> 8) << 16 | half(s[0]), 0]
    });
    Form { compute, results: vec![to], sources: vec![from] }
}
