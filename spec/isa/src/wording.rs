//! Numbers in messages. They are in this crate because all others write messages.

/// A count with its noun, singular or plural: `1 byte`, `2 bytes`, `3 launches`, `4 entries`.
pub fn counted(count: u64, noun: &str) -> String {
    format!("{count} {}", inflected(count, noun))
}

/// A count with groups of digits: `2,048 threads`.
pub fn counted_grouped(count: u64, noun: &str) -> String {
    format!("{} {}", grouped(count), inflected(count, noun))
}

/// A noun in the form after a count.
pub fn inflected(count: u64, noun: &str) -> String {
    if count == 1 {
        return noun.to_owned();
    }
    let hisses = ["s", "x", "ch", "sh"].iter().any(|ending| noun.ends_with(ending));
    let stem = noun.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'o', 'u']));
    match stem {
        Some(stem) => format!("{stem}ies"),
        None if hisses => format!("{noun}es"),
        None => format!("{noun}s"),
    }
}

/// A verb of the third person for a count: `1 is`, `2 are`.
pub fn verb<'a>(count: u64, one: &'a str, many: &'a str) -> &'a str {
    if count == 1 { one } else { many }
}

/// A number with commas between groups of three digits: `65,536`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_follow_their_counts() {
        let all =
            ["byte", "launch", "entry", "array", "pass", "suffix"].map(|noun| counted(0, noun));
        assert_eq!(
            all,
            ["0 bytes", "0 launches", "0 entries", "0 arrays", "0 passes", "0 suffixes"]
        );
        assert_eq!(counted(1, "launch"), "1 launch");
        assert_eq!(counted_grouped(2048, "thread"), "2,048 threads");
    }

    #[test]
    fn digits_are_grouped() {
        assert_eq!(
            [0, 999, 1000, 1_610_612_736].map(grouped),
            ["0", "999", "1,000", "1,610,612,736"]
        );
    }
}
