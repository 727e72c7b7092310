//! `coarse`: a miss fetches all of its line that is not there.
//!
//! Source: Rhu's dissertation, §5.1.1 and §5.2.2, the conventional memory hierarchy, in which all misses are requested
//! at the granularity of a line ("CG-only").

use super::slot::{Build, Granularity, SectorMiss};
use crate::mechanisms::mechanism::{Mechanism, NoOptions, options};

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "coarse",
    sentence: "fetches all sectors of a line that are not there",
    options: &[],
    trials: &[],
    statistics: &[],
    build: &|table, shape| {
        let NoOptions {} = options(table)?;
        Ok(Box::new(Coarse { all: shape.all() }))
    },
};

struct Coarse {
    /// The sectors of a line.
    all: u8,
}

impl Granularity for Coarse {
    fn learns(&self) -> bool {
        false
    }

    fn fetch(&mut self, miss: &SectorMiss) -> u8 {
        self.all & !miss.valid
    }
}
