//! Random expressions, each as a checked tree and as C, compared with the system's compiler.

use super::build::*;
use super::outcome_of;
use crate::host::report::Outcome;
use reconverge_compiler::check::builtin::Builtin;
use reconverge_compiler::check::tree::*;
use std::process::Command;

/// Types with their C names; variable number `i` has type number `i`.
fn types() -> Vec<(Type, &'static str)> {
    use IntKind::*;
    vec![
        (Type::Int(SChar), "signed char"),
        (Type::Int(UChar), "unsigned char"),
        (Type::Int(Short), "short"),
        (Type::Int(UShort), "unsigned short"),
        (Type::Int(Int), "int"),
        (Type::Int(UInt), "unsigned"),
        (Type::Int(LongLong), "long long"),
        (Type::Int(ULongLong), "unsigned long long"),
        (Type::Float, "float"),
        (Type::Double, "double"),
        (Type::Bool, "_Bool"),
    ]
}

struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % count
    }
}

/// Both forms of an expression.
type Pair = (Expr, String);

fn c_name(ty: &Type) -> &'static str {
    let found = types().into_iter().find(|(known, _)| known == ty);
    found.map_or("?", |(_, name)| name)
}

fn cast((tree, text): Pair, ty: &Type) -> Pair {
    let tree = match tree.ty == *ty {
        true => tree,
        false => convert(tree, ty.clone()),
    };
    (tree, format!("(({})({text}))", c_name(ty)))
}

/// A type that arithmetic happens in.
fn wide(random: &mut Random) -> Type {
    types()[4 + random.below(6)].0.clone()
}

fn leaf(random: &mut Random) -> Pair {
    let number = random.below(types().len());
    let ty = types()[number].0.clone();
    (var(number as u32, ty), format!("v{number}"))
}

/// An expression of a type; never converts floats to integers, where C leaves much open.
fn of_type(random: &mut Random, ty: &Type, depth: u32) -> Pair {
    let value = any(random, depth);
    match value.0.ty.is_floating() && ty.is_integer() && *ty != Type::Bool {
        true => {
            let zero = expr(ExprKind::Float(0.0), value.0.ty.clone());
            let test = binary(BinaryOp::Less, value.0, zero);
            cast((test, format!("({} < 0)", value.1)), ty)
        }
        false => cast(value, ty),
    }
}

fn any(random: &mut Random, depth: u32) -> Pair {
    if depth == 0 {
        return leaf(random);
    }
    let ty = wide(random);
    match random.below(8) {
        0 => {
            let narrow = types()[random.below(11)].0.clone();
            of_type(random, &narrow, depth - 1)
        }
        1 => {
            let (value, text) = of_type(random, &ty, depth - 1);
            let tree = expr(ExprKind::Unary(UnaryOp::Negate, Box::new(value)), ty);
            (tree, format!("(-{text})"))
        }
        2 => comparison(random, &ty, depth),
        3 => {
            let condition = any(random, depth - 1);
            let (yes, no) = (of_type(random, &ty, depth - 1), of_type(random, &ty, depth - 1));
            let text = format!("({} ? {} : {})", condition.1, yes.1, no.1);
            let (condition, yes, no) = (Box::new(condition.0), Box::new(yes.0), Box::new(no.0));
            (expr(ExprKind::Conditional(condition, yes, no), ty), text)
        }
        4 => logic(random, depth),
        _ => arithmetic(random, &ty, depth),
    }
}

fn comparison(random: &mut Random, ty: &Type, depth: u32) -> Pair {
    use BinaryOp::*;
    let all = [
        (Equal, "=="),
        (NotEqual, "!="),
        (Less, "<"),
        (LessEqual, "<="),
        (Greater, ">"),
        (GreaterEqual, ">="),
    ];
    let (op, sign) = all[random.below(6)];
    let (left, right) = (of_type(random, ty, depth - 1), of_type(random, ty, depth - 1));
    let text = format!("({} {sign} {})", left.1, right.1);
    let tree = binary(op, left.0, right.0);
    if random.below(2) == 0 {
        return cast((tree, text), &Type::INT);
    }
    let not = expr(ExprKind::Unary(UnaryOp::Not, Box::new(tree)), Type::Bool);
    cast((not, format!("!{text}")), &Type::INT)
}

fn logic(random: &mut Random, depth: u32) -> Pair {
    let (left, right) = (any(random, depth - 1), any(random, depth - 1));
    let and = random.below(2) == 0;
    let (a, b) = (Box::new(left.0), Box::new(right.0));
    let (kind, sign) = match and {
        true => (ExprKind::And(a, b), "&&"),
        false => (ExprKind::Or(a, b), "||"),
    };
    let text = format!("({} {sign} {})", left.1, right.1);
    cast((expr(kind, Type::Bool), text), &Type::INT)
}

fn arithmetic(random: &mut Random, ty: &Type, depth: u32) -> Pair {
    use BinaryOp::*;
    let all = [
        (Add, "+"),
        (Sub, "-"),
        (Mul, "*"),
        (Div, "/"),
        (Rem, "%"),
        (And, "&"),
        (Or, "|"),
        (Xor, "^"),
        (Shl, "<<"),
        (Shr, ">>"),
    ];
    let (op, sign) = all[random.below(if ty.is_floating() { 4 } else { 10 })];
    let left = of_type(random, ty, depth - 1);
    let mut right = of_type(random, ty, depth - 1);
    let constant = |value| expr(ExprKind::Int(value), ty.clone());
    if matches!(op, Div | Rem) && ty.is_integer() {
        // Neither zero nor -1.
        let masked = binary(And, right.0, constant(1023));
        right = (binary(Add, masked, constant(1)), format!("(({} & 1023) + 1)", right.1));
    }
    if matches!(op, Shl | Shr) {
        let mask = ty.size(&[]) as i64 * 8 - 1;
        right = (binary(And, right.0, constant(mask)), format!("({} & {mask})", right.1));
    }
    let text = format!("({} {sign} {})", left.1, right.1);
    cast((binary(op, left.0, right.0), text), ty)
}

fn print(format: u32, value: Expr) -> Stmt {
    let format = expr(ExprKind::String(StringId(format)), Type::Int(IntKind::Char).pointer_to());
    run(builtin(Builtin::Printf, vec![format, value], Type::INT))
}

/// The statements and the lines of C that set the variables.
fn variables(random: &mut Random) -> (Vec<Stmt>, String) {
    let (mut statements, mut text) = (Vec::new(), String::new());
    for (number, (ty, name)) in types().into_iter().enumerate() {
        let magnitude = random.below(40) as u32;
        let value = (random.0 as i64) >> (24 + magnitude);
        let constant = expr(ExprKind::Int(value), Type::LONG_LONG);
        let assigned = assign(local(number as u32, ty.clone()), convert(constant, ty));
        statements.push(run(assigned));
        text += &format!("v{number} = ({name}){value}ll;\n");
    }
    (statements, text)
}

#[test]
fn expressions_are_cs() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let declarations: String = types()
        .iter()
        .enumerate()
        .fold(String::new(), |text, (i, (_, name))| text + &format!("volatile {name} v{i};\n"));
    let mut text = format!("#include <stdio.h>\nint main(void) {{\n{declarations}");
    let mut body = Vec::new();
    for _ in 0..60 {
        let (statements, lines) = variables(&mut random);
        body.extend(statements);
        text += &lines;
        for _ in 0..25 {
            let (value, source) = any(&mut random, 4);
            if value.ty.is_floating() {
                text += &format!("{{ double r = {source}; printf(\"%a\\n\", r != r ? 0 : r); }}\n");
                body.push(run(assign(local(11, Type::Double), convert_to(value, Type::Double))));
                body.push(print(1, number_or_zero()));
            } else {
                text += &format!("printf(\"%lld\\n\", (long long)({source}));\n");
                body.push(print(0, convert_to(value, Type::LONG_LONG)));
            }
        }
    }
    text += "return 0; }\n";
    body.push(ret(int(0)));
    let mut locals: Vec<(Type, bool)> = types().into_iter().map(|(ty, _)| (ty, false)).collect();
    locals.push((Type::Double, false));
    let mut program = module(vec![function("main", 0, Type::INT, &locals, body)]);
    program.strings = vec![b"%lld\n".to_vec(), b"%a\n".to_vec()];
    let (outcome, ours) = outcome_of(&program);
    assert_eq!(outcome, Outcome::Exit(0));
    if let Some(theirs) = output_of_c(&text) {
        let sources = text.lines().filter(|line| line.contains("printf"));
        for ((ours, theirs), source) in ours.lines().zip(theirs.lines()).zip(sources) {
            assert_eq!(ours, theirs, "{source}");
        }
        assert_eq!(ours.lines().count(), theirs.lines().count());
    }
}

fn convert_to(value: Expr, ty: Type) -> Expr {
    match value.ty == ty {
        true => value,
        false => convert(value, ty),
    }
}

/// NaNs of ours have no sign, theirs may.
fn number_or_zero() -> Expr {
    let r = || Box::new(var(11, Type::Double));
    let test = binary(BinaryOp::NotEqual, *r(), *r());
    let zero = Box::new(expr(ExprKind::Float(0.0), Type::Double));
    expr(ExprKind::Conditional(Box::new(test), zero, r()), Type::Double)
}

/// What a C program prints; `None` without a C compiler.
fn output_of_c(text: &str) -> Option<String> {
    let directory = std::env::temp_dir().join(format!("expressions-{}", std::process::id()));
    std::fs::create_dir_all(&directory).ok()?;
    let (source, binary) = (directory.join("e.c"), directory.join("e"));
    std::fs::write(&source, text).ok()?;
    let flags = ["-w", "-fwrapv", "-ffp-contract=off", "-O0", "-o"];
    let status = Command::new("cc").args(flags).arg(&binary).arg(&source).status();
    let output = match status {
        Ok(status) if status.success() => Command::new(&binary).output().ok(),
        _ => None,
    };
    let _ = std::fs::remove_dir_all(&directory);
    String::from_utf8(output?.stdout).ok()
}
