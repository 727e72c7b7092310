//! Kernels at every level: the written form can be read, changed and run again.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = std::env::temp_dir().join(format!("reconverge-levels-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("host.cu"), HOST).unwrap();
    fs::write(folder.join("moved.cu"), HOST.replace("__global__", "\n__global__")).unwrap();
    folder
});

/// A program with all that a kernel's text has to carry: device variables, shared memory, a loop with a pragma, a divergent branch and
/// parameters of every size.
const HOST: &str = r#"#include <stdio.h>
__device__ int offset = 3;
__constant__ float weights[4] = {0.5f, 1.5f, 2.5f, 3.5f};
__global__ void mix(float *out, const float *in, double scale, int n, short shift, bool twice)
{
    __shared__ float part[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = i < n ? in[i] : 0.0f;
    __syncthreads();
    float sum = 0.0f;
#pragma unroll 2
    for (int k = 0; k < 4; k++)
        sum += weights[k] * part[(threadIdx.x + k * shift) % 64];
    if (threadIdx.x % 3 == 0)
        sum = sum * (float)scale + offset;
    if (i < n)
        out[i] = twice ? 2 * sum : sum;
}
int main()
{
    float *in, *out, host[128];
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    for (int i = 0; i < 128; i++) host[i] = i;
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    mix<<<2, 64>>>(out, in, 1.25, 120, 2, true);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    double all = 0;
    for (int i = 0; i < 120; i++) all += host[i];
    printf("%.3f\n", all);
    return 0;
}
"#;

fn call(words: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_reconverge"));
    command.current_dir(&*FOLDER).args(words.split_whitespace()).output().unwrap()
}

fn good(words: &str) -> String {
    let output = call(words);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "reconverge {words}\n{errors}");
    String::from_utf8(output.stdout).unwrap()
}

fn bad(words: &str, status: i32) -> String {
    let output = call(words);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(status), "reconverge {words}\n{errors}");
    errors
}

fn put(name: &str, text: &str) {
    fs::write(FOLDER.join(name), text).unwrap();
}

#[test]
fn a_kernel_does_the_same_at_every_level() {
    good("compile host.cu --emit ir -o same.ir");
    good("compile host.cu -o same.asm");
    good("compile host.cu --emit bin -o same.bin");
    let launch = |file: &str, values: &str| {
        good(&format!("launch {file} mix --grid 2 --block 64 -q --machine tiny {values}"))
    };
    let buffers = "--arg zeros:128 --arg random:128:seed=4";
    let expected = launch("host.cu", &format!("{buffers} --arg 1.25 --arg 120 --arg 2 --arg true"));
    let typed = "--arg zeros:128:type=f32 --arg random:128:seed=4:type=float --arg double:1.25 --arg b32:120 --arg s16:2 --arg bool:true";
    let expected_run = good("run -q --machine tiny host.cu");
    for file in ["same.ir", "same.asm", "same.bin"] {
        assert_eq!(launch(file, typed), expected, "{file}");
        let run = good(&format!("run -q --machine tiny host.cu --kernels {file}"));
        assert_eq!(run, expected_run, "{file}");
    }
    // From level to level on: machine code made of the IR is that of the source, when the passes run once.
    good("compile host.cu --emit ir -O0 -o plain.ir");
    let whole = good("compile host.cu --no-locations");
    assert_eq!(good("compile plain.ir --no-locations"), whole);
    assert_eq!(good("compile same.asm --no-locations"), whole);
    assert_eq!(good("compile same.bin --no-locations"), whole);
    assert_eq!(good("disasm same.bin"), good("compile same.bin"));
}

#[test]
fn ptx_is_compiled_as_it_stands() {
    put(
        "written.ptx",
        ".version 8.0\n.target sm_75\n.address_size 64\n\n.visible .entry k(.param .u64 p, .param .u32 n)\n{\n\
         .reg .b32 %r<6>; .reg .b64 %rd<5>;\n\
         ld.param.u64 %rd1, [p];\nld.param.u32 %r1, [n];\ncvta.to.global.u64 %rd2, %rd1;\nmov.u32 %r2, %tid.x;\n\
         mul.wide.u32 %rd3, %r2, 4;\nadd.s64 %rd4, %rd2, %rd3;\nmul.lo.s32 %r3, %r2, %r1;\nmov.u32 %r4, 7;\n\
         add.s32 %r5, %r3, %r4;\nst.global.u32 [%rd4+8], %r5;\nret;\n}\n",
    );
    let code = |level: &str| {
        let text = good(&format!("compile written.ptx --no-locations -O {level}"));
        let is_code = |line: &&str| line.starts_with("        ");
        text.lines().filter(is_code).map(|line| line.trim().to_owned()).collect::<Vec<_>>()
    };
    let starts: Vec<String> =
        code("ptx").iter().map(|line| line.split(' ').next().unwrap_or("").to_owned()).collect();
    let expected = [
        "mov.b64",
        "mov.b32",
        "mov.b64",
        "mov.b32",
        "cvt.u64.u32",
        "mul.i64",
        "add.i64",
        "mul.i32",
        "mov.b32",
        "add.i32",
        "st.global.b32",
        "exit",
    ];
    assert_eq!(starts, expected, "{:#?}", code("ptx"));
    assert!(code("2").len() < expected.len());
    let run = |level: &str| {
        good(&format!(
            "launch written.ptx k -q --grid 1 --block 4 --arg zeros:8:type=i32 --arg i32:5 -O {level}"
        ))
    };
    assert_eq!(run("ptx"), run("2"));
    let errors = bad("compile host.cu -O ptx", 2);
    assert!(
        errors.contains("`-O ptx` keeps the instructions of PTX, and this is CUDA source"),
        "{errors}"
    );
    good("compile written.ptx --emit ir -o written.ir");
    good("compile written.ptx -o written.asm");
    for file in ["written.ir", "written.asm"] {
        let errors = bad(&format!("compile {file} --emit asm -O ptx"), 1);
        assert!(errors.contains("`-O ptx` keeps the instructions of PTX; this is an"), "{errors}");
    }
    let errors = bad("compile written.ptx -O 3", 2);
    assert!(errors.contains("`3` is not 0, 1, 2 or ptx"), "{errors}");
}

#[test]
fn a_replaced_kernel_runs() {
    let asm = good("compile host.cu --no-locations");
    put(
        "other.asm",
        &asm.replace(".kernel mix", "// changed\n.kernel mix").replace("mul.f32", "add.f32"),
    );
    let (own, other) = (good("run -q host.cu"), good("run -q host.cu --kernels other.asm"));
    assert_ne!(own, other);
    put("less.asm", &asm.replace("    .param twice 30 1\n", ""));
    let errors = bad("run -q host.cu --kernels less.asm", 240);
    assert!(errors.contains("error[E0804]: `mix` has the parameters `out` (8 B at 0)"), "{errors}");
    put("moved.asm", &asm.replace("0x10000000 4", "0x10000100 4"));
    let errors = bad("run -q host.cu --kernels moved.asm", 240);
    assert!(
        errors.contains("`offset` has 4 bytes at 0x10000100, in the program 4 at 0x10000000"),
        "{errors}"
    );
    let errors = bad("run host.cu --model reference --kernels other.asm", 2);
    assert!(
        errors.contains("`--model reference` runs the source and PTX, not an assembly text"),
        "{errors}"
    );
}

#[test]
fn traps_and_profiles_name_the_lines_of_the_file() {
    put(
        "wild.asm",
        ".kernel k\n    .param p 0 8\n    .registers 2\n  mov.b32 r0, c[0]\n  ld.global.b32 r1, [r0+4096]\n  exit\n",
    );
    let errors = bad("launch wild.asm k --grid 1 --block 1 --arg zeros:4:type=i32", 241);
    assert!(errors.contains("error[R0005]") && errors.contains("wild.asm:5:3"), "{errors}");
    put(
        "wild.ir",
        "kernel k {\n  param \"p\" 0 8\nb0:\n  %0 = param.global 0\n  %1 = const.b32 4096\n  %2 = add.i32 %0, %1\n  st.global.b32 %2, %1\n  return\n}\n",
    );
    let errors = bad("launch wild.ir k --grid 1 --block 1 --arg zeros:4:type=i32 --profile", 241);
    assert!(errors.contains("wild.ir:7:3"), "{errors}");
}

#[test]
fn values_of_bare_code() {
    let lines = "  mov.b32 r0, c[0]\n  ld.global.b32 r1, [r0]\n  add.i32 r1, r1, c[8]\n  add.i32 r1, r1, c[12]\n  st.global.b32 [r0], r1\n  exit\n";
    put("bare.asm", lines);
    let launch = "launch bare.asm kernel --grid 1 --block 1 -q";
    let shown = good(&format!("{launch} --arg fill:1:value=5:type=s32 --arg i32:7 --arg s32:-2"));
    assert!(shown.starts_with("0: int[1] ") && shown.ends_with(": 10\n"), "{shown}");
    let same = format!("{launch} --arg fill:1:value=5:type=i4");
    assert_eq!(good(&format!("{same} --arg b64:18446744065119617031")), shown);
    let errors = bad(&format!("{launch} --arg zeros:1:type=i32 --arg i32:7"), 2);
    assert!(errors.contains("reads 16 bytes of parameters, the arguments have 12"), "{errors}");
    let errors = bad(&format!("{launch} --arg zeros:1 --arg 7 --arg i32:2"), 2);
    assert!(errors.contains("say the elements' type, `type=float`"), "{errors}");
    let errors = bad(&format!("{launch} --arg zeros:1:type=i32 --arg 7 --arg i32:2"), 2);
    assert!(
        errors.contains("`7` has no type") && errors.contains("  --arg 7\n        ^"),
        "{errors}"
    );
    // With parameters: their sizes are checked, and addresses may be words.
    put("sized.asm", &format!(".kernel k\n.param p 0 4\n.param s 8 8\n{lines}"));
    let launch = "launch sized.asm k --grid 1 --block 1 -q";
    let shown = good(&format!("{launch} --arg fill:1:value=5:type=i32 --arg {{i32:7,i32:-2}}"));
    assert!(shown.starts_with("p: int[1] ") && shown.ends_with(": 10\n"), "{shown}");
    let errors = bad(&format!("{launch} --arg zeros:1:type=i32 --arg f32:2"), 2);
    assert!(errors.contains("argument 1, `s` of 8 bytes: `f32:2` has 4 bytes"), "{errors}");
    let errors = bad(&format!("{launch} --arg zeros:1:type=i32"), 2);
    assert!(errors.contains("they are `p` of 4 bytes, `s` of 8 bytes"), "{errors}");
}

#[test]
fn what_a_text_leaves_out_or_can_hardly_mean_is_said() {
    put(
        "odd.asm",
        ".kernel k\n    .param n 0 5\n  setp.ge.s32 p0, r0, c[0]\n  @p0 bra L\n  add.i32 r0, r0, 1\nL: exit\n",
    );
    let errors =
        String::from_utf8(call("launch odd.asm k --grid 1 --block 1 --arg {i32:1,i8:2}").stderr)
            .unwrap();
    for message in [
        "note[W0602]: `k` leaves out what the compiler says of its code",
        "without `.registers 1` a thread has the 1 register that the code names, up to r0",
        "without `!last`, `!uniform`",
        "warning[W0603]: `n` has 5 bytes",
        "warning[W0601]: the branch may diverge",
        "odd.asm:4:3",
        "here they could reconverge",
    ] {
        assert!(errors.contains(message), "no `{message}` in\n{errors}");
    }
    // The compiler's output leaves out nothing.
    good("compile host.cu -o all.asm");
    let said = bad("check all.asm", 0);
    assert!(said.starts_with("all.asm: good; verified and compiled "), "{said}");
    put("overlaps.asm", ".kernel k\n.param a 0 8\n.param b 4 4\nexit\n");
    let errors = bad("asm overlaps.asm", 1);
    assert!(
        errors.contains("parameter `b` begins at byte 4, but `a` has bytes 0 to 7"),
        "{errors}"
    );
    assert!(errors.contains("overlaps.asm:3:1"), "{errors}");
    put("overlaps.ir", "kernel k {\n  param \"a\" 0 8\n  param \"b\" 4 4\nb0:\n  return\n}\n");
    let errors = bad("compile overlaps.ir", 1);
    assert!(errors.contains("overlaps.ir:3:3"), "{errors}");
}

#[test]
fn faults_have_places_and_suggestions() {
    put(
        "faults.ir",
        "version 1\nkernel k {\nb0:\n  %0 = special tid.w\n  %1 = ad.i32 %0, %0\n  %2 = const.b32 1.5\n  st.globl.b32 %1, %0\n  jump 3\n}\n",
    );
    let output = call("compile faults.ir --message-format json");
    assert_eq!(output.status.code(), Some(1));
    let lines = String::from_utf8(output.stderr).unwrap();
    let found: Vec<(u64, u64, String)> = lines
        .lines()
        .map(|line| {
            let found: serde_json::Value = serde_json::from_str(line).unwrap();
            let code = found["code"].as_str().unwrap();
            assert!(["E0801", "E0807", "E0808"].contains(&code), "{code}");
            assert_eq!(found["labels"][0]["file"].as_str(), Some("faults.ir"));
            let number = |key: &str| found["labels"][0][key].as_u64().unwrap();
            (number("line"), number("column"), found["helps"][0].as_str().unwrap_or("").to_owned())
        })
        .collect();
    let expected = [
        (4, 16, "did you mean `tid.x`?"),
        (5, 8, "did you mean `add.i32`?"),
        (6, 18, "constants are bits: as a float it is `0x3fc00000`"),
        (7, 3, "did you mean `global`?"),
        (8, 8, ""),
    ];
    let expected: Vec<_> = expected.iter().map(|it| (it.0, it.1, it.2.to_owned())).collect();
    assert_eq!(found, expected);
    put("newer.asm", ".version 99\n.kernel k\nexit\n");
    let errors = bad("asm newer.asm", 1);
    assert!(
        errors.contains("the text is of version 99") && errors.contains("newer.asm:1:10"),
        "{errors}"
    );
}

#[test]
fn a_moved_line_changes_nothing_without_locations() {
    for form in ["ir", "asm", "cfg", "analysis", "analysis-json", "passes"] {
        let text = |file: &str| {
            good(&format!(
                "compile {file} --emit {form} --no-locations --path-prefix-map moved=host"
            ))
        };
        let (here, moved) = (text("host.cu"), text("moved.cu"));
        assert_eq!(here, moved, "{form}");
        assert!(!here.contains("moved"), "{form}");
    }
    let with = |file: &str| good(&format!("compile {file}"));
    assert_ne!(with("host.cu"), with("moved.cu"));
    assert!(
        with("host.cu")
            .contains("    // host.cu:7: int i = blockIdx.x * blockDim.x + threadIdx.x;\n")
    );
    let passes = |more: &str| good(&format!("compile host.cu --emit passes{more}"));
    assert_eq!(passes(""), passes(""));
    assert!(!passes("").contains("µs") && passes(" --times").contains("µs"));
    // Numbers have no gaps.
    let ir = good("compile host.cu --emit ir");
    let highest = |mark: char| {
        let words = ir
            .split([' ', ',', '\n', ':'])
            .filter_map(|word| word.strip_prefix(mark)?.parse().ok());
        words.max().unwrap_or(0usize)
    };
    let lines = ir.lines().filter(|line| line.starts_with("  ") && !line.starts_with("  image"));
    assert!(highest('%') < lines.count(), "{ir}");
}

#[test]
fn formatting_keeps_comments_labels_and_meaning() {
    let asm = "; not a comment here".replace("; not a comment here", "// first\n\n\n  .kernel   k\n.registers 2 // one\nloop:  @!p0   add.i32   r0,r0 , r1   !last   0,1\n bra loop !reconverge end ; ");
    put("ugly.asm", &asm.replace(" ; ", "\nend: exit//done\n"));
    assert!(bad("fmt --check ugly.asm", 1).contains("`ugly.asm` is not formatted"));
    good("fmt ugly.asm");
    let expected = "// first\n\n.kernel k\n    .registers 2  // one\nloop:\n  @!p0  add.i32 r0, r0, r1 !last 0,1\n        bra loop !reconverge end\nend:\n        exit  //done\n";
    assert_eq!(fs::read_to_string(FOLDER.join("ugly.asm")).unwrap(), expected);
    good("fmt --check ugly.asm");
    put(
        "ugly.ir",
        "kernel  k{ ; a kernel\n b0 :\n%0=const.b32   1!3 : 4   \"x\"\n\n\n ; alone\n    return\n  }\n",
    );
    good("fmt ugly.ir");
    let expected =
        "kernel k {  ; a kernel\nb0:\n  %0 = const.b32 1 !3:4 \"x\"\n\n  ; alone\n  return\n}\n";
    assert_eq!(fs::read_to_string(FOLDER.join("ugly.ir")).unwrap(), expected);
}

#[test]
fn sub_cores_of_another_simulators_configuration() {
    let of = |model: u32| -> toml::Table {
        let config = format!(
            "-gpgpu_num_sched_per_core 4\n-gpgpu_sub_core_model {model}\n-gpgpu_num_sp_units 4\n\
             -gpgpu_num_int_units 4\n-gpgpu_num_reg_banks 8\n-gpgpu_operand_collector_num_units_gen 8\n\
             -gpgpu_kernel_launch_latency 5000\n"
        );
        put("cores.config", &config);
        good("machine import cores.config --name cores -o cores.toml");
        good("list machine cores.toml").parse().unwrap()
    };
    // That simulator's counts per SM are divided among its sub-cores.
    for (model, sub_cores, count, banks) in [(0, 1, 4, 8), (1, 4, 1, 2)] {
        let machine = of(model);
        let number = |table: &str, key: &str| machine[table][key].as_integer();
        assert_eq!(number("sm", "sub-cores"), Some(sub_cores));
        assert_eq!(number("sm", "launch-latency"), Some(5000));
        for pipe in ["simple", "integer"] {
            assert_eq!(machine["pipes"][pipe]["count"].as_integer(), Some(count), "{pipe}");
        }
        assert_eq!(number("banked", "banks"), Some(banks));
        assert_eq!(number("banked", "collectors"), Some(banks));
    }
}

#[test]
fn values_of_a_machine_have_sources() {
    let listed = good("list machine v100");
    let first = listed.lines().next().unwrap_or_default();
    let numbers: Vec<usize> = first.split(' ').filter_map(|word| word.parse().ok()).collect();
    let table: toml::Table = listed.parse().unwrap();
    let assumed = table["assumed"].as_table().expect("it has some").len();
    assert!(matches!(numbers[..], [all, published, rest] if all == published + rest), "{first}");
    assert!(numbers[2] >= assumed && assumed > 10, "{first}");
    // A setting is assumed, and a machine without the sources of its values has no such note.
    let set = good("list machine v100 --set l1.latency=30");
    assert!(set.starts_with(&format!("# {} values", numbers[0])), "{set}");
    assert!(set.contains("\"l1.latency\" = \"a setting of the command\""), "{set}");
    assert!(!good("list machine gtx480").starts_with('#'));
}

#[test]
fn a_configuration_of_another_simulator_becomes_a_machine() {
    let config =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/gpgpusim/small.config");
    let import = format!("machine import {} --name small -o small.toml", config.display());
    let left = bad(&import, 0);
    for line in [
        "`-a_future_option 1 2 3` has no counterpart",
        "`-power_simulation_enabled 0` is about power",
    ] {
        assert!(left.contains(line), "{left}");
    }
    let machine = good("list machine small.toml");
    let table: toml::Table = machine.parse().unwrap();
    let at = |path: &str| {
        let mut place = toml::Value::Table(table.clone());
        for key in path.split('.') {
            place = place.get(key).unwrap_or_else(|| panic!("no {path}")).clone();
        }
        place.to_string()
    };
    let expected = [
        ("sms", "6"),
        ("clock-mhz", "600.0"),
        ("interconnect.clock-mhz", "500.0"),
        ("l2.clock-mhz", "550.5"),
        ("dram.clock-mhz", "800.0"),
        ("sm.warps", "24"),
        ("sm.schedulers", "4"),
        ("sm.pairing", "\"next-instruction\""),
        ("scheduler", "\"two-level\""),
        ("two-level.pool", "6"),
        ("barrier.counts", "\"threads\""),
        ("pipes.integer.count", "2"),
        ("units.integer.pipe", "\"integer\""),
        ("units.integer.latency", "3"),
        ("units.integer-divide.initiation", "6"),
        ("units.float.latency", "6"),
        ("units.special.latency", "20"),
        ("l1.size", "12288"),
        ("l1.sector", "32"),
        ("l2.size", "262144"),
        ("l2.sector", "128"),
        ("l2.mshrs", "80"),
        ("l2.replacement", "\"fifo\""),
        ("l2.hash", "\"xor\""),
        ("l2.latency", "40"),
        ("l2.interleave", "256"),
        ("dram.mapping", "\"row bank:2 column:5 group:2 column:2\""),
        ("dram.timing.ccd-l", "2"),
        ("banked.collectors", "6"),
    ];
    for (path, value) in expected {
        assert_eq!(at(path), value, "{path}");
    }
    let run = good("run -q host.cu --machine small.toml");
    assert_eq!(run, good("run -q host.cu"));
    put(
        "bad.config",
        "-gpgpu_n_mem many\n-gpgpu_cache:dl1 N:1\n# -gpgpu_n_clusters 3\n-gpgpu_shader_core_pipeline \"1:2",
    );
    let errors = bad("machine import bad.config", 1);
    assert!(
        errors.contains("the quotation has no end") && errors.contains("bad.config:4:29"),
        "{errors}"
    );
    put("bad.config", "-gpgpu_n_mem many\n-gpgpu_cache:dl1 N:1\n");
    let errors = bad("machine import bad.config", 1);
    assert!(errors.contains("bad.config:1:1") && errors.contains("bad.config:2:1"), "{errors}");
}

#[test]
fn shells_and_man_know_the_commands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = good(&format!("completions {shell}"));
        assert!(script.contains("occupancy") && script.contains("no-locations"), "{shell}");
    }
    assert!(good("man").contains(".TH reconverge 1"));
    good("man -o pages");
    let page = fs::read_to_string(FOLDER.join("pages/reconverge-launch.1")).unwrap();
    assert!(page.contains("Blocks of the grid"), "{page}");
}

/// A program whose kernels are instances of a template.
const INSTANCES: &str = r#"#include <stdio.h>
template <int N> __global__ void fill(int *out) { out[threadIdx.x] = N; }
template <typename T> __global__ void twice(T *out) { out[threadIdx.x] *= 2; }
int main()
{
    int *out, host[2][32];
    cudaMalloc(&out, sizeof host);
    fill<1><<<1, 32>>>(out);
    fill<-2><<<1, 32>>>(out + 32);
    twice<<<1, 64>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d\n", host[0][31], host[1][31]);
    return 0;
}
"#;

/// The same kernels, which read what they write from a table of the module's own.
const TABLE: &str = r#"
.version 8.0
.target sm_75
.address_size 64
.const .align 4 .u32 table[2] = {5, 7};
.visible .entry _Z4fillILi1EEvPi(.param .u64 out)
{
    .reg .b32 %r<3>;
    .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mad.wide.u32 %rd2, %r1, 4, %rd1;
    ld.const.u32 %r2, [table];
    st.global.u32 [%rd2], %r2;
    ret;
}
.visible .entry _Z4fillILin2EEvPi(.param .u64 out)
{
    .reg .b32 %r<3>;
    .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mad.wide.u32 %rd2, %r1, 4, %rd1;
    ld.const.u32 %r2, [table+4];
    st.global.u32 [%rd2], %r2;
    ret;
}
.visible .entry _Z5twiceIiEvPT_(.param .u64 out)
{
    .reg .b32 %r<3>;
    .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mad.wide.u32 %rd2, %r1, 4, %rd1;
    ld.global.u32 %r2, [%rd2];
    mul.lo.u32 %r2, %r2, 100;
    st.global.u32 [%rd2], %r2;
    ret;
}
"#;

/// PTX names instances of templates by their arguments, and has variables that the program lacks.
#[test]
fn instances_and_tables_of_ptx() {
    fs::write(FOLDER.join("instances.cu"), INSTANCES).unwrap();
    fs::write(FOLDER.join("table.ptx"), TABLE).unwrap();
    assert_eq!(good("run -q instances.cu"), "2 -4\n");
    for model in ["timing", "functional", "reference"] {
        let run = good(&format!("run -q instances.cu --kernels table.ptx --model {model}"));
        assert_eq!(run, "500 700\n", "{model}");
    }
    let run = good("run -q instances.cu --kernels table.ptx -O ptx");
    assert_eq!(run, "500 700\n");
    fs::write(FOLDER.join("unknown.ptx"), TABLE.replace("ILi1E", "ILi3E")).unwrap();
    let errors = bad("run -q instances.cu --kernels unknown.ptx", 240);
    assert!(errors.contains("the program has no kernel `fill<3>`"), "{errors}");
}
