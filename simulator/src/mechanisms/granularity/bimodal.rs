//! `bimodal` and `bimodal-infinite`: a filter of evicted lines predicts if a miss fetches the whole
//! line or only the requested sectors (BGP).
//!
//! Source: Rhu's dissertation, §5.2.3, Figures 5.5 and 5.6, Table 5.2. A predictor has a default,
//! coarse at first. Lines are inserted into the filter when they are evicted and the sectors that
//! were used speak against the default: at most the threshold for fine, more for coarse. A miss of
//! a line that the filter has gets the opposite of the default. When too large a share of the
//! evicted lines was inserted, the default is inverted. `bimodal-infinite` (BGP_inf, §5.3.1) has a
//! filter without false members, which is refreshed every 2^20 insertions. `spec/machine.md`,
//! "Granularity", has the points that the source leaves open.

use serde::Deserialize;

use super::filter::{BitArray, DualFilter, Exact, Members};
use super::slot::{Build, Granularity, LineShape, SectorMiss};
use crate::mechanisms::mechanism::{Mechanism, NoOptions, check_range, options};

pub(super) const BIMODAL: Mechanism<Build> = Mechanism {
    name: "bimodal",
    sentence: "fetches whole lines or requested sectors, as a filter of evicted lines predicts",
    options: &[
        (
            "bits",
            "bits of each of the filter's two arrays, a power of two, 256 to 1048576; default 2048",
        ),
        ("refresh", "insertions after which an array is cleared, 2 to 1048576; default 512"),
        (
            "threshold",
            "lines of which no more sectors of 32 bytes were used speak for fine, 1 to 8; default 2",
        ),
        (
            "skew",
            "percent of evicted lines beyond which the default is inverted, 1 to 100; default 70",
        ),
        ("evictions", "evictions after which that is decided, 1 to 1000000; default 1000"),
    ],
    trials: &[
        &[("bimodal.evictions", "4"), ("bimodal.refresh", "2"), ("bimodal.bits", "256")],
        &[("bimodal.threshold", "4"), ("bimodal.skew", "1"), ("bimodal.evictions", "1")],
    ],
    statistics: &[],
    build: &|table, shape| {
        let options: Options = options(table)?;
        let Options { threshold, skew, evictions, .. } = options;
        let rules = Rules { threshold, skew, evictions };
        rules.check()?;
        check_range("bits", options.bits, 256..=1 << 20)?;
        check_range("refresh", options.refresh, 2..=1 << 20)?;
        if !options.bits.is_power_of_two() {
            return Err(format!("`bits` is {}; it must be a power of two", options.bits));
        }
        let array = || BitArray::new(options.bits.ilog2());
        let filter = DualFilter::new([array(), array()], options.refresh);
        Ok(Box::new(Bimodal::new(rules, filter, shape)))
    },
};

pub(super) const INFINITE: Mechanism<Build> = Mechanism {
    name: "bimodal-infinite",
    sentence: "as `bimodal`, with a filter that makes no mistakes",
    options: &[],
    trials: &[],
    statistics: &[],
    build: &|table, shape| {
        let NoOptions {} = options(table)?;
        let rules = Rules::default();
        let filter = DualFilter::new([Exact::default(), Exact::default()], 1 << 20);
        Ok(Box::new(Bimodal::new(rules, filter, shape)))
    },
};

#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Options {
    bits: u32,
    refresh: u32,
    threshold: u32,
    skew: u32,
    evictions: u32,
}

impl Default for Options {
    fn default() -> Options {
        let Rules { threshold, skew, evictions } = Rules::default();
        Options { bits: 2048, refresh: 512, threshold, skew, evictions }
    }
}

/// The conditions for insertions and for the inversion of the default.
#[derive(Clone, Copy)]
struct Rules {
    threshold: u32,
    skew: u32,
    evictions: u32,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules { threshold: 2, skew: 70, evictions: 1000 }
    }
}

impl Rules {
    fn check(&self) -> Result<(), String> {
        check_range("threshold", self.threshold, 1..=8)?;
        check_range("skew", self.skew, 1..=100)?;
        check_range("evictions", self.evictions, 1..=1_000_000)
    }
}

/// The part of a line that a miss fetches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Coarse,
    Fine,
}

impl Mode {
    fn opposite(self) -> Mode {
        match self {
            Mode::Coarse => Mode::Fine,
            Mode::Fine => Mode::Coarse,
        }
    }
}

struct Bimodal<M> {
    shape: LineShape,
    rules: Rules,
    filter: DualFilter<M>,
    default: Mode,
    /// Evicted lines, and the inserted ones among them, since the last evaluation of their share.
    evicted: u32,
    inserted: u32,
}

impl<M: Members> Bimodal<M> {
    fn new(rules: Rules, filter: DualFilter<M>, shape: LineShape) -> Bimodal<M> {
        Bimodal { shape, rules, filter, default: Mode::Coarse, evicted: 0, inserted: 0 }
    }

    fn prediction(&self, line: u64) -> Mode {
        if self.filter.contains(line) { self.default.opposite() } else { self.default }
    }

    /// The mode that the used sectors of a line speak for.
    fn locality(&self, used: u8) -> Mode {
        let sectors = self.shape.together(used).count_ones();
        if sectors <= self.rules.threshold { Mode::Fine } else { Mode::Coarse }
    }
}

impl<M: Members + Send> Granularity for Bimodal<M> {
    fn fetch(&mut self, miss: &SectorMiss) -> u8 {
        match self.prediction(miss.line) {
            Mode::Coarse => self.shape.all() & !miss.valid,
            Mode::Fine => miss.missing,
        }
    }

    fn evicted(&mut self, _place: usize, line: u64, used: u8) {
        self.evicted += 1;
        if self.locality(used) != self.default {
            self.filter.insert(line);
            self.inserted += 1;
        }
        if self.evicted == self.rules.evictions {
            if 100 * u64::from(self.inserted) > u64::from(self.rules.skew) * u64::from(self.evicted)
            {
                self.default = self.default.opposite();
                self.filter.reset();
            }
            (self.evicted, self.inserted) = (0, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mechanisms::allocation::Requester;
    use crate::mechanisms::setup::Setup;

    const SHAPE: LineShape = LineShape { places: 4, sectors: 4, grain: 1 };

    fn predictor(rules: Rules) -> Bimodal<Exact> {
        let filter = DualFilter::new([Exact::default(), Exact::default()], 512);
        Bimodal::new(rules, filter, SHAPE)
    }

    fn fetched<M: Members + Send>(predictor: &mut Bimodal<M>, line: u64) -> u8 {
        let requester = Requester::NONE;
        let miss = SectorMiss { requester, line, missing: 0b0100, valid: 0b1000, later: true };
        predictor.fetch(&miss)
    }

    #[test]
    fn figure_5_6a_a_line_of_the_filter_gets_the_opposite_of_the_default() {
        let mut predictor = predictor(Rules::default());
        predictor.filter.insert(7);
        // The default is coarse: all sectors that are not valid; line 7 gets the requested ones.
        assert_eq!([7, 8].map(|line| fetched(&mut predictor, line)), [0b0100, 0b0111]);
        predictor.default = Mode::Fine;
        assert_eq!([7, 8].map(|line| fetched(&mut predictor, line)), [0b0111, 0b0100]);
    }

    #[test]
    fn figure_5_6b_lines_that_speak_against_the_default_are_inserted() {
        let mut predictor = predictor(Rules::default());
        for (line, used) in [(1, 0b0001), (2, 0b0011), (3, 0b1101), (4, 0)] {
            predictor.evicted(0, line, used);
        }
        // At most two sectors: fine.
        assert_eq!(
            [1, 2, 3, 4].map(|line| predictor.filter.contains(line)),
            [true, true, false, true]
        );
        predictor.default = Mode::Fine;
        predictor.filter.reset();
        for (line, used) in [(1, 0b0011), (2, 0b0111)] {
            predictor.evicted(0, line, used);
        }
        assert_eq!([1, 2].map(|line| predictor.filter.contains(line)), [false, true]);
    }

    #[test]
    fn figure_5_6c_the_default_is_inverted_when_too_many_are_inserted() {
        let mut predictor = predictor(Rules { evictions: 10, ..Rules::default() });
        let mut defaults = Vec::new();
        // Ten evictions with seven insertions: 0.7 is not more than the threshold. Then eight, which invert it; and
        // eight against the other default. Lines that are inserted are those of one sector, then those of four.
        for against in [7, 8, 8] {
            let default = predictor.default;
            for line in 0..10 {
                let is_against = line < against;
                let one_sector = is_against == (default == Mode::Coarse);
                predictor.evicted(0, line, if one_sector { 1 } else { 0b1111 });
            }
            defaults.push(predictor.default);
        }
        assert_eq!(defaults, [Mode::Coarse, Mode::Fine, Mode::Coarse]);
        // Entries that were inserted under the other default are forgotten.
        assert!((0..10).all(|line| !predictor.filter.contains(line)));
    }

    #[test]
    fn sectors_of_64_bytes_count_twice() {
        let mut predictor = predictor(Rules::default());
        predictor.shape.grain = 2;
        // One of them, of which half was used; both.
        assert_eq!(
            [0b0001, 0b0110].map(|used| predictor.locality(used)),
            [Mode::Fine, Mode::Coarse]
        );
    }

    #[test]
    fn options_are_checked() {
        let build = |text: &str| {
            (BIMODAL.build)(&Setup::of(&text.parse().expect("it is TOML")), SHAPE).err()
        };
        assert_eq!(build("threshold = 3"), None);
        for (text, expected) in [
            ("bits = 257", "`bits` is 257; it must be a power of two"),
            ("skew = 0", "`skew` is 0; it must be a whole number from 1 to 100"),
        ] {
            assert_eq!(build(text).as_deref(), Some(expected));
        }
        assert!(build("bit = 256").is_some_and(|error| error.contains("unknown field")));
    }
}
