//! Statistics that a mechanism declares in its own file, beside those of the machine ([`Statistics`]).
//!
//! The mechanism lists them in its record (`Mechanism::statistics`) and adds to them in the method `count` of its slot. They
//! reach every table, file and study by their names, as the machine's statistics do.
//!
//! [`Statistics`]: crate::Statistics

use crate::observe::statistic::{Charge, Declaration, Kind};

/// The values of mechanisms' own counters.
#[derive(Clone, Debug, Default, Eq)]
pub struct MechanismStatistics(Vec<(&'static Declaration, u64)>);

impl PartialEq for MechanismStatistics {
    fn eq(&self, other: &MechanismStatistics) -> bool {
        // The texts of a declaration are compared only with those of another one.
        let is_same =
            |one: &Declaration, other: &Declaration| std::ptr::eq(one, other) || one == other;
        let mut both = self.0.iter().zip(&other.0);
        self.0.len() == other.0.len()
            && both.all(|((one, left), (other, right))| left == right && is_same(one, other))
    }
}

impl MechanismStatistics {
    /// Adds to a counter; a maximum becomes the larger value.
    pub fn add(&mut self, declaration: &'static Declaration, value: u64) {
        let counter = match self.0.iter().position(|(known, _)| known.name == declaration.name) {
            Some(index) => &mut self.0[index].1,
            None => {
                self.0.push((declaration, 0));
                let last = self.0.len() - 1;
                &mut self.0[last].1
            }
        };
        *counter = match declaration.kind {
            Kind::Max => value.max(*counter),
            _ => *counter + value,
        };
    }

    /// The value of a counter; 0 if no mechanism has counted it.
    pub fn get(&self, name: &str) -> u64 {
        self.0.iter().find(|(known, _)| known.name == name).map_or(0, |(_, value)| *value)
    }

    /// Takes the counters of another part into account.
    pub(crate) fn merge(&mut self, other: &MechanismStatistics) {
        other.0.iter().for_each(|&(declaration, value)| self.add(declaration, value));
    }

    /// By how much every counter has grown since an earlier moment of the same run.
    pub(crate) fn since(&self, earlier: &MechanismStatistics) -> MechanismStatistics {
        let change = |&(declaration, value): &(&'static Declaration, u64)| {
            (declaration, value.saturating_sub(earlier.get(declaration.name)))
        };
        MechanismStatistics(self.0.iter().map(change).collect())
    }

    /// Keeps every declared statistic, in the order of `declared`: counters of mechanisms that the machine lacks are 0.
    pub(crate) fn complete(&mut self, declared: &'static [Declaration]) {
        debug_assert!(
            self.0.iter().all(|(counted, _)| declared.contains(counted)),
            "a mechanism counts what its record does not declare"
        );
        let values = declared.iter().map(|declaration| (declaration, self.get(declaration.name)));
        self.0 = values.collect();
    }

    /// The counters.
    pub(crate) fn counters(&self) -> impl Iterator<Item = (&'static Declaration, u64)> {
        self.0.iter().copied().filter(|(declaration, _)| declaration.is_counter())
    }

    /// The quotients; absent if the divisor is zero.
    pub(crate) fn ratios(&self) -> impl Iterator<Item = (&'static Declaration, Option<f64>)> {
        self.0.iter().filter_map(|(declaration, _)| {
            let Kind::Quotient { of, by } = declaration.kind else {
                return None;
            };
            let of: u64 = of.iter().map(|part| self.get(part.name)).sum();
            let by = self.get(by.name);
            Some((*declaration, (by != 0).then(|| of as f64 / by as f64)))
        })
    }

    /// The sum of the counters that the energy model multiplies with the same value.
    pub(crate) fn charged(&self, charge: Charge) -> u64 {
        let own = self.0.iter().filter(|(declaration, _)| declaration.charge == Some(charge));
        own.map(|(_, value)| value).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOOKUPS: Declaration = Declaration::sum("lookups", "lookups", "Lookups.");
    const HITS: Declaration = Declaration::sum("hits", "lookups", "Lookups that hit.");
    const HIT_RATE: Declaration =
        Declaration::quotient("hit_rate", "ratio", "Share of hits.", &[&HITS], &LOOKUPS);
    const DEEPEST: Declaration = Declaration::max("deepest", "entries", "The most entries.");

    #[test]
    fn parts_are_added_and_maxima_taken() {
        let mut one = MechanismStatistics::default();
        one.add(&LOOKUPS, 3);
        one.add(&DEEPEST, 5);
        let mut all = one.clone();
        let mut other = MechanismStatistics::default();
        other.add(&DEEPEST, 4);
        other.add(&LOOKUPS, 2);
        all.merge(&other);
        assert_eq!((all.get("lookups"), all.get("deepest")), (5, 5));
        assert_eq!(all.since(&one).get("lookups"), 2);
        assert_eq!(all.get("unknown"), 0);
    }

    #[test]
    fn every_declared_counter_is_listed_in_order() {
        static DECLARED: [Declaration; 2] = [DEEPEST, LOOKUPS];
        let mut one = MechanismStatistics::default();
        one.add(&LOOKUPS, 3);
        one.complete(&DECLARED);
        assert!(one.counters().eq([(&DEEPEST, 0), (&LOOKUPS, 3)]));
    }

    #[test]
    fn a_quotient_needs_a_divisor() {
        static DECLARED: [Declaration; 3] = [LOOKUPS, HITS, HIT_RATE];
        let mut one = MechanismStatistics::default();
        one.complete(&DECLARED);
        assert!(one.counters().count() == 2 && one.ratios().eq([(&HIT_RATE, None)]));
        one.add(&LOOKUPS, 4);
        one.add(&HITS, 3);
        assert!(one.ratios().eq([(&HIT_RATE, Some(0.75))]));
    }
}
