//! The selection of the faults that matter.
//!
//! Files of real kernels hold host code that this language does not have. Each fault belongs to a
//! function or to something outside functions; those of functions that are not needed become one
//! warning each. An item outside functions whose declaration is faulty has no meaning; it is a
//! fault of the functions that use it.

use crate::check::state::Checker;
use crate::check::state::functions::FunctionInfo;
use crate::check::state::options::{Needed, Pass};
use crate::check::state::reports::{Owner, PoisonUse};
use crate::check::state::scopes::{Symbol, Tag};
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::Target;
use crate::syntax::source::Span;
use crate::syntax::tree as ast;
use crate::syntax::tree::Name;
use reconverge_isa::wording::counted;
use std::collections::{BTreeMap, BTreeSet};

impl Checker {
    /// Records a use of a name whose declaration is faulty: the user becomes faulty too.
    pub(crate) fn note_poison(&mut self, name: &Name, span: Span) {
        self.reports.note_poison(name, span, false);
    }

    /// A declaration outside functions. The entities that it declares are poisoned if it is faulty.
    pub(crate) fn item_declaration(&mut self, declaration: &ast::Declaration) {
        let errors = self.reports.errors();
        self.file_declaration(declaration);
        let is_faulty = self.reports.errors() > errors || self.has_fault(declaration);
        if !is_faulty || self.options.needed == Needed::Everything {
            return;
        }
        for declared in &declaration.declarators {
            if let Some(name) = &declared.declarator.name {
                self.scopes.set(name.clone(), Symbol::Poisoned, None);
            }
        }
        for specifier in &declaration.specifiers.items {
            let tag = match &specifier.kind {
                ast::SpecifierKind::Struct(found) if found.members.is_some() => &found.tag,
                ast::SpecifierKind::Enum(found) if found.enumerators.is_some() => &found.tag,
                _ => continue,
            };
            if let Some(tag) = tag {
                // Some of its functions were read, but others of the same name may be missing.
                if let Some(Tag::Struct(id)) = self.scopes.find_tag(tag) {
                    let path = self.structure(id).path.clone();
                    self.scopes.poison_functions_in(&path);
                }
                self.scopes.set(tag.clone(), Symbol::Poisoned, None);
                self.scopes.set_tag(tag.clone(), Tag::Poisoned, None);
            }
        }
    }

    /// Returns true if reading a declaration has reported a fault in it; faults in the members of a
    /// structure belong to these.
    fn has_fault(&self, declaration: &ast::Declaration) -> bool {
        let defines = declaration.specifiers.items.iter().any(
            |one| matches!(&one.kind, ast::SpecifierKind::Struct(found) if found.members.is_some()),
        );
        let first = declaration.declarators.first().map(|first| first.declarator.span.start);
        let start = match (defines, first) {
            (false, _) => declaration.span.start,
            (true, Some(first)) => first,
            (true, None) => return false,
        };
        let whole = Span { start, ..declaration.span };
        self.reports.of_reading().iter().any(|fault| contains(whole, *fault))
    }

    /// Reads the bodies of templates without instances, so that text which is not even a statement
    /// is found.
    pub(crate) fn read_templates(&mut self) {
        let unread: Vec<Diagnostic> =
            self.templates.iter().flat_map(|template| template.unread()).collect();
        unread.into_iter().for_each(|fault| self.report(fault));
    }

    /// The functions that have to be without faults.
    fn needed_functions(&self) -> Option<BTreeSet<usize>> {
        let is_kernel =
            |info: &FunctionInfo| info.sides.kernel && info.defined && info.pending.is_none();
        let those = |wanted: &dyn Fn(&FunctionInfo) -> bool| -> Vec<usize> {
            (0..self.functions.len()).filter(|&index| wanted(&self.functions[index])).collect()
        };
        let mut open = match (&self.options.needed, &self.pass) {
            (Needed::Everything, _) => return None,
            (Needed::Program, Pass::Device(None)) => return None,
            (Needed::Program, Pass::Device(Some(launched))) => {
                let launched = those(&|info| is_kernel(info) && launched.contains(&info.name));
                if launched.is_empty() {
                    return Some(BTreeSet::new());
                }
                launched
            }
            (Needed::Program, _) => those(&FunctionInfo::is_main),
            (Needed::Kernels, _) => those(&is_kernel),
            (Needed::Kernel(name), _) => those(&|info| is_kernel(info) && is_called(info, name)),
        };
        if open.is_empty() && matches!(self.options.needed, Needed::Kernel(_)) {
            // Without the requested kernel, all of them count.
            open = those(&is_kernel);
        }
        if open.is_empty() {
            return None;
        }
        if self.options.needed == Needed::Program && !matches!(self.pass, Pass::Device(_)) {
            // Variables outside functions get their values before `main`.
            open.extend(self.functions.called_outside());
        }
        let mut needed: BTreeSet<usize> = open.iter().copied().collect();
        while let Some(index) = open.pop() {
            for (callee, _) in &self.functions[index].calls {
                if self.concerns(*callee) && needed.insert(*callee) {
                    open.push(*callee);
                }
            }
        }
        Some(needed)
    }

    /// The names of the kernels that the needed host code launches; `None` when everything is
    /// needed.
    pub(crate) fn launched_kernels(&self) -> Option<BTreeSet<Name>> {
        let needed = self.needed_functions()?;
        let calls = needed.iter().flat_map(|&index| &self.functions[index].calls);
        let called = calls.map(|(callee, _)| &self.functions[*callee]);
        Some(called.filter(|info| info.sides.kernel).map(|info| info.name.clone()).collect())
    }

    /// Returns true if a finding is about functions that this pass does not concern.
    fn is_of_other_pass(&self, owner: Option<Owner>, found: &Diagnostic) -> bool {
        let inside = |&index: &usize| self.is_inside(index, found.primary.span);
        match owner {
            Some(Owner::Function(index)) => !self.concerns(index),
            _ => {
                let mut around = (0..self.functions.len()).filter(inside).peekable();
                around.peek().is_some() && around.all(|index| !self.concerns(index))
            }
        }
    }

    /// The faults of reading and checking, those that do not matter put together as warnings.
    pub(crate) fn judge(
        &mut self,
        device_items: &[Span],
        syntax: Vec<Diagnostic>,
    ) -> Vec<Diagnostic> {
        let (found, uses) = self.reports.take();
        let syntax = syntax.into_iter().map(|found| (None, found));
        let mut found: Vec<(Option<Owner>, Diagnostic)> = syntax.chain(found).collect();
        let all = found.len();
        if !matches!(self.pass, Pass::Whole) {
            found.retain(|(owner, found)| {
                let of_other = self.is_of_other_pass(*owner, found);
                match found.code {
                    // In the functions of this pass the name is not known.
                    code::HOST_READS => of_other,
                    _ => is_fatal(found) || is_unused(found) || !of_other,
                }
            });
        }
        let Some(needed) = self.needed_functions() else {
            return found.into_iter().map(|(_, found)| found).collect();
        };
        let is_partial = found.len() < all;
        let mut kept = Vec::new();
        // Functions with faults of their own: those that follow from others' are not reported.
        let mut failing = BTreeSet::new();
        // By owner: the first fault, and their number.
        let mut folded: BTreeMap<(Option<Owner>, u32, u32), (Diagnostic, usize)> = BTreeMap::new();
        for (owner, found) in found {
            let span = found.primary.span;
            let inside = |&index: &usize| self.is_inside(index, span);
            let matters = self.matters(owner, span, &needed, device_items);
            if matters || !found.is_error() || is_fatal(&found) {
                if found.is_error() {
                    failing.extend((0..self.functions.len()).filter(inside));
                }
                kept.push(found);
                continue;
            }
            let place = match owner {
                Some(Owner::Function(_)) => (owner, 0, 0),
                _ => {
                    let around = (0..self.functions.len()).find(inside);
                    match around {
                        Some(index) => (Some(Owner::Function(index)), 0, 0),
                        None => (owner, span.file.0, span.start),
                    }
                }
            };
            folded.entry(place).and_modify(|(_, count)| *count += 1).or_insert((found, 1));
        }
        let is_partial = is_partial || !folded.is_empty();
        if is_partial || matches!(self.options.needed, Needed::Kernel(_)) {
            let all = 0..self.functions.len();
            self.functions.leave_out(all.filter(|index| !needed.contains(index)).collect());
        }
        self.add_poisoned_uses(uses, device_items, &needed, &failing, &mut kept);
        let is_missed = kept.iter().any(|found| found.code == code::UNUSABLE);
        for ((owner, ..), (first, count)) in folded {
            kept.extend(self.misjudged(owner, &first, &needed));
            kept.push(self.demote(owner, &first, count, is_missed));
        }
        kept
    }

    /// Adds an error for each use, by needed code, of a name whose declaration cannot be read;
    /// functions with faults of their own are not reported again.
    fn add_poisoned_uses(
        &self,
        uses: Vec<PoisonUse>,
        device_items: &[Span],
        needed: &BTreeSet<usize>,
        failing: &BTreeSet<usize>,
        kept: &mut Vec<Diagnostic>,
    ) {
        let mut seen = BTreeSet::new();
        for PoisonUse { owner, name, span, .. } in uses {
            let index = match owner {
                Some(Owner::Function(index)) => Some(index),
                // In the head of a function.
                _ => needed.iter().copied().find(|&index| self.is_inside(index, span)),
            };
            let matters = match index {
                Some(index) => {
                    needed.contains(&index)
                        && !failing.contains(&index)
                        && seen.insert((index, name.clone()))
                }
                None => device_items.iter().any(|whole| contains(*whole, span)),
            };
            if matters {
                let message = format!("`{name}` is used, but its declaration cannot be read");
                kept.push(Diagnostic::error(code::UNUSABLE, span, message));
            }
        }
    }

    /// Returns true if a fault belongs to needed code; one that was found while reading, or in a
    /// head, belongs to the functions whose text it is in.
    fn matters(
        &self,
        owner: Option<Owner>,
        span: Span,
        needed: &BTreeSet<usize>,
        device_items: &[Span],
    ) -> bool {
        if let Some(Owner::Function(index)) = owner {
            return needed.contains(&index);
        }
        let inside = |&index: &usize| self.is_inside(index, span);
        let mut around = (0..self.functions.len()).filter(inside).peekable();
        match around.peek() {
            Some(_) => around.any(|index| needed.contains(&index)),
            None => device_items.iter().any(|whole| contains(*whole, span)),
        }
    }

    /// A check of the compiler itself: an error if something is left out that a needed function
    /// names, and means.
    fn misjudged(
        &self,
        owner: Option<Owner>,
        fault: &Diagnostic,
        needed: &BTreeSet<usize>,
    ) -> Option<Diagnostic> {
        let order = match owner {
            Some(Owner::Function(_)) => return None,
            Some(Owner::Item(order)) => order,
            None => self.program.item_around(fault.primary.span)?,
        };
        let names = |index: &&usize| self.functions.names(**index, order);
        let function = &self.functions[*needed.iter().find(names)?];
        let message =
            format!("something with a fault is left out, though `{}` needs it", function.name);
        let found = Diagnostic::error(code::INTERNAL, fault.primary.span, message);
        Some(found.note(format!("the fault: {}", fault.message)))
    }

    /// Returns true if a place is in the text of a function.
    fn is_inside(&self, index: usize, span: Span) -> bool {
        self.functions[index].whole.is_some_and(|whole| contains(whole, span))
    }

    /// The faults of something that is left out, as a warning. If something is missed, it may be this.
    fn demote(
        &self,
        owner: Option<Owner>,
        first: &Diagnostic,
        count: usize,
        is_missed: bool,
    ) -> Diagnostic {
        let what = match owner {
            Some(Owner::Function(index)) => {
                format!("{}, which is not needed, cannot be run", self.describe_function(index))
            }
            _ if is_missed => "this is left out".to_owned(),
            _ => "this is left out, as nothing that is needed uses it".to_owned(),
        };
        let message = format!("{what}: {}", first.message);
        let mut found = Diagnostic::warning(code::NOT_NEEDED, first.primary.span, message);
        if count > 1 {
            let more = counted(count as u64 - 1, "more fault");
            found = found.note(format!("and {more} in it"));
        }
        found
    }
}

/// Returns true if a function has this name, with arguments after it if a template made it.
fn is_called(info: &FunctionInfo, name: &str) -> bool {
    let rest = info.name.strip_prefix(name);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('<') || rest.starts_with('('))
}

/// Returns true if a place lies inside another.
pub(crate) fn contains(whole: Span, part: Span) -> bool {
    whole.file == part.file && whole.start <= part.start && part.end <= whole.end
}

/// The spans of the declarations that device code consists of.
pub(crate) fn device_spans(items: &[ast::Item]) -> Vec<Span> {
    let mut spans = Vec::new();
    for item in items {
        match item {
            ast::Item::Namespace(_, items) => spans.extend(device_spans(items)),
            ast::Item::Declaration(declaration) if is_device(&declaration.specifiers) => {
                spans.push(declaration.span);
            }
            ast::Item::Function(definition) if is_device(&definition.specifiers) => {
                spans.push(definition.span);
            }
            _ => {}
        }
    }
    spans
}

fn is_device(specifiers: &ast::Specifiers) -> bool {
    use ast::Word::{Constant, Global, Shared};
    let word = |one: &ast::Specifier| {
        matches!(one.kind, ast::SpecifierKind::Word(Constant | Global | Shared))
    };
    specifiers.items.iter().any(word)
}

/// Returns true for a warning about an unused entity, which needs the agreement of both passes.
fn is_unused(found: &Diagnostic) -> bool {
    [code::UNUSED_FUNCTION, code::UNUSED_LABEL, code::UNUSED_VARIABLE].contains(&found.code)
}

/// The findings of two passes over a program, each once.
pub(crate) fn both_passes(
    host: Vec<Diagnostic>,
    device: Vec<Diagnostic>,
    target: Target,
) -> Vec<Diagnostic> {
    let same = |one: &Diagnostic, other: &Diagnostic| {
        (one.primary.span, one.code, &one.message)
            == (other.primary.span, other.code, &other.message)
    };
    let mut all: Vec<Diagnostic> = Vec::new();
    let is_known =
        |found: &Diagnostic, others: &[Diagnostic]| others.iter().any(|other| same(found, other));
    let note = format!("in device code, where `__CUDA_ARCH__` is {}", target.architecture);
    for found in &device {
        match is_known(found, &host) {
            true => {}
            false if is_unused(found) => {}
            false => all.push(found.clone().note(note.clone())),
        }
    }
    all.extend(host.into_iter().filter(|found| !is_unused(found) || is_known(found, &device)));
    all
}

/// Returns true if a fault makes everything uncertain: those of the preprocessor, and of brackets.
fn is_fatal(found: &Diagnostic) -> bool {
    found.code.id().starts_with("E01") || [code::UNCLOSED, code::UNOPENED].contains(&found.code)
}
