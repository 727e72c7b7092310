//! Labels and `goto`.
//!
//! A block that is jumped to from below is sealed when the last jump is lowered: until then its
//! predecessors are not all known. All others have been jumped to when their label is reached.

use super::error::{LowerError, Result};
use super::tree::Lowerer;
use super::walk;
use crate::check::tree::{Function, LabelId, LocalId};
use crate::ir::Block;
use crate::syntax::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// The labels of a function being lowered.
#[derive(Default)]
pub(super) struct Labels {
    /// The number of jumps to each label that are not lowered yet.
    jumps: BTreeMap<LabelId, usize>,
    blocks: BTreeMap<LabelId, Block>,
    /// Labels that have been reached.
    placed: BTreeSet<LabelId>,
}

impl Labels {
    /// The labels of a function of which nothing is lowered.
    pub fn new(function: &Function) -> Labels {
        let mut labels = Labels::default();
        for label in walk::jumps(function) {
            *labels.jumps.entry(label).or_default() += 1;
        }
        labels
    }

    /// Returns true if a statement of the function may be executed again without a loop around it.
    pub fn any(&self) -> bool {
        !self.jumps.is_empty()
    }
}

impl Lowerer<'_> {
    /// The block of a label's statements; `None` when nothing leads to it.
    fn block_of(&mut self, label: LabelId) -> Option<Block> {
        let labels = &self.frame().labelled;
        if !labels.jumps.contains_key(&label) {
            return None;
        }
        if let Some(&block) = labels.blocks.get(&label) {
            return Some(block);
        }
        let block = self.builder.block();
        self.frame().labelled.blocks.insert(label, block);
        Some(block)
    }

    pub(super) fn target(&mut self, label: LabelId) {
        let Some(block) = self.block_of(label) else {
            return;
        };
        self.builder.jump(block);
        let labels = &mut self.frame().labelled;
        labels.placed.insert(label);
        if labels.jumps.get(&label) == Some(&0) {
            self.builder.enter_sealed(block);
        } else {
            self.builder.enter(block);
        }
    }

    pub(super) fn goto(&mut self, label: LabelId, span: Span) -> Result<()> {
        let Some(block) = self.block_of(label) else {
            return Err(LowerError::unsupported(span, "a jump to a label that is not there"));
        };
        self.builder.jump(block);
        let labels = &mut self.frame().labelled;
        let left = labels.jumps.entry(label).or_default();
        *left = left.saturating_sub(1);
        if *left == 0 && labels.placed.contains(&label) {
            self.builder.seal_label(block);
        }
        Ok(())
    }

    /// A variable whose declaration a jump passes by is still zero, in every call.
    pub(super) fn clear_jumped_over(&mut self, function: &Function) -> Result<()> {
        for local in walk::jumped_over(function) {
            self.clear_object(local)?;
        }
        Ok(())
    }

    fn clear_object(&mut self, local: LocalId) -> Result<()> {
        match self.storage(local)? {
            super::tree::Storage::Slot(slot) if self.loops > 0 => {
                let ty = &self.frame().function.local(local).ty;
                let address = self.builder.slot_address(slot);
                self.clear_memory(address, ty, true)
            }
            _ => self.clear(local),
        }
    }
}
