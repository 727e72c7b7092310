//! Lanes of a warp that act together although they are at different places, such as both paths of a
//! branch. From compute capability 7.0 on, a thread waits at `bar.warp.sync`, or at a vote or
//! shuffle with a mask. It waits until each thread of the mask has arrived at one with the same
//! mask, at any place in the code (PTX ISA, `bar.warp.sync`, `shfl.sync`, `vote.sync`).
//!
//! The compiler puts a `warp.sync` with the mask in front of each vote, shuffle, match and
//! reduction that has one. A path whose mask names lanes of other paths waits
//! ([`Divergence::defer`]). All may pass when the last of these lanes arrives at a `warp.sync` with
//! the same mask that leads to the same operation. In that operation each path leaves its operands
//! and waits; the last one computes the results of all.
//!
//! [`Divergence::defer`]: crate::mechanisms::divergence::slot::Divergence::defer

use reconverge_isa::{MAX_LANES, Op, WarpResult, WarpSource, evaluate_collective};

use crate::execute::lanes::lanes_of;

/// A `warp.sync`: its mask, and the operation that follows it, if there is one.
type Requested = (u32, Option<Op>);

/// The operands of a vote, shuffle, match or reduction, by lane.
#[derive(Clone, Copy, Debug)]
struct Rows {
    low: [u32; MAX_LANES],
    predicate: u64,
}

/// The lanes of a warp that meet.
#[derive(Debug)]
struct Meeting {
    /// Lanes that wait at a `warp.sync`, with its mask and its operation.
    waiting: u64,
    requested: [Requested; MAX_LANES],
    /// Lanes whose `warp.sync` is complete, after the others have already continued.
    released: u64,
    /// By lane: the lanes with which it performs an operation until its next `warp.sync`; none if they are all on its path.
    group: [u64; MAX_LANES],
    acts: [Option<Op>; MAX_LANES],
    /// Lanes that have left operands of an operation, and the operands.
    left: u64,
    op: [Option<Op>; MAX_LANES],
    rows: [Rows; 3],
    /// Lanes whose results others have computed, and the results.
    done: u64,
    result: WarpResult,
}

/// The outcome of an arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arrival {
    /// All lanes that it acts with are on it.
    Alone,
    /// It has to wait for others.
    Waits {
        /// The lowest of its lanes that lack some.
        lane: usize,
        /// The mask that names them.
        mask: u32,
        /// The lanes that have not arrived.
        missing: u64,
    },
    /// The others have arrived too.
    Together,
}

/// The meetings of a block's warps; of most there are none.
#[derive(Debug, Default)]
pub(super) struct Meetings(Vec<Option<Box<Meeting>>>);

impl Meetings {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Returns true if lanes of a warp may have to meet.
    #[inline(always)]
    pub(super) fn has(&self, warp: usize) -> bool {
        self.0.get(warp).is_some_and(Option::is_some)
    }

    /// A path with the lanes of `mask` arrives at a `warp.sync` that leads to an operation; `named`
    /// holds the lanes that each of them names.
    pub(super) fn sync(
        &mut self,
        warp: usize,
        named: &[u32],
        leads_to: Option<Op>,
        alive: u64,
        mask: u64,
    ) -> Arrival {
        let missing = |lane: usize| u64::from(named[lane]) & alive & !mask;
        if lanes_of(mask).any(|lane| u64::from(named[lane]) >> lane & 1 == 0) {
            // A mask without its own lane is a fault.
            return Arrival::Alone;
        }
        if !self.has(warp) {
            if lanes_of(mask).all(|lane| missing(lane) == 0) {
                return Arrival::Alone;
            }
            self.0.resize_with(self.0.len().max(warp + 1), || None);
            self.0[warp] = Some(Box::new(Meeting::new()));
        }
        let Some(meeting) = &mut self.0[warp] else {
            return Arrival::Alone;
        };
        let lacks = |meeting: &Meeting, lane: usize| {
            let request = (named[lane], leads_to);
            let has_arrived = |&other: &usize| {
                meeting.waiting >> other & 1 != 0 && meeting.requested[other] == request
            };
            let is_released = meeting.released >> lane & 1 != 0;
            let away = if is_released { 0 } else { missing(lane) };
            lanes_of(away)
                .filter(|other| !has_arrived(other))
                .fold(0, |lanes, other| lanes | 1 << other)
        };
        if let Some(lane) = lanes_of(mask).find(|&lane| lacks(meeting, lane) != 0) {
            for lane in lanes_of(mask & !meeting.released) {
                meeting.waiting |= 1 << lane;
                meeting.requested[lane] = (named[lane], leads_to);
            }
            return Arrival::Waits { lane, mask: named[lane], missing: lacks(meeting, lane) };
        }
        for lane in lanes_of(mask & !meeting.released) {
            let others = missing(lane);
            let meets = others != 0 && leads_to.is_some();
            let group = if meets { u64::from(named[lane]) & alive } else { 0 };
            for member in lanes_of(others | 1 << lane) {
                (meeting.group[member], meeting.acts[member]) = (group, leads_to);
            }
            meeting.released |= others;
            meeting.waiting &= !others;
        }
        let met = mask & meeting.released != 0 || lanes_of(mask).any(|lane| missing(lane) != 0);
        meeting.released &= !mask;
        meeting.waiting &= !mask;
        if met { Arrival::Together } else { Arrival::Alone }
    }

    /// A path with the lanes of `mask` arrives at an operation. The others leave their operands
    /// too, or the path finds its results in [`Self::result`].
    pub(super) fn operate(
        &mut self,
        warp: usize,
        op: Op,
        sources: &[WarpSource; 3],
        mask: u64,
        lanes: usize,
    ) -> Arrival {
        let Some(Some(meeting)) = self.0.get_mut(warp) else {
            return Arrival::Alone;
        };
        lanes_of(mask).for_each(|lane| meeting.leave_others(lane, op));
        let group = lanes_of(mask).fold(0, |group, lane| group | meeting.group[lane]);
        if group & !mask == 0 {
            (meeting.left, meeting.done) = (meeting.left & !mask, meeting.done & !mask);
            return Arrival::Alone;
        }
        for lane in lanes_of(mask & !meeting.left & !meeting.done) {
            meeting.leave(lane, op, sources);
        }
        // Others may have computed the results of some lanes of the path. The remaining ones need
        // nothing of these: lanes that name each other have the same group.
        let rest = mask & !meeting.done;
        if rest != 0 {
            let group = lanes_of(rest).fold(rest, |group, lane| group | meeting.group[lane]);
            let has_left =
                |&lane: &usize| meeting.left >> lane & 1 != 0 && meeting.op[lane] == Some(op);
            let missing = lanes_of(group).filter(|lane| !has_left(lane));
            let missing = missing.fold(0, |missing, lane| missing | 1 << lane);
            if missing != 0 {
                let lane = mask.trailing_zeros() as usize;
                return Arrival::Waits { lane, mask: group as u32, missing };
            }
            meeting.compute(op, lanes, group);
        }
        meeting.done &= !mask;
        if !is_repeated(op) {
            lanes_of(mask).for_each(|lane| meeting.group[lane] = 0);
        }
        Arrival::Together
    }

    /// The results that [`Self::operate`] has found.
    pub(super) fn result(&self, warp: usize) -> Option<&WarpResult> {
        self.0.get(warp)?.as_ref().map(|meeting| &meeting.result)
    }
}

/// Returns true if one call may take several of these: the halves of 64 bits, and the ballot after a match.
fn is_repeated(op: Op) -> bool {
    use Op::{MatchAny, ShuffleDown, ShuffleIndex, ShuffleUp, ShuffleXor};
    matches!(op, ShuffleIndex | ShuffleUp | ShuffleDown | ShuffleXor | MatchAny)
}

impl Meeting {
    fn new() -> Meeting {
        Meeting {
            waiting: 0,
            requested: [(0, None); MAX_LANES],
            released: 0,
            group: [0; MAX_LANES],
            acts: [None; MAX_LANES],
            left: 0,
            op: [None; MAX_LANES],
            rows: [Rows { low: [0; MAX_LANES], predicate: 0 }; 3],
            done: 0,
            result: WarpResult::default(),
        }
    }

    /// A lane that arrives at an operation other than the one it met the others for is alone again.
    fn leave_others(&mut self, lane: usize, op: Op) {
        let is_part = |of: Op| of == op || of == Op::MatchAny && op == Op::VoteBallot;
        if !self.acts[lane].is_some_and(is_part) {
            self.group[lane] = 0;
        }
    }

    /// A lane leaves its operands.
    fn leave(&mut self, lane: usize, op: Op, sources: &[WarpSource; 3]) {
        self.left |= 1 << lane;
        self.op[lane] = Some(op);
        for (row, source) in self.rows.iter_mut().zip(sources) {
            row.low[lane] = source.low.get(lane).copied().unwrap_or(0);
            row.predicate = row.predicate & !(1 << lane) | source.predicate & 1 << lane;
        }
    }

    /// Computes the results of lanes that have all left their operands.
    fn compute(&mut self, op: Op, lanes: usize, group: u64) {
        let sources = self.rows.each_ref().map(|row| WarpSource {
            low: &row.low[..lanes],
            high: &[],
            predicate: row.predicate,
        });
        let mut result = WarpResult::default();
        evaluate_collective(op, lanes, group, &sources, &mut result);
        for lane in lanes_of(group) {
            self.result.low[lane] = result.low[lane];
        }
        self.result.predicate = self.result.predicate & !group | result.predicate & group;
        self.left &= !group;
        self.done |= group;
    }
}
