//! Findings, as data: `tests/data/findings/RULE` has programs in which a rule has the finding of
//! each `//= TEXT` on its line, TEXT being a part of the message, and none anywhere else. Each rule
//! has programs in which it fires and others in which it does not. `// machine: NAME`, `// set: KEY=VALUE` and `//
//! registers: N` in front set the machine and its registers; `// no advice: TEXT` forbids TEXT in advice.
//!
//! A program of `silent` is one of each rule that its `// silent: RULE, RULE` names: none of them fires.
//!
//! `tests/data/what_if` has programs with a cause of lost time, and a better form of each. `// finding: RULE` names the
//! finding whose measured gain predicts that of the better form; `gains.txt` has both. They are programs of that rule too.

use reconverge::build;
use reconverge::causes;
use reconverge::execute::{ModelName, Setup, execute_lowered, lower};
use reconverge::findings::{Finding, MOST, RULES, findings, text};
use reconverge_simulator::load_machine;
use std::collections::BTreeMap;
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
    measured(name, source, false).0
}

/// The same, with the cycles of its launches; if `what_if`, with measured gains.
fn measured(name: &str, source: &str, what_if: bool) -> (Vec<Finding>, u64) {
    let set = told(source, "set").and_then(|set| set.split_once('='));
    let sets: Vec<_> =
        set.map(|(key, value)| (key.to_owned(), value.to_owned())).into_iter().collect();
    let machine = load_machine(told(source, "machine").unwrap_or("gtx480"), &sets).unwrap();
    let checked = build::check(name, source, &[], &mut ());
    assert!(checked.module.is_some(), "{}", checked.render(false));
    let mut setup = Setup::new(&machine, ModelName::Timing);
    setup.profile = true;
    setup.what_if = what_if;
    if let Some(registers) = told(source, "registers") {
        setup.options.max_registers = Some(registers.parse().unwrap());
    }
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let lowered = lower(&checked, &setup).map_err(|refused| refused.render(false)).unwrap();
    let run = execute_lowered(&checked, &lowered, &setup, &mut output, &mut errors, &mut |_, _| {});
    let run = run.map_err(|refused| refused.render(false)).unwrap();
    assert_eq!(run.status(), 0, "{name}: {:?}", run.outcome);
    let cycles = run.records.iter().filter_map(|it| Some(it.statistics.as_ref()?.cycles)).sum();
    (findings(&run.records, &lowered, &machine, &checked.sources), cycles)
}

/// The programs of a folder below `tests/data`, in order; none without the folder.
fn programs(folder: &str) -> Vec<PathBuf> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data");
    let entries = std::fs::read_dir(data.join(folder)).into_iter().flatten();
    let files = entries.map(|entry| entry.unwrap().path());
    let is_program = |file: &PathBuf| file.extension().is_some_and(|ending| ending == "cu");
    let mut files: Vec<PathBuf> = files.filter(is_program).collect();
    files.sort();
    files
}

/// The programs with a cause of lost time, without their better forms.
fn programs_with_causes() -> impl Iterator<Item = PathBuf> {
    let all = programs("what_if").into_iter();
    all.filter(|file| !file.to_string_lossy().ends_with(".better.cu"))
}

/// The programs in which a rule must fire, or must not.
fn programs_of(rule: &str) -> Vec<PathBuf> {
    let names = |file: &PathBuf, key: &str| {
        let source = std::fs::read_to_string(file).unwrap();
        told(&source, key).is_some_and(|rules| rules.split(", ").any(|it| it == rule))
    };
    let silent = programs("findings/silent").into_iter().filter(|it| names(it, "silent"));
    let with_causes = programs_with_causes().filter(|it| names(it, "finding"));
    let pairs = with_causes.flat_map(|it| [it.with_extension("better.cu"), it]);
    programs(&format!("findings/{rule}")).into_iter().chain(silent).chain(pairs).collect()
}

#[test]
fn measured_gains_predict_those_of_better_forms() {
    let files: Vec<PathBuf> = programs_with_causes().collect();
    let mut table = String::new();
    let mut close = 0;
    for file in &files {
        let name = file.file_stem().unwrap().to_string_lossy();
        let source = std::fs::read_to_string(file).unwrap();
        let (all, cycles) = measured(&format!("{name}.cu"), &source, true);
        let rule = told(&source, "finding").unwrap();
        let finding = all.iter().find(|finding| finding.rule == rule);
        let finding = finding.unwrap_or_else(|| panic!("{name}: no `{rule}` in\n{}", text(&all)));
        let better = file.with_extension("better.cu");
        let better = std::fs::read_to_string(better).unwrap();
        let (after, fewer) = measured(&format!("{name}.better.cu"), &better, true);
        assert!(after.iter().all(|finding| finding.rule != rule), "{name}: {}", text(&after));
        let gained = fewer as f64 / cycles as f64 - 1.0;
        let predicted = finding.gain.as_ref().map(|gain| gain.change);
        let is_close = predicted.is_some_and(|it| (it - gained).abs() <= 0.2 * gained.abs());
        close += usize::from(is_close);
        let predicted = predicted.map_or("none".to_owned(), causes::change);
        table += &format!(
            "{name}: {cycles} cycles; predicted {predicted}, better form {}\n",
            causes::change(gained)
        );
    }
    assert!(close + 1 >= files.len(), "{table}");
    let golden = folder().join("../what_if/gains.txt");
    if std::env::var_os("RECONVERGE_BLESS").is_some() {
        std::fs::write(&golden, &table).unwrap();
    }
    assert_eq!(std::fs::read_to_string(golden).unwrap_or_default(), table);
}

#[test]
fn rules_fire_where_programs_say_so_and_nowhere_else() {
    let mut faults = Vec::new();
    let mut known: BTreeMap<PathBuf, Vec<Finding>> = BTreeMap::new();
    for rule in RULES {
        let (mut fires, mut is_silent) = (false, false);
        for file in programs_of(rule.name()) {
            let source = std::fs::read_to_string(&file).unwrap();
            let name = file.file_name().unwrap().to_string_lossy();
            let run = || found(&name, &source);
            let all = known.entry(file.clone()).or_insert_with(run);
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
                faults.push(format!("{name}\n  expected: {expected:?}\n{}", text(all)));
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
