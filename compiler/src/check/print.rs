//! The checked tree as text, for tests and for people.
//!
//! Every expression shows its type where a reader cannot infer it: literals and conversions.

use crate::check::tree::*;
use std::fmt::Write;

/// The whole program.
pub fn print(module: &Module) -> String {
    let mut printer = Printer { module, out: String::new(), function: None };
    printer.module();
    printer.out
}

struct Printer<'a> {
    module: &'a Module,
    out: String,
    function: Option<&'a Function>,
}

impl<'a> Printer<'a> {
    fn line(&mut self, depth: usize, text: &str) {
        // Writing to a string does not fail.
        let _ = writeln!(self.out, "{:1$}{text}", "", depth * 4);
    }

    fn module(&mut self) {
        for (index, structure) in self.module.structs.iter().enumerate().skip(1) {
            self.structure(index, structure);
        }
        for (index, text) in self.module.strings.iter().enumerate() {
            self.line(0, &format!("string {index} \"{}\"", text.escape_ascii()));
        }
        for global in &self.module.globals {
            let space = match global.space {
                GlobalSpace::Host => "host".to_owned(),
                GlobalSpace::Device => format!("device+{}", global.offset),
                GlobalSpace::Constant => format!("constant+{}", global.offset),
            };
            let init = self.init(&global.init);
            let ty = self.ty(&global.ty);
            self.line(0, &format!("{space} {}: {ty}{init}", global.name));
        }
        for shared in &self.module.shared {
            let dynamic = if shared.dynamic { "dynamic " } else { "" };
            let ty = self.ty(&shared.ty);
            self.line(0, &format!("{dynamic}shared {}: {ty}", shared.name));
        }
        for function in &self.module.functions {
            self.function(function);
        }
    }

    fn structure(&mut self, index: usize, structure: &Struct) {
        let kind = if structure.is_union { "union" } else { "struct" };
        let (name, size, align) = (&structure.name, structure.size, structure.align);
        self.line(0, &format!("{kind} {index} {name} size {size} align {align}"));
        for field in &structure.fields {
            let ty = self.ty(&field.ty);
            self.line(1, &format!("+{} {}: {ty}", field.offset, field.name));
        }
    }

    fn function(&mut self, function: &'a Function) {
        self.function = Some(function);
        let sides = function.sides;
        let side = match (sides.kernel, sides.device, sides.host) {
            (true, _, _) => "kernel",
            (_, true, true) => "host device",
            (_, true, false) => "device",
            _ => "host",
        };
        let bound = function.launch_bound.map_or(String::new(), |bound| format!(" bound {bound}"));
        let result = self.ty(&function.result);
        self.line(0, &format!("{side}{bound} {}: {result}", function.name));
        for (index, local) in function.locals.iter().enumerate() {
            let kind = if index < function.parameters as usize { "parameter" } else { "local" };
            let memory = match (local.in_memory, local.volatile) {
                (_, true) => " volatile",
                (true, _) => " in memory",
                _ => "",
            };
            let ty = self.ty(&local.ty);
            self.line(1, &format!("{kind} {}.{index}: {ty}{memory}", local.name));
        }
        self.statements(&function.body, 1);
        self.function = None;
    }

    fn statements(&mut self, statements: &[Stmt], depth: usize) {
        statements.iter().for_each(|statement| self.statement(statement, depth));
    }

    /// A statement one level further in; the statements of a block, without its braces.
    fn nested(&mut self, statement: &Stmt, depth: usize) {
        match &statement.kind {
            StmtKind::Block(statements) => self.statements(statements, depth + 1),
            _ => self.statement(statement, depth + 1),
        }
    }

    fn statement(&mut self, statement: &Stmt, depth: usize) {
        match &statement.kind {
            StmtKind::Expr(value) => {
                let value = self.expr(value);
                self.line(depth, &value);
            }
            StmtKind::Declare(id, init) => {
                let text = format!("declare {}{}", self.local(*id), self.init(init));
                self.line(depth, &text);
            }
            StmtKind::Block(statements) => {
                self.line(depth, "block");
                self.statements(statements, depth + 1);
            }
            StmtKind::If(condition, yes, no) => {
                let text = format!("if {}", self.expr(condition));
                self.line(depth, &text);
                self.nested(yes, depth);
                if let Some(no) = no {
                    self.line(depth, "else");
                    self.nested(no, depth);
                }
            }
            StmtKind::Return(value) => {
                let value = value.as_ref().map(|value| format!(" {}", self.expr(value)));
                self.line(depth, &format!("return{}", value.unwrap_or_default()));
            }
            StmtKind::Label(id) => self.line(depth.saturating_sub(1), &format!("label {}:", id.0)),
            StmtKind::Target(id) => {
                self.line(depth.saturating_sub(1), &format!("target {}:", id.0))
            }
            StmtKind::Goto(id) => self.line(depth, &format!("goto {}", id.0)),
            StmtKind::Assembly(of) => {
                let locals = of.locals.iter().flatten();
                let operands: Vec<String> = locals.map(|local| format!(" {}", local.0)).collect();
                self.line(depth, &format!("asm{}", operands.concat()));
            }
            StmtKind::Break => self.line(depth, "break"),
            StmtKind::Continue => self.line(depth, "continue"),
            _ => self.repetition(statement, depth),
        }
    }

    fn repetition(&mut self, statement: &Stmt, depth: usize) {
        match &statement.kind {
            StmtKind::While(condition, body) => {
                let text = format!("while {}", self.expr(condition));
                self.line(depth, &text);
                self.nested(body, depth);
            }
            StmtKind::DoWhile(body, condition) => {
                self.line(depth, "do");
                self.nested(body, depth);
                let text = format!("while {}", self.expr(condition));
                self.line(depth, &text);
            }
            StmtKind::For { init, condition, step, body } => {
                let text = |value: &Option<Box<Expr>>| value.as_ref().map(|value| self.expr(value));
                let (condition, step) = (text(condition), text(step));
                self.line(depth, "for");
                if let Some(init) = init {
                    self.statement(init, depth + 1);
                }
                self.line(depth, &format!("while {}", condition.unwrap_or_default()));
                self.nested(body, depth);
                self.line(depth, &format!("step {}", step.unwrap_or_default()));
            }
            StmtKind::Switch { value, cases, default, body } => {
                let mut text = format!("switch {}", self.expr(value));
                for (value, id) in cases {
                    let _ = write!(text, ", {value} -> {}", id.0);
                }
                if let Some(id) = default {
                    let _ = write!(text, ", default -> {}", id.0);
                }
                self.line(depth, &text);
                self.nested(body, depth);
            }
            _ => {}
        }
    }

    fn init(&self, init: &Init) -> String {
        let mut parts = Vec::new();
        if init.zero {
            parts.push("zero".to_owned());
        }
        for (offset, value) in &init.stores {
            parts.push(format!("+{offset} {}", self.expr(value)));
        }
        if parts.is_empty() { String::new() } else { format!(" = {}", parts.join(", ")) }
    }

    fn ty(&self, ty: &Type) -> String {
        match ty {
            Type::Void => "void".to_owned(),
            Type::Bool => "bool".to_owned(),
            Type::Int(kind) => int_name(*kind).to_owned(),
            Type::Float => "float".to_owned(),
            Type::Double => "double".to_owned(),
            Type::Pointer(to) => format!("{}*", self.ty(to)),
            Type::Array(element, length) => format!("{}[{length}]", self.ty(element)),
            Type::Struct(id) => {
                let found = self.module.structs.get(id.0 as usize);
                found.map_or(String::new(), |found| found.name.clone())
            }
        }
    }

    fn local(&self, id: LocalId) -> String {
        let found = self.function.and_then(|function| function.locals.get(id.0 as usize));
        format!("{}.{}", found.map_or("", |local| &local.name), id.0)
    }

    fn place(&self, place: &Place) -> String {
        let text = match &place.kind {
            PlaceKind::Local(id) => self.local(*id),
            PlaceKind::Global(id) => {
                let found = self.module.globals.get(id.0 as usize);
                found.map_or(String::new(), |global| global.name.clone())
            }
            PlaceKind::Shared(id) => {
                let found = self.module.shared.get(id.0 as usize);
                format!("shared {}.{}", found.map_or("", |shared| &shared.name), id.0)
            }
            PlaceKind::Deref(pointer) => format!("*{}", self.expr(pointer)),
            PlaceKind::Field(base, offset) => format!("{}+{offset}", self.place(base)),
            PlaceKind::Temporary(value) => format!("temporary {}", self.expr(value)),
        };
        if place.volatile { format!("(volatile {text})") } else { text }
    }

    fn list(&self, values: &[Expr]) -> String {
        values.iter().map(|value| self.expr(value)).collect::<Vec<_>>().join(", ")
    }

    fn expr(&self, expr: &Expr) -> String {
        let ty = || self.ty(&expr.ty);
        match &expr.kind {
            ExprKind::Int(value) if expr.ty == Type::INT => value.to_string(),
            ExprKind::Int(value) => format!("{value}:{}", ty()),
            ExprKind::Float(value) => format!("{value:?}:{}", ty()),
            ExprKind::String(id) => format!("string {}", id.0),
            ExprKind::Function(id) => format!("function {}", id.0),
            ExprKind::Special(special) => special_name(*special),
            ExprKind::Assume(condition) => format!("assume!({})", self.expr(condition)),
            ExprKind::Load(place) => self.place(place),
            ExprKind::AddressOf(place) => format!("&{}", self.place(place)),
            ExprKind::Unary(op, inner) => format!("{}{}", unary_text(*op), self.expr(inner)),
            ExprKind::Binary(op, a, b) => self.infix(a, binary_text(*op), b),
            ExprKind::And(a, b) => self.infix(a, "&&", b),
            ExprKind::Or(a, b) => self.infix(a, "||", b),
            ExprKind::Conditional(condition, a, b) => {
                format!("({} ? {} : {})", self.expr(condition), self.expr(a), self.expr(b))
            }
            ExprKind::Convert(inner) => format!("{}({})", ty(), self.expr(inner)),
            ExprKind::Comma(a, b) => self.infix(a, ",", b),
            ExprKind::Call(id, values) => {
                let found = self.module.functions.get(id.0 as usize);
                let name = found.map_or("", |function| &function.name);
                format!("{name}({})", self.list(values))
            }
            ExprKind::Builtin(builtin, values) => format!("{builtin:?}!({})", self.list(values)),
            ExprKind::Construct(values) => format!("{}{{{}}}", ty(), self.list(values)),
            ExprKind::Launch(launch) => self.launch(launch),
            _ => self.pointer_or_assignment(expr),
        }
    }

    fn pointer_or_assignment(&self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::PointerAdd { pointer, index, stride, negative } => {
                let sign = if *negative { '-' } else { '+' };
                format!("({} {sign} {} * {stride})", self.expr(pointer), self.expr(index))
            }
            ExprKind::PointerDifference { left, right, stride } => {
                format!("({} - {} / {stride})", self.expr(left), self.expr(right))
            }
            ExprKind::Assign(place, value) => {
                format!("({} = {})", self.place(place), self.expr(value))
            }
            ExprKind::AssignOp { op, place, value, common } => {
                let (place, op, value) = (self.place(place), binary_text(*op), self.expr(value));
                format!("({place} {op}= {value} in {})", self.ty(common))
            }
            ExprKind::AssignPointerAdd { place, index, stride, negative } => {
                let sign = if *negative { '-' } else { '+' };
                format!("({} {sign}= {} * {stride})", self.place(place), self.expr(index))
            }
            ExprKind::Increment { place, negative, postfix, stride } => {
                let sign = if *negative { "--" } else { "++" };
                let step = if *stride == 1 { String::new() } else { format!(" by {stride}") };
                let place = self.place(place);
                if *postfix {
                    format!("({place}{sign}{step})")
                } else {
                    format!("({sign}{place}{step})")
                }
            }
            _ => String::new(),
        }
    }

    fn infix(&self, a: &Expr, op: &str, b: &Expr) -> String {
        format!("({} {op} {})", self.expr(a), self.expr(b))
    }

    fn launch(&self, launch: &Launch) -> String {
        let found = self.module.functions.get(launch.kernel.0 as usize);
        let name = found.map_or("", |function| &function.name);
        let (grid, block) = (self.expr(&launch.grid), self.expr(&launch.block));
        let shared = self.expr(&launch.shared);
        let stream = match launch.stream.kind {
            ExprKind::Int(0) => String::new(),
            _ => format!(", {}", self.expr(&launch.stream)),
        };
        format!("{name}<<<{grid}, {block}, {shared}{stream}>>>({})", self.list(&launch.arguments))
    }
}

fn int_name(kind: IntKind) -> &'static str {
    use IntKind::*;
    match kind {
        Char => "char",
        SChar => "schar",
        UChar => "uchar",
        Short => "short",
        UShort => "ushort",
        Int => "int",
        UInt => "uint",
        Long => "long",
        ULong => "ulong",
        LongLong => "llong",
        ULongLong => "ullong",
    }
}

fn special_name(special: Special) -> String {
    let (name, axis) = match special {
        Special::ThreadIdx(axis) => ("threadIdx", axis),
        Special::BlockIdx(axis) => ("blockIdx", axis),
        Special::BlockDim(axis) => ("blockDim", axis),
        Special::GridDim(axis) => ("gridDim", axis),
        Special::WarpSize => return "warpSize".to_owned(),
    };
    let axis = match axis {
        Axis::X => 'x',
        Axis::Y => 'y',
        Axis::Z => 'z',
    };
    format!("{name}.{axis}")
}

fn unary_text(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Negate => "-",
        UnaryOp::BitNot => "~",
        UnaryOp::Not => "!",
    }
}

fn binary_text(op: BinaryOp) -> &'static str {
    use BinaryOp::*;
    match op {
        Add => "+",
        Sub => "-",
        Mul => "*",
        Div => "/",
        Rem => "%",
        Shl => "<<",
        Shr => ">>",
        And => "&",
        Or => "|",
        Xor => "^",
        Equal => "==",
        NotEqual => "!=",
        Less => "<",
        LessEqual => "<=",
        Greater => ">",
        GreaterEqual => ">=",
    }
}
