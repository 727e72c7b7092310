//! Kernels with barriers that the threads of a warp do not reach together: in branches, in loops that they leave in
//! different iterations, in functions from which some return early. Each thread adds to its result how many
//! threads stood at a barrier with it, so results tell which threads each barrier has let go on.

use crate::generate::Random;
use std::fmt::Write;

/// How deep statements are nested.
const DEPTH: u32 = 3;

/// A program with one such kernel.
pub fn program(seed: u64) -> String {
    let mut writer = Writer { random: Random::new(seed), text: String::new(), loops: 0, names: 0 };
    let threads = writer.random.below(40) + 8;
    writer.text += "#include <stdio.h>\n\n__device__ unsigned step(unsigned h, int x)\n{\n";
    writer.statements(1, DEPTH - 1, "return h + 1;");
    writer.text += "    return h;\n}\n\n__global__ void kernel(unsigned *out)\n{\n";
    writer.text += "    int x = threadIdx.x;\n    unsigned h = blockIdx.x + x;\n";
    writer.statements(1, DEPTH, "{ out[blockIdx.x * blockDim.x + x] = h; return; }");
    writer.text += "    out[blockIdx.x * blockDim.x + x] = h;\n}\n";
    let _ = write!(
        writer.text,
        "
int main()
{{
    unsigned host[2 * {threads}], *out;
    cudaMalloc(&out, sizeof host);
    kernel<<<2, {threads}>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 2 * {threads}; i++)
        printf(\"%x\\n\", host[i]);
    return 0;
}}
"
    );
    writer.text
}

struct Writer {
    random: Random,
    text: String,
    /// Enclosing loops.
    loops: u32,
    /// Variables so far.
    names: u32,
}

impl Writer {
    fn line(&mut self, indent: usize, text: &str) {
        let _ = writeln!(self.text, "{}{text}", "    ".repeat(indent));
    }

    /// A condition that depends on the thread, on its result so far or on neither.
    fn condition(&mut self) -> String {
        let (by, of) = (self.random.below(5) + 1, self.random.below(5) + 2);
        let least = self.random.below(of - 1) + 1;
        let value = match self.random.below(5) {
            0 | 1 => format!("(x * {by})"),
            2 | 3 => format!("(h / {by} + x)"),
            _ => "blockIdx.x".to_string(),
        };
        format!("{value} % {of} < {least}")
    }

    fn statements(&mut self, indent: usize, depth: u32, leave: &str) {
        for _ in 0..self.random.below(3) + 1 {
            self.statement(indent, depth, leave);
        }
    }

    fn statement(&mut self, indent: usize, depth: u32, leave: &str) {
        let condition = self.condition();
        match self.random.below(if depth == 0 { 4 } else { 10 }) {
            0 => {
                let votes = ["count", "or", "and"];
                let vote = votes[self.random.below(3)];
                self.line(indent, &format!("h = h * 31 + __syncthreads_{vote}({condition});"));
            }
            1 => self.line(indent, "h = h * 17 + __syncthreads_count(1);"),
            2 if self.loops != 0 => {
                let leaves = ["break;", "continue;", leave];
                let how = leaves[self.random.below(3)];
                self.line(indent, &format!("if ({condition}) {how}"));
            }
            2 if self.random.below(3) == 0 => {
                self.line(indent, &format!("if ({condition}) {leave}"))
            }
            2 | 3 => self.line(indent, "h = h * 5 + x;"),
            4 if leave.starts_with('{') => self.line(indent, "h = step(h, x);"),
            4..=6 => self.branch(indent, depth, leave, &condition),
            _ => self.repeat(indent, depth, leave, &condition),
        }
    }

    fn branch(&mut self, indent: usize, depth: u32, leave: &str, condition: &str) {
        self.line(indent, &format!("if ({condition}) {{"));
        self.statements(indent + 1, depth - 1, leave);
        if self.random.below(2) == 0 {
            self.line(indent, "} else {");
            self.statements(indent + 1, depth - 1, leave);
        }
        self.line(indent, "}");
    }

    fn repeat(&mut self, indent: usize, depth: u32, leave: &str, condition: &str) {
        let name = self.names;
        self.names += 1;
        let (by, of) = (self.random.below(3) + 1, self.random.below(4) + 2);
        let count = match self.random.below(3) {
            0 => format!("{of}"),
            1 => format!("x * {by} % {of}"),
            _ => format!("(int)((h + x) % {of})"),
        };
        let ends = self.random.below(3) == 0;
        self.line(
            indent,
            &format!("for (int i{name} = 0, n{name} = {count}; i{name} <= n{name}; i{name}++) {{"),
        );
        self.loops += 1;
        self.statements(indent + 1, depth - 1, leave);
        self.loops -= 1;
        if ends {
            self.line(indent + 1, &format!("if ({condition}) break;"));
        }
        self.line(indent, "}");
    }
}
