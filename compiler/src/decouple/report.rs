//! The decoupled kernels, and the reasons for the others.

use super::shape::Why;
use super::sites::{Site, What};
use super::values::{Obstacle, Values};
use crate::analysis::Flow;
use crate::ir::{Kind, Location};
use reconverge_isa::{Queue, SITES, Space};

/// The report on a kernel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// The kernel.
    pub kernel: String,
    /// Why it has one stream only.
    pub not_decoupled: Option<Reason>,
    /// Every load, store and atomic, in order.
    pub accesses: Vec<Access>,
    /// Branches with a condition, and how many of those the affine stream supplies.
    pub branches: (usize, usize),
    /// Barriers, and how many of those both streams have.
    pub barriers: (usize, usize),
    /// Instructions of the whole kernel, of its non-affine and of its affine stream, each counted ten
    /// times for each loop around it.
    pub weight: [u64; 3],
    /// Instructions of the whole kernel, of its non-affine and of its affine stream, each counted once.
    pub instructions: [usize; 3],
}

/// Why a kernel is not decoupled.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// There is no site.
    NothingToMove,
    /// Threads may wait for other threads' writes to memory that they load here, and then empty no
    /// queue.
    Waits(Location),
    /// There are too many branches and barriers: their number.
    TooManySites(usize),
    /// The affine stream needs more registers than there are.
    Registers,
    /// No load is early, and the non-affine stream is no shorter.
    NotShorter,
    /// Too few instructions are saved, and none of them in a loop: the number of all, with those in
    /// loops counted ten times for each, and of the saved ones.
    OutsideOfLoops(u64, u64),
    /// No load is early, and the warps of a block save no more instructions than the affine stream
    /// executes for them, those in loops counted ten times for each.
    AffineStream {
        /// The instructions that the warps of a block save.
        saved: u64,
        /// The instructions that the affine stream executes for a block.
        executed: u64,
        /// The most warps of a block.
        warps: u32,
    },
    /// The streams need more constants than there is room for.
    Constants,
}

impl Reason {
    /// The reason, with names of files for places.
    fn text(&self, files: &[String]) -> String {
        match self {
            Reason::NothingToMove => {
                "the affine stream can compute no address and no condition".to_owned()
            }
            Reason::Waits(location) => format!(
                "threads may wait here for others, which would wait for room in the same queues{}",
                at(*location, files, true)
            ),
            Reason::TooManySites(count) => {
                format!(
                    "{count} branches and barriers would move to the affine stream; there are {SITES} sites"
                )
            }
            Reason::Registers => "the affine stream needs too many registers".to_owned(),
            Reason::NotShorter => "saves no warp instructions and issues no load early".to_owned(),
            Reason::OutsideOfLoops(saved, of) => format!(
                "saves only {saved} of {of} warp instructions (threshold 10 %; an instruction counts \
                 ten times for each loop around it), and none in a loop"
            ),
            Reason::AffineStream { saved, executed, warps } => {
                let (plural, verb) = if *warps == 1 { ("", "saves") } else { ("s", "save") };
                format!(
                    "issues no load early, and the affine stream executes {executed} warp instructions for a \
                     block, whose {warps} warp{plural} {verb} {saved} (an instruction counts ten times for each \
                     loop around it)"
                )
            }
            Reason::Constants => {
                "the constant bank has no room for the constants of both streams".to_owned()
            }
        }
    }
}

/// An access to memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Access {
    /// The location in the source.
    pub location: Location,
    /// `load`, `store` or `atomic`.
    pub name: &'static str,
    /// The window that it accesses.
    pub space: Space,
    /// The treatment of its address.
    pub address: Address,
}

/// The treatment of an address.
#[derive(Clone, Debug, PartialEq)]
pub enum Address {
    /// The affine stream supplies it and requests the lines.
    Early,
    /// The affine stream supplies it.
    Supplied,
    /// It takes no instruction of its own where it is.
    Free,
    /// There was no number left for it.
    NoNumber,
    /// The affine stream cannot compute it, or cannot reach it.
    Left(Obstacle, Location),
}

impl Report {
    /// Reports the chosen sites.
    pub fn new(flow: &Flow, values: &Values, sites: &[Site]) -> Report {
        let function = flow.function;
        let mut report = Report { kernel: function.name.clone(), ..Report::default() };
        let mut chosen = vec![None; function.values.len()];
        sites.iter().for_each(|site| chosen[site.at.index()] = Some(site.what));
        for (block, at) in flow.values() {
            let kind = function.kind(at);
            let site = chosen[at.index()];
            match kind {
                Kind::Branch(..) => {
                    report.branches.0 += 1;
                    report.branches.1 += usize::from(site.is_some());
                }
                kind if kind.is_barrier() => {
                    report.barriers.0 += 1;
                    report.barriers.1 += usize::from(site.is_some());
                }
                _ => {}
            }
            let (name, space, address) = match *kind.unguarded() {
                Kind::Load(access, address) => ("load", access.space, address),
                Kind::Store(access, address, _) => ("store", access.space, address),
                Kind::Atomic(_, space, operands) => ("atomic", space, operands[0]),
                _ => continue,
            };
            let obstacle = match kind.guard() {
                Some(_) => Err(Obstacle { at, why: Why::Guarded, control: false }),
                None => values.follows(block).and(values.used(at, address).map(|_| ())),
            };
            let address = match (site, obstacle) {
                (Some(What::Address(Queue::Data, ..)), _) => Address::Early,
                (Some(_), _) => Address::Supplied,
                (None, Err(obstacle)) => {
                    Address::Left(obstacle, function.instruction(obstacle.at).location)
                }
                (None, Ok(())) if sites.len() < SITES => Address::Free,
                (None, Ok(())) => Address::NoNumber,
            };
            let location = function.instruction(at).location;
            report.accesses.push(Access { location, name, space, address });
        }
        report
    }

    /// The number of accesses of a kind, of those whose lines are requested early, and of those
    /// whose address is supplied.
    pub fn count(&self, of: impl Fn(&Access) -> bool) -> (usize, usize, usize) {
        let all = || self.accesses.iter().filter(|access| of(access));
        let early = all().filter(|access| access.address == Address::Early).count();
        let supplied = all().filter(|access| access.address == Address::Supplied).count();
        (all().count(), early, supplied)
    }

    /// The text, with names of files for places.
    pub fn text(&self, files: &[String]) -> String {
        let mut text = format!("{}: ", self.kernel);
        let (loads, early, supplied) = self.count(|access| access.name == "load");
        let (writes, _, addresses) = self.count(|access| access.name != "load");
        match &self.not_decoupled {
            Some(reason) => text.push_str(&format!("not decoupled: {}\n", reason.text(files))),
            None => {
                text.push_str(&format!(
                    "of {loads} loads {early} early, {supplied} by address; of {writes} stores and \
                     atomics {addresses} by address; {} of {} branches; {} of {} barriers\n",
                    self.branches.1, self.branches.0, self.barriers.1, self.barriers.0
                ));
            }
        }
        if self.weight[0] != 0 {
            let [whole, main, affine] = self.weight;
            let [all, rest, moved] = self.instructions;
            text.push_str(&format!(
                "  {all} instructions become {rest} and {moved}; with loops weighted {whole} \
                 become {main} and {affine}\n"
            ));
        }
        for access in &self.accesses {
            let reason = match &access.address {
                Address::Early | Address::Supplied => continue,
                Address::Free => "its address takes no instruction of its own".to_owned(),
                Address::NoNumber => format!("there are no more than {SITES} sites"),
                Address::Left(Obstacle { why: Why::OtherPath, .. }, location) => {
                    let place = at(*location, files, true);
                    format!("both paths of a branch at which a block may diverge have sites{place}")
                }
                Address::Left(Obstacle { why, control, .. }, location) => {
                    let what = if *control { "its control" } else { "its address" };
                    format!("{what} depends on what {why}{}", at(*location, files, true))
                }
            };
            let name = access.name;
            let space = access.space.name();
            let place = at(access.location, files, false);
            text.push_str(&format!("  {place}{name} ({space}): {reason}\n"));
        }
        text
    }
}

fn at(location: Location, files: &[String], in_parentheses: bool) -> String {
    let Location { file, line, column } = location;
    let name = files.get(file as usize).map_or("", String::as_str);
    match (line, in_parentheses) {
        (0, _) => String::new(),
        (_, true) => format!(" ({name}:{line}:{column})"),
        (_, false) => format!("{name}:{line}:{column}: "),
    }
}
