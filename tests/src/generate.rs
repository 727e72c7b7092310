//! A generator of random, well-defined CUDA programs.
//!
//! Programs are race-free and free of traps by construction: indices are masked to the array's
//! size, divisors are odd, loops are counted, barriers stand only where every thread of the block
//! passes, each thread writes its own cells. All variables are declared at the top, so a program
//! stays valid when any statement is removed; that is what shrinking does.

use std::fmt::Write;

/// A small deterministic generator (splitmix64).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator of a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5DEE_CE66_D1CE_4E5B)
    }

    /// The next 64 bits.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is not zero.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.draw() % bound as u64) as usize
    }

    /// True `percent` times in a hundred.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of some things.
    pub fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }
}

/// A statement of a generated kernel: text, nested statements, closing text.
#[derive(Clone, Debug)]
pub struct Node {
    head: String,
    children: Vec<Node>,
    tail: String,
}

impl Node {
    fn leaf(text: impl Into<String>) -> Node {
        Node { head: text.into(), children: Vec::new(), tail: String::new() }
    }

    fn nest(head: impl Into<String>, children: Vec<Node>, tail: &str) -> Node {
        Node { head: head.into(), children, tail: tail.to_string() }
    }

    fn write(&self, out: &mut String, depth: usize) {
        let _ = writeln!(out, "{:1$}{2}", "", depth * 4, self.head);
        self.children.iter().for_each(|child| child.write(out, depth + 1));
        if !self.tail.is_empty() {
            let _ = writeln!(out, "{:1$}{2}", "", depth * 4, self.tail);
        }
    }

    fn count(&self) -> usize {
        1 + self.children.iter().map(Node::count).sum::<usize>()
    }
}

/// What a generated kernel leans on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Expressions of all types in a row.
    Straight,
    /// Nested branches, loops, break, continue, switch, early return.
    Divergent,
    /// Shared memory and barriers.
    Barriers,
    /// Integer atomics on global and shared memory.
    Atomics,
    /// Index arithmetic over two-dimensional, ragged blocks.
    Affine,
}

impl Mode {
    /// Every mode.
    pub const ALL: [Mode; 5] =
        [Mode::Straight, Mode::Divergent, Mode::Barriers, Mode::Atomics, Mode::Affine];
}

/// A generated program.
#[derive(Clone, Debug)]
pub struct Generated {
    /// What it was made from.
    pub seed: u64,
    /// What it leans on.
    pub mode: Mode,
    body: Vec<Node>,
    helpers: String,
    block: [usize; 3],
    grid: [usize; 2],
}

const INTS: [&str; 4] = ["i0", "i1", "i2", "i3"];
const UINTS: [&str; 3] = ["u0", "u1", "tid"];
const LONGS: [&str; 2] = ["l0", "l1"];
const FLOATS: [&str; 3] = ["f0", "f1", "f2"];
const DOUBLES: [&str; 2] = ["d0", "d1"];
const SMALL: [&str; 4] = ["c0", "uc0", "s0", "us0"];
/// Cells a thread owns in the output array.
const CELLS: usize = 4;

/// Types that expressions are generated at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ty {
    Int,
    UInt,
    Long,
    Float,
    Double,
}

struct Maker {
    random: Random,
    mode: Mode,
    /// Loop counters in use: a loop may not change those of the loops around it.
    loops: usize,
    /// Whether control is the same for the whole block here.
    uniform: bool,
    inside_loop: bool,
}

impl Generated {
    /// The program of a seed.
    pub fn new(seed: u64) -> Generated {
        let mut random = Random::new(seed);
        let mode = Mode::ALL[random.below(Mode::ALL.len())];
        let blocks: [[usize; 3]; 8] = [
            [32, 1, 1],
            [64, 1, 1],
            [25, 1, 1],
            [61, 1, 1],
            [1, 1, 1],
            [8, 8, 1],
            [13, 5, 1],
            [4, 3, 5],
        ];
        let block = blocks[random.below(blocks.len())];
        let grid = [1 + random.below(3), 1 + random.below(2)];
        let mut maker = Maker { random, mode, loops: 0, uniform: true, inside_loop: false };
        let size = 4 + maker.random.below(10);
        let body = maker.statements(size, 3);
        Generated { seed, mode, body, helpers: helpers(), block, grid }
    }

    /// How many statements there are.
    pub fn size(&self) -> usize {
        self.body.iter().map(Node::count).sum()
    }

    /// The program without its `index`-th statement (in pre-order), or with the statement replaced
    /// by those it contains when `unwrap` is set; `None` beyond the last.
    pub fn without(&self, index: usize, unwrap: bool) -> Option<Generated> {
        let mut smaller = self.clone();
        let mut left = index;
        remove(&mut smaller.body, &mut left, unwrap).then_some(smaller)
    }

    /// The source text.
    pub fn source(&self) -> String {
        let mut body = String::new();
        self.body.iter().for_each(|node| node.write(&mut body, 1));
        let threads: usize = self.block.iter().product();
        let total = threads * self.grid[0] * self.grid[1];
        let [bx, by, bz] = self.block;
        let [gx, gy] = self.grid;
        format!(
            "// seed {seed}, {mode:?}\n\
             #include <stdio.h>\n#include <stdlib.h>\n#include <math.h>\n\
             #define THREADS {threads}\n#define TOTAL {total}\n\
             __constant__ int table[16] = {{3, -1, 4, 1, -5, 9, 2, -6, 5, 3, 5, -8, 9, 7, 9, 3}};\n\
             {helpers}\n\
             __global__ void kernel(const int *in, const float *fin, const unsigned char *bytes,\n\
             \x20                      long long *out, float *fout, int *cells, int n, float x) {{\n\
             {declarations}{body}\
             \x20   out[g * {CELLS}] = i0 + (long long)i1 * 3 + l0;\n\
             \x20   out[g * {CELLS} + 1] = l1 ^ u0 ^ ((long long)u1 << 20);\n\
             \x20   out[g * {CELLS} + 2] = (i2 - i3) + c0 + uc0 * 7 + s0 + us0;\n\
             \x20   out[g * {CELLS} + 3] += b0 ? 5 : 9;\n\
             \x20   fout[g * 2] = f0 + f1;\n\
             \x20   fout[g * 2 + 1] = f2 + (float)d0 - (float)d1;\n\
             }}\n\
             {main}",
            seed = self.seed,
            mode = self.mode,
            helpers = self.helpers,
            declarations = DECLARATIONS,
            main = MAIN
                .replace("GRID", &format!("dim3({gx}, {gy})"))
                .replace("BLOCK", &format!("dim3({bx}, {by}, {bz})")),
        )
    }
}

fn remove(nodes: &mut Vec<Node>, left: &mut usize, unwrap: bool) -> bool {
    for index in 0..nodes.len() {
        if *left == 0 {
            let node = nodes.remove(index);
            // What stands in a loop or a switch may contain `break`; only plain `if`s can be opened.
            let has_else = node.children.last().is_some_and(|last| last.head.contains("else"));
            if unwrap && node.head.starts_with("if") && !has_else {
                for (offset, child) in node.children.into_iter().enumerate() {
                    nodes.insert(index + offset, child);
                }
            }
            return true;
        }
        *left -= 1;
        if remove(&mut nodes[index].children, left, unwrap) {
            return true;
        }
    }
    false
}

fn helpers() -> String {
    "__device__ int twist(int a, int b) { if (a > b) return a - b; return b * 3 + a; }\n\
     __device__ float blend(float a, float b, int k) {\n\
     \x20   for (int j = 0; j < (k & 3); j++) { if (a > 100.0f) return b; a = a * 0.5f + b; }\n\
     \x20   return a;\n}\n\
     __device__ void bump(int *p, int by) { *p += by; }"
        .to_string()
}

const DECLARATIONS: &str = "\
    __shared__ int sh[THREADS];
    __shared__ float fsh[THREADS];
    __shared__ int counts[8];
    int i0, i1, i2, i3 = n;
    unsigned u0 = 7, u1 = 0x80000001u;
    long long l0 = -3, l1 = 1LL << 40;
    float f0 = x, f1 = 0.25f, f2 = 1.0f;
    double d0 = 0.5, d1 = -2.0;
    char c0 = 1; unsigned char uc0 = 250; short s0 = -7; unsigned short us0 = 65530;
    bool b0 = false;
    int k0 = 0, k1 = 0, k2 = 0, k3 = 0;
    int local[8];
    unsigned tid = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    unsigned g = tid + THREADS * (blockIdx.x + gridDim.x * blockIdx.y);
    i0 = in[g & 255]; i1 = threadIdx.x; i2 = blockIdx.x - threadIdx.y;
    for (int j = 0; j < 8; j++) local[j] = j * i0 + (int)tid;
    if (tid < 8) counts[tid] = 0;
    sh[tid] = i0 + i1; fsh[tid] = fin[g & 255];
    __syncthreads();
";

const MAIN: &str = "
int main() {
    int *in, *cells, *hin = (int *)malloc(256 * sizeof(int)), hcells[64];
    float *fin, *fout, *hfin = (float *)malloc(256 * sizeof(float));
    unsigned char *bytes, hbytes[256];
    long long *out, *hout = (long long *)malloc(TOTAL * 4 * sizeof(long long));
    float *hfout = (float *)malloc(TOTAL * 2 * sizeof(float));
    srand(42);
    for (int i = 0; i < 256; i++) {
        hin[i] = rand() % 2001 - 1000;
        hfin[i] = (rand() % 4096 - 2048) / 16.0f;
        hbytes[i] = rand() & 255;
    }
    for (int i = 0; i < 64; i++) hcells[i] = i;
    cudaMalloc((void **)&in, 256 * sizeof(int));
    cudaMalloc((void **)&fin, 256 * sizeof(float));
    cudaMalloc((void **)&bytes, 256);
    cudaMalloc((void **)&cells, 64 * sizeof(int));
    cudaMalloc((void **)&out, TOTAL * 4 * sizeof(long long));
    cudaMalloc((void **)&fout, TOTAL * 2 * sizeof(float));
    cudaMemcpy(in, hin, 256 * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(fin, hfin, 256 * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(bytes, hbytes, 256, cudaMemcpyHostToDevice);
    cudaMemcpy(cells, hcells, 64 * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(out, 0, TOTAL * 4 * sizeof(long long));
    kernel<<<GRID, BLOCK>>>(in, fin, bytes, out, fout, cells, 77, 1.5f);
    cudaMemcpy(hout, out, TOTAL * 4 * sizeof(long long), cudaMemcpyDeviceToHost);
    cudaMemcpy(hfout, fout, TOTAL * 2 * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(hcells, cells, 64 * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < TOTAL * 4; i++) printf(\"%d %lld\\n\", i, hout[i]);
    for (int i = 0; i < TOTAL * 2; i++) printf(\"f%d %a\\n\", i, hfout[i]);
    for (int i = 0; i < 64; i++) printf(\"c%d %d\\n\", i, hcells[i]);
    return 0;
}
";

impl Maker {
    fn statements(&mut self, count: usize, depth: usize) -> Vec<Node> {
        (0..count).map(|_| self.statement(depth)).collect()
    }

    fn statement(&mut self, depth: usize) -> Node {
        let nested = match self.mode {
            Mode::Straight | Mode::Affine => 20,
            Mode::Divergent => 55,
            Mode::Barriers | Mode::Atomics => 35,
        };
        if depth > 0 && self.random.chance(nested) {
            return self.control(depth);
        }
        match self.mode {
            Mode::Barriers if self.uniform && self.random.chance(35) => self.exchange(),
            Mode::Atomics if self.random.chance(40) => self.atomic(),
            Mode::Affine if self.random.chance(50) => self.indexing(),
            _ => self.assignment(),
        }
    }

    /// A statement that branches or loops; what it controls is uniform only if its condition is.
    fn control(&mut self, depth: usize) -> Node {
        let outer = (self.uniform, self.inside_loop);
        let size = 1 + self.random.below(3);
        let node = match self.random.below(9) {
            0..=2 => self.branch(size, depth),
            3 | 4 => self.counted_loop(size, depth),
            5 => self.while_loop(size, depth),
            6 => self.switch(depth),
            7 if self.inside_loop => self.leave(),
            8 if matches!(self.mode, Mode::Divergent | Mode::Barriers)
                && self.random.chance(30) =>
            {
                Node::leaf(format!(
                    "if ({} && tid > {}) return;",
                    self.condition(2),
                    self.random.below(40)
                ))
            }
            _ => self.branch(size, depth),
        };
        // A thread that left early passes no later barrier; the barrier does not wait for it,
        // but what the others read of its shared cells is then fixed, so control stays uniform.
        (self.uniform, self.inside_loop) = outer;
        node
    }

    fn branch(&mut self, size: usize, depth: usize) -> Node {
        let uniform_condition = self.random.chance(25);
        let condition = if uniform_condition {
            format!("n > {}", 60 + self.random.below(30))
        } else {
            self.condition(2)
        };
        self.uniform &= uniform_condition;
        let then = self.statements(size, depth - 1);
        if self.random.chance(50) {
            let otherwise = self.statements(size, depth - 1);
            let mut children = then;
            children.push(Node::nest("", otherwise, ""));
            // `else` is carried by the nested node, so that removing it leaves a plain `if`.
            if let Some(last) = children.last_mut() {
                last.head = "} else {".to_string();
            }
            return Node::nest(format!("if ({condition}) {{"), children, "}");
        }
        Node::nest(format!("if ({condition}) {{"), then, "}")
    }

    fn counted_loop(&mut self, size: usize, depth: usize) -> Node {
        if self.loops == 4 {
            return self.assignment();
        }
        let counter = self.loops;
        self.loops += 1;
        self.inside_loop = true;
        let bound = match self.random.below(4) {
            0 => "(i0 & 7)".to_string(),
            1 => "(int)(tid % 5u)".to_string(),
            _ => (1 + self.random.below(6)).to_string(),
        };
        // A `break` or `continue` on data makes the rest of the loop divergent: a loop has those or
        // barriers.
        self.uniform &= bound.len() == 1 && self.random.chance(50);
        self.inside_loop = !self.uniform;
        let body = self.statements(size, depth - 1);
        self.loops -= 1;
        Node::nest(
            format!("for (k{counter} = 0; k{counter} < {bound}; k{counter}++) {{"),
            body,
            "}",
        )
    }

    fn while_loop(&mut self, size: usize, depth: usize) -> Node {
        if self.loops == 4 {
            return self.assignment();
        }
        let counter = self.loops;
        self.loops += 1;
        self.inside_loop = true;
        self.uniform = false;
        let body = self.statements(size, depth - 1);
        self.loops -= 1;
        let condition = self.condition(1);
        let limit = 1 + self.random.below(6);
        if self.random.chance(50) {
            let head =
                format!("k{counter} = {limit}; while (k{counter}-- > 0 && ({condition})) {{");
            Node::nest(head, body, "}")
        } else {
            let tail = format!("}} while (++k{counter} < {limit} && ({condition}));");
            Node::nest(format!("k{counter} = 0; do {{"), body, &tail)
        }
    }

    fn switch(&mut self, depth: usize) -> Node {
        self.uniform = false;
        let value = self.integer(Ty::Int, 1);
        let count = 2 + self.random.below(3);
        let cases = (0..count)
            .map(|case| {
                let label = if case + 1 == count && self.random.chance(70) {
                    "default: {".to_string()
                } else {
                    format!("case {case}: {{")
                };
                let size = 1 + self.random.below(2);
                let body = self.statements(size, depth - 1);
                let tail = if self.random.chance(70) { "} break;" } else { "}" };
                Node::nest(label, body, tail)
            })
            .collect();
        Node::nest(format!("switch (({value}) & 3) {{"), cases, "}")
    }

    fn leave(&mut self) -> Node {
        let word = self.random.pick(&["break", "continue"]);
        Node::leaf(format!("if ({}) {word};", self.condition(1)))
    }

    fn exchange(&mut self) -> Node {
        let offset = 1 + self.random.below(40);
        let (value, float) = (self.integer(Ty::Int, 1), self.floating(Ty::Float, 1));
        let children = vec![
            Node::leaf("__syncthreads();"),
            Node::leaf(format!("sh[tid] = {value}; fsh[tid] = {float};")),
            Node::leaf("__syncthreads();"),
            Node::leaf(format!(
                "i2 += sh[(tid + {offset}) % THREADS]; f1 = fsh[THREADS - 1 - tid];"
            )),
            Node::leaf("__syncthreads();"),
        ];
        Node::nest("{", children, "}")
    }

    fn atomic(&mut self) -> Node {
        let value = self.integer(Ty::Int, 1);
        let cell = self.random.below(8);
        let text = match self.random.below(6) {
            0 => format!("atomicAdd(&cells[(tid + {cell}) & 15], {value});"),
            1 => format!("atomicMax(&cells[16 + (tid & 7)], {value});"),
            2 => format!("atomicMin(&cells[24 + {cell}], {value});"),
            3 => format!("atomicXor((unsigned *)&cells[32 + {cell}], (unsigned)({value}));"),
            4 => format!("atomicOr(&cells[40 + {cell}], {value} & 0xff);"),
            _ => format!(
                "atomicAdd(&counts[{cell}], {value}); atomicAnd(&cells[48 + {cell}], {value});"
            ),
        };
        Node::leaf(text)
    }

    fn indexing(&mut self) -> Node {
        let (a, b) = (1 + self.random.below(9), self.random.below(64));
        let text = match self.random.below(6) {
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
            _ => format!("out[g * {CELLS} + 3] = in[min((int)g, {b})] + table[(tid + {a}) & 15];"),
        };
        Node::leaf(text)
    }

    fn assignment(&mut self) -> Node {
        let text = match self.random.below(16) {
            0..=2 => format!("{} = {};", self.random.pick(&INTS), self.integer(Ty::Int, 3)),
            3 => format!("{} = {};", self.random.pick(&["u0", "u1"]), self.integer(Ty::UInt, 3)),
            4 => format!("{} = {};", self.random.pick(&LONGS), self.integer(Ty::Long, 3)),
            5 | 6 => format!("{} = {};", self.random.pick(&FLOATS), self.floating(Ty::Float, 3)),
            7 => format!("{} = {};", self.random.pick(&DOUBLES), self.floating(Ty::Double, 2)),
            8 => format!("{} = {};", self.random.pick(&SMALL), self.integer(Ty::Int, 2)),
            9 => format!("b0 = {};", self.condition(2)),
            10 => {
                let op = self.random.pick(&["+=", "-=", "*=", "&=", "|=", "^=", "<<=", ">>="]);
                let value = self.integer(Ty::Int, 1);
                let value =
                    if op.starts_with(['<', '>']) { format!("({value}) & 7") } else { value };
                let target = self.random.pick(&["i0", "i3", "c0", "uc0", "s0", "us0"]);
                format!("{target} {op} {value};")
            }
            11 => format!(
                "local[({}) & 7] {} {};",
                self.integer(Ty::Int, 1),
                self.random.pick(&["=", "+="]),
                self.integer(Ty::Int, 2)
            ),
            12 => {
                format!("i1 = twist({}, {});", self.integer(Ty::Int, 1), self.integer(Ty::Int, 1))
            }
            13 => format!(
                "f2 = blend({}, {}, {});",
                self.floating(Ty::Float, 1),
                self.floating(Ty::Float, 1),
                self.integer(Ty::Int, 1)
            ),
            14 => format!("bump(&local[{}], {});", self.random.below(8), self.integer(Ty::Int, 1)),
            _ => format!(
                "{}{};",
                self.random.pick(&["i0", "u0", "l1", "c0", "us0", "f0"]),
                self.random.pick(&["++", "--"])
            ),
        };
        Node::leaf(text)
    }

    fn condition(&mut self, depth: usize) -> String {
        let comparison = *self.random.pick(&[&"<", &"<=", &">", &">=", &"==", &"!="]);
        match self.random.below(if depth == 0 { 4 } else { 7 }) {
            0 | 1 => {
                format!("{} {comparison} {}", self.integer(Ty::Int, 1), self.integer(Ty::Int, 1))
            }
            2 => format!(
                "(tid & {}) {comparison} {}u",
                1 + self.random.below(31),
                self.random.below(8)
            ),
            3 => format!(
                "{} {comparison} {}",
                self.floating(Ty::Float, 1),
                self.floating(Ty::Float, 1)
            ),
            4 => format!("({} && {})", self.condition(depth - 1), self.condition(depth - 1)),
            5 => format!("({} || {})", self.condition(depth - 1), self.condition(depth - 1)),
            _ => format!("!({})", self.condition(depth - 1)),
        }
    }

    fn integer(&mut self, ty: Ty, depth: usize) -> String {
        if depth == 0 || self.random.chance(20) {
            return self.integer_leaf(ty);
        }
        let (a, b) = (self.integer(ty, depth - 1), self.integer(ty, depth - 1));
        match self.random.below(16) {
            0..=4 => format!("({a} {} {b})", self.random.pick(&["+", "-", "*"])),
            5 | 6 => format!("({a} {} {b})", self.random.pick(&["&", "|", "^"])),
            7 => format!("({a} {} (({b}) & 15))", self.random.pick(&["<<", ">>"])),
            8 => format!("({a} {} (({b}) | 1))", self.random.pick(&["/", "%"])),
            9 => format!("({} ? {a} : {b})", self.condition(0)),
            10 => format!("({}{a})", self.random.pick(&["-", "~", "!"])),
            // The casts keep C++'s overload resolution unambiguous.
            11 => {
                let to = if ty == Ty::Long { "long long" } else { "int" };
                format!("{}(({to})({a}), ({to})({b}))", self.random.pick(&["min", "max"]))
            }
            12 => format!(
                "(({}){a})",
                self.random.pick(&[
                    "char",
                    "unsigned char",
                    "short",
                    "unsigned short",
                    "int",
                    "unsigned",
                    "long long"
                ])
            ),
            13 => format!("(int)({})", self.floating(Ty::Float, depth - 1)),
            14 if ty == Ty::Int => format!("local[({a}) & 7]"),
            _ => format!("(({a}) {} ({b}))", self.random.pick(&["<", ">=", "=="])),
        }
    }

    fn integer_leaf(&mut self, ty: Ty) -> String {
        match self.random.below(9) {
            0 | 1 => self.random.pick(&INTS).to_string(),
            2 => self.random.pick(&UINTS).to_string(),
            3 => self.random.pick(&SMALL).to_string(),
            4 if ty == Ty::Long => self.random.pick(&LONGS).to_string(),
            5 => format!("in[({}) & 255]", self.random.pick(&["tid", "g", "i0", "i1 + 3"])),
            6 => self
                .random
                .pick(&["(int)threadIdx.x", "(int)blockIdx.y", "n", "k0", "k1"])
                .to_string(),
            7 => format!("bytes[({}) & 255]", self.random.pick(&["tid", "i2", "u0"])),
            _ => {
                let magnitude = [16, 300, 70000][self.random.below(3)];
                let value = self.random.below(magnitude);
                if self.random.chance(30) { format!("(-{value})") } else { value.to_string() }
            }
        }
    }

    fn floating(&mut self, ty: Ty, depth: usize) -> String {
        let suffix = if ty == Ty::Float { "f" } else { "" };
        if depth == 0 || self.random.chance(20) {
            return match self.random.below(6) {
                0..=2 => self.random.pick(&FLOATS).to_string(),
                3 if ty == Ty::Double => self.random.pick(&DOUBLES).to_string(),
                4 => format!("fin[({}) & 255]", self.random.pick(&["tid", "g + 1", "i0"])),
                _ => format!("{}.{}{suffix}", self.random.below(30), self.random.below(100)),
            };
        }
        let (a, b) = (self.floating(ty, depth - 1), self.floating(ty, depth - 1));
        match self.random.below(12) {
            0..=5 => format!("({a} {} {b})", self.random.pick(&["+", "-", "*"])),
            6 => format!("({a} / ({b}))"),
            7 => format!("({} ? {a} : {b})", self.condition(0)),
            8 => format!("sqrt{suffix}(fabs{suffix}({a}))"),
            9 => format!("{}{suffix}({a}, {b})", self.random.pick(&["fmin", "fmax"])),
            10 => format!(
                "({})({})",
                if ty == Ty::Float { "float" } else { "double" },
                self.integer(Ty::Int, 1)
            ),
            _ => format!(
                "{}{suffix}({a})",
                self.random.pick(&["floor", "sin", "exp2", "fabs", "-"]).replace('-', "-fabs")
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_one_program() {
        assert_eq!(Generated::new(7).source(), Generated::new(7).source());
        assert_ne!(Generated::new(7).source(), Generated::new(8).source());
    }

    #[test]
    fn removing_makes_it_smaller() {
        let program = Generated::new(3);
        let smaller = program.without(0, false).unwrap();
        assert!(smaller.size() < program.size());
        assert!(program.without(program.size(), false).is_none());
    }
}
