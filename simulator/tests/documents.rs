//! Generated documents are fresh. `RECONVERGE_BLESS=1` writes them.

use reconverge_simulator::{DECLARATIONS, statistics_markdown};

#[test]
fn statistics_document_is_fresh() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../spec/statistics.md");
    let fresh = statistics_markdown();
    if std::env::var_os("RECONVERGE_BLESS").is_some() {
        std::fs::write(path, &fresh).expect("the document can be written");
    }
    let found = std::fs::read_to_string(path).unwrap_or_default();
    assert!(found == fresh, "spec/statistics.md is stale: run with RECONVERGE_BLESS=1");
}

#[test]
fn names_are_unique() {
    let mut names: Vec<&str> = DECLARATIONS.iter().map(|declaration| declaration.name).collect();
    names.extend(DECLARATIONS.iter().filter_map(|declaration| declaration.alias));
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
}
