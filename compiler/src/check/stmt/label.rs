//! Labels and the `goto` statements that lead to them.
//!
//! A label is seen in the whole function, also above its place and from outside of the statements
//! around it, so that what is wrong with one is known at the end of the body.

use crate::check::Checker;
use crate::check::tree::{LabelId, StmtKind};
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree::Name;
use reconverge_isa::nearest::nearest;
use std::collections::BTreeMap;

/// The labels of a function so far, by name.
#[derive(Debug, Default)]
pub(crate) struct Labels(BTreeMap<Name, Label>);

#[derive(Debug)]
struct Label {
    id: LabelId,
    /// Where it stands.
    defined: Option<Span>,
    /// Every `goto` that leads to it.
    jumps: Vec<Span>,
}

impl Labels {
    fn get(&mut self, name: &Name) -> &mut Label {
        let id = LabelId(self.0.len() as u32);
        let new = || Label { id, defined: None, jumps: Vec::new() };
        self.0.entry(name.clone()).or_insert_with(new)
    }
}

impl Checker {
    /// `name:`
    pub(crate) fn target(&mut self, name: &Name, span: Span) -> Option<StmtKind> {
        let label = self.body.as_mut()?.labels.get(name);
        let id = label.id;
        match label.defined {
            None => {
                label.defined = Some(span);
                self.note_label(id);
                Some(StmtKind::Target(id))
            }
            Some(first) => {
                let message = format!("the label `{name}` is defined twice");
                self.fail(
                    Diagnostic::error(code::REDEFINED, span, message)
                        .secondary(first, "first defined here"),
                )
            }
        }
    }

    /// `goto name;`
    pub(crate) fn goto(&mut self, name: &Name, span: Span) -> Option<StmtKind> {
        let label = self.body.as_mut()?.labels.get(name);
        label.jumps.push(span);
        let id = label.id;
        Some(self.leap(id, span))
    }

    /// What can be said of the labels once the whole body is known.
    pub(crate) fn finish_labels(&mut self) {
        let Some(body) = &mut self.body else {
            return;
        };
        let labels = std::mem::take(&mut body.labels).0;
        let has_errors = body.errors != self.errors;
        let defined = |(name, label): (&'_ Name, &Label)| label.defined.map(|_| name.clone());
        let known: Vec<Name> = labels.iter().filter_map(defined).collect();
        for (name, label) in &labels {
            match label.defined {
                None => {
                    label.jumps.iter().for_each(|&jump| self.report_label_of(name, jump, &known))
                }
                Some(span) if label.jumps.is_empty() && !has_errors => {
                    let message = format!("no `goto` leads to the label `{name}`");
                    let mut found = Diagnostic::warning(code::UNUSED_LABEL, span, message);
                    if nearest(name, std::iter::once("default")).is_some() {
                        found = found.help("did you mean `default`?");
                    }
                    self.report(found);
                }
                Some(_) => {}
            }
        }
    }

    fn report_label_of(&mut self, name: &Name, jump: Span, known: &[Name]) {
        let message = format!("there is no label `{name}` in this function");
        let mut found = Diagnostic::error(code::UNKNOWN_LABEL, jump, message);
        if let Some(near) = nearest(name, known.iter().map(|name| &**name)) {
            found = found.help(format!("did you mean `{near}`?"));
        }
        self.report(found);
    }
}
