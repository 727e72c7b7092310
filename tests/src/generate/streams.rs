//! Kernels with affine addresses and programmatic control, for the decoupled affine warp, and with hard cases:
//! - stores that alias loads which could be early, through another pointer, in another iteration or after a barrier;
//! - loops that threads leave at different times, and data that decide in between;
//! - clamps and selections in addresses, quotients and remainders by constants;
//! - ragged blocks of three dimensions, negative and symbolic strides, bytes and halves.
//!
//! They are well-defined by construction, like the other kernels: an index's range is computed while it is
//! made, a thread writes its own columns only and reads those of others between two barriers.

use super::node::Node;
use super::random::Random;

/// Elements of each array that is only read.
const INPUT: i64 = 8192;
/// The host's argument for `m`.
const STRIDE: i64 = 3;
/// Rows of the arrays of which each thread owns a column.
const ROWS: usize = 8;
/// One more than the most that a loop's counter is.
const ROUNDS: usize = 7;
/// About how often a statement is executed at most, all loops around it together.
const MOST_ROUNDS: usize = 60;
/// Divisors of `threadIdx.x`.
const PERIODS: [i64; 8] = [2, 3, 4, 5, 8, 10, 16, 32];

/// Makes the statements of one program.
pub(super) struct Streams {
    random: Random,
    block: [usize; 3],
    grid: [usize; 2],
    /// The usual divisor of `threadIdx.x`.
    period: i64,
    loops: usize,
    rounds: usize,
    /// True if control is the same for the whole block here.
    uniform: bool,
    inside_loop: bool,
}

impl Streams {
    pub(super) fn new(mut random: Random, block: [usize; 3], grid: [usize; 2]) -> Streams {
        let period = PERIODS[random.below(PERIODS.len())];
        let (loops, rounds, uniform, inside_loop) = (0, 1, true, false);
        Streams { random, block, grid, period, loops, rounds, uniform, inside_loop }
    }

    pub(super) fn body(&mut self) -> Vec<Node> {
        let size = 4 + self.random.below(8);
        self.statements(size, 3)
    }

    fn threads(&self) -> usize {
        self.block.iter().product()
    }

    fn total(&self) -> usize {
        self.threads() * self.grid[0] * self.grid[1]
    }

    fn statements(&mut self, count: usize, depth: usize) -> Vec<Node> {
        (0..count).map(|_| self.statement(depth)).collect()
    }

    fn statement(&mut self, depth: usize) -> Node {
        if depth > 0 && self.random.chance(40) {
            return self.control(depth);
        }
        let text = match self.random.below(20) {
            0..=4 => self.load(),
            5..=7 => self.own_store(),
            8 | 9 => self.own_load(),
            10 | 11 => self.walk(),
            12 | 13 if self.uniform => self.exchange(),
            14 => format!("a{} = {};", self.random.below(2), self.index(2000)),
            15 => self.clamped(),
            16 => format!("v1 += in[a{} + {}];", self.random.below(2), self.random.below(90)),
            17 if self.random.chance(25) => self.synchronising(),
            18 => self.shared(),
            _ => self.computation(),
        };
        Node::leaf(text)
    }

    /// An index below `limit`: a sum of the numbers of the thread and the block.
    fn index(&mut self, limit: i64) -> String {
        let [bx, by, bz] = self.block.map(|extent| extent as i64);
        let tid = self.threads() as i64 - 1;
        let mut terms = vec![
            ("threadIdx.x".to_string(), bx - 1),
            ("threadIdx.y".to_string(), by - 1),
            ("threadIdx.z".to_string(), bz - 1),
            ("tid".to_string(), tid),
            ("tid".to_string(), tid),
            ("g".to_string(), self.total() as i64 - 1),
            ("blockIdx.x".to_string(), self.grid[0] as i64 - 1),
            ("(tid & 31)".to_string(), tid.min(31)),
            ("(tid & ~7u)".to_string(), tid & !7),
            ("(tid / 4)".to_string(), tid / 4),
            ("(tid % 8)".to_string(), tid.min(7)),
            ("(threadIdx.y * blockDim.x + threadIdx.x)".to_string(), bx * by - 1),
            ("((threadIdx.y * blockDim.x + threadIdx.x) / 32)".to_string(), (bx * by - 1) / 32),
            ("((threadIdx.y * blockDim.x + threadIdx.x) % 32)".to_string(), (bx * by - 1).min(31)),
            ("((threadIdx.y * blockDim.x + threadIdx.x) & 64)".to_string(), 64),
        ];
        terms.extend([self.divided(), self.divided(), self.divided()]);
        for counter in 0..self.loops {
            let most = ROUNDS as i64 - 1;
            terms.extend([(format!("k{counter}"), most), (format!("k{counter}"), most)]);
        }
        let (mut text, mut least, mut most) = (String::new(), 0, 0);
        for _ in 0..1 + self.random.below(3) {
            let (term, extent) = terms[self.random.below(terms.len())].clone();
            let (factor, value) = match self.random.below(8) {
                0 => ("m".to_string(), STRIDE),
                1 => ("blockDim.x".to_string(), bx),
                _ => {
                    let value = [1, 1, 2, 4, 5, 12, 33][self.random.below(7)];
                    (value.to_string(), value)
                }
            };
            let negative = self.random.chance(30);
            let reach = value * extent;
            if most - least + reach >= limit {
                continue;
            }
            if negative {
                least -= reach;
            } else {
                most += reach;
            }
            let sign = if negative { "-" } else { "+" };
            // Unsigned, so that a minus has one meaning in all of them.
            text += &format!(" {sign} {term} * {factor}");
        }
        let base = -least + self.random.below((limit - (most - least)) as usize) as i64;
        let mut sum = format!("{base}u{text}");
        if self.random.chance(15) {
            sum = format!("({sum}) {} {}", self.random.pick(&["/", "%"]), self.period());
        }
        match self.random.below(6) {
            0 => format!("(unsigned)({sum})"),
            1 => format!("(long long)({sum})"),
            2 => format!("(size_t)({sum})"),
            _ => format!("(int)({sum})"),
        }
    }

    /// A number to divide by, mostly the same.
    fn period(&mut self) -> i64 {
        match self.random.chance(70) {
            true => self.period,
            false => PERIODS[self.random.below(PERIODS.len())],
        }
    }

    /// `threadIdx.x` divided in some way, with the most that comes of it.
    fn divided(&mut self) -> (String, i64) {
        let (last, by) = (self.block[0] as i64 - 1, self.period());
        let shift = self.random.below(5);
        let low = (1 << shift) - 1;
        match self.random.below(10) {
            0 | 1 => (format!("(threadIdx.x / {by})"), last / by),
            2 => (format!("((int)threadIdx.x / {by})"), last / by),
            3 | 4 => (format!("(threadIdx.x % {by})"), last.min(by - 1)),
            5 => (format!("((int)threadIdx.x % {by})"), last.min(by - 1)),
            6 => (format!("(threadIdx.x >> {shift})"), last >> shift),
            7 => (format!("(threadIdx.x & ~{low}u)"), last & !low),
            8 => (format!("(threadIdx.x ^ {low}u)"), last | low),
            _ => (format!("(threadIdx.x * 6 / {by})"), last * 6 / by),
        }
    }

    /// A number that each thread may have of its own.
    fn value(&mut self) -> String {
        let constant = self.random.below(100);
        match self.random.below(7) {
            0 => format!("v0 + {constant}"),
            1 => format!("v1 * 3 - {constant}"),
            2 => "v2 ^ v3".to_string(),
            3 => "(int)l0 + v0".to_string(),
            4 => format!("(int)tid * {constant} - v1"),
            5 => "a0 - a1".to_string(),
            _ => constant.to_string(),
        }
    }

    fn load(&mut self) -> String {
        let index = self.index(INPUT);
        match self.random.below(8) {
            0 => format!("v0 += bytes[{index}];"),
            1 => format!("v1 -= halves[{index}];"),
            2 => format!("l0 += longs[{index}];"),
            3 => format!("f0 += fin[{index}];"),
            4 => format!("v2 += in[{index}] * in[{}];", self.index(INPUT)),
            5 => format!("v3 = in[{index}] - v3;"),
            _ => format!("v{} += in[{index}];", self.random.below(4)),
        }
    }

    /// A row of the arrays of columns that is not the last.
    fn row(&mut self) -> String {
        if self.loops > 0 && self.random.chance(60) {
            return format!("k{}", self.random.below(self.loops));
        }
        self.random.below(ROWS - 1).to_string()
    }

    /// A cell of the thread's own column; `other` is the same memory a row further.
    fn own(&mut self) -> String {
        let row = self.row();
        let array = self.random.pick(&["column", "column", "other", "narrow", "byte", "wide"]);
        match self.random.below(3) {
            0 => format!("{array}[{row} * TOTAL + g]"),
            1 => format!("{array}[g + TOTAL * {row}]"),
            _ => format!("*({array} + {row} * w + g)"),
        }
    }

    fn own_store(&mut self) -> String {
        let operator = self.random.pick(&["=", "=", "+="]);
        format!("{} {operator} {};", self.own(), self.value())
    }

    fn own_load(&mut self) -> String {
        match self.random.below(3) {
            // Reads the word just written, through the other name of the memory.
            0 => {
                let (row, value) = (self.random.below(ROWS - 1), self.value());
                format!(
                    "column[{} * TOTAL + g] = {value}; v0 += other[{row} * TOTAL + g];",
                    row + 1
                )
            }
            _ => format!("v{} += {};", self.random.below(4), self.own()),
        }
    }

    /// A pointer that goes through an array in steps, forwards or backwards.
    fn walk(&mut self) -> String {
        let (rounds, step) = (1 + self.random.below(6), 1 + self.random.below(70));
        let limit = self.random.pick(&["", "", "&& v1 > -100000", "&& (int)tid >= j"]);
        match self.random.below(4) {
            0 => format!(
                "{{ const int *p = in + {}; for (int j = 0; j < {rounds} {limit}; j++) {{ v0 += *p; p += {step}; }} }}",
                self.index(INPUT - 500)
            ),
            1 => format!(
                "{{ const short *p = halves + 500 + {}; for (int j = 0; j < {rounds} {limit}; j++) {{ v1 ^= *p; p -= {step}; }} }}",
                self.index(INPUT - 500)
            ),
            2 => format!(
                "for (unsigned i = g; i < {}u; i += TOTAL) v2 += in[i] - bytes[i + {step}];",
                self.total() * 4 + step
            ),
            // Each round reads the results of the one before.
            _ => format!(
                "for (int j = 0; j < {rounds}; j++) {{ other[j * w + g] = column[j * w + g] + {step}; }}"
            ),
        }
    }

    /// Reads a word that another thread of the block has written, between two barriers.
    fn exchange(&mut self) -> String {
        let row = self.random.below(ROWS);
        let read = match self.random.below(3) {
            0 => format!("v0 += column[{row} * TOTAL + (g - tid) + (THREADS - 1 - tid)];"),
            1 => "v1 += sh[THREADS - 1 - tid];".to_string(),
            _ => format!("v2 += byte[{row} * TOTAL + g - tid + THREADS - 1 - tid] + sh[tid];"),
        };
        format!("__syncthreads(); {read} __syncthreads();")
    }

    fn clamped(&mut self) -> String {
        let (a, b) = (self.random.below(60), 1 + self.random.below(60));
        match self.random.below(8) {
            0 => format!("v0 += in[min((int)g + {a}, {b})];"),
            1 => format!("v1 += in[max((int)tid - {a}, 0) + {b}];"),
            2 => format!("v2 += in[abs((int)tid - {a})];"),
            3 => format!("v3 += in[tid < {a} ? tid + {b} : tid * 3];"),
            4 => format!("v0 += halves[min(max((int)threadIdx.x - 1, 0), {b}) + (int)tid];"),
            5 => format!("v1 += in[(g + {a}) % {}];", [8, 16, 7, 96][self.random.below(4)]),
            6 => format!("v2 += bytes[(g + {a}) / {b}];"),
            _ => format!("v3 += in[(tid + {a}) & 127];"),
        }
    }

    /// A statement that may make one thread wait for another: no load after it is early.
    fn synchronising(&mut self) -> String {
        match self.random.below(3) {
            0 => format!("atomicAdd(&cells[{}], (int)tid);", self.random.below(16)),
            1 => "v0 += *(volatile int *)&column[g];".to_string(),
            _ => format!("atomicMax(&cells[16 + {}], v1 & 1023);", self.random.below(16)),
        }
    }

    /// The thread's own cells of shared and of local memory.
    fn shared(&mut self) -> String {
        let (row, value) = (self.row(), self.value());
        match self.random.below(4) {
            0 => "sh[tid] = sh[tid] * 2 + 1;".to_string(),
            1 => format!("local[{row}] = {value};"),
            2 => format!("v3 ^= local[{row}] + sh[tid];"),
            _ => "sh[tid] += v0;".to_string(),
        }
    }

    fn computation(&mut self) -> String {
        match self.random.below(5) {
            0 => format!("l0 = l0 * 5 + (long long)(g * {}u);", self.random.below(9000)),
            1 => format!("f0 = f0 * 0.5f + (float)({});", self.value()),
            _ => format!("v{} = {};", self.random.below(4), self.value()),
        }
    }

    /// A truth that parameters, constants and numbers of threads decide; the same in a block or not.
    fn programmatic(&mut self, uniform: bool) -> String {
        let comparison = self.random.pick(&["<", "<=", ">", ">=", "==", "!="]);
        let limit = self.random.below(64);
        if uniform {
            return match self.random.below(4) {
                0 if self.loops > 0 => format!("k0 {comparison} {}", limit % 5),
                1 => format!("(int)blockIdx.x {comparison} {}", limit % 3),
                2 => format!("n * 2 {comparison} {}", 100 + limit),
                _ => format!("n {comparison} m + {}", 44 + limit),
            };
        }
        match self.random.below(11) {
            0 => format!("(int)tid * 2 - {limit} {comparison} 0"),
            1 => format!("tid - 9u {comparison} {limit}u"),
            2 => format!("threadIdx.x * m + threadIdx.y {comparison} {limit}u"),
            3 => format!("(tid & 3) {comparison} {}u", limit % 4),
            4 => format!("g {comparison} (unsigned)n + {limit}u"),
            5 if self.loops > 0 => format!("k0 * 8 + (int)tid {comparison} {limit}"),
            6 => {
                let (one, two) = (self.programmatic(false), self.programmatic(uniform));
                format!("({one}) {} ({two})", self.random.pick(&["&&", "||"]))
            }
            7 => format!("!((int)threadIdx.x {comparison} {})", limit % 32),
            8 | 9 => {
                let (divided, most) = self.divided();
                format!("{divided} {comparison} {}u", limit as i64 % (most + 2))
            }
            _ => format!("tid {comparison} {limit}u"),
        }
    }

    /// A truth that memory decides.
    fn data(&mut self) -> String {
        match self.random.below(4) {
            0 => format!("in[{}] & 1", self.index(INPUT)),
            1 => format!("v0 > {}", self.random.below(900)),
            2 => format!("{} && (v1 & 2)", self.programmatic(false)),
            _ => format!("bytes[{}] > 128", self.index(INPUT)),
        }
    }

    fn control(&mut self, depth: usize) -> Node {
        let outer = (self.uniform, self.inside_loop);
        let size = 1 + self.random.below(3);
        let node = match self.random.below(8) {
            0..=2 => self.branch(size, depth),
            3..=5 => self.counted_loop(size, depth),
            6 if self.inside_loop => self.leave(),
            7 if self.random.chance(20) => {
                let condition = match self.random.below(3) {
                    0 => self.data(),
                    _ => format!("g >= {}u", 1 + self.random.below(self.total() * 2)),
                };
                Node::leaf(format!("if ({condition}) return;"))
            }
            _ => self.branch(size, depth),
        };
        (self.uniform, self.inside_loop) = outer;
        node
    }

    fn branch(&mut self, size: usize, depth: usize) -> Node {
        let uniform = self.random.chance(30);
        let condition = match self.random.below(10) {
            0..=2 if !uniform => self.data(),
            _ => self.programmatic(uniform),
        };
        self.uniform &= uniform;
        let mut children = self.statements(size, depth - 1);
        if self.random.chance(40) {
            let otherwise = self.statements(size, depth - 1);
            children.push(Node::nest("} else {", otherwise, ""));
        }
        Node::nest(format!("if ({condition}) {{"), children, "}")
    }

    fn counted_loop(&mut self, size: usize, depth: usize) -> Node {
        if self.loops == 3 || self.rounds > MOST_ROUNDS {
            return Node::leaf(self.load());
        }
        let counter = self.loops;
        let (bound, even) = match self.random.below(8) {
            0 => ("(int)(tid % 5u)".to_string(), false),
            1 => ("(v0 & 3)".to_string(), false),
            2 => ("(int)min(tid, 4u)".to_string(), false),
            3 => ("(in[3] & 3)".to_string(), true),
            4 => ("m + 2".to_string(), true),
            5 => ("(n & 7)".to_string(), true),
            _ => ((1 + self.random.below(ROUNDS)).to_string(), true),
        };
        // A loop that threads leave in between has no barriers.
        self.uniform &= even && self.random.chance(50);
        self.inside_loop = !self.uniform;
        self.loops += 1;
        let outer = self.rounds;
        self.rounds *= 4;
        let body = self.statements(size, depth - 1);
        self.rounds = outer;
        self.loops -= 1;
        let k = format!("k{counter}");
        let head = match self.random.below(4) {
            0 => format!("for ({k} = {bound}; {k}-- > 0;) {{"),
            _ => format!("for ({k} = 0; {k} < {bound}; {k}++) {{"),
        };
        Node::nest(head, body, "}")
    }

    fn leave(&mut self) -> Node {
        let condition = match self.random.chance(50) {
            true => self.data(),
            false => self.programmatic(false),
        };
        Node::leaf(format!("if ({condition}) {};", self.random.pick(&["break", "continue"])))
    }
}

/// The text before the statements.
pub(super) fn frame() -> String {
    format!("#define INPUT {INPUT}\n#define ROWS {ROWS}\n{HEAD}")
}

const HEAD: &str = "\
__global__ void kernel(const int *in, const unsigned char *bytes, const short *halves,
                       const long long *longs, const float *fin, int *column, int *other,
                       short *narrow, unsigned char *byte, long long *wide, long long *out,
                       int *cells, int n, int m, int w) {
    __shared__ int sh[THREADS];
    int v0 = 1, v1 = n, v2 = m, v3 = -5, a0 = 7, a1 = 70;
    long long l0 = -3;
    float f0 = 0.5f;
    int k0 = 0, k1 = 0, k2 = 0;
    int local[8];
    unsigned tid = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    unsigned g = tid + THREADS * (blockIdx.x + gridDim.x * blockIdx.y);
    for (int j = 0; j < 8; j++) local[j] = j * m;
    sh[tid] = (int)g;
    __syncthreads();
";

/// The text after the statements.
pub(super) const END: &str = "\
    out[g * 4] = v0 + v1 * 3LL;
    out[g * 4 + 1] = v2 - v3 * 5LL + l0;
    out[g * 4 + 2] = (long long)__float_as_int(f0) + a0 + a1 * 7 + k0 + k1 + k2;
    out[g * 4 + 3] = local[3] + sh[tid];
";

/// The host program; it prints the memory only when it is asked to by an argument.
pub(super) const MAIN: &str = "
int main(int argc, char **argv) {
    static int hin[INPUT]; static float hfin[INPUT]; static unsigned char hbytes[INPUT];
    static short hhalves[INPUT]; static long long hlongs[INPUT];
    static long long hout[TOTAL * 4]; static int hcolumn[TOTAL * ROWS]; int hcells[32];
    srand(42);
    for (int i = 0; i < INPUT; i++) {
        hin[i] = rand() % 2001 - 1000;
        hfin[i] = (rand() % 4096 - 2048) / 16.0f;
        hbytes[i] = rand() & 255;
        hhalves[i] = rand();
        hlongs[i] = (long long)rand() << 20;
    }
    int *in, *column, *cells; float *fin; unsigned char *bytes, *byte; short *halves, *narrow;
    long long *longs, *wide, *out;
    cudaMalloc((void **)&in, sizeof hin); cudaMalloc((void **)&fin, sizeof hfin);
    cudaMalloc((void **)&bytes, sizeof hbytes); cudaMalloc((void **)&halves, sizeof hhalves);
    cudaMalloc((void **)&longs, sizeof hlongs); cudaMalloc((void **)&column, sizeof hcolumn);
    cudaMalloc((void **)&narrow, TOTAL * ROWS * 2); cudaMalloc((void **)&byte, TOTAL * ROWS);
    cudaMalloc((void **)&wide, TOTAL * ROWS * 8); cudaMalloc((void **)&out, sizeof hout);
    cudaMalloc((void **)&cells, sizeof hcells);
    cudaMemcpy(in, hin, sizeof hin, cudaMemcpyHostToDevice);
    cudaMemcpy(fin, hfin, sizeof hfin, cudaMemcpyHostToDevice);
    cudaMemcpy(bytes, hbytes, sizeof hbytes, cudaMemcpyHostToDevice);
    cudaMemcpy(halves, hhalves, sizeof hhalves, cudaMemcpyHostToDevice);
    cudaMemcpy(longs, hlongs, sizeof hlongs, cudaMemcpyHostToDevice);
    cudaMemset(column, 3, sizeof hcolumn); cudaMemset(narrow, 1, TOTAL * ROWS * 2);
    cudaMemset(byte, 9, TOTAL * ROWS); cudaMemset(wide, 0, TOTAL * ROWS * 8);
    cudaMemset(out, 0, sizeof hout); cudaMemset(cells, 0, sizeof hcells);
    kernel<<<GRID, BLOCK>>>(in, bytes, halves, longs, fin, column, column + TOTAL, narrow, byte, wide, out,
                            cells, 77, 3, TOTAL);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    if (argc > 1) {
        cudaMemcpy(hout, out, sizeof hout, cudaMemcpyDeviceToHost);
        cudaMemcpy(hcolumn, column, sizeof hcolumn, cudaMemcpyDeviceToHost);
        cudaMemcpy(hcells, cells, sizeof hcells, cudaMemcpyDeviceToHost);
        for (int i = 0; i < TOTAL * 4; i++) printf(\"%d %lld\\n\", i, hout[i]);
        for (int i = 0; i < TOTAL * ROWS; i++) printf(\"c%d %d\\n\", i, hcolumn[i]);
        for (int i = 0; i < 32; i++) printf(\"x%d %d\\n\", i, hcells[i]);
    }
    cudaFree(in); cudaFree(fin); cudaFree(bytes); cudaFree(halves); cudaFree(longs);
    cudaFree(column); cudaFree(narrow); cudaFree(byte); cudaFree(wide); cudaFree(out); cudaFree(cells);
    return 0;
}
";
