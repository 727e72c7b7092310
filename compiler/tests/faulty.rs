//! Uses of faulty declarations are faulty: no kernel is compiled with the layout of a type that could not
//! be read, however the type gets into it.

use reconverge_compiler::check::{self, CheckOptions, Needed};
use reconverge_compiler::diagnostic::Diagnostic;
use reconverge_compiler::syntax::{self, Pass, SourceMap, Target};

/// Each declares a type `bad` that is refused.
const TYPES: &[&str] = &[
    "struct bad { unknown_t a; int b; };",
    "struct bad { std::string a; int b; };",
    "struct bad { __int128 a; int b; };",
    "struct bad { unsigned __int128 a; int b; };",
    "struct bad { virtual int f() { return 1; } int b; };",
    "struct base { int a; }; struct bad : base { int b; };",
    "struct bad { int &a; int b; };",
    "struct bad { float (*f)(float); int b; };",
    "struct bad { char a[1 << 30]; int b; };",
    "struct bad { alignas(8) unsigned a : 3; int b; };",
    "struct bad { float a : 3; int b; };",
    "struct bad { typedef unknown_t t; t a; int b; };",
    "struct bad { alignas(3) int a; int b; };",
    "struct alignas(3) bad { int a; int b; };",
    "struct bad { bad(const std::string &s); int b; };",
    "struct bad { ~bad() = delete; int b; };",
    "struct bad { int a b; int c; };",
    "struct bad { int a __attribute__((vector_size(16))); };",
    "struct __attribute__((ms_struct)) bad { char a; int b; };",
    "struct bad { char a; int b; } __attribute__((ms_struct));",
    "typedef unknown_t bad;",
    "typedef std::vector<int> bad;",
    "typedef int bad __attribute__((aligned(16)));",
    "typedef float bad __attribute__((vector_size(16)));",
    "enum __attribute__((packed)) bad { ONE };",
    "template <class T> struct bad_of { std::string a; T b; }; typedef bad_of<int> bad;",
    "template <class T> struct bad_of { T a; virtual int f(); }; typedef bad_of<int> bad;",
    "namespace n { struct bad { std::string a; }; } using n::bad;",
    "struct first { std::string a; }; struct second { first a; }; struct bad { second a[2]; };",
];

/// Each is a kernel that needs `bad`.
const USES: &[&str] = &[
    "__global__ void k(int *a) { a[0] = sizeof(bad); }",
    "__global__ void k(int *a) { bad b; a[0] = sizeof b; }",
    "__global__ void k(bad *p, long *a) { a[0] = (char *)(p + 1) - (char *)p; }",
    "struct outer { bad m; int n; }; __global__ void k(int *a) { a[0] = sizeof(outer); }",
    "struct outer { bad m[2]; int n; }; __global__ void k(int *a) { a[0] = sizeof(outer); }",
    "union outer { bad m; int n; }; __global__ void k(int *a) { a[0] = sizeof(outer); }",
    "struct outer { struct { bad m; } o; int n; }; __global__ void k(int *a) { a[0] = sizeof(outer); }",
    "typedef bad again; __global__ void k(int *a) { a[0] = sizeof(again); }",
    "using again = bad; __global__ void k(int *a) { a[0] = sizeof(again); }",
    "typedef bad again[3]; __global__ void k(int *a) { a[0] = sizeof(again); }",
    "template <class T> struct of { T v; int n; }; __global__ void k(int *a) { a[0] = sizeof(of<bad>); }",
    "template <class T> __device__ int size() { return sizeof(T); } __global__ void k(int *a) { a[0] = size<bad>(); }",
    "__constant__ bad c[2]; __global__ void k(int *a) { a[0] = sizeof(c); }",
    "__device__ bad c; __global__ void k(int *a) { a[0] = sizeof(c); }",
    "__device__ int f(bad *b) { return sizeof(*b); } __global__ void k(int *a) { a[0] = f(0); }",
];

/// The errors of a program of which the kernels are needed.
fn errors(text: &str) -> Vec<Diagnostic> {
    let mut sources = SourceMap::new();
    let file = sources.add("program.cu", text);
    let view = (Target::default(), Pass::Device);
    let read = syntax::parse(&mut sources, file, &mut (), &[], view);
    let options = CheckOptions { needed: Needed::Kernels, ..CheckOptions::default() };
    let (module, found) = check::check(read, &options);
    let errors: Vec<_> = found.into_iter().filter(Diagnostic::is_error).collect();
    assert_eq!(errors.is_empty(), module.is_some(), "{text}");
    errors
}

#[test]
fn no_kernel_has_the_layout_of_a_faulty_type() {
    let mut wrong = Vec::new();
    for ty in TYPES {
        for kernel in USES {
            let text = format!("{ty}\n{kernel}\n");
            if errors(&text).is_empty() {
                wrong.push(text);
            }
        }
    }
    assert!(wrong.is_empty(), "compiled:\n{}", wrong.join("\n"));
}

#[test]
fn a_faulty_type_that_only_the_host_uses_stops_no_kernel() {
    let host = "int main() { bad b; return sizeof(b); }";
    let kernel = "__global__ void k(int *a) { a[0] = 1; }";
    for ty in TYPES {
        let text = format!("{ty}\n{host}\n{kernel}\n");
        let found = errors(&text);
        assert!(found.is_empty(), "{text}{found:?}");
    }
}

#[test]
fn functions_of_a_structure_that_cannot_be_read_are_faulty_alone() {
    let text = "struct list { int n; void show() { auto f = [](int x) { return x; }; f(n); } };
        __global__ void k(list *a) { a[0].n = sizeof(list); }";
    assert!(errors(text).is_empty());
}

#[test]
fn what_a_stray_assignment_uses_stays_declared() {
    let text = "const unsigned step = 5;
        __global__ void k(unsigned *a) { a[0] += step; }
        }
        a ^= step;";
    let found = errors(text);
    let messages: Vec<_> = found.iter().map(|found| &*found.message).collect();
    assert_eq!(messages, ["this `}` closes nothing"]);
}
