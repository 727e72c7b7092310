//! Messages about limits: each names the limit, its value, the requested value, and the option that
//! raises it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// A launch that cannot run, whose error the program ignores unless it has a second argument.
const LAUNCHES: &str = r#"#include <stdio.h>
__global__ void fill(int *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 7; }
extern __shared__ int dynamic[];
__global__ void more(int *a) { dynamic[threadIdx.x] = 7; a[threadIdx.x] = dynamic[threadIdx.x]; }
__global__ void __launch_bounds__(64) bound(int *a) { *a = 1; }
int main(int argc, char **argv)
{
    int *d, which = atoi(argv[1]);
    cudaMalloc(&d, 4096);
    if (which == 0) fill<<<1, 2048>>>(d);
    if (which == 1) more<<<1, 64, 60000>>>(d);
    if (which == 2) fill<<<0, 64>>>(d);
    if (which == 3) fill<<<1, dim3(1, 1, 65)>>>(d);
    if (which == 4) fill<<<dim3(1, 70000), 1>>>(d);
    if (which == 5) bound<<<1, 65>>>(d);
    if (argc > 2) printf("error %d\n", cudaGetLastError());
    return 0;
}
"#;

/// A kernel with many live values, as a block of 1024 threads.
const REGISTERS: &str = r#"#include <stdio.h>
__global__ void k(float *a)
{
    float v[40];
#pragma unroll
    for (int i = 0; i < 40; i++) v[i] = a[threadIdx.x + i * 1024];
#pragma unroll
    for (int i = 0; i < 40; i++) v[i] = v[i] * v[(i * 7 + 3) % 40] + v[(i * 11 + 5) % 40];
#pragma unroll
    for (int i = 0; i < 40; i++) a[threadIdx.x + i * 1024] = v[i];
}
int main()
{
    float *a;
    cudaMalloc(&a, 40 * 1024 * sizeof(float));
    k<<<1, 1024>>>(a);
    printf("error %d\n", cudaGetLastError());
    return 0;
}
"#;

/// Memory of each kind, more than there is.
const MEMORY: &str = r#"#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int which = atoi(argv[1]);
    char *p = 0;
    if (which == 0) p = (char *)malloc(1200000000);
    if (which == 1) p = new char[1200000000];
    if (which == 2) cudaMallocHost((void **)&p, 2000000000);
    if (which == 3) cudaMallocManaged((void **)&p, 2000000000);
    if (which == 4) p = (char *)calloc(1ul << 40, 1ul << 40);
    if (argc > 2)
        return p == 0;
    p[0] = 1;
    return 0;
}
"#;

/// A barrier of all blocks, which needs them all at once.
const BLOCKS: &str = r#"#include <stdio.h>
__global__ void meet(int *gate)
{
    if (threadIdx.x == 0) {
        atomicAdd(gate, 1);
        while (atomicAdd(gate, 0) < gridDim.x)
            ;
    }
    __syncthreads();
}
int main(int argc, char **argv)
{
    int *gate;
    cudaMalloc(&gate, 4);
    cudaMemset(gate, 0, 4);
    meet<<<atoi(argv[1]), 64>>>(gate);
    cudaDeviceSynchronize();
    return 0;
}
"#;

/// The folder with the programs, which are written once: another test may be reading them.
fn folder() -> PathBuf {
    static WRITTEN: OnceLock<PathBuf> = OnceLock::new();
    let write = || {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("limits");
        fs::create_dir_all(&folder).unwrap();
        let programs = [
            ("launches", LAUNCHES),
            ("registers", REGISTERS),
            ("memory", MEMORY),
            ("blocks", BLOCKS),
        ];
        for (name, text) in programs {
            fs::write(folder.join(name).with_extension("cu"), text).unwrap();
        }
        folder
    };
    WRITTEN.get_or_init(write).clone()
}

/// Runs a command, and checks its status and that standard error has each text.
fn says(folder: &Path, words: &str, status: i32, parts: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_reconverge"));
    let output = command.current_dir(folder).args(words.split(' ')).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{words}: {errors}");
    for part in parts {
        assert!(errors.contains(part), "{words} does not say `{part}`: {errors}");
    }
    output
}

#[test]
fn a_denied_launch_names_the_limit() {
    let folder = folder();
    let cases = [
        (0, "2,048 threads per block along x; the machine allows 1,024"),
        (1, "60,000 bytes of dynamic shared memory per block; the machine allows 49,152"),
        (2, "0 blocks per grid along x; there must be at least 1"),
        (3, "65 threads per block along z; the machine allows 64"),
        (4, "70,000 blocks per grid along y; the machine allows 65,535"),
        (5, "65 threads per block; `__launch_bounds__` of `bound` allows 64"),
    ];
    for model in ["timing", "reference"] {
        for (which, limit) in cases {
            let words = format!("run --quiet --model {model} launches.cu -- {which}");
            says(&folder, &words, 0, &["warning[R0107]", "does not check this launch", limit]);
            // A program that reads the error gets the same information.
            says(&folder, &format!("{words} ask"), 0, &["note[N0002]", limit]);
        }
    }
    let words = "launch launches.cu fill --grid 1 --block 2048 --arg zeros:1";
    says(&folder, words, 2, &["`fill` cannot be launched: 2,048 threads per block"]);
}

#[test]
fn too_many_registers_are_an_error_of_the_launch() {
    let folder = folder();
    for model in ["timing", "functional", "reference"] {
        let words = format!("run --quiet --model {model} registers.cu");
        let output = says(
            &folder,
            &words,
            0,
            &["1,024 threads of", "an SM has 32,768", "compile with `--max-registers 32`"],
        );
        assert_eq!(String::from_utf8_lossy(&output.stdout), "error 701\n");
        let words = format!("{words} --max-registers 32");
        let output = says(&folder, &words, 0, &[]);
        assert_eq!(String::from_utf8_lossy(&output.stdout), "error 0\n");
    }
}

#[test]
fn a_call_that_finds_no_memory_is_named() {
    let folder = folder();
    let host = ["of the host's 1,073,741,824 bytes are free", "`--host-memory BYTES`"];
    let parts = [host[0], host[1], "1,200,000,000 bytes asked for", "found no memory"];
    says(&folder, "run --quiet memory.cu -- 0", 241, &parts);
    says(&folder, "run --quiet memory.cu -- 0 ask", 1, &["note[N0002]", host[0], host[1]]);
    says(&folder, "run --quiet memory.cu -- 1", 241, &["`new` finds no memory", host[0], host[1]]);
    let device = ["2,000,000,000 bytes asked for", "of the device's 1,610,612,736 bytes are free"];
    for which in [2, 3] {
        says(&folder, &format!("run --quiet memory.cu -- {which}"), 241, &device);
        says(
            &folder,
            &format!("run --quiet memory.cu -- {which} ask"),
            1,
            &["note[N0002]", device[1]],
        );
    }
    says(&folder, "run --quiet memory.cu -- 4", 241, &["use a smaller problem", "32 bits"]);
    says(&folder, "run --quiet --host-memory 2000M memory.cu -- 0", 0, &[]);
}

#[test]
fn a_deadlock_says_which_blocks_have_not_started() {
    let folder = folder();
    for model in ["functional", "reference"] {
        let note = format!(
            "1 block has not started: under `--model {model}` blocks run one after another"
        );
        let words = format!("run --quiet --model {model} blocks.cu -- 2");
        says(&folder, &words, 242, &[&note, "use `--model timing`"]);
    }
    says(&folder, "run --quiet blocks.cu -- 2", 0, &[]);
    let parts =
        ["blocks have not started: a block waits until an SM has room", "`reconverge occupancy`"];
    says(&folder, "run --quiet --machine tiny blocks.cu -- 100", 242, &parts);
}

#[test]
fn occupancy_asks_for_dynamic_shared_memory() {
    let folder = folder();
    let note =
        "`more` uses dynamic shared memory, `dynamic`: give its bytes per block with `--shared N`";
    says(&folder, "occupancy launches.cu --kernel more", 0, &[note]);
    for words in
        ["occupancy launches.cu --kernel more --shared 256", "occupancy launches.cu --kernel fill"]
    {
        assert!(says(&folder, words, 0, &[]).stderr.is_empty(), "{words}");
    }
}

#[test]
fn templates_types_and_empty_files_are_explained() {
    let folder = folder();
    let templates = "template <typename T, int N = 4> __global__ void k(T *a) { *a = N; }\n\
                     template <typename T = float> __global__ void d(T *a) { *a = 1; }\n\
                     namespace n { template <int N> __global__ void in(int *a) { *a = N; } }\n";
    fs::write(folder.join("templates.cu"), templates).unwrap();
    let launch = "--grid 1 --block 1 --arg zeros:1";
    says(
        &folder,
        &format!("launch templates.cu k {launch}"),
        2,
        &[
            "the kernel `k` is a template",
            "it takes `typename T, int N = 4`",
            "as in `k<float, 4>`",
        ],
    );
    says(&folder, &format!("launch templates.cu n::in {launch}"), 2, &["as in `n::in<4>`"]);
    says(&folder, &format!("launch templates.cu k<int> {launch}"), 0, &[]);
    says(&folder, &format!("launch templates.cu d {launch}"), 0, &[]);
    let types = "struct Particle { float x; };\n\
                 __global__ void k(flaot *a, Partcle *p) { doubel x; uin32_t u; }\n";
    fs::write(folder.join("types.cu"), types).unwrap();
    let meant =
        ["float", "Particle", "double", "uint32_t"].map(|name| format!("did you mean `{name}`?"));
    says(&folder, "compile types.cu", 1, &meant.each_ref().map(String::as_str));
    for file in ["empty.ir", "empty.asm"] {
        fs::write(folder.join(file), "").unwrap();
        says(
            &folder,
            &format!("compile {file} --emit asm"),
            1,
            &[&format!("`{file}` holds no kernel")],
        );
    }
    // A header that comes with the compiler is no place for a warning about the program.
    let unset = "#include <helper_math.h>\n\
                 __global__ void k(float4 *out) { float4 a, b = make_float4(1, 2, 3, 4); out[0] = a + b; }\n";
    fs::write(folder.join("unset.cu"), unset).unwrap();
    let output = says(&folder, "compile unset.cu --emit asm", 0, &[]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!errors.contains("─ <"), "{errors}");
}
