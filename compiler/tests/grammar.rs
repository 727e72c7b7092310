//! Each committed parser belongs to its grammar.
//!
//! `.ci/full grammar` generates the parsers again, which needs lalrpop; here the digests in their heads are compared.

use std::path::Path;

fn digest(text: &str) -> String {
    let digest = hmac_sha256::Hash::hash(text.replace('\r', "").as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn the_parsers_are_generated_from_the_grammars() {
    for folder in ["grammar/src", "ptx/src"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let grammar = std::fs::read_to_string(folder.join("grammar.lalrpop")).unwrap();
        let parser = std::fs::read_to_string(folder.join("generated/parser.rs")).unwrap();
        let lines: Vec<&str> = parser.splitn(4, '\n').collect();
        let stale = "the parser is stale; refresh it with\n    \
                     cargo run -p reconverge-grammar-generator --features lalrpop";
        let expected = format!("// SHA-256 of grammar.lalrpop: {}", digest(&grammar));
        assert_eq!(lines[1].trim_end(), expected, "{stale}");
        let expected = format!("// SHA-256 of what follows: {}", digest(lines[3]));
        assert_eq!(lines[2].trim_end(), expected, "the parser was edited: {stale}");
    }
}
