//! Names that were changed: each old one is refused by an error with the new one, no new one is
//! missing, and CHANGELOG.md has the same table as the code.

use reconverge_isa::names::{NameKind, RENAMED};
use reconverge_isa::text;
use reconverge_simulator::{declarations, load_machine, mechanisms};
use std::fs;
use std::path::Path;

fn renamed(kind: NameKind) -> impl Iterator<Item = (&'static str, &'static str)> {
    RENAMED.iter().filter(move |entry| entry.0 == kind).map(|&(_, old, new)| (old, new))
}

#[test]
fn the_assembler_says_the_new_mnemonic() {
    for (old, new) in renamed(NameKind::Mnemonic) {
        let errors = text::parse(&format!("{old} b0, L\nL: exit")).unwrap_err();
        assert!(errors[0].to_string().contains(&format!("`{old}` is now called `{new}`")));
    }
}

/// A key with a value that it can have, as a setting and as a file: `a.b=c` has its own value.
fn setting(name: &str) -> (String, String, String) {
    let (key, value) = name.split_once('=').unwrap_or((name, "1"));
    let (table, last) =
        key.rsplit_once('.').map_or((None, key), |(table, last)| (Some(table), last));
    let header = table.map_or(String::new(), |table| format!("[{table}]\n"));
    let text = format!("base = \"gtx480\"\n{header}{last} = \"{value}\"\n");
    (key.to_string(), value.to_string(), text)
}

#[test]
fn machines_say_the_new_key() {
    for (old, new) in renamed(NameKind::MachineKey) {
        let (key, value, text) = setting(old);
        let expected = format!("`{old}` is now called `{new}`");
        let set = load_machine("gtx480", &[(key, value)]).unwrap_err();
        assert!(set.contains(&expected), "{set}");
        let file = load_machine(&text, &[]).unwrap_err();
        assert!(file.starts_with("line ") && file.ends_with(&expected), "{file}");
    }
    let inner = load_machine("gtx480", &[("core.warps".into(), "8".into())]).unwrap_err();
    assert_eq!(inner, "setting `core.warps=8`: `core` is now called `sm`");
}

#[test]
fn new_keys_and_options_exist() {
    for (_, new) in renamed(NameKind::MachineKey) {
        let (key, value, _) = setting(new);
        // A value may be out of range or no value of the key; but the key is known.
        if let Err(error) = load_machine("gtx480", &[(key, value)]) {
            let unknown = error.contains("unknown key") || error.contains("unknown field");
            assert!(!unknown, "{new}: {error}");
        }
    }
    for slot in ["lane-permutation", "cycle-compression"] {
        assert!(mechanisms().iter().any(|mechanism| mechanism.slot == slot), "{slot}");
    }
}

#[test]
fn new_statistics_exist_and_old_ones_do_not() {
    let exists = |name: &str| declarations().any(|declaration| declaration.name == name);
    for (old, new) in renamed(NameKind::Statistic) {
        assert!(exists(new) && !exists(old), "{old}: {new}");
    }
}

#[test]
fn the_changelog_has_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../CHANGELOG.md");
    let text = fs::read_to_string(path).unwrap();
    let rows = text.lines().filter_map(|line| {
        let mut cells = line.strip_prefix("| `")?.strip_suffix("` |")?.split("` | `");
        Some((cells.next()?.to_string(), cells.next()?.to_string()))
    });
    let listed = RENAMED.iter().map(|(_, old, new)| (old.to_string(), new.to_string()));
    assert_eq!(rows.collect::<Vec<_>>(), listed.collect::<Vec<_>>());
}
