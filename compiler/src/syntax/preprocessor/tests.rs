use super::*;
use reconverge_grammar::token::TokenKind;

/// The tokens of a text as C text, and the codes of its faults.
fn run(text: &str) -> (String, Vec<&'static str>) {
    struct Files;
    impl Loader for Files {
        fn load(&mut self, _: &str, name: &str) -> Result<(String, String), NotLoaded> {
            let text = match name {
                "one.h" => "#pragma once\nint one;\n",
                "twice.h" => "#include \"twice.h\"\n#include \"twice.h\"\n",
                "self.h" => "#include \"self.h\"\n",
                _ => return Err(NotLoaded::Missing),
            };
            Ok((name.to_owned(), text.to_owned()))
        }
    }
    let mut sources = SourceMap::new();
    let file = sources.add("test.cu", text);
    let defines = [("GIVEN".to_owned(), "7".to_owned())];
    let target = Target::default();
    let read = preprocess(&mut sources, file, &mut Files, &defines, target, Pass::Host);
    let (tokens, diagnostics) = (read.tokens, read.diagnostics);
    let shown: Vec<String> = tokens
        .iter()
        .map(|token| match &token.kind {
            TokenKind::Int { value, .. } => value.to_string(),
            TokenKind::String(bytes) => format!("\"{}\"", bytes.escape_ascii()),
            _ => token.describe().trim_matches('`').to_owned(),
        })
        .collect();
    let codes = diagnostics.iter().map(|found| found.code.id()).collect();
    (shown.join(" "), codes)
}

#[test]
fn macros_expand_as_in_c() {
    let cases = [
        ("#define N 4\nN N1", "4 N1"),
        ("#define F(a, b) a + b\nF(1, (2, 3)) F", "1 + ( 2 , 3 ) F"),
        ("#define F(x) #x\nF(a  \"b\\n\")", "\"a \\\"b\\\\n\\\"\""),
        ("#define C(a, b) a ## b\nC(x, 1) C(, y) C(1, 2)", "x1 y 12"),
        ("#define V(f, ...) f(__VA_ARGS__)\nV(g, 1, 2)", "g ( 1 , 2 )"),
        ("#define V(f, ...) f(0, ## __VA_ARGS__)\nV(g) V(g, 1)", "g ( 0 ) g ( 0 , 1 )"),
        ("#define A B + A\n#define B A\nA", "A + A"),
        ("#define f(x) x f\nf(1)(2)", "1 f ( 2 )"),
        ("#define EMPTY\n#define f(x) x\nf(EMPTY) f(f)(3)", "f ( 3 )"),
        ("#define STR(x) #x\n#define XSTR(x) STR(x)\n#define N 4\nSTR(N) XSTR(N)", "\"N4\""),
        ("#define M(a) a\nM(1\n)\n__LINE__ __FILE__", "1 4 \"test.cu\""),
        ("#define X 1 \\\n + 2\nX GIVEN", "1 + 2 7"),
        ("#undef GIVEN\nGIVEN", "GIVEN"),
        ("\"a\" \"b\" 'c'", "\"ab\" a character"),
        ("ab\\\nc\\\r\nd e\\\n f", "abcd e f"),
        ("\u{feff}a", "a"),
    ];
    for (text, expected) in cases {
        assert_eq!(run(text), (expected.to_owned(), vec![]), "{text}");
    }
}

#[test]
fn conditionals_choose() {
    let cases = [
        ("#if 1 + 1 == 2 && defined(GIVEN) && !defined NO\na\n#else\nb\n#endif", "a"),
        ("#ifdef NO\na\n#elif GIVEN > 7\nb\n#elif GIVEN >= 7\nc\n#else\nd\n#endif", "c"),
        ("#ifndef NO\n#if 0\na\n#endif\nb\n#endif", "b"),
        ("#if 0\n#if 1\na\n#else\nb\n#endif\n#error no\n#else\nc\n#endif", "c"),
        (
            "#if (1 << 64) == 0 && (-1 >> 70) == -1 && (~0u >> 64) == 0 && (4 << -1) == 2 && (1 >> -2) == 4\na\n#endif",
            "a",
        ),
        ("#if (-1 > 0u) && (1 ? 2 : 0) && UNKNOWN == 0 && __CUDACC__\na\n#endif", "a"),
        ("#ifdef __CUDA_ARCH__\na\n#endif", ""),
        ("#include <stdio.h>\n#include \"one.h\"\n#include \"one.h\"\n", "int one ;"),
    ];
    for (text, expected) in cases {
        assert_eq!(run(text), (expected.to_owned(), vec![]), "{text}");
    }
}

#[test]
fn faults_have_codes() {
    let doubling: String =
        (0..30).map(|i| format!("#define M{i} M{} M{}\n", i + 1, i + 1)).collect();
    let strings: String = (0..40).map(|i| format!("#define S{i}(x) S{}(#x #x)\n", i + 1)).collect();
    let chain: String = (0..20_000).map(|i| format!("#define C{i} C{}\n", i + 1)).collect();
    let cases = [
        ("#include \"no.h\"", "W0103"),
        ("#include \"self.h\"", "E0702"),
        ("#frob", "E0107"),
        ("#if 1 +\n#endif", "E0108"),
        ("#if 1 / 0\n#endif", "E0108"),
        ("#if 1", "E0109"),
        ("#else", "E0109"),
        ("#error stop it", "E0110"),
        ("#warning hm", "W0101"),
        ("#define F(a) a\nF(1, 2)", "E0111"),
        ("#define F(a) a\nF(1", "E0111"),
        ("#define F(a, a) a", "E0112"),
        ("#define F(a) #b", "E0112"),
        ("#define F(a, b) a ## b\nF(+, -)", "E0112"),
        ("#define N 1\n#define N 2", "W0102"),
        (&(doubling + "M0"), "E0701"),
        (&(strings + "S0(a)"), "E0701"),
        (&format!("#define P {}a\nP", "a##".repeat(100_000)), "E0701"),
        (&(chain + "C0"), "E0701"),
        ("#include \"twice.h\"", "E0702"),
    ];
    for (text, code) in cases {
        assert_eq!(run(text).1, [code], "{text}");
    }
}

#[test]
fn a_name_may_stand_on_many_lines() {
    let text = "a\\\n".repeat(50_000);
    assert_eq!(run(&text), ("a".repeat(50_000), vec![]));
}
