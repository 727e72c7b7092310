//! Large kernels of several kinds, of a given length: the input for measuring compile time.
//!
//! Each kind repeats one thing that some part of the compiler could be slow at. Some parts vary with
//! the line number, because value numbering would otherwise merge them.

use std::fmt::Write;

/// A kind of large program.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Its name in the benchmark.
    pub name: &'static str,
    /// The repeated construct.
    pub doc: &'static str,
    /// The program of about this many lines.
    pub source: fn(usize) -> String,
}

/// All kinds.
pub const KINDS: &[Kind] = &[
    Kind { name: "straight", doc: "sums, loads and stores in one block", source: straight },
    Kind { name: "branches", doc: "small branches one after the other", source: branches },
    Kind { name: "nest", doc: "branches twenty deep, again and again", source: nest },
    Kind { name: "returns", doc: "early returns", source: returns },
    Kind { name: "loops", doc: "small loops one after the other", source: loops },
    Kind { name: "results", doc: "loops whose results are used at the end", source: results },
    Kind { name: "loop-nest", doc: "loops eight deep, again and again", source: loop_nest },
    Kind { name: "long-loop", doc: "branches in one loop around everything", source: long_loop },
    Kind { name: "exits", doc: "breaks and continues of one loop", source: exits },
    Kind { name: "switch", doc: "the cases of one switch", source: switch },
    Kind { name: "live", doc: "many variables alive across many branches", source: live },
    Kind { name: "calls", doc: "calls of many small functions", source: calls },
    Kind { name: "barriers", doc: "barriers between accesses to shared memory", source: barriers },
    Kind { name: "arrays", doc: "stores to and loads of local arrays", source: arrays },
    Kind { name: "constants", doc: "a number of its own in each line", source: constants },
    Kind { name: "macros", doc: "definitions and uses of macros", source: macros },
    Kind {
        name: "templates",
        doc: "templates, each with an instance of its own",
        source: templates,
    },
    Kind { name: "kernels", doc: "many kernels in one file", source: kernels },
    Kind { name: "host", doc: "many functions of the host", source: host },
    Kind { name: "sums", doc: "sums and products in one function of the host", source: sums },
];

/// The kind of a name.
pub fn find(name: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.name == name)
}

/// The text of a kernel with eight variables, `x0` to `x7`, that are stored at the end.
fn kernel(lines: usize, body: impl FnOnce(&mut Lines)) -> String {
    let mut text = Lines { text: String::new(), count: 0, wanted: lines };
    text.line("__global__ void kernel(int *data, const int *input, int n) {");
    text.line("    int tid = blockIdx.x * blockDim.x + threadIdx.x;");
    for at in 0..8 {
        text.line(&format!("    int x{at} = input[tid + {at}] + {at};"));
    }
    body(&mut text);
    text.line("    data[tid] = x0 ^ x1 ^ x2 ^ x3 ^ x4 ^ x5 ^ x6 ^ x7;");
    text.line("}");
    text.text
}

/// Lines being written until there are enough.
struct Lines {
    text: String,
    count: usize,
    wanted: usize,
}

impl Lines {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
        self.count += 1;
    }

    /// Repeats lines, given a number that counts up, until there are enough.
    fn fill(&mut self, mut write: impl FnMut(usize) -> String) {
        let mut number = 0;
        while self.count + 2 < self.wanted {
            let lines = write(number);
            self.count += lines.lines().count();
            self.text.push_str(&lines);
            number += 1;
        }
    }
}

/// The variables that line `at` computes with.
fn pick(at: usize) -> (usize, usize, usize) {
    (at % 8, (at / 3 + 1) % 8, (at / 7 + 2) % 8)
}

fn straight(lines: usize) -> String {
    kernel(lines, |text| {
        text.fill(|at| {
            let (x, y, z) = pick(at);
            match at % 8 {
                3 => format!("    x{x} += input[(x{y} + {at}) & 1023];\n"),
                6 => format!("    data[(x{y} & 255) + {at}] = x{z};\n"),
                _ => format!("    x{x} = (x{y} * 3 + x{z}) ^ (x{x} >> {});\n", at % 13),
            }
        })
    })
}

fn branches(lines: usize) -> String {
    kernel(lines, |text| {
        text.fill(|at| {
            let (x, y, z) = pick(at);
            format!(
                "    if (x{y} > {at}) {{\n        x{x} += input[x{z} & 1023];\n    }} else {{\n        \
                 x{z} ^= x{y};\n        data[tid + {at}] = x{x};\n    }}\n"
            )
        })
    })
}

fn nest(lines: usize) -> String {
    const DEEP: usize = 20;
    kernel(lines, |text| {
        text.fill(|at| {
            let mut lines = String::new();
            for deep in 0..DEEP {
                let (x, y, z) = pick(at * DEEP + deep);
                let _ = writeln!(lines, "    if (x{y} > {}) {{", at + deep);
                let _ = writeln!(lines, "    x{x} += input[x{z} & 1023];");
            }
            for deep in 0..DEEP {
                let (x, y, _) = pick(at + deep);
                let _ = writeln!(lines, "    x{x} += x{y};\n    }}");
            }
            lines
        })
    })
}

fn returns(lines: usize) -> String {
    kernel(lines, |text| {
        text.fill(|at| {
            let (x, y, z) = pick(at);
            format!(
                "    x{x} += input[x{y} & 1023];\n    if (x{x} == {at}) {{\n        \
                 data[tid] = x{z};\n        return;\n    }}\n"
            )
        })
    })
}

fn loops(lines: usize) -> String {
    kernel(lines, |text| {
        text.fill(|at| {
            let (x, y, z) = pick(at);
            let end = if at % 3 == 0 { "4".to_string() } else { format!("x{y}") };
            format!(
                "    for (int i = 0; i < {end}; i++) {{\n        x{x} += input[(i * x{z} + {at}) & \
                 1023];\n        data[tid + i] = x{x};\n    }}\n"
            )
        })
    })
}

fn results(lines: usize) -> String {
    kernel(lines, |text| {
        text.wanted = lines * 4 / 5;
        let mut count = 0;
        text.fill(|at| {
            count = at + 1;
            let (x, y, z) = pick(at);
            let end = if at % 2 == 0 { "n" } else { "x0" };
            format!(
                "    int s{at} = x{x};\n    for (int i = x{y}; i < {end}; i++) {{\n        s{at} += \
                 input[(i * x{z} + {at}) & 1023];\n    }}\n"
            )
        });
        text.wanted = lines;
        text.fill(|at| format!("    x{} ^= s{};\n", at % 8, at % count.max(1)));
    })
}

fn loop_nest(lines: usize) -> String {
    const DEEP: usize = 8;
    kernel(lines, |text| {
        text.fill(|at| {
            let mut lines = String::new();
            for deep in 0..DEEP {
                let (x, y, z) = pick(at + deep);
                let _ = writeln!(lines, "    for (int i{deep} = 0; i{deep} < x{y}; i{deep}++) {{");
                let _ = writeln!(lines, "    x{x} += input[(x{z} + i{deep} * {at}) & 1023];");
            }
            for deep in 0..DEEP {
                let (x, y, _) = pick(at + deep);
                let _ = writeln!(lines, "    x{x} += x{y};\n    }}");
            }
            lines
        })
    })
}

fn long_loop(lines: usize) -> String {
    kernel(lines, |text| {
        text.line("    for (int i = 0; i < n; i++) {");
        text.fill(|at| {
            let (x, y, z) = pick(at);
            format!(
                "        if (x{y} > i + {at}) {{\n            x{x} += input[x{z} & 1023] + n * \
                 {at};\n        }}\n        x{z} += x{y} * i;\n"
            )
        });
        text.line("    }");
    })
}

fn exits(lines: usize) -> String {
    kernel(lines, |text| {
        text.line("    for (int i = 0; i < n; i++) {");
        text.fill(|at| {
            let (x, y, z) = pick(at);
            let how = if at % 2 == 0 { "break" } else { "continue" };
            format!(
                "        if (x{y} == {at}) {{\n            {how};\n        }}\n        x{x} += \
                 input[(x{z} + i) & 1023];\n"
            )
        });
        text.line("    }");
    })
}

fn switch(lines: usize) -> String {
    kernel(lines, |text| {
        text.line("    switch (n) {");
        text.fill(|at| {
            let (x, y, z) = pick(at);
            let end = if at % 5 == 4 { "" } else { "        break;\n" };
            format!("    case {at}:\n        x{x} += x{y} * {at} + x{z};\n{end}")
        });
        text.line("    }");
    })
}

fn live(lines: usize) -> String {
    let variables = lines / 3;
    kernel(lines, |text| {
        for at in 0..variables {
            text.line(&format!("    int y{at} = input[tid * {at}];"));
        }
        let stop = lines - variables;
        text.wanted = stop;
        text.fill(|at| {
            let (x, y, z) = pick(at);
            format!("    if (x{y} > {at})\n        x{x} += input[x{z} & 1023];\n")
        });
        text.wanted = lines;
        text.fill(|at| format!("    x{} += y{};\n", at % 8, at % variables.max(1)));
    })
}

fn calls(lines: usize) -> String {
    let functions = lines / 12;
    let mut text = String::new();
    for at in 0..functions {
        let _ = writeln!(
            text,
            "__device__ int f{at}(int a, int b) {{\n    if (a > {at}) {{\n        return a * b;\n    \
             }}\n    return b + {at};\n}}"
        );
    }
    text + &kernel(lines - functions * 6, |text| {
        text.fill(|at| {
            let (x, y, z) = pick(at);
            let (f, g) = (at % functions.max(1), (at * 7) % functions.max(1));
            format!("    x{x} += f{f}(x{y}, x{z}) * f{g}(x{x}, {at});\n")
        })
    })
}

fn templates(lines: usize) -> String {
    let count = lines / 8;
    let mut text = String::from(
        "template <class T> struct wrap { typedef T type; T value; };\n\
         template <class T, int n> struct of { static const int value = 0; };\n",
    );
    for at in 0..count {
        let _ = writeln!(
            text,
            "template <class T> struct of<T, {at}> {{ static const int value = {at}; }};\n\
             template <> struct of<char, {at}> {{ static const int value = {at} + 1; }};\n\
             template <class T> __device__ T f{at}(T a) {{\n    \
             typename wrap<wrap<wrap<T>>>::type b;\n    \
             b.value.value = a ^ (of<T, {at}>::value + of<char, {at}>::value); return b.value.value;\n}}"
        );
    }
    text + &kernel(lines.saturating_sub(count * 6 + 2), |text| {
        text.fill(|at| {
            let (x, y, _) = pick(at);
            format!("    x{x} += f{}(x{y});\n", at % count.max(1))
        })
    })
}

fn barriers(lines: usize) -> String {
    kernel(lines, |text| {
        text.line("    __shared__ int tile[1024];");
        text.fill(|at| {
            let (x, y, z) = pick(at);
            format!(
                "    tile[threadIdx.x] = x{x} + {at};\n    __syncthreads();\n    \
                 x{y} += tile[(threadIdx.x + {}) & 1023] + tile[x{z} & 1023];\n    \
                 __syncthreads();\n",
                at % 64
            )
        })
    })
}

fn arrays(lines: usize) -> String {
    kernel(lines, |text| {
        text.line("    int a[32], b[32];");
        text.fill(|at| {
            let (x, y, z) = pick(at);
            format!(
                "    a[{}] = x{x} + {at};\n    b[x{y} & 31] = a[{}];\n    x{z} += b[{}];\n",
                at % 32,
                at * 5 % 32,
                at * 3 % 32
            )
        })
    })
}

fn constants(lines: usize) -> String {
    kernel(lines, |text| {
        text.line("    double d = n;\n    long long w = n;");
        text.fill(|at| {
            let (x, y, _) = pick(at);
            match at % 3 {
                0 => format!("    x{x} ^= x{y} * {};\n", at * 7919 + 1),
                1 => format!("    d = d * {at}.25 + x{y};\n"),
                _ => format!("    w = w * {}ll + {at};\n", at * 1_000_000_007 + 3),
            }
        });
        text.line("    x0 += (int)d + (int)w;");
    })
}

fn macros(lines: usize) -> String {
    let macros = lines / 4;
    let mut text = String::new();
    for at in 0..macros {
        let _ = writeln!(text, "#define MIX{at}(a, b) ((a) * {at} + (b))");
    }
    text + &kernel(lines - macros, |text| {
        text.fill(|at| {
            let (x, y, z) = pick(at);
            let (f, g) = (at % macros.max(1), (at * 7) % macros.max(1));
            format!("    x{x} = MIX{f}(x{y}, MIX{g}(x{z}, x{x}));\n")
        })
    })
}

fn kernels(lines: usize) -> String {
    let mut text = String::new();
    for at in 0..lines / 20 {
        let one = kernel(20, |text| {
            text.line("    for (int i = 0; i < n; i++) {");
            text.line(&format!("        if (x1 > i) x2 += input[i & 1023] * {at};"));
            text.line("        else x3 += x2;\n    }");
            text.fill(|line| format!("    x{} += x{} * {at};\n", line % 8, (line + 3) % 8));
        });
        text.push_str(&one.replace("void kernel(", &format!("void kernel{at}(")));
    }
    text
}

fn host(lines: usize) -> String {
    let mut text = String::from("#include <stdio.h>\n");
    for at in 0..lines / 9 {
        let _ = writeln!(
            text,
            "int f{at}(int a, int b) {{\n    int sum = a * {at} + b;\n    for (int i = 0; i < b; i++) {{\n        \
             sum += (a ^ i) * 3;\n        if (sum > 1000) sum -= b;\n    }}\n    \
             printf(\"%d\\n\", sum);\n    return sum;\n}}"
        );
    }
    text
}

fn sums(lines: usize) -> String {
    let line = format!("    a = {};\n", vec!["a + b*c"; 20].join(" + "));
    format!("int f(int a, int b, int c) {{\n{}    return a;\n}}\n", line.repeat(lines - 3))
}
