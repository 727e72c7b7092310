//! The commands and options that README.md shows exist.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

fn help(command: &str) -> String {
    let binary = env!("CARGO_BIN_EXE_reconverge");
    let output = Command::new(binary).args([command, "--help"]).output().unwrap();
    assert!(output.status.success(), "there is no command `{command}`");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn commands_and_options_of_the_readme_exist() {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let readme = std::fs::read_to_string(readme).unwrap();
    let calls = readme.lines().filter_map(|line| line.strip_prefix("reconverge "));
    let commands: BTreeSet<_> = calls.map(|call| call.split(' ').next().unwrap()).collect();
    assert!(commands.len() > 4, "the commands are not found: {commands:?}");
    let helps: String = commands.iter().map(|command| help(command)).collect();
    let known: BTreeSet<_> = helps.split([' ', '\n', ',', '=']).collect();
    // Cargo has options of its own.
    let lines = readme.lines().filter(|line| !line.contains("cargo "));
    let words = lines.flat_map(|line| line.split([' ', '`']));
    for word in words.filter(|word| word.len() > 2 && word.starts_with("--")) {
        let option = word.trim_end_matches([',', '.', ':']);
        let is_table_rule = option.chars().all(|letter| matches!(letter, '-' | ':'));
        assert!(is_table_rule || known.contains(option), "there is no option `{option}`");
    }
}
