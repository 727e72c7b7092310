//! Programs of the preprocessor: strings and tokens made by macros, macros in macros, conditions.

use crate::generate::Random;
use std::fmt::Write;

/// Texts to be made strings, or arguments that are thrown away.
const TEXTS: [&str; 11] = [
    "a  +   b",
    "\"quoted \\n \\\"text\\\"\"",
    "'x' '\\''",
    "f( 1,(2 ,3) )",
    "a /* comment */ b",
    "->*",
    "x##y",
    "# 1",
    "  leading and trailing  ",
    "0x1p-3 .5e+1",
    "+ +i - -j",
];

pub fn program(random: &mut Random, seed: u64, outside: &mut String, body: &mut String) {
    for number in 0..6 {
        let id = format!("{seed}_{number}");
        match random.below(8) {
            0 => strings(random, &id, outside, body),
            1 => pasted(random, &id, outside, body),
            2 => precedence(random, &id, outside, body),
            3 => recursive(random, &id, outside, body),
            4 => variadic(random, &id, outside, body),
            5 => applied(random, &id, outside, body),
            _ => conditions(random, &id, body),
        }
    }
}

fn strings(random: &mut Random, id: &str, outside: &mut String, body: &mut String) {
    let value = random.below(100);
    let _ = writeln!(
        outside,
        "#define TEXT_{id}(x) #x\n#define EXPANDED_{id}(x) TEXT_{id}(x)\n\
         #define VALUE_{id} {value}   +  VALUE_{id} ( 1 )\n#define PAIR_{id}(a, b) [a|b]"
    );
    let text = random.pick(&TEXTS);
    let first = random.pick(&["", "x", "(1, 2)", "VALUE"]);
    // `TEXT(f(1,(2,3)))` has commas inside of parentheses only.
    let _ = writeln!(
        body,
        "puts(TEXT_{id}({text}));\nputs(EXPANDED_{id}({text}));\nputs(TEXT_{id}(VALUE_{id}));\n\
         puts(EXPANDED_{id}(VALUE_{id}));\nputs(EXPANDED_{id}((PAIR_{id}({first}, y))));"
    );
}

fn pasted(random: &mut Random, id: &str, outside: &mut String, body: &mut String) {
    let _ = writeln!(
        outside,
        "#define PASTE_{id}(a, b) a##b\n#define LATER_{id}(a, b) PASTE_{id}(a, b)\n\
         #define ONE_{id} 1\n#define NAME_{id}(n) value_##n##_of"
    );
    let (a, b) = (1 + random.below(90), random.below(90));
    let sign = random.pick(&["<, <", ">, =", "=, =", "&, &", "!, ="]);
    let _ = writeln!(
        body,
        "printf(\"%d\\n\", PASTE_{id}({a}, {b}));\nprintf(\"%d\\n\", LATER_{id}(ONE_{id}, {b}));\n\
         {{ int NAME_{id}({b}) = {a}; printf(\"%d\\n\", value_{b}_of PASTE_{id}({sign}) 3); }}\n\
         printf(\"%x %g\\n\", PASTE_{id}(0x, f{b}), PASTE_{id}({a}.5, e{}));\n\
         printf(\"%d\\n\", PASTE_{id}(, {b}) + PASTE_{id}({a},));",
        random.below(9)
    );
}

/// Arguments and bodies without parentheses.
fn precedence(random: &mut Random, id: &str, outside: &mut String, body: &mut String) {
    let signs = ["+", "-", "*", "^", "&", "|", "<", "=="];
    let (one, other, third) = (random.pick(&signs), random.pick(&signs), random.pick(&signs));
    let (a, b, c) = (random.below(20), random.below(8), 1 + random.below(8));
    let _ =
        writeln!(outside, "#define BOTH_{id}(a, b) a {one} b {other} 2\n#define NONE_{id}() {c}");
    let _ = writeln!(
        body,
        "printf(\"%d\\n\", {b} {third} BOTH_{id}({a} {third} 1, {b}) {third} NONE_{id}());\n\
         printf(\"%d\\n\", BOTH_{id}(BOTH_{id}({a}, {b}), BOTH_{id}(NONE_{id} ( ), {c})));"
    );
}

fn recursive(random: &mut Random, id: &str, outside: &mut String, body: &mut String) {
    let (a, b) = (random.below(50), random.below(50));
    let _ = writeln!(
        outside,
        "#define self_{id} self_{id} + {a}\n#define ping_{id} pong_{id} + 1\n\
         #define pong_{id} ping_{id} * 2\n#define twice_{id}(x) (x + x)"
    );
    let _ = writeln!(
        body,
        "{{\n#undef self_{id}\nint self_{id} = {b};\n#define self_{id} self_{id} + {a}\n\
         printf(\"%d\\n\", 2 * self_{id} * 3);\n}}\n\
         {{\n#undef ping_{id}\n#undef pong_{id}\nint ping_{id} = {b}, pong_{id} = {a};\n\
         #define ping_{id} pong_{id} + 1\n#define pong_{id} ping_{id} * 2\n\
         printf(\"%d\\n\", pong_{id} - ping_{id});\n}}\n\
         printf(\"%d\\n\", twice_{id}(twice_{id}(twice_{id}({a}))));\n\
         {{ int twice_{id} = {b}; printf(\"%d\\n\", twice_{id} + twice_{id}\n({a})); }}"
    );
}

fn variadic(random: &mut Random, id: &str, outside: &mut String, body: &mut String) {
    let _ = writeln!(
        outside,
        "#define SAY_{id}(format, ...) printf(format \"\\n\", ##__VA_ARGS__)\n\
         #define LIST_{id}(...) {{__VA_ARGS__}}\n#define ALL_{id}(...) #__VA_ARGS__\n\
         #define CHECK_{id}(c, ...) do {{ if (!(c)) SAY_{id}(__VA_ARGS__); else SAY_{id}(\"fine\"); }} while (0)"
    );
    let (a, b, c) = (random.below(100), random.below(100), random.below(2));
    let _ = writeln!(
        body,
        "SAY_{id}(\"nothing\");\nSAY_{id}(\"%d %d\", {a}, ({b}, {c}));\n\
         {{ int list[] = LIST_{id}({a}, {b}, {c}); printf(\"%d %d\\n\", (int)sizeof list, list[1]); }}\n\
         puts(ALL_{id}({a},  {b} ,\"x, y\",(1,2)));\nputs(ALL_{id}());\n\
         if ({c}) CHECK_{id}({a} > {b}, \"%d\", {a}); else CHECK_{id}({c}, \"none\");"
    );
}

fn applied(random: &mut Random, id: &str, outside: &mut String, body: &mut String) {
    let _ = writeln!(
        outside,
        "#define APPLY_{id}(m, x) m(x)\n#define SQUARE_{id}(x) ((x) * (x))\n\
         #define EACH_{id}(m) m(1) m(2) m(3)\n#define ITEM_{id}(x) + x * {}\n\
         #define TAIL_{id} SQUARE_{id}",
        random.below(9)
    );
    let a = random.below(30);
    let _ = writeln!(
        body,
        "printf(\"%d %d\\n\", APPLY_{id}(SQUARE_{id}, {a} + 1), 0 EACH_{id}(ITEM_{id}));\n\
         printf(\"%d\\n\", {a} + TAIL_{id}({a} - 3));"
    );
}

/// Conditions of `#if`, nested, with `defined`.
fn conditions(random: &mut Random, id: &str, body: &mut String) {
    let (first, second) = (constant(random, 3), constant(random, 3));
    let named = random.pick(&["defined KNOWN", "!defined(KNOWN)", "KNOWN + 1 > 3", "KNOWN"]);
    let named = named.replace("KNOWN", &format!("KNOWN_{id}"));
    let define = match random.below(3) {
        0 => String::new(),
        _ => format!("#define KNOWN_{id} {}\n", random.below(5)),
    };
    let _ = writeln!(
        body,
        "{define}#if {first}\nputs(\"first\");\n#elif {second}\nputs(\"second\");\n#else\n\
         puts(\"neither\");\n#endif\n#if {named}\n#  ifdef KNOWN_{id}\nputs(\"known\");\n#  else\n\
         puts(\"unknown\");\n#  endif\n#elif 0\n#error \"never\"\n#else\nputs(\"not\");\n#endif"
    );
}

/// A constant expression; divisors are not zero, and numbers stay small.
fn constant(random: &mut Random, depth: u32) -> String {
    if depth == 0 {
        return match random.below(6) {
            0 => format!("{:#x}", random.below(64)),
            1 => format!("'{}'", (b'a' + random.below(26) as u8) as char),
            2 => format!("{}u", random.below(50)),
            3 => "unknown_name".to_owned(),
            _ => random.below(50).to_string(),
        };
    }
    let (a, b) = (constant(random, depth - 1), constant(random, depth - 1));
    match random.below(8) {
        0 => format!("({a} / {} - {b})", 1 + random.below(9)),
        1 => format!("({a} % {} + {b})", 1 + random.below(9)),
        2 => format!("({a} < {b})"),
        3 => format!("({a} && {b} || !{a})"),
        4 => format!("({a} ? {b} : {a})"),
        5 => format!("(({a} & 15) << {} | {b})", random.below(8)),
        6 => format!("(-{a} > ~{b})"),
        _ => format!("({a} == {b} ^ 1)"),
    }
}
