//! `thread-frontiers`: no stack; of a warp's splits the one with the lowest program counter runs, so
//! that those ahead wait for it.
//!
//! Source: Aamodt, Fung, Rogers, "General-Purpose Graphics Processor Architectures", §3.4.2 and
//! §3.4.4, after Diamos et al. Differences: splits are kept instead of a program counter in each
//! thread; two that are at one place become one. Code is not sorted for it. The scheme relies on
//! the compiler's layout: the exits of a loop follow it, and the paths of a branch precede the
//! place where they meet. If code goes backwards elsewhere, splits only meet later. A split that
//! waits at a barrier of the block, or for lanes that are elsewhere, is passed over.

use super::by_splits::{BySplits, SplitScheme};
use super::slot::{Build, Capabilities};
use super::splits::{SplitAt, Splits, State, Taken};
use crate::block::path::NEVER;
use crate::mechanisms::mechanism::{Mechanism, NoOptions, options};

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "thread-frontiers",
    sentence: "no stack: the warp split with the lowest program counter runs, and splits at the same \
               program counter are merged",
    options: &[],
    trials: &[],
    statistics: &[],
    build: &|table| {
        let NoOptions {} = options(table)?;
        Ok(Box::new(BySplits::new(1, ThreadFrontiers)))
    },
};

struct ThreadFrontiers;

impl SplitScheme for ThreadFrontiers {
    fn capabilities(&self) -> Capabilities {
        Capabilities { reconverges_as_compiled: false, ..Capabilities::default() }
    }

    fn part(&mut self, splits: &mut Splits, at: SplitAt, taken: Taken, _meet: u32) {
        splits.part(at, taken);
    }

    /// No split takes turns.
    fn backward(&mut self, _splits: &mut Splits, _at: SplitAt) {}

    fn settle(&mut self, splits: &mut Splits, warp: usize) {
        splits.merge(warp);
        let ready = splits.of(warp).iter().enumerate().filter(|(_, split)| split.is_ready());
        let lowest = ready.min_by_key(|(_, split)| split.pc).map(|(index, _)| index);
        if let Some(lowest) = lowest {
            let pc = splits.of(warp)[lowest].pc;
            let others = splits.of(warp).iter();
            let others = others.filter(|it| matches!(it.state, State::Ready | State::Deferred));
            let reconvergence_pc = others.map(|split| split.pc).filter(|&other| other > pc).min();
            splits.of_mut(warp)[lowest].reconvergence_pc = reconvergence_pc.unwrap_or(NEVER);
        }
        for (index, split) in splits.of_mut(warp).iter_mut().enumerate() {
            split.slot = (lowest == Some(index)).then_some(0);
        }
    }
}
