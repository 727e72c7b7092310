//! Shortcuts for look-ups of variables while SSA is built: a look-up passes over all blocks written
//! since, if none of them assigns the variable.
//!
//! Without it, every block where paths join is visited for every variable that is read after it,
//! and gets a phi that proves needless: work that grows with the product of both.
//!
//! The source is structured, so that blocks are written in the order of control. The blocks on the
//! paths from a block's immediate dominator to it were written after the dominator had ended and
//! before all predecessors of the block were known. If no assignment falls into that time, the
//! variable is the same at both ends. Several such steps in a row are one jump with the latest of
//! their times (Myers, "An applicative random-access stack", 1983, for the lengths of jumps).
//!
//! A `case` inside of a loop can be reached by a jump past the loop's head. The blocks between a
//! block and its dominator may then be written later. Then a loop is open that was begun between
//! the two, and no step is made there. The same holds for the target of a jump from below, which is
//! open until the last of the jumps.
//!
//! The labels of PTX may be in any order. A step is still sound: it leads along steps alone, each from a block entered after
//! the end of the block above, so all blocks between the two ends were written in that time. A label that a jump from below
//! reaches has no step until all jumps to it are written, and none is made over it.

use crate::ir::Block;

/// A step up to a block that dominates another, which a look-up may take.
#[derive(Clone, Copy, Debug)]
struct Shortcut {
    to: Block,
    /// Assignments between the end of `to` and this time may affect the variable in between.
    assigned_by: u32,
}

/// The data about a block.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    entered: Option<u32>,
    ended: Option<u32>,
    /// Certainly nothing leads here.
    unreachable: bool,
    /// To the immediate dominator.
    step: Option<Shortcut>,
    /// To one further up.
    jump: Option<Shortcut>,
    depth: u32,
}

/// The blocks written so far, and a clock that counts their events.
#[derive(Debug, Default)]
pub struct Shortcuts {
    clock: u32,
    places: Vec<Place>,
    /// The blocks that have been entered, but not all their predecessors are known, with the time.
    open: Vec<(u32, Block)>,
}

impl Shortcuts {
    /// A time later than all before.
    pub fn tick(&mut self) -> u32 {
        self.clock += 1;
        self.clock
    }

    /// There is another block.
    pub fn add_block(&mut self) {
        self.places.push(Place::default());
    }

    /// A block is being written.
    pub fn enter(&mut self, block: Block, sealed: bool) {
        let now = self.tick();
        self.places[block.index()].entered.get_or_insert(now);
        if !sealed {
            self.open.push((now, block));
        }
    }

    /// A block has its terminator.
    pub fn end(&mut self, block: Block) {
        let now = self.tick();
        self.places[block.index()].ended = Some(now);
    }

    /// All predecessors of a block are known, but no step is made from it.
    pub fn close(&mut self, block: Block) {
        self.tick();
        if let Some(at) = self.open.iter().rposition(|&(_, open)| open == block) {
            self.open.remove(at);
        }
    }

    /// All predecessors of a block are known.
    pub fn seal(&mut self, block: Block, predecessors: &[Block]) {
        let assigned_by = self.tick();
        if let Some(at) = self.open.iter().rposition(|&(_, open)| open == block) {
            self.open.remove(at);
        }
        let reachable = |at: &&Block| !self.places[at.index()].unreachable;
        let mut from = predecessors.iter().filter(reachable).copied();
        let Some(first) = from.next() else {
            self.places[block.index()].unreachable = block != Block::ENTRY;
            return;
        };
        let Some(to) = from.try_fold(first, |one, other| self.common(one, other, block)) else {
            return;
        };
        let Some(ended) = self.places[to.index()].ended else {
            return;
        };
        let place = &self.places[block.index()];
        let begun_between = self.open.last().is_some_and(|&(entered, _)| entered > ended);
        if begun_between || place.entered.is_some_and(|entered| entered < ended) {
            return;
        }
        let depth = self.places[to.index()].depth + 1;
        let jump = self.jump(Shortcut { to, assigned_by });
        let place = &mut self.places[block.index()];
        (place.step, place.jump, place.depth) =
            (Some(Shortcut { to, assigned_by }), Some(jump), depth);
    }

    /// The distance to jump from a block with a step: that of the next two jumps together, if those
    /// are equally long.
    fn jump(&self, step: Shortcut) -> Shortcut {
        let above = &self.places[step.to.index()];
        let Some(first) = above.jump else {
            return step;
        };
        let middle = &self.places[first.to.index()];
        let Some(second) = middle.jump else {
            return step;
        };
        let end = &self.places[second.to.index()];
        if above.depth.wrapping_sub(middle.depth) != middle.depth.wrapping_sub(end.depth) {
            return step;
        }
        Shortcut {
            to: second.to,
            assigned_by: step.assigned_by.max(first.assigned_by).max(second.assigned_by),
        }
    }

    fn ended(&self, block: Block) -> u32 {
        self.places[block.index()].ended.unwrap_or(u32::MAX)
    }

    /// The lowest block above both. A back edge to the head of a loop starts below the head: above
    /// the head are only the blocks that lead into the loop.
    fn common(&self, mut one: Block, mut other: Block, head: Block) -> Option<Block> {
        while one != other {
            if self.ended(one) < self.ended(other) {
                std::mem::swap(&mut one, &mut other);
            }
            if one == head {
                return Some(other);
            }
            // `one` ended later: it goes up, not past the other.
            let place = &self.places[one.index()];
            let far = place.jump.filter(|jump| self.ended(jump.to) >= self.ended(other));
            one = far.or(place.step)?.to;
        }
        Some(one)
    }

    /// A block above one, at whose end a variable has the same value as at the start of this one,
    /// if one is known. `assigned` has the times of the variable's assignments, in order.
    pub fn over(&self, block: Block, assigned: &[u32]) -> Option<Block> {
        let untouched = |shortcut: &Shortcut| {
            let next = assigned.partition_point(|&time| time <= self.ended(shortcut.to));
            assigned.get(next).is_none_or(|&time| time > shortcut.assigned_by)
        };
        let place = &self.places[block.index()];
        let far = place.jump.filter(untouched);
        far.or(place.step.filter(untouched)).map(|shortcut| shortcut.to)
    }
}
