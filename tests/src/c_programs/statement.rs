//! Programs of variables and statements.

use super::expression::{Expression, Maker, Variable};
use super::types::{INT, Ty, any, literal};
use crate::generate::Random;
use std::fmt::Write;

/// The depth to which statements contain each other.
const DEPTH: u32 = 3;

struct Writer<'a> {
    random: &'a mut Random,
    variables: Vec<Variable>,
    /// The number of variables that may be assigned to; the others count loops.
    own: usize,
    counters: usize,
    text: String,
}

pub fn program(random: &mut Random, seed: u64, outside: &mut String, body: &mut String) {
    let mut writer =
        Writer { random, variables: Vec::new(), own: 0, counters: 0, text: String::new() };
    writer.declare(seed, outside);
    let count = 4 + writer.random.below(8);
    for _ in 0..count {
        writer.statement(DEPTH);
    }
    for index in 0..writer.own {
        let Variable { name, ty } = writer.variables[index].clone();
        writer.text += &ty.print(&name);
    }
    body.push_str(&writer.text);
}

impl Writer<'_> {
    /// Variables of the function, and some of the file.
    fn declare(&mut self, seed: u64, outside: &mut String) {
        for index in 0..3 + self.random.below(7) {
            let (name, ty) = any(self.random);
            let (mut value, from) = literal(self.random);
            if self.random.chance(30) {
                value.insert(0, '-');
            }
            if from.is_float() && !ty.is_float() {
                value = format!("{}", self.random.below(200) as i64 - 100);
            }
            let (variable, text) = match self.random.below(4) {
                0 => (format!("file_{seed}_{index}"), &mut *outside),
                _ => (format!("v{index}"), &mut self.text),
            };
            let _ = writeln!(text, "{name} {variable} = {value};");
            self.variables.push(Variable { name: variable, ty });
        }
        self.own = self.variables.len();
    }

    fn expression(&mut self, depth: u32) -> Expression {
        Maker { random: self.random, variables: &self.variables }.any(depth)
    }

    fn target(&mut self) -> Variable {
        self.variables[self.random.below(self.own)].clone()
    }

    fn statement(&mut self, depth: u32) {
        match self.random.below(if depth == 0 { 8 } else { 14 }) {
            0..=2 => self.assignment(),
            3 | 4 => self.compound(),
            5 => {
                let target = self.target().name;
                let step = self.random.pick(&["++", "--"]);
                let text = match self.random.chance(50) {
                    true => format!("{target}{step};\n"),
                    false => format!("{step}{target};\n"),
                };
                // C++ has no such operators for `_Bool`, and floats would test nothing new.
                let ty = self.variables.iter().find(|one| one.name == target).map(|one| one.ty);
                if ty.is_some_and(|ty| matches!(ty, Ty::Int(..))) {
                    self.text += &text;
                }
            }
            6 | 7 => {
                let found = self.expression(4);
                self.text += &found.ty.print(&found.text);
            }
            8 | 9 => self.branch(depth),
            10 | 11 => self.count(depth),
            12 => self.repeat(depth),
            _ => self.select(depth),
        }
    }

    fn block(&mut self, depth: u32) {
        self.text += "{\n";
        for _ in 0..1 + self.random.below(3) {
            self.statement(depth - 1);
        }
        self.text += "}\n";
    }

    /// `v = e`; a floating value becomes an integer only where it fits.
    fn assignment(&mut self) {
        let target = self.target();
        let found = self.expression(3);
        let (name, text) = (&target.name, &found.text);
        match found.ty.is_float() && matches!(target.ty, Ty::Int(..)) {
            true => {
                let _ = writeln!(
                    self.text,
                    "{{ double t = {text}; {name} = t >= 0 && t < 100 ? t : 7; }}"
                );
            }
            false => {
                let _ = writeln!(self.text, "{name} = {text};");
            }
        }
    }

    fn compound(&mut self) {
        let target = self.target();
        let mut signs = vec!["+", "-", "*", "/"];
        if !target.ty.is_float() {
            signs.extend(["%", "&", "|", "^", "<<", ">>"]);
        }
        let sign = self.random.pick(&signs);
        let mut maker = Maker { random: self.random, variables: &self.variables };
        let right = match target.ty.is_float() {
            true => maker.any(2),
            false => maker.integer(2),
        };
        let left = Expression { text: target.name.clone(), level: 15, ty: target.ty };
        let (right, _) = maker.guarded(sign, &left, right);
        let _ = writeln!(self.text, "{} {sign}= {};", target.name, right.text);
    }

    fn branch(&mut self, depth: u32) {
        let condition = self.expression(2).text;
        let _ = writeln!(self.text, "if ({condition})");
        self.block(depth);
        if self.random.chance(50) {
            self.text += "else\n";
            self.block(depth);
        }
    }

    fn counter(&mut self) -> String {
        self.counters += 1;
        format!("n{}", self.counters)
    }

    fn count(&mut self, depth: u32) {
        let name = self.counter();
        let most = 1 + self.random.below(5);
        let _ = writeln!(self.text, "for (int {name} = 0; {name} < {most}; {name}++) {{");
        self.variables.push(Variable { name: name.clone(), ty: INT });
        for _ in 0..1 + self.random.below(2) {
            self.statement(depth - 1);
        }
        if self.random.chance(40) {
            let word = self.random.pick(&["break", "continue"]);
            let condition = self.expression(2).text;
            let _ = writeln!(self.text, "if ({condition}) {word};");
            self.statement(depth - 1);
        }
        self.text += "}\n";
        self.variables.pop();
    }

    fn repeat(&mut self, depth: u32) {
        let name = self.counter();
        let most = 1 + self.random.below(4);
        let _ = writeln!(self.text, "{{ int {name} = {most};");
        self.variables.push(Variable { name: name.clone(), ty: INT });
        match self.random.chance(50) {
            true => {
                let _ = writeln!(self.text, "while ({name}-- > 0)");
                self.block(depth);
            }
            false => {
                self.text += "do\n";
                self.block(depth);
                let _ = writeln!(self.text, "while (--{name} > 0);");
            }
        }
        self.text += "}\n";
        self.variables.pop();
    }

    fn select(&mut self, depth: u32) {
        let value = Maker { random: self.random, variables: &self.variables }.integer(2);
        let _ = writeln!(self.text, "switch (({}) & 3) {{", value.text);
        let otherwise = self.random.below(5);
        for case in 0..4 {
            match case == otherwise {
                true => self.text += "default:\n",
                false => {
                    let _ = writeln!(self.text, "case {case}:");
                }
            }
            self.block(depth);
            if self.random.chance(60) {
                self.text += "break;\n";
            }
        }
        self.text += "}\n";
    }
}
