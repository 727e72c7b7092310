//! Expressions, written with no more parentheses than their structure needs, now and then with more.

use super::types::{INT, Ty, any, literal};
use crate::generate::Random;

/// A variable that an expression may read.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub ty: Ty,
}

/// A text with how tightly it holds together, and its type.
#[derive(Clone, Debug)]
pub struct Expression {
    pub text: String,
    pub level: u32,
    pub ty: Ty,
}

const PRIMARY: u32 = 15;
const UNARY: u32 = 14;
const CONDITIONAL: u32 = 3;
const COMMA: u32 = 1;

/// Operators of two operands with their levels.
const ARITHMETIC: [(&str, u32); 10] = [
    ("*", 13),
    ("/", 13),
    ("%", 13),
    ("+", 12),
    ("-", 12),
    ("<<", 11),
    (">>", 11),
    ("&", 8),
    ("^", 7),
    ("|", 6),
];
const COMPARISONS: [(&str, u32); 6] =
    [("<", 10), (">", 10), ("<=", 10), (">=", 10), ("==", 9), ("!=", 9)];

/// Makes expressions of some variables.
pub struct Maker<'a> {
    pub random: &'a mut Random,
    pub variables: &'a [Variable],
}

impl Maker<'_> {
    /// The text as an operand where `level` is needed.
    fn operand(&mut self, found: &Expression, level: u32) -> String {
        match found.level < level || self.random.chance(10) {
            true => format!("({})", found.text),
            false => found.text.clone(),
        }
    }

    fn leaf(&mut self) -> Expression {
        if self.random.chance(70) && !self.variables.is_empty() {
            let found = &self.variables[self.random.below(self.variables.len())];
            return Expression { text: found.name.clone(), level: PRIMARY, ty: found.ty };
        }
        let (text, ty) = literal(self.random);
        Expression { text, level: PRIMARY, ty }
    }

    /// Any expression.
    pub fn any(&mut self, depth: u32) -> Expression {
        if depth == 0 {
            return self.leaf();
        }
        match self.random.below(16) {
            0 => self.leaf(),
            1 | 2 => self.unary(depth),
            3 => self.cast(depth),
            4 => self.logic(depth),
            5 => self.conditional(depth),
            6 => self.comma(depth),
            7 => self.size(depth),
            8 | 9 => self.comparison(depth),
            _ => self.arithmetic(depth),
        }
    }

    /// An expression that is an integer.
    pub fn integer(&mut self, depth: u32) -> Expression {
        let found = self.any(depth);
        match found.ty.is_float() {
            true => Expression { text: format!("whole({})", found.text), level: PRIMARY, ty: INT },
            false => found,
        }
    }

    fn unary(&mut self, depth: u32) -> Expression {
        let sign = self.random.pick(&["-", "!", "~", "+"]);
        let inner = match sign {
            "~" => self.integer(depth - 1),
            _ => self.any(depth - 1),
        };
        let ty = if sign == "!" { INT } else { inner.ty.promoted() };
        let text = self.operand(&inner, UNARY);
        let space = if text.starts_with(sign) { " " } else { "" };
        Expression { text: format!("{sign}{space}{text}"), level: UNARY, ty }
    }

    fn cast(&mut self, depth: u32) -> Expression {
        let (name, ty) = any(self.random);
        let inner = match ty.is_float() || ty == Ty::Bool {
            true => self.any(depth - 1),
            false => self.integer(depth - 1),
        };
        let text = self.operand(&inner, UNARY);
        Expression { text: format!("({name}){text}"), level: UNARY, ty }
    }

    fn logic(&mut self, depth: u32) -> Expression {
        let (sign, level) = if self.random.chance(50) { ("&&", 5) } else { ("||", 4) };
        self.pair(depth, sign, level, INT)
    }

    fn comparison(&mut self, depth: u32) -> Expression {
        let (sign, level) = COMPARISONS[self.random.below(COMPARISONS.len())];
        self.pair(depth, sign, level, INT)
    }

    fn pair(&mut self, depth: u32, sign: &str, level: u32, ty: Ty) -> Expression {
        let (left, right) = (self.any(depth - 1), self.any(depth - 1));
        let left = self.operand(&left, level);
        let right = self.operand(&right, level + 1);
        Expression { text: format!("{left} {sign} {right}"), level, ty }
    }

    fn conditional(&mut self, depth: u32) -> Expression {
        let condition = self.any(depth - 1);
        let (yes, no) = (self.any(depth - 1), self.any(depth - 1));
        let ty = yes.ty.common(no.ty);
        let condition = self.operand(&condition, CONDITIONAL + 1);
        let no = self.operand(&no, CONDITIONAL);
        Expression { text: format!("{condition} ? {} : {no}", yes.text), level: CONDITIONAL, ty }
    }

    fn comma(&mut self, depth: u32) -> Expression {
        // A variable: some versions of gcc fail on constants here.
        let first = self.random.below(self.variables.len());
        let last = self.any(depth - 1);
        let last_text = self.operand(&last, COMMA + 1);
        let text = format!("({}, {last_text})", self.variables[first].name);
        Expression { text, level: PRIMARY, ty: last.ty }
    }

    /// `sizeof` of a sum, whose type C and C++ agree on.
    fn size(&mut self, depth: u32) -> Expression {
        let (left, right) = (self.any(depth - 1), self.any(depth - 1));
        let (left, right) = (self.operand(&left, 12), self.operand(&right, 13));
        let text = format!("sizeof({left} + {right})");
        Expression { text, level: UNARY, ty: Ty::Int(64, false) }
    }

    fn arithmetic(&mut self, depth: u32) -> Expression {
        let (sign, level) = ARITHMETIC[self.random.below(ARITHMETIC.len())];
        let whole = !matches!(sign, "*" | "/" | "+" | "-");
        let mut make = || if whole { self.integer(depth - 1) } else { self.any(depth - 1) };
        let (left, right) = (make(), make());
        let (right, ty) = self.guarded(sign, &left, right);
        let left = self.operand(&left, level);
        let right = self.operand(&right, level + 1);
        Expression { text: format!("{left} {sign} {right}"), level, ty }
    }

    /// The right operand of an operator as it may be, and the type of the result.
    pub fn guarded(
        &mut self,
        sign: &str,
        left: &Expression,
        right: Expression,
    ) -> (Expression, Ty) {
        let both = left.ty.common(right.ty);
        if matches!(sign, "<<" | ">>") {
            let most = if matches!(left.ty.promoted(), Ty::Int(64, _)) { 63 } else { 31 };
            let text = self.operand(&right, 8);
            let count = Expression { text: format!("({text} & {most})"), level: PRIMARY, ty: INT };
            return (count, left.ty.promoted());
        }
        if matches!(sign, "/" | "%") && !both.is_float() {
            let text = self.operand(&right, 8);
            let text = format!("(({text} & 1023) + 1)");
            let ty = right.ty.promoted();
            return (Expression { text, level: PRIMARY, ty }, both);
        }
        (right, both)
    }
}
