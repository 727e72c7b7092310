//! The document.

use crate::claims::CLAIMS;
use crate::measure::{Bound, INSTRUCTIONS, MACHINE, MEMORY_BOUND, NONE, OTHERS, PERFECT, Results};
use reconverge_tests::study;
use reconverge_tests::study::document;
use reconverge_tests::study::table::{percent, strings, table, times};
use std::fmt::Write;

/// The whole text.
pub fn document(results: &Results) -> String {
    let mut text = introduction();
    text += &programs(results);
    text += "\n## The mechanisms\n\n";
    let others = OTHERS.iter().map(|other| {
        let (key, value) = other.set;
        format!(" *{}*: with `{key}={value}`, relative to `none` with that.", other.name)
    });
    text += &format!(
        "On `{MACHINE}`; speeds relative to `none`, geometric means. *Decoupled*: over the programs of which \
         `decoupled` splits\na kernel; *regular*: over those of them that lose at least a fifth of their warp \
         instructions.\n{}\n\n",
        others.collect::<String>().trim_start()
    );
    text += &mechanisms(results);
    text += &stopped(results);
    text += "\n## Speed, program by program\n\n";
    text += &by_program(results);
    text += "\n## What was executed compactly\n\n";
    text += "The share of the warp instructions that a unit executed once for all lanes: of `cae` those on uniform and \
             on\naffine values, of `scalar-unit` as the compiler claims and by tags. Expansions: registers of `cae` \
             that were expanded\ninto vectors, in a thousand instructions.\n\n";
    text += &compact(results);
    text += "\n## What was prefetched\n\n";
    text += "Of `many-thread-prefetch`: prefetches by the lines that loads looked up, and of the prefetches those that \
             had come when\na load wanted the line, those that were under way, and those that none wanted.\n\n";
    text += &prefetched(results);
    text += &decoupled(results);
    text += &claims(results);
    text
}

fn introduction() -> String {
    let sets: Vec<String> = PERFECT.iter().map(|(key, value)| format!("`{key}={value}`")).collect();
    format!(
        "# Affine values

Every mechanism of the slots `affine` and `prefetcher` on the examples and on the programs of `examples/divergence`, beside what the
paper on decoupled affine computation says (Wang and Lin, ISCA 2017). Written by `cargo run --release -p
reconverge-tests --bin affine`; do not edit. What the mechanisms do is in [spec/machine.md](../spec/machine.md), what the
compiler does for `decoupled` in [spec/decoupling.md](../spec/decoupling.md). Each run was checked: its output and device
memory are those of `none`.

## The programs

A program is *memory-bound* if it is at least {MEMORY_BOUND} times as fast with an ideal (zero-latency) memory, else
compute-bound; both without misses of the instruction cache (our text of the paper does not say how it tells them
apart). *Issued* and *memory*: issue slots that issued, and that were lost because something waited for memory.
That memory is `{}={}`, {}.

",
        INSTRUCTIONS.0,
        INSTRUCTIONS.1,
        sets.join(", ")
    )
}

fn programs(results: &Results) -> String {
    let rows: Vec<Vec<String>> = in_order(results)
        .into_iter()
        .map(|program| {
            let get = |name| results.without(program, name);
            let lost = |name| Some(get(name)? / get("issue_slots")?);
            let bound = match results.bound(program) {
                Some(Bound::Memory) => "memory",
                Some(Bound::Compute) => "compute",
                None => "",
            };
            vec![
                results.programs[program].to_string(),
                bound.to_string(),
                times(results.perfect(program)),
                get("warp_instructions").map_or(String::new(), |count| count.to_string()),
                percent(lost("slots_issued")),
                percent(lost("slots_memory")),
            ]
        })
        .collect();
    let titles = ["program", "bound by", "perfect memory", "warp instructions", "issued", "memory"];
    table(&strings(&titles), &rows)
}

/// Programs, those that are bound by memory first.
fn in_order(results: &Results) -> Vec<usize> {
    let mut all = results.of(None);
    all.sort_by_key(|&program| results.bound(program) == Some(Bound::Compute));
    all
}

fn mechanisms(results: &Results) -> String {
    let titles = [
        "mechanism",
        "memory-bound",
        "compute-bound",
        "all",
        "decoupled",
        "regular",
        "best",
        "worst",
        "warp instructions",
        "requests",
    ];
    let groups = [
        results.of(Some(Bound::Memory)),
        results.of(Some(Bound::Compute)),
        results.of(None),
        results.decoupled(),
        results.regular(),
    ];
    let rows: Vec<Vec<String>> = (0..results.configurations.len())
        .map(|at| {
            let speed = |program| results.speed(at, program);
            let mut row = vec![results.configurations[at].label.clone()];
            row.extend(groups.iter().map(|group| times(results.geometric(group, speed))));
            row.extend([true, false].map(|largest| {
                extreme(results, at, largest)
                    .map_or(String::new(), |(speed, name)| format!("{speed:.3} {name}"))
            }));
            row.extend(["warp_instructions", "requests"].map(|name| {
                times(results.geometric(&groups[2], |program| results.relative(at, program, name)))
            }));
            row
        })
        .collect();
    table(&strings(&titles), &rows)
}

/// The best or the worst speed, and whose.
pub fn extreme(results: &Results, at: usize, largest: bool) -> Option<(f64, &'static str)> {
    let speeds = (0..results.programs.len())
        .filter_map(|program| Some((results.speed(at, program)?, results.programs[program])));
    study::extreme(speeds, largest)
}

/// A sentence for each run that was stopped.
fn stopped(results: &Results) -> String {
    let mut text = String::new();
    for (at, configuration) in results.configurations.iter().enumerate() {
        for (program, name) in results.programs.iter().enumerate() {
            if let Some(fault) = results.fault(at, program) {
                // Writing to a string does not fail.
                let _ = write!(text, "\n`{name}` under {}: {fault}.\n", configuration.label);
            }
        }
    }
    text
}

fn by_program(results: &Results) -> String {
    let columns: Vec<usize> = (0..results.configurations.len())
        .filter(|&at| !results.configurations[at].is_variant)
        .filter(|&at| results.configurations[at].label != NONE)
        .collect();
    let titles: Vec<String> = ["program", "bound by"]
        .map(str::to_string)
        .into_iter()
        .chain(columns.iter().map(|&at| results.configurations[at].label.clone()))
        .collect();
    let mut rows = Vec::new();
    for (bound, name) in [(Bound::Memory, "memory"), (Bound::Compute, "compute")] {
        let programs = results.of(Some(bound));
        for &program in &programs {
            let cells = columns.iter().map(|&at| times(results.speed(at, program)));
            let names = [results.programs[program].to_string(), name.to_string()];
            rows.push(names.into_iter().chain(cells).collect());
        }
        if !programs.is_empty() {
            let mean = |at| times(results.geometric(&programs, |p| results.speed(at, p)));
            let names = ["*geometric mean*".to_string(), name.to_string()];
            rows.push(names.into_iter().chain(columns.iter().map(|&at| mean(at))).collect());
        }
    }
    table(&titles, &rows)
}

/// A row a program and one of means, of cells that may be missing; nothing if all are.
fn statistics(
    results: &Results,
    programs: &[usize],
    titles: &[&str],
    cells: &dyn Fn(usize) -> Vec<Option<f64>>,
    show: &[fn(Option<f64>) -> String],
) -> String {
    let shown = |values: Vec<Option<f64>>| -> Vec<String> {
        values.into_iter().zip(show).map(|(value, show)| show(value)).collect()
    };
    let mut rows: Vec<Vec<String>> = Vec::new();
    for &program in programs {
        let name = results.programs[program].to_string();
        rows.push(std::iter::once(name).chain(shown(cells(program))).collect());
    }
    let means = (0..show.len()).map(|at| study::mean(programs, |program| cells(program)[at]));
    rows.push(std::iter::once("*mean*".to_string()).chain(shown(means.collect())).collect());
    table(&strings(titles), &rows)
}

fn compact(results: &Results) -> String {
    let find = |label: &str| results.find(label);
    let share = |at: Option<usize>, program: usize, name: &str| {
        Some(
            results.value(at?, program, name)?
                / results.value(at?, program, "warp_instructions")?,
        )
    };
    let cells = |program: usize| {
        let cae = find("cae");
        vec![
            share(cae, program, "compact_uniform_instructions"),
            share(cae, program, "compact_affine_instructions"),
            share(cae, program, "compact_expansions").map(|each| each * 1000.0),
            share(find("scalar-unit"), program, "compact_uniform_instructions"),
            share(find("scalar-unit, detection=tags"), program, "compact_uniform_instructions"),
        ]
    };
    let titles = [
        "program",
        "cae: uniform",
        "cae: affine",
        "cae: expansions",
        "scalar: claimed",
        "scalar: tags",
    ];
    let show = [percent, percent, tenth, percent, percent];
    statistics(results, &in_order(results), &titles, &cells, &show)
}

fn prefetched(results: &Results) -> String {
    let at = results.find("many-thread-prefetch");
    let cells = |program: usize| {
        let get = |name: &str| results.value(at?, program, name);
        let of = |name: &str| Some(get(name)? / get("prefetches").filter(|all| *all > 0.0)?);
        let lookups = get("l1_hits").zip(get("l1_misses")).map(|(hits, misses)| hits + misses);
        let all = lookups.filter(|all| *all > 0.0);
        vec![
            get("prefetches").zip(all).map(|(prefetches, all)| prefetches / all),
            of("prefetches_useful"),
            of("prefetches_late"),
            of("prefetches_unused"),
        ]
    };
    let titles = ["program", "prefetches by lines", "in time", "late", "unused"];
    statistics(results, &in_order(results), &titles, &cells, &[percent, percent, percent, percent])
}

/// What the affine warp does, program by program.
fn decoupled(results: &Results) -> String {
    let Some(at) = results.find("decoupled") else {
        return String::new();
    };
    let taken = results.decoupled();
    let names: Vec<&str> = in_order(results)
        .into_iter()
        .filter(|program| !taken.contains(program))
        .map(|program| results.programs[program])
        .collect();
    let mut text = String::from("\n## What was decoupled\n\n");
    if !taken.is_empty() {
        let cells = |program: usize| {
            let get = |name: &str| results.value(at, program, name);
            let by = |name: &str, to: &str| Some(get(name)? / get(to).filter(|it| *it > 0.0)?);
            vec![
                results.relative(at, program, "warp_instructions"),
                get("affine_share"),
                get("decoupled_load_rate"),
                get("early_distance"),
                get("predicate_scalar_rate"),
                get("predicate_endpoint_rate"),
                by("locked_line_cycles", "cycles"),
                get("max_locked_lines"),
                by("tuple_queue_cycles", "cycles"),
                by("slots_dequeue", "issue_slots"),
                by("slots_early_load", "issue_slots"),
            ]
        };
        let titles = [
            "program",
            "warp instructions",
            "affine warp",
            "loads",
            "distance",
            "scalar",
            "two comparisons",
            "lines held",
            "most",
            "tuples queued",
            "queue empty",
            "line to come",
        ];
        let show = [
            times, percent, percent, tenth, percent, percent, tenth, tenth, tenth, percent, percent,
        ];
        let order: Vec<usize> =
            in_order(results).into_iter().filter(|program| taken.contains(program)).collect();
        text += "Of `decoupled`: warp instructions by those of `none`, both streams together; the affine warp's share of \
                 them; the share of\nloads from global and local memory whose lines were asked for early, and how many \
                 cycles before; predicates for\nwhich one comparison a block, and at most two a warp, were enough; \
                 lines held in the first level and entries of the\ntuple queue, of all SMs together, in the mean and at \
                 most in one; issue slots that were lost because a warp's \
                 queue was\nempty, and because the line of an early load had not come.\n\n";
        text += &statistics(results, &order, &titles, &cells, &show);
    }
    if !names.is_empty() {
        let _ = write!(text, "\nNo kernel was decoupled in: {}.\n", names.join(", "));
    }
    text
}

/// `12.3`, or nothing.
fn tenth(value: Option<f64>) -> String {
    value.map_or(String::new(), |value| format!("{value:.1}"))
}

fn claims(results: &Results) -> String {
    format!(
        "\n## What the paper says\n\nIts programs are 29 of the usual suites; ours are small, and many were written to \
         diverge.\n\n{}",
        document::claims(CLAIMS, results)
    )
}
