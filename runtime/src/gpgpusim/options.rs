//! The options of a configuration: `-name value`, `#` comments, values in quotes that may go over several lines.

use reconverge_isa::text::{Position, TextError};

/// An option as it is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// Its name in the text.
    pub name: String,
    /// Its value, with blanks between its words; empty for a switch.
    pub value: String,
    /// The place of its name.
    pub place: Position,
}

impl Given {
    /// The name without the prefix that newer versions leave out.
    pub fn plain_name(&self) -> &str {
        let name = self.name.trim_start_matches('-');
        let name = name.strip_prefix("gpgpu_").unwrap_or(name);
        if name == "l2_rop_latency" { "rop_latency" } else { name }
    }

    /// As the configuration has it.
    pub fn spelled(&self) -> String {
        format!("{} {}", self.name, self.value).trim_end().to_owned()
    }

    /// A fault of it.
    pub fn wrong(&self, message: impl Into<String>) -> TextError {
        let Position { line, column } = self.place;
        let message = format!("`{}`: {}", self.spelled(), message.into());
        TextError::new(line, column, message)
    }
}

/// A word with its place; whether it was in quotes.
struct Word {
    text: String,
    quoted: bool,
    place: Position,
}

/// The options of a text in their order. If one is repeated, the last counts, as in the simulator.
///
/// # Errors
/// Words that belong to no option, and unclosed quotes.
pub fn read(text: &str) -> Result<Vec<Given>, Vec<TextError>> {
    let mut given: Vec<Given> = Vec::new();
    let mut errors = Vec::new();
    let mut open = false;
    for word in words(text)? {
        let starts = word.text.strip_prefix('-').and_then(|rest| rest.chars().next());
        if !word.quoted && starts.is_some_and(|first| first.is_ascii_alphabetic()) {
            given.retain(|it| it.name != word.text);
            given.push(Given { name: word.text, value: String::new(), place: word.place });
            open = true;
            continue;
        }
        match given.last_mut().filter(|_| open) {
            Some(last) => {
                if !last.value.is_empty() {
                    last.value.push(' ');
                }
                last.value += &word.text;
            }
            None => {
                let Position { line, column } = word.place;
                let message = format!("`{}` belongs to no option: they begin with `-`", word.text);
                errors.push(TextError::new(line, column, message));
            }
        }
    }
    errors.truncate(100);
    if errors.is_empty() { Ok(given) } else { Err(errors) }
}

fn words(text: &str) -> Result<Vec<Word>, Vec<TextError>> {
    let mut words: Vec<Word> = Vec::new();
    // The place where a quotation began.
    let mut quote: Option<Position> = None;
    for (line, number) in text.lines().zip(1..) {
        let mut inside = quote.is_some();
        let mut word: Option<Word> = None;
        for (character, column) in line.chars().zip(1..) {
            let place = Position { line: number, column };
            match character {
                '"' if quote.take().is_some() => inside = false,
                '"' => {
                    quote = Some(place);
                    inside = true;
                    words.extend(word.take());
                    words.push(Word { text: String::new(), quoted: true, place });
                }
                '#' if !inside => break,
                // A quotation is one word without blanks.
                _ if inside => {
                    if let (Some(last), false) = (words.last_mut(), character.is_whitespace()) {
                        last.text.push(character);
                    }
                }
                _ if character.is_whitespace() => words.extend(word.take()),
                _ => {
                    let new = || Word { text: String::new(), quoted: false, place };
                    word.get_or_insert_with(new).text.push(character);
                }
            }
        }
        words.extend(word);
    }
    match quote {
        Some(Position { line, column }) => {
            let message = "the quotation has no end".to_owned();
            Err(vec![TextError::new(line, column, message)])
        }
        None => Ok(words),
    }
}
