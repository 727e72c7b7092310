//! Programs of `printf`: flags, widths, precisions, lengths and conversions with values at the edges.

use crate::generate::Random;
use std::fmt::Write;

pub fn program(random: &mut Random, body: &mut String) {
    for _ in 0..12 {
        let line = match random.below(4) {
            0 | 1 => integer(random),
            2 => float(random),
            _ => text(random),
        };
        body.push_str(&line);
    }
}

fn flags(random: &mut Random, from: &str) -> String {
    from.chars().filter(|_| random.chance(25)).collect()
}

/// Width and precision, as numbers or as arguments.
fn sizes(random: &mut Random, precision: bool) -> (String, String) {
    let (mut text, mut arguments) = (String::new(), String::new());
    if random.chance(50) {
        let width = random.below(20) as i64;
        if random.chance(25) {
            text += "*";
            let _ = write!(arguments, "{}, ", if random.chance(30) { -width } else { width });
        } else if width > 0 {
            let _ = write!(text, "{width}");
        }
    }
    if precision && random.chance(50) {
        let digits = random.below(15);
        match random.below(5) {
            0 => text += ".",
            1 => {
                text += ".*";
                let _ = write!(arguments, "{}, ", digits as i64 - 3);
            }
            _ => {
                let _ = write!(text, ".{digits}");
            }
        }
    }
    (text, arguments)
}

fn line(format: &str, arguments: &str, value: &str) -> String {
    format!("printf(\"[{format}]\\n\", {arguments}{value});\n")
}

fn integer(random: &mut Random) -> String {
    let conversion = random.pick(&["d", "i", "u", "x", "X", "o"]);
    let signed = matches!(conversion, "d" | "i");
    let flags = flags(
        random,
        if signed {
            "-+ 0"
        } else if conversion == "u" {
            "-0"
        } else {
            "-0#"
        },
    );
    let length = random.pick(&["", "", "hh", "h", "l", "ll", "z"]);
    let (sizes, arguments) = sizes(random, true);
    let bits = match random.below(4) {
        0 => 0,
        1 => u64::MAX >> random.below(64),
        2 => 1 << random.below(64),
        _ => random.draw() >> random.below(64),
    };
    let value = match (length, signed) {
        ("l", true) => format!("(long){bits}ull"),
        ("l", false) => format!("(unsigned long){bits}ull"),
        ("ll", true) => format!("(long long){bits}ull"),
        ("ll", false) => format!("{bits}ull"),
        ("z", true) => format!("(ptrdiff_t){bits}ull"),
        ("z", false) => format!("(size_t){bits}ull"),
        (_, true) => format!("(int){}u", bits as u32),
        (_, false) => format!("{}u", bits as u32),
    };
    line(&format!("%{flags}{sizes}{length}{conversion}"), &arguments, &value)
}

fn float(random: &mut Random) -> String {
    let conversion = random.pick(&["f", "F", "e", "E", "g", "G", "a", "A"]);
    let flags = flags(random, "-+ 0#");
    let (sizes, arguments) = sizes(random, true);
    let digits = random.draw() % 1_000_000_007;
    let exponent = random.below(40) as i64 - 20;
    let sign = if random.chance(40) { "-" } else { "" };
    let value = match random.below(12) {
        0 => "0.0".to_owned(),
        1 => "0.5".to_owned(),
        2 => "9.9999999995".to_owned(),
        3 => "1e308 * 10".to_owned(),
        4 => "5e-324".to_owned(),
        5 => format!("{}.5", random.below(100)),
        6 => format!("(double){digits}e{exponent}f"),
        7 => format!("{digits}e{}", exponent * 14),
        _ => format!("{digits}e{exponent}"),
    };
    line(&format!("%{flags}{sizes}{conversion}"), &arguments, &format!("{sign}{value}"))
}

fn text(random: &mut Random) -> String {
    let flags = flags(random, "-");
    if random.chance(40) {
        let (sizes, arguments) = sizes(random, false);
        let value = 33 + random.below(90);
        return line(&format!("%{flags}{sizes}c%%"), &arguments, &value.to_string());
    }
    let (sizes, arguments) = sizes(random, true);
    let value =
        random.pick(&["\"\"", "\"a\"", "\"some words\"", "\"tab\\there\"", "\"\\x41\\102\""]);
    line(&format!("%{flags}{sizes}s"), &arguments, value)
}
