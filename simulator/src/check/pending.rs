//! Asynchronous copies: they write shared memory at any time from their start to the end of a wait for them.
//!
//! A copy counts as a write by its thread at its start, and again at the end of the wait: a barrier orders it only if the
//! wait comes first. In between it conflicts with every access to its bytes, those of its own thread included.

use reconverge_isa::{MAX_LANES, SHARED_BASE};

use super::event::{Kept, Seen};
use crate::block::copies::Groups;
use crate::execute::lanes::lanes_of;

/// A copy that no wait has ended.
#[derive(Debug)]
struct Pending {
    write: Box<Kept>,
    /// Its lanes that have not been awaited.
    lanes: u64,
    /// By lane, the groups that its thread had committed before.
    groups: [u32; MAX_LANES],
}

/// The instruction and the thread of a pending copy.
#[derive(Clone, Copy, Debug)]
pub(super) struct Writer {
    pub pc: u32,
    pub thread: u16,
}

/// The asynchronous copies of a block.
#[derive(Debug, Default)]
pub(super) struct PendingCopies {
    committed: Groups,
    pending: Vec<Pending>,
    /// By word of shared memory: the last pending copy that writes it; empty before the first copy.
    words: Vec<Option<Writer>>,
}

impl PendingCopies {
    pub(super) fn clear(&mut self) {
        self.committed.clear();
        self.pending.clear();
        self.words.clear();
    }

    /// Threads of a warp of `width` lanes end their groups.
    pub(super) fn commit(&mut self, warp: u16, lanes: u64, width: usize) {
        let first = usize::from(warp) * width;
        lanes_of(lanes).for_each(|lane| self.committed.commit(first + lane));
    }

    /// The first lane of an access to shared memory that touches bytes of a pending copy, with that copy.
    pub(super) fn conflict(&self, seen: &Seen) -> Option<(usize, Writer)> {
        lanes_of(seen.shared).find_map(|at| {
            let first = seen.addresses[at].wrapping_sub(SHARED_BASE) as usize;
            let words = self.words.get(first / 4..(first + seen.size()).div_ceil(4));
            let writer = words?.iter().flatten().next()?;
            Some((at, *writer))
        })
    }

    /// Copies start, in warps of `width` lanes.
    pub(super) fn start(&mut self, write: &Kept, width: usize) {
        let seen = write.seen();
        let mut groups = [0; MAX_LANES];
        for at in lanes_of(seen.shared) {
            let thread = seen.thread(at, width);
            groups[at] = self.committed.of(thread);
            self.note(&seen, at, Some(Writer { pc: seen.pc, thread: thread as u16 }));
        }
        let lanes = seen.shared;
        self.pending.push(Pending { write: Box::new(write.clone()), lanes, groups });
    }

    /// Takes the copies that a wait of lanes of a warp is for, each with its lanes: all but those of the last `left` groups.
    pub(super) fn take_awaited(
        &mut self,
        warp: u16,
        lanes: u64,
        left: u32,
        width: usize,
    ) -> Vec<(Box<Kept>, u64)> {
        let mut awaited = Vec::new();
        for mut copy in std::mem::take(&mut self.pending) {
            let seen = copy.write.seen();
            let mut over = 0;
            for at in lanes_of(copy.lanes) {
                let thread = seen.thread(at, width);
                let is_waiting =
                    thread / width == usize::from(warp) && lanes >> (thread % width) & 1 != 0;
                if is_waiting && self.committed.awaits(thread, copy.groups[at], left) {
                    over |= 1 << at;
                    self.note(&seen, at, None);
                }
            }
            copy.lanes &= !over;
            match copy.lanes {
                0 => awaited.push((copy.write, over)),
                _ if over != 0 => {
                    awaited.push((copy.write.clone(), over));
                    self.pending.push(copy);
                }
                _ => self.pending.push(copy),
            }
        }
        awaited
    }

    /// Notes the word of a lane's copy, or forgets it.
    fn note(&mut self, write: &Seen, at: usize, writer: Option<Writer>) {
        let word = write.addresses[at].wrapping_sub(SHARED_BASE) as usize / 4;
        if self.words.len() <= word {
            self.words.resize(word + 1, None);
        }
        self.words[word] = writer;
    }
}
