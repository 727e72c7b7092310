//! Inputs for lexer, preprocessor, parser and checker: real programs broken in many ways, and
//! programs derived at random from a rough grammar, which are right rather often. Whatever comes,
//! reading it ends soon, without a panic, in a program or in messages that can be shown.

mod soup;
mod words;

use crate::watched::{Problem, watch};
use reconverge::build;
use reconverge_compiler::diagnostic;
use soup::soup;
use std::path::{Path, PathBuf};
use words::{NESTING, WORDS};

/// Larger files only make inputs slow.
pub(crate) const MOST_CORPUS: usize = 16 << 10;
/// Real programs.
pub struct Corpus(Vec<String>);

impl Corpus {
    /// The examples and the programs of the tests.
    ///
    /// # Errors
    /// A folder that cannot be read.
    pub fn load() -> std::io::Result<Corpus> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut files = Vec::new();
        collect(&root.join("../examples"), &mut files)?;
        collect(&root.join("data"), &mut files)?;
        files.sort();
        let texts = files.iter().filter_map(|file| std::fs::read_to_string(file).ok());
        Ok(Corpus(texts.filter(|text| text.len() <= MOST_CORPUS).collect()))
    }

    /// The input of a seed.
    pub fn input(&self, seed: u64) -> String {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5DEE_CE66);
        match random.below(4) {
            0 => soup(&mut random),
            _ => self.broken(&mut random),
        }
    }

    fn broken(&self, random: &mut Random) -> String {
        let text: &String = random.pick(&self.0);
        let mut pieces: Vec<String> = pieces(text).into_iter().map(str::to_owned).collect();
        for _ in 0..1 + random.below(6) {
            self.mutate(&mut pieces, random);
        }
        let text = pieces.concat();
        if random.below(8) > 0 {
            return text;
        }
        let mut bytes = text.into_bytes();
        for _ in 0..1 + random.below(8) {
            let at = random.below(bytes.len().max(1));
            if let Some(byte) = bytes.get_mut(at) {
                *byte = random.next() as u8;
            }
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn mutate(&self, pieces: &mut Vec<String>, random: &mut Random) {
        let count = pieces.len();
        let (from, to) = (random.below(count.max(1)), random.below(count.max(1)));
        let end = (from + 1 + random.below(30)).min(count);
        match random.below(8) {
            0 if count > 0 => pieces.swap(from, to),
            1 if count > 0 => pieces.insert(to, pieces[from].clone()),
            2 if from < end => drop(pieces.drain(from..end)),
            3 if from < end => {
                let copied = pieces[from..end].to_vec();
                pieces.splice(to..to, copied);
            }
            4 => {
                let other: &String = random.pick(&self.0);
                let other = self::pieces(other);
                let start = random.below(other.len().max(1));
                let end = (start + random.below(60)).min(other.len());
                let spliced =
                    other.get(start..end).unwrap_or_default().iter().map(|&word| word.to_owned());
                pieces.splice(to..to, spliced);
            }
            5 if count > 0 => pieces[to] = random.pick(WORDS).to_string(),
            6 => {
                // Nesting, up to beyond the limit.
                let word = random.pick(NESTING);
                let times = [2, 30, 150, 250, 3000][random.below(5)];
                pieces.insert(to, word.repeat(times));
            }
            _ => pieces.insert(to, format!(" {} ", random.pick(WORDS))),
        }
    }
}

pub(crate) fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "cu") {
            files.push(path);
        }
    }
    Ok(())
}

/// Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// Words, runs of blanks and single marks.
pub(crate) fn pieces(text: &str) -> Vec<&str> {
    let class = |c: char| match c {
        _ if c.is_alphanumeric() || c == '_' => 1,
        _ if c.is_whitespace() => 2,
        _ => 3,
    };
    let (mut pieces, mut start, mut last) = (Vec::new(), 0, 0);
    for (at, c) in text.char_indices() {
        if at > start && (class(c) != last || last == 3) {
            pieces.push(&text[start..at]);
            start = at;
        }
        last = class(c);
    }
    pieces.push(&text[start..]);
    pieces
}

/// Reads and checks an input as the command line does.
///
/// # Errors
/// Fails with the problem.
pub fn attempt(text: &str) -> Result<(), Problem> {
    let text = text.to_owned();
    watch(move || {
        let checked = build::check("input.cu", &text, &[], &mut ());
        diagnostic::render(&checked.diagnostics, &checked.sources, true);
    })
}

/// Removes the parts that the problem does not need, piece by piece; `attempt` tries the rest.
pub fn shrink(
    text: &str,
    problem: &Problem,
    attempt: impl Fn(&str) -> Result<(), Problem>,
) -> String {
    // A slow input is slow each time.
    let mut tries = if matches!(problem, Problem::Panic(_)) { 2000 } else { 20 };
    let same = |found: &Problem| std::mem::discriminant(found) == std::mem::discriminant(problem);
    let mut best: Vec<String> = pieces(text).into_iter().map(str::to_owned).collect();
    let mut size = best.len().div_ceil(2);
    while size > 0 {
        let mut at = 0;
        while at < best.len() && tries > 0 {
            tries -= 1;
            let end = (at + size).min(best.len());
            let shorter = [&best[..at], &best[end..]].concat();
            match attempt(&shorter.concat()) {
                Err(found) if same(&found) => best = shorter,
                _ => at = end,
            }
        }
        size /= 2;
    }
    best.concat()
}
