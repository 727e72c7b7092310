//! Texts of PTX that use each other's functions and variables (`-rdc=true`), joined into one text.
//!
//! The definition of a name takes the place of the other texts' `.extern` declarations. Names that a text keeps to itself are
//! renamed where another text has the same name. The first of several `.weak` definitions counts.

use reconverge_ptx::tree::{Function, Linkage, Module, Space, Variable};
use reconverge_ptx::{Span, parse};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The functions that every program has.
const BUILT_IN: [&str; 5] =
    ["vprintf", "malloc", "free", "__assertfail", "__cudaCDP2DeviceSynchronize"];

/// The names of a text that other texts see, and that it needs from them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Symbols {
    defined: BTreeSet<String>,
    needed: BTreeSet<String>,
}

/// The names of a text. One that cannot be read has none; the compiler reports its error.
fn symbols(text: &str) -> Symbols {
    let mut found = Symbols::default();
    let Ok(module) = parse(text) else {
        return found;
    };
    for item in items(&module) {
        let name = item.name.to_owned();
        match item.kind {
            Item::Defined if item.is_shared => drop(found.defined.insert(name)),
            Item::Needed if !BUILT_IN.contains(&item.name) => drop(found.needed.insert(name)),
            _ => {}
        }
    }
    let Symbols { defined, needed } = &mut found;
    needed.retain(|name| !defined.contains(name));
    found
}

/// Texts by number, in groups of those that need each other. A text that needs no other is a group of its own.
pub fn groups(texts: &[&str]) -> Vec<Vec<usize>> {
    let needs = |text: &&str| text.contains(".extern") && !symbols(text).needed.is_empty();
    if texts.len() < 2 || !texts.iter().any(needs) {
        return (0..texts.len()).map(|number| vec![number]).collect();
    }
    let texts: Vec<Symbols> = texts.iter().map(|text| symbols(text)).collect();
    let mut definition: BTreeMap<&str, usize> = BTreeMap::new();
    for (number, symbols) in texts.iter().enumerate() {
        for name in &symbols.defined {
            definition.entry(name).or_insert(number);
        }
    }
    let mut group: Vec<usize> = (0..texts.len()).collect();
    for (number, symbols) in texts.iter().enumerate() {
        for other in symbols.needed.iter().filter_map(|name| definition.get(name.as_str())) {
            let (one, two) = (group[*other], group[number]);
            let (from, to) = (one.max(two), one.min(two));
            group.iter_mut().filter(|it| **it == from).for_each(|it| *it = to);
        }
    }
    let mut found: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (number, group) in group.into_iter().enumerate() {
        found.entry(group).or_default().push(number);
    }
    found.into_values().collect()
}

/// The meaning of a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Item {
    Defined,
    /// `.extern`.
    Needed,
    /// A function without its body, which the text defines later.
    Announced,
}

/// A declaration of a module.
struct Declaration<'m> {
    name: &'m str,
    kind: Item,
    /// `.visible`, `.weak` or `.common`.
    is_shared: bool,
    is_variable: bool,
    /// Its place, without what follows the head of a function that has no body.
    span: Span,
}

/// Returns true if other texts see a name. The host sees names of a file of its own (`static`, namespaces without a name) too,
/// so they are `.visible`; C++ mangles them with `L` or `_GLOBAL__N_`.
fn is_shared(name: &str, linkage: Linkage) -> bool {
    let is_of_file = name.starts_with("_ZL") || name.contains("_GLOBAL__N_");
    (linkage.visible || linkage.weak || linkage.common) && !is_of_file
}

fn variable(variable: &Variable) -> Declaration<'_> {
    // An `.extern` array of shared memory is that of the launch.
    let is_needed = variable.linkage.external && variable.space != Space::Shared;
    Declaration {
        name: &variable.name.text,
        kind: if is_needed { Item::Needed } else { Item::Defined },
        is_shared: is_shared(&variable.name.text, variable.linkage),
        is_variable: true,
        span: variable.span,
    }
}

fn function(function: &Function) -> Declaration<'_> {
    let kind = match &function.body {
        Some(_) => Item::Defined,
        None if function.linkage.external => Item::Needed,
        None => Item::Announced,
    };
    let end = function.body.as_ref().map_or(function.span.end, |body| body.span.end);
    Declaration {
        name: &function.name.text,
        kind,
        is_shared: is_shared(&function.name.text, function.linkage),
        is_variable: false,
        span: Span::new(function.span.start, end),
    }
}

fn items(module: &Module) -> impl Iterator<Item = Declaration<'_>> {
    module.variables.iter().map(variable).chain(module.functions.iter().map(function))
}

/// New names of a text's own names, by the old ones.
pub type Renamed = BTreeMap<String, String>;

/// Joins texts. The result has the text, and the names that each of them lost.
///
/// # Errors
/// A text is no PTX, or two texts define one name.
pub fn join(texts: &[&str]) -> Result<(String, Vec<Renamed>), String> {
    let mut modules = Vec::new();
    for text in texts {
        modules.push(parse(text).map_err(|error| error.message)?);
    }
    let mut defined: BTreeMap<&str, bool> = BTreeMap::new();
    let mut joined = Joined::default();
    // Names that any text shares: an announcement or `.extern` of one needs no definition in the same text.
    let shared: BTreeSet<&str> = modules
        .iter()
        .flat_map(items)
        .filter(|item| item.kind == Item::Defined && item.is_shared)
        .map(|item| item.name)
        .collect();
    let mut own: BTreeSet<&str> = BTreeSet::new();
    let (mut files, mut renamed) = (0, Vec::new());
    for (number, (text, module)) in texts.iter().zip(&modules).enumerate() {
        let mut part = Part::new(text, files);
        files += module.files.iter().map(|file| file.number).max().unwrap_or(0);
        part.drop_head(module, number > 0);
        for item in items(module) {
            let place = part.place(item.span, item.kind != Item::Defined || item.is_variable);
            let is_weak = weak(module, item.name);
            match item.kind {
                Item::Needed if shared.contains(item.name) => part.remove(place),
                Item::Needed | Item::Announced => {}
                Item::Defined if item.is_shared => match defined.get(item.name) {
                    None => drop(defined.insert(item.name, is_weak)),
                    // A function that both texts announce has its first definition.
                    Some(known) if *known || is_weak => {
                        part.remove(place);
                        continue;
                    }
                    Some(_) => return Err(format!("two texts define `{}`", item.name)),
                },
                Item::Defined => {
                    if shared.contains(item.name) || !own.insert(item.name) {
                        part.rename(item.name, number);
                    }
                }
            }
            if item.is_variable && item.kind == Item::Defined {
                let place = part.place(item.span, true);
                part.variables.push(place.clone());
                part.remove(place);
            }
        }
        joined.add(&part);
        renamed.push(part.renamed);
    }
    Ok((joined.head + &joined.variables + &joined.rest, renamed))
}

fn weak(module: &Module, name: &str) -> bool {
    let functions = module.functions.iter().map(|it| (&it.name.text, it.linkage));
    let variables = module.variables.iter().map(|it| (&it.name.text, it.linkage));
    functions
        .chain(variables)
        .any(|(own, linkage)| &**own == name && (linkage.weak || linkage.common))
}

/// The text so far: a text's variables come before all functions, so that each is declared before its use.
#[derive(Default)]
struct Joined {
    head: String,
    variables: String,
    rest: String,
}

impl Joined {
    fn add(&mut self, part: &Part) {
        if self.head.is_empty() {
            self.head = part.head.clone();
        }
        for place in &part.variables {
            self.variables += &part.edited(place.clone(), true);
            self.variables.push('\n');
        }
        self.rest += &part.edited(0..part.text.len(), false);
        self.rest.push('\n');
    }
}

/// A text with its changes.
struct Part<'t> {
    text: &'t str,
    head: String,
    /// The number that its files' numbers begin after.
    files: u64,
    removed: Vec<Range<usize>>,
    variables: Vec<Range<usize>>,
    renamed: Renamed,
}

impl<'t> Part<'t> {
    fn new(text: &'t str, files: u64) -> Part<'t> {
        let (head, renamed) = (String::new(), BTreeMap::new());
        Part { text, head, files, removed: Vec::new(), variables: Vec::new(), renamed }
    }

    /// The range of a declaration, up to its semicolon if it has one.
    fn place(&self, span: Span, ends: bool) -> Range<usize> {
        let (start, end) = (span.start as usize, span.end as usize);
        let has_it = self.text.get(start..end).is_some_and(|it| it.trim_end().ends_with(';'));
        let rest = self.text.get(end..).unwrap_or_default();
        let more = if ends && !has_it { rest.find(';').map_or(0, |at| at + 1) } else { 0 };
        start..end + more
    }

    fn remove(&mut self, place: Range<usize>) {
        self.removed.push(place);
    }

    fn rename(&mut self, name: &str, number: usize) {
        self.renamed.insert(name.to_owned(), format!("{name}__{}", number + 1));
    }

    /// Takes out the lines of `.version`, `.target` and `.address_size`; those of the first text begin the joined one.
    fn drop_head(&mut self, module: &Module, is_later: bool) {
        let target = module.target.first().map(|first| first.span);
        let places =
            [module.version.map(|it| it.span), target, module.address_size.map(|it| it.span)];
        for span in places.into_iter().flatten() {
            let start = self.text[..span.start as usize].rfind('\n').map_or(0, |at| at + 1);
            let rest = &self.text[span.end as usize..];
            let end = span.end as usize + rest.find('\n').unwrap_or(rest.len());
            if !is_later {
                self.head += &self.text[start..end];
                self.head.push('\n');
            }
            self.remove(start..end);
        }
    }

    /// A part of the text with new names and numbers of files, and without what was removed, unless that is wanted.
    fn edited(&self, place: Range<usize>, all: bool) -> String {
        let mut edited = String::new();
        let (mut at, mut is_file) = (place.start, false);
        while at < place.end {
            let removed = self.removed.iter().find(|it| it.contains(&at));
            if let Some(removed) = removed.filter(|_| !all) {
                at = removed.end;
                continue;
            }
            let rest = &self.text[at..place.end];
            let length = token(rest);
            let token = &rest[..length];
            match token {
                _ if is_file && token.bytes().all(|it| it.is_ascii_digit()) => {
                    let number = token.parse::<u64>().unwrap_or(0);
                    edited += &(number + self.files).to_string();
                    is_file = false;
                }
                ".loc" | ".file" | "inlined_at" => {
                    edited += token;
                    is_file = true;
                }
                _ => {
                    edited += self.renamed.get(token).map_or(token, |it| it.as_str());
                    is_file &= token.trim().is_empty();
                }
            }
            at += length;
        }
        edited
    }
}

fn is_of_name(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '$' | '%')
}

/// Bytes of the first token: a string, a comment, a name or number with the dot before it, or one character.
fn token(text: &str) -> usize {
    let until = |end: &str| text.get(end.len()..).and_then(|rest| rest.find(end));
    if text.starts_with("//") {
        return text.find('\n').unwrap_or(text.len());
    }
    if text.starts_with('"') {
        return until("\"").map_or(text.len(), |at| at + 2);
    }
    let dot = usize::from(text.starts_with('.'));
    let name = text[dot..].find(|it| !is_of_name(it)).unwrap_or(text.len() - dot);
    match dot + name {
        0 => text.chars().next().map_or(1, char::len_utf8),
        length => length,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = ".version 6.3\n.target sm_75\n.address_size 64\n";

    fn caller() -> String {
        format!(
            "{HEAD}.extern .func (.param .b32 r) twice(.param .b32 x)\n;\n.extern .global .align 4 .u32 total;\n\
             .extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b)\n;\n\
             .global .align 4 .u32 own = 1;\n.visible .entry k()\n{{\n.reg .b32 %r<2>;\n.loc 1 7 0\n\
             ld.global.u32 %r1, [own];\nst.global.u32 [total], %r1;\nret;\n}}\n.file 1 \"a.cu\"\n"
        )
    }

    fn callee() -> String {
        format!(
            "{HEAD}.visible .global .align 4 .u32 total = 5;\n.global .align 4 .u32 own = 2;\n\
             .visible .func (.param .b32 r) twice(.param .b32 x)\n{{\n.reg .b32 %r<2>;\n.loc 1 3 0\n\
             ld.global.u32 %r1, [own];\nst.param.b32 [r], %r1;\nret;\n}}\n.file 1 \"b.cu\"\n"
        )
    }

    #[test]
    fn texts_that_need_each_other_are_a_group() {
        let alone = format!("{HEAD}.visible .entry other()\n{{\nret;\n}}\n");
        assert_eq!(symbols(&caller()).needed, ["total", "twice"].map(str::to_owned).into());
        assert!(symbols(&alone).needed.is_empty());
        assert_eq!(groups(&[&caller(), &alone, &callee()]), [vec![0, 2], vec![1]]);
        assert_eq!(groups(&[&alone, "nonsense"]), [[0], [1]]);
    }

    #[test]
    fn names_are_joined_or_kept_apart() {
        let (a, b) = (caller(), callee());
        let (joined, renamed) = join(&[&a, &b]).unwrap();
        let module = parse(&joined).unwrap_or_else(|error| panic!("{error:?}\n{joined}"));
        let names: Vec<&str> = module.variables.iter().map(|it| &*it.name.text).collect();
        assert_eq!(names, ["own", "total", "own__2"]);
        assert!(renamed[0].is_empty() && renamed[1]["own"] == "own__2");
        assert!(joined.contains("[own__2]") && joined.contains(".loc 2 3 0"), "{joined}");
        assert!(!joined.contains(".extern .global"), "{joined}");
        let files: Vec<u64> = module.files.iter().map(|it| it.number).collect();
        assert_eq!(files, [1, 2]);
        let mine = format!("{HEAD}.visible .entry _ZL1kv()\n{{\nret;\n}}\n");
        let (_, renamed) = join(&[&mine, &mine]).unwrap();
        assert_eq!(renamed[1]["_ZL1kv"], "_ZL1kv__2");
        assert!(join(&[&b, &b]).unwrap_err().contains("two texts define `total`"));
        assert!(join(&["nonsense", &b]).is_err());
    }
}
