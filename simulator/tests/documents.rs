//! Generated documents are fresh. `RECONVERGE_BLESS=1` writes them.

use reconverge_simulator::{
    Statistics, declarations, energy_table, load_machine, statistics_markdown,
};

#[test]
fn statistics_document_is_fresh() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../spec/statistics.md");
    let fresh = statistics_markdown(declarations());
    if std::env::var_os("RECONVERGE_BLESS").is_some() {
        std::fs::write(path, &fresh).expect("the document can be written");
    }
    let found = std::fs::read_to_string(path).unwrap_or_default();
    assert!(found == fresh, "spec/statistics.md is stale: run with RECONVERGE_BLESS=1");
}

#[test]
fn names_are_unique() {
    let mut names: Vec<&str> = declarations().map(|declaration| declaration.name).collect();
    names.extend(declarations().filter_map(|declaration| declaration.alias));
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
}

#[test]
fn every_event_of_energy_is_documented() {
    let sets = [("energy".to_owned(), "counters".to_owned())];
    let machine = load_machine("tiny", &sets).expect("it is good");
    let table = energy_table(&machine).expect("it has values for all");
    let statistics = Statistics { cycles: 1, ..Statistics::default() };
    let energy = table.energy(&statistics).expect("there is time");
    let text = include_str!("../../docs/energy.md");
    for part in &energy.parts {
        let key = format!("`{}`", part.name.replace('_', "-"));
        let is_row = |line: &str| line.starts_with('|') && line.contains(&key);
        assert!(text.lines().any(is_row), "{key} has no row");
    }
    for figure in energy.figures() {
        let known = |one: &&reconverge_simulator::Declaration| one.name == figure.0;
        assert!(declarations().any(|one| known(&one)), "{} is not declared", figure.0);
    }
}
