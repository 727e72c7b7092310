//! `--check`: each program of `data/check` has the faults that `snapshots` tells of, and none with `FIXED` defined;
//! neither have the examples, nor generated programs.

use crate::data::{Program, each, programs};
use reconverge::build::{self, Checked};
use reconverge::checks::{Check, CheckSet, Findings, Proved, Schedules};
use reconverge::execute::{ModelName, Setup, execute};
use reconverge::host::report::Outcome;
use reconverge_compiler::diagnostic;
use reconverge_compiler::lower::Options;
use reconverge_simulator::mechanisms::divergence::list as divergence;
use reconverge_simulator::{load_machine, machines};
use reconverge_tests::examples::Beside;
use reconverge_tests::examples::{DIVERGENT, EXAMPLES, folder};
use reconverge_tests::faultless;
use reconverge_tests::generate::Generated;
use reconverge_tests::oracle::NoFiles;
use reconverge_tests::planted;
use reconverge_tests::slice::Slice;
use std::collections::BTreeSet;
use std::time::Duration;

const MODELS: [ModelName; 2] = [ModelName::Functional, ModelName::Timing];

fn checked(program: &Program, fixed: bool) -> Checked {
    let definitions: Vec<_> =
        fixed.then(|| ("FIXED".to_owned(), "1".to_owned())).into_iter().collect();
    build::check(&program.name, &program.text, &definitions, &mut program.loader())
}

/// The status and findings of a run.
fn findings(
    checked: &Checked,
    model: ModelName,
    threads: u32,
    checks: &[Check],
    arguments: &[String],
) -> Result<(u8, Findings), String> {
    found(checked, model, threads, CheckSet::new(checks), arguments)
}

fn found(
    checked: &Checked,
    model: ModelName,
    threads: u32,
    checks: CheckSet,
    arguments: &[String],
) -> Result<(u8, Findings), String> {
    let machine = load_machine("gtx480", &[])?;
    let mut setup = Setup::new(&machine, model);
    setup.checks = checks;
    setup.threads = threads;
    setup.arguments.extend_from_slice(arguments);
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let run = execute(checked, &setup, &mut output, &mut errors, &mut |_, _| {})
        .map_err(|refused| refused.render(false))?;
    Ok((run.status(), run.findings))
}

fn render(findings: &Findings, checked: &Checked) -> String {
    diagnostic::render(&findings.shown, &checked.sources, false)
}

fn codes(findings: &Findings) -> BTreeSet<&'static str> {
    findings.shown.iter().map(|found| found.code.id()).collect()
}

#[test]
fn what_is_found() {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for program in programs("check") {
            let name = program.name.trim_end_matches(".cu");
            let checked = checked(&program, false);
            let (status, found) =
                findings(&checked, ModelName::Functional, 1, &[Check::All], &[]).unwrap();
            let text = format!("status {status}\n{}", render(&found, &checked));
            insta::assert_snapshot!(format!("checks@{name}"), text);
        }
    });
}

/// With time the order is another one, and the kinds of faults are the same, with any number of threads.
#[test]
fn both_models_find_it() {
    each(&programs("check"), |program| {
        let checked = checked(program, false);
        let run = |model, threads| findings(&checked, model, threads, &[Check::All], &[]);
        let (_, functional) = run(ModelName::Functional, 1)?;
        let (_, timing) = run(ModelName::Timing, 1)?;
        let (_, parallel) = run(ModelName::Timing, 3)?;
        if render(&timing, &checked) != render(&parallel, &checked) {
            return Err(format!("{}: depends on the number of threads", program.name));
        }
        // The order decides if a thread reads a byte that is not written yet.
        let kinds = |found| &codes(found) - &BTreeSet::from(["R0103"]);
        match kinds(&functional) == kinds(&timing) && !functional.shown.is_empty() {
            true => Ok(()),
            false => Err(format!(
                "{}:\n{}with time:\n{}",
                program.name,
                render(&functional, &checked),
                render(&timing, &checked)
            )),
        }
    });
}

#[test]
fn nothing_is_found_when_it_is_fixed() {
    each(&programs("check"), |program| {
        let checked = checked(program, true);
        for model in MODELS {
            let (status, found) = findings(&checked, model, 1, &[Check::All], &[])?;
            if status != 0 || !found.shown.is_empty() {
                let text = render(&found, &checked);
                return Err(format!("{} ({}): {status}\n{text}", program.name, model.name()));
            }
        }
        Ok(())
    });
}

/// A barrier that one thread of a warp leaves out is found on every machine and under every scheme,
/// and so is the race behind it. If threads are counted, a stack never opens the barrier: the
/// launch is a deadlock then.
#[test]
fn part_of_a_warp_at_a_barrier() {
    let program = programs("check").into_iter().find(|it| it.name == "part_barrier.cu").unwrap();
    let checked = checked(&program, false);
    let schemes = divergence::MECHANISMS.all().into_iter().map(|scheme| scheme.name);
    let settings = schemes.map(|name| vec![("divergence".to_owned(), name.to_owned())]);
    let settings: Vec<_> = std::iter::once(Vec::new()).chain(settings).collect();
    each(&machines(), |info| {
        let mut loaded = 0;
        for (set, model) in settings.iter().flat_map(|set| MODELS.map(|model| (set, model))) {
            // Some schemes need more warp slots than `tiny` has.
            let Ok(machine) = load_machine(&info.name, set) else { continue };
            loaded += 1;
            let mut setup = Setup::new(&machine, model);
            setup.checks = CheckSet::new(&[Check::Barriers, Check::Races]);
            let (mut output, mut errors) = (Vec::new(), Vec::new());
            let run = execute(&checked, &setup, &mut output, &mut errors, &mut |_, _| {})
                .map_err(|refused| refused.render(false))?;
            let found = codes(&run.findings);
            let has = |code: &str| found.contains(code);
            let ends = match run.outcome {
                Outcome::Deadlock(_) => run.status() == 242,
                _ => run.status() == 244 && (has("R0101") || has("R0110")),
            };
            if !has("R0104") || !ends {
                return Err(format!("{}, {set:?}, {}: {found:?}", info.name, model.name()));
            }
        }
        if loaded < settings.len() { Err(format!("{}: {loaded} runs", info.name)) } else { Ok(()) }
    });
}

/// Each check looks for its own kinds only.
#[test]
fn checks_are_chosen() {
    let kinds = [
        (Check::Races, &["R0101", "R0102", "R0109", "R0110", "R0112"][..]),
        (Check::Init, &["R0103"]),
        (Check::Barriers, &["R0104"]),
        (Check::Lanes, &["R0105"]),
        (Check::Bounds, &["R0111"]),
        (Check::Leaks, &["R0106", "R0107"]),
    ];
    each(&programs("check"), |program| {
        let checked = checked(program, false);
        let run = |check| findings(&checked, ModelName::Functional, 1, &[check], &[]);
        let all = codes(&run(Check::All)?.1);
        for (check, kinds) in kinds {
            let own: BTreeSet<_> =
                all.iter().copied().filter(|code| kinds.contains(code)).collect();
            let found = codes(&run(check)?.1);
            if found != own {
                return Err(format!("{}: {check:?} finds {found:?} of {own:?}", program.name));
            }
        }
        Ok(())
    });
}

/// Two threads of the searches may store the same level, which others read: it is a race, as its
/// comment explains.
#[test]
fn examples_have_no_faults() {
    let slice = Slice::of(3).unwrap();
    println!("{slice}");
    let paths = EXAMPLES.iter().chain(DIVERGENT);
    let paths: Vec<_> = paths.filter(|(path, _)| slice.has(path)).collect();
    each(&paths, |(path, arguments)| {
        let file = folder().join(format!("{path}.cu"));
        let text = std::fs::read_to_string(&file).map_err(|error| error.to_string())?;
        let arguments: Vec<String> = arguments.iter().map(|&word| word.to_owned()).collect();
        let mut loader = Beside(file.with_file_name(""));
        let checked = build::check(path, &text, &[], &mut loader);
        // The programs of `divergence` leave their memory to the end of the program.
        let checks = [Check::Races, Check::Init, Check::Barriers, Check::Lanes, Check::Bounds];
        let (_, found) = findings(&checked, ModelName::Functional, 1, &checks, &arguments)?;
        let searches = ["bfs", "divergence/breadth_first"].contains(path);
        let is_known = |code: &&str| searches && ["R0101", "R0102", "R0110"].contains(code);
        match codes(&found).iter().all(is_known) {
            true => Ok(()),
            false => Err(format!("{path}:\n{}", render(&found, &checked))),
        }
    });
}

/// Generated programs are free of faults.
#[test]
fn generated_programs_have_no_faults() {
    let slice = Slice::of(4).unwrap();
    println!("{slice}");
    let seeds: Vec<u64> = (0..300).filter(|seed: &u64| slice.has(&seed.to_string())).collect();
    each(&seeds, |&seed| {
        faultless::check(&faultless::program(seed).source(), seed, &[Check::All])
            .map_err(|problem| format!("seed {seed}:\n{problem}"))
    });
}

/// The programs that `fuzz` has saved have no faults either; older ones do not free their memory.
#[test]
fn regressions_have_no_faults() {
    let checks = [Check::Races, Check::Init, Check::Barriers, Check::Lanes, Check::Bounds];
    each(&programs("regressions"), |program| {
        (0..30).step_by(4).try_for_each(|seed| {
            faultless::check(&program.text, seed, &checks)
                .map_err(|problem| format!("{}, as of seed {seed}:\n{problem}", program.name))
        })
    });
}

/// Generated programs with a fault: a barrier, a first value or a free less.
#[test]
fn generated_programs_with_a_fault() {
    let found = |seed: u64, needed: &str, instead: &str| {
        let source = faultless::program(seed).source();
        faultless::check(&source.replace(needed, instead), seed, &[Check::All]).is_err()
    };
    for (needed, instead) in [("__syncthreads();", ""), ("sh[tid] = ", "i3 = ")] {
        let count = (0..140).filter(|&seed| found(seed, needed, instead)).take(20).count();
        assert_eq!(count, 20, "{needed}");
    }
    let slice = Slice::of(8).unwrap();
    println!("{slice}");
    for seed in (0..140).filter(|seed: &u64| slice.has(&seed.to_string())) {
        assert!(found(seed, "cudaFree(in);", ""), "the leak of seed {seed}");
    }
}

/// Programs of `data/unset` read variables that have no value.
#[test]
fn variables_without_a_value() {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for program in programs("unset") {
            let name = program.name.trim_end_matches(".cu");
            let checked = checked(&program, false);
            let warnings = |maybe_unset| {
                let options = Options { maybe_unset, ..Options::default() };
                let lowered = checked.lower(&options).map_err(|refused| refused.render(false));
                build::warnings(&lowered.unwrap(), &checked.sources, false)
            };
            let text = format!("{}-Wuninitialized:\n{}", warnings(false), warnings(true));
            insta::assert_snapshot!(format!("unset@{name}"), text);
        }
    });
}

/// Returns the number of proved accesses; findings are the same with proofs and with every access checked.
fn proofs_change_nothing(checked: &Checked, arguments: &[String]) -> Result<Findings, String> {
    let mut both = Vec::new();
    for model in MODELS {
        let run = |checks| found(checked, model, 1, checks, arguments);
        let checks = [Check::Races, Check::Init];
        let (status, with) = run(CheckSet::new(&checks))?;
        let (other, without) = run(CheckSet::new(&checks).without_proofs())?;
        let texts = [&with, &without].map(|found| render(found, checked));
        if status != other || texts[0] != texts[1] || with.more != without.more {
            return Err(format!("{}:\n{}without proofs:\n{}", model.name(), texts[0], texts[1]));
        }
        both.push(with);
    }
    match both.pop() {
        Some(last) if both[0].proved == last.proved => Ok(last),
        _ => Err("models prove different accesses".to_owned()),
    }
}

/// Programs of `data/proofs` state the number of proved accesses of a kernel, and the findings.
#[test]
fn proofs() {
    each(&programs("proofs"), |program| {
        let checked = checked(program, false);
        let found = proofs_change_nothing(&checked, &[])?;
        let line = |(kernel, proved): (&String, &Proved)| {
            format!("// proved {kernel} {} of {}", proved.proved, proved.all)
        };
        let mut own: BTreeSet<String> = found.proved.iter().map(line).collect();
        let races = codes(&found).into_iter().filter(|code| *code != "R0103");
        own.extend(races.map(|code| format!("// found {code}")));
        let said = program
            .text
            .lines()
            .filter(|line| line.starts_with("// proved ") || line.starts_with("// found "));
        let said: BTreeSet<String> = said.map(str::to_owned).collect();
        match own == said {
            true => Ok(()),
            false => Err(format!("{}: {own:?}\n{}", program.name, render(&found, &checked))),
        }
    });
}

#[test]
fn proofs_change_no_findings() {
    each(&programs("check"), |program| {
        for fixed in [false, true] {
            proofs_change_nothing(&checked(program, fixed), &[])
                .map_err(|error| format!("{}: {error}", program.name))?;
        }
        Ok(())
    });
    let paths: Vec<_> = EXAMPLES.iter().chain(DIVERGENT).collect();
    each(&paths, |(path, arguments)| {
        let file = folder().join(format!("{path}.cu"));
        let text = std::fs::read_to_string(&file).map_err(|error| error.to_string())?;
        let arguments: Vec<String> = arguments.iter().map(|&word| word.to_owned()).collect();
        let mut loader = Beside(file.with_file_name(""));
        let checked = build::check(path, &text, &[], &mut loader);
        let found = proofs_change_nothing(&checked, &arguments)?;
        for (kernel, Proved { proved, all }) in found.proved {
            println!("{path}: {kernel}: {proved} of {all}");
        }
        Ok(())
    });
    let seeds: Vec<u64> = (0..50).collect();
    each(&seeds, |&seed| {
        let source = Generated::new(seed).source();
        // Without its barriers a program has races.
        for source in [source.replace("__syncthreads();", ";"), source] {
            let checked = build::check("generated.cu", &source, &[], &mut NoFiles);
            proofs_change_nothing(&checked, &[])
                .map_err(|error| format!("seed {seed}: {error}"))?;
        }
        Ok(())
    });
}

/// So many other orders of each launch, and nothing else.
fn orders(count: u32, seed: u64) -> CheckSet {
    CheckSet::default().with_schedules(Schedules { count, seed })
}

#[test]
fn other_orders_give_something_else() {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for program in programs("schedules") {
            let name = program.name.trim_end_matches(".cu");
            let checked = checked(&program, false);
            let run = |model| found(&checked, model, 1, orders(4, 0), &[]).unwrap();
            let (status, found) = run(ModelName::Functional);
            let text = format!("status {status}\n{}", render(&found, &checked));
            insta::assert_snapshot!(format!("schedules@{name}"), text);
            assert_eq!(run(ModelName::Timing).0, status, "{name} under timing");
        }
    });
}

#[test]
fn other_orders_give_the_same_when_it_is_fixed() {
    each(&programs("schedules"), |program| {
        let checked = checked(program, true);
        for model in MODELS {
            let (status, found) = found(&checked, model, 1, orders(8, 1), &[])?;
            if status != 0 {
                return Err(format!("{}: {status}\n{}", program.name, render(&found, &checked)));
            }
        }
        Ok(())
    });
}

/// The examples' results do not depend on the order, nor do those of programs of `data/check` without their faults.
#[test]
fn results_do_not_depend_on_the_order() {
    let paths: Vec<_> = EXAMPLES.iter().chain(DIVERGENT).collect();
    each(&paths, |(path, arguments)| {
        let file = folder().join(format!("{path}.cu"));
        let text = std::fs::read_to_string(&file).map_err(|error| error.to_string())?;
        let arguments: Vec<String> = arguments.iter().map(|&word| word.to_owned()).collect();
        let mut loader = Beside(file.with_file_name(""));
        let checked = build::check(path, &text, &[], &mut loader);
        let (status, found) = found(&checked, ModelName::Functional, 1, orders(3, 0), &arguments)?;
        match found.shown.is_empty() {
            true => Ok(()),
            false => Err(format!("{path}: {status}\n{}", render(&found, &checked))),
        }
    });
    let seeds: Vec<u64> = (0..60).collect();
    each(&seeds, |&seed| {
        let checked =
            build::check("generated.cu", &Generated::new(seed).source(), &[], &mut NoFiles);
        let (_, found) = found(&checked, ModelName::Functional, 1, orders(3, seed), &[])?;
        match found.shown.is_empty() {
            true => Ok(()),
            false => Err(format!("seed {seed}:\n{}", render(&found, &checked))),
        }
    });
}

/// The types, threads and blocks that programs of `data/planted` are built with.
const SHAPES: [(&str, &str, &str); 4] =
    [("float", "64", "4"), ("int", "128", "3"), ("double", "256", "2"), ("short", "64", "5")];

/// The findings in a program of `data/planted` without one of its lines.
fn planted(program: &Program, line: Option<usize>, shape: usize) -> Result<Findings, String> {
    let without = |(number, text): (usize, &str)| match line == Some(number) {
        true => ";\n".to_owned(),
        false => format!("{text}\n"),
    };
    let text: String = program.text.lines().enumerate().map(without).collect();
    let (ty, block, blocks) = SHAPES[shape];
    let names = [("T", ty), ("BLOCK", block), ("BLOCKS", blocks)];
    let definitions = names.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let checked = build::check(&program.name, &text, &definitions, &mut program.loader());
    let machine = load_machine("gtx480", &[])?;
    let mut setup = Setup::new(&machine, ModelName::Functional);
    setup.max_cycles = Some(200_000);
    let mut run = |checks| {
        setup.checks = checks;
        let (mut output, mut errors) = (Vec::new(), Vec::new());
        let run = execute(&checked, &setup, &mut output, &mut errors, &mut |_, _| {});
        run.map(|run| run.findings).map_err(|refused| refused.render(false))
    };
    let all = CheckSet::new(&[Check::All]);
    let (with, without) = (run(all.clone())?, run(all.without_proofs())?);
    match render(&with, &checked) == render(&without, &checked) {
        true => Ok(with),
        false => Err(format!("{}: proofs change what is found", program.name)),
    }
}

/// Each line marked `// plant` is needed: without it there is a fault, of which at least 95 % are
/// found, and with all of them there is none. The missed ones are listed.
#[test]
fn planted_faults_are_found() {
    let programs = programs("planted");
    let mut all = Vec::new();
    for program in &programs {
        let lines = program.text.lines().enumerate();
        let marked = lines.filter(|(_, text)| text.ends_with("// plant"));
        let lines: Vec<_> = marked.map(|(number, _)| number).collect();
        for shape in 0..SHAPES.len() {
            all.push((program, None, shape));
            all.extend(lines.iter().map(|&line| (program, Some(line), shape)));
        }
    }
    let missed = std::sync::Mutex::new(BTreeSet::new());
    each(&all, |&(program, line, shape)| {
        let found = planted(program, line, shape)?;
        match line {
            None if found.shown.is_empty() => {}
            None => return Err(format!("{}: {:?}", program.name, found.shown)),
            Some(line) if found.shown.is_empty() => {
                let text = program.text.lines().nth(line).unwrap_or_default().trim();
                missed.lock().unwrap().insert(format!("{} {shape}: {text}", program.name));
            }
            Some(_) => {}
        }
        Ok(())
    });
    let planted = all.iter().filter(|(_, line, _)| line.is_some()).count();
    let missed = missed.into_inner().unwrap();
    assert!(planted >= 40 * SHAPES.len(), "{planted} are planted");
    let text: Vec<_> = missed.iter().map(String::as_str).collect();
    insta::assert_snapshot!(
        "missed",
        format!("{} of {planted}\n{}", missed.len(), text.join("\n"))
    );
    assert!(missed.len() * 20 <= planted, "{missed:?}");
}

/// A slice of the faults that `--bin checks` plants, chosen by the commit.
#[test]
fn planted_faults_of_each_kind_are_found() {
    let templates = planted::templates().unwrap();
    let plants = planted::plants(&templates).len() as u64;
    let seed = std::env::var("RECONVERGE_SEED").ok();
    let seed = seed.and_then(|seed| u64::from_str_radix(&seed, 16).ok()).unwrap_or(0);
    // Each line once, in a shape of its own.
    let first = seed % 1_000_000 * plants;
    let counted = planted::look(first..first + plants).unwrap();
    assert_eq!(counted.planted as u64, plants);
    assert!(counted.alarms.is_empty(), "false findings: {:#?}", counted.alarms);
    assert!(counted.missed.len() * 20 <= counted.planted, "missed: {:#?}", counted.missed);
}

/// Lanes of one store may store different values, by the language; the check must be asked for.
#[test]
fn lanes_of_one_store() {
    let text = "__global__ void k(int *o) { o[0] = threadIdx.x; }\n\
                int main() { int *o; cudaMalloc(&o, 4); k<<<1, 32>>>(o); cudaFree(o); }";
    let checked = build::check("main.cu", text, &[], &mut NoFiles);
    let run = |checks: &[Check]| {
        codes(&findings(&checked, ModelName::Functional, 1, checks, &[]).unwrap().1)
    };
    assert_eq!(run(&[Check::All]), BTreeSet::new());
    assert_eq!(run(&[Check::Races, Check::LaneStores]), BTreeSet::from(["R0110"]));
}

/// The cost of all checks: the time of the kernels of each example with them and without, the least of three.
#[test]
#[ignore = "a measurement, for an idle machine"]
fn cost() {
    let machine = load_machine("gtx480", &[]).unwrap();
    for (path, _) in EXAMPLES.iter().chain(DIVERGENT) {
        let file = folder().join(format!("{path}.cu"));
        let text = std::fs::read_to_string(&file).unwrap();
        let checked = build::check(path, &text, &[], &mut Beside(file.with_file_name("")));
        let time = |checks: CheckSet| -> Duration {
            let mut setup = Setup::new(&machine, ModelName::Functional);
            setup.checks = checks;
            let run = || {
                let (mut output, mut errors) = (Vec::new(), Vec::new());
                execute(&checked, &setup, &mut output, &mut errors, &mut |_, _| {})
                    .map_or(Duration::ZERO, |run| run.kernel_time)
            };
            (0..3).map(|_| run()).min().unwrap_or_default()
        };
        let all = CheckSet::new(&[Check::All]);
        let without = time(CheckSet::default());
        let (with, unproved) = (time(all.clone()), time(all.without_proofs()));
        let ratio = |time: Duration| time.as_secs_f64() / without.as_secs_f64();
        println!(
            "{path}: {without:.1?}, {with:.1?} with checks, {:.2} times; {:.2} without proofs",
            ratio(with),
            ratio(unproved)
        );
    }
}
