//! The statements of a function that jumps leave, and the labels that they lead to.

use crate::check::tree::{CaseId, IntKind, LabelId, StmtKind};
use crate::check::types::CType;
use crate::syntax::source::Span;
use crate::syntax::tree::Name;
use std::collections::BTreeMap;

/// A statement that `break` or `continue` leaves.
#[derive(Debug)]
enum Jump {
    /// With how many objects there are in front of it whose destructors are still to be called.
    Loop(usize),
    Switch(Switch),
}

/// A switch and its labels so far.
#[derive(Debug)]
pub(crate) struct Switch {
    /// The type of its value; `None` when that was reported.
    pub kind: Option<IntKind>,
    pub cases: Vec<(i64, CaseId)>,
    /// The place of the `case` of each value.
    places: BTreeMap<i64, Span>,
    pub default: Option<(CaseId, Span)>,
    next: u32,
    /// The number of objects in front of it whose destructors are still to be called.
    pub height: usize,
}

impl Switch {
    /// A switch without labels over a value of this type.
    pub fn over(ty: Option<&CType>, height: usize) -> Switch {
        let kind = ty.and_then(CType::kind);
        Switch { kind, cases: Vec::new(), places: BTreeMap::new(), default: None, next: 0, height }
    }

    fn label(&mut self) -> CaseId {
        self.next += 1;
        CaseId(self.next - 1)
    }

    /// Adds the `case` of a value.
    ///
    /// # Errors
    /// The place of an earlier `case` of the value.
    pub fn add_case(&mut self, value: i64, span: Span) -> Result<CaseId, Span> {
        if let Some(&earlier) = self.places.get(&value) {
            return Err(earlier);
        }
        let id = self.label();
        self.places.insert(value, span);
        self.cases.push((value, id));
        Ok(id)
    }

    /// Adds `default`.
    ///
    /// # Errors
    /// The place of an earlier `default`.
    pub fn add_default(&mut self, span: Span) -> Result<CaseId, Span> {
        if let Some((_, earlier)) = self.default {
            return Err(earlier);
        }
        let id = self.label();
        self.default = Some((id, span));
        Ok(id)
    }
}

/// The loops and switches around the statement being checked, innermost last.
#[derive(Debug, Default)]
pub(crate) struct Jumps(Vec<Jump>);

impl Jumps {
    /// Begins a loop; `height` objects in front of it have destructors that are still to be called.
    pub fn begin_loop(&mut self, height: usize) {
        self.0.push(Jump::Loop(height));
    }

    /// The innermost loop ends.
    pub fn end_loop(&mut self) {
        self.0.pop();
    }

    pub fn begin_switch(&mut self, switch: Switch) {
        self.0.push(Jump::Switch(switch));
    }

    /// The innermost switch ends, with all its labels.
    pub fn end_switch(&mut self) -> Option<Switch> {
        match self.0.pop() {
            Some(Jump::Switch(switch)) => Some(switch),
            _ => None,
        }
    }

    /// The number of objects that a `break` or `continue` leaves alive; `None` where it is not
    /// allowed.
    pub fn target_height(&self, kind: &StmtKind) -> Option<usize> {
        let is_break = matches!(kind, StmtKind::Break);
        self.0.iter().rev().find_map(|jump| match jump {
            Jump::Loop(height) => Some(*height),
            Jump::Switch(switch) => is_break.then_some(switch.height),
        })
    }

    /// The innermost switch.
    pub fn innermost_switch(&mut self) -> Option<&mut Switch> {
        self.0.iter_mut().rev().find_map(|jump| match jump {
            Jump::Switch(switch) => Some(switch),
            Jump::Loop(_) => None,
        })
    }
}

/// A label of a function.
#[derive(Debug)]
pub(crate) struct Label {
    id: LabelId,
    /// The place of the label.
    pub defined: Option<Span>,
    /// Every `goto` that leads to it.
    pub jumps: Vec<Span>,
}

/// The labels of a function so far, by name.
#[derive(Debug, Default)]
pub(crate) struct Labels(BTreeMap<Name, Label>);

impl Labels {
    fn get(&mut self, name: &Name) -> &mut Label {
        let id = LabelId(self.0.len() as u32);
        let new = || Label { id, defined: None, jumps: Vec::new() };
        self.0.entry(name.clone()).or_insert_with(new)
    }

    /// Defines a label.
    ///
    /// # Errors
    /// The place of an earlier definition.
    pub fn define(&mut self, name: &Name, span: Span) -> Result<LabelId, Span> {
        let label = self.get(name);
        match label.defined {
            Some(first) => Err(first),
            None => {
                label.defined = Some(span);
                Ok(label.id)
            }
        }
    }

    /// Adds a `goto` that leads to a label.
    pub fn add_jump(&mut self, name: &Name, span: Span) -> LabelId {
        let label = self.get(name);
        label.jumps.push(span);
        label.id
    }

    /// Takes all labels, which are known at the end of the body.
    pub fn take(&mut self) -> BTreeMap<Name, Label> {
        std::mem::take(&mut self.0)
    }
}
