//! `launch`: kernels without a host program, as a person at a shell meets them, and from Rust.

use reconverge::execute::ModelName;
use reconverge::host::device::LaunchRequest;
use reconverge::session::npy;
use reconverge::{Arg, CompileOptions, Error, Module, Target};
use reconverge_compiler::check::tree::FunctionId;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Arc, LazyLock};

const KERNELS: &str = r"
struct pair { float a; int b[2]; float *data; };
__constant__ float scale = 2;
__device__ int calls;

__global__ void axpy(float *y, const float *x, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] += a * x[i];
    if (i == 0)
        calls++;
}
__global__ void use(pair p, float4 *v, void *raw, unsigned char c, bool f)
{
    p.data[threadIdx.x] += p.a + p.b[1] * scale + v[threadIdx.x].y + c + f;
    ((int *)raw)[threadIdx.x] = 7;
}
__global__ void copy(unsigned char *to, const short *from) { to[threadIdx.x] = from[threadIdx.x]; }
__global__ void far(int *p) { p[100000] = 1; }
__global__ __launch_bounds__(64) void bound(int *p) { p[threadIdx.x] = 1; }
";

static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("launch");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("k.cu"), KERNELS).unwrap();
    fs::write(folder.join("wrong.cu"), "__global__ void k(int *p) { *p = q; }\n").unwrap();
    fs::write(folder.join("three.txt"), "1, 2\n-3\n").unwrap();
    fs::write(folder.join("words.txt"), "1\n2 x\n").unwrap();
    fs::write(folder.join("odd.raw"), [1, 2, 3]).unwrap();
    fs::write(folder.join("shorts.raw"), [1, 0, 0x2C, 1]).unwrap();
    let array =
        npy::Array { scalar: reconverge::session::Scalar::F64, shape: vec![2], bytes: vec![0; 16] };
    fs::write(folder.join("doubles.npy"), npy::write(&array)).unwrap();
    folder
});

/// Words are separated by blanks; `_` represents a blank inside of one.
fn launch(words: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_reconverge"));
    command.current_dir(&*FOLDER).arg("launch");
    command.args(words.split_whitespace().map(|word| word.replace('_', " ")));
    command.output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn buffers_are_made_shown_and_saved() {
    // The words, and lines of the output; the digest is left out.
    let cases: &[(&str, &[&str])] = &[
        (
            "k.cu axpy --grid 4 --block 64 --arg zeros:256 --arg iota:256 --arg 2.5 --arg 3",
            &["y: float[256]: 0 2.5 5 0 0 0 0 0 ...", "x: float[256]: 0 1 2 3 4 5 6 7 ..."],
        ),
        (
            "k.cu axpy --grid 2,2 --block 1,1,2 --arg fill:3:value=-1e3 --arg \
             iota:3:start=5:step=-0.5 --arg 0x10 --arg 0 --show 2",
            &["y: float[3]: -1000 -1000 ...", "x: float[3]: 5 4.5 ..."],
        ),
        (
            "k.cu use --grid 1 --block 2 --arg {1.5,{1,2},fill:2:value=10} --arg iota:2 --arg \
             zeros:2:type=int --arg 65 --arg true",
            &[
                "p.data: float[2]: 82.5 86.5",
                "v: float4[2]: {0, 1, 2, 3} {4, 5, 6, 7}",
                "raw: int[2]: 7 7",
            ],
        ),
        (
            "k.cu copy --grid 1 --block 2 --arg zeros:2 --arg raw:shorts.raw",
            &["to: unsigned char[2]: 1 44", "from: short[2]: 1 300"],
        ),
        (
            "k.cu copy --grid 1 --block 3 --arg zeros:3 --arg text:three.txt --save to=to.npy \
             --save 0=to.txt --save to=to.bin",
            &["to: unsigned char[3]: 1 2 253", "from: short[3]: 1 2 -3"],
        ),
    ];
    for &(words, wanted) in cases {
        for model in ["timing", "functional", "reference"] {
            let output = launch(&format!("{words} --quiet --model {model}"));
            let errors = text(&output.stderr);
            assert!(output.status.success() && errors.is_empty(), "{words}\n{errors}");
            let shown = text(&output.stdout);
            let without_digest = |line: &str| {
                let (before, rest) = line.split_once(" digest ").unwrap();
                format!("{before}:{}", rest.split_once(':').unwrap().1)
            };
            let lines: Vec<String> = shown.lines().map(without_digest).collect();
            assert_eq!(lines, wanted, "{words} {model}");
        }
    }
    let saved = npy::read(&fs::read(FOLDER.join("to.npy")).unwrap()).unwrap();
    assert_eq!((saved.shape, saved.bytes), (vec![3], vec![1, 2, 253]));
    assert_eq!(fs::read(FOLDER.join("to.txt")).unwrap(), b"1\n2\n253\n");
    assert_eq!(fs::read(FOLDER.join("to.bin")).unwrap(), [1, 2, 253]);
}

#[test]
fn an_array_is_read_with_its_shape_and_type() {
    let words = "k.cu use --grid 1 --block 1 --arg {0,{0,0},zeros:4} --arg iota:3 --arg \
                 zeros:1:type=i32 --arg 0 --arg 0 --save v=v.npy -q";
    assert!(launch(words).status.success());
    let saved = npy::read(&fs::read(FOLDER.join("v.npy")).unwrap()).unwrap();
    assert_eq!(saved.shape, [3, 4]);
    assert!(
        launch(&words.replace("iota:3", "npy:v.npy").replace("v=v.npy", "v=w.npy"))
            .status
            .success()
    );
    assert_eq!(fs::read(FOLDER.join("v.npy")).unwrap(), fs::read(FOLDER.join("w.npy")).unwrap());
}

#[test]
fn random_numbers_are_the_same_each_time_and_in_range() {
    let words =
        "k.cu copy --grid 1 --block 1 --arg zeros:1 --arg random:500:min=-3:max=2 --show 500 -q";
    let shown = text(&launch(words).stdout);
    assert_eq!(shown, text(&launch(words).stdout));
    let line = shown.lines().nth(1).unwrap().split_once(": short").map_or(&*shown, |pair| pair.1);
    let numbers = line.split_once(": ").unwrap().1.split(' ');
    let mut seen: Vec<i32> = numbers.map(|word| word.parse().unwrap()).collect();
    assert_eq!(seen.len(), 500);
    seen.sort();
    seen.dedup();
    assert_eq!(seen, [-3, -2, -1, 0, 1, 2]);
}

#[test]
fn statuses_and_messages() {
    let base = "k.cu copy --grid 1 --block 1";
    let cases: &[(&str, i32, &str)] = &[
        ("wrong.cu k --grid 1 --block 1 --arg zeros:1", 240, "wrong.cu:1:34"),
        ("k.cu axpi --grid 1 --block 1", 2, "did you mean `axpy`?"),
        ("k.cu copy --grid 1 --block 1 --arg zeros:1", 2, "copy(unsigned char *to, short *from)"),
        ("BASE --arg 3 --arg zeros:1", 2, "`3` is no buffer"),
        (
            "BASE --arg zeros:1 --arg random:3:sed=4",
            2,
            "  --arg random:3:sed=4\n                 ^^^\n",
        ),
        ("BASE --arg zeros:1 --arg zero:3", 2, "did you mean `zeros`?"),
        ("BASE --arg zeros:1 --arg zeros:many", 2, "a number of elements"),
        ("BASE --arg zeros:99999999999 --arg zeros:1", 2, "do not fit device memory"),
        ("BASE --arg fill:2:value=300 --arg zeros:1", 2, "`300` is no `unsigned char`"),
        ("BASE --arg zeros:1 --arg random:2:min=5:max=4", 2, "min is 5, more than max, 4"),
        ("BASE --arg zeros:1 --arg npy:nope.npy", 2, "cannot read `nope.npy`"),
        ("BASE --arg zeros:1 --arg npy:three.txt", 2, "no `.npy` file"),
        ("BASE --arg zeros:1 --arg npy:doubles.npy", 2, "save `a.astype('i2')`"),
        ("BASE --arg zeros:1 --arg raw:odd.raw", 2, "no multiple of the 2"),
        ("BASE --arg zeros:1 --arg text:words.txt", 2, "line 2: `x` is no `short`"),
        ("BASE --arg zeros:1 --arg zeros:2:type=float", 2, "the elements are `short`, not `float`"),
        ("BASE --arg zeros:1 --arg zeros:2:type=flaot", 2, "did you mean `float`?"),
        ("BASE --arg zeros:1 --arg zeros:1 --save too=x.npy", 2, "did you mean `to`?"),
        ("BASE --arg zeros:1 --arg zeros:1 --save to=no/such/x.npy", 2, "cannot write"),
        (
            "k.cu copy --grid 0 --block 1 --arg zeros:1 --arg zeros:1",
            2,
            "0 blocks per grid along x",
        ),
        ("k.cu copy --grid 1,2,3,4 --block 1", 2, "at most three extents"),
        ("k.cu bound --grid 1 --block 65 --arg zeros:65", 2, "of `bound` allows 64"),
        (
            "k.cu bound --grid 1 --block 6 --shared 999999 --arg zeros:65",
            2,
            "dynamic shared memory",
        ),
        ("k.cu far --grid 1 --block 1 --arg zeros:4", 241, "error[R0005]"),
        ("k.cu far --grid 1 --block 1 --arg null", 241, "0x00061a80"),
        (
            "k.cu use --grid 1 --block 1 --arg 1 --arg zeros:1 --arg null --arg 1 --arg 1",
            2,
            "is written as a list",
        ),
        (
            "k.cu use --grid 1 --block 1 --arg {1,{1,2,3},null} --arg null --arg null --arg 1 --arg 1",
            2,
            "`int[2]` has 2 members ([0], [1]), 3 given",
        ),
        (
            "k.cu use --grid 1 --block 1 --arg {1,{1,2},null} --arg null --arg zeros:4 --arg 1 --arg 1",
            2,
            "`type=float`",
        ),
    ];
    for &(words, wanted, message) in cases {
        let words = words.replace("BASE", base);
        for model in ["timing", "reference"] {
            let output = launch(&format!("{words} --model {model}"));
            let errors = text(&output.stderr);
            assert_eq!(output.status.code(), Some(wanted), "launch {words}\n{errors}");
            assert!(errors.contains(message), "launch {words}: no `{message}` in\n{errors}");
            assert!(!errors.contains("panicked"), "launch {words}\n{errors}");
        }
    }
}

#[test]
fn traps_in_ptx_name_the_original_source() {
    let text = ".version 8.0\n.target sm_75\n.address_size 64\n.file 1 \"first.cu\"\n\
        .visible .entry first() {\n.loc 1 7 3\nret; }\n\
        .visible .entry far() {\n.reg .b64 %a;\nmov.b64 %a, 16;\n{ .loc 1 9 5\nst.global.b64 [%a], %a; }\nret; }\n\
        .visible .entry plain() {\n.reg .b64 %a;\nmov.b64 %a, 16;\nst.global.b64 [%a], %a;\nret; }\n";
    fs::write(FOLDER.join("original.ptx"), text).unwrap();
    for (kernel, model, place) in [
        ("far", "reference", "the original source: first.cu:9:5"),
        ("far", "functional", "the original source: first.cu:9:5"),
        ("plain", "reference", "original.ptx:17:1"),
    ] {
        let words = format!("original.ptx {kernel} --grid 1 --block 1 --model {model}");
        let errors = self::text(&launch(&words).stderr);
        assert!(errors.contains(place), "{words}\n{errors}");
        assert_eq!(errors.contains("first.cu"), kernel == "far", "{words}\n{errors}");
    }
}

#[test]
fn a_module_runs_on_many_machines() {
    let module = Module::compile(KERNELS, &CompileOptions::default()).unwrap();
    assert_eq!(
        module.kernels().map(|kernel| kernel.name()).collect::<Vec<_>>(),
        ["axpy", "use", "copy", "far", "bound"]
    );
    let x: Vec<f32> = (0..100).map(|i| i as f32).collect();
    let mut cycles = Vec::new();
    for (machine, model) in [
        ("gtx480", ModelName::Timing),
        ("tiny", ModelName::Timing),
        ("tiny", ModelName::Functional),
        ("gtx480", ModelName::Reference),
    ] {
        let mut gpu = module.load(&Target::new(machine).unwrap().model(model)).unwrap();
        let (from, to) = (gpu.buffer(&x).unwrap(), gpu.zeros::<f32>(100).unwrap());
        let arguments: [Arg; 4] = [to.into(), from.into(), 2.0f32.into(), 50i32.into()];
        for round in 1..=2 {
            let report = gpu.launch("axpy", 4, (32, 1), 0, &arguments).unwrap();
            assert_eq!(gpu.read(&to)[49], (round * 98) as f32);
            assert_eq!(gpu.read(&to)[50], 0.0);
            cycles.push(report.statistics.map(|statistics| statistics.cycles));
        }
        assert_eq!(gpu.read_symbol::<i32>("calls").unwrap(), [2]);
        gpu.write_symbol("calls", &[40i32]).unwrap();
        gpu.write(&to, &[1.0f32]).unwrap();
        assert_eq!(gpu.read(&to)[..2], [1.0, 4.0]);
        gpu.free(to);
        assert!(gpu.read(&to).is_empty());
        let error = gpu.launch("axpy", 4, 32, 0, &arguments).unwrap_err();
        assert!(matches!(error, Error::Stopped { .. }), "{error}");
    }
    assert!(cycles[0] > Some(0) && cycles[0] != cycles[2] && cycles[6].is_none(), "{cycles:?}");
}

#[test]
fn rust_hears_what_is_wrong() {
    let error =
        Module::compile("__global__ void k(int *p) { *p = q; }", &CompileOptions::default());
    assert!(matches!(error, Err(Error::Compile(text)) if text.contains("E0301")));
    let missing = Module::compile(Path::new("no/such.cu"), &CompileOptions::default());
    assert!(matches!(missing, Err(Error::Input(text)) if text.contains("no/such.cu")));
    assert!(matches!(Target::new("gtx48"), Err(Error::Input(_))));
    let module = Module::compile(KERNELS, &CompileOptions::default()).unwrap();
    let mut gpu = module.load(&Target::new("tiny").unwrap()).unwrap();
    let (ints, doubles) = (gpu.zeros::<i32>(4).unwrap(), gpu.zeros::<f64>(4).unwrap());
    let mut says = |arguments: &[Arg], wanted: &str| {
        let error = gpu.launch("axpy", 1, 1, 0, arguments).unwrap_err().to_string();
        assert!(error.contains(wanted), "{error}");
    };
    says(&[], "4 arguments, 0 given");
    says(&[ints.into(), Arg::null(), 1.0f32.into(), 1.into()], "argument 0 is a buffer of `int`");
    says(&[Arg::null(), doubles.into(), 1.0f32.into(), 1.into()], "argument 1");
    says(&[Arg::null(), Arg::null(), 1.0f64.into(), 1.into()], "`a` of `axpy` is a `float`");
    says(&[Arg::null(), Arg::null(), 1.0f32.into(), Arg::bytes([0; 4])], "a structure of 4 bytes");
    assert!(gpu.write(&ints, &[0; 5]).is_err());
    assert!(gpu.write_symbol("calls", &[0i32; 2]).is_err());
    assert!(gpu.read_symbol::<i32>("nothing").is_err());
    assert!(gpu.zeros::<f64>(1 << 40).is_err());
}

#[test]
fn a_kernel_that_a_template_makes_is_named_with_its_arguments() {
    let source = "template <class T, int n> __global__ void fill(T *a, T v) \
                  { if (threadIdx.x < n) a[threadIdx.x] = v; }\n";
    fs::write(FOLDER.join("template.cu"), source).unwrap();
    for name in ["fill<float,_3>", "fill<float,3>"] {
        let done = launch(&format!(
            "template.cu {name} --grid 1 --block 8 --arg zeros:4 --arg 2.5 --model functional"
        ));
        let out = text(&done.stdout) + &text(&done.stderr);
        assert!(done.status.success() && out.contains("2.5 2.5 2.5 0"), "{name}: {out}");
    }
    let done = launch("template.cu fill<float> --grid 1 --block 8 --arg zeros:4 --arg 2.5");
    let err = text(&done.stderr);
    assert!(err.contains("the template argument `n` of `fill` is not known here"), "{err}");
}

#[test]
fn a_kept_second_level_has_what_was_written_and_what_launches_have_left() {
    let source = "__global__ void twice(int *a) { a[threadIdx.x] *= 2; }";
    let module = Module::compile(source, &CompileOptions::default()).unwrap();
    let misses = |setting: &str| {
        let settings = [("l2.between-launches", setting), ("l1.size", "0")];
        let mut gpu = module.load(&Target::with("tiny", &settings).unwrap()).unwrap();
        let values = gpu.buffer(&[1i32; 64]).unwrap();
        let launch = |gpu: &mut reconverge::Gpu| {
            let record = gpu.launch("twice", 1, 64, 0, &[values.into()]).unwrap();
            record.statistics.unwrap().l2_misses
        };
        let before = [launch(&mut gpu), launch(&mut gpu)];
        gpu.write(&values, &[3; 64]).unwrap();
        let after = launch(&mut gpu);
        assert_eq!(gpu.read(&values), [6; 64]);
        (before, after)
    };
    assert_eq!(misses("kept"), ([0, 0], 0));
    let ([first, second], third) = misses("flushed");
    assert!(first > 0 && (first, first) == (second, third));
}

#[test]
fn launches_with_the_same_counts_share_their_statistics() {
    let source = "__global__ void twice(int *a) { a[threadIdx.x] *= 2; }";
    let module = Module::compile(source, &CompileOptions::default()).unwrap();
    let mut gpu = module.load(&Target::new("h100").unwrap().model(ModelName::Functional)).unwrap();
    let values = gpu.buffer(&[1i32; 64]).unwrap();
    for threads in [64, 32, 64] {
        let request = LaunchRequest {
            kernel: FunctionId(0),
            name: "twice".to_owned(),
            grid: [1; 3],
            block: [threads, 1, 1],
            dynamic_shared: 0,
            arguments: values.address().to_le_bytes().to_vec(),
            stream: 0,
            span: module.tree().functions[0].span,
        };
        gpu.run(request, &mut |_, _| {}).unwrap();
    }
    let [first, second, third] = gpu.records() else { panic!("three launches") };
    let of = |record: &reconverge::kernel_record::KernelRecord| record.statistics.clone().unwrap();
    assert!(Arc::ptr_eq(&of(first), &of(third)) && first.block == third.block);
    assert!(of(first) != of(second));
    assert_eq!(gpu.read(&values)[..32], [8; 32]);
}
