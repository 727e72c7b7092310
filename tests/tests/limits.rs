//! Every limit of `spec/language.md` ends in the error that it names, just above the limit.

use reconverge::{CompileOptions, Module, build};
use reconverge_compiler::diagnostic::Diagnostic;
use reconverge_compiler::lower::Options;
use reconverge_compiler::syntax::{Loader, NotLoaded};

/// Every file includes another, up to a depth.
struct Nested(u32);

impl Loader for Nested {
    fn load(&mut self, _: &str, name: &str) -> Result<(String, String), NotLoaded> {
        let depth: u32 = name.trim_end_matches(".h").parse().map_err(|_| NotLoaded::Missing)?;
        let text = match depth < self.0 {
            true => format!("#include \"{}.h\"\n", depth + 1),
            false => "int last;\n".to_owned(),
        };
        Ok((name.to_owned(), text))
    }
}

/// The codes of the errors that a program ends in.
fn codes(text: &str, loader: &mut dyn Loader) -> Vec<&'static str> {
    let checked = build::check("limit.cu", text, &[], loader);
    let mut found: Vec<Diagnostic> = checked.diagnostics.clone();
    if checked.module.is_some()
        && let Err(refused) = checked.lower(&Options::default())
    {
        found = refused.diagnostics;
    }
    let errors = found.iter().filter(|found| found.is_error());
    let mut codes: Vec<_> = errors.map(|found| found.code.id()).collect();
    codes.dedup();
    codes
}

/// A program that is allowed up to a size: how it is written, the last good size, and the error.
struct Limit {
    write: fn(usize) -> String,
    most: usize,
    code: &'static str,
}

const LIMITS: &[Limit] = &[
    Limit {
        write: |n| format!("int a = {}1{};", "(".repeat(n), ")".repeat(n)),
        most: 200,
        code: "E0703",
    },
    Limit {
        write: |n| format!("void f() {{ {} {} }}", "{".repeat(n), "}".repeat(n)),
        most: 199,
        code: "E0703",
    },
    Limit {
        write: |n| format!("void f(int n) {{ {} n++; }}", "if (n) ".repeat(n)),
        most: 199,
        code: "E0703",
    },
    Limit { write: |n| format!("int a = 1{};", " + 1".repeat(n)), most: 999, code: "E0704" },
    Limit {
        write: |n| format!("struct s {{ char a[{n}]; }};"),
        most: (1 << 30) - 1,
        code: "E0705",
    },
    Limit { write: |n| format!("__constant__ char a[{n}];"), most: 1 << 16, code: "E0705" },
    Limit {
        write: |n| {
            let parameters: Vec<String> = (0..n).map(|at| format!("double p{at}")).collect();
            format!("__global__ void k({}) {{ }}", parameters.join(", "))
        },
        most: 512,
        code: "E0705",
    },
    Limit {
        write: |n| {
            format!("struct s {{ char a[{n}]; }}; __global__ void k(s *p) {{ p[0] = p[1]; }}")
        },
        most: 1024,
        code: "E0707",
    },
    Limit { write: |n| calls(n), most: 256, code: "E0707" },
    Limit {
        write: |n| {
            format!(
                "__global__ void k(char *p) {{ __shared__ char s[{n}]; s[*p] = *p; *p = s[3]; }}"
            )
        },
        most: 1 << 24,
        code: "E0708",
    },
    Limit {
        write: |n| format!("__global__ void k(char *p) {{ char s[{n}]; s[*p] = *p; *p = s[3]; }}"),
        most: 1 << 23,
        code: "E0708",
    },
];

/// Functions that call each other so deep.
fn calls(depth: usize) -> String {
    let mut text = "__device__ int f0(int n) { return n; }\n".to_owned();
    for at in 1..depth {
        text += &format!("__device__ int f{at}(int n) {{ return f{}(n) + 1; }}\n", at - 1);
    }
    text + &format!("__global__ void k(int *p) {{ *p = f{}(*p); }}\n", depth - 1)
}

#[test]
fn what_is_allowed_and_what_is_not() {
    let mut wrong = Vec::new();
    for limit in LIMITS {
        for (size, wanted) in [(limit.most, None), (limit.most + 1, Some(limit.code))] {
            let text = (limit.write)(size);
            let found = codes(&text, &mut ());
            if found != Vec::from_iter(wanted) {
                let start: String = text.chars().take(60).collect();
                wrong.push(format!("size {size}: {found:?} instead of {wanted:?}: {start}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn files_are_64_deep() {
    assert_eq!(codes("#include \"1.h\"\n", &mut Nested(63)), Vec::<&str>::new());
    assert_eq!(codes("#include \"1.h\"\n", &mut Nested(64)), ["E0702"]);
}

#[test]
fn macros_that_double_each_other_end() {
    let double = |at: usize| format!("#define A{at} A{0} A{0}\n", at + 1);
    let text = |depth: usize| {
        let macros: String = (0..depth).map(double).collect();
        format!("{macros}#define A{depth} ;\nvoid f() {{ A0 }}\n")
    };
    assert_eq!(codes(&text(10), &mut ()), Vec::<&str>::new());
    assert_eq!(codes(&text(40), &mut ()), ["E0701"]);
}

/// The largest allowed value takes 1.2 GB and is not tried.
#[test]
fn programs_have_4_million_tokens() {
    assert_eq!(codes(&";".repeat(4_000_001), &mut ()), ["E0710"]);
}

#[test]
fn kernels_have_a_million_instructions() {
    // Each function calls the one below ten times.
    let mut text = "__device__ int f0(int n) { return n * n + threadIdx.x; }\n".to_owned();
    for at in 1..7 {
        let calls = format!("n += f{}(n); ", at - 1).repeat(10);
        text += &format!("__device__ int f{at}(int n) {{ {calls} return n; }}\n");
    }
    text += "__global__ void k(int *p) { *p = f6(*p); }\n";
    assert_eq!(codes(&text, &mut ()), ["E0707"]);
}

#[test]
fn modules_of_ptx_are_limited() {
    const HEAD: &str = ".version 8.0\n.target sm_75\n.address_size 64\n";
    let fault = |text: &str| {
        let found = Module::from_ptx(text, &CompileOptions::default());
        found.err().map(|error| error.to_string()).unwrap_or_default()
    };
    let long = format!("{HEAD}{}", ";".repeat(4_000_000));
    assert!(fault(&long).contains("the text has more than 4000000 tokens"), "{}", fault(&long));
    // Each function calls the one before ten times.
    let mut text = format!("{HEAD}.func f0() {{ .reg .b32 %r; mov.u32 %r, %clock; ret; }}\n");
    for at in 1..7 {
        let calls = format!("call f{}; ", at - 1).repeat(10);
        text += &format!(".func f{at}() {{ {calls} ret; }}\n");
    }
    text += ".entry k() { call f6; ret; }\n";
    assert!(
        fault(&text).contains("the kernel has more than 1000000 instructions"),
        "{}",
        fault(&text)
    );
}

#[test]
fn a_hundred_errors_are_shown() {
    let text: String = (0..150).map(|at| format!("int a{at} = x{at};\n")).collect();
    let checked = build::check("limit.cu", &text, &[], &mut ());
    assert_eq!(checked.diagnostics.len(), 101);
    assert_eq!(checked.diagnostics.last().map(|found| found.code.id()), Some("E0706"));
}
