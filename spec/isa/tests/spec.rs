//! `spec/isa.md` is what the table says.

use std::path::Path;

use reconverge_isa::spec::markdown;

#[test]
fn the_specification_is_fresh() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../isa.md");
    let expected = markdown();
    if std::env::var_os("RECONVERGE_BLESS").is_some() {
        std::fs::write(&path, &expected).expect("spec/isa.md can be written");
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found.replace("\r\n", "\n") == expected,
        "spec/isa.md is stale; RECONVERGE_BLESS=1 cargo test -p reconverge-isa rewrites it"
    );
}
