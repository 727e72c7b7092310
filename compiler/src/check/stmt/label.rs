//! Labels and the `goto` statements that lead to them.
//!
//! A label is visible in the whole function, also above its place and from outside of the
//! statements around it, so that faults of labels are known at the end of the body.

use crate::check::state::Checker;
use crate::check::state::jumps::Label;
use crate::check::tree::StmtKind;
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree::Name;
use reconverge_isa::nearest::nearest;

impl Checker {
    /// `name:`
    pub(crate) fn target(&mut self, name: &Name, span: Span) -> Option<StmtKind> {
        match self.body.as_mut()?.labels.define(name, span) {
            Ok(id) => {
                self.note_label(id);
                Some(StmtKind::Target(id))
            }
            Err(first) => {
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
        let label = self.body.as_mut()?.labels.add_jump(name, span);
        Some(self.pending_goto(label, span))
    }

    /// Reports on the labels once the whole body is known.
    pub(crate) fn finish_labels(&mut self) {
        let Some(body) = &mut self.body else {
            return;
        };
        let labels = body.labels.take();
        let has_errors = body.errors != self.reports.errors();
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
