//! The command line as a person at a shell meets it: statuses, streams, files and messages.

use serde_json::Value;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

/// A folder with the programs that the calls below name.
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("command");
    fs::create_dir_all(folder.join("headers")).unwrap();
    for (name, text) in FILES {
        fs::write(folder.join(name), text).unwrap();
    }
    fs::write(folder.join("zeros.cu"), b"\x7fELF\0\0").unwrap();
    fs::write(folder.join("latin.cu"), b"// gr\xfc\xdfe\nint main() { return 0; }\n").unwrap();
    let text = b"int main() { const char *s = \"\xfc\"; return s[0]; }\n";
    fs::write(folder.join("latin_string.cu"), text).unwrap();
    fs::write(folder.join("latin.h"), b"// \xfc\n").unwrap();
    folder
});

const FILES: &[(&str, &str)] = &[
    (
        "status.cu",
        "#include <stdlib.h>\nint main(int n, char **words) { return n > 1 ? atoi(words[1]) : n; }\n",
    ),
    (
        "width.cu",
        r#"#include <stdio.h>
__global__ void k(int *a) { *a = warpSize; }
int main(int n, char **words)
{
    int *a, b;
    cudaMalloc(&a, 4);
    k<<<1, 1>>>(a);
    cudaMemcpy(&b, a, 4, cudaMemcpyDeviceToHost);
    printf("width\n");
    if (n > 1)
        printf("%d\n", b);
    FILE *file = fopen("written.txt", "w");
    return file ? 9 : 0;
}
"#,
    ),
    (
        "branches.cu",
        "
__global__ void branches(int *a, int n)
{
    int i = threadIdx.x;
    if (n > 2)
        atomicAdd(&a[40], n);
    if (i & 1)
        atomicAdd(&a[41], i);
    if (a[i] == 7)
        atomicAdd(&a[42], i);
}
int main()
{
    int *a;
    cudaMalloc(&a, 43 * sizeof(int));
    int seven = 7;
    cudaMemcpy(&a[3], &seven, sizeof(int), cudaMemcpyHostToDevice);
    branches<<<1, 34>>>(a, 3);
    return cudaDeviceSynchronize();
}
",
    ),
    (
        "add.cu",
        r#"#include <stdio.h>
__global__ void add(int *a) { a[blockIdx.x * blockDim.x + threadIdx.x] += 1; }
int main()
{
    int *a;
    cudaMalloc(&a, 400);
    add<<<dim3(2, 1), 50>>>(a);
    printf("done\n");
    fprintf(stderr, "said\n");
    return 0;
}
"#,
    ),
    (
        "occupied.cu",
        r#"#include <stdio.h>
__global__ void k(int *a)
{
    __shared__ int part[256];
    part[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    a[threadIdx.x] = part[255 - threadIdx.x];
}
__global__ void __launch_bounds__(64) narrow(int *a) { a[threadIdx.x] += 1; }
int main()
{
    int blocks;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k, 256, 1000);
    printf("%d\n", blocks);
    return 0;
}
"#,
    ),
    ("wrong.cu", "int main() { return x; }\n"),
    (
        "not_needed.cu",
        r#"#include <stdio.h>
void check(missing_t status, const char *file, int line) { printf("%s %d\n", file, line + status); }
void failing(uint count, missing_t where) { check(where, "", count); }
template <class T> struct list { other::vector<uint> items; void add(uint item); };
int main() { uint n = 3; printf("%u\n", n); return 0; }
"#,
    ),
    (
        "unrolled.cu",
        "__global__ void k(int *a)\n{\n#pragma unroll 4\n\
         for (int i = 0; i < 64; i++) a[i] = i;\n}\n",
    ),
    (
        "sum.ir",
        "kernel k {\nb0:\n  %0 = const.b32 2\n  %1 = add.i32 %0, %0\n  \
         st.global.b32 %1, %0\n  return\n}\n",
    ),
    ("faulty.ir", "kernel k {\nb0:\n  hello\n}\n"),
    ("unsound.ir", "kernel k {\nb0:\n  jump b0\n}\n"),
    ("warned.cu", "int main() { int x; return 0; }\n"),
    ("no_main.cu", "__global__ void k() { }\n"),
    (
        "unchecked.cu",
        "__global__ void k() { }\nint main() { k<<<1, 4096>>>(); cudaDeviceSynchronize(); return 0; }\n",
    ),
    ("trap.cu", "int main() { int *p = 0; return *p; }\n"),
    (
        "deadlock.cu",
        r"__global__ void k(int *lock) { while (atomicCAS(lock, 0, 1) != 0); *lock = 0; }
int main() { int *lock; cudaMalloc(&lock, 4); k<<<1, 32>>>(lock); return 0; }
",
    ),
    (
        "endless.cu",
        r"__global__ void k(int *a) { for (int i = 0;; i++) *a = i; }
int main() { int *a; cudaMalloc(&a, 4); k<<<1, 1>>>(a); return 0; }
",
    ),
    ("misspelled.cu", "int main() { float *x; return cudaMaloc(&x, 4); }\n"),
    ("waits.cu", "int main() { for (;;); }\n"),
    ("prints.cu", "#include <stdio.h>\nint main() { for (;;) printf(\"again\\n\"); }\n"),
    ("includes.cu", "#include \"answer.h\"\nint main() { return ANSWER; }\n"),
    ("headers/answer.h", "#define ANSWER 42\n"),
    ("latin_header.cu", "#include \"latin.h\"\nint main() { return 0; }\n"),
    ("half.toml", "base = \"tiny\"\nname = \"half\"\n[dram]\nlatency = 5\n"),
    ("unknown.toml", "base = \"tiny\"\n[l1]\nlatencie = 5\n"),
    ("broken.toml", "base = \"tiny\n"),
    ("faulty.asm", "hello\n.kernel\n"),
    ("binary.bin", "RCVG but not really"),
];

fn command(words: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_reconverge"));
    command.current_dir(&*FOLDER).env_remove("NO_COLOR").stdin(Stdio::null());
    command.args(words.split_whitespace());
    command
}

fn call(words: &str) -> Output {
    command(words).output().unwrap()
}

fn call_with(words: &str, input: &[u8]) -> Output {
    let mut child = command(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A call that is refused does not read.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

fn status(output: &Output) -> i32 {
    output.status.code().unwrap_or(-1)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn statuses_and_messages() {
    // The words, the status, and the text on standard error.
    let cases: &[(&str, i32, &str)] = &[
        // A program's value, modulo 256.
        ("run -q status.cu", 1, ""),
        ("run -q status.cu -- 200", 200, ""),
        ("run -q status.cu -- 256", 0, ""),
        ("run -q status.cu -- 300", 44, ""),
        ("run -q status.cu -- -1", 255, ""),
        ("run -q status.cu -- -256 x", 0, ""),
        // Bytes of another encoding do not matter in a comment.
        ("run latin.cu", 0, ""),
        // Faults of a program.
        ("run wrong.cu", 240, "wrong.cu:1:21"),
        ("run no_main.cu", 240, "error[E0309]"),
        ("run latin_header.cu", 0, ""),
        ("run latin_string.cu", 240, "latin_string.cu:1:30"),
        ("run includes.cu", 240, "the directories of `-I`"),
        ("run -q -I headers includes.cu", 42, ""),
        ("run -q -DANSWER=43 -I headers includes.cu", 42, "W0102"),
        ("run trap.cu", 241, "error[R0001]"),
        (
            "run unchecked.cu",
            0,
            "warning[R0107]: the program does not check this launch for errors",
        ),
        ("run unchecked.cu --model reference", 0, "warning[R0107]"),
        ("run unchecked.cu --check leaks", 244, "error[R0107]"),
        ("run deadlock.cu", 242, "deadlock.cu:1:39"),
        ("run --max-cycles 10000 endless.cu", 243, "kernel 'k'"),
        ("run --model functional --max-cycles 10000 endless.cu", 243, "kernel 'k'"),
        ("run --model reference --max-cycles 10000 endless.cu", 243, "kernel 'k'"),
        ("run --max-operations 10000 waits.cu", 243, "`--max-operations`"),
        ("run --limits ci --max-operations 10000 waits.cu", 243, "`--max-operations`"),
        ("run --limits ci --max-cycles 10000 endless.cu", 243, "`--max-cycles`"),
        ("run --limits none waits.cu", 2, "[possible values: ci]"),
        ("compile wrong.cu", 1, "error[E0301]"),
        ("compile --emit ast wrong.cu", 0, ""),
        ("compile --emit ir --max-registers 1 add.cu", 1, "error[E0709]"),
        ("occupancy --block 96 occupied.cu", 2, "`narrow` has launch bounds of 64 threads"),
        ("occupancy --block 0 occupied.cu", 2, "1..=1024"),
        ("occupancy --kernel no occupied.cu", 2, "`no`"),
        ("occupancy status.cu", 2, "`status.cu` has no kernels"),
        ("occupancy wrong.cu", 1, "error[E0301]"),
        ("asm faulty.asm", 1, "error[E0807]: unknown instruction `hello`\n  ┌─ faulty.asm:1:1"),
        ("disasm faulty.asm", 1, "faulty.asm: byte 0x0"),
        ("disasm binary.bin", 1, "binary.bin: byte 0x4"),
        ("explain E9999", 1, "no code `E9999`"),
        // Wrong usage.
        ("", 2, "Usage"),
        ("fly", 2, "unrecognized subcommand"),
        ("run", 2, "<FILE>"),
        ("run --fast add.cu", 2, "--fast"),
        ("run add.cu word", 2, "word"),
        ("run missing.cu", 2, "cannot read `missing.cu`"),
        ("run headers", 2, "cannot read `headers`"),
        ("run -D1x add.cu", 2, "`1x` is not a name"),
        ("run --model quantum add.cu", 2, "quantum"),
        ("run --max-cycles many add.cu", 2, "many"),
        ("run --max-registers 256 add.cu", 2, "256"),
        ("run --target-registers 256 add.cu", 2, "256"),
        ("run -q --max-registers 255 --target-registers 255 add.cu", 0, ""),
        ("run --machine gtx48 add.cu", 2, "known: gtx480, gtx480-ch3, "),
        (
            "run --machine unknown.toml add.cu",
            2,
            "unknown key `l1.latencie`; did you mean `latency`?\n  ┌─ unknown.toml:3:12",
        ),
        ("run --machine broken.toml add.cu", 2, "not a machine file"),
        ("compare add.cu", 2, "--vary <KEY=A,B,...>"),
        ("compare --vary divergence add.cu", 2, "expected KEY=A,B,..."),
        ("compare --vary divergence=simt-stak add.cu", 2, "did you mean `simt-stack`?"),
        ("compare --vary divergense=simt-stack add.cu", 2, "did you mean `divergence`?"),
        ("compare --vary machine=gtx48 add.cu", 2, "did you mean `gtx480`?"),
        ("compare --vary l1.size=16384,16384 add.cu", 2, "`16384` is there twice"),
        ("compare --vary l1.size=0 --vary l1.size=16384 add.cu", 2, "`l1.size` is varied twice"),
        ("compare --vary l1.size=0 --json no/such/file.json add.cu", 2, "cannot write"),
        (
            "compare --vary l1.size=0 --model reference add.cu",
            2,
            "`l1.size` is not varied under `--model reference`",
        ),
        ("compare --vary l1.size=0 wrong.cu", 240, "not declared"),
        ("compare -q --vary sm.warp-width=1,32 deadlock.cu", 242, "sm.warp-width=32 was stopped"),
        ("compare -q --vary sm.warp-width=8,32 width.cu", 1, "other memory after launch 1, k"),
        ("compare -q --vary sm.warp-width=8,32 width.cu -- x", 1, "other output from line 2 on"),
        ("compare -q --vary l1.size=0,16384 width.cu", 0, "it may only read files"),
        ("run --model reference --profile add.cu", 2, "no profile under `--model reference`"),
        ("run --profile-json no/such/folder.json add.cu", 2, "cannot write `no/such/folder.json`"),
        ("run --set scheduler add.cu", 2, "expected KEY=VALUE"),
        ("run --set l1.sise=1 add.cu", 2, "`sise`"),
        ("run --set l1=1 add.cu", 2, "`l1` is a table"),
        ("run --set l1.size=many add.cu", 2, "`many` is not a number"),
        ("run --set l1.size=100 add.cu", 2, "l1"),
        ("run --set scheduler=fifo add.cu", 2, "greedy-then-oldest"),
        ("run --stats no/such/folder.json add.cu", 2, "cannot write `no/such/folder.json`"),
        ("compile --emit poem add.cu", 2, "poem"),
        ("compile --disable-pass folding add.cu", 2, "known: copy, fold"),
        ("compile -O3 add.cu", 2, "`3` is not 0, 1, 2 or ptx"),
        ("compile --passes copy,folding add.cu", 2, "unknown pass `folding`"),
        ("compile -o no/such/folder.asm add.cu", 2, "cannot write `no/such/folder.asm`"),
        ("compile --color sometimes add.cu", 2, "sometimes"),
        ("asm missing.asm", 2, "missing.asm"),
        ("list things", 2, "things"),
    ];
    cases_hold(cases);
}

/// Calls end with their status, and print their message on standard error.
fn cases_hold(cases: &[(&str, i32, &str)]) {
    for &(words, wanted, message) in cases {
        let output = call(words);
        let errors = text(&output.stderr);
        assert_eq!(status(&output), wanted, "reconverge {words}\n{errors}");
        assert!(errors.contains(message), "reconverge {words}: no `{message}` in\n{errors}");
        assert!(!errors.contains("panicked"), "reconverge {words}\n{errors}");
    }
}

#[test]
fn statuses_of_kernels_and_machines() {
    cases_hold(&[
        ("compile --emit ir faulty.ir", 1, "faulty.ir:3:3"),
        (
            "compile --emit ir unsound.ir",
            1,
            "error[E0802]: b0 goes to the entry\n  ┌─ unsound.ir:3:3",
        ),
        ("compile --emit tree sum.ir", 2, "of an IR text the forms are `ir`"),
        (
            "compile --emit ir faulty.asm",
            2,
            "of an assembly text the forms are `control-bits`, `asm` and `bin`",
        ),
        ("compile --kernel j sum.ir", 2, "`sum.ir` has no such kernel; there are k"),
        ("launch faulty.ir k --grid 1 --block 1", 240, "faulty.ir:3:3"),
        ("launch binary.bin k --grid 1 --block 1", 240, "error[E0803]"),
        (
            "launch sum.ir k --grid 1 --block 1 --model reference",
            2,
            "no `--model reference` for an IR text",
        ),
        ("run sum.ir", 2, "`sum.ir` is an IR text, which has no host program"),
        ("compare --vary l1.size=0 sum.ir", 2, "which has no host program"),
        ("serve --no-open sum.ir", 2, "which has no host program"),
        ("run -q add.cu --kernels sum.ir", 240, "error[E0804]: the program has no kernel `k`"),
        ("run -q add.cu --kernels faulty.asm", 240, "error[E0807]"),
        ("run -q add.cu --kernels wrong.cu", 2, "kernels come as PTX"),
        (
            "check add.cu sum.ir half.toml",
            0,
            "sum.ir: good; verified and compiled 1 kernel; nothing ran\n",
        ),
        ("check wrong.cu", 1, "wrong.cu: 1 error, 0 warnings"),
        ("check unknown.toml", 1, "unknown.toml:3:12"),
        ("check binary.bin", 1, "error[E0803]: binary.bin: byte 0x4"),
        ("check warned.cu", 0, "warned.cu: 0 errors, 1 warning"),
        ("check --deny-warnings warned.cu", 1, "W0301"),
        ("fmt --check faulty.asm", 1, "E0807"),
        ("fmt add.cu", 2, "IR (`.ir`) and assembly (`.asm`) are formatted"),
        ("machine import faulty.asm", 1, "`hello` belongs to no option"),
        (
            "run --machine gtx480.toml add.cu",
            2,
            "there is no machine file `gtx480.toml`; the machine `gtx480` comes with us",
        ),
        ("run --machine no/such add.cu", 2, "there is no machine file `no/such`"),
        ("list machine none.toml", 2, "there is no machine file `none.toml`"),
        (
            "run -q --set two-level.pool=4 status.cu",
            1,
            "warning: setting `two-level.pool=4`: options of `two-level`",
        ),
    ]);
}

#[test]
fn results_go_to_standard_output_and_all_else_to_standard_error() {
    let run = call("run add.cu");
    assert_eq!(text(&run.stdout), "done\n");
    let errors = text(&run.stderr);
    assert!(errors.starts_with("said\n") && errors.contains("2 × 50"), "{errors}");
    let quiet = call("run --quiet add.cu");
    assert_eq!((text(&quiet.stdout), text(&quiet.stderr)), ("done\n".into(), "said\n".into()));
    let warned = call("compile --emit tree warned.cu");
    assert!(text(&warned.stderr).contains("W0301") && !text(&warned.stdout).contains("W0301"));
    let dumped = call("compile --print-after fold add.cu");
    assert!(
        text(&dumped.stderr).contains("; add after `fold`\nversion 1\n"),
        "{}",
        text(&dumped.stderr)
    );
    assert_eq!(dumped.stdout, call("compile add.cu").stdout);
}

#[test]
fn what_main_does_not_need_may_have_faults() {
    let output = call("run not_needed.cu");
    assert_eq!((status(&output), text(&output.stdout)), (0, "3\n".to_owned()));
    assert!(text(&output.stderr).contains("warning[W0405]"), "{}", text(&output.stderr));
    assert_eq!(status(&call("run --strict not_needed.cu")), 240);
}

#[test]
fn statistics_are_json() {
    let file = FOLDER.join("statistics.json");
    fs::write(&file, "of before").unwrap();
    let output = call("run -q --machine tiny --stats statistics.json add.cu");
    assert_eq!(text(&output.stdout), "done\n");
    let report: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    assert_eq!(report["schema"], 1);
    assert_eq!(report["program"], "add.cu");
    assert_eq!(report["machine"], "tiny");
    assert_eq!(report["model"], "timing");
    assert_eq!(report["complete"], true);
    let kernels = report["kernels"].as_array().unwrap();
    assert_eq!(kernels.len(), 1);
    let kernel = &kernels[0];
    assert_eq!(kernel["name"], "add");
    assert_eq!(kernel["grid"], serde_json::json!([2, 1, 1]));
    assert_eq!(kernel["block"], serde_json::json!([50, 1, 1]));
    for counter in ["cycles", "warp_instructions", "thread_instructions"] {
        assert!(kernel[counter].as_u64().unwrap() > 0, "{counter}");
        assert_eq!(kernel[counter], kernel["stats"][counter]);
    }
    let efficiency = kernel["simd_efficiency"].as_f64().unwrap();
    assert!(efficiency > 0.9 && efficiency < 1.0, "{efficiency}");
    let listed = text(&call("list statistics").stdout);
    for name in kernel["stats"].as_object().unwrap().keys() {
        assert!(listed.contains(&format!(" {name} ")), "`list statistics` lacks {name}");
    }
    // On standard output, after the program's own output.
    let output = text(&call("run -q --machine tiny --stats - add.cu").stdout);
    let again: Value = serde_json::from_str(output.strip_prefix("done\n").unwrap()).unwrap();
    assert_eq!(again, report);
    // Also of a program that is stopped.
    let output = call("run -q --stats - trap.cu");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((status(&output), report["kernels"].clone()), (241, Value::Array(vec![])));
    assert_eq!(report["complete"], false);
    // The measurements of a launch until it was stopped.
    for (words, expected) in [
        ("run --stats - deadlock.cu", 242),
        ("run --stats - --max-cycles 10000 endless.cu", 243),
        ("run --stats - --model functional --max-cycles 10000 endless.cu", 243),
    ] {
        let output = call(&format!("{words} -q"));
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((status(&output), &report["complete"]), (expected, &false.into()), "{words}");
        let kernel = &report["kernels"][0];
        assert_eq!((&kernel["complete"], &kernel["memory"]), (&false.into(), &Value::Null));
        assert!(kernel["warp_instructions"].as_u64().unwrap() > 100, "{words}: {kernel}");
        if words == "run --stats - --max-cycles 10000 endless.cu" {
            assert!(kernel["cycles"].as_u64().unwrap() >= 10_000, "{kernel}");
        }
    }
    let output = call("run --max-cycles 10000 endless.cu");
    assert!(text(&output.stderr).contains("stopped"), "{}", text(&output.stderr));
    let output = call("run -q --model reference --stats - add.cu");
    assert!(text(&output.stdout).contains("\"stats\": {}"));
}

/// The answer to a program, the output of `occupancy`, and the scarcest resource of each machine.
#[test]
fn occupancy_says_what_limits() {
    let cases = [
        ("sm.blocks=3", "limited by blocks"),
        ("sm.warps=16", "limited by warps"),
        ("sm.registers=4096", "limited by registers"),
        ("sm.shared-memory=8192", "limited by shared memory"),
    ];
    for (setting, limited) in cases {
        let words = format!("--set {setting} --block 256 --shared 1000 --kernel k occupied.cu");
        let shown = text(&call(&format!("occupancy {words}")).stdout);
        let last = shown.lines().last().unwrap();
        assert!(last.ends_with(limited), "{setting}: {shown}");
        for model in ["timing", "reference"] {
            let told = call(&format!("run -q --model {model} --set {setting} occupied.cu"));
            let told = text(&told.stdout);
            assert_eq!(last.split(' ').next(), Some(told.trim_end()), "{setting}: {shown}");
        }
    }
    let none = call(
        "occupancy --set sm.shared-memory=1024 --block 256 --shared 1000 --kernel k occupied.cu",
    );
    assert!(text(&none.stdout).ends_with("no block fits, for want of shared memory\n"));
    // A row for each size, up to the launch bounds.
    let rows = |kernel: &str| {
        let shown = text(&call(&format!("occupancy --kernel {kernel} occupied.cu")).stdout);
        shown.lines().filter(|line| line.contains(" % ")).count()
    };
    assert_eq!((rows("k"), rows("narrow")), (32, 2));
}

/// The costs of the lines, and those that belong to none, add up to the statistics.
#[test]
fn profiles_are_json_and_add_up() {
    for model in ["timing", "functional"] {
        let words = format!(
            "run -q --model {model} --stats statistics_beside.json --profile-json - add.cu"
        );
        let output = text(&call(&words).stdout);
        let profile: Value = serde_json::from_str(output.strip_prefix("done\n").unwrap()).unwrap();
        let statistics = fs::read(FOLDER.join("statistics_beside.json")).unwrap();
        let statistics: Value = serde_json::from_slice(&statistics).unwrap();
        assert_eq!(profile["schema"], 1);
        assert_eq!((&profile["program"], &profile["model"]), (&"add.cu".into(), &model.into()));
        let kernel = &profile["kernels"][0];
        assert_eq!((&kernel["name"], &kernel["launches"]), (&"add".into(), &1.into()));
        let lines = kernel["lines"].as_array().unwrap();
        for line in lines {
            let number = line["line"].as_u64().unwrap() as usize;
            let source = fs::read_to_string(FOLDER.join(line["file"].as_str().unwrap())).unwrap();
            assert_eq!(line["source"], source.lines().nth(number - 1).unwrap());
        }
        for (name, total) in kernel["total"].as_object().unwrap() {
            assert_eq!(total, &statistics["kernels"][0]["stats"][name], "{name}");
            let parts = lines.iter().map(|line| &line["stats"]).chain([&kernel["nowhere"]]);
            if let Some(total) = total.as_u64() {
                let sum: u64 = parts.filter_map(|part| part[name].as_u64()).sum();
                assert_eq!(sum, total, "{name}");
            }
        }
    }
}

/// A branch on the thread's number, one on loaded data, and one in which all threads agree.
#[test]
fn profiles_have_branches() {
    let output = text(&call("run -q --profile-json - branches.cu").stdout);
    let profile: Value = serde_json::from_str(&output).unwrap();
    let kernel = &profile["kernels"][0];
    let facts = |branch: &Value| {
        let fact = |key: &str| branch[key].to_string();
        ["line", "class", "uniform", "executed", "divergent", "active"].map(fact).join(" ")
    };
    let branches: Vec<String> = kernel["branches"].as_array().unwrap().iter().map(facts).collect();
    // Both warps execute each; the second one has lanes 0 and 1 only.
    let expected =
        [r#"5 "P" true 2 0 0.53125"#, r#"7 "P" false 2 2 0.53125"#, r#"9 "D" false 2 1 0.53125"#];
    assert_eq!(branches, expected);
    let errors = text(&call("run -q --profile branches.cu").stderr);
    let rows: Vec<Vec<&str>> = errors
        .lines()
        .skip_while(|line| !line.contains("executed"))
        .take_while(|line| !line.contains(':'))
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert_eq!(rows[0], ["line", "branch", "class", "executed", "split", "lanes"], "{errors}");
    assert_eq!(
        [rows[1][0], rows[1][2], rows[1][3], rows[1][4], rows[1][5]],
        ["7", "P", "2", "100.0", "53.1"]
    );
    assert_eq!(
        [rows[2][0], rows[2][2], rows[2][3], rows[2][4], rows[2][5]],
        ["9", "D", "2", "50.0", "53.1"]
    );
    assert_eq!(rows.len(), 3, "{errors}");
}

#[test]
fn profiles_are_tables_beside_the_source() {
    let output = call("run --profile add.cu");
    let errors = text(&output.stderr);
    assert_eq!(text(&output.stdout), "done\n");
    let table = errors.split("add: 1 launch").nth(1).unwrap_or_else(|| panic!("{errors}"));
    for part in ["slots", "mostly lost to", "add.cu", "__global__", "(no line)"] {
        assert!(table.contains(part), "no `{part}` in\n{table}");
    }
    assert!(table.lines().all(|line| line.chars().count() <= 120), "{table}");
    let launch = call("launch add.cu add --grid 2 --block 50 --profile --arg zeros:100");
    let errors = text(&launch.stderr);
    assert!(errors.ends_with(&format!("add: 1 launch{table}")), "{errors}");
}

/// The product of the variations, each with the statistics of a run of its own.
#[test]
fn variations_are_rows_of_a_table_of_json_and_of_csv() {
    let vary = "--vary cycle-compression=none,scc --vary pipes.simple.lanes=4,32 branches.cu";
    let own = text(&call("run -q --stats - --set pipes.simple.lanes=4 branches.cu").stdout);
    let own: Value = serde_json::from_str(&own).unwrap();
    let output = text(&call(&format!("compare --json - {vary}")).stdout);
    let json: Value = serde_json::from_str(&output).unwrap();
    assert_eq!((&json["schema"], &json["agree"]), (&2.into(), &true.into()));
    let rows = json["programs"][0]["variations"].as_array().unwrap();
    let setting = |row: &Value, key: &str| row["settings"][key].as_str().unwrap().to_string();
    let settings: Vec<[String; 2]> = rows
        .iter()
        .map(|row| ["cycle-compression", "pipes.simple.lanes"].map(|key| setting(row, key)))
        .collect();
    assert_eq!(settings, [["none", "4"], ["none", "32"], ["scc", "4"], ["scc", "32"]]);
    assert_eq!(rows[0]["kernels"], own["kernels"]);
    let stat = |row: usize, name: &str| rows[row]["stats"][name].as_u64().unwrap();
    assert!(stat(2, "execution_cycles") < stat(0, "execution_cycles"));
    assert_eq!(stat(1, "execution_cycles"), stat(3, "execution_cycles"));
    let relative = stat(2, "cycles") as f64 / stat(0, "cycles") as f64;
    let told = rows[2]["relative"]["cycles"].as_f64().unwrap();
    assert!((told - relative).abs() < 1e-12, "{told}");

    // Any number at a time gives the same.
    for threads in [1, 3] {
        let again = call(&format!("compare --threads {threads} --json - {vary}"));
        assert_eq!(text(&again.stdout), output);
    }
    let csv = text(&call(&format!("compare --csv - {vary}")).stdout);
    let lines = cells(&csv);
    let whole: Vec<&Vec<String>> = lines[1..].iter().filter(|line| line[3].is_empty()).collect();
    assert_eq!(whole.len(), 4);
    assert!(lines.iter().all(|line| line.len() == lines[0].len()), "{csv}");
    assert_eq!(
        lines[0][..10],
        [
            "program",
            "cycle-compression",
            "pipes.simple.lanes",
            "kernel",
            "launches",
            "machine",
            "outcome",
            "agrees",
            "reason",
            "relative_cycles"
        ]
    );
    assert_eq!(whole[2][..3], ["branches.cu", "scc", "4"]);
    assert_eq!(whole[2][9], relative.to_string());
    assert!(whole[2].last().unwrap().contains("pipes.simple.lanes=4 "), "{csv}");
    let table = text(&call(&format!("compare {vary}")).stdout);
    assert_eq!(table.matches("the first").count(), 1, "{table}");
    assert_eq!(table.matches("┆ same").count(), 3, "{table}");
    assert!(table.contains(&format!("× {relative:.3}")), "{table}");
}

#[test]
fn a_variation_that_is_stopped_has_its_row() {
    let output = call("compare --vary sm.warp-width=32,1 deadlock.cu --json beside.json");
    assert_eq!(status(&output), 242);
    let table = text(&output.stdout);
    let row = table.lines().find(|line| line.starts_with("│ 32")).unwrap();
    assert!(row.contains("deadlock: ") && row.contains(" - "), "{table}");
    assert!(table.lines().any(|line| line.starts_with("│ 1 ") && line.contains("the first")));
    let json: Value =
        serde_json::from_slice(&fs::read(FOLDER.join("beside.json")).unwrap()).unwrap();
    assert_eq!(json["agree"], false);
    let stopped = &json["programs"][0]["variations"][0];
    assert_eq!((&stopped["outcome"], &stopped["status"]), (&"deadlock".into(), &242.into()));
    assert_eq!((&stopped["agrees"], &stopped["stats"]), (&Value::Null, &serde_json::json!({})));
    assert_eq!(json["programs"][0]["variations"][1]["agrees"], true);
    assert!(text(&output.stderr).contains("deadlock"), "{}", text(&output.stderr));
}

#[test]
fn colour_is_an_option_or_the_terminals() {
    let colored = |words: &str, variable: Option<&str>| {
        let mut command = command(words);
        if let Some(value) = variable {
            command.env("NO_COLOR", value);
        }
        text(&command.output().unwrap().stderr).contains("\x1b[")
    };
    for words in ["compile wrong.cu", "run trap.cu", "run missing.cu"] {
        assert!(colored(&format!("{words} --color always"), None), "{words}");
        assert!(colored(&format!("{words} --color always"), Some("1")), "{words}");
        assert!(!colored(&format!("{words} --color never"), None), "{words}");
        assert!(!colored(&format!("--color auto {words}"), None), "{words}");
        assert!(!colored(words, Some("1")), "{words}");
    }
}

#[test]
fn every_form_is_written_to_a_file_or_out() {
    for form in ["ast", "tree", "ir", "cfg", "asm", "bin"] {
        let out = call(&format!("compile --emit {form} add.cu"));
        assert_eq!(status(&out), 0, "{form}: {}", text(&out.stderr));
        assert!(!out.stdout.is_empty(), "{form}");
        let silent = call(&format!("compile --emit {form} -o form.out add.cu"));
        assert!(silent.stdout.is_empty() && silent.stderr.is_empty(), "{form}");
        assert_eq!(fs::read(FOLDER.join("form.out")).unwrap(), out.stdout, "{form}");
        let source = fs::read(FOLDER.join("add.cu")).unwrap();
        let input = call_with(&format!("compile --emit {form} -"), &source);
        assert_eq!(status(&input), 0, "{form}: {}", text(&input.stderr));
        if form == "tree" {
            assert_eq!(input.stdout, out.stdout);
        }
    }
}

#[test]
fn assembly_and_binary_are_turned_into_each_other() {
    let assembly = call("compile --emit asm add.cu").stdout;
    let binary = call_with("asm -", &assembly).stdout;
    assert_eq!(call("compile --emit bin add.cu").stdout, binary);
    // Only the source is not in a binary.
    let lines = text(&assembly);
    let lines: Vec<&str> =
        lines.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    assert_eq!(text(&call_with("disasm -", &binary).stdout).lines().collect::<Vec<_>>(), lines);
}

/// Every fault in an image is reported, without a panic.
#[test]
fn damaged_images_are_refused() {
    let assembly = call("compile --emit asm add.cu").stdout;
    let binary = call_with("asm -", &assembly).stdout;
    let refused = |words: &str, input: &[u8], what: &str| {
        let output = call_with(words, input);
        let errors = text(&output.stderr);
        assert_eq!(status(&output), 1, "{what}: {errors}");
        let place =
            if words == "asm -" { "┌─ <stdin>:" } else { "error[E0803]: <stdin>: byte" };
        assert!(errors.starts_with("error[E080") && errors.contains(place), "{what}: {errors}");
    };
    for length in (0..binary.len()).step_by(7) {
        refused("disasm -", &binary[..length], &format!("the first {length} bytes"));
    }
    refused("disasm -", &[&binary[..], b"x"].concat(), "a byte too many");
    for at in (0..binary.len()).step_by(5) {
        let mut damaged = binary.clone();
        damaged[at] ^= 0xFF;
        let output = call_with("disasm -", &damaged);
        assert!(matches!(status(&output), 0 | 1), "byte {at}: {}", text(&output.stderr));
    }
    let lines: Vec<&[u8]> = assembly.split_inclusive(|&byte| byte == b'\n').collect();
    for at in 0..lines.len() {
        let mut damaged = lines.concat();
        let start = lines[..at].concat().len();
        damaged.splice(start..start, *b"@ ");
        refused("asm -", &damaged, &format!("line {}", at + 1));
        let output = call_with("asm -", &[&lines[..at], &lines[at + 1..]].concat().concat());
        assert!(matches!(status(&output), 0 | 1), "line {at}: {}", text(&output.stderr));
    }
}

#[test]
fn the_version_says_what_results_depend_on() {
    assert_eq!(text(&call("-V").stdout), format!("reconverge {}\n", env!("CARGO_PKG_VERSION")));
    let long = text(&call("--version").stdout);
    let lines: Vec<(&str, &str)> =
        long.lines().skip(1).filter_map(|line| line.split_once(':')).collect();
    let names: Vec<&str> = lines.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["commit", "sources", "machine files"], "{long}");
    for (name, digest) in &lines[1..] {
        let digest = digest.trim();
        let is_digest = digest.len() == 64 && digest.bytes().all(|byte| byte.is_ascii_hexdigit());
        assert!(is_digest, "{name}: {digest}");
    }
    assert_ne!(lines[1].1, lines[2].1);
}

#[test]
fn what_exists_is_listed_and_explained() {
    let first_words = |words: &str| -> Vec<String> {
        let listed = text(&call(words).stdout);
        let rows = listed.lines().skip(1);
        rows.map(|row| row.split_whitespace().next().unwrap().to_string()).collect()
    };
    let machines = first_words("list machines");
    assert_eq!(
        (machines[0].as_str(), machines.last().map(String::as_str)),
        ("gtx480", Some("tiny"))
    );
    assert!(text(&call("list mechanisms").stdout).contains("simt-stack"));
    for pass in first_words("list passes") {
        let output = call(&format!("compile --disable-pass {pass} add.cu"));
        assert_eq!(status(&output), 0, "{pass}: {}", text(&output.stderr));
    }
    let codes = first_words("list codes");
    assert!(codes.len() > 80, "{codes:?}");
    for code in codes {
        let output = call(&format!("explain {code}"));
        let explained = text(&output.stdout);
        assert!(explained.starts_with(&format!("{code}: ")), "{explained}");
        assert_eq!(call(&format!("explain {}", code.to_lowercase())).stdout, output.stdout);
    }
}

#[test]
fn a_machine_is_a_name_a_file_and_settings() {
    let cycles = |words: &str| {
        let output = call(&format!("run -q --stats - {words} add.cu"));
        let json = text(&output.stdout);
        let json = json.strip_prefix("done\n").unwrap_or_else(|| panic!("{words}: {output:?}"));
        let report: Value = serde_json::from_str(json).unwrap();
        (report["machine"].as_str().unwrap().to_string(), report["kernels"][0]["cycles"].as_u64())
    };
    let (half, faster) = cycles("--machine half.toml");
    let (tiny, slower) = cycles("--machine tiny");
    assert_eq!((half.as_str(), tiny.as_str()), ("half", "tiny"));
    assert!(faster < slower, "{faster:?} {slower:?}");
    assert_eq!(cycles("--machine tiny --set dram.latency=5").1, faster);
    assert_eq!(cycles("--machine half.toml --set dram.latency=9 --set dram.latency=29").1, slower);
}

/// Every key of the machine files can be set, to its own value.
#[test]
fn every_setting_of_a_machine_can_be_set() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../simulator/machines/tiny.toml");
    let machine = fs::read_to_string(file).unwrap();
    let (mut table, mut settings) = (String::new(), Vec::new());
    for line in machine.lines().map(|line| line.split('#').next().unwrap().trim()) {
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            table = format!("{name}.");
        } else if let Some((key, value)) = line.split_once(" = ") {
            let inner = value.trim_matches(['{', '}', ' ']).split(", ");
            match value.starts_with('{') {
                true => settings
                    .extend(inner.map(|pair| format!("{table}{key}.{}", pair.replace(' ', "")))),
                false => settings.push(format!("{table}{key}={value}")),
            }
        }
    }
    assert!(settings.len() > 60, "{settings:?}");
    let mut all = command("run -q --machine tiny add.cu");
    all.args(settings.iter().flat_map(|setting| ["--set", setting]));
    let output = all.output().unwrap();
    assert_eq!(status(&output), 0, "{}", text(&output.stderr));
}

/// `reconverge ... | head -1`
#[test]
fn a_reader_may_leave() {
    let calls = [
        ("list statistics", 0),
        ("list codes", 0),
        ("explain E0301", 0),
        ("compile --emit tree add.cu", 0),
        ("run -q --stats - status.cu", 1),
        // A program ends as the signal would end it.
        ("run prints.cu", 141),
    ];
    for (words, wanted) in calls {
        let mut command = command(words);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = child.spawn().unwrap();
        drop(child.stdout.take());
        let mut errors = String::new();
        child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        let code = child.wait().unwrap().code();
        assert_eq!(code, Some(wanted), "reconverge {words}: {errors}");
        assert!(!errors.contains("error"), "reconverge {words}: {errors}");
    }
    // No one reads the error.
    let mut child = command("run wrong.cu").stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stderr.take());
    assert_eq!(child.wait().unwrap().code(), Some(240));
}

#[test]
fn passes_run_on_the_text_of_the_intermediate_representation() {
    let folded = call("compile --emit ir --passes fold,dead sum.ir");
    let lines = text(&folded.stdout);
    assert!(lines.contains("= const.b32 4") && !lines.contains("add.i32"), "{lines}");
    let untouched = call("compile --emit ir -O0 sum.ir");
    assert!(text(&untouched.stdout).contains("add.i32"));
    // The printed text is read again.
    let ir = call("compile --emit ir -O0 -o again.ir add.cu");
    assert_eq!(status(&ir), 0, "{}", text(&ir.stderr));
    let again = text(&call("compile --emit ir again.ir").stdout);
    let whole = text(&call("compile --emit ir add.cu").stdout);
    assert_eq!(again.lines().count(), whole.lines().count(), "{again}\n{whole}");
}

#[test]
fn a_table_of_passes_has_a_row_for_each() {
    let table = text(&call("compile --emit passes --passes gvn,dead add.cu").stdout);
    let rows: Vec<_> = table.lines().filter(|line| line.starts_with('│')).collect();
    let passes: Vec<_> = rows.iter().filter_map(|row| row.split_whitespace().nth(1)).collect();
    let expected = ["pass", "┆", "gvn", "dead", "pass", "┆", "last-read"];
    assert_eq!(passes, expected, "{table}");
}

#[test]
fn passes_over_machine_code_are_passes() {
    let rows = |words: &str| {
        let table = text(&call(&format!("compile add.cu --emit passes -O0 {words}")).stdout);
        let code = table.split_once("machine code").unwrap().1.to_owned();
        let rows = code.lines().filter(|line| line.starts_with('│')).skip(2);
        rows.filter_map(|row| row.split_whitespace().nth(1).map(str::to_owned)).collect::<Vec<_>>()
    };
    assert_eq!(rows(""), ["last-read"]);
    let all = "--operand-entries 4 --region-registers 8";
    assert_eq!(rows(all), ["last-read", "placement", "regions"]);
    assert_eq!(rows(&format!("{all} --disable-pass placement")), ["last-read", "regions"]);
    assert_eq!(rows("--control-bits h100"), ["last-read", "control-bits"]);
    // Another order, and a part of them.
    assert_eq!(rows(&format!("{all} --passes copy,regions,last-read")), ["regions", "last-read"]);
    let assembly = |words: &str| text(&call(&format!("compile add.cu {words}")).stdout);
    assert!(
        assembly("").contains("!last") && !assembly("--disable-pass last-read").contains("!last")
    );
    assert!(assembly("--passes copy").contains("!last"));
    let refused = call("compile --passes last-read,copy add.cu");
    let expected = "`copy`, of the stage IR, stands after `last-read`, of the stage machine code";
    assert!(status(&refused) == 2 && text(&refused.stderr).contains(expected));
    let dumped = call("compile --print-after last-read add.cu");
    let shown = text(&dumped.stderr);
    assert!(
        shown.contains("// add after `last-read`\n.version ") && shown.contains("!last"),
        "{shown}"
    );
    let changed = text(&call("compile --print-after changed add.cu").stderr);
    let after = |pass: &str| changed.contains(&format!(" add after `{pass}`\n"));
    assert!(after("lower") && after("emit") && after("last-read") && !after("licm"), "{changed}");
    let all = text(&call("compile --print-after all add.cu").stderr);
    assert!(all.contains("; add after `licm`\n"), "{all}");
}

#[test]
fn why_answers_for_a_line_of_an_ir_text() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/levels/fold.ir");
    let why = call(&format!("compile {file} --why 11"));
    assert!(text(&why.stdout).contains("fold.ir:11"), "{}", text(&why.stdout));
    let refused = call("compile add.asm --why 1");
    assert_eq!(status(&refused), 2);
    let nothing = call(&format!("compile {file} --why 3"));
    assert_eq!(status(&nothing), 2);
    let message = "no kernel computes, branches or waits on line 3";
    assert!(text(&nothing.stderr).contains(message), "{}", text(&nothing.stderr));
}

#[test]
fn why_asks_about_a_kernel() {
    for (name, content) in [("empty.ir", ""), ("no_kernel.ir", "version 1\n"), ("empty.asm", "")] {
        fs::write(FOLDER.join(name), content).unwrap();
        let why = if name.ends_with(".ir") { " --why 1" } else { "" };
        for words in [format!("compile {name}{why}"), format!("compile {name}")] {
            let refused = call(&words);
            let message = text(&refused.stderr);
            let expected = format!("error[E0801]: `{name}` holds no kernel");
            assert!(status(&refused) == 1 && message.contains(&expected), "{message}");
        }
    }
    for (name, content) in [("empty.cu", ""), ("no_kernel.cu", "int main() { return 0; }\n")] {
        fs::write(FOLDER.join(name), content).unwrap();
        let refused = call(&format!("compile {name} --why 1"));
        let message = text(&refused.stderr);
        assert!(
            status(&refused) == 2 && message.contains("the program has no kernel"),
            "{message}"
        );
    }
}

#[test]
fn control_bits_are_counted() {
    let counted = call("compile add.cu --emit control-bits --control-bits h100");
    let table = text(&counted.stdout);
    assert!(status(&counted) == 0 && table.contains("stall cycles"), "{table}");
    let refused = call("compile add.cu --emit control-bits");
    let message = text(&refused.stderr);
    assert!(status(&refused) != 0 && message.contains("`--control-bits MACHINE`"), "{message}");
    let refused = call("compile add.cu --control-bits h100 --control-bits-without luck");
    let message = text(&refused.stderr);
    assert!(status(&refused) == 2 && message.contains("scheduling"), "{message}");
    let stalls = |words: &str| {
        let code = text(&call(&format!("compile add.cu --control-bits h100 {words}")).stdout);
        code.matches("!stall 4").count()
    };
    assert!(stalls("") < stalls("--control-bits-without stalls"));
}

#[test]
fn a_pragma_reaches_the_loop() {
    let lowered = text(&call("compile --emit ir -O0 unrolled.cu").stdout);
    assert!(lowered.contains("  unroll 4 !4:17\n"), "{lowered}");
    let stores = |words: &str| text(&call(words).stdout).matches("st.global").count();
    assert_eq!(stores("compile -O1 unrolled.cu"), 1);
    assert_eq!(stores("compile unrolled.cu"), 4);
}

#[test]
fn the_analysis_counts_last_reads() {
    let output = call("compile add.cu --emit analysis");
    let text = text(&output.stdout);
    let last = text.lines().last().unwrap_or_default();
    assert!(last.starts_with("; ") && last.contains("register operands are last reads"), "{last}");
    let output = call("compile add.cu --emit analysis-json");
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    let registers = &json["kernels"][0]["registers"];
    let number = |key: &str| registers[key].as_u64().unwrap();
    // The two kernel-wide facts differ by the cost of divergence: nothing without divergence.
    assert_eq!(number("last_reads"), number("last_reads_per_thread"));
    assert!(number("last_reads") > 0 && number("last_reads") <= number("operands"));
    assert_eq!(number("most_held"), number("most_held_per_thread"));
}

#[test]
fn sources_have_an_end() {
    let output = call_with("compile -", &vec![b'\n'; (64 << 20) + 1]);
    assert_eq!(status(&output), 2);
    assert!(text(&output.stderr).contains("`<stdin>` is larger than 64 MiB"));
}

#[test]
fn traces() {
    let output = call("run add.cu --machine tiny -q --trace - --trace-format konata");
    assert_eq!(status(&output), 0);
    assert!(text(&output.stdout).contains("Kanata\t0004\nC=\t0\nI\t0\t0\t0\n"));
    let words = "launch add.cu add --grid 2 --block 50 --arg zeros:100 -q --trace trace.json";
    assert_eq!(status(&call(words)), 0);
    let json: Value =
        serde_json::from_slice(&fs::read(FOLDER.join("trace.json")).unwrap()).unwrap();
    let events = json["traceEvents"].as_array().unwrap();
    assert!(events.iter().any(|event| event["name"] == "block 1"));
    for (words, message) in [
        ("--trace t --model functional", "--trace needs --model timing"),
        ("--trace t --trace-sm 15", "the machine has SMs 0 to 14"),
        ("--trace t --trace-cycles 7..7", "there is no cycle in it"),
        ("--trace t --trace-cycles x..7", "`x` is no cycle"),
        ("--trace-sm 1", "--trace <FILE>"),
    ] {
        let output = call(&format!("run add.cu {words}"));
        assert_eq!(status(&output), 2, "{words}");
        assert!(text(&output.stderr).contains(message), "{words}: {}", text(&output.stderr));
    }
    let output = call("run add.cu -q --trace t.json --trace-cycles 900000000..");
    assert!(text(&output.stderr).contains("note: the trace is empty"));
}

/// Names that are unknown, files that are no sources, and names that are short for others.
#[test]
fn names_and_files_that_are_not_there() {
    for (words, wanted, message) in [
        ("occupancy --kernel narow occupied.cu", 2, "did you mean `narrow`?"),
        ("compile --kernel no occupied.cu", 2, "there is no kernel `no`"),
        ("run --trace t.json --trace-kernel ad add.cu", 2, "there is no kernel `ad`"),
        ("run zeros.cu", 2, "`zeros.cu` is not a source"),
        ("run -q --set scheduler=gto status.cu", 1, ""),
        ("run -q --set scheduler=lrr status.cu", 1, ""),
        ("run -q --set scheduler=gtoo status.cu", 2, "unknown scheduler"),
        ("compile --disable-pass unrol add.cu", 2, "did you mean `unroll`?"),
        ("run misspelled.cu", 240, "did you mean `cudaMalloc`?"),
    ] {
        let output = call(words);
        let errors = text(&output.stderr);
        assert_eq!(status(&output), wanted, "{words}: {errors}");
        assert!(errors.contains(message), "{words}: {errors}");
    }
}

/// Samples are of stretches of cycles, add up, and change nothing; a trace has them as values over time.
#[test]
fn samples() {
    let output = call("run add.cu -q --sample-every 100 --stats - --trace s.json --threads 2");
    let all = text(&output.stdout);
    let json: Value = serde_json::from_str(&all[all.find('{').unwrap()..]).unwrap();
    let kernel = &json["kernels"][0];
    let samples = kernel["samples"].as_array().unwrap();
    let cycles: Vec<u64> = samples.iter().map(|it| it["cycle"].as_u64().unwrap()).collect();
    let end = kernel["cycles"].as_u64().unwrap();
    let expected: Vec<u64> = (1..).map(|at| (100 * at).min(end)).take(samples.len()).collect();
    assert_eq!((cycles, expected.last()), (expected.clone(), Some(&end)));
    for counter in ["cycles", "warp_instructions", "issue_slots", "dram_read_bytes", "registers"] {
        let sum = samples.iter().filter_map(|it| it["change"][counter].as_u64()).sum::<u64>();
        assert_eq!(Some(sum), kernel["stats"][counter].as_u64(), "{counter}");
    }
    let plain = text(&call("run add.cu -q --stats -").stdout);
    let plain: Value = serde_json::from_str(&plain[plain.find('{').unwrap()..]).unwrap();
    assert_eq!(plain["kernels"][0]["stats"], kernel["stats"]);
    assert_eq!(plain["kernels"][0].get("samples"), None);
    let trace = fs::read_to_string(FOLDER.join("s.json")).unwrap();
    let trace: Value = serde_json::from_str(&trace).unwrap();
    let events = trace["traceEvents"].as_array().unwrap();
    let ipc: Vec<_> = events.iter().filter(|it| it["ph"] == "C" && it["name"] == "IPC").collect();
    assert_eq!(ipc.len(), samples.len() + 1);
    let mut start = 0;
    for (event, sample) in ipc.iter().zip(samples) {
        let cycle = sample["cycle"].as_u64().unwrap();
        let issued = sample["change"]["warp_instructions"].as_u64().unwrap_or(0);
        let expected = issued as f64 / (cycle - start) as f64;
        let value = &event["args"]["warp instructions per cycle"];
        assert_eq!((&event["ts"], value), (&start.into(), &expected.into()));
        start = cycle;
    }
    for (words, message) in [
        ("--sample-every 0", "1.."),
        ("--sample-every 9", "nowhere to write to"),
        ("--sample-every 9 --trace t --trace-format konata", "nowhere to write to"),
        ("--sample-every 9 --stats - --model functional", "--model timing"),
    ] {
        let output = call(&format!("run add.cu {words}"));
        assert_eq!(status(&output), 2, "{words}");
        assert!(text(&output.stderr).contains(message), "{words}: {}", text(&output.stderr));
    }
}

/// The cells of a CSV file, titles first.
fn cells(text: &str) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
    let line =
        |line: Result<csv::StringRecord, _>| line.unwrap().iter().map(str::to_owned).collect();
    reader.records().map(line).collect()
}

/// The kernels of other compilers run beside the program's own.
#[test]
fn kernels_from_files_are_compared() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let program = root.join("examples/saxpy.cu");
    let ptx = |compiler: &str| root.join(format!("tests/data/ptx/saxpy.{compiler}.ptx"));
    let (program, nvcc, clang) =
        (program.display(), ptx("nvcc").display().to_string(), ptx("clang").display().to_string());
    let output = call(&format!(
        "compare -q --json - {program} --vary kernels=none,{nvcc},{clang} --machine tiny -- 1000"
    ));
    assert_eq!(status(&output), 0, "{}", text(&output.stderr));
    let json: Value = serde_json::from_str(&text(&output.stdout)).unwrap();
    let variations = json["programs"][0]["variations"].as_array().unwrap();
    let of = |at: usize, what: &str| variations[at]["provenance"][what].to_string();
    assert_eq!(variations.len(), 3);
    assert_ne!(of(0, "source"), of(1, "source"), "the text of the kernels counts");
    assert_ne!(of(1, "source"), of(2, "source"));
    // The level of PTX is for programs with kernels in PTX.
    let words = format!("compare -q {program} --vary scheduler=oldest-first --machine tiny -O ptx");
    let output = call(&format!("{words} -- 1000"));
    assert!(text(&output.stderr).contains("this is CUDA source"), "{}", text(&output.stderr));
    let output = call(&format!("{words} --kernels {nvcc} -- 1000"));
    assert_eq!(status(&output), 0, "{}", text(&output.stderr));
    let output = call(&format!("compare {program} --vary kernels={program} --machine tiny"));
    assert!(text(&output.stderr).contains("kernels come as PTX"), "{}", text(&output.stderr));
    // The interpreter counts nothing, and compares the outputs and the memory.
    let interpreted = format!(
        "compare --model reference --json - {program} --vary kernels=none,{nvcc} --vary arguments=1000,1001"
    );
    let output = call(&interpreted);
    let table = text(&output.stderr);
    assert_eq!(status(&output), 1, "{table}");
    let titles = table.lines().find(|line| line.contains("kernels")).unwrap();
    assert_eq!(titles.matches('┆').count(), 2, "{table}");
    let json: Value = serde_json::from_str(&text(&output.stdout)).unwrap();
    let of = |at: usize, what: &str| json["programs"][0]["variations"][at][what].clone();
    let agrees: Vec<Value> = (0..4).map(|at| of(at, "agrees")).collect();
    assert_eq!(agrees, [true, false, true, false]);
    assert_eq!(of(2, "stats"), serde_json::json!({}));
}

/// Several programs, each compared by itself; options of the compiler and arguments vary as settings of the machine do.
#[test]
fn programs_options_and_arguments_are_compared() {
    let calls = "compare --csv - -q add.cu branches.cu --vary=-O=0,2 --vary=--unroll=1,4";
    let csv = text(&call(calls).stdout);
    let lines = cells(&csv);
    let whole: Vec<String> = lines[1..]
        .iter()
        .filter(|line| line[3].is_empty())
        .map(|line| line[..3].join(" "))
        .collect();
    let of =
        |program: &str| ["0 1", "0 4", "2 1", "2 4"].map(|values| format!("{program} {values}"));
    assert_eq!(whole, [of("add.cu"), of("branches.cu")].concat());
    let compile = lines[0].iter().position(|title| *title == "compile").unwrap();
    assert_eq!(lines[1][compile], "-O0 --unroll=1");
    let table = text(&call("compare add.cu branches.cu --vary=-O=0,2").stdout);
    assert_eq!(table.matches("the first").count(), 2, "{table}");
    assert!(table.contains("program"), "{table}");
    let json = text(&call("compare -q --json - width.cu --vary sm.warp-width=8 --vary arguments=,x --model functional").stdout);
    assert!(json.is_empty(), "an empty value is refused");
    let output = call("compare -q --json - width.cu --vary arguments=x,y --set sm.warp-width=8");
    let json: Value = serde_json::from_str(&text(&output.stdout)).unwrap();
    assert_eq!(
        json["programs"][0]["variations"][1]["provenance"]["arguments"],
        serde_json::json!(["y"])
    );
    let machine = json["programs"][0]["variations"][1]["provenance"]["machine"].as_str().unwrap();
    fs::write(FOLDER.join("resolved.toml"), machine).unwrap();
    let again = call("compare -q --json - width.cu --vary arguments=x,y --machine resolved.toml");
    assert_eq!(again.stdout, output.stdout, "the machine comes back from its file");
}
