//! What threads of a warp do together.

use crate::code::{Reduction, WarpKind};
use crate::integer::exact;

/// The results of a thread: two values.
pub(crate) type Results = [u64; 2];

/// Computes the results of every member. `members` has each lane with its values, by lane.
pub(crate) fn results(kind: WarpKind, members: &[(u32, Vec<u64>)]) -> Vec<Results> {
    let mask = |test: &dyn Fn(&[u64]) -> bool| -> u64 {
        members.iter().filter(|(_, values)| test(values)).map(|(lane, _)| 1 << lane).sum()
    };
    let all = mask(&|_| true);
    let truths = |values: &[u64]| values.first().is_some_and(|&it| it != 0);
    let same = |result: Results| vec![result; members.len()];
    match kind {
        WarpKind::Barrier => same([0, 0]),
        WarpKind::Active => same([all, 0]),
        WarpKind::Elect => {
            let leader = u64::from(all.trailing_zeros());
            let of = |&(lane, _): &(u32, Vec<u64>)| [leader, u64::from(u64::from(lane) == leader)];
            members.iter().map(of).collect()
        }
        WarpKind::Ballot => same([mask(&truths), 0]),
        WarpKind::VoteAll => same([u64::from(mask(&truths) == all), 0]),
        WarpKind::VoteAny => same([u64::from(mask(&truths) != 0), 0]),
        WarpKind::VoteUniform => {
            let found = mask(&truths);
            same([u64::from(found == all || found == 0), 0])
        }
        WarpKind::MatchAny => {
            let of = |(_, own): &(u32, Vec<u64>)| [mask(&|values| values == own.as_slice()), 0];
            members.iter().map(of).collect()
        }
        WarpKind::MatchAll => {
            let equal = members.windows(2).all(|pair| pair[0].1 == pair[1].1);
            same(if equal { [all, 1] } else { [0, 0] })
        }
        WarpKind::Reduce(reduction, of) => {
            let values = members.iter().map(|(_, values)| exact(values[0], of));
            let joined = values.reduce(|a, b| match reduction {
                Reduction::And => a & b,
                Reduction::Or => a | b,
                Reduction::Xor => a ^ b,
                Reduction::Least => a.min(b),
                Reduction::Greatest => a.max(b),
                Reduction::Add | Reduction::Count => a.wrapping_add(b),
            });
            same([joined.unwrap_or(0) as u64, 0])
        }
        WarpKind::ShuffleUp
        | WarpKind::ShuffleDown
        | WarpKind::ShuffleButterfly
        | WarpKind::ShuffleIndex => {
            members.iter().map(|(lane, own)| shuffled(kind, *lane, own, members)).collect()
        }
    }
}

/// The value that a lane gets, and true if its source is in range. From a source that takes no part comes 0; PTX leaves that
/// open.
fn shuffled(kind: WarpKind, lane: u32, own: &[u64], members: &[(u32, Vec<u64>)]) -> Results {
    let (from, in_range) = source(kind, lane, own);
    if !in_range {
        return [own[0], 0];
    }
    let found = members.iter().find(|(lane, _)| i64::from(*lane) == from);
    [found.map_or(0, |(_, values)| values[0]), 1]
}

/// The lane that a shuffle reads, and true if it is in range.
pub(crate) fn source(kind: WarpKind, lane: u32, own: &[u64]) -> (i64, bool) {
    let (distance, clamp) = (own[1] as u32 & 31, own[2] as u32 & 31);
    let segment = own[2] as u32 >> 8 & 31;
    let first = lane & segment;
    let last = first | clamp & !segment;
    match kind {
        WarpKind::ShuffleUp => {
            let from = i64::from(lane) - i64::from(distance);
            (from, from >= i64::from(last))
        }
        WarpKind::ShuffleDown => {
            let from = lane + distance;
            (from.into(), from <= last)
        }
        WarpKind::ShuffleButterfly => {
            let from = lane ^ distance;
            (from.into(), from <= last)
        }
        _ => {
            let from = first | distance & !segment;
            (from.into(), from <= last)
        }
    }
}
