//! Values of a setting: lists with ranges, `16K..128K*2`, `1..8`, `0..12+4`.

use anyhow::{Result, anyhow, bail, ensure};

/// More values than that are a mistake.
const MOST: usize = 4096;

/// The parts of a text at its commas.
pub fn split(text: &str) -> Vec<String> {
    text.split(',').map(|value| value.trim().to_owned()).collect()
}

/// The values with ranges written out; each value occurs once.
///
/// A range is `FIRST..LAST`, both included, with `*FACTOR` or `+STEP` (default 1) after it; its
/// numbers may end with `K`, `M` or `G`, times 1024, 1024² or 1024³. A text with a slash is a path.
///
/// # Errors
/// An empty value, an invalid range, or a repeated value.
pub fn expand(texts: &[String]) -> Result<Vec<String>> {
    let mut values: Vec<String> = Vec::new();
    for text in texts {
        ensure!(!text.is_empty(), "a value is empty");
        for value in range(text)?.unwrap_or_else(|| vec![text.clone()]) {
            ensure!(!values.contains(&value), "`{value}` is there twice");
            values.push(value);
        }
    }
    ensure!(!values.is_empty(), "there is no value");
    Ok(values)
}

fn range(text: &str) -> Result<Option<Vec<String>>> {
    // A path may begin with `..`.
    let is_path = text.contains(['/', '\\']);
    let Some((first, rest)) = text.split_once("..").filter(|_| !is_path) else {
        // A size, or anything else.
        return Ok(number(text)
            .filter(|_| text.ends_with(['K', 'M', 'G']))
            .map(|n| vec![n.to_string()]));
    };
    let not_one = || {
        anyhow!("`{text}` is no range; write FIRST..LAST, FIRST..LAST+STEP or FIRST..LAST*FACTOR")
    };
    let (last, step) = match (rest.split_once('*'), rest.split_once('+')) {
        (Some((last, factor)), _) => (last, Step::Times(number(factor).ok_or_else(not_one)?)),
        (None, Some((last, step))) => (last, Step::Plus(number(step).ok_or_else(not_one)?)),
        (None, None) => (rest, Step::Plus(1)),
    };
    let (first, last) = (number(first).ok_or_else(not_one)?, number(last).ok_or_else(not_one)?);
    ensure!(first <= last, "`{text}` ends before it begins");
    let mut values = Vec::new();
    let mut at = Some(first);
    while let Some(value) = at.filter(|&value| value <= last) {
        values.push(value.to_string());
        if values.len() > MOST {
            bail!("`{text}` has more than {MOST} values");
        }
        at = step.after(value);
        ensure!(at.is_none_or(|next| next > value), not_one());
    }
    Ok(Some(values))
}

/// From one value of a range to the next.
enum Step {
    Plus(u64),
    Times(u64),
}

impl Step {
    fn after(&self, value: u64) -> Option<u64> {
        match self {
            Step::Plus(step) => value.checked_add(*step),
            Step::Times(factor) => value.checked_mul(*factor),
        }
    }
}

fn number(text: &str) -> Option<u64> {
    let (digits, unit) = match text.trim() {
        text if text.ends_with('K') => (&text[..text.len() - 1], 1 << 10),
        text if text.ends_with('M') => (&text[..text.len() - 1], 1 << 20),
        text if text.ends_with('G') => (&text[..text.len() - 1], 1 << 30),
        text => (text, 1),
    };
    digits.parse::<u64>().ok()?.checked_mul(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Result<Vec<String>> {
        expand(&split(text))
    }

    #[test]
    fn ranges() {
        let of = |text| values(text).expect("good").join(" ");
        assert_eq!(of("a, b"), "a b");
        assert_eq!(of("1..4"), "1 2 3 4");
        assert_eq!(of("16K..128K*2"), "16384 32768 65536 131072");
        assert_eq!(of("0..12+4,64"), "0 4 8 12 64");
        assert_eq!(of("48K"), "49152");
        assert_eq!(of("-O1,0.5"), "-O1 0.5");
        assert_eq!(of("../a.toml,b/../c"), "../a.toml b/../c");
    }

    #[test]
    fn faults() {
        let fault = |text| values(text).expect_err("bad").to_string();
        assert!(fault("4..1").contains("ends before"));
        assert!(fault("1..8*1").contains("no range"));
        assert!(fault("a..b").contains("no range"));
        assert!(fault("1,1").contains("twice"));
        assert!(fault("0..9*2").contains("no range"));
        assert!(fault("0..99999999").contains("more than"));
        assert!(fault("a,,b").contains("empty"));
    }
}
