//! Accesses that cannot race, as far as addresses show before a launch: the static half of the
//! search for races.
//!
//! A *candidate* is a weak load or store whose address is a linear function of the thread's and the
//! block's index, the same at each execution. Candidates with the same steps whose places overlap
//! make a *cluster*. A cluster is proved if it only reads, or if different threads touch separate
//! parts of it. Then no other cluster may overlap it, if one of the two writes.
//!
//! Nothing is known before the launch about the addresses of other accesses. So these are checked
//! as usual, and compared with the places of the clusters. One that conflicts there with a proved
//! access refutes the proofs, and the launch is run again without them.

use std::ops::Range;

use reconverge_isa::{GLOBAL_BASE, SHARED_BASE, Space, WINDOW_SIZE};

/// A load, store or atomic of a kernel, with the facts about it in a launch.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    /// The instruction.
    pub pc: u32,
    /// The memory that it names: shared, global or generic.
    pub space: Space,
    /// True if it writes.
    pub writes: bool,
    /// True if it is an atomic or volatile.
    pub strong: bool,
    /// Bytes of a thread's access.
    pub size: u32,
    /// A load of shared memory that barriers separate from all writes to it, if threads wait at the same barriers.
    pub quiet: bool,
    /// Its address as a linear function: a base, and the steps of the indices of the thread and of the block along x, y and
    /// z; modulo 2^32.
    pub linear: Option<(u32, [u32; 6])>,
    /// The parameter with the pointer that the address starts from, if there is one.
    pub pointer: Option<u32>,
}

/// The treatment of an access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Class {
    /// It is checked, and recorded.
    #[default]
    Check,
    /// Only its place is compared with those of proved accesses: nothing else writes.
    Compare,
    /// It is proved.
    Proved,
}

/// The places of a proved cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Guard {
    place: Range<u32>,
    writes: bool,
}

/// The proofs about one memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Proofs {
    /// By instruction.
    classes: Vec<Class>,
    guards: Vec<Guard>,
    /// Loads are proved by barriers.
    pub by_barriers: bool,
    /// The number of proved instructions.
    pub proved: u32,
    /// True if other accesses must be compared with the guards.
    pub compares: bool,
}

/// Candidates with the same steps, one beside the other.
#[derive(Clone, Debug)]
struct Cluster {
    steps: [i64; 6],
    /// The range from the base of the first access to the end of the last one.
    own: Range<i64>,
    /// The range that all threads touch.
    place: Range<i64>,
    writes: bool,
    members: Vec<usize>,
    proved: bool,
}

impl Cluster {
    /// Makes a cluster of one access in a launch with these extents of block and grid; none if
    /// addresses wrap or leave the memory.
    fn new(access: &Access, member: usize, extents: &[u32; 6], shared: bool) -> Option<Cluster> {
        let (base, steps) = access.linear?;
        let (mut low, mut high) = (i64::from(base), i64::from(base) + i64::from(access.size));
        let mut own_steps = [0; 6];
        for ((own, &step), &extent) in own_steps.iter_mut().zip(&steps).zip(extents) {
            if extent <= 1 {
                continue;
            }
            *own = i64::from(step as i32);
            let reach = own.checked_mul(i64::from(extent) - 1)?;
            (low, high) = (low.checked_add(reach.min(0))?, high.checked_add(reach.max(0))?);
        }
        // Each block has shared memory of its own, so addresses must not depend on the block.
        let memory = match shared {
            true if own_steps[3..] != [0; 3] => return None,
            true => i64::from(SHARED_BASE)..i64::from(SHARED_BASE) + i64::from(WINDOW_SIZE),
            false => i64::from(GLOBAL_BASE)..1 << 32,
        };
        if low < memory.start || high > memory.end {
            return None;
        }
        let base = i64::from(base);
        Some(Cluster {
            steps: own_steps,
            own: base..base + i64::from(access.size),
            place: low..high,
            writes: access.writes,
            members: vec![member],
            proved: true,
        })
    }

    fn overlaps(&self, other: &Cluster) -> bool {
        self.place.start < other.place.end && other.place.start < self.place.end
    }

    fn join(&mut self, other: &Cluster) {
        self.own = self.own.start.min(other.own.start)..self.own.end.max(other.own.end);
        self.place = self.place.start.min(other.place.start)..self.place.end.max(other.place.end);
        self.writes |= other.writes;
        self.members.extend(&other.members);
    }

    /// Returns true if different threads touch different bytes: the step of each index is at least
    /// as large as the reach of all indices with smaller steps.
    fn is_apart(&self, extents: &[u32; 6], shared: bool) -> bool {
        let indices = if shared { 0..3 } else { 0..6 };
        let mut steps: Vec<(i64, i64)> = indices
            .filter(|&at| extents[at] > 1)
            .map(|at| (self.steps[at].abs(), i64::from(extents[at])))
            .collect();
        steps.sort_unstable();
        let mut reach = self.own.end - self.own.start;
        for (step, extent) in steps {
            if step < reach {
                return false;
            }
            reach = match step.checked_mul(extent - 1).and_then(|all| all.checked_add(reach)) {
                Some(reach) => reach,
                None => return false,
            };
        }
        true
    }
}

/// Returns true if the instruction's space allows an access to a memory.
fn may_be(access: &Access, shared: bool) -> bool {
    match access.space {
        Space::Generic => true,
        Space::Shared => shared,
        _ => !shared,
    }
}

impl Proofs {
    /// Proves what it can about the accesses of a kernel to global or to shared memory, in a launch
    /// with these extents of block and grid.
    pub fn new(
        accesses: &[Access],
        instructions: usize,
        extents: &[u32; 6],
        shared: bool,
    ) -> Proofs {
        let own: Vec<&Access> = accesses.iter().filter(|access| may_be(access, shared)).collect();
        let named = |access: &Access| match access.space {
            Space::Generic => !shared,
            _ => true,
        };
        let quiet = |access: &Access| shared && access.quiet && access.space == Space::Shared;
        let writes_generic = own.iter().any(|it| it.space == Space::Generic && it.writes);
        let by_barriers = !writes_generic && own.iter().any(|it| quiet(it));
        let is_quiet = |access: &Access| by_barriers && quiet(access);
        let mut clusters: Vec<Cluster> = Vec::new();
        for (at, access) in own.iter().enumerate() {
            let usable = named(access) && !access.strong && !is_quiet(access);
            let found = usable.then(|| Cluster::new(access, at, extents, shared)).flatten();
            clusters.extend(found);
        }
        let mut clusters = joined(clusters);
        let mut is_other: Vec<bool> = own.iter().map(|access| !is_quiet(access)).collect();
        for &member in clusters.iter().flat_map(|it| &it.members) {
            is_other[member] = false;
        }
        let others: Vec<&Access> =
            own.iter().zip(&is_other).filter(|(_, is)| **is).map(|(access, _)| *access).collect();
        refute(&mut clusters, extents, shared);
        // The assumption that nothing else accesses the same pointer's memory would be refuted at
        // once.
        for cluster in &mut clusters {
            let conflicts = |other: &Access| other.writes || cluster.writes;
            let pointers: Vec<_> = cluster.members.iter().map(|&at| own[at].pointer).collect();
            let same = |other: &Access| {
                shared || other.pointer.is_some() && pointers.contains(&other.pointer)
            };
            cluster.proved &= !others.iter().any(|other| conflicts(other) && same(other));
        }
        let mut proofs = Proofs { classes: vec![Class::Check; instructions], ..Proofs::default() };
        proofs.by_barriers = by_barriers;
        let mut is_proved: Vec<bool> = own.iter().map(|access| is_quiet(access)).collect();
        for &member in clusters.iter().filter(|it| it.proved).flat_map(|it| &it.members) {
            is_proved[member] = true;
        }
        let unproved = || own.iter().zip(&is_proved).filter(|(_, is)| !**is);
        let unproved_writes = unproved().any(|(access, _)| access.writes);
        proofs.compares = unproved().next().is_some();
        for (access, &is_proved) in own.iter().zip(&is_proved) {
            if is_proved {
                proofs.set(access.pc, Class::Proved);
                proofs.proved += 1;
            } else if !unproved_writes && !access.strong {
                proofs.set(access.pc, Class::Compare);
            }
        }
        for cluster in clusters.iter().filter(|cluster| cluster.proved) {
            let place = cluster.place.start as u32..cluster.place.end.min(u32::MAX.into()) as u32;
            proofs.guards.push(Guard { place, writes: cluster.writes });
        }
        proofs.compares &= !proofs.guards.is_empty();
        proofs
    }

    fn set(&mut self, pc: u32, class: Class) {
        if let Some(own) = self.classes.get_mut(pc as usize) {
            *own = class;
        }
    }

    /// The treatment of an instruction's access.
    pub fn class(&self, pc: u32) -> Class {
        self.classes.get(pc as usize).copied().unwrap_or_default()
    }

    /// Returns true if an access of another instruction conflicts with proved ones.
    pub fn refuted(&self, address: u32, size: u32, writes: bool) -> bool {
        let meets = |guard: &Guard| {
            (writes || guard.writes)
                && address < guard.place.end
                && guard.place.start < address.saturating_add(size)
        };
        self.guards.iter().any(meets)
    }

    /// The same with other numbers for instructions: `place` returns the earlier number.
    pub fn renumbered(&self, instructions: usize, place: &dyn Fn(u32) -> u32) -> Proofs {
        let classes = (0..instructions).map(|pc| self.class(place(pc as u32))).collect();
        Proofs { classes, ..self.clone() }
    }
}

/// Clusters with the same steps that overlap become one.
fn joined(mut all: Vec<Cluster>) -> Vec<Cluster> {
    all.sort_by_key(|cluster| (cluster.steps, cluster.place.start));
    let mut joined: Vec<Cluster> = Vec::new();
    for cluster in all {
        match joined.last_mut() {
            Some(last) if last.steps == cluster.steps && last.overlaps(&cluster) => {
                last.join(&cluster);
            }
            _ => joined.push(cluster),
        }
    }
    joined
}

/// Clusters that write are not proved if threads are not apart; those that overlap are not if one writes.
fn refute(clusters: &mut [Cluster], extents: &[u32; 6], shared: bool) {
    let apart: Vec<bool> =
        clusters.iter().map(|it| !it.writes || it.is_apart(extents, shared)).collect();
    let alone: Vec<bool> = (0..clusters.len())
        .map(|at| {
            let own = &clusters[at];
            let conflicts = |other: &Cluster| (own.writes || other.writes) && own.overlaps(other);
            !(0..clusters.len()).any(|other| other != at && conflicts(&clusters[other]))
        })
        .collect();
    for (at, cluster) in clusters.iter_mut().enumerate() {
        cluster.proved = apart[at] && alone[at];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLOCK: u32 = 64;
    const EXTENTS: [u32; 6] = [BLOCK, 1, 1, 8, 1, 1];

    fn access(pc: u32, writes: bool, base: u32) -> Access {
        Access {
            pc,
            space: Space::Global,
            writes,
            strong: false,
            size: 4,
            quiet: false,
            linear: Some((GLOBAL_BASE + base, [4, 0, 0, 4 * BLOCK, 0, 0])),
            pointer: Some(base),
        }
    }

    fn classes(accesses: &[Access]) -> Vec<Class> {
        let proofs = Proofs::new(accesses, accesses.len(), &EXTENTS, false);
        accesses.iter().map(|access| proofs.class(access.pc)).collect()
    }

    #[test]
    fn each_thread_its_own_place() {
        use Class::{Check, Compare, Proved};
        // y[i] = x[i] + y[i]
        let (x, y) = (access(0, false, 0), access(1, false, 4096));
        let store = access(2, true, 4096);
        assert_eq!(classes(&[x, y, store]), [Proved; 3]);
        // The arrays overlap by one element.
        let shifted = access(0, false, 4092);
        assert_eq!(classes(&[shifted, y, store]), [Compare, Check, Check].map(|_| Check));
        // Two neighbours of 4 bytes, with 8 bytes per thread.
        let wide = |mut it: Access| {
            it.linear = it.linear.map(|(base, _)| (base, [8, 0, 0, 8 * BLOCK, 0, 0]));
            it
        };
        let pair = [wide(access(0, true, 0)), wide(access(1, true, 4))];
        assert_eq!(classes(&pair), [Proved; 2]);
        assert_eq!(classes(&[pair[0], access(1, true, 4)]), [Check; 2]);
        // An unknown read elsewhere is compared, an unknown write makes reads be remembered.
        let unknown =
            |pc, writes| Access { linear: None, pointer: Some(9), ..access(pc, writes, 0) };
        let store = access(0, true, 4096);
        assert_eq!(classes(&[store, unknown(1, false)]), [Proved, Compare]);
        assert_eq!(classes(&[store, unknown(1, false), unknown(2, true)]), [Proved, Check, Check]);
        // One of the same pointer is expected to go to the same place.
        let same = Access { pointer: Some(4096), ..unknown(1, false) };
        assert_eq!(classes(&[store, same]), [Check; 2]);
        // Blocks that overlap by half.
        let mut half = access(0, true, 0);
        half.linear = Some((GLOBAL_BASE, [4, 0, 0, 2 * BLOCK, 0, 0]));
        assert_eq!(classes(&[half]), [Check]);
        // All threads the same.
        half.linear = Some((GLOBAL_BASE, [0; 6]));
        assert_eq!(classes(&[half]), [Check]);
        // Volatile ones are checked: they may order others.
        assert_eq!(classes(&[Access { strong: true, ..access(0, true, 0) }]), [Check]);
    }

    /// Against all pairs of threads, for random steps and extents.
    #[test]
    fn what_is_apart_is_apart() {
        let mut state = 7u64;
        let mut below = |limit: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % limit
        };
        let mut found = [0; 2];
        for _ in 0..3000 {
            let extents = [0; 6].map(|_| 1 + below(4) as u32);
            let steps = [0; 6].map(|_| (below(300) as u32).wrapping_sub(40).wrapping_mul(4));
            let mut one = access(0, true, 40_000);
            one.linear = Some((GLOBAL_BASE + 40_000, steps));
            let proofs = Proofs::new(&[one], 1, &extents, false);
            if proofs.class(0) == Class::Proved {
                let mut all = std::collections::BTreeSet::new();
                let total: u32 = extents.iter().product();
                for number in 0..total {
                    let (mut rest, mut sum) = (number, GLOBAL_BASE + 40_000);
                    for (step, extent) in steps.iter().zip(extents) {
                        sum = sum.wrapping_add((rest % extent).wrapping_mul(*step));
                        rest /= extent;
                    }
                    assert!(all.insert(sum), "{extents:?} {steps:?}");
                }
                found[1] += 1;
            }
            found[0] += 1;
        }
        assert!(found[1] > 50, "{found:?}");
    }
}
