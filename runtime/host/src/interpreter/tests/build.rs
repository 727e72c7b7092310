//! Checked trees made by hand: one short function a construct.

use reconverge_compiler::check::builtin::Builtin;
use reconverge_compiler::check::tree::*;
use reconverge_compiler::syntax::source::{FileId, Span};

/// A span that identifies places.
pub fn span(at: u32) -> Span {
    Span::new(FileId(0), at, at + 1)
}

pub fn expr(kind: ExprKind, ty: Type) -> Expr {
    let span = span(0);
    Expr { kind, ty, span }
}

pub fn int(value: i64) -> Expr {
    expr(ExprKind::Int(value), Type::INT)
}

pub fn size(value: i64) -> Expr {
    expr(ExprKind::Int(value), Type::SIZE)
}

pub fn place(kind: PlaceKind, ty: Type) -> Place {
    Place { kind, ty, volatile: false, cache: Default::default(), span: span(0) }
}

pub fn local(id: u32, ty: Type) -> Place {
    place(PlaceKind::Local(LocalId(id)), ty)
}

pub fn load(place: Place) -> Expr {
    let ty = place.ty.clone();
    expr(ExprKind::Load(place), ty)
}

pub fn var(id: u32, ty: Type) -> Expr {
    load(local(id, ty))
}

pub fn address(place: Place) -> Expr {
    let ty = match &place.ty {
        Type::Array(element, _) => Type::Pointer(element.clone()),
        ty => ty.clone().pointer_to(),
    };
    expr(ExprKind::AddressOf(Box::new(place)), ty)
}

pub fn convert(value: Expr, ty: Type) -> Expr {
    expr(ExprKind::Convert(Box::new(value)), ty)
}

pub fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    let ty = match op.is_comparison() {
        true => Type::Bool,
        false => left.ty.clone(),
    };
    expr(ExprKind::Binary(op, Box::new(left), Box::new(right)), ty)
}

pub fn element(pointer: Expr, index: Expr) -> Place {
    let Type::Pointer(ty) = pointer.ty.clone() else {
        panic!("a pointer");
    };
    let stride = ty.size(&[]);
    let pointer_type = pointer.ty.clone();
    let index = Box::new(convert(index, Type::LONG_LONG));
    let kind = ExprKind::PointerAdd { pointer: Box::new(pointer), index, stride, negative: false };
    let sum = Box::new(expr(kind, pointer_type));
    place(PlaceKind::Deref(sum), (*ty).clone())
}

pub fn assign(place: Place, value: Expr) -> Expr {
    let ty = place.ty.clone();
    expr(ExprKind::Assign(Box::new(place), Box::new(value)), ty)
}

pub fn assign_op(op: BinaryOp, place: Place, value: Expr) -> Expr {
    let (ty, common) = (place.ty.clone(), value.ty.clone());
    let (place, value) = (Box::new(place), Box::new(value));
    expr(ExprKind::AssignOp { op, place, value, common }, ty)
}

pub fn increment(place: Place, postfix: bool) -> Expr {
    let ty = place.ty.clone();
    let place = Box::new(place);
    expr(ExprKind::Increment { place, negative: false, postfix, stride: 1 }, ty)
}

pub fn call(function: u32, arguments: Vec<Expr>, ty: Type) -> Expr {
    expr(ExprKind::Call(FunctionId(function), arguments), ty)
}

pub fn builtin(builtin: Builtin, arguments: Vec<Expr>, ty: Type) -> Expr {
    expr(ExprKind::Builtin(builtin, arguments), ty)
}

pub fn special(special: Special) -> Expr {
    expr(ExprKind::Special(special), Type::UINT)
}

pub fn dim3(x: i64, y: i64, z: i64) -> Expr {
    let values = [x, y, z].map(|value| expr(ExprKind::Int(value), Type::UINT));
    expr(ExprKind::Construct(values.to_vec()), Type::Struct(Module::DIM3))
}

pub fn launch(kernel: u32, grid: Expr, block: Expr, arguments: Vec<Expr>) -> Stmt {
    let launch = Launch {
        kernel: FunctionId(kernel),
        grid,
        block,
        shared: size(0),
        stream: size(0),
        arguments,
    };
    run(expr(ExprKind::Launch(Box::new(launch)), Type::Void))
}

pub fn stmt(kind: StmtKind) -> Stmt {
    Stmt { kind, span: span(0) }
}

pub fn run(expr: Expr) -> Stmt {
    stmt(StmtKind::Expr(expr))
}

pub fn ret(value: Expr) -> Stmt {
    stmt(StmtKind::Return(Some(value)))
}

pub fn block(statements: Vec<Stmt>) -> Stmt {
    stmt(StmtKind::Block(statements))
}

/// `for (id = 0; id < end; id++) body` for an `int`.
pub fn count(id: u32, end: Expr, body: Stmt) -> Stmt {
    let counter = || local(id, Type::INT);
    stmt(StmtKind::For {
        init: Some(Box::new(run(assign(counter(), int(0))))),
        condition: Some(Box::new(binary(BinaryOp::Less, load(counter()), end))),
        step: Some(Box::new(increment(counter(), true))),
        body: Box::new(body),
    })
}

pub fn function(
    name: &str,
    parameters: u32,
    result: Type,
    locals: &[(Type, bool)],
    body: Vec<Stmt>,
) -> Function {
    let local = |(ty, in_memory): &(Type, bool)| Local {
        name: "local".into(),
        ty: ty.clone(),
        in_memory: *in_memory,
        volatile: false,
        span: span(0),
    };
    Function {
        name: name.into(),
        sides: Sides { kernel: false, device: true, host: true },
        parameters,
        result,
        locals: locals.iter().map(local).collect(),
        body,
        launch_bound: None,
        unwritten: Vec::new(),
        unrolled: Default::default(),
        span: span(0),
    }
}

/// A module with these functions; the last one is `main`.
pub fn module(functions: Vec<Function>) -> Module {
    let field = |(name, offset): (&str, u64)| Field {
        name: name.into(),
        ty: Type::UINT,
        offset,
        volatile: false,
    };
    let dim3 = Struct {
        name: "dim3".into(),
        fields: [("x", 0), ("y", 4), ("z", 8)].map(field).to_vec(),
        size: 12,
        align: 4,
        is_union: false,
        is_vector: false,
    };
    let main = FunctionId(functions.len() as u32 - 1);
    Module { structs: vec![dim3], functions, main: Some(main), ..Module::default() }
}
