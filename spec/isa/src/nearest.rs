//! Spelling help: the known name that an unknown one most likely was meant to be. It is in this
//! crate because the assembler, the compiler, the simulator and the command line all use it.

/// The candidate with the fewest edits from `word`, the first of several; `None` if none is near
/// enough: a third of the word's characters, at least one and at most three.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // The length bounds the time spent on a word that is a kilobyte long.
    if word.len() > 64 {
        return None;
    }
    let limit = (word.chars().count() / 3).clamp(1, 3);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        // Letters that are not ASCII take up to four bytes.
        let letter = if word.is_ascii() && candidate.is_ascii() { 1 } else { 4 };
        if candidate.len().abs_diff(word.len()) > letter * limit || candidate == word {
            continue;
        }
        let edits = distance(word, candidate);
        if edits <= limit && best.is_none_or(|(least, _)| edits < least) {
            best = Some((edits, candidate));
        }
    }
    // One letter for another is no evidence between names of one letter.
    best.filter(|&(edits, found)| edits < found.chars().count()).map(|(_, found)| found)
}

/// The end of a message about an unknown word: "; did you mean `x`?", or nothing.
pub fn hint<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    match nearest(word, candidates) {
        Some(candidate) => format!("; did you mean `{candidate}`?"),
        None => String::new(),
    }
}

/// The number of insertions, deletions, changes and swaps of neighbours that turn `a` into `b`
/// (optimal string alignment distance).
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let change = above[j] + usize::from(a[i] != b[j]);
            let mut least = change.min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggestions_are_near() {
        let names = ["count", "threadIdx", "x"];
        let near = |name: &str| nearest(name, names);
        assert_eq!(near("cuont"), Some("count"));
        assert_eq!(near("threadidx"), Some("threadIdx"));
        assert_eq!(near("y"), None);
        assert_eq!(near("blockDim"), None);
    }

    #[test]
    fn the_first_of_several_is_named() {
        assert_eq!(nearest("lane", ["lake", "line"]), Some("lake"));
        assert_eq!(hint("lane", ["lake"]), "; did you mean `lake`?");
        assert_eq!(hint("lane", ["warp"]), "");
    }
}
