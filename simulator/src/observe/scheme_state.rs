//! The state of a divergence scheme as viewers show it: the entries of its stacks or tables, and the paths beside them.

use std::fmt::Write as _;

/// The program counter of an entry without one.
const NO_PC: u32 = u32::MAX;

/// The state of a divergence scheme: one warp, or a block if the scheme regroups threads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SchemeState {
    /// The entries of its stack or table; the last one is on top of a stack.
    pub entries: Vec<SchemeEntry>,
    /// The paths beside the entries: warp splits, or formed warps in slots.
    pub paths: Vec<SchemePath>,
    /// By warp of the block: true if it has bypassed compaction at a branch where others have not arrived. Empty if none
    /// has.
    pub bypassed: Vec<bool>,
    /// The predictor's rows, if the scheme has one with rows.
    pub predictions: Vec<BranchHistory>,
}

/// An entry of a scheme's stack or table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SchemeEntry {
    /// Paths of a warp up to their reconvergence PC.
    Stack {
        /// The PC at which the entry ends; none if it ends with its threads.
        reconvergence: Option<u32>,
        /// Its paths.
        paths: Vec<SchemePath>,
        /// It ends at the likely convergence point of an entry below.
        is_likely: bool,
        /// Its likely convergence point.
        likely: Option<u32>,
    },
    /// Lanes that wait for each other.
    Set {
        /// The convergence barrier, unless a branch made the set.
        barrier: Option<u8>,
        /// The instruction at which they wait.
        pc: u32,
        /// The lanes.
        lanes: LaneSet,
    },
    /// Threads of several warps up to their reconvergence PC.
    BlockWide {
        /// The PC at which the entry ends; none if it ends with its threads.
        reconvergence: Option<u32>,
        /// By warp: its lanes.
        members: Vec<LaneSet>,
        /// The next instruction.
        pc: u32,
        /// The warps that are still to arrive or to issue (WCNT).
        warps: u32,
        /// Its warps are in flight.
        is_active: bool,
    },
}

/// A path of a scheme.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemePath {
    /// Its name in the entry, if it has one: `L` or `R`.
    pub name: Option<&'static str>,
    /// The next instruction.
    pub pc: u32,
    /// Its lanes.
    pub lanes: LaneSet,
    /// Its status.
    pub status: PathStatus,
}

/// The status of a path of a scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathStatus {
    /// It is in a slot, and may issue.
    Running,
    /// It has no slot, or waits for its turn.
    Idle,
    /// It waits at a barrier of the block.
    AtBarrier,
    /// It lets other paths run first.
    Deferred,
    /// It waits for other lanes.
    Blocked,
}

/// Lanes with their threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LaneSet {
    /// Lanes whose threads are those of their warp.
    Mask(u64),
    /// By lane: its thread in the block.
    Threads(Vec<Option<u16>>),
}

/// The history of a branch in a predictor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BranchHistory {
    /// The branch.
    pub pc: u32,
    /// The history.
    pub history: u8,
}

/// A PC, unless there is none.
pub(crate) fn known(pc: u32) -> Option<u32> {
    (pc != NO_PC).then_some(pc)
}

impl SchemePath {
    /// A path without a name.
    pub(crate) fn new(pc: u32, lanes: LaneSet, is_running: bool) -> SchemePath {
        let status = if is_running { PathStatus::Running } else { PathStatus::Idle };
        SchemePath { name: None, pc, lanes, status }
    }
}

impl SchemeEntry {
    /// An entry of a stack.
    pub(crate) fn of_stack(reconvergence: u32, paths: Vec<SchemePath>) -> SchemeEntry {
        let (is_likely, likely) = (false, None);
        SchemeEntry::Stack { reconvergence: known(reconvergence), paths, is_likely, likely }
    }

    /// Its places of instructions.
    fn places(&mut self) -> Vec<&mut u32> {
        match self {
            SchemeEntry::Stack { reconvergence, paths, likely, .. } => {
                let paths = paths.iter_mut().map(|path| &mut path.pc);
                reconvergence.iter_mut().chain(likely).chain(paths).collect()
            }
            SchemeEntry::Set { pc, .. } => vec![pc],
            SchemeEntry::BlockWide { reconvergence, pc, .. } => {
                reconvergence.iter_mut().chain([pc]).collect()
            }
        }
    }
}

impl SchemeState {
    /// The state with other places of instructions.
    pub(crate) fn moved(&mut self, place: impl Fn(u32) -> u32) {
        let entries = self.entries.iter_mut().flat_map(SchemeEntry::places);
        let paths = self.paths.iter_mut().map(|path| &mut path.pc);
        let predictions = self.predictions.iter_mut().map(|row| &mut row.pc);
        for pc in entries.chain(paths).chain(predictions).filter(|pc| **pc != NO_PC) {
            *pc = place(*pc);
        }
    }

    /// Draws the state in a line, as the sources do. Warps have `width` lanes, and `place` names program counters.
    ///
    /// An entry is in brackets, `[RPC PC/LANES*]`, with `*` for a path that runs; the others are `b` at a barrier, `d`
    /// that let others run, `w` that wait for lanes. A block-wide entry is `[RPC MASKS PC WCNT*]`. Then `UMask`, if a
    /// warp has bypassed; the predictor; and the paths beside the entries.
    pub fn text(&self, width: u32, place: &dyn Fn(u32) -> String) -> String {
        let mut text: String = self.entries.iter().map(|it| it.text(width, place)).collect();
        if !self.bypassed.is_empty() {
            let mask = self.bypassed.iter().map(|bypassed| if *bypassed { '0' } else { '1' });
            let _ = write!(text, " UMask {}", mask.collect::<String>());
        }
        if !self.predictions.is_empty() {
            text += " CAPT";
        }
        for BranchHistory { pc, history } in &self.predictions {
            let _ = write!(text, " BR_{}={history}", place(*pc));
        }
        text.extend(self.paths.iter().map(|path| path.text(width, place)));
        text
    }
}

impl SchemeEntry {
    fn text(&self, width: u32, place: &dyn Fn(u32) -> String) -> String {
        let end = |pc: &Option<u32>| place(pc.unwrap_or(NO_PC));
        match self {
            SchemeEntry::Stack { reconvergence, paths, is_likely, likely } => {
                let mut text = format!("[{}", end(reconvergence));
                text.extend(paths.iter().map(|path| path.text(width, place)));
                if *is_likely {
                    text += " ~";
                }
                if let Some(likely) = likely {
                    let _ = write!(text, " ~{}", place(*likely));
                }
                text + "]"
            }
            SchemeEntry::Set { barrier, pc, lanes } => {
                let barrier = barrier.map_or(String::new(), |barrier| format!("b{barrier} "));
                format!("[{barrier}{} {}]", place(*pc), lanes.text(width))
            }
            SchemeEntry::BlockWide { reconvergence, members, pc, warps, is_active } => {
                let members: Vec<String> = members.iter().map(|it| it.text(width)).collect();
                let mark = if *is_active { "*" } else { "" };
                let members = members.join(" ");
                format!("[{} {members} {} {warps}{mark}]", end(reconvergence), place(*pc))
            }
        }
    }
}

impl SchemePath {
    fn text(&self, width: u32, place: &dyn Fn(u32) -> String) -> String {
        let name = self.name.map_or(String::new(), |name| format!(" {name}"));
        let mark = match self.status {
            PathStatus::Running => "*",
            PathStatus::Idle => "",
            PathStatus::AtBarrier => "b",
            PathStatus::Deferred => "d",
            PathStatus::Blocked => "w",
        };
        // Formed warps are those in slots: all of them run or wait at a barrier.
        let (sign, mark) = match self.lanes {
            LaneSet::Mask(_) => ('/', mark),
            LaneSet::Threads(_) => (':', ""),
        };
        format!("{name} {}{sign}{}{mark}", place(self.pc), self.lanes.text(width))
    }
}

/// Lanes of the widest warp whose threads are numbered; blocks of wider ones have more threads than there are digits and letters.
const NUMBERED: u32 = 8;

impl LaneSet {
    /// A digit per lane, the first lane first: `1` for lanes of a mask. Threads have one digit or letter each: their
    /// number, or that of the warp that they belong to where warps are wide.
    fn text(&self, width: u32) -> String {
        let digit = |thread: u16| {
            let thread = u32::from(thread);
            let number = if width > NUMBERED { thread / width } else { thread };
            char::from_digit(number, 36).map_or('+', |digit| digit.to_ascii_uppercase())
        };
        match self {
            LaneSet::Mask(mask) => {
                (0..width).map(|lane| if mask >> lane & 1 != 0 { '1' } else { '0' }).collect()
            }
            LaneSet::Threads(threads) => {
                threads.iter().map(|thread| thread.map_or('-', digit)).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state() -> SchemeState {
        let path = SchemePath::new(10, LaneSet::Mask(0b0011), true);
        let idle = SchemePath::new(7, LaneSet::Mask(0b1100), false);
        let formed =
            SchemePath::new(5, LaneSet::Threads(vec![Some(4), None, Some(14), None]), true);
        let entries = vec![
            SchemeEntry::of_stack(NO_PC, vec![idle]),
            SchemeEntry::of_stack(3, vec![path]),
            SchemeEntry::Set { barrier: Some(2), pc: 9, lanes: LaneSet::Mask(1) },
        ];
        let predictions = vec![BranchHistory { pc: 1, history: 3 }];
        SchemeState { entries, paths: vec![formed], bypassed: vec![true, false], predictions }
    }

    #[test]
    fn a_state_is_drawn_in_a_line() {
        let place = |pc: u32| known(pc).map_or("-".to_owned(), |pc| pc.to_string());
        let text = state().text(4, &place);
        assert_eq!(text, "[- 7/0011][3 10/1100*][b2 9 1000] UMask 01 CAPT BR_1=3 5:4-E-");
    }

    #[test]
    fn places_are_moved() {
        let mut moved = state();
        moved.moved(|pc| pc + 1);
        let place = |pc: u32| known(pc).map_or("-".to_owned(), |pc| pc.to_string());
        let text = moved.text(4, &place);
        assert_eq!(text, "[- 8/0011][4 11/1100*][b2 10 1000] UMask 01 CAPT BR_2=3 6:4-E-");
    }
}
