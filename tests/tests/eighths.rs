//! Conversions of floats of eight bits, against a table of all values worked out from the format's definition: every half, and
//! floats at and beside every middle.

use reconverge::execute::ModelName::{self, Functional, Reference, Timing};
use reconverge::{CompileOptions, Dim, Module, Target};

/// Threads of a block.
const THREADS: usize = 128;

/// The value of bits of a format, as the Open Compute Project's specification defines it.
fn value(format: &str, bits: u32) -> f64 {
    let (fraction_bits, bias) = if format == "e4m3" { (3, 7) } else { (2, 15) };
    let (exponent, fraction) =
        (bits >> fraction_bits & (0x7f >> fraction_bits), bits & ((1 << fraction_bits) - 1));
    let sign = if bits & 0x80 != 0 { -1.0 } else { 1.0 };
    let steps = f64::from(fraction) / f64::from(1 << fraction_bits);
    let power = |exponent: i32| 2f64.powi(exponent - bias);
    match (format, exponent, fraction) {
        ("e4m3", 15, 7) => f64::NAN,
        ("e5m2", 31, 0) => sign * f64::INFINITY,
        ("e5m2", 31, _) => f64::NAN,
        (_, 0, _) => sign * steps * power(1),
        _ => sign * (1.0 + steps) * power(exponent as i32),
    }
}

/// The bits that are nearest to a value: of all finite ones, and the even one of two.
fn nearest(format: &str, number: f64, relu: bool) -> u32 {
    if number.is_nan() {
        return 0x7f;
    }
    if relu && number.is_sign_negative() {
        return 0;
    }
    let magnitude = number.abs().min(1e9);
    let finite = (0..0x80).filter(|&bits| value(format, bits).is_finite());
    let distance = |bits: u32| (value(format, bits) - magnitude).abs();
    let best = finite.min_by(|&one, &other| {
        distance(one).total_cmp(&distance(other)).then((one % 2).cmp(&(other % 2)))
    });
    best.unwrap() | if number.is_sign_negative() { 0x80 } else { 0 }
}

/// The value of a half.
fn half(bits: u32) -> f64 {
    let (exponent, fraction) = (bits >> 10 & 31, f64::from(bits & 0x3ff));
    let sign = if bits & 0x8000 != 0 { -1.0 } else { 1.0 };
    match exponent {
        0 => sign * fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => sign * f64::INFINITY,
        31 => f64::NAN,
        _ => sign * (1.0 + fraction / 1024.0) * 2f64.powi(exponent as i32 - 15),
    }
}

/// Runs an instruction on the words of each thread: its sources are `%a` and `%b`, or `%h`, the lower half of `%a`. Its
/// result is `%r`, or `%d`, of 16 bits.
fn run(instruction: &str, input: &[[u32; 2]], model: ModelName) -> Vec<u32> {
    let text = format!(
        ".version 8.6\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u64 q) {{\n\
         .reg .b64 %in, %out; .reg .b32 %t, %n, %c, %r; .reg .f32 %x, %y; .reg .b32 %a, %b; .reg .b16 %d, %h, %g;\n\
         ld.param.u64 %in, [p]; ld.param.u64 %out, [q]; mov.u32 %t, %tid.x; mov.u32 %n, %ntid.x; mov.u32 %c, %ctaid.x;\n\
         mad.lo.u32 %t, %c, %n, %t; mad.wide.u32 %in, %t, 8, %in; mad.wide.u32 %out, %t, 4, %out;\n\
         ld.global.v2.b32 {{%a, %b}}, [%in]; mov.b32 %x, %a; mov.b32 %y, %b; mov.b32 {{%h, %g}}, %a;\n\
         mov.b16 %d, 0; mov.b32 %r, 0;\n{instruction}\n\
         st.global.b32 [%out], %r;\nret;\n}}\n"
    );
    let module = Module::from_ptx(&text, &CompileOptions::default()).unwrap();
    let mut gpu = module.load(&Target::new("h100").unwrap().model(model)).unwrap();
    let from = gpu.buffer(input.as_flattened()).unwrap();
    let to = gpu.zeros::<u32>(input.len()).unwrap();
    let parameters = [from.address(), to.address()].map(u64::to_le_bytes).concat();
    let grid = Dim([(input.len() / THREADS) as u32, 1, 1]);
    gpu.launch_bytes("k", grid, Dim([THREADS as u32, 1, 1]), 0, &parameters).unwrap();
    gpu.read(&to)
}

const FORMATS: [&str; 2] = ["e4m3", "e5m2"];
const RELU: [(&str, bool); 2] = [("", false), (".relu", true)];

#[test]
fn every_half_goes_to_the_nearest() {
    let input: Vec<[u32; 2]> = (0..0x8000).map(|at| [(2 * at) | ((2 * at + 1) << 16), 0]).collect();
    for format in FORMATS {
        let tables = RELU.map(|(_, relu)| {
            (0..0x1_0000).map(|bits| nearest(format, half(bits), relu)).collect::<Vec<u32>>()
        });
        for ((relu, _), table) in RELU.iter().zip(&tables) {
            let instruction =
                format!("cvt.rn.satfinite{relu}.{format}x2.f16x2 %d, %a; cvt.u32.u16 %r, %d;");
            for model in [Reference, Functional, Timing] {
                let found = run(&instruction, &input, model);
                for (at, &pair) in found.iter().enumerate() {
                    let wanted = table[2 * at] | table[2 * at + 1] << 8;
                    assert_eq!(pair, wanted, "{model:?} {instruction} {:#x}", 2 * at);
                }
            }
        }
    }
}

#[test]
fn every_pair_of_values_is_a_pair_of_halves() {
    let input: Vec<[u32; 2]> = (0..0x1_0000).map(|pair| [pair, 0]).collect();
    for format in FORMATS {
        for (relu, limits) in RELU {
            let instruction = format!("cvt.rn{relu}.f16x2.{format}x2 %r, %h;");
            for model in [Reference, Functional] {
                let found = run(&instruction, &input, model);
                for (pair, &halves) in (0..).zip(&found) {
                    for (byte, result) in
                        [(pair & 0xff, halves & 0xffff), (pair >> 8, halves >> 16)]
                    {
                        let number = value(format, byte);
                        let right = match number {
                            _ if number.is_nan() => result == 0x7fff,
                            _ if limits && number.is_sign_negative() => result == 0,
                            _ => half(result).to_bits() == number.to_bits(),
                        };
                        assert!(right, "{model:?} {instruction} {byte:#x}: {result:#x}");
                    }
                }
            }
        }
    }
}

/// Two floats at a time: every value, every middle, their neighbours, and the ends of the format of floats.
#[test]
fn floats_go_to_the_nearest() {
    for format in FORMATS {
        let mut floats = vec![
            0.0,
            f32::MIN_POSITIVE,
            1e-45,
            f32::MAX,
            f32::INFINITY,
            f32::NAN,
            448.1,
            464.0,
            465.0,
            61440.0,
        ];
        for bits in 0..0x7e {
            let (low, high) = (value(format, bits), value(format, bits + 1));
            if high.is_finite() {
                for number in [low, (low + high) / 2.0, high] {
                    let bits = (number as f32).to_bits();
                    floats.extend([bits.saturating_sub(1), bits, bits + 1].map(f32::from_bits));
                }
            }
        }
        let signed = floats.iter().flat_map(|&float| [float, -float]);
        let mut words: Vec<u32> = signed.map(f32::to_bits).collect();
        words.resize(words.len().next_multiple_of(THREADS), 0);
        let pairs = words.iter().zip(words.iter().rev());
        let input: Vec<[u32; 2]> = pairs.map(|(&one, &other)| [one, other]).collect();
        for (relu, limits) in RELU {
            let instruction =
                format!("cvt.rn.satfinite{relu}.{format}x2.f32 %d, %x, %y; cvt.u32.u16 %r, %d;");
            for model in [Reference, Functional, Timing] {
                let found = run(&instruction, &input, model);
                for (pair, &[one, other]) in found.iter().zip(&input) {
                    let [high, low] = [one, other]
                        .map(|bits| nearest(format, f32::from_bits(bits).into(), limits));
                    assert_eq!(
                        *pair,
                        high << 8 | low,
                        "{model:?} {instruction} {one:#x} {other:#x}"
                    );
                }
            }
        }
    }
}

/// `.tf32` without infinities, and without negative values.
#[test]
fn tf32_can_be_limited() {
    let words = [
        0x7f7f_ffffu32,
        0x7f80_0000,
        0xff80_0000,
        0xff7f_f000,
        0x7fc0_0000,
        0xffc0_0000,
        0xbf80_0001,
        0x3f80_0001,
        0x8000_0000,
        1,
    ];
    let input: Vec<[u32; 2]> = (0..THREADS).map(|at| [words[at % words.len()], 0]).collect();
    let (most, nan) = (0x7f7f_e000u32, 0x7fff_ffff);
    let least = most | 0x8000_0000;
    for (modifiers, wanted) in [
        (
            "rna.satfinite",
            [most, most, least, least, nan, nan, 0xbf80_0000, 0x3f80_0000, 0x8000_0000, 0],
        ),
        ("rn.satfinite.relu", [most, most, 0, 0, nan, nan, 0, 0x3f80_0000, 0, 0]),
        ("rn.relu", [0x7f80_0000, 0x7f80_0000, 0, 0, nan, nan, 0, 0x3f80_0000, 0, 0]),
        (
            "rz.satfinite",
            [most, most, least, least, nan, nan, 0xbf80_0000, 0x3f80_0000, 0x8000_0000, 0],
        ),
    ] {
        for model in [Reference, Functional] {
            let found = run(&format!("cvt.{modifiers}.tf32.f32 %r, %x;"), &input, model);
            assert_eq!(found[..words.len()], wanted, "{model:?} {modifiers}");
        }
    }
}
