//! Statements: instructions of random rows, and control flow around them.

use super::chosen::Chosen;
use crate::generate::node::Node;
use crate::generate::random::Random;
use reconverge_ptx::form::{self, Form, Holds};
use reconverge_ptx::table::GROUPS;
use std::collections::BTreeSet;

/// The deepest nesting of control flow.
const MOST_DEPTH: usize = 3;

/// The lanes of a program's warps.
#[derive(Clone, Copy, Debug, Default)]
pub struct Warps {
    /// The threads of a block fill its warps.
    pub are_whole: bool,
    /// Some threads end early.
    pub have_exits: bool,
    /// Warps load matrices, for which no lane may have ended.
    pub have_matrices: bool,
}

/// Makes the statements of a program.
pub struct Maker {
    pub random: Random,
    forms: Vec<(&'static str, &'static Form)>,
    /// Results depend on lanes.
    pub lanes: bool,
    /// The program may depend on lanes; half of all may not, so that warps of every width run them.
    pub may_use_lanes: bool,
    /// The lanes of its warps.
    pub warps: Warps,
    /// Statements are a kernel's, not a function's.
    pub in_kernel: bool,
    /// Cells of all threads that are in use.
    pub cells: usize,
    /// The rows that have an instruction in the program, by their patterns.
    pub rows: BTreeSet<&'static str>,
    functions: usize,
    labels: usize,
}

impl Maker {
    pub fn new(random: Random, whole_warps: bool) -> Maker {
        let groups = GROUPS.iter().flat_map(|(group, rows)| rows.iter().map(move |_| *group));
        let forms = groups.zip(form::all()).collect();
        let mut maker = Maker {
            random,
            forms,
            lanes: false,
            may_use_lanes: false,
            warps: Warps { are_whole: whole_warps, ..Warps::default() },
            in_kernel: false,
            cells: 0,
            rows: BTreeSet::new(),
            functions: 0,
            labels: 0,
        };
        maker.may_use_lanes = maker.random.chance(50);
        maker
    }

    /// The bodies of the functions that the kernel calls.
    pub fn functions(&mut self) -> Vec<Vec<Node>> {
        let count = self.random.below(3);
        let mut found = Vec::new();
        for _ in 0..count {
            let length = 1 + self.random.below(6);
            let body = (0..length).map(|_| self.statement(1, false)).collect();
            found.push(body);
        }
        self.functions = count;
        self.in_kernel = true;
        found
    }

    /// The statements of the kernel.
    pub fn body(&mut self) -> Vec<Node> {
        let length = 8 + self.random.below(25);
        (0..length).map(|_| self.statement(0, true)).collect()
    }

    pub fn label(&mut self) -> String {
        self.labels += 1;
        format!("$L{}", self.labels)
    }

    fn nested(&mut self, depth: usize, uniform: bool) -> Vec<Node> {
        let length = 1 + self.random.below(4);
        (0..length).map(|_| self.statement(depth + 1, uniform)).collect()
    }

    /// A statement; all threads of the block pass it if it is `uniform`.
    fn statement(&mut self, depth: usize, uniform: bool) -> Node {
        if depth < MOST_DEPTH && self.random.chance(20) {
            return self.structure(depth, uniform);
        }
        if uniform && self.random.chance(6) {
            return Node::leaf(self.exchange());
        }
        // Some rows have no instruction at this place.
        loop {
            let (group, form) = self.forms[self.random.below(self.forms.len())];
            if let Some(node) = self.row(group, form, depth, uniform) {
                self.rows.insert(form.row.pattern);
                return node;
            }
        }
    }

    /// Control flow around statements.
    fn structure(&mut self, depth: usize, uniform: bool) -> Node {
        match self.random.below(6) {
            0 | 1 => self.condition(depth),
            2 => self.counted(depth, uniform),
            3 => self.varying(depth),
            4 => self.overlap(depth),
            _ => self.condition_with_else(depth),
        }
    }

    /// A statement of a row, if it can stand here.
    fn row(
        &mut self,
        group: &str,
        form: &'static Form,
        depth: usize,
        uniform: bool,
    ) -> Option<Node> {
        let chosen = self.choose(form);
        let holds = |wanted: Holds| form.operands.iter().any(|operand| operand.holds == wanted);
        if holds(Holds::Label) {
            return (depth < MOST_DEPTH).then(|| self.condition(depth));
        }
        if holds(Holds::Table) {
            return (depth < MOST_DEPTH).then(|| self.switch(&chosen, depth));
        }
        if holds(Holds::Call) {
            return (self.in_kernel && self.functions > 0).then(|| self.call(&chosen));
        }
        let lines = match group {
            "Threads together" if uniform => self.together(&chosen)?,
            "Threads together" => return None,
            // Not every machine multiplies matrices: tests/tests/tensor.rs tries all forms.
            "Matrices" => return None,
            "Asynchronous copies" => self.copy(&chosen)?,
            "Control" => return self.control(&chosen, depth),
            _ if holds(Holds::Address) => self.access(&chosen)?,
            _ => self.computed(&chosen)?,
        };
        let mut lines = lines;
        if group != "Threads together" && self.random.chance(20) {
            let negated = if self.random.chance(50) { "!" } else { "" };
            let guard = format!("@{negated}{} ", self.predicate());
            if let Some(last) = lines.last_mut() {
                last.insert_str(0, &guard);
            }
        }
        Some(Node::leaf(lines.join("\n")))
    }

    /// An instruction of control flow that goes nowhere.
    fn control(&mut self, chosen: &Chosen, depth: usize) -> Option<Node> {
        let mnemonic = chosen.form.mnemonic();
        let text = match mnemonic {
            // Never taken.
            "trap" | "brkpt" => {
                let register = self.random.below(5);
                format!(
                    "setp.ne.u32 %test, %b32_{register}, %b32_{register};\n@%test {};",
                    chosen.spelled()
                )
            }
            "ret" if !self.in_kernel => {
                format!("setp.ge.s32 %test, %b32_0, %b32_1;\n@%test {};", chosen.spelled())
            }
            // Some threads end early, seldom.
            "exit" | "ret" => {
                if depth > 0 || self.warps.have_matrices || !self.random.chance(10) {
                    return None;
                }
                self.warps.have_exits = true;
                format!("setp.eq.u32 %test, %thread, 3;\n@%test {};", chosen.spelled())
            }
            _ => self.computed(chosen)?.join("\n"),
        };
        Some(Node::leaf(text))
    }

    /// Statements that a branch goes around.
    fn condition(&mut self, depth: usize) -> Node {
        let end = self.label();
        let negated = if self.random.chance(50) { "!" } else { "" };
        let head = format!("@{negated}{} bra {end};", self.predicate());
        Node::region(head, self.nested(depth, false), &format!("{end}:"))
    }

    /// Statements of one side or the other.
    fn condition_with_else(&mut self, depth: usize) -> Node {
        let (other, end) = (self.label(), self.label());
        let head = format!("@{} bra {other};", self.predicate());
        let mut children = self.nested(depth, false);
        let rest = self.nested(depth, false);
        children.push(Node::nest(format!("bra.uni {end};\n{other}:"), rest, ""));
        Node::nest(head, children, &format!("{end}:"))
    }

    /// Two regions that branches go around, one of which ends inside of the other.
    fn overlap(&mut self, depth: usize) -> Node {
        let (first, second) = (self.label(), self.label());
        let head = format!("@{} bra {first};", self.predicate());
        let mut children = self.nested(depth, false);
        children.push(Node::leaf(format!("@{} bra {second};", self.predicate())));
        children.extend(self.nested(depth, false));
        children.push(Node::leaf(format!("{first}:")));
        children.extend(self.nested(depth, false));
        Node::nest(head, children, &format!("{second}:"))
    }

    /// A loop of as many rounds in all threads.
    fn counted(&mut self, depth: usize, uniform: bool) -> Node {
        let start = self.label();
        let rounds = 1 + self.random.below(4);
        let head = format!("mov.u32 %loop_{depth}, 0;\n{start}:");
        let tail = format!(
            "add.u32 %loop_{depth}, %loop_{depth}, 1; setp.lt.u32 %again_{depth}, %loop_{depth}, {rounds}; @%again_{depth} bra {start};"
        );
        Node::nest(head, self.nested(depth, uniform), &tail)
    }

    /// A loop of other rounds in each thread, which some may leave in the middle.
    fn varying(&mut self, depth: usize) -> Node {
        let (start, end) = (self.label(), self.label());
        let register = self.random.below(5);
        let head = format!("and.b32 %loop_{depth}, %b32_{register}, 3;\n{start}:");
        let mut children = self.nested(depth, false);
        if self.random.chance(50) {
            children.push(Node::leaf(format!("@{} bra {end};", self.predicate())));
            children.extend(self.nested(depth, false));
        }
        let tail = format!(
            "sub.s32 %loop_{depth}, %loop_{depth}, 1; setp.ge.s32 %again_{depth}, %loop_{depth}, 0; @%again_{depth} bra {start}; {end}:"
        );
        Node::nest(head, children, &tail)
    }

    /// A branch by an index, whose targets follow each other; some leave.
    fn switch(&mut self, chosen: &Chosen, depth: usize) -> Node {
        let count = 2 + self.random.below(3);
        let labels: Vec<String> = (0..count).map(|_| self.label()).collect();
        let (list, end) = (self.label(), self.label());
        let register = self.random.below(5);
        let head = format!(
            "{list}: .branchtargets {};\nrem.u32 %t32, %b32_{register}, {count};\n{} %t32, {list};",
            labels.join(", "),
            chosen.spelled()
        );
        let mut children = Vec::new();
        for label in labels {
            children.push(Node::leaf(format!("{label}:")));
            children.extend(self.nested(depth, false));
            if self.random.chance(50) {
                children.push(Node::leaf(format!("bra {end};")));
            }
        }
        Node::nest(head, children, &format!("{end}:"))
    }

    /// A call of one of the functions.
    fn call(&mut self, chosen: &Chosen) -> Node {
        let spelled = chosen.spelled();
        let function = self.random.below(self.functions);
        let (a, b, result) = (self.random.below(5), self.random.below(3), self.random.below(5));
        let guard = match self.random.chance(20) {
            true => format!("@{} ", self.predicate()),
            false => String::new(),
        };
        // Functions with even numbers take registers.
        Node::leaf(match function % 2 {
            0 => format!("{guard}{spelled} (%b32_{result}), f{function}, (%b32_{a}, %b64_{b});"),
            _ => format!(
                "{{\n.param .b32 x; .param .b64 y; .param .b32 z;\n\
                 st.param.b32 [x], %b32_{a};\nst.param.b64 [y], %b64_{b};\n\
                 {spelled} (z), f{function}, (x, y);\nld.param.b32 %b32_{result}, [z];\n}}"
            ),
        })
    }
}
