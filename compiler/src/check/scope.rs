//! What names stand for, and where.

use super::Checker;
use super::constant::Const;
use super::tree::{GlobalId, LocalId, SharedId, StructId};
use super::types::{CType, QType};
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree::Name;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Where a variable lives.
#[derive(Clone, Copy, Debug)]
pub(super) enum Storage {
    Local(LocalId),
    Global(GlobalId),
    Shared(SharedId),
}

/// A variable or parameter.
#[derive(Debug)]
pub(super) struct Variable {
    pub name: Name,
    /// For a reference: what it refers to.
    pub ty: QType,
    pub storage: Storage,
    /// Whether the object holds the address of what the name stands for.
    pub reference: bool,
    /// The value, if it is known while compiling.
    pub constant: Option<Const>,
    pub span: Span,
    pub used: Cell<bool>,
    /// Whether nothing is to be said when it is never used.
    pub quiet: bool,
}

/// What a name stands for.
#[derive(Clone, Debug)]
pub(super) enum Symbol {
    /// Something that was reported: nothing can be said of its uses.
    Poisoned,
    Type(QType),
    Enumerator(i64, CType),
    Function(usize),
    Variable(Rc<Variable>),
}

/// What a tag stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Tag {
    Poisoned,
    Struct(StructId),
    Enum,
}

#[derive(Clone, Debug)]
pub(super) struct Entry<T> {
    pub meaning: T,
    pub span: Option<Span>,
    /// The number of the item at file scope that declares it.
    order: usize,
}

#[derive(Debug, Default)]
struct Scope {
    names: BTreeMap<Name, Entry<Symbol>>,
    tags: BTreeMap<Name, Entry<Tag>>,
}

/// The scopes that are open.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    file: Scope,
    blocks: Vec<Scope>,
    /// The number of the item at file scope that is being checked; bodies are checked after all
    /// declarations, but see only what precedes them.
    pub order: usize,
}

impl Scopes {
    fn current(&mut self) -> &mut Scope {
        self.blocks.last_mut().unwrap_or(&mut self.file)
    }

    /// What `name` stands for here.
    pub fn find(&self, name: &str) -> Option<&Entry<Symbol>> {
        let inner = self.blocks.iter().rev().find_map(|scope| scope.names.get(name));
        inner.or_else(|| self.file.names.get(name).filter(|entry| entry.order <= self.order))
    }

    /// What `name` stands for at file scope, even if it is declared later.
    pub fn find_in_file(&self, name: &str) -> Option<&Entry<Symbol>> {
        self.file.names.get(name)
    }

    /// What the tag `name` stands for here.
    pub fn find_tag(&self, name: &str) -> Option<Tag> {
        let inner = self.blocks.iter().rev().find_map(|scope| scope.tags.get(name));
        let found = inner.or_else(|| self.file.tags.get(name))?;
        (found.order <= self.order).then_some(found.meaning)
    }

    /// What the tag `name` stands for in the innermost scope.
    pub fn find_own_tag(&mut self, name: &str) -> Option<Entry<Tag>> {
        self.current().tags.get(name).cloned()
    }

    /// What `name` stands for in the innermost scope.
    pub fn find_own(&mut self, name: &str) -> Option<&Entry<Symbol>> {
        self.current().names.get(name)
    }

    /// The type that `name` names here: a typedef or a tag, whichever is further in.
    pub fn find_type(&self, name: &str) -> Option<TypeMeaning> {
        let file = std::iter::once(&self.file);
        for scope in self.blocks.iter().rev().chain(file) {
            let visible = |order: usize| order <= self.order;
            match scope.names.get(name) {
                Some(entry) if visible(entry.order) => match &entry.meaning {
                    Symbol::Type(ty) => return Some(TypeMeaning::Type(ty.clone())),
                    Symbol::Poisoned => return Some(TypeMeaning::Tag(Tag::Poisoned)),
                    _ => {}
                },
                _ => {}
            }
            match scope.tags.get(name) {
                Some(entry) if visible(entry.order) => {
                    return Some(TypeMeaning::Tag(entry.meaning));
                }
                _ => {}
            }
        }
        None
    }

    /// Gives `name` a meaning in the innermost scope, over an earlier one.
    pub fn set(&mut self, name: Name, meaning: Symbol, span: Option<Span>) {
        let order = self.order;
        let names = &mut self.current().names;
        // What is declared again stays visible from where it was declared first.
        let order = names.get(&name).map_or(order, |old| old.order);
        names.insert(name, Entry { meaning, span, order });
    }

    /// Gives `name` a meaning at file scope.
    pub fn set_in_file(&mut self, name: Name, meaning: Symbol, span: Option<Span>) {
        let inner = std::mem::take(&mut self.blocks);
        self.set(name, meaning, span);
        self.blocks = inner;
    }

    /// Gives a tag a meaning in the innermost scope.
    pub fn set_tag(&mut self, name: Name, meaning: Tag, span: Option<Span>) {
        let order = self.order;
        self.current().tags.insert(name, Entry { meaning, span, order });
    }

    /// Gives `name` no meaning in the outermost block, so that it is reported once a function.
    pub fn poison(&mut self, name: Name) {
        let entry = Entry { meaning: Symbol::Poisoned, span: None, order: self.order };
        let scope = self.blocks.first_mut().unwrap_or(&mut self.file);
        scope.names.entry(name).or_insert(entry);
    }

    /// The names that can be used here.
    fn visible(&self) -> impl Iterator<Item = &str> {
        let inner = self.blocks.iter().rev().flat_map(|scope| scope.names.iter());
        inner
            .chain(self.file.names.iter().filter(|(_, entry)| entry.order <= self.order))
            .filter(|(_, entry)| !matches!(entry.meaning, Symbol::Poisoned))
            .map(|(name, _)| &**name)
    }
}

/// What the name of a type stands for.
pub(super) enum TypeMeaning {
    Type(QType),
    Tag(Tag),
}

impl Checker {
    pub(super) fn open_scope(&mut self) {
        self.scopes.blocks.push(Scope::default());
    }

    /// Closes a block; what it declares and nobody uses is reported.
    pub(super) fn close_scope(&mut self) {
        let Some(scope) = self.scopes.blocks.pop() else {
            return;
        };
        if self.body.as_ref().is_some_and(|body| body.errors != self.errors) {
            return;
        }
        for (name, entry) in scope.names {
            match entry.meaning {
                Symbol::Variable(variable) if !variable.used.get() && !variable.quiet => {
                    let message = format!("`{name}` is never used");
                    self.report(Diagnostic::warning(code::UNUSED_VARIABLE, variable.span, message));
                }
                _ => {}
            }
        }
    }

    /// Declares a name that may be declared once in its scope.
    pub(super) fn declare(&mut self, name: &Name, symbol: Symbol, span: Span) {
        let earlier = self.scopes.find_own(name).cloned();
        match earlier {
            Some(Entry { meaning: Symbol::Poisoned, .. }) => {
                // Which of the two is meant later cannot be known.
            }
            Some(earlier) if !same_type(&earlier.meaning, &symbol) => {
                self.report_redefinition(name, span, earlier.span);
            }
            _ => self.scopes.set(name.clone(), symbol, Some(span)),
        }
    }

    pub(super) fn report_redefinition(&mut self, name: &str, span: Span, earlier: Option<Span>) {
        let message = format!("`{name}` is defined twice");
        let mut found = Diagnostic::error(code::REDEFINED, span, message);
        if let Some(earlier) = earlier {
            found = found.secondary(earlier, "first defined here");
        }
        self.report(found);
    }

    /// The visible name that `name` most likely was meant to be.
    pub(super) fn nearest(&self, name: &str) -> Option<String> {
        let supplied = super::known::names();
        let builtins = super::builtin::TABLE.iter().flat_map(|row| row.names.iter().copied());
        // Nobody who writes `y` means the Bessel function `y0`.
        let builtins = builtins.filter(|name| name.len() > 2 && !name.contains('.'));
        let own = nearest_of(name, self.scopes.visible());
        own.or_else(|| nearest_of(name, builtins.chain(supplied)))
    }
}

/// Types may be named again if they are the same.
fn same_type(a: &Symbol, b: &Symbol) -> bool {
    matches!((a, b), (Symbol::Type(a), Symbol::Type(b)) if a == b)
}

/// The candidate with the least edits from `name`, if they are few.
pub(super) fn nearest_of<'a>(
    name: &str,
    candidates: impl Iterator<Item = &'a str>,
) -> Option<String> {
    // The length bounds the time spent on a name that is a kilobyte long.
    if name.len() > 64 {
        return None;
    }
    let limit = (name.chars().count() / 3).clamp(1, 3);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        if candidate.len().abs_diff(name.len()) > limit || candidate == name {
            continue;
        }
        let edits = distance(name, candidate);
        if edits <= limit && best.is_none_or(|(least, _)| edits < least) {
            best = Some((edits, candidate));
        }
    }
    // One letter for another is no evidence between names of one letter.
    best.filter(|&(edits, found)| edits < found.chars().count()).map(|(_, found)| found.to_owned())
}

/// How many insertions, deletions, changes and swaps of neighbours turn `a` into `b`.
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
        let near = |name: &str| nearest_of(name, names.iter().copied());
        assert_eq!(near("cuont").as_deref(), Some("count"));
        assert_eq!(near("threadidx").as_deref(), Some("threadIdx"));
        assert_eq!(near("y"), None);
        assert_eq!(near("blockDim"), None);
    }
}
