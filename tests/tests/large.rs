//! The large sources of `compile-bench` are as long as they should be, and compile.

use reconverge_compiler::lower::Options;
use reconverge_tests::large::KINDS;
use reconverge_tests::oracle::check;

#[test]
fn every_kind_has_its_length_and_compiles() {
    for kind in KINDS {
        let source = (kind.source)(600);
        let lines = source.lines().count();
        assert!((540..=660).contains(&lines), "{}: {lines} lines", kind.name);
        let checked = check(kind.name, &source);
        assert!(!checked.has_errors(), "{}", checked.render(false));
        if let Err(refused) = checked.lower(&Options::default()) {
            panic!("{}: {}", kind.name, refused.render(false));
        }
    }
}
