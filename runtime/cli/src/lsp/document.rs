//! An open file: its text, its diagnostics, and the answers about its places.

use super::last_run;
use super::place::{line_and_column, path_of, range, uri_of};
use anyhow::Result;
use reconverge::build::{self, Checked};
use reconverge::build_arguments::BuildArguments;
use reconverge::kernel_file::{KernelFile, Level, Places};
use reconverge::machine_file::{self, Said};
use reconverge::source::DiskLoader;
use reconverge::why;
use reconverge_compiler::check::{Needed, uses};
use reconverge_compiler::diagnostic::{Diagnostic, Label, Severity};
use reconverge_compiler::ir;
use reconverge_compiler::lower::{Lowered, Options};
use reconverge_compiler::syntax::{FileId, SourceMap, Span};
use reconverge_isa::text;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// The first file of a source map is the document.
const OWN: FileId = FileId(0);

/// The parts of a document that answers need.
enum Content {
    Program(Box<Checked>),
    Kernels(SourceMap),
    Settings,
}

/// An open file.
pub struct Document {
    uri: String,
    name: String,
    text: String,
    level: Level,
    content: Content,
    lowered: Option<Lowered>,
    /// Diagnostics by the URI of their file; the document's own are always there.
    pub diagnostics: BTreeMap<String, Vec<Value>>,
}

impl Document {
    /// Compiles a text as `check` does.
    pub fn new(uri: &str, text: String, options: &BuildArguments) -> Document {
        let name = path_of(uri);
        let level = Level::of(Path::new(&name));
        let mut document = Document {
            uri: uri.to_owned(),
            name,
            text,
            level,
            content: Content::Settings,
            lowered: None,
            diagnostics: BTreeMap::from([(uri.to_owned(), Vec::new())]),
        };
        match level {
            Level::Source if document.name.ends_with(".toml") => document.machine(),
            Level::Source => document.program(options),
            Level::Binary => {}
            _ => document.kernels(options),
        }
        document
    }

    fn program(&mut self, options: &BuildArguments) {
        let checking = match options.checking_source(Needed::Program) {
            Ok(checking) => checking,
            Err(error) => return self.report_placeless(&format!("{error:#}")),
        };
        let loader = &mut DiskLoader { directories: &options.directories };
        let definitions = &options.definitions;
        let checked = build::check_with(&self.name, &self.text, definitions, loader, checking);
        let mut found = checked.diagnostics.clone();
        if checked.module.is_some() {
            match checked.lower(&Options { keep_ir: true, ..options.lowering() }) {
                Ok(lowered) => {
                    found.extend(build::cautions(&lowered, &checked.sources));
                    self.lowered = Some(lowered);
                }
                Err(refused) => found.extend(refused.diagnostics),
            }
        }
        self.report(&found, &checked.sources);
        self.content = Content::Program(Box::new(checked));
    }

    fn kernels(&mut self, options: &BuildArguments) {
        let mut sources = SourceMap::new();
        let file = KernelFile::of_text(&self.name, &self.text, self.level, &mut sources);
        let mut found = file.diagnostics.clone();
        if !file.has_errors() {
            let options = Options { keep_ir: true, verify: true, ..options.lowering() };
            match file.lower(&options, Places::OwnLines, &sources) {
                Ok(lowered) => self.lowered = Some(lowered),
                Err(refused) => found.extend(refused.diagnostics),
            }
        }
        self.report(&found, &sources);
        self.content = Content::Kernels(sources);
    }

    /// A machine file; a study is not read here, for it names programs.
    fn machine(&mut self) {
        let table = self.text.parse::<toml::Table>();
        if table.is_ok_and(|table| table.contains_key("schema")) {
            return;
        }
        let report = |document: &mut Document, said: &Said| {
            document.report(&said.placed, &said.sources);
            said.others.iter().for_each(|message| document.report_placeless(message));
        };
        match machine_file::from_text(&self.name, &self.text, &[]) {
            Ok((_, said)) => report(self, &said),
            Err(error) => match error.downcast_ref::<Said>() {
                Some(said) => report(self, said),
                None => self.report_placeless(&format!("{error:#}")),
            },
        }
    }

    fn report(&mut self, found: &[Diagnostic], sources: &SourceMap) {
        let supplied: Vec<FileId> = sources.supplied().collect();
        for diagnostic in found.iter().filter(|it| !supplied.contains(&it.primary.span.file)) {
            let uri = self.uri_in(sources, diagnostic.primary.span);
            let shown = self.shown(diagnostic, sources);
            self.diagnostics.entry(uri).or_default().push(shown);
        }
    }

    /// A message about no place of the text is shown at its beginning.
    fn report_placeless(&mut self, message: &str) {
        let start = json!({ "line": 0, "character": 0 });
        let range = json!({ "start": start, "end": start });
        let shown =
            json!({ "range": range, "severity": 1, "source": "reconverge", "message": message });
        self.diagnostics.entry(self.uri.clone()).or_default().push(shown);
    }

    fn uri_in(&self, sources: &SourceMap, span: Span) -> String {
        let name = sources.name(span.file);
        if name == self.name { self.uri.clone() } else { uri_of(name) }
    }

    fn location(&self, sources: &SourceMap, span: Span) -> Value {
        json!({ "uri": self.uri_in(sources, span), "range": range(sources, span) })
    }

    fn shown(&self, diagnostic: &Diagnostic, sources: &SourceMap) -> Value {
        let mut message = diagnostic.message.clone();
        for note in &diagnostic.notes {
            message += &format!("\nnote: {note}");
        }
        if let Some(help) = &diagnostic.help {
            message += &format!("\nhelp: {help}");
        }
        let related = |label: &Label| json!({ "location": self.location(sources, label.span), "message": label.text });
        json!({
            "range": range(sources, diagnostic.primary.span),
            "severity": match diagnostic.severity {
                Severity::Error => 1,
                Severity::Warning => 2,
                Severity::Note => 3,
            },
            "code": diagnostic.code.id(),
            "source": "reconverge",
            "message": message,
            "relatedInformation": diagnostic.secondary.iter().map(related).collect::<Vec<_>>(),
        })
    }

    fn sources(&self) -> Option<&SourceMap> {
        match &self.content {
            Content::Program(checked) => Some(&checked.sources),
            Content::Kernels(sources) => Some(sources),
            Content::Settings => None,
        }
    }

    /// The analyses' answers for a position, as `compile --why` shows them, and the statistics of its line in a profile.
    pub fn hover(&self, position: &Value, profile: Option<&Path>) -> Option<Value> {
        let (sources, lowered) = (self.sources()?, self.lowered.as_ref()?);
        let (line, column) = line_and_column(sources, OWN, position)?;
        let place = why::place(&format!("{line}:{column}")).ok()?;
        let answers = why::why(lowered, sources, place, false).unwrap_or_default();
        let counts = profile.map(|profile| last_run::at_line(profile, &self.name, line));
        let value = match (answers.trim_end(), counts.unwrap_or_default()) {
            ("", counts) if counts.is_empty() => return None,
            ("", counts) => counts,
            (answers, counts) => format!("```text\n{answers}\n```{counts}"),
        };
        Some(json!({ "contents": { "kind": "markdown", "value": value } }))
    }

    /// The declaration of the name at a position.
    pub fn definition(&self, position: &Value) -> Option<Value> {
        let Content::Program(checked) = &self.content else {
            return None;
        };
        let sources = &checked.sources;
        let (line, column) = line_and_column(sources, OWN, position)?;
        let word = word_at(sources, line, column)?;
        let declared = uses::declaration(checked.module.as_ref()?, sources, word)?;
        let is_supplied = sources.supplied().any(|file| file == declared.file);
        (!is_supplied).then(|| self.location(sources, declared))
    }

    /// The edits that format the text: of IR and assembly.
    ///
    /// # Errors
    /// The text has faults, or has no format.
    pub fn formatting(&self) -> Result<Value, String> {
        let format = match self.level {
            Level::Ir => ir::format::format,
            Level::Assembly => text::format,
            _ => return Err("IR (`.ir`) and assembly (`.asm`) are formatted".to_owned()),
        };
        let formatted = format(&self.text).map_err(|errors| errors[0].to_string())?;
        if formatted == self.text {
            return Ok(json!([]));
        }
        let lines = self.text.split('\n').count();
        let end = json!({ "line": lines, "character": 0 });
        let range = json!({ "start": { "line": 0, "character": 0 }, "end": end });
        Ok(json!([{ "range": range, "newText": formatted }]))
    }
}

/// The whole word around a line and column, both from 1, or the one that ends in front of it.
fn word_at(sources: &SourceMap, line: u32, column: u32) -> Option<Span> {
    // A token that begins further left contains the later ones' letters.
    let ending_at = |column: u32| {
        let tokens = (1..=column).rev().map(|column| sources.token_at(OWN, line, column));
        tokens.map_while(|token| token.filter(|&token| is_word(sources.slice(token)))).last()
    };
    ending_at(column).or_else(|| ending_at(column.checked_sub(1)?))
}

fn is_word(text: &str) -> bool {
    text.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
}
