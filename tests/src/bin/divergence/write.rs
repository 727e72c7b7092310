//! The document.

use crate::claims::CLAIMS;
use crate::measure::{Group, MACHINE, NARROW, Results};
use reconverge_tests::study;
use reconverge_tests::study::Run;
use reconverge_tests::study::document;
use reconverge_tests::study::programs::Kind;
use reconverge_tests::study::table::{percent, strings, table, times};
use std::fmt::Write;

/// The whole text.
pub fn document(results: &Results) -> String {
    let mut text = String::from(INTRODUCTION);
    text += &programs(results);
    text += "\n## The schemes\n\n";
    text += &format!(
        "On `{MACHINE}`, relative to `simt-stack`. Speeds are harmonic means; the last columns are means over all\n\
         divergent programs. *Paths*: those of a warp that could be scheduled when it issued (equation 3.1 of the\n\
         dissertation). *Idle*: issue slots without an instruction. *Lines*: line accesses of the first-level cache.\n\n"
    );
    text += &schemes(results);
    text += "\n## Speed, program by program\n\n";
    text += &by_program(results, &|configuration, program| {
        times(results.speed(configuration, program))
    });
    text += "\n## Lane utilization\n\n";
    text += &by_program(results, &|configuration, program| {
        percent(results.value(configuration, program, "simd_efficiency"))
    });
    text += "\n## Paths\n\n";
    text += &by_program(results, &|configuration, program| {
        times(results.value(configuration, program, "path_count"))
    });
    text += &compaction(results);
    text += &lanes(results);
    text += &widths(results);
    text += &claims(results);
    text
}

const INTRODUCTION: &str = "\
# Divergence

Every divergence scheme, lane permutation and cycle compression on the examples and on the programs of
`examples/divergence`, beside what the papers say. Written by `cargo run --release -p reconverge-tests --bin
divergence`; do not edit. What the mechanisms do is in [spec/machine.md](../spec/machine.md); `reconverge compare`
([compare.md](compare.md)) shows the same for any program. Each run was checked: its output and device memory are those of
the stack.

## The programs

Class P (programmatic) are branches that depend on parameters and ids only, D on loaded data; the columns are the
branches that were executed and diverged, by class, and their share of all of the class. *Both paths* says whether
the divergent branches have something to do on both paths, so that they could be interleaved.

";

fn programs(results: &Results) -> String {
    let stack = results.find(Group::Scheme, crate::measure::STACK).unwrap_or(0);
    let rows: Vec<Vec<String>> = (0..results.programs.len())
        .map(|program| {
            let (name, kind) = results.programs[program];
            let get = |name| results.value(stack, program, name);
            let split = |count, share| match get(count).unwrap_or(0.0) {
                0.0 => "0".to_string(),
                count => format!("{count} ({})", percent(get(share))),
            };
            vec![
                name.to_string(),
                kind.name().to_string(),
                get("warp_instructions").map_or(String::new(), |count| count.to_string()),
                percent(get("simd_efficiency")),
                split("divergent_programmatic_branches", "programmatic_branch_divergence"),
                split("divergent_data_branches", "data_branch_divergence"),
            ]
        })
        .collect();
    let titles = ["program", "both paths", "warp instructions", "lane utilization", "P", "D"];
    table(&strings(&titles), &rows)
}

fn schemes(results: &Results) -> String {
    let titles = [
        "scheme",
        "if-else",
        "if only",
        "hardly any",
        "best",
        "worst",
        "lanes",
        "paths",
        "idle",
        "lines",
    ];
    let divergent = results.of(&[Kind::IfElse, Kind::IfOnly]);
    let all: Vec<usize> = (0..results.programs.len()).collect();
    let rows: Vec<Vec<String>> = (0..results.configurations.len())
        .filter(|&at| results.configurations[at].group == Group::Scheme)
        .map(|at| {
            let mean = |kind| times(results.mean_speed(at, &results.of(&[kind])));
            let extreme = |largest: bool| {
                let speeds = all.iter().filter_map(|&program| {
                    Some((results.speed(at, program)?, results.programs[program].0))
                });
                study::extreme(speeds, largest)
                    .map_or(String::new(), |(speed, name)| format!("{speed:.3} {name}"))
            };
            let lost = |program: usize| {
                let value = |name| results.value(at, program, name);
                Some(value("issue_slots")? - value("slots_issued")?)
            };
            let stack = results.find(Group::Scheme, crate::measure::STACK);
            let idle = study::mean(&divergent, |program| {
                let value = |name| results.value(stack?, program, name);
                Some(lost(program)? / (value("issue_slots")? - value("slots_issued")?))
            });
            vec![
                results.configurations[at].label.clone(),
                mean(Kind::IfElse),
                mean(Kind::IfOnly),
                mean(Kind::None),
                extreme(true),
                extreme(false),
                percent(study::mean(&divergent, |p| results.value(at, p, "simd_efficiency"))),
                times(study::mean(&divergent, |p| results.value(at, p, "path_count"))),
                times(idle),
                times(results.mean_relative(at, &divergent, "transactions")),
            ]
        })
        .collect();
    let stopped = stopped(results, Group::Scheme);
    table(&strings(&titles), &rows) + &stopped
}

/// Why a run was stopped.
fn fault(run: &Option<Run>) -> Option<&String> {
    run.as_ref().and_then(|run| run.fault.as_ref())
}

/// A sentence for each run that was stopped.
fn stopped(results: &Results, group: Group) -> String {
    let mut text = String::new();
    for (at, configuration) in results.configurations.iter().enumerate() {
        for (program, run) in results.runs[at].iter().enumerate() {
            if configuration.group == group
                && let Some(fault) = fault(run)
            {
                let name = results.programs[program].0;
                // Writing to a string does not fail.
                let _ = write!(text, "\n`{name}` under {}: {fault}.\n", configuration.label);
            }
        }
    }
    text
}

/// A row a program, a column a scheme with its default options.
fn by_program(results: &Results, cell: &dyn Fn(usize, usize) -> String) -> String {
    let columns: Vec<usize> = (0..results.configurations.len())
        .filter(|&at| {
            let configuration = &results.configurations[at];
            configuration.group == Group::Scheme && !configuration.is_variant
        })
        .collect();
    let titles: Vec<String> = std::iter::once("program".to_string())
        .chain(columns.iter().map(|&at| results.configurations[at].label.clone()))
        .collect();
    let rows: Vec<Vec<String>> = (0..results.programs.len())
        .map(|program| {
            let cells = columns.iter().map(|&at| match fault(&results.runs[at][program]) {
                Some(fault) => fault.split(':').next().unwrap_or_default().to_string(),
                None => cell(at, program),
            });
            std::iter::once(results.programs[program].0.to_string()).chain(cells).collect()
        })
        .collect();
    table(&titles, &rows)
}

/// The statistics of compaction that there are.
fn compaction_names(results: &Results) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = Vec::new();
    for name in results.runs.iter().flatten().flatten().flat_map(|run| run.entries.keys()) {
        if name.contains("compaction") && name.ends_with("rate") && !names.contains(name) {
            names.push(name);
        }
    }
    names.sort_unstable();
    names
}

/// How a statistic's name reads as a title.
fn title(name: &str) -> String {
    name.replace('_', " ")
}

fn compaction(results: &Results) -> String {
    let names = compaction_names(results);
    if names.is_empty() {
        return String::new();
    }
    let divergent = results.of(&[Kind::IfElse, Kind::IfOnly]);
    let titles: Vec<String> =
        std::iter::once("scheme".to_string()).chain(names.iter().map(|name| title(name))).collect();
    let rows: Vec<Vec<String>> = (0..results.configurations.len())
        .filter(|&at| results.configurations[at].group == Group::Scheme)
        .filter_map(|at| {
            let mean =
                |name: &&'static str| study::mean(&divergent, |p| results.value(at, p, name));
            let values: Vec<Option<f64>> = names.iter().map(mean).collect();
            values.iter().any(Option::is_some).then(|| {
                let label = results.configurations[at].label.clone();
                std::iter::once(label).chain(values.into_iter().map(percent)).collect()
            })
        })
        .collect();
    format!(
        "\n## Compaction\n\nMeans over the divergent programs in which the statistic is defined.\n\n{}",
        table(&titles, &rows)
    )
}

fn lanes(results: &Results) -> String {
    let names = [
        "programmatic_compaction_rate",
        "programmatic_ideal_compaction_rate",
        "data_compaction_rate",
        "data_ideal_compaction_rate",
        "simd_efficiency",
    ];
    let divergent = results.of(&[Kind::IfElse, Kind::IfOnly]);
    let rows: Vec<Vec<String>> = (0..results.configurations.len())
        .filter(|&at| results.configurations[at].group == Group::Rates)
        .map(|at| {
            let label = results.configurations[at].label.clone();
            let rates = names.iter().map(|name| {
                percent(study::mean(&divergent, |program| results.value(at, program, name)))
            });
            let capri = results.find(Group::Lanes, &label);
            let speed = capri.and_then(|capri| results.mean_speed(capri, &divergent));
            std::iter::once(label.clone()).chain(rates).chain([times(speed)]).collect()
        })
        .collect();
    if rows.is_empty() {
        return String::new();
    }
    let titles = [
        "permutation",
        "P compacted",
        "P in any lanes",
        "D compacted",
        "D in any lanes",
        "lane utilization",
        "speed",
    ];
    format!(
        "\n## Lane permutations\n\nOver the divergent programs: the share of the paths of divergent branches of \
         class P and D of which\ncompaction makes fewer warps under `block-compaction`, and of which it would if \
         threads could go to any lane; the\nspeed is that of `capri`, relative to `simt-stack`.\n\n{}{}{}",
        table(&strings(&titles), &rows),
        stopped(results, Group::Lanes),
        stopped(results, Group::Rates)
    )
}

fn widths(results: &Results) -> String {
    let sets: Vec<String> = NARROW.iter().map(|(key, value)| format!("`{key}={value}`")).collect();
    let configurations: Vec<usize> = (0..results.configurations.len())
        .filter(|&at| results.configurations[at].group == Group::Width)
        .filter(|&at| results.configurations[at].label != "none")
        .collect();
    let Some(none) = results.find(Group::Width, "none") else {
        return String::new();
    };
    let saved = |at: usize, program: usize| {
        results.relative(at, none, program, "execution_cycles").map(|left| 1.0 - left)
    };
    let mut titles = strings(&["program", "lane utilization"]);
    for &at in &configurations {
        let label = &results.configurations[at].label;
        titles.extend([format!("{label}: pipe cycles saved"), format!("{label}: time saved")]);
    }
    let time = |at: usize, program: usize| {
        results.relative(at, none, program, "cycles").map(|left| 1.0 - left)
    };
    let mut rows: Vec<Vec<String>> = (0..results.programs.len())
        .map(|program| {
            let efficiency = percent(results.value(none, program, "simd_efficiency"));
            let figures = configurations
                .iter()
                .flat_map(|&at| [percent(saved(at, program)), percent(time(at, program))]);
            [results.programs[program].0.to_string(), efficiency]
                .into_iter()
                .chain(figures)
                .collect()
        })
        .collect();
    let divergent = results.of(&[Kind::IfElse, Kind::IfOnly]);
    let means = configurations.iter().flat_map(|&at| {
        let mean = |value: &dyn Fn(usize, usize) -> Option<f64>| {
            percent(study::mean(&divergent, |program| value(at, program)))
        };
        [mean(&saved), mean(&time)]
    });
    let label = ["mean of the divergent".to_string(), String::new()];
    rows.push(label.into_iter().chain(means).collect());
    format!(
        "\n## Cycle compression\n\nWith the widths of the paper: {}. Pipe cycles are those of the arithmetic pipes (the paper's\n\
         EU cycles); `bcc` and `scc` include what `ivb-half` saves.\n\n{}",
        sets.join(", "),
        table(&titles, &rows)
    )
}

fn claims(results: &Results) -> String {
    format!(
        "\n## What the papers say\n\nMost of the papers' programs are whole applications; ours are small, and written to \
         diverge. P is\nRhu's dissertation, V the paper of Vaidya et al.\n\n{}",
        document::claims(CLAIMS, results)
    )
}
