//! The dissertation's figures of permutations.

use super::list::{MECHANISMS, find};
use super::slot::LaneMap;
use crate::mechanisms::setup::Setup;

fn map(name: &str, width: usize) -> LaneMap {
    let found = find(name).expect("it exists");
    (found.build)(&Setup::of(&toml::Table::new()), width).expect("it fits")
}

/// By lane, the places of a warp's threads.
fn row(map: &LaneMap, warp: usize) -> Vec<usize> {
    (0..map.width).map(|lane| map.place(warp, lane)).collect()
}

#[test]
fn figure_4_19_a_balanced() {
    let table = [
        [0, 1, 2, 3, 4, 5, 6, 7],
        [7, 6, 5, 4, 3, 2, 1, 0],
        [1, 0, 3, 2, 5, 4, 7, 6],
        [6, 7, 4, 5, 2, 3, 0, 1],
        [2, 3, 0, 1, 6, 7, 4, 5],
        [5, 4, 7, 6, 1, 0, 3, 2],
        [3, 2, 1, 0, 7, 6, 5, 4],
        [4, 5, 6, 7, 0, 1, 2, 3],
    ];
    let map = map("balanced", 8);
    for warp in 0..20 {
        assert_eq!(row(&map, warp), table[warp % 8], "warp {warp}");
    }
    // Each lane has every place once.
    for lane in 0..8 {
        let places = (0..8).fold(0, |places, warp| places | 1 << map.place(warp, lane));
        assert_eq!(places, 0xff);
    }
}

/// Warps of eight threads with letters from 0 to 9 and A to V, as the figure draws them.
fn draw(name: &str, active: u64) -> Vec<String> {
    let map = map(name, 8);
    let letter = |warp: usize, place: usize| char::from_digit((warp * 8 + place) as u32, 36);
    let lane = |warp: usize, lane: usize| {
        let place = map.place(warp, lane);
        match active >> place & 1 != 0 {
            true => letter(warp, place).unwrap_or('?').to_ascii_uppercase(),
            false => '-',
        }
    };
    (0..4).map(|warp| (0..8).map(|at| lane(warp, at)).collect()).collect()
}

#[test]
fn figure_4_19_b_every_other_thread() {
    let active = 0b0101_0101;
    assert_eq!(draw("identity", active), ["0-2-4-6-", "8-A-C-E-", "G-I-K-M-", "O-Q-S-U-"]);
    assert_eq!(draw("odd-even", active), ["0-2-4-6-", "-8-A-C-E", "G-I-K-M-", "-O-Q-S-U"]);
    assert_eq!(draw("reverse-warp-id", active), ["0-2-4-6-", "C-E-8-A-", "I-G-M-K-", "U-S-Q-O-"]);
    assert_eq!(draw("balanced", active), ["0-2-4-6-", "-E-C-A-8", "-G-I-K-M", "U-S-Q-O-"]);
}

#[test]
fn figure_4_19_c_the_first_half() {
    // The figure writes W3 under `Odd_Even` as PORQ, as here, and its W3 under the others as QROP.
    let active = 0b0000_1111;
    assert_eq!(draw("identity", active), ["0123----", "89AB----", "GHIJ----", "OPQR----"]);
    assert_eq!(draw("odd-even", active), ["0123----", "98BA----", "GHIJ----", "PORQ----"]);
    assert_eq!(draw("reverse-warp-id", active), ["0123----", "----89AB", "IJGH----", "----QROP"]);
    assert_eq!(draw("balanced", active), ["0123----", "----BA98", "HGJI----", "----QROP"]);
}

/// The number of warps out of sixteen that remain for the active threads of some warps.
fn left(name: &str, warps: usize, active: impl Fn(usize) -> u64) -> (u32, u32) {
    let mut threads = crate::mechanisms::divergence::Threads::none(warps);
    (0..warps).for_each(|warp| threads.add(warp, active(warp)));
    let map = map(name, 16);
    (crate::mechanisms::divergence::fewest(&threads, &map, 16), threads.warps())
}

#[test]
fn figure_4_18_aligned_threads() {
    // (a) Blocks of 8 by 16 threads, two rows a warp; `ty % 4 == 0` and `ty % 2 == 0`.
    let four = |warp: usize| if warp.is_multiple_of(2) { 0x00ff } else { 0 };
    let two = |_| 0x00ff;
    // (b) 64 threads, those with `(tid ^ 1) > tid`.
    let even = |_| 0x5555;
    let names = ["identity", "odd-even", "xor-half-odd", "balanced", "ideal"];
    let of = |warps, active: &dyn Fn(usize) -> u64| names.map(|name| left(name, warps, active).0);
    assert_eq!(of(8, &two), [8, 8, 4, 4, 4]);
    assert_eq!(of(4, &even), [4, 2, 4, 2, 2]);
    // Only even warps have any: the masks of `balanced` move none of them to the other half.
    assert_eq!(of(8, &four), [4, 4, 4, 4, 2]);
}

#[test]
fn figure_4_16_each_is_a_permutation() {
    for mechanism in MECHANISMS.all() {
        for width in [1usize, 2, 3, 4, 7, 8, 16, 32, 48, 64] {
            let Ok(map) = (mechanism.build)(&Setup::of(&toml::Table::new()), width) else {
                assert!(!width.is_power_of_two(), "{} of {width}", mechanism.name);
                continue;
            };
            for warp in 0..200 {
                let mut places = row(&map, warp);
                for (lane, &place) in places.iter().enumerate() {
                    let lanes = map.physical(warp, 1 << place);
                    assert_eq!(lanes, 1 << lane, "{} of {width}", mechanism.name);
                    assert_eq!(map.logical(warp, lanes), 1 << place);
                }
                places.sort_unstable();
                assert!(places.into_iter().eq(0..width), "{} of {width}", mechanism.name);
            }
        }
    }
    // Half of a warp's threads, of width 4, in the lanes of two warps.
    let pairs =
        |name: &str| (0..4).map(|warp| map(name, 4).physical(warp, 0b0011)).collect::<Vec<_>>();
    assert_eq!(pairs("flip-odd"), [0b0011, 0b1100, 0b0011, 0b1100]);
    assert_eq!(pairs("rotate-odd-1"), [0b0011, 0b0110, 0b0011, 0b0110]);
    assert_eq!(pairs("xor-half-odd"), [0b0011, 0b1100, 0b0011, 0b1100]);
    assert_eq!(pairs("warp-id"), [0b0011, 0b0011, 0b1100, 0b1100]);
    assert_eq!(pairs("reverse-warp-id"), [0b0011, 0b1100, 0b0011, 0b1100]);
}
