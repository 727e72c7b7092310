//! Programs derived at random from a rough grammar of the language, right rather often.

use super::Random;
use super::words::{BINARY, NAMES, NUMBERS, TYPES, UNARY, WORDS};

/// A program derived from a rough grammar.
pub(super) fn soup(random: &mut Random) -> String {
    let mut soup = Soup { random, text: String::new(), fuel: 400 };
    for _ in 0..1 + soup.random.below(8) {
        soup.item();
    }
    soup.text
}

struct Soup<'a> {
    random: &'a mut Random,
    text: String,
    /// The number of derivations left.
    fuel: u32,
}

impl Soup<'_> {
    fn put(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn one(&mut self, from: &[&str]) {
        let text: &&str = self.random.pick(from);
        self.put(text);
    }

    /// True if more may be derived; sometimes a misplaced word comes first.
    fn more(&mut self) -> bool {
        if self.random.below(60) == 0 {
            self.put(" ");
            self.one(WORDS);
            self.put(" ");
        }
        self.fuel = self.fuel.saturating_sub(1);
        self.fuel > 0
    }

    fn item(&mut self) {
        match self.random.below(12) {
            0 => {
                self.put("#define ");
                self.one(NAMES);
                if self.random.below(2) == 0 {
                    self.put("(a, b) a b ## a #b");
                }
                self.put(" ");
                self.expression();
                self.put("\n");
            }
            1 | 2 => {
                self.one(&["struct ", "union ", "class "]);
                self.one(NAMES);
                self.put(" { ");
                for _ in 0..self.random.below(4) {
                    self.declaration();
                }
                if self.random.below(3) == 0 {
                    self.function();
                }
                self.put("};\n");
            }
            3 => {
                self.put("enum ");
                self.one(NAMES);
                self.put(" { a1, b1 = ");
                self.expression();
                self.put(" };\n");
            }
            4 => {
                self.put("typedef ");
                self.declaration();
            }
            5 => {
                self.one(&["__constant__ ", "__device__ ", "static ", "extern ", "const ", ""]);
                self.declaration();
            }
            6 => {
                self.one(&[
                    "template <typename T> ",
                    "template <int N, class T = int> ",
                    "template <> ",
                ]);
                self.function();
            }
            7 => {
                self.put("namespace N { ");
                if self.more() {
                    self.item();
                }
                self.put("}\n");
            }
            _ => self.function(),
        }
    }

    fn function(&mut self) {
        self.one(&[
            "__global__ ",
            "__device__ ",
            "__host__ __device__ ",
            "static inline ",
            "",
            "__global__ ",
        ]);
        self.one(&["void ", "int ", "float ", "S ", "void "]);
        self.one(NAMES);
        self.put("(");
        for at in 0..self.random.below(4) {
            self.put(if at > 0 { ", " } else { "" });
            self.one(TYPES);
            self.one(&[" ", " *", " &", " **", " *__restrict__ ", " "]);
            self.one(NAMES);
            self.one(&["", "", "", "[]", "[3]", " = 1"]);
        }
        self.put(") ");
        self.block();
    }

    fn block(&mut self) {
        self.put("{ ");
        for _ in 0..self.random.below(6) {
            self.statement();
        }
        self.put("}\n");
    }

    fn declaration(&mut self) {
        self.one(TYPES);
        self.one(&[" ", " *", " ", " &"]);
        self.one(NAMES);
        if self.random.below(3) == 0 {
            self.put("[");
            self.expression();
            self.put("]");
        }
        match self.random.below(4) {
            0 => {
                self.put(" = ");
                self.expression();
            }
            1 => {
                self.put(" = {");
                self.expression();
                self.one(&["}", ", {1, 2}}", ", .x = 3}", "}"]);
            }
            _ => {}
        }
        self.put("; ");
    }

    fn statement(&mut self) {
        if !self.more() {
            return self.put("; ");
        }
        match self.random.below(16) {
            0 | 1 => self.declaration(),
            2 => {
                self.put("if (");
                self.expression();
                self.put(") ");
                self.statement();
                if self.random.below(2) == 0 {
                    self.put("else ");
                    self.statement();
                }
            }
            3 => {
                self.put("for (int i = 0; i < ");
                self.expression();
                self.put("; i++) ");
                self.statement();
            }
            4 => {
                self.put("while (");
                self.expression();
                self.put(") ");
                self.statement();
            }
            5 => {
                self.put("do ");
                self.statement();
                self.put("while (");
                self.expression();
                self.put("); ");
            }
            6 => {
                self.put("switch (");
                self.expression();
                self.put(") { case ");
                self.expression();
                self.put(": ");
                self.statement();
                self.put("default: ");
                self.statement();
                self.put("} ");
            }
            7 => self.block(),
            8 => self.one(&[
                "break; ",
                "continue; ",
                "goto L; ",
                "L: ",
                "__syncthreads(); ",
                "__shared__ int s[8]; ",
            ]),
            9 => {
                self.put("return ");
                self.expression();
                self.put("; ");
            }
            10 => {
                self.one(NAMES);
                self.put("<<<");
                self.expression();
                self.put(", 32>>>(");
                self.expression();
                self.put("); ");
            }
            _ => {
                self.expression();
                self.put("; ");
            }
        }
    }

    fn expression(&mut self) {
        if !self.more() {
            return self.put("1");
        }
        match self.random.below(12) {
            0..=2 => self.one(NUMBERS),
            3 | 4 => self.one(NAMES),
            5 => {
                self.expression();
                self.put(" ");
                self.one(BINARY);
                self.put(" ");
                self.expression();
            }
            6 => {
                self.one(UNARY);
                self.expression();
            }
            7 => {
                self.put("(");
                self.expression();
                self.put(")");
            }
            8 => {
                self.one(NAMES);
                self.put("(");
                self.expression();
                self.put(", ");
                self.expression();
                self.put(")");
            }
            9 => {
                self.expression();
                self.one(&[".x", "->y", "[1]", "++", "--", "[threadIdx.x]"]);
            }
            10 => {
                self.expression();
                self.put(" ? ");
                self.expression();
                self.put(" : ");
                self.expression();
            }
            _ => self.one(&[
                "threadIdx.x",
                "blockDim.y",
                "\"text\"",
                "nullptr",
                "sqrtf(2)",
                "atomicAdd(a, 1)",
                "make_float4(1, 2, 3, 4)",
                "float4{1, 2}",
                "f<int>(a)",
                "N::f(1)",
                "static_cast<int>(x)",
                "M(1, 2)",
                "dim3(1, 2)",
                "min(1, x)",
            ]),
        }
    }
}
