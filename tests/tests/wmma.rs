//! `wmma` in PTX: every form against products computed here, with strides and layouts, and against the reference model with any
//! bits.

use reconverge::execute::ModelName::{self, Functional, Reference, Timing};
use reconverge::{CompileOptions, Dim, Module, Target};
use reconverge_compiler::lower::Options;
use reconverge_compiler::pass::Level;
use reconverge_ptx::form::{self, Form};
use reconverge_tests::generate::Random;
use std::fmt::Write;

/// Bytes of each matrix in memory: 32 rows of a stride of up to 40 elements of 8 bytes.
const ROOM: usize = 32 * 40 * 8;

/// A product of the table: its sizes, types, layouts of `a`, `b` and of `c` and the result.
#[derive(Clone, Debug)]
struct Product {
    spelled: String,
    shape: &'static str,
    sizes: [usize; 3],
    /// Those of the result, `a`, `b` and `c`.
    types: [&'static str; 4],
    by_row: [bool; 2],
    registers: [usize; 4],
}

impl Product {
    fn of(form: &Form, words: &[&'static str]) -> Product {
        let known = ["f16", "f32", "f64", "bf16", "tf32", "s32", "u8", "s8"];
        let named: Vec<&str> = words.iter().copied().filter(|word| known.contains(word)).collect();
        let types = match named.as_slice() {
            [d, c] => [*d, "f16", "f16", *c],
            _ => named.try_into().unwrap(),
        };
        let shape = words
            .iter()
            .copied()
            .find(|word| word.starts_with('m') && word.contains('n') && *word != "mma")
            .unwrap();
        let sizes: Vec<usize> =
            shape.split(['m', 'n', 'k']).filter_map(|it| it.parse().ok()).collect();
        let layouts: Vec<bool> = words
            .iter()
            .filter(|word| ["row", "col"].contains(word))
            .map(|word| *word == "row")
            .collect();
        Product {
            spelled: format!("wmma.{}", words.join(".")),
            shape,
            sizes: sizes.try_into().unwrap(),
            types,
            by_row: layouts.try_into().unwrap(),
            registers: [0, 1, 2, 3].map(|at| form.operands[at].count),
        }
    }

    /// A kernel that loads the matrices, `space` bytes apart, multiplies, and stores the result behind them.
    fn kernel(&self, strides: [usize; 4], c_by_row: bool, shared: bool) -> String {
        let layout = |by_row: bool| if by_row { "row" } else { "col" };
        let mut names = Vec::new();
        let mut next = [0, 0];
        for (at, count) in self.registers.into_iter().enumerate() {
            let wide = usize::from(self.types[at] == "f64");
            let prefix = ["%w", "%d"][wide];
            let registers: Vec<String> =
                (next[wide]..next[wide] + count).map(|at| format!("{prefix}{at}")).collect();
            next[wide] += count;
            names.push(format!("{{{}}}", registers.join(", ")));
        }
        let mut text = format!(
            ".version 8.4\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p) {{\n\
             .reg .b64 %p, %m<4>; .reg .b32 %w<64>, %s; .reg .f64 %d<16>;\n\
             .shared .align 32 .b8 box[{ROOM}]; ld.param.u64 %p, [p]; mov.u32 %s, box;\n\
             add.u64 %m1, %p, {ROOM}; add.u64 %m2, %p, {}; add.u64 %m3, %p, {}; add.u64 %m0, %p, {};\n",
            2 * ROOM,
            3 * ROOM,
            4 * ROOM
        );
        let by_row = [c_by_row, self.by_row[0], self.by_row[1], c_by_row];
        for (at, which) in [(1, "a"), (2, "b"), (3, "c")] {
            // Without a stride, rows or columns follow each other.
            let stride = match strides[at] == self.plain_stride(at, by_row[at]) {
                true => String::new(),
                false => format!(", {}", strides[at]),
            };
            let _ = writeln!(
                text,
                "wmma.load.{which}.sync.aligned.{}.{}{}.{} {}, [%m{at}]{stride};",
                layout(by_row[at]),
                self.shape,
                if at == 2 { ".global" } else { "" },
                self.types[at],
                names[at],
            );
        }
        let _ = writeln!(
            text,
            "{} {}, {}, {}, {};",
            self.spelled, names[0], names[1], names[2], names[3]
        );
        let store = |to: &str, space: &str| {
            format!(
                "wmma.store.d.sync.aligned.{}.{}{space}.{} [{to}], {}, {};\n",
                layout(c_by_row),
                self.shape,
                self.types[0],
                names[0],
                strides[0]
            )
        };
        if shared {
            // There and back by shared memory.
            let load = format!(
                "wmma.load.c.sync.aligned.{}.{}.shared.{} {}, [%s], {};\n",
                layout(c_by_row),
                self.shape,
                self.types[0],
                names[0],
                strides[0]
            );
            text += &(store("%s", ".shared") + "bar.sync 0;\n" + &load);
        }
        text + &store("%m0", ".global") + "ret;\n}\n"
    }

    fn plain_stride(&self, at: usize, by_row: bool) -> usize {
        let [m, n, k] = self.sizes;
        let (rows, columns) = [(m, n), (m, k), (k, n), (m, n)][at];
        if by_row { columns } else { rows }
    }
}

fn run(text: &str, memory: &[u8], model: ModelName, level: Level) -> Vec<u8> {
    let options = CompileOptions {
        lowering: Options { level, verify: true, ..Options::default() },
        ..CompileOptions::default()
    };
    let module = Module::from_ptx(text, &options).unwrap();
    let mut gpu = module.load(&Target::new("h100").unwrap().model(model)).unwrap();
    let buffer = gpu.buffer(memory).unwrap();
    let (grid, block) = (Dim([1, 1, 1]), Dim([32, 1, 1]));
    gpu.launch_bytes("k", grid, block, 0, &buffer.address().to_le_bytes()).unwrap();
    gpu.read(&buffer)[4 * ROOM..].to_vec()
}

fn products() -> Vec<Product> {
    let forms = form::all().into_iter().filter(|form| form.row.pattern.starts_with("wmma.mma"));
    let each = |form: &'static Form| {
        form.samples().into_iter().map(move |words| Product::of(form, &words))
    };
    let found: Vec<Product> = forms.flat_map(each).collect();
    assert!(found.len() > 60, "{}", found.len());
    found
}

/// The bytes of an element.
fn size(ty: &str) -> usize {
    match ty {
        "f64" => 8,
        "f32" | "tf32" | "s32" => 4,
        "u8" | "s8" => 1,
        _ => 2,
    }
}

/// The bits of the half that is nearest to a number, zero or normal; of two the even one.
fn half(value: f64) -> u16 {
    let bits = value.to_bits();
    let sign = (bits >> 48) as u16 & 0x8000;
    let exponent = (bits >> 52 & 2047) as i64 - 1008;
    match (value == 0.0, exponent) {
        (true, _) => sign,
        (_, 1..31) => {
            let kept = (exponent as u64) << 10 | bits >> 42 & 0x3ff;
            let (rest, middle) = (bits & ((1 << 42) - 1), 1 << 41);
            let up = u64::from(rest > middle || rest == middle && kept & 1 == 1);
            sign | (kept + up) as u16
        }
        _ => panic!("{value} is no normal half"),
    }
}

/// A small number with few bits, and an element of it.
fn element(random: &mut Random, ty: &str) -> (f64, Vec<u8>) {
    let draw = random.draw();
    match ty {
        "u8" => ((draw % 256) as f64, vec![draw as u8]),
        "s8" => (f64::from(draw as i8), vec![draw as u8]),
        "s32" => (f64::from(draw as i32), (draw as u32).to_le_bytes().to_vec()),
        _ => {
            // From 2^-4 to 2^4, with seven bits, which every format has.
            let value = (64 + draw % 64) as f64 / 64.0 * 2f64.powi((draw >> 8) as i32 % 5 - 2);
            let value = if draw >> 16 & 1 == 1 { -value } else { value };
            (value, encoded(value, ty))
        }
    }
}

fn encoded(value: f64, ty: &str) -> Vec<u8> {
    match ty {
        "f64" => value.to_le_bytes().to_vec(),
        "f32" | "tf32" => (value as f32).to_le_bytes().to_vec(),
        "bf16" => ((value as f32).to_bits() >> 16).to_le_bytes()[..2].to_vec(),
        "f16" => half(value).to_le_bytes().to_vec(),
        _ => ((value as i64) as i32).to_le_bytes().to_vec(),
    }
}

/// Exact sums of small numbers, rounded once; with layouts, strides and both ways of memory.
#[test]
fn products_are_exact() {
    let mut random = Random::new(60);
    for product in products() {
        let [m, n, k] = product.sizes;
        for (variant, c_by_row) in [true, false].into_iter().enumerate() {
            let by_row = [c_by_row, product.by_row[0], product.by_row[1], c_by_row];
            let more = [8, 0][variant];
            let strides = [0, 1, 2, 3].map(|at| product.plain_stride(at, by_row[at]) + more);
            let mut memory = vec![0u8; 5 * ROOM];
            let mut values = vec![vec![vec![0.0; 32]; 32]; 4];
            for (at, (rows, columns)) in
                [(m, n), (m, k), (k, n), (m, n)].into_iter().enumerate().skip(1)
            {
                let bytes = size(product.types[at]);
                let places =
                    (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
                for (row, column) in places {
                    let (value, bits) = element(&mut random, product.types[at]);
                    let (outer, inner) = if by_row[at] { (row, column) } else { (column, row) };
                    let place = at * ROOM + (outer * strides[at] + inner) * bytes;
                    memory[place..place + bytes].copy_from_slice(&bits);
                    values[at][row][column] = value;
                }
            }
            let text = product.kernel(strides, c_by_row, variant == 0);
            let mut wanted = vec![0u8; ROOM];
            for row in 0..m {
                for column in 0..n {
                    let products = (0..k).map(|k| values[1][row][k] * values[2][k][column]);
                    // Few bits and few exponents: no sum is rounded before the end.
                    let sum = products.sum::<f64>() + values[3][row][column];
                    let sum = match product.types[0] {
                        "s32" if product.spelled.contains("satfinite") => {
                            sum.clamp(i32::MIN.into(), i32::MAX.into())
                        }
                        "f16" if product.types[3] == "f32" => f64::from(sum as f32),
                        _ => sum,
                    };
                    let bits = encoded(sum, product.types[0]);
                    let (outer, inner) = if c_by_row { (row, column) } else { (column, row) };
                    let place = (outer * strides[0] + inner) * bits.len();
                    wanted[place..place + bits.len()].copy_from_slice(&bits);
                }
            }
            for (model, level) in
                [(Reference, Level::None), (Functional, Level::None), (Timing, Level::Full)]
            {
                let found = run(&text, &memory, model, level);
                assert!(
                    found == wanted,
                    "{model:?} {} {strides:?} {c_by_row}\n{text}",
                    product.spelled
                );
            }
        }
    }
}

/// Any bits: NaNs, infinities and subnormal numbers among them.
#[test]
fn models_agree_on_any_bits() {
    let mut random = Random::new(61);
    for product in products() {
        let by_row = [true, product.by_row[0], product.by_row[1], true];
        let strides = [0, 1, 2, 3].map(|at| product.plain_stride(at, by_row[at]));
        let text = product.kernel(strides, true, false);
        let memory: Vec<u8> = (0..5 * ROOM).map(|_| random.draw() as u8).collect();
        let wanted = run(&text, &memory, Reference, Level::None);
        for (model, level) in [(Functional, Level::Full), (Timing, Level::Full)] {
            assert!(run(&text, &memory, model, level) == wanted, "{model:?} {}", product.spelled);
        }
    }
}
