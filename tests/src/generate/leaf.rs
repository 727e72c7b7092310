//! Random statements without statements in them.

use super::expression::{DOUBLES, FLOATS, INTS, LONGS, SMALL, Ty};
use super::node::Node;
use super::statement::Maker;
use super::text::{BEFORE_BARRIERS, CELLS};

impl Maker {
    /// Threads read each other's cells between barriers; one text, because any part alone races.
    pub(super) fn exchange(&mut self) -> Node {
        let offset = 1 + self.random.below(40);
        let value = self.integer(Ty::Int, 1);
        Node::leaf(match self.random.below(8) {
            // All leave the loop in the same iteration: the deciding value was written before a
            // barrier.
            6 | 7 => format!(
                "__syncthreads(); if (tid == 0) sh[0] = ({value}) & 3; __syncthreads();\n\
                 for (int j = 0;; j++) {{\n\
                 \x20   __syncthreads();\n\
                 \x20   if (sh[0] <= j) break;\n\
                 \x20   i1 += j * {offset};\n\
                 \x20   __syncthreads();\n}}\n\
                 i2 ^= sh[0]; __syncthreads();"
            ),
            // Threads of one warp wait in both sides.
            5 if !self.returns => format!(
                "if ({}) {{ {yes}__syncthreads(); i1 += a + i2 * b; }}\n\
                 else {{ {no}__syncthreads(); i0 += a + {value}; }}",
                self.condition(1),
                yes = BEFORE_BARRIERS[0],
                no = BEFORE_BARRIERS[1],
            ),
            0 => format!(
                "__syncthreads(); if (tid == {offset} % THREADS) sh[0] = {value}; __syncthreads();\n\
                 i1 = sh[0] + i2; __syncthreads();"
            ),
            1 => format!(
                "sh[tid] = {value}; __syncthreads();\n\
                 for (int j = 64; j > 0; j >>= 1) {{\n\
                 \x20   if (tid < j && tid + j < THREADS) sh[tid] += sh[tid + j];\n\
                 \x20   __syncthreads();\n}}\n\
                 i2 = sh[0]; __syncthreads();"
            ),
            _ => format!(
                "__syncthreads(); sh[tid] = {value}; fsh[tid] = {float}; __syncthreads();\n\
                 i2 += sh[(tid + {offset}) % THREADS]; f1 = fsh[THREADS - 1 - tid];\n\
                 __syncthreads();",
                float = self.floating(Ty::Float, 1)
            ),
        })
    }

    pub(super) fn atomic(&mut self) -> Node {
        let value = self.integer(Ty::Int, 1);
        let cell = self.random.below(8);
        let text = match self.random.below(9) {
            0 => format!("atomicAdd(&cells[(tid + {cell}) & 15], {value});"),
            1 => format!("atomicMax(&cells[16 + (tid & 7)], {value});"),
            2 => format!("atomicMin(&cells[24 + {cell}], {value});"),
            3 => format!("atomicXor((unsigned *)&cells[32 + {cell}], (unsigned)({value}));"),
            4 => format!("atomicOr(&cells[40 + {cell}], {value} & 0xff);"),
            5 => format!("atomicAnd(&cells[48 + {cell}], {value});"),
            // The result of an atomic depends on the order, unless no other thread uses the cell.
            6 => format!("i1 = atomicExch(&((int *)mine)[{}], {value});", cell & 3),
            7 => format!(
                "l1 += atomicAdd((unsigned long long *)&out[g * {CELLS} + 3], (long long)({value}));"
            ),
            _ => format!("atomicAdd(&counts[{cell}], {value});"),
        };
        Node::leaf(text)
    }

    pub(super) fn indexing(&mut self) -> Node {
        let (a, b) = (1 + self.random.below(9), self.random.below(64));
        let text = match self.random.below(14) {
            11 => format!("u0 += {};", self.thread_number()),
            12 => format!("if ({} == {}) i1 += {b};", self.thread_number(), self.random.below(4)),
            13 => format!("i0 += in[({} * {a}) & 255];", self.thread_number()),
            0 => format!("i0 = in[(tid * {a} + {b}) & 255];"),
            1 => format!("f0 += fin[(threadIdx.y * {a} + threadIdx.x + {b}) & 255];"),
            2 => format!(
                "i1 += bytes[(g + {b}) & 255] - bytes[(blockIdx.x * {a} + threadIdx.x) & 255];"
            ),
            3 => format!(
                "l0 += in[(i1 * {a} - {b}) & 255] + (long long)&in[{b}] - (long long)&in[0];"
            ),
            4 => format!(
                "{{ const int *p = in + ((tid + {b}) & 127); i2 = p[{a}] + *(p + {b}) - (int)(p - in); }}"
            ),
            5 => format!(
                "i2 += in[(threadIdx.z * {a} + threadIdx.y * blockDim.x + threadIdx.x) & 255];"
            ),
            // Columns, downwards and back, inside the array whatever the compiler knows.
            6 => "for (int j = 0; j < (n & 15); j++) i2 += in[j * 16 + (tid & 15)];".to_string(),
            7 => format!(
                "for (int j = 0; j < (n & 15); j++) i1 ^= in[255 - j * 16 - (tid & 15)] + {a};"
            ),
            8 => format!(
                "{{ const int *p = in + 255 - (tid & 31); for (int j = 0; j < {}; j++) {{ i0 += *p; p -= 8; }} }}",
                a
            ),
            9 => format!(
                "u1 += {};",
                self.random.pick(&[
                    "(tid & 31) * 4",
                    "(tid & 3) + (tid & ~3u)",
                    "(tid / 4) * 8 + tid % 4",
                    "((int)tid - 32) / 32",
                    "(tid << 2) | 1",
                    "(tid << 2) | 6",
                    "min((int)threadIdx.x, 9)",
                    "(long long)(tid * 0x8000001u) >> 3",
                    "(tid >> 5) + tid % 32",
                    "(threadIdx.x + 5) & 31",
                    "min((int)threadIdx.x, n - 60)"
                ])
            ),
            _ => format!("out[g * {CELLS} + 3] = in[min((int)g, {b})] + table[(tid + {a}) & 15];"),
        };
        Node::leaf(text)
    }

    /// The number of the thread in its layer or its block, or the warp or lane that is in it.
    fn thread_number(&mut self) -> String {
        let number = self.random.pick(&[
            "threadIdx.y * blockDim.x + threadIdx.x",
            "(threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x",
            "threadIdx.x + blockDim.x * threadIdx.y + blockDim.x * blockDim.y * threadIdx.z",
        ]);
        let cast = self.random.pick(&["", "(int)", "(long long)"]);
        let part =
            self.random.pick(&["/ 32", "% 32", "& 64", "& 40", "/ 16", "% 8", ">> 5", "/ 3"]);
        format!("({cast}({number}) {part})")
    }

    /// A loop with two entries, which threads come into at either.
    pub(super) fn jumps(&mut self) -> Node {
        let label = self.label();
        let (first, again) = (self.condition(1), self.condition(1));
        let (one, two) = (self.integer(Ty::Int, 1), self.even(1));
        let rounds = 1 + self.random.below(4);
        Node::leaf(format!(
            "{{ int j = 0;\n\
             if ({first}) goto middle{label};\n\
             top{label}: i1 += {one};\n\
             middle{label}: j++; i2 ^= j * 3 + {two};\n\
             if (j < {rounds} && ({again})) goto top{label}; }}"
        ))
    }

    pub(super) fn assignment(&mut self) -> Node {
        let text = match self.random.below(24) {
            0..=2 => format!("{} = {};", self.random.pick(&INTS), self.integer(Ty::Int, 3)),
            3 => format!("{} = {};", self.random.pick(&["u0", "u1"]), self.integer(Ty::UInt, 3)),
            4 => format!("{} = {};", self.random.pick(&LONGS), self.integer(Ty::Long, 3)),
            5 | 6 => format!("{} = {};", self.random.pick(&FLOATS), self.floating(Ty::Float, 3)),
            7 => format!("{} = {};", self.random.pick(&DOUBLES), self.floating(Ty::Double, 2)),
            8 => format!("{} = {};", self.random.pick(&SMALL), self.integer(Ty::Int, 2)),
            9 => format!("b0 = {};", self.condition(2)),
            10 | 11 => self.compound(),
            12 | 13 => {
                let index = self.integer(Ty::Int, 1);
                format!(
                    "{} {} {};",
                    self.own_cell(&index),
                    self.random.pick(&["=", "+=", "-="]),
                    self.integer(Ty::Int, 2)
                )
            }
            14 => {
                format!("i1 = twist({}, {});", self.integer(Ty::Int, 1), self.integer(Ty::Int, 1))
            }
            15 => format!(
                "f2 = blend({}, {}, {});",
                self.floating(Ty::Float, 1),
                self.floating(Ty::Float, 1),
                self.integer(Ty::Int, 1)
            ),
            16 => format!("bump(&local[{}], {});", self.random.below(8), self.integer(Ty::Int, 1)),
            17 => self.guarded(),
            18 => self.through_pointer(),
            19 => format!("e0 = {};", self.even(2)),
            20 => format!("even[{}] = {};", self.random.below(4), self.even(2)),
            21 => format!("b1 = {} < {};", self.even(1), self.even(1)),
            22 if self.random.chance(30) => self.truths(),
            22 => format!("if (b1) i1 += {}; else i2 ^= 1;", self.integer(Ty::Int, 1)),
            _ => format!(
                "{} = {}{};",
                self.random.pick(&["i1", "l0", "i2"]),
                self.random.pick(&["i0", "u0", "l1", "c0", "uc0", "uc0", "us0"]),
                self.random.pick(&["++", "--"])
            ),
        };
        Node::leaf(text)
    }

    /// An assignment with an operator, whose operands may be of different types.
    fn compound(&mut self) -> String {
        let op = self.random.pick(&["+=", "-=", "*=", "&=", "|=", "^=", "<<=", ">>=", "/=", "%="]);
        let ty = [Ty::Int, Ty::UInt, Ty::Long][self.random.below(3)];
        let value = self.integer(ty, 1);
        let value = match op.as_bytes()[0] {
            b'<' | b'>' => format!("({value}) & 7"),
            b'/' | b'%' => format!("({value}) | 1"),
            _ => value,
        };
        let target =
            self.random.pick(&["i0", "i3", "u0", "u1", "l0", "c0", "uc0", "s0", "us0", "f1"]);
        if target == "f1" {
            return format!("f1 {} {value};", self.random.pick(&["+=", "-=", "*="]));
        }
        format!("{target} {op} {value};")
    }

    /// More truth values at once than there are registers for.
    fn truths(&mut self) -> String {
        let count = 17;
        let tests: String =
            (0..count).map(|at| format!("bool q{at} = {}; ", self.test())).collect();
        let sum: Vec<String> = (0..count).map(|at| format!("(q{at} ? {} : 0)", 1 << at)).collect();
        format!("{{ {tests}i1 ^= {}; }}", sum.join(" | "))
    }

    /// A statement that would trap without its guard.
    fn guarded(&mut self) -> String {
        let value = self.integer(Ty::Int, 1);
        match self.random.below(3) {
            0 => format!("if (i3 != 0) i0 = ({value}) / i3;"),
            1 => "if ((unsigned)i1 < 256u) i2 = in[i1];".to_string(),
            _ => "if (u0 < 256u) f1 += fin[u0]; else f1 += 1.0f;".to_string(),
        }
    }

    /// An access through a pointer that may point into different windows.
    fn through_pointer(&mut self) -> String {
        let (condition, value) = (self.condition(1), self.integer(Ty::Int, 1));
        let other = self.random.pick(&["&sh[tid]", "&((int *)mine)[1]", "&local[5]"]);
        let cell = self.random.below(8);
        format!("{{ int *p = ({condition}) ? &local[{cell}] : {other}; *p += {value}; i1 ^= *p; }}")
    }
}
