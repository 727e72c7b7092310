//! Replacements of values, until all operands are rewritten at once.

use crate::ir::{Function, Value};

/// Replacements of values that are decided one by one and applied at once.
pub(crate) struct Forward(Vec<Value>);

impl Forward {
    pub(crate) fn new(function: &Function) -> Forward {
        Forward((0..function.values.len() as u32).map(Value).collect())
    }

    /// The present replacement of `value`.
    pub(crate) fn get(&mut self, value: Value) -> Value {
        let mut at = value;
        while let Some(&next) = self.0.get(at.index()).filter(|&&next| next != at) {
            // Halving the path keeps later look-ups short.
            let further = self.0[next.index()];
            self.0[at.index()] = further;
            at = further;
        }
        at
    }

    /// Replaces `value` by `with`; does nothing when it is replaced so already.
    pub(crate) fn replace(&mut self, value: Value, with: Value) {
        let with = self.get(with);
        if with == value {
            return;
        }
        while self.0.len() <= value.index().max(with.index()) {
            self.0.push(Value(self.0.len() as u32));
        }
        self.0[value.index()] = with;
    }

    /// Rewrites all operands and removes the replaced instructions. Returns true if there were any.
    pub(crate) fn apply(&mut self, function: &mut Function) -> bool {
        let replaced = |this: &Self, value: Value| {
            this.0.get(value.index()).is_some_and(|&with| with != value)
        };
        let any = (0..self.0.len() as u32).any(|value| replaced(self, Value(value)));
        if any {
            function.replace_operands(|value| self.get(value));
            function.remove_where(|value| replaced(self, value));
        }
        any
    }
}
