//! Random statements that branch and loop, by the features that a program relies on.

use super::Mode;
use super::expression::Ty;
use super::node::Node;
use super::random::Random;

/// About how often a statement is executed at most, all loops around it together.
const MOST_ROUNDS: usize = 64;

/// Makes the draws for scopes others than those of the program.
const SCOPES: u64 = 1 << 32;

/// Makes the statements of one program.
pub(super) struct Maker {
    pub(super) random: Random,
    /// Draws of their own, so that the other statements of a seed do not depend on them.
    pub(super) scopes: Random,
    mode: Mode,
    /// True if threads may return early. If they may, no warp waits for a barrier in two sides: the
    /// machine's stack cannot return from a path to threads that have not returned.
    pub(super) returns: bool,
    /// Loop counters in use: a loop may not change those of the loops around it.
    loops: usize,
    /// The most times that the current statement is executed.
    rounds: usize,
    /// True if control is the same for the whole block here.
    uniform: bool,
    inside_loop: bool,
    /// Labels so far: each has a name of its own.
    labels: usize,
    /// True if every operation has the same result by all compilers.
    pub(super) portable: bool,
}

impl Maker {
    /// The number of a new label.
    pub(super) fn label(&mut self) -> usize {
        self.labels += 1;
        self.labels
    }

    pub(super) fn new(seed: u64, random: Random, mode: Mode) -> Maker {
        Maker {
            random,
            scopes: Random::new(seed.wrapping_add(SCOPES)),
            mode,
            returns: seed.is_multiple_of(2),
            loops: 0,
            rounds: 1,
            uniform: true,
            inside_loop: false,
            labels: 0,
            portable: false,
        }
    }

    pub(super) fn body(&mut self) -> Vec<Node> {
        let size = 4 + self.random.below(10);
        self.statements(size, 3)
    }

    fn statements(&mut self, count: usize, depth: usize) -> Vec<Node> {
        (0..count).map(|_| self.statement(depth)).collect()
    }

    /// The body of a loop.
    fn repeated(&mut self, rounds: usize, size: usize, depth: usize) -> Vec<Node> {
        let outer = self.rounds;
        self.rounds *= rounds;
        let body = self.statements(size, depth - 1);
        self.rounds = outer;
        body
    }

    fn statement(&mut self, depth: usize) -> Node {
        let nested = match self.mode {
            Mode::Straight | Mode::Affine => 20,
            Mode::Divergent => 55,
            Mode::Barriers | Mode::Atomics | Mode::Together => 35,
            Mode::Unrolled => 45,
        };
        if depth > 0 && self.random.chance(nested) {
            let node = self.control(depth);
            return match self.mode == Mode::Divergent && self.scopes.chance(15) {
                true => self.scoped(node),
                false => node,
            };
        }
        if self.mode != Mode::Together && self.scopes.chance(8) {
            return self.object();
        }
        if self.scopes.chance(8) {
            return self.overlap();
        }
        match self.mode {
            Mode::Barriers if self.uniform && self.random.chance(35) => self.exchange(),
            Mode::Atomics if self.random.chance(40) => self.atomic(),
            Mode::Affine if self.random.chance(50) => self.indexing(),
            Mode::Divergent if self.random.chance(8) => self.jumps(),
            Mode::Together if self.uniform && self.random.chance(60) => self.together(),
            _ => self.assignment(),
        }
    }

    /// A statement that branches or loops; its children are uniform only if its condition is.
    fn control(&mut self, depth: usize) -> Node {
        let outer = (self.uniform, self.inside_loop);
        let size = 1 + self.random.below(3);
        let node = match self.random.below(9) {
            _ if self.mode == Mode::Unrolled && self.random.chance(60) => {
                match self.scopes.chance(50) {
                    true => self.bounded_loop(size, depth),
                    false => self.constant_loop(size, depth),
                }
            }
            0..=2 => self.branch(size, depth),
            3 | 4 => self.counted_loop(size, depth),
            5 => self.while_loop(size, depth),
            6 => self.switch(depth),
            7 if self.inside_loop => self.leave(),
            8 if matches!(self.mode, Mode::Divergent | Mode::Barriers)
                && self.returns
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
        // Memory that a loop accumulates into often has a value before it.
        let node = match node.head.starts_with("for") {
            true if self.random.chance(20) => self.gathered(node),
            true if self.random.chance(20) => self.remembered(node),
            _ => node,
        };
        // A thread that left early passes no later barrier; the barrier does not wait for it, but
        // its shared cells, which the others read, are then fixed, so control stays uniform.
        (self.uniform, self.inside_loop) = outer;
        node
    }

    /// A statement with objects around it whose destructors change a cell, wherever control leaves them.
    fn scoped(&mut self, node: Node) -> Node {
        let count = 1 + self.scopes.below(2);
        let mut children: Vec<Node> = (0..count)
            .map(|number| {
                let cell = self.scopes.below(8);
                let by = self.scopes.pick(&["i0 & 15", "(int)(tid & 7)", "n - 70", "5"]);
                Node::leaf(format!("Scope scope{number}(&local[{cell}], {by});"))
            })
            .collect();
        children.push(node);
        Node::nest("{", children, "}")
    }

    /// A loop that adds to a cell, with an addition before and after it.
    fn gathered(&mut self, mut node: Node) -> Node {
        let cell = self.own_cell("5");
        let mut add = || Node::leaf(format!("{cell} += {};", self.integer(Ty::Int, 1)));
        node.children.insert(0, add());
        Node::nest("{", vec![add(), node, add()], "}")
    }

    /// A loop that leaves by a condition that is the same for all threads as long as they are in
    /// it.
    fn remembered(&mut self, mut node: Node) -> Node {
        node.children.insert(0, Node::leaf(format!("b1 = {} > {};", self.even(1), self.even(0))));
        node.children.insert(0, Node::leaf(format!("e0 = e0 * 3 + {};", self.even(0))));
        let value = self.integer(Ty::Int, 1);
        let after = Node::leaf(format!("if (b1) {{ bump(&local[2], {value}); i1 += e0; }}"));
        Node::nest("{", vec![node, after], "}")
    }

    fn branch(&mut self, size: usize, depth: usize) -> Node {
        let uniform_condition = self.random.chance(25);
        let condition = if uniform_condition {
            format!("n > {}", 60 + self.random.below(30))
        } else if self.random.chance(10) {
            // The right side acts, if it is evaluated.
            let operator = self.random.pick(&["&&", "||"]);
            format!("{} {operator} (i3 = {}) > 9", self.condition(1), self.integer(Ty::Int, 2))
        } else {
            self.condition(2)
        };
        self.uniform &= uniform_condition;
        let then = self.statements(size, depth - 1);
        if self.random.chance(50) {
            let otherwise = self.statements(size, depth - 1);
            let mut children = then;
            // `else` is carried by the nested node, so that removing it leaves a plain `if`.
            children.push(Node::nest("} else {", otherwise, ""));
            return Node::nest(format!("if ({condition}) {{"), children, "}");
        }
        Node::nest(format!("if ({condition}) {{"), then, "}")
    }

    fn counted_loop(&mut self, size: usize, depth: usize) -> Node {
        if self.loops == 4 || self.rounds > MOST_ROUNDS {
            return self.assignment();
        }
        let counter = self.loops;
        self.loops += 1;
        let (bound, even) = match self.random.below(5) {
            0 => ("(i0 & 7)".to_string(), false),
            1 => ("(int)(tid % 5u)".to_string(), false),
            2 => ("(n & 7)".to_string(), true),
            _ => ((1 + self.random.below(6)).to_string(), true),
        };
        // A `break` or `continue` on data makes the rest of the loop divergent: a loop has those or
        // barriers.
        self.uniform &= even && self.random.chance(50);
        self.inside_loop = !self.uniform;
        let body = self.repeated(4, size, depth);
        self.loops -= 1;
        Node::nest(
            format!("for (k{counter} = 0; k{counter} < {bound}; k{counter}++) {{"),
            body,
            "}",
        )
    }

    /// A loop whose rounds the compiler can count, often with a hint to write them out.
    fn constant_loop(&mut self, size: usize, depth: usize) -> Node {
        if self.loops == 4 {
            return self.assignment();
        }
        let counter = self.loops;
        self.loops += 1;
        let hint = match self.random.below(4) {
            0 => String::new(),
            1 => "#pragma unroll\n".to_string(),
            _ => format!("#pragma unroll {}\n", 2 + self.random.below(7)),
        };
        let (start, step) = (self.random.below(5), 1 + self.random.below(3));
        let rounds = 1 + self.random.below((MOST_ROUNDS / self.rounds).clamp(1, 20));
        let end = start + rounds * step;
        let k = format!("k{counter}");
        let head = match self.random.below(4) {
            0 => format!("for ({k} = {end}; {k} > {start}; {k} -= {step}) {{"),
            1 => format!("for ({k} = {start}; {k} <= {end}; {k} += {step}) {{"),
            2 => format!("for ({k} = {start}; {k} != {end}; {k} += {step}) {{"),
            _ => format!("for ({k} = {start}; {k} < {end}; {k} += {step}) {{"),
        };
        self.inside_loop = false;
        let mut body = self.repeated(rounds, size, depth);
        let index = self.integer(Ty::Int, 1);
        body.push(Node::leaf(match self.random.below(5) {
            3 => format!("i2 += in[{k} * 2 + (tid & 63)];"),
            4 => format!("i2 ^= in[({k} + (tid & 31)) * 2] + sh[tid];"),
            0 => format!("i2 += in[({k} * 9 + {index}) & 255];"),
            1 => format!("local[{k} & 7] = i2 + {index};"),
            _ => format!("u0 = u0 * 5 + {k};"),
        }));
        self.loops -= 1;
        Node::nest(hint + &head, body, "}")
    }

    /// A loop whose counter, of some type, goes up or down to a limit known when it is entered, often near an end of the type;
    /// it may have many iterations or none.
    fn bounded_loop(&mut self, size: usize, depth: usize) -> Node {
        if self.rounds > MOST_ROUNDS / 8 {
            return self.assignment();
        }
        self.labels += 1;
        let counter = format!("q{}", self.labels);
        let (bound, even) = match self.random.below(4) {
            0 => ("(i0 & 31)", false),
            1 => ("(int)(tid & 15u)", false),
            2 => ("(n & 31)", true),
            _ => ("(n & 31) + 5", true),
        };
        let step = 1 + self.random.below(5);
        let (ty, least, most) = [
            ("int", "(-2147483647 - 1)", "2147483647"),
            ("unsigned", "0u", "4294967295u"),
            ("long long", "(-9223372036854775807LL - 1)", "9223372036854775807LL"),
            ("unsigned long long", "0ull", "18446744073709551615ull"),
        ][self.random.below(4)];
        // A step that no one knows beforehand, positive: up to five as well.
        let unknown = self.random.chance(25);
        let name = format!("{counter}s");
        let step = if unknown { name.clone() } else { step.to_string() };
        // The limits leave room for the last step: signed counters do not overflow.
        let signed = !ty.starts_with("unsigned");
        let head = match self.random.below(9) {
            0 => format!("{ty} {counter} = 0; {counter} < ({ty})({bound}); {counter} += {step}"),
            1 => format!("{ty} {counter} = 3; {counter} <= ({ty})({bound}); {counter} += {step}"),
            // The body may change `i0`, and the counter pass it.
            2 if !bound.contains("i0") => {
                format!("{ty} {counter} = 0; {counter} != ({ty})({bound}); {counter}++")
            }
            3 => format!("{ty} {counter} = {bound}; {counter} > 0; {counter}--"),
            4 => format!("{ty} {counter} = {bound}; {counter} >= {step}; {counter} -= {step}"),
            6 if signed => format!("{ty} {counter} = {bound}; {counter} >= 0; {counter} -= {step}"),
            7 if signed => {
                format!("{ty} {counter} = {bound}; {counter} > 2; {counter} += -({ty}){step}")
            }
            5 => format!(
                "{ty} {counter} = {most} - 45; {counter} < {most} - 41 + ({ty})({bound}); {counter} += {step}"
            ),
            _ => format!(
                "{ty} {counter} = {least} + 45; {counter} > {least} + 41 - ({ty})({bound}); {counter} -= {step}"
            ),
        };
        let hint = match self.random.below(4) {
            0 => format!("#pragma unroll {}\n", 1 + self.random.below(9)),
            _ => String::new(),
        };
        self.uniform &= even && self.random.chance(50);
        self.inside_loop = !self.uniform;
        let mut body = match self.random.chance(50) {
            true => self.repeated(16, size, depth),
            false => Vec::new(),
        };
        let index = self.integer(Ty::Int, 1);
        body.push(Node::leaf(match self.random.below(5) {
            0 => format!("i2 += in[(int){counter} + (tid & 31) & 255];"),
            1 => format!("i2 = i2 * 3 + in[((int){counter} * 9 + {index}) & 255];"),
            2 => format!("local[{counter} & 7] = i2 + {index};"),
            3 => format!("i2 ^= in[(({counter} & 63) + (tid & 31)) * 2] + sh[tid];"),
            _ => format!("u0 = u0 * 5 + (unsigned){counter};"),
        }));
        if !unknown {
            return Node::nest(format!("{hint}for ({head}) {{"), body, "}");
        }
        let by = if even { "(n & 3) + 1" } else { "(i1 & 3) + 1 + (n & 1)" };
        let step = format!("{ty} {name} = ({ty})({by});");
        Node::nest(format!("{{ {step}\n{hint}for ({head}) {{"), body, "} }")
    }

    fn while_loop(&mut self, size: usize, depth: usize) -> Node {
        if self.loops == 4 || self.rounds > MOST_ROUNDS {
            return self.assignment();
        }
        let counter = self.loops;
        self.loops += 1;
        self.inside_loop = true;
        self.uniform = false;
        let body = self.repeated(4, size, depth);
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
}
