//! Floating-point instructions.

use crate::float::{self, BRAIN, DOUBLE, Format, HALF, Rounding, SINGLE};
use crate::form::{Compute, Form, Words, scalar, ty};
use reconverge_ptx::tree::{Kind, Type};

/// The format of a type, or of each half of a packed one.
pub fn format(of: Type) -> Format {
    match (of.kind, of.bits) {
        (Kind::Brain | Kind::BrainPair, _) => BRAIN,
        (Kind::FloatPair, _) | (Kind::Float, 16) => HALF,
        (Kind::Float, 64) => DOUBLE,
        _ => SINGLE,
    }
}

fn is_pair(of: Type) -> bool {
    matches!(of.kind, Kind::FloatPair | Kind::BrainPair)
}

/// Takes a direction of rounding of floats.
pub fn rounding(words: &mut Words) -> Option<Rounding> {
    let word = words.one_of(&["rn", "rna", "rz", "rm", "rp"])?;
    Some(match word {
        "rn" => Rounding::Nearest,
        "rna" => Rounding::NearestAway,
        "rz" => Rounding::Zero,
        "rm" => Rounding::Down,
        _ => Rounding::Up,
    })
}

/// What is done to operands and to the result of an operation.
#[derive(Clone, Copy, Debug)]
pub struct Around {
    /// `.ftz`
    pub flush: bool,
    /// `.sat`: to the range from 0 to 1; NaN becomes 0.
    pub saturate: bool,
    /// `.relu`: negative results become 0.
    pub relu: bool,
}

impl Around {
    /// Takes the words.
    pub fn take(words: &mut Words) -> Around {
        Around { flush: words.take("ftz"), saturate: words.take("sat"), relu: words.take("relu") }
    }

    /// The same of one type of a conversion: `.ftz` is about `.f32` alone.
    pub fn of(self, ty: Type) -> Around {
        Around { flush: self.flush && ty.name == "f32", ..self }
    }

    fn before(self, format: Format, bits: u64) -> u64 {
        if self.flush { format.flushed(bits) } else { bits }
    }

    /// Finishes a result.
    pub fn after(self, format: Format, bits: u64) -> u64 {
        let bits = self.before(format, bits);
        let is_nan = format.is_nan(bits);
        if self.relu && !is_nan && format.is_negative(bits) {
            return 0;
        }
        if !self.saturate {
            return bits;
        }
        let one = float::of_integer(1, format, Rounding::Nearest);
        match is_nan || format.is_negative(bits) {
            true => 0,
            false if bits > one => one,
            false => bits,
        }
    }
}

/// A form on one format, or on both halves of a packed type.
fn lanes(
    of: Type,
    sources: usize,
    around: Around,
    f: impl Fn(&[u64]) -> u64 + Send + Sync + 'static,
) -> Form {
    let format = format(of);
    let lane = move |s: &[u64]| {
        let mut inputs = [0; 3];
        for (input, &bits) in inputs.iter_mut().zip(s) {
            *input = around.before(format, bits);
        }
        around.after(format, f(&inputs[..s.len()]))
    };
    match is_pair(of) {
        true => crate::integer::halves(of, sources, lane),
        false => scalar(of, sources, lane),
    }
}

/// The form of an instruction on floats; `None` if this file has none of that name.
pub fn form(mnemonic: &str, words: &mut Words) -> Option<Result<Form, String>> {
    Some(match mnemonic {
        "add" | "sub" | "mul" => arithmetic(mnemonic, words),
        "fma" | "mad" => multiply_add(words),
        "div" => division(words),
        "rcp" | "sqrt" | "rsqrt" | "sin" | "cos" | "lg2" | "ex2" | "tanh" => {
            function(mnemonic, words)
        }
        "abs" | "neg" => sign(mnemonic == "abs", words),
        "min" | "max" => extreme(mnemonic == "max", words),
        "copysign" => words.ty().map(|of| {
            let format = format(of);
            scalar(of, 2, move |s| {
                let sign = format.is_negative(s[0]);
                let bits = format.absolute(s[1]);
                if sign { format.negated(bits) } else { bits }
            })
        }),
        "testp" => test(words),
        _ => return None,
    })
}

fn arithmetic(mnemonic: &str, words: &mut Words) -> Result<Form, String> {
    let rounding = rounding(words).unwrap_or(Rounding::Nearest);
    let around = Around::take(words);
    let of = words.ty()?;
    let format = format(of);
    Ok(match mnemonic {
        "add" => lanes(of, 2, around, move |s| format.add(s[0], s[1], rounding)),
        "sub" => lanes(of, 2, around, move |s| {
            let minus = if format.is_nan(s[1]) { s[1] } else { format.negated(s[1]) };
            format.add(s[0], minus, rounding)
        }),
        _ => lanes(of, 2, around, move |s| format.multiply(s[0], s[1], rounding)),
    })
}

fn multiply_add(words: &mut Words) -> Result<Form, String> {
    let rounding = rounding(words).unwrap_or(Rounding::Nearest);
    let around = Around::take(words);
    let of = words.ty()?;
    let format = format(of);
    Ok(lanes(of, 3, around, move |s| format.multiply_add(s[0], s[1], s[2], rounding)))
}

fn division(words: &mut Words) -> Result<Form, String> {
    // Approximations are the exact quotient, rounded.
    words.skip(|word| matches!(word, "approx" | "full"));
    let rounding = rounding(words).unwrap_or(Rounding::Nearest);
    let around = Around::take(words);
    let of = words.ty()?;
    let format = format(of);
    Ok(lanes(of, 2, around, move |s| format.divide(s[0], s[1], rounding)))
}

/// A function of `libm` on the values of a format.
fn by_library(
    format: Format,
    bits: u64,
    of_single: fn(f32) -> f32,
    of_double: fn(f64) -> f64,
) -> u64 {
    let result = match format {
        DOUBLE => (of_double(f64::from_bits(bits)).to_bits(), DOUBLE),
        SINGLE => (of_single(f32::from_bits(bits as u32)).to_bits().into(), SINGLE),
        _ => {
            let wide = float::convert(bits, format, SINGLE, Rounding::Nearest);
            (of_single(f32::from_bits(wide as u32)).to_bits().into(), SINGLE)
        }
    };
    float::convert(result.0, result.1, format, Rounding::Nearest)
}

fn function(mnemonic: &str, words: &mut Words) -> Result<Form, String> {
    let is_rough = words.take("approx");
    let rounding = rounding(words).unwrap_or(Rounding::Nearest);
    let around = Around::take(words);
    let of = words.ty()?;
    let format = format(of);
    // Hardware computes the upper half of a double's reciprocal, and of that of its root.
    let kept = if is_rough && around.flush && format == DOUBLE { !0 << 32 } else { !0 };
    let one = float::of_integer(1, format, Rounding::Nearest);
    let library = |of_single: fn(f32) -> f32, of_double: fn(f64) -> f64| {
        lanes(of, 1, around, move |s| by_library(format, s[0], of_single, of_double))
    };
    Ok(match mnemonic {
        "rcp" => lanes(of, 1, around, move |s| format.divide(one, s[0], rounding) & kept),
        "sqrt" => lanes(of, 1, around, move |s| format.root(s[0], rounding)),
        "rsqrt" => lanes(of, 1, around, move |s| {
            format.divide(one, format.root(s[0], Rounding::Nearest), Rounding::Nearest) & kept
        }),
        "sin" => library(libm::sinf, libm::sin),
        "cos" => library(libm::cosf, libm::cos),
        "lg2" => library(libm::log2f, libm::log2),
        "ex2" => library(libm::exp2f, libm::exp2),
        _ => library(libm::tanhf, libm::tanh),
    })
}

fn sign(absolute: bool, words: &mut Words) -> Result<Form, String> {
    let around = Around::take(words);
    let of = words.ty()?;
    let format = format(of);
    Ok(lanes(of, 1, around, move |s| match absolute {
        true => format.absolute(s[0]),
        false => format.negated(s[0]),
    }))
}

fn extreme(greater: bool, words: &mut Words) -> Result<Form, String> {
    let (nan, signs, absolute) = (words.take("NaN"), words.take("xorsign"), words.take("abs"));
    let around = Around::take(words);
    let of = words.ty()?;
    if signs != absolute {
        return Err("`.xorsign` and `.abs` go together".to_owned());
    }
    let format = format(of);
    Ok(lanes(of, 2, around, move |s| {
        if !signs {
            return format.least_of(s[0], s[1], greater, nan);
        }
        let negative = format.is_negative(s[0]) != format.is_negative(s[1]);
        let chosen = format.least_of(format.absolute(s[0]), format.absolute(s[1]), greater, nan);
        if negative && !format.is_nan(chosen) { format.negated(chosen) } else { chosen }
    }))
}

fn test(words: &mut Words) -> Result<Form, String> {
    let tests = ["finite", "infinite", "number", "notanumber", "normal", "subnormal"];
    let test = words.one_of(&tests).ok_or("a test such as `.finite` is missing")?;
    let of = words.ty()?;
    let format = format(of);
    let compute: Compute = Box::new(move |s, _| {
        let is_nan = format.is_nan(s[0]);
        let is_infinite = format.number(s[0]) == float::Number::Infinite(format.is_negative(s[0]));
        let is_zero = format.absolute(s[0]) == 0;
        let is_subnormal = format.is_subnormal(s[0]);
        let holds = match test {
            "finite" => !is_nan && !is_infinite,
            "infinite" => is_infinite,
            "number" => !is_nan,
            "notanumber" => is_nan,
            "normal" => !is_nan && !is_infinite && !is_zero && !is_subnormal,
            _ => is_subnormal,
        };
        [holds.into(), 0]
    });
    Ok(Form { compute, results: vec![ty("pred")], sources: vec![of] })
}
