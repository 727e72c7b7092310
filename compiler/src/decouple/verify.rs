//! Proves that two streams agree: on every path of one, the other reaches the same sites in the
//! same order.
//!
//! Both graphs are walked together from site to site. From a place the next site must be the same
//! for all outcomes of branches without a site, in each stream, and the same in both; after the
//! site of a branch, the paths of both correspond. A branch at which the threads of a block may
//! diverge has sites on one of its paths at most, because the streams may execute its paths in
//! different orders. So a thread that participates in no site's instance in one stream participates
//! in none in the other. Therefore the masks of records agree, including empty ones.

use crate::analysis::DominatorTree;
use crate::ir::{Block, Function, Kind, Value};
use reconverge_isa::{Op, Queue, Space, Width};
use std::collections::{BTreeMap, BTreeSet};

/// The action of a stream at a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Address(Queue, Space, u32),
    Condition,
    Barrier,
}

/// The next site on all paths from a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// No path has been followed, or all loop forever.
    Nothing,
    /// The end of the kernel.
    End,
    /// The instruction at this position of a block.
    Site(Block, usize),
    /// Paths differ.
    Differs,
}

/// A place: in front of an instruction.
type Place = (Block, usize);

struct Stream<'a> {
    function: &'a Function,
    name: &'static str,
    /// By block: the next site from its start.
    next: Vec<Next>,
    /// By value: the site of its instruction, with the action there.
    sites: BTreeMap<Value, (u8, What)>,
}

/// The disagreements of two streams, one sentence each; empty when they agree. `parting` holds the
/// sites of branches at which the threads of a block may diverge.
pub fn verify(main: &Function, affine: &Function, parting: &BTreeSet<u8>) -> Vec<String> {
    let main = Stream::new(main, "the non-affine stream", dequeues);
    let affine = Stream::new(affine, "the affine stream", enqueues);
    let mut faults = walk(&main, &affine);
    for site in parting {
        if main.has_two_sides(*site) {
            faults.push(format!(
                "threads of a block may diverge at site {site}, and both paths have sites"
            ));
        }
    }
    faults
}

/// The site of an instruction of the non-affine stream.
fn dequeues(function: &Function, value: Value) -> Option<(u8, What)> {
    let (bytes, space, address) = match *function.kind(value) {
        Kind::Matched(_, _, site) => return Some((site, What::Barrier)),
        Kind::Branch(condition, ..) => {
            return match *function.kind(condition) {
                Kind::Dequeue(_, site) => Some((site, What::Condition)),
                _ => None,
            };
        }
        Kind::Load(access, address) | Kind::Store(access, address, _) => {
            (access.width.bytes(), access.space, address)
        }
        Kind::Atomic(op, space, operands) => {
            (reconverge_isa::Instruction::new(op).access_bytes(), space, operands[0])
        }
        _ => return None,
    };
    match *function.kind(address) {
        Kind::Dequeue(queue, site) => Some((site, What::Address(queue, space, bytes))),
        _ => None,
    }
}

/// The site of an instruction of the affine stream.
fn enqueues(function: &Function, value: Value) -> Option<(u8, What)> {
    match *function.kind(value) {
        Kind::Matched(Op::Barrier, _, site) => Some((site, What::Barrier)),
        Kind::Enqueue(Queue::Predicate, site, ..) => Some((site, What::Condition)),
        Kind::Enqueue(queue, site, access, _) => {
            let bytes = Width::bytes(access.width);
            Some((site, What::Address(queue, access.space, bytes)))
        }
        _ => None,
    }
}

impl<'a> Stream<'a> {
    fn new(
        function: &'a Function,
        name: &'static str,
        site: fn(&Function, Value) -> Option<(u8, What)>,
    ) -> Stream<'a> {
        let placed = function.placed().filter_map(|(_, at)| Some((at, site(function, at)?)));
        let sites = placed.collect();
        let mut stream =
            Stream { function, name, next: vec![Next::Nothing; function.blocks.len()], sites };
        stream.solve();
        stream
    }

    /// The first site of each block or after it; knowledge only gets less certain.
    fn solve(&mut self) {
        let mut order = self.function.reverse_postorder();
        order.reverse();
        loop {
            let mut changed = false;
            for &block in &order {
                let next = self.from(block, 0);
                changed |= std::mem::replace(&mut self.next[block.index()], next) != next;
            }
            if !changed {
                return;
            }
        }
    }

    /// The next site from a place on.
    fn from(&self, block: Block, start: usize) -> Next {
        let instructions = self.function.instructions(block);
        let here =
            (start..instructions.len()).find(|&at| self.sites.contains_key(&instructions[at]));
        if let Some(at) = here {
            return Next::Site(block, at);
        }
        let mut next = Next::Nothing;
        let mut ends = true;
        for target in self.function.successors(block) {
            ends = false;
            next = match (next, self.next[target.index()]) {
                (Next::Nothing, other) | (other, Next::Nothing) => other,
                (one, other) if one == other => one,
                _ => Next::Differs,
            };
        }
        if ends { Next::End } else { next }
    }

    fn site(&self, block: Block, at: usize) -> Option<(u8, What)> {
        let value = self.function.instructions(block).get(at)?;
        self.sites.get(value).copied()
    }

    /// The places after a site: one, or those of both paths if its instruction is the branch, or is
    /// in front of the branch on the value it enqueues.
    fn after(&self, block: Block, at: usize) -> Vec<Place> {
        let instructions = self.function.instructions(block);
        let condition = |value: Value| match *self.function.kind(value) {
            Kind::Enqueue(Queue::Predicate, _, _, condition) => Some(condition),
            _ => None,
        };
        let branch = match instructions.get(at + 1) {
            None => instructions.get(at),
            Some(next) => Some(next).filter(|_| at + 2 == instructions.len()),
        };
        let own = instructions.get(at).and_then(|&value| condition(value));
        match branch.map(|&branch| self.function.kind(branch)) {
            Some(&Kind::Branch(read, then, otherwise))
                if at + 1 == instructions.len() || own == Some(read) =>
            {
                vec![(then, 0), (otherwise, 0)]
            }
            _ => vec![(block, at + 1)],
        }
    }

    /// Returns true if both paths of the branch at a site reach sites before they reconverge.
    fn has_two_sides(&self, site: u8) -> bool {
        let function = self.function;
        let Some((branch, _)) =
            function.placed().find(|(_, at)| self.sites.get(at) == Some(&(site, What::Condition)))
        else {
            return false;
        };
        let reconvergence = DominatorTree::post_dominators(function).parent(branch);
        let has_sites = |first: Block| {
            let mut seen = vec![false; function.blocks.len()];
            let mut pending = vec![first];
            while let Some(block) = pending.pop() {
                if Some(block) == reconvergence || std::mem::replace(&mut seen[block.index()], true)
                {
                    continue;
                }
                if function.instructions(block).iter().any(|at| self.sites.contains_key(at)) {
                    return true;
                }
                pending.extend(function.successors(block));
            }
            false
        };
        function.successors(branch).all(has_sites)
    }
}

fn walk(main: &Stream, affine: &Stream) -> Vec<String> {
    let mut faults = Vec::new();
    let mut seen = BTreeSet::new();
    let mut pending = vec![((Block::ENTRY, 0), (Block::ENTRY, 0))];
    while let Some((one, other)) = pending.pop() {
        if !seen.insert((one, other)) {
            continue;
        }
        let (mine, theirs) = (main.from(one.0, one.1), affine.from(other.0, other.1));
        for (next, stream) in [(mine, main), (theirs, affine)] {
            if next == Next::Differs {
                let (block, _) = if stream.name == main.name { one } else { other };
                faults.push(format!(
                    "{}: after {block} it depends on a branch without a site which site is next",
                    stream.name
                ));
            }
        }
        let describe = |stream: &Stream, next: Next| match next {
            Next::Site(block, at) => {
                stream.site(block, at).map_or(String::new(), |(site, what)| {
                    format!("{} comes to site {site} ({what:?}) in {block}", stream.name)
                })
            }
            _ => format!("{} ends", stream.name),
        };
        match (mine, theirs) {
            (Next::Differs, _) | (_, Next::Differs) => {}
            (Next::Nothing, _) | (_, Next::Nothing) | (Next::End, Next::End) => {}
            (Next::Site(b, i), Next::Site(c, j)) if main.site(b, i) == affine.site(c, j) => {
                let (after, others) = (main.after(b, i), affine.after(c, j));
                match (after.as_slice(), others.as_slice()) {
                    ([one], [other]) => pending.push((*one, *other)),
                    ([then, otherwise], [one, other]) => {
                        pending.push((*then, *one));
                        pending.push((*otherwise, *other));
                    }
                    ([then, otherwise], [both]) => {
                        pending.push((*then, *both));
                        pending.push((*otherwise, *both));
                    }
                    _ => faults.push(format!("{} branches alone", affine.name)),
                }
            }
            (mine, theirs) => {
                faults.push(format!("{} where {}", describe(main, mine), describe(affine, theirs)))
            }
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::parse::parse;

    /// The faults of two streams, given by their blocks after the label of the first.
    fn faults(main: &str, affine: &str, parting: &[u8]) -> Vec<String> {
        let function = |blocks: &str| {
            let text = format!("kernel k {{\nb0:\n{blocks}\n}}");
            let function =
                parse(&text).unwrap_or_else(|errors| panic!("{errors:?}")).functions.remove(0);
            assert_eq!(crate::ir::verify(&function), []);
            function
        };
        verify(&function(main), &function(affine), &parting.iter().copied().collect())
    }

    const LOAD: &str =
        " %1 = deq.data 0\n %2 = ld.global.b32 %1\n %3 = deq.addr 1\n st.global.b32 %3, %2\n";
    const ENQUEUE: &str =
        " %1 = param.global 0\n enq.data.global.b32 0, %1\n enq.addr.global.b32 1, %1\n";

    #[test]
    fn straight_streams_agree() {
        let (main, affine) = (format!("{LOAD} return"), format!("{ENQUEUE} return"));
        assert_eq!(faults(&main, &affine, &[]), Vec::<String>::new());
    }

    #[test]
    fn one_that_is_missing_is_found() {
        let affine = " %1 = param.global 0\n enq.data.global.b32 0, %1\n return";
        let found = faults(&format!("{LOAD} return"), affine, &[]);
        assert!(found[0].contains("comes to site 1") && found[0].ends_with("affine stream ends"));
        let found = faults(" return", affine, &[]);
        assert!(found[0].starts_with("the non-affine stream ends where"), "{found:?}");
    }

    #[test]
    fn another_order_or_another_kind_is_found() {
        let swapped =
            " %1 = param.global 0\n enq.addr.global.b32 1, %1\n enq.data.global.b32 0, %1\n return";
        assert_eq!(faults(&format!("{LOAD} return"), swapped, &[]).len(), 1);
        for other in ["enq.addr.global.b32 0", "enq.data.global.u8 0", "enq.data.shared.b32 0"] {
            let affine = ENQUEUE.replace("enq.data.global.b32 0", other);
            let found = faults(&format!("{LOAD} return"), &format!("{affine} return"), &[]);
            assert_eq!(found.len(), 1, "{other}");
        }
    }

    const LOOP: &str = " jump b1\nb1:\n %1 = deq.addr 0\n %2 = ld.shared.b32 %1\n %3 = deq.pred 1\n \
                        branch %3, b1, b2\nb2:\n return";
    const AFFINE_LOOP: &str = " %1 = const.b32 4\n %2 = setp.eq.i32 %1, %1\n jump b1\nb1:\n \
                               enq.addr.shared.b32 0, %1\n enq.pred 1, %2\n branch %2, b1, b2\nb2:\n return";

    #[test]
    fn loops_agree_round_by_round() {
        assert_eq!(faults(LOOP, AFFINE_LOOP, &[1]), Vec::<String>::new());
        let once = AFFINE_LOOP.replace(" branch %2, b1, b2", " jump b2");
        assert!(!faults(LOOP, &once, &[]).is_empty(), "the loop is left");
        let before = AFFINE_LOOP
            .replace(" enq.addr.shared.b32 0, %1\n", "")
            .replace(" jump b1\nb1:", " enq.addr.shared.b32 0, %1\n jump b1\nb1:");
        assert!(!faults(LOOP, &before, &[]).is_empty(), "enqueued once only");
        let turned = AFFINE_LOOP.replace("b1, b2", "b2, b1");
        assert!(!faults(LOOP, &turned, &[]).is_empty(), "the other way round");
    }

    #[test]
    fn what_data_decides_cannot_be_a_site() {
        let main = " %1 = deq.data 0\n %2 = ld.global.b32 %1\n %3 = const.b32 0\n %4 = setp.eq.i32 %2, %3\n \
                    branch %4, b1, b2\nb1:\n %5 = deq.addr 1\n st.global.b32 %5, %2\n jump b2\nb2:\n return";
        let found = faults(main, &format!("{ENQUEUE} return"), &[]);
        assert!(found[0].starts_with("the non-affine stream: after b0"), "{found:?}");
        // An early exit that data decides, in front of a site.
        let exits = main.replace(" jump b2\nb2:", " return\nb2:");
        assert!(!faults(&exits, &format!("{ENQUEUE} return"), &[]).is_empty());
    }

    #[test]
    fn after_an_early_exit_that_both_follow_there_may_be_sites() {
        let main = " %1 = deq.pred 0\n branch %1, b1, b2\nb1:\n return\nb2:\n %2 = deq.addr 1\n \
                    %3 = ld.local.b32 %2\n return";
        let affine = " %1 = special tid.x\n %2 = setp.eq.i32 %1, %1\n enq.pred 0, %2\n branch %2, b1, b2\n\
                      b1:\n return\nb2:\n enq.addr.local.b32 1, %1\n return";
        assert_eq!(faults(main, affine, &[0]), Vec::<String>::new());
        let left = affine.replace("b1:\n return", "b1:\n jump b2");
        assert_eq!(faults(main, &left, &[0]).len(), 1);
        // A branch that the affine stream leaves out, though it decides about a site.
        let straight = affine.replace("branch %2, b1, b2\nb1:\n return\n", "jump b2\n");
        assert_eq!(faults(main, &straight, &[0]).len(), 1);
    }

    #[test]
    fn a_branch_at_which_blocks_part_has_sites_on_one_side() {
        let main = " %1 = deq.pred 0\n branch %1, b1, b2\nb1:\n %2 = deq.addr 1\n %3 = ld.local.b32 %2\n \
                    jump b3\nb2:\n bar.sync 2\n jump b3\nb3:\n return";
        let affine = " %1 = special tid.x\n %2 = setp.eq.i32 %1, %1\n enq.pred 0, %2\n branch %2, b1, b2\n\
                      b1:\n enq.addr.local.b32 1, %1\n jump b3\nb2:\n bar.sync 2\n jump b3\nb3:\n return";
        assert_eq!(faults(main, affine, &[]), Vec::<String>::new());
        assert_eq!(
            faults(main, affine, &[0]),
            ["threads of a block may diverge at site 0, and both paths have sites"]
        );
    }
}
