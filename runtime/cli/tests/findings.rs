//! Findings, as data: `tests/data/findings/RULE` has programs in which a rule has the finding of
//! each `//= TEXT` on its line, TEXT being a part of the message, and none anywhere else. Each rule
//! has programs in which it fires and others in which it does not. `// machine: NAME` and `//
//! registers: N` in front set the machine and its registers; `// no advice: TEXT` forbids TEXT in advice.

use reconverge::build;
use reconverge::execute::{ModelName, Setup, execute_lowered, lower};
use reconverge::findings::{Finding, MOST, RULES, findings, text};
use reconverge_simulator::load_machine;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/findings")
}

/// The head of a program of the folder.
fn told<'a>(source: &'a str, key: &str) -> Option<&'a str> {
    source.lines().find_map(|line| line.strip_prefix("// ")?.strip_prefix(key)?.strip_prefix(": "))
}

/// Everything that is found in a program.
fn found(name: &str, source: &str) -> Vec<Finding> {
    let machine = load_machine(told(source, "machine").unwrap_or("gtx480"), &[]).unwrap();
    let checked = build::check(name, source, &[], &mut ());
    assert!(checked.module.is_some(), "{}", checked.render(false));
    let mut setup = Setup::new(&machine, ModelName::Timing);
    setup.profile = true;
    if let Some(registers) = told(source, "registers") {
        setup.options.max_registers = Some(registers.parse().unwrap());
    }
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let lowered = lower(&checked, &setup).map_err(|refused| refused.render(false)).unwrap();
    let run = execute_lowered(&checked, &lowered, &setup, &mut output, &mut errors, &mut |_, _| {});
    let run = run.map_err(|refused| refused.render(false)).unwrap();
    assert_eq!(run.status(), 0, "{name}: {:?}", run.outcome);
    findings(&run.records, &lowered, &machine, &checked.sources)
}

#[test]
fn rules_fire_where_programs_say_so_and_nowhere_else() {
    let mut faults = Vec::new();
    for rule in RULES {
        let (mut fires, mut is_silent) = (false, false);
        let files = std::fs::read_dir(folder().join(rule.name())).unwrap();
        let mut files: Vec<PathBuf> = files.map(|entry| entry.unwrap().path()).collect();
        files.sort();
        for file in files {
            let source = std::fs::read_to_string(&file).unwrap();
            let name = file.strip_prefix(folder()).unwrap().display().to_string();
            let all = found(&name, &source);
            let mut ours: Vec<_> = all.iter().filter(|one| one.rule == rule.name()).collect();
            ours.sort_by_key(|finding| finding.line);
            let expected = (1..).zip(source.lines());
            let expected = expected.filter_map(|(at, line)| Some((at, line.split_once("//= ")?.1)));
            let expected: Vec<(u32, &str)> = expected.collect();
            *(if expected.is_empty() { &mut is_silent } else { &mut fires }) = true;
            let agrees = ours.len() == expected.len()
                && ours.iter().zip(&expected).all(|(finding, (line, text))| {
                    finding.line == *line && finding.message.contains(text)
                });
            let forbidden = told(&source, "no advice");
            let advises =
                forbidden.is_some_and(|it| ours.iter().any(|one| one.advice.contains(it)));
            if !agrees || advises {
                faults.push(format!("{name}\n  expected: {expected:?}\n{}", text(&all)));
            }
        }
        assert!(fires && is_silent, "`{}` lacks a program that fires or is silent", rule.name());
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn findings_are_ordered_by_cost_and_few_are_shown() {
    let source = std::fs::read_to_string(folder().join("uncoalesced/rows.cu")).unwrap();
    let all = found("rows.cu", &source);
    assert!(all.is_sorted_by(|one, other| one.cycles >= other.cycles), "{all:?}");
    let many: Vec<Finding> = all.iter().cycle().take(2 * MOST).cloned().collect();
    let text = text(&many);
    assert_eq!(text.matches("cost: ").count(), MOST, "{text}");
    // Advice that has been given is not repeated.
    let advice: std::collections::BTreeSet<_> =
        many.iter().take(MOST).map(|it| &it.advice).collect();
    assert_eq!(text.matches("Try: ").count(), advice.len(), "{text}");
}

#[test]
fn the_document_has_every_rule() {
    let document = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/findings.md");
    let document = std::fs::read_to_string(document).unwrap();
    for rule in RULES {
        assert!(document.contains(&format!("| `{}` |", rule.name())), "{}", rule.name());
    }
}
