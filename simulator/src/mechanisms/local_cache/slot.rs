//! Slot `local-cache`: a cache of local memory beside the first-level data cache of an SM.
//!
//! Local memory is interleaved, so that the same word of a warp's threads is one line of the L1: a
//! *vector*. An instruction accesses some lanes of each of its vectors, a *transaction* each. When
//! it issues, the mechanism sees the loaded or stored words, and states which of them it could
//! keep; the L1 carries no values. The load/store unit looks transactions up in the order of issue
//! (`sm/lsu/l1/local.rs`): words that the mechanism does not have or keep go to the L1. The
//! registers of loads have their values already; mechanisms decide time only.
//!
//! A mechanism may keep lines of global memory too, which are encoded when they arrive
//! (`sm/lsu/l1/global.rs`).

use super::affine_vector::{AffineVector, LANES};
use crate::mechanisms::setup::Setup;
use crate::observe::mechanism_statistics::MechanismStatistics;
use crate::observe::statistics::Statistics;

/// Constructs a mechanism from its options; nothing for the one that keeps nothing.
pub type Build =
    &'static (dyn Fn(&Setup, LocalShape) -> Result<Option<Box<dyn LocalCache>>, String> + Sync);

/// The properties of an SM that decide how warps access local memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalShape {
    /// Lanes of a warp.
    pub warp_width: u32,
    /// Bytes of a line of the first level.
    pub line: u32,
    /// The slot `lane-permutation` keeps every thread in the lane of its place.
    pub in_order: bool,
}

/// The most parts of a vector that are encoded each on its own.
pub(super) const PARTS: usize = 2;

/// An instruction's access of a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transaction {
    /// The lanes, by the place of a thread in its warp.
    pub lanes: u32,
    /// The lanes whose words can be kept.
    pub affine: u32,
    /// Lanes of each part.
    part_lanes: u32,
    /// The contents of the lanes of each part, if they are affine.
    parts: [Option<AffineVector>; PARTS],
}

/// The contents of the lanes of a part of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// All have 0.
    Zero,
    /// All have the same word, which is not 0.
    Uniform,
    /// A base and a stride that is not 0.
    Affine,
    /// Anything else.
    Generic,
}

impl Transaction {
    /// An access of words in some lanes, each `part_lanes` of which are encoded on their own: 16 or 32.
    pub fn new(words: &[u32; LANES], lanes: u32, part_lanes: u32) -> Transaction {
        let parts = [None; PARTS];
        let mut transaction = Transaction { lanes, affine: 0, part_lanes, parts };
        for part in 0..LANES as u32 / part_lanes {
            let lanes = lanes & transaction.part(part);
            let form = AffineVector::encode(words, lanes);
            transaction.parts[part as usize] = form;
            transaction.affine |= if form.is_some() { lanes } else { 0 };
        }
        transaction
    }

    /// The same access if its words cannot be kept, for words of any form.
    pub fn generic(self) -> Transaction {
        Transaction { affine: 0, parts: [None; PARTS], ..self }
    }

    /// This access by some of its lanes only.
    pub fn within(self, lanes: u32) -> Transaction {
        Transaction { lanes: self.lanes & lanes, affine: self.affine & lanes, ..self }
    }

    /// Lanes that are encoded together.
    pub fn part_lanes(&self) -> u32 {
        self.part_lanes
    }

    /// The lanes of a part.
    fn part(&self, part: u32) -> u32 {
        (u32::MAX >> (LANES as u32 - self.part_lanes)) << (part * self.part_lanes)
    }

    /// The parts that have lanes here: their numbers, lanes and contents.
    pub(super) fn parts(self) -> impl Iterator<Item = (u32, u32, Option<AffineVector>)> {
        let lanes = move |part: u32| self.lanes & self.part(part);
        let parts = (0..LANES as u32 / self.part_lanes).filter(move |part| lanes(*part) != 0);
        parts.map(move |part| (part, lanes(part), self.parts[part as usize]))
    }

    /// Counts the forms of the parts that a load or store accesses.
    pub(crate) fn count(self, is_load: bool, statistics: &mut Statistics) {
        for form in self.forms() {
            let s = &mut *statistics;
            *match (is_load, form) {
                (true, Form::Zero) => &mut s.local_loads_zero,
                (true, Form::Uniform) => &mut s.local_loads_uniform,
                (true, Form::Affine) => &mut s.local_loads_affine,
                (true, Form::Generic) => &mut s.local_loads_generic,
                (false, Form::Zero) => &mut s.local_stores_zero,
                (false, Form::Uniform) => &mut s.local_stores_uniform,
                (false, Form::Affine) => &mut s.local_stores_affine,
                (false, Form::Generic) => &mut s.local_stores_generic,
            } += 1;
        }
    }

    /// The forms of the parts.
    fn forms(self) -> impl Iterator<Item = Form> {
        self.parts().map(|(_, _, vector)| match vector {
            None => Form::Generic,
            Some(vector) if vector.is_zero() => Form::Zero,
            Some(vector) if vector.is_uniform() => Form::Uniform,
            Some(_) => Form::Affine,
        })
    }
}

/// The origin of a kept transaction's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// They are stored to local memory, and not in memory.
    Stored,
    /// They were fetched from local memory.
    Fetched,
    /// They were fetched from global memory.
    Global,
}

/// A vector that has to be written back to make room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Victim {
    /// Its line of the first level, by number.
    pub line: u64,
    /// The lanes whose words are here.
    pub lanes: u32,
    /// It makes room for another form of the same vector.
    pub conflict: bool,
}

/// The memory of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// Local memory.
    Local,
    /// Global memory.
    Global,
}

/// The outcome of an access of the load/store unit, for the statistics of the mechanism.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A load found all its words, at first or when it was replayed.
    Hit(Space),
    /// A load found some of its words; it is replayed for the others.
    PartialHit(Space),
    /// A load found none of its words, and the L1 has served or requested them.
    Miss(Space),
    /// Words of a store are kept.
    Stored {
        /// It is replayed for its other words.
        replayed: bool,
    },
    /// Fetched words are kept.
    Filled(Space),
    /// A vector was written back.
    WrittenBack {
        /// Words that the L1 had of its line went with it.
        merged: bool,
        /// Bytes by which it was smaller than its sectors, if it was compressed.
        saved: Option<u32>,
    },
    /// The kept sectors of a line of global memory moved to the L1.
    Moved,
}

/// Keeps vectors of local memory of an SM, and optionally of global memory. Lines are those of the
/// L1, by number.
pub trait LocalCache: Send {
    /// Lanes that are encoded together, 16 or 32.
    fn part_lanes(&self) -> u32;

    /// Cycles that it adds to every load of the memory that it keeps vectors of.
    fn latency(&self) -> u64;

    /// Returns true if it keeps vectors of global memory in addition to those of local memory. The
    /// words of a sector of global memory are kept and forgotten together.
    fn keeps_global(&self) -> bool;

    /// Bytes that a vector takes which is written back as base and stride; nothing where it is written back as its
    /// words.
    fn compressed(&self) -> Option<u32>;

    /// A load looks for the words of some lanes: those that are here.
    fn load(&mut self, line: u64, lanes: u32) -> u32;

    /// The lanes of a line whose words are here: the first level's copies of them are out of date.
    fn valid(&self, line: u64) -> u32;

    /// The vector that has to be written back next before the affine lanes of a transaction can be kept.
    fn victim(&self, line: u64, transaction: &Transaction) -> Option<Victim>;

    /// The vector that was to be written back has been.
    fn evict(&mut self, victim: &Victim);

    /// Returns true if the affine lanes of a transaction can be kept beside the stored words of
    /// other lanes of their vectors.
    fn fits(&self, line: u64, transaction: &Transaction) -> bool;

    /// Keeps the affine lanes of a transaction, given that nothing has to be written back.
    fn put(&mut self, line: u64, transaction: &Transaction, origin: Origin);

    /// Forgets the words of some lanes, which are stored elsewhere, or move to the L1.
    fn clear(&mut self, line: u64, lanes: u32);

    /// Receives the outcome of an access.
    fn observe(&mut self, _outcome: Outcome) {}

    /// Adds the mechanism's own counters as they are in a cycle.
    fn count(&self, _own: &mut MechanismStatistics, _cycle: u64) {}
}
