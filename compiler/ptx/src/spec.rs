//! The document `spec/ptx.md`, of the table.

use crate::check::NEWEST_MAJOR;
use crate::special::SPECIAL;
use crate::table::{CLASSES, GROUPS};
use std::fmt::Write;

/// The document's text.
pub fn document() -> String {
    let mut text = HEAD.replace("NEWEST", &NEWEST_MAJOR.to_string());
    for (group, rows) in GROUPS {
        let _ =
            write!(text, "\n### {group}\n\n| form | operands | meaning |\n| --- | --- | --- |\n");
        for row in *rows {
            let _ = writeln!(
                text,
                "| `{}` | {} | {} |",
                cell(row.pattern),
                row.operands
                    .split(' ')
                    .filter(|it| !it.is_empty())
                    .map(|it| format!("`{}`", cell(it)))
                    .collect::<Vec<_>>()
                    .join(" "),
                row.meaning
            );
        }
    }
    text.push_str("\n### Classes of words\n\n| class | words |\n| --- | --- |\n");
    for (class, words) in CLASSES {
        let words: Vec<String> = words.split('|').map(|word| format!("`.{word}`")).collect();
        let _ = writeln!(text, "| `<{class}>` | {} |", words.join(" "));
    }
    text.push_str("\n## Special registers\n\n| register | holds |\n| --- | --- |\n");
    for (name, meaning) in SPECIAL {
        let _ = writeln!(text, "| `{name}` | {meaning} |");
    }
    text.push_str(TAIL);
    text
}

/// A bar inside a table's cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

const HEAD: &str = include_str!("spec_head.md");
const TAIL: &str = include_str!("spec_tail.md");
