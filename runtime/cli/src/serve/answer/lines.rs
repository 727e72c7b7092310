//! Texts of which each line may come from a line of the program.

use serde::Serialize;

/// A line of a text, and the line of the program that it comes from, 0 if there is none.
#[derive(Serialize, Clone, Debug, PartialEq, Eq)]
pub struct Line(pub String, pub u32);

/// A line of assembly: its text, the line of the program, and the number of the instruction, if it is one.
#[derive(Serialize, Clone, Debug, PartialEq, Eq)]
pub struct CodeLine(pub String, pub u32, pub Option<u32>);

/// Bytes of a text that are shown.
const MOST: usize = 4 << 20;

/// The lines of a syntax tree, whose places are `@LINE:COLUMN` at their ends.
pub fn of_tree(text: &str) -> Vec<Line> {
    let line = |text: &str| {
        let place = text.rsplit_once(" @").and_then(|(_, place)| place.split_once(':'));
        Line(text.to_owned(), place.and_then(|(line, _)| line.parse().ok()).unwrap_or(0))
    };
    shown(text).map(line).chain(rest(text)).collect()
}

/// The line of the program that a line of the intermediate representation comes from: `
/// !LINE:COLUMN` at its end has it, perhaps before a name in quotes. Lines of other files, `
/// !FILE:LINE:COLUMN`, have none.
pub fn of_ir(text: &str) -> u32 {
    let text = match text.strip_suffix('"') {
        Some(named) => named.rsplit_once(" \"").map_or(named, |(before, _)| before),
        None => text,
    };
    let place = text.rsplit_once(" !").map(|(_, place)| place.split(':').collect::<Vec<_>>());
    match place.as_deref() {
        Some([line, column]) if column.parse::<u32>().is_ok() => line.parse().unwrap_or(0),
        _ => 0,
    }
}

/// The lines of a kernel's assembly text, its `.loc` lines left out.
pub fn of_assembly(text: &str) -> Vec<CodeLine> {
    let (mut found, mut line, mut number) = (Vec::new(), 0, 0);
    for text in shown(text) {
        let words = text.trim_start();
        if let Some(place) = words.strip_prefix(".loc ") {
            let place: Vec<u32> = place.split(' ').filter_map(|word| word.parse().ok()).collect();
            line = if let [0, line, _] = *place { line } else { 0 };
        } else if text.starts_with(' ') && !words.starts_with('.') {
            found.push(CodeLine(text.to_owned(), line, Some(number)));
            number += 1;
        } else {
            found.push(CodeLine(text.to_owned(), 0, None));
        }
    }
    found.extend(rest(text).map(|Line(text, _)| CodeLine(text, 0, None)));
    found
}

/// The lines that are shown.
fn shown(text: &str) -> impl Iterator<Item = &str> {
    let mut bytes = 0;
    text.lines().take_while(move |line| {
        bytes += line.len() + 1;
        bytes <= MOST
    })
}

/// A line about those that are not.
fn rest(text: &str) -> Option<Line> {
    let more = text.lines().count() - shown(text).count();
    (more > 0).then(|| Line(format!("… cut here: {more} more lines are not shown"), 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found() {
        assert_eq!(
            of_tree("if @4:5\n  faulty\n").iter().map(|line| line.1).collect::<Vec<_>>(),
            [4, 0]
        );
        let ir = [
            ("  %9 = add.i32 %8, %5 !3:13 \"i\"", 3),
            ("  %9 = add.i32 %8, %5 !3:13 \"a !7:1\"", 3),
            ("  jump b3 !15:9", 15),
            ("  %2 = param.b32 8 !1:2:17", 0),
            ("  param \"x\" 0 8", 0),
            ("b0:", 0),
        ];
        for (text, line) in ir {
            assert_eq!(of_ir(text), line, "{text}");
        }
        let code = ".kernel f\n    .registers 3\n    .loc 0 3 13\n        mov.b32 r0, 1\nL1:\n    .loc 1 9 1\n  @!p0  bra L1\n";
        let found: Vec<_> = of_assembly(code).iter().map(|line| (line.1, line.2)).collect();
        assert_eq!(found, [(0, None), (0, None), (3, Some(0)), (0, None), (0, Some(1))]);
    }

    #[test]
    fn long_texts_are_cut() {
        let text = "abc @1:1\n".repeat(MOST / 9 + 10);
        let found = of_tree(&text);
        assert_eq!(found.len(), MOST / 9 + 1);
        assert!(found[MOST / 9].0.contains("10 more lines"), "{}", found[MOST / 9].0);
    }
}
