//! Compares the policies with the plainest models of their descriptions.

use super::list::{MECHANISMS, find};
use super::slot::Replacement;
use super::ways::Ways;
use crate::mechanisms::allocation::{LineAccess, Requester};
use crate::mechanisms::setup::Setup;

/// An access of a line of a set.
fn of(set: usize) -> LineAccess {
    LineAccess { requester: Requester::NONE, line: set as u64, set }
}

fn build(name: &str, sets: usize, ways: usize) -> Box<dyn Replacement> {
    let none = toml::Table::new();
    (find(name).expect("it exists").build)(&Setup::of(&none), sets, ways)
        .expect("it needs no options")
}

/// A stream of numbers below `below`.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % below
    }
}

/// A policy chooses an offered way, and chooses the same way as among all whenever that is offered.
fn offers_are_kept(policy: &dyn Replacement, set: usize, ways: usize) {
    let best = policy.victim(&of(set), &Ways::all(ways));
    for way in 0..ways {
        let (mut one, mut others) = (Ways::all(ways), Ways::all(ways));
        one.retain(|other| other == way);
        others.retain(|other| other != way);
        assert_eq!(policy.victim(&of(set), &one), way);
        if way != best {
            assert_eq!(policy.victim(&of(set), &others), best);
        } else if !others.is_empty() {
            assert_ne!(policy.victim(&of(set), &others), best);
        }
    }
}

/// Runs accesses to random lines through sets, each modelled as a list of (line, way). If
/// `moves_up`, a found line moves to the end of its list. The first of the list is evicted.
fn beside_lists(name: &str, moves_up: bool) {
    for ways in [1, 2, 3, 4, 6, 7, 16] {
        let sets = 3;
        let mut policy = build(name, sets, ways);
        let mut lists: Vec<Vec<(usize, usize)>> = vec![Vec::new(); sets];
        let mut numbers = Numbers(ways as u64);
        for _ in 0..5000 {
            let (set, line) = (numbers.next(sets), numbers.next(2 * ways + 1));
            let list = &mut lists[set];
            if let Some(at) = list.iter().position(|(known, _)| *known == line) {
                policy.touch(&of(set), list[at].1);
                if moves_up {
                    let found = list.remove(at);
                    list.push(found);
                }
                continue;
            }
            let way = if list.len() < ways {
                list.len()
            } else {
                let all = Ways::all(ways);
                assert_eq!(policy.victim(&of(set), &all), policy.victim(&of(set), &all));
                offers_are_kept(&*policy, set, ways);
                // Among some ways only, the first in the list.
                let mut some = Ways::all(ways);
                some.retain(|way| (way + set) % 3 != 0);
                if let Some((_, first)) = list.iter().find(|(_, way)| some.contains(*way)) {
                    assert_eq!(policy.victim(&of(set), &some), *first, "{name} of {ways} ways");
                }
                let way = policy.victim(&of(set), &all);
                assert_eq!(list.remove(0).1, way, "{name} of {ways} ways");
                way
            };
            policy.place(&of(set), way);
            list.push((line, way));
        }
    }
}

#[test]
fn lru_beside_a_list() {
    beside_lists("lru", true);
}

#[test]
fn fifo_beside_a_list() {
    beside_lists("fifo", false);
}

/// A tree as a tree.
enum Node {
    Leaf(usize),
    Inner { halves: Box<[Node; 2]>, points: usize },
}

impl Node {
    fn of(ways: &[usize]) -> Node {
        match ways {
            [way] => Node::Leaf(*way),
            _ => {
                let (lower, upper) = ways.split_at(ways.len() - ways.len() / 2);
                Node::Inner { halves: Box::new([Node::of(lower), Node::of(upper)]), points: 0 }
            }
        }
    }

    /// Makes the nodes above a way point away from it. Returns true if the way is below this node.
    fn touch(&mut self, way: usize) -> bool {
        match self {
            Node::Leaf(leaf) => *leaf == way,
            Node::Inner { halves, points } => {
                let found = halves.iter_mut().position(|half| half.touch(way));
                *points = found.map_or(*points, |half| 1 - half);
                found.is_some()
            }
        }
    }

    fn victim(&self) -> usize {
        match self {
            Node::Leaf(leaf) => *leaf,
            Node::Inner { halves, points } => halves[*points].victim(),
        }
    }
}

#[test]
fn a_tree_beside_a_tree() {
    for ways in [1, 2, 3, 4, 6, 7, 12, 16] {
        let mut policy = build("tree-pseudo-lru", 2, ways);
        let all: Vec<usize> = (0..ways).collect();
        let mut trees = [Node::of(&all), Node::of(&all)];
        let mut numbers = Numbers(ways as u64);
        for _ in 0..2000 {
            let set = numbers.next(2);
            assert_eq!(
                policy.victim(&of(set), &Ways::all(ways)),
                trees[set].victim(),
                "{ways} ways"
            );
            let way = numbers.next(ways);
            policy.touch(&of(set), way);
            trees[set].touch(way);
            assert!(ways == 1 || policy.victim(&of(set), &Ways::all(ways)) != way);
            offers_are_kept(&*policy, set, ways);
        }
    }
}

#[test]
fn four_ways_of_a_tree() {
    const WAYS: usize = 4;
    // 0 1 | 2 3. After 0, 1, 2, 3 all bits point to the lower halves: 0. Touching 0: the root points to 2
    // and 3, of which 3 was last: 2. Touching 2: back to the lower half, where 0 was last: 1.
    let mut policy = build("tree-pseudo-lru", 1, 4);
    (0..4).for_each(|way| policy.place(&of(0), way));
    assert_eq!(policy.victim(&of(0), &Ways::all(WAYS)), 0);
    policy.touch(&of(0), 0);
    assert_eq!(policy.victim(&of(0), &Ways::all(WAYS)), 2);
    policy.touch(&of(0), 2);
    assert_eq!(policy.victim(&of(0), &Ways::all(WAYS)), 1);
    // The root points to the lower half; if nothing of it is offered, the upper half's bit decides: 3.
    let mut upper = Ways::all(WAYS);
    upper.retain(|way| way >= 2);
    assert_eq!(policy.victim(&of(0), &upper), 3);
}

#[test]
fn random_is_even_and_repeats() {
    const WAYS: usize = 6;
    let run = |seed: i64| {
        let table = toml::Table::from_iter([("seed".to_string(), toml::Value::Integer(seed))]);
        let mut policy = (find("random").unwrap().build)(&Setup::of(&table), 1, 6).unwrap();
        let mut counts = [0; 6];
        let victims: Vec<usize> = (0..6000)
            .map(|_| {
                let victim = policy.victim(&of(0), &Ways::all(WAYS));
                offers_are_kept(&*policy, 0, WAYS);
                policy.place(&of(0), victim);
                counts[victim] += 1;
                victim
            })
            .collect();
        assert!(counts.iter().all(|count| (900..1100).contains(count)), "{counts:?}");
        victims
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}

#[test]
fn options_are_checked() {
    let table = toml::Table::from_iter([("sede".to_string(), toml::Value::Integer(1))]);
    for mechanism in MECHANISMS.all() {
        assert!((mechanism.build)(&Setup::of(&table), 1, 1).is_err(), "{}", mechanism.name);
    }
}

#[test]
fn what_is_placed_last_is_evicted_first() {
    for name in ["lru", "fifo", "tree-pseudo-lru"] {
        for ways in [1, 2, 3, 4, 6, 7, 16] {
            let mut policy = build(name, 2, ways);
            (0..ways).for_each(|way| policy.place(&of(1), way));
            for last in (0..ways).chain(0..ways) {
                policy.place_last(&of(1), last);
                assert_eq!(policy.victim(&of(1), &Ways::all(ways)), last, "{name}");
            }
            // Used again it is as any other.
            policy.touch(&of(1), ways - 1);
            let first = policy.victim(&of(1), &Ways::all(ways));
            assert_eq!(first == ways - 1, ways == 1 || name == "fifo", "{name}");
        }
    }
}
