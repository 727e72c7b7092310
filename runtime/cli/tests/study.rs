//! Studies from the command line: a study of one's own, the contents of the store, and that nothing
//! is lost.

use reconverge::study::store::{Store, Stored};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

const PROGRAM: &str = r#"#include <stdio.h>
__global__ void add(int *a, int n)
{
    for (int i = 0; i < n; i++)
        a[threadIdx.x + blockIdx.x * blockDim.x] += i & threadIdx.x;
}
int main(int count, char **words)
{
    int n = atoi(words[1]), *a;
    cudaMalloc(&a, 1024 * sizeof(int));
    add<<<4, 256>>>(a, n);
    int last;
    cudaMemcpy(&last, a + 1023, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", last);
    return 0;
}
"#;

const STUDY: &str = r#"schema = 1
title = "Adding"
size = "test"
machine = "tiny"
baseline = "plain"

[programs]
short = ["few", "some"]
long = ["more"]

[program.few]
file = "add.cu"
test = "1"

[program.some]
file = "add.cu"
test = "3"

[program.more]
file = "add.cu"
test = "9"

[configurations]
plain = []
oldest = ["scheduler=oldest-first"]
slow = ["-O0"]

[vary]
"l1.size" = "1K..2K*2"

[[figures]]
title = "Speed"

[[figures]]
title = "What the kernel is like"
values = { lanes = "simd_efficiency", bytes = "dram_read_bytes + dram_write_bytes" }
configuration = "slow"
kernel = "add"
mean = "arithmetic"
chart = false

[[claims]]
about = "as fast without optimisation"
where = "nowhere"
paper = 0.0
configuration = "slow"
reason = "It executes more instructions."
reason-for = "-1.0 %"
"#;

/// A folder with the study; each test has its own, as they run side by side.
fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("study").join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("add.cu"), PROGRAM).unwrap();
    fs::write(folder.join("adding.toml"), STUDY).unwrap();
    folder
}

fn command(folder: &Path, words: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_reconverge"));
    command.arg("study").args(words.split_whitespace()).current_dir(folder);
    command
}

fn study(folder: &Path, words: &str) -> Output {
    command(folder, words).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs it and returns its output; it has to succeed.
fn good(folder: &Path, words: &str) -> String {
    let output = study(folder, words);
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

const REPORT: [&str; 6] =
    ["study.md", "short.md", "study.json", "points.csv", "index.html", "figure-1.svg"];

fn report(folder: &Path, out: &str) -> Vec<String> {
    REPORT.map(|name| fs::read_to_string(folder.join(out).join(name)).unwrap()).to_vec()
}

/// Both reports are the same to the byte.
fn same(folder: &Path, one: &str, other: &str) {
    for ((name, one), other) in REPORT.iter().zip(report(folder, one)).zip(report(folder, other)) {
        let differs = one.lines().zip(other.lines()).find(|(one, other)| one != other);
        assert_eq!(differs, None, "{name}");
        assert_eq!(one.len(), other.len(), "{name}");
    }
}

/// The points in a store, with nothing else beside them.
fn points(folder: &Path, store: &str) -> usize {
    let entries = fs::read_dir(folder.join(store)).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.ends_with(".json")).count()
}

/// Without points every study is a failure, and still published.
#[test]
fn all_studies_are_published() {
    let folder = folder("all");
    let output = study(&folder, "--all --publish out --report-only --size test --quiet");
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("`hardware` is left out: it needs `--reference`"));
    let page = fs::read_to_string(folder.join("out/headlines.md")).unwrap();
    for name in good(&folder, "--list").lines().filter(|name| *name != "hardware") {
        assert!(page.contains(&format!("]({name}.md) |")), "{name}");
        let out = folder.join("out");
        assert!(out.join(format!("{name}.md")).is_file(), "{name}");
        assert!(out.join(name).join("index.html").is_file(), "{name}");
    }
    assert_eq!(study(&folder, "--all").status.code(), Some(2));
    assert_eq!(study(&folder, "core --all --publish out").status.code(), Some(2));
}

#[test]
fn a_study_of_ones_own() {
    let folder = folder("own");
    let said = good(&folder, "adding.toml --out out");
    assert!(said.contains("18 points, 18 of them run now"), "{said}");
    assert!(said.contains("differs, reason is stale"), "{said}");
    let [markdown, _, json, csv, page, chart] = report(&folder, "out").try_into().unwrap();
    assert!(markdown.contains("(stale: written for -1.0 %) It executes more instructions."));
    assert!(markdown.contains("| **short, harmonic mean** |"), "{markdown}");
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["configurations"][1]["label"], "plain, l1.size=2048");
    // Each is compared with the baseline at the same size of the cache.
    let values = &json["tables"][0]["groups"][0]["rows"][0]["values"];
    assert!(values[0] == 1.0 && values[1] == 1.0, "{values}");
    assert!(markdown.contains("| program | lanes | bytes |"), "{markdown}");
    assert!(markdown.contains("| few | 1.000 |"), "{markdown}");
    // A line for all launches of a point and one for each kernel.
    assert_eq!(csv.lines().count(), 1 + 2 * 18);
    assert!(page.contains("<svg") && page.ends_with("</html>\n") && !page.contains("http-equiv"));
    assert!(chart.starts_with("<svg") && chart.ends_with("</svg>\n"), "{chart}");
    // All is in the store; a comment makes another program, a setting that is given twice does not.
    assert!(good(&folder, "adding.toml --out out").contains("18 points, 0 of them run now"));
    assert!(good(&folder, "adding.toml --out out --fresh").contains("18 of them run now"));
    let set = STUDY
        .replace("plain = []", "plain = [\"machine=tiny\"]")
        .replace("oldest-first", "greedy-then-oldest");
    fs::write(folder.join("adding.toml"), set).unwrap();
    assert!(good(&folder, "adding.toml --out out").contains("18 points, 6 of them run now"));
    fs::write(folder.join("add.cu"), format!("{PROGRAM}// more\n")).unwrap();
    assert!(good(&folder, "adding.toml --out out").contains("18 of them run now"));
}

/// A study runs the kernels of files in the place of a program's own, and a changed file is another point.
#[test]
fn kernels_of_a_study() {
    let folder = folder("kernels");
    let assembly = Command::new(env!("CARGO_BIN_EXE_reconverge"))
        .args(["compile", "add.cu", "--emit", "asm"])
        .current_dir(&folder)
        .output()
        .unwrap();
    fs::write(folder.join("add.asm"), &assembly.stdout).unwrap();
    let with = STUDY.replace("plain = []", "plain = [\"kernels=add.asm\"]");
    fs::write(folder.join("adding.toml"), &with).unwrap();
    let said = good(&folder, "adding.toml --out out");
    assert!(said.contains("18 points, 18 of them run now"), "{said}");
    fs::write(folder.join("add.asm"), [&assembly.stdout[..], b"// more\n"].concat()).unwrap();
    let said = good(&folder, "adding.toml --out out");
    assert!(said.contains("18 points, 6 of them run now"), "{said}");
    fs::write(folder.join("add.asm"), "nothing").unwrap();
    let output = study(&folder, "adding.toml --out out");
    let said = text(&output.stderr);
    assert!(said.contains("its kernels do not compile") && said.contains("add.asm:1"), "{said}");
}

#[test]
fn results_do_not_depend_on_how_they_were_made() {
    let folder = folder("alike");
    good(&folder, "adding.toml --out one --jobs 1");
    good(&folder, "adding.toml --out three --jobs 3");
    for part in ["2/3", "0/3", "1/3"] {
        good(&folder, &format!("adding.toml --out parts --shard {part}"));
    }
    assert!(!folder.join("parts/study.md").exists());
    good(&folder, "adding.toml --out parts --report-only");
    same(&folder, "one", "three");
    same(&folder, "one", "parts");
}

#[test]
fn processes_share_the_work() {
    let folder = folder("shared");
    let start = |out: &str| -> Child {
        let words = format!("adding.toml --jobs 2 --store store --out {out}");
        command(&folder, &words).stdout(Stdio::piped()).spawn().unwrap()
    };
    let both =
        ["one", "two"].map(start).map(|child| text(&child.wait_with_output().unwrap().stdout));
    let run = |said: &String| -> usize {
        let number = said.split(", ").nth(1).unwrap().split(' ').next().unwrap();
        number.parse().unwrap()
    };
    assert_eq!(both.iter().map(run).sum::<usize>(), 18, "{both:?}");
    same(&folder, "one", "two");
    assert_eq!(fs::read_dir(folder.join("store")).unwrap().count(), 18);
}

#[test]
fn killed_a_hundred_times() {
    let folder = folder("killed");
    good(&folder, "adding.toml --out quiet");
    // Longer programs, so that most kills hit one at work.
    let longer = STUDY.replace("\"9\"", "\"400\"").replace("\"3\"", "\"150\"");
    fs::write(folder.join("adding.toml"), longer).unwrap();
    good(&folder, "adding.toml --out whole");
    let (mut pause, mut most) = (0u64, 0);
    for turn in 0..100 {
        let mut child = command(&folder, "adding.toml --jobs 2 -q --out killed").spawn().unwrap();
        pause = (pause * 31 + 17) % 97;
        sleep(Duration::from_millis(pause));
        child.kill().unwrap();
        child.wait().unwrap();
        let there =
            if folder.join("killed/store").is_dir() { points(&folder, "killed/store") } else { 0 };
        assert!(there >= most, "a point was lost at {turn}");
        most = there;
    }
    good(&folder, "adding.toml --out killed");
    same(&folder, "whole", "killed");
    for entry in fs::read_dir(folder.join("killed/store")).unwrap() {
        let path = entry.unwrap().path();
        let whole = folder.join("whole/store").join(path.file_name().unwrap());
        if path.extension().is_some_and(|ending| ending == "json") {
            assert_eq!(fs::read(&path).unwrap(), fs::read(whole).unwrap());
        }
    }
}

#[test]
fn a_broken_point_is_run_again() {
    let folder = folder("broken");
    good(&folder, "adding.toml --out out");
    let whole = report(&folder, "out");
    let mut paths: Vec<PathBuf> = fs::read_dir(folder.join("out/store"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    let stored: Vec<String> = paths.iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    let mut not_text = stored[6].clone().into_bytes();
    not_text[200] = 0xFF;
    let damaged: [(Vec<u8>, &str); 8] = [
        (Vec::new(), "has no checksum"),
        (stored[1].as_bytes()[..100].to_vec(), "that its checksum was made of"),
        (b"{\"schema\": 1}".to_vec(), "has no checksum"),
        (
            stored[3].replace("\"cycles\": ", "\"cycles\": 1").into_bytes(),
            "that its checksum was made of",
        ),
        // A whole file of another point.
        (stored[5].clone().into_bytes(), "holds the point "),
        (format!("{}\n", stored[5]).into_bytes(), "that its checksum was made of"),
        (not_text, "is not UTF-8 text"),
        (
            stored[7].replace("\"checksum\": \"", "\"checksum\": \"0").into_bytes(),
            "that its checksum was made of",
        ),
    ];
    for (path, (bytes, _)) in paths.iter().zip(&damaged) {
        fs::write(path, bytes).unwrap();
    }
    let named = |output: &Output, after: &str| {
        let errors = text(&output.stderr);
        for (path, (_, why)) in paths.iter().zip(&damaged) {
            let name = path.file_name().unwrap().to_str().unwrap();
            let line = errors.lines().find(|line| line.contains(name));
            assert!(
                line.is_some_and(|line| line.contains(why) && line.contains(after)),
                "{errors}"
            );
        }
    };
    let shown = study(&folder, "adding.toml --out shown --store out/store --report-only");
    assert_eq!(shown.status.code(), Some(1));
    named(&shown, "run the study without `--report-only`");
    let again = study(&folder, "adding.toml --out out");
    assert!(again.status.success());
    named(&again, "the point is run again");
    assert!(text(&again.stdout).contains("8 of them run now"), "{}", text(&again.stdout));
    assert!(report(&folder, "out") == whole);
    for (path, text) in paths.iter().zip(&stored) {
        assert_eq!(fs::read_to_string(path).unwrap(), *text);
    }
}

/// Each byte of a point's file that changes, and each place at which it may end, is noticed.
#[test]
fn bytes_of_a_point_count() {
    let folder = folder("bytes");
    good(&folder, "adding.toml --out out --only few --only plain");
    let store = Store::open(&folder.join("out/store")).unwrap();
    let entry = fs::read_dir(folder.join("out/store")).unwrap().next().unwrap().unwrap();
    let path = entry.path();
    let identity = path.file_stem().unwrap().to_str().unwrap();
    let whole = fs::read(&path).unwrap();
    assert!(matches!(store.get(identity), Stored::Whole(_)));
    for at in (0..whole.len()).step_by(23) {
        let mut changed = whole.clone();
        changed[at] ^= 1;
        for bytes in [&changed, &whole[..at]] {
            fs::write(&path, bytes).unwrap();
            assert!(matches!(store.get(identity), Stored::Corrupt(_)), "byte {at}");
        }
    }
    fs::remove_file(&path).unwrap();
    assert!(matches!(store.get(identity), Stored::Missing));
}

/// A report that cannot be written leaves the older one whole, and nothing beside it.
#[cfg(unix)]
#[test]
fn a_report_is_replaced_whole() {
    let folder = folder("replaced");
    good(&folder, "adding.toml --out out");
    let files = |folder: &Path| {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<PathBuf> = entries.filter(|path| path.is_file()).collect();
        files.sort();
        files.iter().map(|path| (path.clone(), fs::read(path).unwrap())).collect::<Vec<_>>()
    };
    let before = files(&folder.join("out"));
    fs::write(folder.join("adding.toml"), STUDY.replace("Speed", "Faster")).unwrap();
    let line = format!(
        "trap '' XFSZ; ulimit -f 1; exec {} study adding.toml --out out",
        env!("CARGO_BIN_EXE_reconverge")
    );
    let output = Command::new("bash").args(["-c", &line]).current_dir(&folder).output().unwrap();
    assert!(text(&output.stderr).contains("cannot write `out/"), "{}", text(&output.stderr));
    let after = files(&folder.join("out"));
    let names = |files: &[(PathBuf, Vec<u8>)]| {
        files.iter().map(|(path, _)| path.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(&after), names(&before));
    for ((path, text), (_, older)) in after.iter().zip(&before) {
        assert!(text == older || String::from_utf8_lossy(text).contains("Faster"), "{path:?}");
    }
}

#[test]
fn a_faulty_program_does_not_stop_the_others() {
    let folder = folder("faulty");
    let trap =
        PROGRAM.replace("a[threadIdx.x + blockIdx.x * blockDim.x] += i", "a[(i + 1) << 20] += i");
    fs::write(folder.join("trap.cu"), trap).unwrap();
    let study_of =
        STUDY.replace("[program.some]\nfile = \"add.cu\"", "[program.some]\nfile = \"trap.cu\"");
    fs::write(folder.join("adding.toml"), study_of).unwrap();
    let output = study(&folder, "adding.toml --out out");
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let errors = text(&output.stderr);
    assert!(errors.contains("some, slow, l1.size=1024: trap: "), "{errors}");
    let [markdown, _, _, csv, page, _] = report(&folder, "out").try_into().unwrap();
    assert!(
        markdown.contains("## What went wrong")
            && markdown.contains("- some, plain, l1.size=1024: trap")
    );
    assert!(page.contains("trap.cu:"), "the page shows the diagnostic");
    assert_eq!(csv.lines().filter(|line| line.contains(",exit,true,")).count(), 2 * 12);
    // It is known: the trap is not run again.
    let again = text(&study(&folder, "adding.toml --out out").stdout);
    assert!(again.contains(" 0 of them run now"), "{again}");
}

/// Files may not grow beyond a limit, as on a full disk.
#[cfg(unix)]
#[test]
fn a_full_disk_loses_only_what_it_cannot_hold() {
    let folder = folder("full");
    let line = format!(
        "trap '' XFSZ; ulimit -f 1; exec {} study adding.toml --jobs 2 --out out",
        env!("CARGO_BIN_EXE_reconverge")
    );
    let output = Command::new("bash").args(["-c", &line]).current_dir(&folder).output().unwrap();
    let errors = text(&output.stderr);
    assert!(errors.contains("results are lost: cannot write"), "{errors}");
    assert_ne!(output.status.code(), Some(0));
    assert_eq!(fs::read_dir(folder.join("out/store")).unwrap().count(), 0);
    assert!(good(&folder, "adding.toml --out out").contains("18 of them run now"));
}

#[test]
fn scripts_for_elsewhere() {
    let folder = folder("scripts");
    let lines = good(&folder, "adding.toml --emit parallel --shards 3 --size test");
    let commands: Vec<&str> = lines.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(commands.len(), 3);
    for line in commands {
        let output = Command::new("sh").args(["-c", line]).current_dir("/").output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    let said = good(&folder, "adding.toml --report-only");
    assert!(said.contains("18 points, 0 of them run now"), "{said}");
    let script = good(&folder, "adding.toml --emit slurm --shards 4");
    assert!(
        script.contains("--array=0-3") && script.contains("${SLURM_ARRAY_TASK_ID}/4"),
        "{script}"
    );
    let script = good(&folder, "adding.toml --emit snakemake --shards 4");
    assert!(script.contains("range(4)") && script.contains("{wildcards.part}/4"), "{script}");
}

#[test]
fn faults_of_a_study_are_explained() {
    let folder = folder("faults");
    let fault = |change: (&str, &str), words: &str| {
        fs::write(folder.join("adding.toml"), STUDY.replace(change.0, change.1)).unwrap();
        let output = study(&folder, words);
        assert_eq!(output.status.code(), Some(2), "{words}: {}", text(&output.stdout));
        assert!(!folder.join("study-adding").exists(), "nothing is left of it");
        text(&output.stderr)
    };
    let none = ("none", "none");
    let wrong = |change, part: &str| {
        let said = fault(change, "adding.toml");
        assert!(said.contains(part), "{said}");
    };
    wrong(("schema = 1", "schema = 9"), "`schema` is 9");
    wrong(("oldest-first", "odlest-first"), "oldest-first");
    wrong(("l1.size\"", "l1.sise\""), "did you mean `size`");
    wrong(("1K..2K*2", "2K..1K*2"), "ends before it begins");
    wrong(("[\"-O0\"]", "[\"-O7\"]"), "is not 0, 1, 2 or ptx");
    wrong(("[\"-O0\"]", "[\"--swift\"]"), "--swift");
    wrong(("[\"-O0\"]", "[\"swift\"]"), "neither KEY=VALUE nor an option");
    wrong(("test = \"3\"", "tset = \"3\""), "tset");
    wrong(("\"more\"", "\"moer\""), "no workload `moer`");
    wrong(("file = \"add.cu\"", "file = \"sub.cu\""), "sub.cu");
    wrong(
        ("configuration = \"slow\"\nkernel", "configurations = [\"slow\"]\nkernel"),
        "one `configuration`",
    );
    wrong(("\"few\", \"some\"", "\"source:P9\""), "no workload has the source `P9`");
    wrong(("simd_efficiency", "simd_eficiency"), "simd_efficiency");
    wrong(("title = \"Speed\"", "title = \"Speed\"\nvalue = \"cycels\""), "cycles");
    wrong(("configuration = \"slow\"", "configuration = \"slwo\""), "no configuration `slwo`");
    assert!(
        fault(none, "adding.toml --only fast").contains("neither a program nor a configuration")
    );
    assert!(fault(none, "adding.toml --size huge").contains("there is no size `huge`"));
    assert!(fault(none, "adding.toml --shard 3/3").contains("I/N"));
    assert!(fault(none, "dual-paths").contains("known: "));
    assert!(fault(none, "other.toml").contains("cannot read `other.toml`"));
}

#[test]
fn some_of_a_study() {
    let folder = folder("some");
    let said = good(&folder, "adding.toml --only few --only slow");
    // The configuration that `slow` is compared with runs too.
    assert!(said.contains("4 points, 4 of them run now"), "{said}");
    assert!(good(&folder, "adding.toml").contains("18 points, 14 of them run now"));
}

/// Pages of programs, and the column that names the largest one.
#[test]
fn pages_of_programs() {
    let folder = folder("pages");
    let figure = "kernel = \"add\"\nlargest = true\n";
    let with_pages = STUDY
        .replace("baseline =", "pages = true\nbaseline =")
        .replace("kernel = \"add\"\n", figure);
    fs::write(folder.join("adding.toml"), &with_pages).unwrap();
    good(&folder, "adding.toml --only some");
    let out = folder.join("study-adding");
    let whole = fs::read_to_string(out.join("study.md")).unwrap();
    assert!(whole.contains("| program | lanes | bytes | largest |"), "{whole}");
    assert!(whole.contains("| [some](programs/some.md) |"), "{whole}");
    let page = fs::read_to_string(out.join("programs/some.md")).unwrap();
    let lines: Vec<&str> = page.lines().collect();
    let of_kernel = lines.iter().find(|line| line.starts_with("| `add` |")).expect("a row");
    assert!(of_kernel.starts_with("| `add` | 1 | 4 × 1 × 1 | 256 × 1 × 1 |"), "{of_kernel}");
    assert!(lines.contains(&"|  | some | short, mean |"), "{page}");
    assert!(lines.contains(&"| largest | bytes | bytes |"), "{page}");
    assert!(!out.join("programs/few.md").exists());
    let html = fs::read_to_string(out.join("index.html")).unwrap();
    // The template engine writes `/` as its entity.
    assert!(html.contains("<a href=\"programs&#x2f;some.md\">some</a>"), "{html}");
    let fault = |text: &str| {
        fs::write(folder.join("adding.toml"), text).unwrap();
        text_of_fault(&folder)
    };
    assert!(fault(&with_pages.replace("program.few", "program.\"../few\"")).contains("../few"));
    let without_values = with_pages.replace("values = {", "# ");
    assert!(fault(&without_values).contains("there are none"));
}

fn text_of_fault(folder: &Path) -> String {
    let output = study(folder, "adding.toml");
    assert_eq!(output.status.code(), Some(2));
    text(&output.stderr)
}

/// The study that docs/studies.md shows is one.
#[test]
fn the_documents_study() {
    let folder = folder("document");
    let document = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/studies.md");
    let text_of = fs::read_to_string(document).unwrap();
    let block =
        text_of.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    assert!(block.lines().filter(|line| !line.is_empty()).count() <= 15, "fifteen lines");
    fs::write(folder.join("mine.toml"), block).unwrap();
    fs::rename(folder.join("add.cu"), folder.join("mine.cu")).unwrap();
    let said = good(&folder, "mine.toml");
    assert!(said.contains("2 points, 2 of them run now"), "{said}");
    assert!(folder.join("study-mine/index.html").is_file());
}

const BARRIERS: &str = r#"__global__ void wait(int n)
{
    for (int i = 0; i < n; i++)
        __syncthreads();
}
int main(int count, char **words)
{
    wait<<<1, 4>>>(atoi(words[1]));
    return cudaDeviceSynchronize();
}
"#;

const BESIDE: &str = r#"schema = 1
title = "Barriers"
size = "test"
machine = "tiny"
settings = ["clock-mhz=2.0"]

[programs]
all = ["three", "two", "seven"]

[program.three]
file = "barriers.cu"
test = "3"

[program.two]
file = "barriers.cu"
test = "2"

[program.seven]
file = "barriers.cu"
test = "-DUNUSED=1 7"

[metrics]
measured = "reference.barriers"

[[figures]]
title = "Barriers"
value = "barriers"
reference = "measured * reference.warps"
as = "count"

[[figures]]
title = "Time"
values = { cycles = "cycles", time = "cycles / clock_mhz", theirs = "reference.barriers" }
"#;

const MEASURED: &str = "gpu,program,size,arguments,warps,barriers,output
\"One, or another\",three,test,3,0.5,2,same
\"One, or another\",two,test,2,1,2,differs
\"One, or another\",seven,test,7 -DUNUSED=1,1,3,same
\"One, or another\",three,small,30,fast,,same
";

fn beside(test: &str) -> PathBuf {
    let folder = folder(test);
    fs::write(folder.join("barriers.cu"), BARRIERS).unwrap();
    fs::write(folder.join("beside.toml"), BESIDE).unwrap();
    fs::write(folder.join("measured.csv"), MEASURED.replace("fast", "1")).unwrap();
    folder
}

/// Ours are 3, 2 and 7, theirs 1, 2 and 3. By hand: errors of 200, 0 and 400/3 % are 111.1 % in the mean; ratios of 3, 1 and 7/3 have the
/// geometric mean 7^(1/3) = 1.913, divided by which ours are off by 56.8, 47.7 and 22.0 %, 42.2 % in the mean; deviations of -1, 0, 1
/// and -1, -2, 3 correlate by 4 / sqrt(2 * 14) = 0.756, those of the logarithms 0, ln 2, ln 3 and ln 3, ln 2, ln 7 by 0.543.
#[test]
fn beside_a_reference() {
    let folder = beside("reference");
    let said = good(&folder, "beside.toml --reference measured.csv --out out");
    let numbers = "programs 3, mean absolute error 111.1 %, ours / reference, geometric mean 1.913, \
                   error without this factor 42.2 %, correlation 0.756, correlation of logarithms 0.543";
    assert!(said.contains(&format!("Barriers, default: {numbers}")), "{said}");
    let [markdown, _, json, _, page, chart] = report(&folder, "out").try_into().unwrap();
    let row = "| default | 3 | 111.1 % | 1.913 | 42.2 % | 0.756 | 0.543 |";
    assert!(markdown.contains(row), "{markdown}");
    for row in ["| three | 1 | 3 | 3.000 |", "| two | 2 | 2 | 1.000 |", "| seven | 3 | 7 | 2.333 |"]
    {
        assert!(markdown.contains(row), "{markdown}");
    }
    assert!(markdown.contains("| **all, geometric mean** |  |  | **1.913** |"), "{markdown}");
    assert!(markdown.contains("- gpu: One, or another\n"), "{markdown}");
    assert!(markdown.contains("- `two`: line 3: its `output` is `differs`\n"), "{markdown}");
    assert!(page.contains("<h2>Reference</h2>") && page.contains("<td>111.1 %</td>"), "{page}");
    assert!(chart.contains("seven") && chart.contains("currentColor"), "{chart}");
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["reference"]["sha256"].as_str().unwrap().len(), 64);
    let rows = json["tables"][1]["groups"][0]["rows"].as_array().unwrap();
    for (row, theirs) in rows.iter().zip([2.0, 2.0, 3.0]) {
        let value = |at: usize| row["values"][at].as_f64().unwrap();
        assert!(value(0) == 2.0 * value(1) && value(2) == theirs, "{row}");
    }
    // A smaller part of the reference counts, or of the study runs.
    fs::write(folder.join("beside.toml"), BESIDE.replace("as = ", "least = 2\nas = ")).unwrap();
    let said = good(&folder, "beside.toml --reference measured.csv --out out");
    assert!(said.contains("programs 2, mean absolute error 66.7 %"), "{said}");
    let markdown = &report(&folder, "out")[0];
    assert!(markdown.contains("| three | 1 | 3 | (3.000) |"), "{markdown}");
    let script = good(&folder, "beside.toml --reference measured.csv --emit parallel --shards 1");
    assert!(script.contains("--reference /") && script.contains("measured.csv"), "{script}");
    // On another machine, by name or by a file, which is found from where the command runs and not from the study's folder.
    let on = |machine: &str, out: &str| {
        good(
            &folder,
            &format!("beside.toml --reference measured.csv --machine {machine} --out {out}"),
        );
        fs::read_to_string(folder.join(out).join("points.csv")).unwrap()
    };
    assert!(on("tiny", "tiny").contains(",tiny,"));
    fs::write(folder.join("mine.toml"), "base = \"tiny\"\nname = \"mine\"\n").unwrap();
    assert!(on("mine.toml", "mine").contains(",mine,"));
    let script =
        "beside.toml --reference measured.csv --machine mine.toml --emit parallel --shards 1";
    let script = good(&folder, script);
    assert!(script.contains("--machine /") && script.contains("mine.toml"), "{script}");
}

#[test]
fn lines_that_a_study_cannot_use_are_named() {
    let folder = beside("lines");
    let more = "x,sven,test,1,1,1,same\nx,lud,test,1,1,1,same\n";
    let lines = MEASURED.replace("fast", "1").replace("7 -DUNUSED=1", "8") + more;
    fs::write(folder.join("measured.csv"), lines).unwrap();
    let output = study(&folder, "beside.toml --reference measured.csv");
    assert!(output.status.success());
    let notes = text(&output.stderr);
    for note in [
        "`seven`, line 4: not used, its arguments are `8`, ours `-DUNUSED=1 7`",
        "`sven`, line 6: not used, the study has no such program; did you mean `seven`?",
        "`lud`, line 7: not used, the study leaves it out",
    ] {
        assert!(notes.contains(note), "{notes}");
    }
    assert!(text(&output.stdout).contains("programs 2,"), "{}", text(&output.stdout));
    let markdown = fs::read_to_string(folder.join("study-beside/study.md")).unwrap();
    assert!(markdown.contains("| seven | - | 7 | - |"), "{markdown}");
    fs::write(
        folder.join("measured.csv"),
        "program,size,barriers,warps,source\nthree,test,2,,0123\n",
    )
    .unwrap();
    let output = study(&folder, "beside.toml --reference measured.csv");
    let notes = text(&output.stderr);
    assert!(
        notes.contains("`three`: line 2: its source has changed since it was measured"),
        "{notes}"
    );
    assert!(notes.contains("`two`: it has no line of size `test`"), "{notes}");
    assert!(!text(&output.stdout).contains("mean absolute error"), "{}", text(&output.stdout));
    let markdown = fs::read_to_string(folder.join("study-beside/study.md")).unwrap();
    assert!(markdown.contains("The reference has no values for this."), "{markdown}");
}

#[test]
fn faults_of_a_reference_are_explained() {
    let folder = beside("faulty-reference");
    let fault = |words: &str, part: &str| {
        let output = study(&folder, words);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words}: {said}");
        assert!(said.contains(part), "{part}: {said}");
        assert!(!folder.join("study-beside").exists(), "nothing is left of it");
    };
    fault(
        "beside.toml",
        "figure `Barriers` needs a reference, of which it names the column `barriers`",
    );
    fault("beside.toml", "--reference FILE.csv");
    fault("beside.toml --reference measured.csv --machine none", "unknown machine `none`");
    fault("beside.toml --reference none.csv", "cannot read `none.csv`");
    fault("beside.toml --reference measured.csv --size small", "no program of the study can run");
    fault("adding.toml --reference measured.csv", "the study has no use for `--reference`");
    let with = |change: (&str, &str), part: &str| {
        let text = MEASURED.replace("fast", "1").replace(change.0, change.1);
        fs::write(folder.join("measured.csv"), text).unwrap();
        fault("beside.toml --reference measured.csv", part);
    };
    with(
        ("warps,barriers", "warps,bariers"),
        "it has no column `barriers`; did you mean `bariers`?",
    );
    with(("program,size", "program,sise"), "it has no column `size`");
    with(("three,small,30,1", "three,small,30,fast"), "line 5: `warps` is `fast`, not a number");
    with(("three,small,30,1", "three,small,30,inf"), "line 5: `warps` is `inf`, not a number");
    with(
        ("three,small,", "three,test,"),
        "line 5: `three` has a line of size `test` already, line 2",
    );
    with((",test,", ",full,"), "`measured.csv` has no line of size `test`\n  it has: full, small");
    fs::write(folder.join("measured.csv"), "program,size,barriers,warps\n").unwrap();
    fault("beside.toml --reference measured.csv", "it has no line below the names of its columns");
    fs::write(folder.join("measured.csv"), "program,size,barriers,warps\nthree,test\n").unwrap();
    fault("beside.toml --reference measured.csv", "found record with 2 fields");
    fs::write(folder.join("measured.csv"), "program,size,barriers,warps\nx,test,1,1\n").unwrap();
    fault("beside.toml --reference measured.csv", "says nothing of the study's programs");
    let wrong = |change: (&str, &str), part: &str| {
        fs::write(folder.join("beside.toml"), BESIDE.replace(change.0, change.1)).unwrap();
        fault("beside.toml --reference measured.csv", part);
    };
    wrong(
        ("reference = \"measured", "reference = \"cycles + measured"),
        "`reference` must be made of columns",
    );
    wrong(("as = \"count\"", "as = \"gain\""), "with `reference`, `as` is `ratio` or `count`");
    wrong(
        ("reference = \"measured * reference.warps\"", "least = 3"),
        "`least` goes with `reference`",
    );
    wrong(
        ("value = \"barriers\"", "values = { a = \"barriers\" }"),
        "with `reference` there is one `value`",
    );
    wrong(
        ("measured * reference.warps", "reference.a.b"),
        "`reference.a.b` names no column of a reference",
    );
}

/// The shipped study knows its examples wherever it runs, and all of them.
#[test]
fn hardware_is_built_in() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let study_file = fs::read_to_string(examples.join("studies/hardware.toml")).unwrap();
    for below in ["", "divergence/"] {
        for entry in fs::read_dir(examples.join(below)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let line = format!("file = \"../{below}{name}\"\n");
            assert!(!name.ends_with(".cu") || study_file.contains(&line), "{below}{name}");
        }
    }
    let folder = folder("hardware");
    let lines = "program,size,time_us,clock_mhz,launches,empty_launch_us\nexamples/saxpy,test,2,1000,1,0.5\n\
                 divergence/classes,test,20,1000,1,0.5\n";
    fs::write(folder.join("hardware.csv"), lines).unwrap();
    let said = good(
        &folder,
        "hardware --reference hardware.csv --size test --only examples/saxpy --only divergence/classes",
    );
    assert!(said.contains("2 points, 2 of them run now"), "{said}");
    let markdown = fs::read_to_string(folder.join("study-hardware/study.md")).unwrap();
    assert!(markdown.contains("| examples/saxpy | 2000 |"), "{markdown}");
    assert!(markdown.contains("| examples/saxpy | 1500 |"), "{markdown}");
    assert!(markdown.contains("| examples/saxpy | 2.000 |"), "{markdown}");
}

#[test]
fn the_best_value_of_what_is_varied_is_found_for_each_program() {
    let folder = folder("best");
    let varied =
        STUDY.replace(r#""l1.size" = "1K..2K*2""#, r#""units.integer.initiation" = [40, 1, 8]"#);
    let names = ["1", "best"].map(|value| format!("\"slow, units.integer.initiation={value}\""));
    let figure = format!(
        "[[figures]]\ntitle = \"Best\"\nvalue = \"cycles\"\nconfigurations = [{both}]\n\n\
         [[figures]]\ntitle = \"Against itself\"\nvalue = \"cycles / base.cycles\"\nconfigurations = [{best}]\nagainst = {best}\n\n\
         [[figures]]\ntitle = \"To come\"\nabout = \"Not measured.\"\nconfigurations = []\n\n",
        both = names.join(", "),
        best = names[1],
    );
    let claim =
        format!("configuration = {}\nagainst = \"plain, units.integer.initiation=best\"", names[1]);
    let text = varied.replacen("[[claims]]", &format!("{figure}[[claims]]"), 1).replacen(
        "configuration = \"slow\"\nreason = ",
        &format!("{claim}\nreason = "),
        1,
    );
    fs::write(folder.join("adding.toml"), text).unwrap();
    good(&folder, "adding.toml");
    let report = fs::read_to_string(folder.join("study-adding/study.json")).unwrap();
    let report: Value = serde_json::from_str(&report).unwrap();
    let tables = report["tables"].as_array().unwrap();
    let best = tables.iter().find(|table| table["title"] == "Best").unwrap();
    for group in best["groups"].as_array().unwrap() {
        for row in group["rows"].as_array().unwrap() {
            assert!(row["values"][0].is_f64() && row["values"][0] == row["values"][1], "{row}");
        }
    }
    let against = tables.iter().find(|table| table["title"] == "Against itself").unwrap();
    for row in against["groups"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|group| group["rows"].as_array().unwrap())
    {
        assert_eq!(row["values"], json!([1.0]), "{row}");
    }
    // A figure without columns has a heading and its text.
    let markdown = fs::read_to_string(folder.join("study-adding/study.md")).unwrap();
    assert!(markdown.contains("\n## To come\n\nNot measured.\n\n\n## "), "{markdown}");
    assert!(report["claims"][0]["ours"].is_f64(), "{}", report["claims"][0]);
}

#[test]
fn values_of_what_is_varied_are_chosen_by_an_expression() {
    let folder = folder("chosen");
    // A third configuration decides with values of its own; cycles grow with the interval.
    let text = STUDY
        .replace(r#""l1.size" = "1K..2K*2""#, r#""units.integer.initiation" = [1, 8, 16, 32]"#)
        .replace(
            "[vary]",
            r#"[configurations.wide]
settings = ["l2.latency=11"]
vary = { "units.integer.initiation" = [1, 32, 64] }

[chosen.slowest]
least = "0 - cycles"

[chosen.elsewhere]
least = "max(0, 1 - cycles / 1000000)"
configuration = "wide"

[chosen.half]
of = "elsewhere"
times = 0.375

[vary]"#,
        );
    let label = |name: &str, value: &str| format!("\"{name}, units.integer.initiation={value}\"");
    let labels = [
        label("plain", "32"),
        label("plain", "slowest"),
        label("plain", "16"),
        label("plain", "half"),
        label("plain", "elsewhere"),
    ];
    let figure = format!(
        "[[figures]]\ntitle = \"Chosen\"\nvalue = \"cycles\"\nconfigurations = [{}]\n\n",
        labels.join(", ")
    );
    let claim = format!(
        "configuration = {}\nagainst = {}\nover = [{}, {}]\nvalue = \"cycles - base.cycles\"\nas = \"ratio\"\nmean = \"arithmetic\"",
        labels[1],
        label("plain", "1"),
        labels[0],
        label("plain", "1"),
    );
    let text = text.replacen("[[claims]]", &format!("{figure}[[claims]]"), 1).replacen(
        "configuration = \"slow\"\nreason = ",
        &format!("{claim}\nreason = "),
        1,
    );
    fs::write(folder.join("adding.toml"), &text).unwrap();
    good(&folder, "adding.toml");
    let report = fs::read_to_string(folder.join("study-adding/study.json")).unwrap();
    let report: Value = serde_json::from_str(&report).unwrap();
    let tables = report["tables"].as_array().unwrap();
    let chosen = tables.iter().find(|table| table["title"] == "Chosen").unwrap();
    let columns: Vec<&str> =
        chosen["columns"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    let at = |value: &str| {
        let label = format!("plain, units.integer.initiation={value}");
        columns.iter().position(|column| *column == label).unwrap()
    };
    for group in chosen["groups"].as_array().unwrap() {
        for row in group["rows"].as_array().unwrap() {
            let values = &row["values"];
            assert!(
                values[at("32")].is_f64() && values[at("32")] == values[at("slowest")],
                "{row}"
            );
            // 64 is the slowest of its own values: 24 lies between 16 and 32, and the larger one is taken. The value
            // itself is not among those of `plain`.
            assert_eq!(values[at("half")], values[at("32")], "{row}");
            assert!(values[at("elsewhere")].is_null(), "{row}");
        }
    }
    assert_eq!(report["claims"][0]["ours"].as_f64(), Some(1.0), "{}", report["claims"][0]);
    let wrong = [
        (
            "[chosen.half]\nof = \"elsewhere\"",
            "[chosen.half]\nof = \"slowset\"",
            "must name a choice",
        ),
        ("least = \"0 - cycles\"", "least = \"0 - cycels\"", "cycels"),
        ("settings = [\"l2", "setting = [\"l2", "or have one as `settings`"),
        ("[chosen.slowest]", "[chosen.best]", "fewest cycles"),
    ];
    for (good, bad, message) in wrong {
        fs::write(folder.join("adding.toml"), text.replace(good, bad)).unwrap();
        let output = study(&folder, "adding.toml");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains(message), "{said}");
    }
}
