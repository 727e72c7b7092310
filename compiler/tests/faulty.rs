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
    let target = Target::default();
    let read = syntax::parse(&mut sources, file, &mut (), &[], target, Pass::Device);
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

/// Each has something that cannot be read, or is faulty, beside something of its name that would be taken instead, and a use.
const SETS: &[&str] = &[
    "__device__ int f(int x) { return 1; } __device__ int f(int x) { return 2; } \
     __global__ void k(int *a) { a[0] = f(1); }",
    "__device__ int f(float x) { return 1; } __device__ int f(long double x) { return 2; } \
     __global__ void k(int *a) { a[0] = f(1.0f); }",
    "__device__ int f(double x) { return 1; } __device__ int f(int (*x)(int)) { return 2; } \
     __global__ void k(int *a) { a[0] = f(1.0); }",
    "__device__ int f(int *x) { return 1; } __device__ int f(...) { return 2; } \
     __global__ void k(int *a) { a[0] = f(3); }",
    "template <class T> struct K { static const int v = 1; }; \
     template <> struct K<int (*)(int)> { static const int v = 2; }; \
     __global__ void k(int *a) { a[0] = K<int>::v; }",
    "template <class T> struct K { static const int v = 1; }; \
     template <> struct K<std::nothing> { static const int v = 2; }; \
     __global__ void k(int *a) { a[0] = K<int>::v; }",
    "template <class T> __device__ int f(T) { return 1; } \
     template <> __device__ int f<long double>(long double) { return 2; } \
     __global__ void k(int *a) { a[0] = f(1); }",
    "template <class T> __device__ int f(T) { return 1; } \
     template <> __device__ int f<int>(int, int) { return 2; } \
     __global__ void k(int *a) { a[0] = f(1); }",
    "template <class T> constexpr int v = 1; template <> constexpr int v<long double> = 2; \
     __global__ void k(int *a) { a[0] = v<int>; }",
    "struct S { __device__ int f(double) { return 1; } __device__ int f(long double) { return 2; } }; \
     __global__ void k(int *a) { S s; a[0] = s.f(1.0); }",
    "struct S { __device__ int f(int) { return 1; } __device__ int f(int) { return 2; } }; \
     __global__ void k(int *a) { S s; a[0] = s.f(1); }",
    "struct S { int x; friend __device__ int f(S, double) { return 1; } \
     friend __device__ int f(S, long double) { return 2; } }; \
     __global__ void k(int *a) { S s; a[0] = f(s, 1.0); }",
    "namespace n { __device__ int f(double) { return 1; } __device__ int f(long double) { return 2; } } \
     __global__ void k(int *a) { a[0] = n::f(1.0); }",
    // A template whose head cannot be read for the arguments is not passed over.
    "template <class... T> using none = void; \
     template <class T, class = void> struct has { static const int v = 0; }; \
     template <class T> struct has<T, none<typename T::type>> { static const int v = 1; }; \
     struct A { typedef int type; }; __global__ void k(int *a) { a[0] = has<A>::v; }",
    "struct A { int x; __device__ int &at() { return x; } }; \
     template <class T> __device__ auto f(T &t, int) -> decltype(t.at() = 1) { return t.at(); } \
     template <class T> __device__ int f(T &t, long) { return 2; } \
     __global__ void k(int *a) { A s; a[0] = f(s, 0); }",
    "template <auto V> struct A { static const int v = sizeof(V); }; \
     __global__ void k(int *a) { a[0] = A<'c'>::v; }",
    // A declaration in a block hides the others of its name.
    "__device__ int f(int x) { return 1; } __device__ int f(double x) { return 2; } \
     __global__ void k(int *a) { __device__ int f(double); a[0] = f(3); }",
    "__global__ void k(int *a) { int x = 1; decltype((x)) y = x; y = 5; a[0] = x; }",
    "__global__ void k(int *a) { int x = 1; decltype(++x) y = x; y = 5; a[0] = x; }",
];

#[test]
fn what_is_faulty_beside_others_of_its_name_makes_all_of_them_faulty() {
    let compiled: Vec<_> = SETS.iter().filter(|text| errors(text).is_empty()).collect();
    assert!(compiled.is_empty(), "compiled: {compiled:#?}");
}

#[test]
fn a_faulty_overload_stops_no_kernel_that_uses_none_of_its_name() {
    for set in SETS.iter().take(4) {
        let (set, _) = set.split_once("__global__").unwrap();
        let text = format!("{set} __global__ void k(int *a) {{ a[0] = 1; }}");
        let found = errors(&text);
        assert!(found.is_empty(), "{text}{found:?}");
    }
}
