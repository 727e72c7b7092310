//! Barriers, votes and shuffles: the values that waiting threads exchange.
//!
//! Lanes of a warp meet when none of them can continue alone. The lanes at one place of the code
//! then form a group. Masks decide which group is complete; without masks the group at the earliest
//! place continues first, because the others are after the branches in which it still is. (This
//! does not hold where the others have already begun the next iteration of a loop.)

use reconverge_compiler::check::builtin::Builtin;

/// The call that a thread waits in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Collective {
    /// The call.
    pub builtin: Builtin,
    /// The slot of its first argument, followed by the others, among the thread's saved slots; its
    /// result goes into the first.
    pub slot: u32,
}

/// The most arguments of a call.
pub const MOST_ARGUMENTS: usize = 4;

/// A lane in a group, with its arguments.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// Its number in the warp.
    pub lane: usize,
    /// The arguments; those that the call does not have are zero.
    pub arguments: [u64; MOST_ARGUMENTS],
}

/// Returns true if a built-in makes threads wait for each other.
pub fn meets(builtin: Builtin) -> bool {
    is_barrier(builtin) || names_lanes(builtin) || shuffle(builtin).is_some() || is_vote(builtin)
}

/// Returns true if the whole block meets.
pub fn is_barrier(builtin: Builtin) -> bool {
    use Builtin as B;
    matches!(builtin, B::SyncThreads | B::SyncThreadsOr | B::SyncThreadsAnd | B::SyncThreadsCount)
}

fn is_vote(builtin: Builtin) -> bool {
    use Builtin as B;
    matches!(builtin, B::Any | B::All | B::Ballot | B::ActiveMask)
}

/// Returns true if its first argument is a mask with a bit for each participating lane.
pub fn has_mask(builtin: Builtin) -> bool {
    use Builtin as B;
    matches!(builtin, B::SyncWarp | B::AnySync | B::AllSync | B::BallotSync)
        || is_among(builtin)
        || shuffle(builtin).is_some_and(|(_, masked)| masked)
}

/// Returns true if it compares or reduces the values of the lanes of its mask.
fn is_among(builtin: Builtin) -> bool {
    among(builtin, 0, &[(0, 0)]).is_some()
}

/// The result of a lane from the values of the lanes that its mask names, its own among them. Named
/// lanes that have ended have no value.
fn among(builtin: Builtin, own: u64, named: &[(usize, u64)]) -> Option<u64> {
    use Builtin as B;
    let values = named.iter().map(|&(_, value)| value);
    Some(match builtin {
        B::MatchAny => {
            let same = named.iter().filter(|&&(_, value)| value == own);
            same.fold(0, |mask, &(lane, _)| mask | 1 << lane)
        }
        B::MatchAll => named.iter().all(|&(_, value)| value == own).into(),
        B::ReduceAddU => values.fold(0, u64::wrapping_add) as u32 as u64,
        B::ReduceAddI => values.fold(0, u64::wrapping_add) as i32 as u64,
        B::ReduceMinU => values.min()?,
        B::ReduceMaxU => values.max()?,
        B::ReduceMinI => values.map(|value| value as i64).min()? as u64,
        B::ReduceMaxI => values.map(|value| value as i64).max()? as u64,
        B::ReduceAnd => values.reduce(|a, b| a & b)?,
        B::ReduceOr => values.fold(0, |a, b| a | b),
        B::ReduceXor => values.fold(0, |a, b| a ^ b),
        _ => return None,
    })
}

/// Returns true if a mask of lanes is an argument or the result.
fn names_lanes(builtin: Builtin) -> bool {
    has_mask(builtin) || matches!(builtin, Builtin::Ballot | Builtin::ActiveMask)
}

#[derive(Clone, Copy, Debug)]
enum Shuffle {
    Index,
    Up,
    Down,
    Xor,
}

fn shuffle(builtin: Builtin) -> Option<(Shuffle, bool)> {
    use Builtin as B;
    Some(match builtin {
        B::Shfl => (Shuffle::Index, false),
        B::ShflUp => (Shuffle::Up, false),
        B::ShflDown => (Shuffle::Down, false),
        B::ShflXor => (Shuffle::Xor, false),
        B::ShflSync => (Shuffle::Index, true),
        B::ShflUpSync => (Shuffle::Up, true),
        B::ShflDownSync => (Shuffle::Down, true),
        B::ShflXorSync => (Shuffle::Xor, true),
        _ => return None,
    })
}

/// The reason why a group cannot perform its operation: the member with the fault, and the
/// sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Apart {
    /// The lane.
    pub lane: usize,
    /// The fault.
    pub message: String,
}

/// Checks the masks of a group; `alive` are the lanes of the warp that have not ended.
///
/// # Errors
/// A mask without its own lane or with one that is elsewhere, or warps too wide for masks.
pub fn check(builtin: Builtin, warp: usize, group: &[Member], alive: u64) -> Result<(), Apart> {
    let Some(first) = group.first() else {
        return Ok(());
    };
    if names_lanes(builtin) && warp > 32 {
        let message = format!("a mask has 32 bits for lanes; warps of this machine have {warp}");
        return Err(Apart { lane: first.lane, message });
    }
    if !has_mask(builtin) {
        return Ok(());
    }
    let here = group.iter().fold(0u64, |here, member| here | 1 << member.lane);
    for member in group {
        let mask = member.arguments[0] as u32;
        let missing = u64::from(mask) & alive & !here;
        let complaint = if missing != 0 {
            let lane = missing.trailing_zeros();
            format!("names lane {lane}, which does not execute it together with this thread")
        } else if mask >> member.lane & 1 == 0 {
            "does not name the thread's lane".to_owned()
        } else {
            continue;
        };
        let message = format!("warp operation whose mask {mask:#010x} {complaint}");
        return Err(Apart { lane: member.lane, message });
    }
    Ok(())
}

/// The result of each member of a group in a warp.
pub fn results(builtin: Builtin, warp: usize, group: &[Member]) -> Vec<u64> {
    if let Some((shuffle, masked)) = shuffle(builtin) {
        let at = usize::from(masked);
        let value = |lane: usize| {
            let from = group.iter().find(|member| member.lane == lane);
            from.map_or(0, |member| member.arguments[at])
        };
        let read = |member: &Member| {
            let [which, width] = [1, 2].map(|next| member.arguments[at + next] as u32 as usize);
            source(shuffle, warp, member.lane, which, width)
        };
        return group.iter().map(|member| value(read(member))).collect();
    }
    if is_among(builtin) {
        let result = |member: &Member| {
            let [mask, own, ..] = member.arguments;
            let named = group.iter().filter(|other| mask >> other.lane & 1 != 0);
            let values: Vec<_> = named.map(|other| (other.lane, other.arguments[1])).collect();
            let found = among(builtin, own, &values).unwrap_or(0);
            match builtin {
                Builtin::MatchAll if found != 0 => mask,
                _ => found,
            }
        };
        return group.iter().map(result).collect();
    }
    let among = |voter: &Member| {
        let mask = if has_mask(builtin) { voter.arguments[0] as u32 } else { u32::MAX };
        let named = group.iter().filter(|member| mask >> (member.lane & 31) & 1 != 0);
        vote(builtin, &named.copied().collect::<Vec<_>>())
    };
    group.iter().map(among).collect()
}

/// The lane that a lane reads. A width of 0, or more than the warp's, is the warp's. The lane or distance is taken modulo 32,
/// as by PTX's `shfl`; modulo 64 in wider warps.
fn source(shuffle: Shuffle, warp: usize, lane: usize, which: usize, width: usize) -> usize {
    let which = which % warp.next_power_of_two().max(32);
    let width = if width == 0 { warp } else { width.min(warp) };
    let first = lane / width * width;
    let end = first + width;
    let within = |from: Option<usize>| from.filter(|&from| from < end).unwrap_or(lane);
    match shuffle {
        Shuffle::Index => first + which % width,
        Shuffle::Up => within(lane.checked_sub(which).filter(|&from| from >= first)),
        Shuffle::Down => within(lane.checked_add(which)),
        Shuffle::Xor => within(Some(lane ^ which)),
    }
}

/// The result of all threads at a barrier, from the votes.
pub fn vote(builtin: Builtin, group: &[Member]) -> u64 {
    use Builtin as B;
    let at = usize::from(has_mask(builtin));
    let holds = |member: &&Member| builtin == B::ActiveMask || member.arguments[at] as u32 != 0;
    let ayes = group.iter().filter(holds);
    match builtin {
        B::Any | B::AnySync | B::SyncThreadsOr => (ayes.count() != 0).into(),
        B::All | B::AllSync | B::SyncThreadsAnd => (ayes.count() == group.len()).into(),
        B::SyncThreadsCount => ayes.count() as u64,
        _ => ayes.fold(0, |mask, member| mask | 1 << member.lane),
    }
}
