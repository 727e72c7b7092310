//! Broken programs are refused, never fatal: pieces of real ones are deleted, doubled and moved, and
//! reading them has to end in a tree and messages that can be printed.

use reconverge_compiler::diagnostic;
use reconverge_compiler::syntax::tree::Item;
use reconverge_compiler::syntax::{self, Pass, SourceMap, Target};
use std::path::Path;

/// How many broken programs a file makes.
const ROUNDS: usize = 60;

/// A generator of numbers; xorshift, so that every run is the same.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }
}

/// Words, spaces and single marks.
fn pieces(text: &str) -> Vec<&str> {
    let class = |c: char| match c {
        _ if c.is_alphanumeric() || c == '_' => 1,
        _ if c.is_whitespace() => 2,
        _ => 3,
    };
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut last = 0;
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

fn mutate(pieces: &mut Vec<&str>, numbers: &mut Numbers) {
    for _ in 0..1 + numbers.below(10) {
        let from = numbers.below(pieces.len());
        let to = numbers.below(pieces.len());
        let end = (from + numbers.below(30)).min(pieces.len());
        match numbers.below(4) {
            0 => pieces.swap(from, to),
            1 => pieces.insert(to, pieces[from]),
            2 if end - from < pieces.len() => drop(pieces.drain(from..end)),
            _ => {
                let moved = pieces[from..end].to_vec();
                pieces.splice(to..to, moved);
            }
        }
    }
}

fn read(text: &str) {
    let mut sources = SourceMap::new();
    let file = sources.add("broken.cu", text);
    let target = Target::default();
    let syntax::Read { unit, mut diagnostics } =
        syntax::parse(&mut sources, file, &mut (), &[], target, Pass::Host);
    for item in &unit.items {
        if let Item::Function(function) = item {
            diagnostics.extend(syntax::parse_body(&function.body).1);
        }
    }
    diagnostic::sort(&mut diagnostics);
    diagnostic::render(&diagnostics, &sources, true);
    syntax::print(&unit, &sources);
}

#[test]
fn broken_programs_are_read_to_the_end() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths: Vec<_> = [root.join("tests/syntax"), root.join("../examples")]
        .iter()
        .flat_map(|folder| std::fs::read_dir(folder).into_iter().flatten().flatten())
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "cu"))
        .collect();
    paths.sort();
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("the file is there");
        let whole = pieces(&text);
        for _ in 0..ROUNDS {
            let mut broken = whole.clone();
            mutate(&mut broken, &mut numbers);
            read(&broken.concat());
        }
    }
}
