//! The faults that generated programs show soonest, looked for as `--bin faults` looks for all.
#![cfg(feature = "planted-faults")]

use crate::data::each;
use reconverge_isa::planted::{FAULTS, Row};
use reconverge_tests::faults::{Cases, hunt};

/// The limit of the faults that are quick to find.
const SOON: u64 = 20;

#[test]
fn faults_that_show_soon_are_found() {
    let rows: Vec<&Row> = FAULTS.iter().filter(|row| row.within <= SOON).collect();
    assert!(rows.len() >= 20, "{} faults show soon", rows.len());
    let cases = Cases::new(SOON);
    each(&rows, |row| match hunt(row, &cases)? {
        Some(_) => Ok(()),
        None => Err(format!("{} survives: {}", row.name, row.sentence)),
    });
}
