//! The committed parser is the one that lalrpop makes of the grammar.
//!
//! It is committed because lalrpop takes a minute to build, which users should not wait for.

use std::path::Path;

#[test]
fn the_parser_is_generated_from_the_grammar() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let output = Path::new(env!("CARGO_TARGET_TMPDIR"));
    lalrpop::Configuration::new()
        .set_out_dir(output)
        .force_build(true)
        .emit_comments(false)
        .emit_rerun_directives(false)
        .process_file(source.join("grammar.lalrpop"))
        .expect("the grammar has no conflicts");
    let made = std::fs::read_to_string(output.join("grammar.rs")).expect("lalrpop wrote it");
    let committed = source.join("generated/parser.rs");
    if std::env::var_os("RECONVERGE_BLESS").is_some() {
        std::fs::write(&committed, &made).expect("the parser can be written");
    }
    let found = std::fs::read_to_string(&committed).unwrap_or_default();
    assert!(
        found == made,
        "src/generated/parser.rs is stale; refresh it with\n    \
         RECONVERGE_BLESS=1 cargo test -p reconverge-ptx --test grammar"
    );
}
