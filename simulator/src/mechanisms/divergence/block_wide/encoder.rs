//! The warp compaction unit: priority encoders that make as few warps as possible out of a set of
//! threads, each of which stays in its home lane.
//!
//! Source: Rhu's dissertation, §4.1.3 and Figure 4.3. The encoder of a home lane distributes the
//! threads that share it: each new warp gets the next one, in the order of their warps. So a set of
//! whole warps gives the same warps again.

use super::threads::Threads;
use crate::block::path::{Lanes, ThreadIndex};
use crate::execute::lanes::lanes_of;
use crate::mechanisms::lane_permutation::LaneMap;

/// A new warp: warps with the home lanes of the threads that it takes of each.
#[derive(Clone, Debug, Default)]
struct Row {
    taken: u64,
    parts: Vec<(u16, u64)>,
}

/// The fewest warps that carry a set of threads, with the thread in each of their lanes.
pub(crate) fn compact(threads: &Threads, map: &LaneMap, width: usize) -> Vec<Lanes> {
    if map.is_ideal() {
        return anywhere(threads, width);
    }
    let rows = rows(threads, map);
    rows.into_iter().map(|row| row.lanes(map, width)).collect()
}

/// Each warp's threads by themselves.
pub(crate) fn apart(threads: &Threads) -> impl Iterator<Item = Lanes> + '_ {
    let warps = (0..).zip(threads.masks()).filter(|(_, mask)| **mask != 0);
    warps.map(|(warp, &mask)| Lanes::Warp { warp, mask })
}

/// A warp joined by the threads of another one whose lanes are free in it; and the others of these
/// threads, if there are any. The block has `warps` warps.
pub(in crate::mechanisms::divergence) fn join(
    one: &Lanes,
    other: &Lanes,
    map: &LaneMap,
    warps: usize,
    width: usize,
) -> (Lanes, Option<Lanes>) {
    let (own, all) = (one.mask(), other.mask());
    let fits = if map.is_ideal() {
        let room = width - own.count_ones() as usize;
        lanes_of(all).take(room).fold(0, |mask, lane| mask | 1 << lane)
    } else {
        let free = other.physical(all, map) & !one.physical(own, map);
        match other {
            Lanes::Warp { warp, .. } => map.logical(usize::from(*warp), free),
            Lanes::Mixed(_) => free,
        }
    };
    let mut threads = Threads::none(warps);
    threads.add_lanes(one, own, width);
    threads.add_lanes(other, fits, width);
    let joined = compact(&threads, map, width).pop().unwrap_or_else(|| one.clone());
    (joined, (fits != all).then(|| other.only(all & !fits, width)))
}

/// The number of warps that [`compact`] makes: the most threads that share a home lane (Figure
/// 4.9).
pub(crate) fn fewest(threads: &Threads, map: &LaneMap, width: usize) -> u32 {
    if map.is_ideal() {
        return threads.count().div_ceil(width as u32);
    }
    // The lanes with at least one thread, at least two, and so on.
    let mut levels: Vec<u64> = Vec::new();
    for (warp, &mask) in threads.masks().iter().enumerate() {
        let mut rest = map.physical(warp, mask);
        for level in &mut levels {
            (*level, rest) = (*level | rest, *level & rest);
        }
        if rest != 0 {
            levels.push(rest);
        }
    }
    levels.len() as u32
}

fn rows(threads: &Threads, map: &LaneMap) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    // All rows before it are full: nothing goes there any more.
    let mut first = 0;
    let full = map.full();
    for (warp, &mask) in threads.masks().iter().enumerate() {
        let mut rest = map.physical(warp, mask);
        let mut at = first;
        while rest != 0 {
            if at == rows.len() {
                rows.push(Row::default());
            }
            let row = &mut rows[at];
            let part = rest & !row.taken;
            if part != 0 {
                row.taken |= part;
                row.parts.push((warp as u16, part));
                rest &= !part;
            }
            if at == first && row.taken == full {
                first += 1;
            }
            at += 1;
        }
    }
    rows
}

impl Row {
    fn lanes(self, map: &LaneMap, width: usize) -> Lanes {
        if let [(warp, lanes)] = self.parts[..] {
            return Lanes::Warp { warp, mask: map.logical(usize::from(warp), lanes) };
        }
        let mut threads = vec![None; width];
        for (warp, lanes) in self.parts {
            let first = usize::from(warp) * width;
            for lane in lanes_of(lanes) {
                let home = map.place(usize::from(warp), lane);
                threads[lane] = Some(ThreadIndex((first + home) as u16));
            }
        }
        Lanes::Mixed(threads.into())
    }
}

/// The smallest possible number of warps, in any lanes.
fn anywhere(threads: &Threads, width: usize) -> Vec<Lanes> {
    let mut all = Vec::with_capacity(threads.count() as usize);
    for (warp, &mask) in threads.masks().iter().enumerate() {
        all.extend(lanes_of(mask).map(|lane| (warp * width + lane) as u16));
    }
    let warp_of = |thread: u16| thread / width as u16;
    let lanes = |part: &[u16]| {
        let (first, last) = (warp_of(part[0]), warp_of(part[part.len() - 1]));
        if first == last {
            let mask =
                part.iter().fold(0, |mask, thread| mask | 1 << (usize::from(*thread) % width));
            return Lanes::Warp { warp: first, mask };
        }
        let mut threads = vec![None; width];
        for (place, &thread) in threads.iter_mut().zip(part) {
            *place = Some(ThreadIndex(thread));
        }
        Lanes::Mixed(threads.into())
    };
    all.chunks(width).map(lanes).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Threads of warps of four lanes, written as the dissertation writes them.
    fn set(warps: &[&str]) -> Threads {
        let mut threads = Threads::none(warps.len());
        for (warp, text) in warps.iter().enumerate() {
            for (lane, letter) in text.chars().enumerate() {
                threads.add(warp, u64::from(letter != '-') << lane);
            }
        }
        threads
    }

    fn show(lanes: &[Lanes]) -> Vec<String> {
        let letter = |lanes: &Lanes, lane: usize| match lanes.thread(lane, 4) {
            None => '-',
            Some(thread) => {
                char::from_digit(u32::from(thread.0), 16).unwrap_or('?').to_ascii_uppercase()
            }
        };
        lanes.iter().map(|lanes| (0..4).map(|lane| letter(lanes, lane)).collect()).collect()
    }

    #[test]
    fn figure_4_3_threads_of_one_lane_stay_apart() {
        // Basic block C of Figure 4.1: all but threads 7 and A, three in each of two lanes.
        let threads = set(&["0123", "456-", "89-B"]);
        let map = LaneMap::identity(4);
        assert_eq!(show(&compact(&threads, &map, 4)), ["0123", "456B", "89--"]);
        assert_eq!((fewest(&threads, &map, 4), threads.warps()), (3, 3));
        // Basic block B: one warp of two.
        let threads = set(&["----", "---7", "--A-"]);
        assert_eq!(show(&compact(&threads, &map, 4)), ["--A7"]);
        assert_eq!((fewest(&threads, &map, 4), threads.warps()), (1, 2));
    }

    #[test]
    fn who_finds_a_free_lane_joins() {
        let warps = |rows: &[&str]| compact(&set(rows), &LaneMap::identity(4), 4);
        let join = |one: &[&str], other: &[&str], map: &LaneMap| {
            let (joined, rest) = join(&warps(one)[0], &warps(other)[0], map, 3, 4);
            show(&[vec![joined], rest.into_iter().collect()].concat())
        };
        let map = LaneMap::identity(4);
        assert_eq!(join(&["0--3"], &["", "4567"], &map), ["0563", "4--7"]);
        assert_eq!(join(&["0--3"], &["", "", "-9A-"], &map), ["09A3"]);
        assert_eq!(join(&["0---", "-5--"], &["", "4--7"], &map), ["05-7", "4---"]);
        assert_eq!(join(&["0--3"], &["-12-"], &map), ["0123"]);
    }

    #[test]
    fn figure_4_8_gives_the_next_thread_of_each_lane() {
        let threads = set(&["----", "4--7", "89--"]);
        let map = LaneMap::identity(4);
        assert_eq!(show(&compact(&threads, &map, 4)), ["49-7", "8---"]);
    }
}
