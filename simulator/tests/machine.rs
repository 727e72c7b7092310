//! Machine files and settings: what they say, and what bad ones get.

use crate::support;
use std::path::{Path, PathBuf};

use reconverge_simulator::{
    Machine, load_machine, machines, mechanisms, read_machine, resolve_machine,
};

fn set(key: &str, value: &str) -> Result<Machine, String> {
    load_machine("tiny", &[(key.to_string(), value.to_string())])
}

fn error(key: &str, value: &str) -> String {
    set(key, value).expect_err("it is bad")
}

/// The names of the files of a folder of this crate that end in `.ENDING`, in alphabetical order.
fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let paths = entries.map(|entry| entry.expect("it can be read").path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|found| found == ending)).collect();
    paths.sort();
    paths
}

#[test]
fn shipped_machines_load() {
    let mut listed: Vec<String> = machines().into_iter().map(|machine| machine.name).collect();
    for name in &listed {
        let machine = load_machine(name, &[]).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(machine.name, *name);
    }
    listed.sort();
    let stem = |path: PathBuf| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut shipped: Vec<String> = files("machines", "toml").into_iter().map(stem).collect();
    shipped.sort();
    assert_eq!(listed, shipped, "every file of `machines` has its line in `machine/load.rs`");
}

#[test]
fn machines_of_the_papers() {
    // Bandwidth in GB/s, size in KB and ways of the second level, scheduler: Tables 3.1, 4.1, 5.3 and 6.1 of Rhu's
    // dissertation.
    let tables = [
        ("gtx480", 177.6, 768, 8, "greedy-then-oldest"),
        ("gtx480-ch3", 177.6, 768, 8, "oldest-first"),
        ("gtx480-ch5", 179.2, 768, 16, "oldest-first"),
        ("gtx480-ch6", 177.6, 768, 16, "greedy-then-oldest"),
        ("fx5800-ch4", 102.4, 1024, 64, "two-level"),
    ];
    for (name, bandwidth, size, ways, scheduler) in tables {
        let machine = load_machine(name, &[]).unwrap();
        let peak = machine.dram.peak() * f64::from(machine.l2.partitions) / 1e9;
        assert!((peak - bandwidth).abs() < 0.001, "{name}: {peak}");
        assert_eq!((machine.l2.size >> 10, machine.l2.ways), (size, ways), "{name}");
        assert_eq!(machine.scheduler, scheduler, "{name}");
        // The book's limit is in `gtx480` alone.
        assert_eq!(machine.scoreboard.entries, if name == "gtx480" { 4 } else { 0 }, "{name}");
    }
    // Table 2 of AVC: vector registers, first level, no second level.
    let fermi = load_machine("fermi-1sm", &[]).unwrap();
    let vectors = fermi.sm.registers / fermi.sm.warp_width;
    assert_eq!((fermi.sms, fermi.sm.warps, vectors, fermi.l2.size), (1, 48, 512, 0));
    assert_eq!((fermi.l1.size >> 10, fermi.l1.ways), (48, 6));
    assert_eq!(fermi.l1.replacement, "tree-pseudo-lru");
    // Instructions in a cache, and in a line, of the public configurations.
    for (name, instructions, line) in [("gtx480", 256, 16), ("fx5800", 512, 32)] {
        let cache = load_machine(name, &[]).unwrap().instruction_cache;
        let each = cache.instruction_bytes;
        assert_eq!((cache.size / each, cache.line / each), (instructions, line), "{name}");
    }
}

#[test]
fn machines_of_today() {
    // SMs, warps of each, KB of the first level with shared memory and of the latter at most, MB of the second level, bandwidth in
    // GB/s: the whitepapers and data sheets that the files name.
    let products = [
        ("v100", 80, 64, 128, 96, 6, 898.0),
        ("a100", 108, 64, 192, 164, 40, 2039.0),
        ("a6000", 84, 48, 128, 100, 6, 768.0),
        ("h100", 132, 64, 256, 228, 50, 3352.3),
        ("h200", 132, 64, 256, 228, 60, 4916.7),
    ];
    for (name, sms, warps, first, shared, second, bandwidth) in products {
        let machine = load_machine(name, &[]).unwrap();
        assert_eq!((machine.sms, machine.sm.warps), (sms, warps), "{name}");
        assert_eq!((machine.sm.schedulers, machine.sm.sub_cores), (4, 4), "{name}");
        assert_eq!(
            (machine.l1.size >> 10, machine.sm.shared_memory >> 10),
            (first, shared),
            "{name}"
        );
        assert_eq!(machine.l2.size >> 20, second, "{name}");
        let peak = machine.dram.peak() * f64::from(machine.l2.partitions) / 1e9;
        assert!((peak - bandwidth).abs() < 0.1, "{name}: {peak}");
        assert_eq!(
            (&*machine.divergence, machine.l1.sector),
            ("convergence-barrier", 32),
            "{name}"
        );
        let sources = machine.tables.sources.expect("it says where its values come from");
        assert!(sources.published.contains_key("sms"), "{name}");
        assert!(sources.assumed.contains_key("interconnect.latency"), "{name}");
    }
}

#[test]
fn settings_change_values() {
    assert_eq!(set("l1.size", "1024").unwrap().l1.size, 1024);
    assert_eq!(set("scheduler", "greedy-then-oldest").unwrap().scheduler, "greedy-then-oldest");
    assert_eq!(set("units.integer.latency", "3").unwrap().units["integer"].latency, 3);
    assert_eq!(set("dram.clock-mhz", "8").unwrap().dram.clock_mhz, 8.0);
    assert_eq!(set("dram.timing.rcd", "8").unwrap().dram.timing.rcd, 8);
    assert!(set("simt-stack.push-order", "fewer-threads-first").is_ok());
}

#[test]
fn settings_that_are_wrong() {
    let cases = [
        (
            "schedular",
            "x",
            "setting `schedular=x`: unknown key `schedular`; did you mean `scheduler`?",
        ),
        ("scheduler", "greedy-than-oldest", "unknown scheduler `greedy-than-oldest`; known: "),
        ("divergence", "x", "unknown divergence `x`; known: "),
        ("l1.sise", "1", "setting `l1.sise=1`: unknown key `sise`; did you mean `size`?"),
        ("l1.size", "big", "setting `l1.size=big`: `big` is not a number"),
        ("l1.size", "1.5", "`l1.size` is 1.5; it must be a whole number from 0 to "),
        (
            "l1.size",
            "100",
            "`l1.size` is 100; it must be a multiple of 256 (line, ways and slices)",
        ),
        ("l1.line", "96", "`l1.line` is 96; it must be a power of two"),
        ("l1.line", "0", "`l1.line` is 0; it must be a whole number from 32 to 256"),
        ("sm.warp-width", "65", "`sm.warp-width` is 65; it must be a whole number from 1 to 64"),
        ("sms", "0", "`sms` is 0; it must be a whole number from 1 to 256"),
        (
            "units.integer.pipe",
            "simpel",
            "`units.integer.pipe` is `simpel`; known pipes: memory, \
          simple, special; did you mean `simple`?",
        ),
        ("units", "1", "setting `units=1`: `units` is a table; its keys: "),
        ("name.x", "1", "setting `name.x=1`: `name` is a value, not a table"),
        (
            "simt-stack.order",
            "x",
            "options of `simt-stack`: unknown field `order`, expected \
          `push-order`",
        ),
        (
            "simt-stack.push-order",
            "x",
            "options of `simt-stack`: unknown variant `x`, expected \
          `taken-first` or `fewer-threads-first`",
        ),
        ("sm.warps", "1000", "`sm.warps` gives each scheduler 1000 paths; at most 128"),
    ];
    for (key, value, expected) in cases {
        let found = error(key, value);
        assert!(found.starts_with(expected), "{key}={value}\n{found}\n{expected}");
    }
}

/// Some names in the words of an error.
fn known(names: impl Iterator<Item = String>) -> String {
    format!("known: {}", names.collect::<Vec<_>>().join(", "))
}

#[test]
fn unknown_mechanisms_are_told_from_known_ones() {
    for info in mechanisms() {
        let slot = info.slot;
        let key = info.setting_key();
        let names = mechanisms().iter().filter(|other| other.slot == slot);
        let known = known(names.map(|info| info.name.to_string()));
        assert_eq!(error(key, "/"), format!("unknown {slot} `/`; {known}"));
        let wrong = format!("{}x", info.name);
        assert!(error(key, &wrong).ends_with(&format!("did you mean `{}`?", info.name)));
    }
}

#[test]
fn files_that_are_wrong() {
    let load = |text: &str| load_machine(text, &[]).expect_err("it is bad");
    let known = known(machines().into_iter().map(|machine| machine.name));
    let expected = format!("unknown machine `gtx48`; {known}; did you mean `gtx480`?");
    assert_eq!(load("gtx48"), expected);
    assert!(load("a = = 1").starts_with("line 1: not a machine file: "));
    let missing = load("name = \"x\"");
    assert!(missing.starts_with("missing `description`, `divergence`, "), "{missing}");
    assert!(
        missing.ends_with("a file that begins with `base = \"gtx480\"` says only what differs")
    );
    let expected = "line 1: `base` must name a shipped machine, not \"nothing\"";
    assert_eq!(load("base = \"nothing\""), expected);
    let unknown = load("base = \"tiny\"\nclockmhz = 2");
    assert_eq!(unknown, "line 2: unknown key `clockmhz`; did you mean `clock-mhz`?");
    assert!(load("base = \"tiny\"\n[units.intger]\nlatency = 2").contains("intger"));
    let mistyped = load("base = \"tiny\"\nscheduler = 3");
    assert_eq!(mistyped, "line 2: `scheduler` is 3; it must be a text in quotes");
}

#[test]
fn all_faults_are_told_at_once_with_their_lines() {
    let text = "base = \"gtx480\"\nscheduler = \"gtoo\"\n[sm]\nwarp-width = 65\nwarps = \"many\"\nblokcs = 3\n[l1]\nhash = \"xorr\"\nmshrs = -1\n\
                [dram.timing]\nrcd = 5000\n";
    let errors = load_machine(text, &[]).expect_err("it is bad");
    let schedulers = mechanisms().iter().filter(|info| info.slot == "scheduler");
    let schedulers: Vec<&str> = schedulers.map(|info| info.name).collect();
    let known = format!("line 2: unknown scheduler `gtoo`; known: {}\n", schedulers.join(", "));
    let expected = "\
        line 4: `sm.warp-width` is 65; it must be a whole number from 1 to 64\n\
        line 5: `sm.warps` is \"many\"; it must be a whole number from 1 to 1024\n\
        line 6: unknown key `sm.blokcs`; did you mean `blocks`?\n\
        line 8: `l1.hash`: unknown variant `xorr`, expected one of `none`, `xor`, `fermi`; did you mean `xor`?\n\
        line 9: `l1.mshrs` is -1; it must be a whole number from 1 to 4096\n\
        line 11: `dram.timing.rcd` is 5000; it must be a whole number from 0 to 4096";
    assert_eq!(errors, known + expected);
    // Errors of syntax too.
    let text = "base = \"gtx480\"\n[l1]\nsize = 32K\nways = 4K\n";
    let errors = load_machine(text, &[]).expect_err("it is bad");
    assert!(errors.lines().count() == 2 && errors.contains("\"32K\""), "{errors}");
    let errors = load_machine("base = \"gtx480\"\n[l1\n", &[]).expect_err("it is bad");
    assert!(errors.starts_with("line 2: not a machine file: unclosed table"), "{errors}");
}

#[test]
fn faults_of_operations_are_told() {
    let text = "base = \"gtx480\"\n[operations]\nsinn-f32 = { latency = 1, initiation = 1 }\nst = { latency = 1, initiation = 1 }\n\
                sin-f32 = { latency = 0, initiation = 5000 }\nexp-f32 = { latency = 3 }\nlog-f32 = 3\n\
                add-i32 = { latency = 1, initiation = 1, pipe = \"sfu\", or = \"integr\" }\n";
    let errors = load_machine(text, &[]).expect_err("it is bad");
    let lines: Vec<&str> = errors.lines().collect();
    let parts = [
        "line 3: `operations.sinn-f32` is no operation that a unit computes: a mnemonic of spec/isa.md with `-` for each dot, or the beginning of several and `*`; did you mean `sin-f32`?",
        "line 4: `operations.st` is no operation that a unit computes",
        "line 5: `operations.sin-f32.initiation` is 5000; it must be a whole number from 1 to 4096",
        "line 5: `operations.sin-f32.latency` is 0; it must be a whole number from 1 to 4096",
        "line 6: `operations.exp-f32`: missing field `initiation`; write `{ latency = CYCLES, initiation = CYCLES }`, if need be with `pipe = \"NAME\"` and `or = \"NAME\"`",
        "line 7: `operations.log-f32`: invalid type: integer `3`",
        "line 8: `operations.add-i32.pipe` is `sfu`; known pipes: ",
        "line 8: `operations.add-i32.or` is `integr`; known pipes: ",
    ];
    for part in parts {
        assert!(lines.iter().any(|line| line.starts_with(part)), "{part}\n{errors}");
    }
    assert_eq!(lines.len(), parts.len(), "{errors}");
    let wrong = load_machine("base = \"gtx480\"\noperations = 3\n", &[]);
    assert_eq!(wrong.expect_err("it is bad"), "line 2: `operations` must be a table of operations");
    // A machine that is written down and read again is the same.
    let (_, complete) = resolve_machine("h100", &[]).expect("it is good");
    let again = load_machine(&complete, &[]).expect("it is good");
    assert_eq!(again.operations()[&reconverge_isa::Op::LogF64].initiation, 50);
}

#[test]
fn sizes_of_files_may_have_units() {
    let file = |size: &str| format!("base = \"gtx480\"\n[l1]\nsize = {size}\n");
    let load = |size: &str| load_machine(&file(size), &[]);
    assert_eq!(load("\"32K\"").map(|machine| machine.l1.size), Ok(32768));
    let (_, complete) = resolve_machine(&file("\"32K\""), &[]).expect("it is good");
    assert!(complete.contains("size = 32768"), "{complete}");
    let error = load("\"32k\"").expect_err("it is no size");
    assert_eq!(error, "line 3: `l1.size` is \"32k\"; it must be a whole number from 0 to 4194304");
}

#[test]
fn options_of_what_is_not_selected_are_warned_of() {
    let warnings = |text: &str, sets: &[(&str, &str)]| -> Vec<String> {
        let own = |&(key, value): &(&str, &str)| (key.to_owned(), value.to_owned());
        let sets: Vec<_> = sets.iter().map(own).collect();
        let loaded = read_machine(text, &sets).expect("it is good");
        loaded.warnings.iter().map(ToString::to_string).collect()
    };
    let text = "base = \"gtx480\"\n[dual-path]\nscheduling = \"constrained\"\n";
    let message =
        "options of `dual-path`, which fills no slot of the machine: set `divergence=dual-path`";
    assert_eq!(warnings(text, &[]), [format!("line 2: {message}")]);
    assert_eq!(warnings(text, &[("divergence", "dual-path")]), [""; 0]);
    let set = ("two-level.pool", "8");
    let expected = "setting `two-level.pool=8`: options of `two-level`, which fills no slot of the machine: set \
                    `scheduler=two-level`";
    assert_eq!(warnings("gtx480", &[set]), [expected]);
    for machine in machines() {
        assert_eq!(warnings(&machine.name, &[]), [""; 0], "{}", machine.name);
    }
    // All register files have its banks.
    let sets = [("register-file", "register-cache"), ("banked.banks", "2")];
    assert_eq!(warnings("gtx480", &sets), [""; 0]);
}

#[test]
fn a_file_may_start_from_another() {
    let machine = load_machine("base = \"tiny\"\nname = \"mine\"\n[l1]\nsize = 0", &[]).unwrap();
    assert_eq!((machine.name.as_str(), machine.l1.size, machine.l1.line), ("mine", 0, 128));
}

#[test]
fn random_values_do_not_panic() {
    // Every key of a machine set to values that are at the edge of something.
    let text = include_str!("../machines/tiny.toml");
    let table: toml::Table = text.parse().expect("it is shipped");
    let values = [
        "0",
        "1",
        "2",
        "3",
        "31",
        "64",
        "4096",
        "65536",
        "4294967295",
        "-1",
        "1e308",
        "nan",
        "x",
        "",
        "[]",
        "true",
    ];
    let mut loaded = 0;
    for key in keys("", &table) {
        for value in values {
            if let Ok(machine) = set(&key, value) {
                run(machine);
                loaded += 1;
            }
        }
    }
    assert!(loaded > 100);
}

fn keys(prefix: &str, table: &toml::Table) -> Vec<String> {
    let mut all = Vec::new();
    for (key, value) in table {
        match value {
            toml::Value::Table(inner) => all.extend(keys(&format!("{prefix}{key}."), inner)),
            _ => all.push(format!("{prefix}{key}")),
        }
    }
    all
}

/// Runs a kernel that uses memory on a machine that was accepted.
fn run(machine: Machine) {
    let mut run = support::Run::new(include_str!("kernels/everything.s"), "tiny");
    run.machine = machine;
    run.parameters = vec![reconverge_isa::GLOBAL_BASE, 0, 29];
    run.constant = vec![0; 8];
    run.block = [31, 1, 1];
    run.limits.cycles = 1_000_000;
    let _ = run.launch(reconverge_simulator::Model::Timing);
}

/// The names in the declarations of mechanisms in a file.
fn declared(text: &str) -> Vec<String> {
    let declarations = text.split(": Mechanism<Build> = Mechanism {").skip(1);
    let name = |rest: &str| {
        rest.split_once("name: \"")?.1.split_once('"').map(|(name, _)| name.to_string())
    };
    declarations.map(|rest| name(rest).expect("a mechanism has a name")).collect()
}

#[test]
fn every_mechanism_is_in_its_registry() {
    let mut slots: Vec<&str> = mechanisms().iter().map(|info| info.slot).collect();
    slots.dedup();
    for slot in slots {
        let folder = format!("src/mechanisms/{}", slot.replace('-', "_"));
        let inside = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(&folder));
        let inside = inside.unwrap_or_else(|error| panic!("{folder}: {error}"));
        let inner = inside.map(|entry| entry.expect("it can be read").path().join("mod.rs"));
        let inner = inner.filter(|path| path.exists());
        let mut found: Vec<String> = Vec::new();
        for path in files(&folder, "rs").into_iter().chain(inner) {
            found.extend(declared(&std::fs::read_to_string(path).expect("it can be read")));
        }
        let listed = mechanisms().iter().filter(|info| info.slot == slot);
        let mut listed: Vec<String> = listed.map(|info| info.name.to_string()).collect();
        found.sort();
        listed.sort();
        assert_eq!(found, listed, "{slot}");
    }
}

#[test]
fn a_prefetcher_in_the_slot_affine_is_refused_with_the_setting_that_it_has_now() {
    let sets = [("affine".to_string(), "many-thread-prefetch".to_string())];
    let error = load_machine("gtx480", &sets).expect_err("it fills another slot").to_string();
    assert!(error.contains("set `prefetcher=many-thread-prefetch`"), "{error}");
}

#[test]
fn a_file_says_where_its_values_come_from() {
    let all = "[assumed]\nsms = \"s\"";
    let missing =
        load_machine(&format!("base = \"tiny\"\n{all}"), &[]).expect_err("it says too little");
    assert!(missing.contains("nothing says where `divergence`"), "{missing}");
    assert!(missing.contains("more comes from: name what"), "{missing}");
    // A table's entry holds for all of its keys that have none.
    let tables = resolve_machine("tiny", &[]).unwrap().1;
    let mut names: Vec<String> = tables
        .parse::<toml::Table>()
        .unwrap()
        .keys()
        .filter(|key| !matches!(key.as_str(), "name" | "description"))
        .map(|key| format!("\"{key}\" = \"published\"\n"))
        .collect();
    names.sort();
    let file = format!(
        "base = \"tiny\"\n[sources]\n{}[assumed]\n\"l1.size\" = \"a guess\"\n\"units.float\" = \"another\"",
        names.concat()
    );
    let machine = load_machine(&file, &[]).unwrap_or_else(|error| panic!("{error}"));
    let sources = machine.tables.sources.expect("it has them");
    assert_eq!(sources.assumed.len(), 4, "{:?}", sources.assumed);
    assert_eq!(sources.assumed["l1.size"], "a guess");
    assert_eq!(sources.assumed["units.float.latency"], "another");
    assert_eq!(sources.published["units.integer.latency"], "published");
    assert_eq!(
        sources.summary(),
        format!(
            "{} values, {} with a published source and 4 assumed",
            sources.values(),
            sources.values() - 4
        )
    );
    // A value changed by a setting is assumed.
    let sets = [("l2.ways".to_owned(), "8".to_owned())];
    let (set, text) = resolve_machine(&file, &sets).unwrap();
    let changed = set.tables.sources.clone().expect("it has them");
    assert_eq!((changed.assumed.len(), changed.values()), (5, sources.values()));
    assert_eq!(changed.assumed["l2.ways"], "a setting of the command");
    // The complete file says the same.
    assert_eq!(load_machine(&text, &[]), Ok(set));
    assert_eq!(load_machine("tiny", &sets).unwrap().tables.sources, None);

    for (entry, says) in [
        ("[sources]\n\"l1.sise\" = \"s\"", "the machine has no such key"),
        ("[sources]\n\"sms\" = \"s\"\n[assumed]\n\"sms\" = \"s\"", "leave out one of the two"),
        ("[sources]\nl1.size = 3", "must be a text in quotes"),
        ("[assumed]\n\"l1\" = \" \"", "must be a text in quotes"),
        ("sources = 3", "must be a table of texts by key"),
    ] {
        let error = load_machine(&format!("base = \"tiny\"\n{entry}"), &[]).expect_err(entry);
        assert!(error.contains(says), "{entry}: {error}");
    }
}
