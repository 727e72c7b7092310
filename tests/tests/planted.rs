//! The list of planted faults names each fault once, with its place.

use reconverge_isa::planted::FAULTS;
use std::collections::BTreeSet;

#[test]
fn there_are_enough_faults_and_each_has_a_name_of_its_own() {
    let names: BTreeSet<_> = FAULTS.iter().map(|row| row.name).collect();
    assert!(names.len() == FAULTS.len() && names.len() >= 30, "{} names", names.len());
    for row in FAULTS {
        assert!(row.within > 0 && row.sentence.len() > 10, "{}", row.name);
    }
}

/// Every fault is queried at its place in the list.
#[test]
fn faults_are_planted_where_the_list_says() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for row in FAULTS {
        let text = std::fs::read_to_string(root.join(row.place));
        let text = text.unwrap_or_else(|error| panic!("{}: {error}", row.place));
        let question = format!("Planted::{}", row.name);
        assert!(text.contains(&question), "{} is not in {}", row.name, row.place);
    }
}

#[cfg(feature = "planted-faults")]
#[test]
fn a_fault_is_on_for_a_while_and_in_one_thread() {
    let fault = FAULTS[0].fault;
    assert!(!fault.is_on());
    fault.during(|| {
        assert!(fault.is_on() && !FAULTS[1].fault.is_on());
        std::thread::scope(|scope| scope.spawn(|| assert!(!fault.is_on())).join()).unwrap();
    });
    assert!(!fault.is_on());
}
