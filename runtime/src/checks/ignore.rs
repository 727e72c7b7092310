//! Intended findings: a comment in the source marks them, or `--ignore`.

use reconverge_compiler::diagnostic::Code;
use reconverge_compiler::syntax::{SourceMap, Span};
use std::fmt;
use std::str::FromStr;

/// The beginning of a comment in front of the codes: `// check: ignore R0101, R0110`.
const MARK: &str = "check: ignore";

/// Findings of a code at a line: `R0101@main.cu:12`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ignored {
    code: String,
    file: String,
    line: u32,
}

impl FromStr for Ignored {
    type Err = String;

    fn from_str(text: &str) -> Result<Ignored, String> {
        let parts = text.split_once('@').and_then(|(code, place)| {
            let (file, line) = place.rsplit_once(':')?;
            Some((code, file, line.parse().ok().filter(|&line| line > 0)?))
        });
        let Some((code, file, line)) = parts.filter(|(_, file, _)| !file.is_empty()) else {
            return Err("expected CODE@FILE:LINE, such as `R0101@main.cu:12`".to_owned());
        };
        if !is_code(code) {
            return Err(format!(
                "`{code}` is no code of a check; they are R0101 to R0112, such as `R0101@{file}:{line}`"
            ));
        }
        Ok(Ignored { code: code.to_owned(), file: file.to_owned(), line })
    }
}

impl fmt::Display for Ignored {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}@{}:{}", self.code, self.file, self.line)
    }
}

impl Ignored {
    /// Returns true if a finding of this code at this place is meant. The last parts of a file's
    /// path suffice.
    pub fn fits(&self, code: Code, span: Span, sources: &SourceMap) -> bool {
        let name = sources.name(span.file);
        let rest = name.strip_suffix(self.file.as_str());
        let is_file = rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
        code.id() == self.code && is_file && sources.line(span) == self.line
    }
}

/// `R01` and two digits.
fn is_code(word: &str) -> bool {
    let digits = word.strip_prefix("R01");
    digits.is_some_and(|rest| rest.len() == 2 && rest.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Returns true if a comment in the line of a place, or in the line above with nothing else, names the code.
pub fn is_marked(code: Code, span: Span, sources: &SourceMap) -> bool {
    let text = sources.text(span.file);
    let start = text.get(..span.start as usize).and_then(|before| before.rfind('\n'));
    let start = start.map_or(0, |newline| newline + 1);
    let line = text.get(start..).unwrap_or_default().lines().next().unwrap_or_default();
    let above = text.get(..start).unwrap_or_default().lines().next_back().unwrap_or_default();
    let is_alone = above.trim_start().starts_with("//") || above.trim_start().starts_with("/*");
    names(line, code) || is_alone && names(above, code)
}

/// Returns true if a line has a comment with [`MARK`] and the code after it.
fn names(line: &str, code: Code) -> bool {
    let Some((before, after)) = line.split_once(MARK) else {
        return false;
    };
    let is_comment = before.contains("//") || before.contains("/*");
    let mut words = after.split(|letter: char| letter == ',' || letter.is_whitespace());
    let codes = words.by_ref().filter(|word| !word.is_empty()).take_while(|word| is_code(word));
    is_comment && codes.into_iter().any(|word| word == code.id())
}

#[cfg(test)]
mod tests {
    use super::*;
    use reconverge_compiler::diagnostic::code;

    #[test]
    fn values_name_code_file_and_line() {
        let good: Ignored = "R0101@a/b.cu:12".parse().unwrap();
        assert_eq!(good.to_string(), "R0101@a/b.cu:12");
        for bad in
            ["R0101", "R0101@b.cu", "R0101@:3", "R0101@b.cu:0", "R0101@b.cu:x", "E0101@b.cu:1"]
        {
            assert!(bad.parse::<Ignored>().is_err(), "{bad}");
        }
    }

    #[test]
    fn comments_name_codes() {
        assert!(names("x = 1; // check: ignore R0102, R0101 all write 1", code::RACE));
        assert!(names("x = 1; /* check: ignore R0101 */", code::RACE));
        assert!(!names("x = 1; // check: ignore R0102", code::RACE));
        assert!(!names("x = 1; // check: ignore the R0101", code::RACE));
        assert!(!names("f(\"check: ignore R0101\");", code::RACE));
    }

    #[test]
    fn places_have_their_line_and_the_comment_above() {
        let mut sources = SourceMap::new();
        let text = "a; // check: ignore R0101\nb;\n// check: ignore R0101\nc;\n";
        let file = sources.add("dir/main.cu", text);
        let at = |letter: &str| {
            let start = text.find(letter).unwrap() as u32;
            Span::new(file, start, start + 1)
        };
        assert!(is_marked(code::RACE, at("a;"), &sources));
        assert!(!is_marked(code::RACE, at("b;"), &sources));
        assert!(is_marked(code::RACE, at("c;"), &sources));
        let fits = |value: &str, letter| {
            value.parse::<Ignored>().unwrap().fits(code::RACE, at(letter), &sources)
        };
        assert!(fits("R0101@dir/main.cu:2", "b;") && fits("R0101@main.cu:2", "b;"));
        assert!(!fits("R0101@ain.cu:2", "b;") && !fits("R0101@main.cu:1", "b;"));
        assert!(!fits("R0102@main.cu:2", "b;"));
    }
}
