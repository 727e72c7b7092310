//! `simt-stack`: a stack of {reconvergence point, program counter, mask} per warp.
//!
//! Source: Aamodt, Fung, Rogers, "General-Purpose Graphics Processor Architectures", §3.1.1; Rhu's
//! dissertation, §3.1.1. Differences: the top of the stack is kept in the slot's path, not in the
//! stack. An entry is not kept if its PC would be its own reconvergence point, so that a loop with
//! divergent exits does not grow the stack. Paths of a branch that meet only at exit are
//! independent entries without a reconvergence entry below them; a path that waits at a barrier of
//! the block lets the warp's other paths run, also those of branches further out, because they may
//! arrive too, or return (the sources know barriers of whole warps only).
//!
//! The side with fewer threads first does not bound the depth of this stack: 32 nested branches at
//! each of which one thread parts leave 32 reconvergence entries. The bound of §3.1.1, the logarithm
//! of the warp's width, is that of a stack of deferred paths only, as AMD's GCN has it with
//! `s_cbranch_g_fork` and `s_cbranch_join` (§3.4.4; AMD, "Southern Islands Series Instruction Set
//! Architecture", 2012). `entries = "deferred"` is that stack: a fork defers the side with more
//! threads, and runs the other, which has at most half of them. A path that arrives at its join takes
//! the last deferred one. The join's place and lanes are in scalar registers of the compiler, as many
//! as branches are nested in the code, and not in the stack. Paths run as with `fewer-threads-first`;
//! fork and join cost no instructions here. The bound needs barriers of the block outside of
//! divergent code, as GCN does: a path that waits at one is deferred too.

use reconverge_isa::planted::Planted;
use std::hash::Hasher;

use serde::Deserialize;

use super::slot::{BlockShape, Build, Capabilities, Divergence, DivergenceCounts, Observe, Step};
use crate::block::opening::Opening;
use crate::block::path::{Lanes, NEVER, Path, Paths, SlotId, SlotState};
use crate::mechanisms::mechanism::{Mechanism, options};
use crate::observe::scheme_state::{LaneSet, SchemeEntry, SchemePath, SchemeState};

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "simt-stack",
    sentence: "a reconvergence stack per warp; the two paths of a branch run one after the other and \
               reconverge at its immediate post-dominator",
    options: &[
        (
            "push-order",
            "which path of a divergent branch runs first: `taken-first` (default), or `fewer-threads-first`",
        ),
        (
            "entries",
            "what the stack holds: `all` (default), reconvergence entries too; or `deferred` paths only, \
             which with `fewer-threads-first`, then the default, bounds it by the logarithm of the warp's width",
        ),
    ],
    trials: &[
        &[("simt-stack.push-order", "fewer-threads-first")],
        &[("simt-stack.entries", "deferred")],
    ],
    statistics: &[],
    build: &|table| {
        let options: Options = options(table)?;
        let push_order = match (options.entries, options.push_order) {
            (Entries::Deferred, Some(PushOrder::TakenFirst)) => {
                return Err(
                    "`entries` is `deferred`, whose first path is that with fewer threads; \
                            leave `push-order` out"
                        .to_owned(),
                );
            }
            (Entries::Deferred, _) => PushOrder::FewerThreadsFirst,
            (Entries::All, order) => order.unwrap_or_default(),
        };
        Ok(Box::new(SimtStack {
            push_order,
            entries: options.entries,
            width: 1,
            warps: Vec::new(),
            deepest: 0,
            below: 0,
        }))
    },
};

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Options {
    push_order: Option<PushOrder>,
    entries: Entries,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum PushOrder {
    #[default]
    TakenFirst,
    FewerThreadsFirst,
}

/// The entries that the stack holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Entries {
    #[default]
    All,
    Deferred,
}

/// An entry below the top.
#[derive(Clone, Copy, Debug, Hash)]
struct Entry {
    reconverge: u32,
    pc: u32,
    mask: u64,
    /// Its threads reconverge there when the paths above it have arrived.
    joins: bool,
    /// It has arrived at a barrier and waits.
    waits: bool,
    /// It has let another side run, because it needs lanes that are elsewhere.
    deferred: bool,
}

impl Entry {
    fn new(reconverge: u32, pc: u32, mask: u64) -> Entry {
        Entry { reconverge, pc, mask, joins: false, waits: false, deferred: false }
    }
}

struct SimtStack {
    push_order: PushOrder,
    entries: Entries,
    width: u32,
    warps: Vec<Vec<Entry>>,
    deepest: usize,
    /// Entries below the tops, of all warps.
    below: usize,
}

impl SimtStack {
    /// The entries of a warp below its top that count.
    fn height(&self, slot: SlotId) -> usize {
        let stack = &self.warps[usize::from(slot.0)];
        match self.entries {
            Entries::All => stack.len(),
            Entries::Deferred => stack.iter().filter(|entry| !entry.joins).count(),
        }
    }

    /// The entry of a running path, which only a stack of all entries holds.
    fn of_top(&self) -> usize {
        usize::from(self.entries == Entries::All)
    }

    /// Makes the next entry that still has threads and work before its reconvergence point the
    /// path of the slot.
    fn pop(&mut self, slot: SlotId, paths: &mut Paths) {
        while let Some(entry) = self.warps[usize::from(slot.0)].pop() {
            if entry.mask != 0 && entry.pc != entry.reconverge {
                self.install(slot, entry, paths);
                return;
            }
        }
        paths.clear(slot);
    }

    /// Makes an entry the path of the slot, or, when it waits at a barrier, another path of the warp that does not.
    fn install(&mut self, slot: SlotId, mut entry: Entry, paths: &mut Paths) {
        if entry.waits
            && let Some(at) = self.other_path(slot, entry, |other| !other.waits)
        {
            entry = self.exchange(slot, entry, at);
        }
        publish(slot, entry, paths);
        if entry.waits {
            paths.park(slot);
        }
    }

    /// The uppermost entry below the slot's path, `top`, whose threads are in no entry above it and that has
    /// instructions left before its reconvergence point: paths may run in any order.
    fn other_path(&self, slot: SlotId, top: Entry, may: impl Fn(&Entry) -> bool) -> Option<usize> {
        let mut above = top.mask;
        let below = self.warps[usize::from(slot.0)].iter().enumerate().rev();
        let mut free = below.filter(|(_, entry)| {
            // At its reconvergence point an entry has nothing left to run.
            let is_free = entry.mask & above == 0;
            let is_over = entry.mask == 0 || entry.pc == entry.reconverge;
            above |= if is_over { 0 } else { entry.mask };
            is_free && !is_over
        });
        free.find(|(_, entry)| may(entry)).map(|(at, _)| at)
    }

    /// Puts `top` on the stack and takes another path out, which runs in its stead.
    fn exchange(&mut self, slot: SlotId, top: Entry, at: usize) -> Entry {
        let stack = &mut self.warps[usize::from(slot.0)];
        let path = stack.remove(at);
        stack.push(top);
        path
    }

    /// Splits the slot's path in two. `taken` is a proper, non-empty subset of its lanes.
    fn split(&mut self, slot: SlotId, taken: u64, target: u32, reconverge: u32, paths: &mut Paths) {
        let path = paths.path(slot);
        let (pc, reconvergence_pc, mask) = (path.pc, path.reconvergence_pc, path.lanes.mask());
        let stack = &mut self.warps[usize::from(slot.0)];
        if reconverge != NEVER && reconverge != reconvergence_pc {
            let mask = if Planted::LanesForgotten.is_on() { taken } else { mask };
            let entry = Entry::new(reconvergence_pc, reconverge, mask);
            stack.push(Entry { joins: true, ..entry });
        }
        // Without a reconvergence point the sides are on their own until the threads end.
        let side = |pc, mask| Entry::new(reconverge, pc, mask);
        let jump = side(target, taken);
        let fall = side(pc + 1, mask & !taken);
        let (first, second) = match self.push_order {
            PushOrder::FewerThreadsFirst if fall.mask.count_ones() < jump.mask.count_ones() => {
                (fall, jump)
            }
            _ => (jump, fall),
        };
        stack.push(second);
        if Planted::MeetingBeforeSide.is_on() && stack.len() > 1 {
            let last = stack.len() - 1;
            stack.swap(last, last - 1);
        }
        stack.push(first);
        // The last one becomes the running path.
        self.deepest = self.deepest.max(self.height(slot) - 1 + self.of_top());
        self.pop(slot, paths);
    }

    /// Ends threads: they leave every entry of their warp.
    fn exit(&mut self, slot: SlotId, lanes: u64, paths: &mut Paths) {
        for entry in &mut self.warps[usize::from(slot.0)] {
            entry.mask &= !lanes;
        }
        let top = top(slot, paths);
        let rest = Entry { pc: top.pc + 1, mask: top.mask & !lanes, ..top };
        self.warps[usize::from(slot.0)].push(rest);
        self.pop(slot, paths);
    }
}

/// The entry that the slot's path is.
fn top(slot: SlotId, paths: &Paths) -> Entry {
    let path = paths.path(slot);
    Entry::new(path.reconvergence_pc, path.pc, path.lanes.mask())
}

fn publish(slot: SlotId, entry: Entry, paths: &mut Paths) {
    paths.publish(slot, path(slot, entry));
}

/// The path of an entry.
fn path(slot: SlotId, entry: Entry) -> Path {
    Path {
        pc: entry.pc,
        reconvergence_pc: entry.reconverge,
        lanes: Lanes::Warp { warp: slot.0, mask: entry.mask },
        scoreboard: slot.0,
    }
}

impl Divergence for SimtStack {
    fn capabilities(&self) -> Capabilities {
        Capabilities { is_serial: true, ..Capabilities::default() }
    }

    fn start(&mut self, shape: BlockShape, paths: &mut Paths) {
        self.deepest = self.of_top();
        self.below = 0;
        self.width = shape.width;
        self.warps.iter_mut().for_each(Vec::clear);
        self.warps.resize_with(shape.warps() as usize, Vec::new);
        for warp in 0..shape.warps() {
            let mask = shape.mask(warp);
            let entry = Entry::new(NEVER, 0, mask);
            publish(SlotId(warp as u16), entry, paths);
        }
    }

    fn advance(&mut self, slot: SlotId, step: Step, paths: &mut Paths) {
        let before = self.height(slot);
        match step {
            Step::Reconverged => self.pop(slot, paths),
            Step::Branch { taken, target, annotations, .. } => {
                let reconverge = annotations.reconverge.unwrap_or(NEVER);
                self.split(slot, taken, target, reconverge, paths);
            }
            Step::Exit { lanes } => self.exit(slot, lanes, paths),
            Step::LongLatency | Step::Next | Step::Arm { .. } | Step::Meet { .. } => {}
            Step::Barrier => {
                let entry = Entry { waits: true, ..top(slot, paths) };
                self.install(slot, entry, paths);
            }
        }
        self.below = self.below + self.height(slot) - before;
    }

    fn defer(&mut self, slot: SlotId, paths: &mut Paths) -> bool {
        let entry = Entry { deferred: true, ..top(slot, paths) };
        let may = |other: &Entry| !other.waits && !other.deferred;
        let Some(at) = self.other_path(slot, entry, may) else {
            return false;
        };
        let path = self.exchange(slot, entry, at);
        publish(slot, path, paths);
        true
    }

    fn retry(&mut self, slot: SlotId, _paths: &mut Paths) {
        self.warps[usize::from(slot.0)].iter_mut().for_each(|entry| entry.deferred = false);
    }

    fn release(&mut self, opening: Opening, paths: &mut Paths) {
        for (warp, stack) in self.warps.iter_mut().enumerate() {
            let opens = |entry: &&mut Entry| entry.waits && opening.has(warp, entry.mask);
            for entry in stack.iter_mut().filter(opens) {
                entry.waits = false;
                entry.pc += 1;
            }
        }
        for slot in paths.slots() {
            let opens = paths.state(slot) == SlotState::Waiting
                && opening.part(&paths.path(slot).lanes) != 0;
            if opens && paths.resume(slot) {
                self.advance(slot, Step::Reconverged, paths);
            }
        }
    }
}

impl Observe for SimtStack {
    fn fingerprint(&self, slot: SlotId, hash: &mut dyn Hasher) {
        for entry in &self.warps[usize::from(slot.0)] {
            hash.write_u32(entry.reconverge);
            hash.write_u32(entry.pc);
            hash.write_u64(entry.mask);
            hash.write_u8(u8::from(entry.waits) | u8::from(entry.deferred) << 1);
        }
    }

    fn waiting_for(&self, slot: SlotId) -> u64 {
        let below = &self.warps[usize::from(slot.0)];
        let (waits, holds) = below.iter().fold((0, 0), |(waits, holds), entry| match entry.waits {
            true => (waits | entry.mask, holds),
            false => (waits, holds | entry.mask),
        });
        holds & !waits
    }

    fn parked(&self) -> Vec<Path> {
        let warps = (0..).map(SlotId).zip(&self.warps);
        let below = warps.flat_map(|(slot, warp)| warp.iter().map(move |&entry| (slot, entry)));
        let parked = below.filter(|(_, entry)| entry.waits && entry.mask != 0);
        parked.map(|(slot, entry)| path(slot, entry)).collect()
    }

    fn describe(&self, warp: u32, paths: &Paths) -> Vec<SchemeState> {
        let slot = SlotId(warp as u16);
        let state = |entry: Entry, is_running| {
            if entry.joins && self.entries == Entries::Deferred {
                let lanes = LaneSet::Mask(entry.mask);
                return SchemeEntry::Set { barrier: None, pc: entry.pc, lanes };
            }
            let path = SchemePath::new(entry.pc, LaneSet::Mask(entry.mask), is_running);
            SchemeEntry::of_stack(entry.reconverge, vec![path])
        };
        let below = self.warps[warp as usize].iter().map(|&entry| state(entry, false));
        let top = match paths.state(slot) {
            SlotState::Empty => None,
            SlotState::Runnable => Some(state(top(slot, paths), true)),
            SlotState::Waiting => Some(state(top(slot, paths), false)),
        };
        let entries = below.chain(top).collect();
        vec![SchemeState { entries, ..SchemeState::default() }]
    }

    fn entries(&self, paths: &Paths) -> u64 {
        self.below as u64 + self.of_top() as u64 * u64::from(paths.occupied())
    }

    fn counts(&self) -> DivergenceCounts {
        DivergenceCounts { max_stack_depth: self.deepest as u64, ..DivergenceCounts::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mechanisms::setup::Setup;
    use crate::random::Random;
    use reconverge_isa::Annotations;

    /// A warp of 32 threads under a stack with settings.
    struct Warp {
        scheme: Box<dyn Divergence>,
        paths: Paths,
    }

    const SLOT: SlotId = SlotId(0);

    impl Warp {
        fn new(settings: &str) -> Warp {
            let table = settings.parse().expect("it is TOML");
            let mut scheme = (MECHANISM.build)(&Setup::of(&table)).expect("the options are good");
            let mut paths = Paths::default();
            paths.reset(1);
            scheme.start(BlockShape { threads: 32, width: 32 }, &mut paths);
            Warp { scheme, paths }
        }

        /// The path branches, and meets the other side at a place.
        fn fork(&mut self, taken: u64, (target, reconverge): (u32, u32)) {
            let annotations =
                Annotations { reconverge: Some(reconverge), ..Annotations::default() };
            let step = Step::Branch { taken, target, conditional: true, annotations };
            self.scheme.advance(SLOT, step, &mut self.paths);
        }

        /// The path arrives at the place where it meets others.
        fn join(&mut self) {
            self.scheme.advance(SLOT, Step::Reconverged, &mut self.paths);
        }

        fn mask(&self) -> u64 {
            self.paths.path(SLOT).lanes.mask()
        }

        fn deepest(&self) -> u64 {
            self.scheme.counts().max_stack_depth
        }
    }

    #[test]
    fn nested_branches_at_which_a_thread_parts() {
        // One thread of those that are left goes to a side of its own, and is through at once; the
        // branch of the others is within the other side.
        let deepest = |settings: &str| {
            let mut warp = Warp::new(settings);
            for depth in 0..31 {
                warp.fork(1 << depth, (500 + depth, 1000 - depth));
                assert_eq!(warp.mask(), 1 << depth);
                warp.join();
            }
            warp.deepest()
        };
        assert_eq!(deepest("push-order = \"fewer-threads-first\""), 33);
        assert_eq!(deepest("entries = \"deferred\""), 1);
    }

    #[test]
    fn halves_defer_as_many_paths_as_the_bound_allows() {
        let mut warp = Warp::new("entries = \"deferred\"");
        for depth in 1..=5 {
            let half = (1 << (32 >> depth)) - 1;
            warp.fork(half, (100 * depth, 1000 - depth));
            assert_eq!((warp.mask(), warp.deepest()), (half, u64::from(depth)));
        }
    }

    #[test]
    fn deferred_paths_are_at_most_the_logarithm_of_the_warp() {
        // Random branches, whose paths reconverge at random nested places, until all have.
        for seed in 0..200 {
            let mut random = Random::new(seed);
            let mut warp = Warp::new("entries = \"deferred\"");
            for step in 0..300 {
                let (mask, path) = (warp.mask(), warp.paths.path(SLOT));
                let place = path.reconvergence_pc.min(1_000_000) - 1;
                random.advance();
                let taken = mask & random.number();
                if step < 250 && taken != 0 && taken != mask && random.below(3) != 0 {
                    let meet = match random.below(2) {
                        0 => place,
                        _ => path.reconvergence_pc.min(1_000_000),
                    };
                    warp.fork(taken, (path.pc + 1, meet));
                } else if path.reconvergence_pc != NEVER {
                    warp.join();
                }
            }
            assert!((1..=5).contains(&warp.deepest()), "{}", warp.deepest());
        }
    }

    #[test]
    fn the_order_of_deferred_paths_is_given() {
        let table =
            "entries = \"deferred\"\npush-order = \"taken-first\"".parse().expect("it is TOML");
        let error = (MECHANISM.build)(&Setup::of(&table)).err().expect("it is refused");
        assert!(error.contains("leave `push-order` out"), "{error}");
    }
}
