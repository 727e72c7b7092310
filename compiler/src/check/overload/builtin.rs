//! Calls of built-in functions: which of those with one spelling is meant.

use crate::check::builtin::{Builtin, Row, Ty};
use crate::check::expr::convert::{self, Fit, Purpose};
use crate::check::state::Checker;
use crate::check::tree::{Expr, ExprKind, GlobalSpace, IntKind, PlaceKind, Type};
use crate::check::types::supplied;
use crate::check::types::{CType, Opaque, common};
use crate::check::value::{Operand, Value};
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree as ast;
use reconverge_isa::wording::verb;

/// The type that a parameter or result of the table has; `None` for those that are no single type.
fn type_of(ty: Ty) -> Option<CType> {
    Some(match ty {
        Ty::V => CType::Void,
        Ty::B => CType::Bool,
        Ty::I => CType::INT,
        Ty::E => crate::check::library::enumeration::error(),
        Ty::U => CType::UINT,
        Ty::L => CType::LONG_LONG,
        Ty::UL => CType::Int(IntKind::ULongLong),
        Ty::Z => CType::SIZE,
        Ty::F => CType::Float,
        Ty::D => CType::Double,
        Ty::P => CType::Void.pointer_to(),
        Ty::R => CType::Void.constant().pointer(),
        Ty::S => CType::CHAR.constant().pointer(),
        Ty::C => CType::CHAR.plain().pointer(),
        Ty::PC => CType::CHAR.pointer_to().pointer_to(),
        Ty::PI => CType::INT.pointer_to(),
        Ty::US => CType::Int(IntKind::UShort),
        Ty::PUS => CType::Int(IntKind::UShort).pointer_to(),
        Ty::PU => CType::UINT.pointer_to(),
        Ty::PL => CType::LONG_LONG.pointer_to(),
        Ty::PUL => CType::Int(IntKind::ULongLong).pointer_to(),
        Ty::PF => CType::Float.pointer_to(),
        Ty::PD => CType::Double.pointer_to(),
        Ty::Event => CType::Opaque(Opaque::Event).pointer_to(),
        Ty::PEvent => CType::Opaque(Opaque::Event).pointer_to().pointer_to(),
        Ty::Stream => CType::Opaque(Opaque::Stream).pointer_to(),
        Ty::PStream => CType::Opaque(Opaque::Stream).pointer_to().pointer_to(),
        Ty::Ostream => crate::check::library::stream::stream_type(),
        Ty::PZ => CType::SIZE.pointer_to(),
        Ty::File => CType::Opaque(Opaque::File).pointer_to(),
        Ty::PP | Ty::Symbol | Ty::Number | Ty::More => return None,
        Ty::Compare | Ty::Kernel | Ty::Timeval | Ty::Timespec | Ty::DeviceProp => return None,
    })
}

/// The type of the parameter at `index` for an argument: where any number is taken, that of the promoted argument.
fn type_for(row: &Row, index: usize, argument: &Value) -> Option<CType> {
    match row.parameters[index] {
        Ty::Number => argument.ty.is_arithmetic().then(|| common(&argument.ty, &argument.ty)),
        _ => parameter_type(row, index),
    }
}

/// The type of the parameter at `index`: a parameter that is only read may be constant.
fn parameter_type(row: &Row, index: usize) -> Option<CType> {
    use Builtin::{GenericToSpace, IsConstant, IsGlobal, IsLocal, IsShared, Memcmp};
    let only_reads = [Memcmp, IsGlobal, IsShared, IsLocal, IsConstant, GenericToSpace];
    let only_reads = only_reads.contains(&row.builtin);
    let reads = index > 0 || only_reads;
    match row.parameters[index] {
        Ty::P if reads => Some(CType::Void.constant().pointer()),
        ty => type_of(ty),
    }
}

/// Values after the format of a `printf` in device code: CUDA's limit.
const MOST_PRINTED: usize = 32;

/// Returns true if each parameter of the rows is of one type, or any number: only then the types of
/// arguments distinguish a function of the program's own from them.
pub(crate) fn are_plain(rows: &[&Row]) -> bool {
    let is_plain = |ty: &Ty| *ty == Ty::Number || type_of(*ty).is_some();
    rows.iter().all(|row| row.parameters.iter().all(is_plain))
}

/// The number of arguments that a row takes, at least and at most.
fn count(row: &Row) -> (usize, Option<usize>) {
    let all = row.parameters.len();
    match row.parameters.last() {
        Some(Ty::More) => (all - 1, None),
        _ => (all - row.optional, Some(all)),
    }
}

fn takes(row: &Row, given: usize) -> bool {
    let (least, most) = count(row);
    given >= least && most.is_none_or(|most| given <= most)
}

/// Returns true if all parameters of all rows are numbers, of one type in each row.
fn is_arithmetic(rows: &[&Row]) -> bool {
    let is_number = |ty: &Ty| matches!(ty, Ty::I | Ty::U | Ty::L | Ty::UL | Ty::F | Ty::D);
    let uniform = |row: &&Row| {
        row.parameters.iter().all(|ty| is_number(ty) && Some(ty) == row.parameters.first())
    };
    rows.iter().all(uniform)
}

/// The row of numbers that an operation on these arguments means.
fn arithmetic_row<'a>(rows: &[&'a Row], arguments: &[Value]) -> Option<&'a Row> {
    let (first, rest) = arguments.split_first()?;
    let ty = rest.iter().fold(common(&first.ty, &first.ty), |ty, next| common(&ty, &next.ty));
    let has_integers = rows.iter().any(|row| !matches!(row.parameters[0], Ty::F | Ty::D));
    let mixed = arguments.iter().any(|argument| argument.ty.is_integer());
    let order: &[Ty] = match &ty {
        // Without a version for integers, an integer among the arguments makes the call a double's.
        _ if !has_integers && mixed => &[Ty::D, Ty::F],
        CType::Float => &[Ty::F, Ty::D],
        CType::Double => &[Ty::D, Ty::F],
        CType::Int(IntKind::UInt) => &[Ty::U, Ty::I, Ty::L, Ty::D],
        CType::Int(IntKind::Long | IntKind::LongLong) => &[Ty::L, Ty::D],
        CType::Int(IntKind::ULong | IntKind::ULongLong) => &[Ty::UL, Ty::L, Ty::D],
        _ => &[Ty::I, Ty::L, Ty::D],
    };
    order.iter().find_map(|ty| rows.iter().find(|row| row.parameters[0] == *ty).copied())
}

impl Checker {
    /// A call of a built-in; `rows` are those of its name, at least one.
    pub(crate) fn call_builtin(
        &mut self,
        name: &str,
        rows: &[&'static Row],
        arguments: &[ast::Expr],
        place: Span,
        span: Span,
    ) -> Option<Value> {
        let fitting: Vec<&'static Row> =
            rows.iter().copied().filter(|row| takes(row, arguments.len())).collect();
        let Some(&first) = fitting.first() else {
            self.check_all(arguments);
            return self.report_builtin_count(name, rows[0], arguments.len(), span);
        };
        if fitting.len() == 1 {
            let values = self.builtin_arguments(name, first, arguments);
            self.check_builtin_side(name, first.side, place)?;
            return self.builtin_value(name, first, values?, span);
        }
        let values = self.check_all(arguments)?;
        self.call_builtin_with(name, &fitting, values, place, span)
    }

    /// A call of one of several built-ins with arguments that have been checked.
    pub(crate) fn call_builtin_with(
        &mut self,
        name: &str,
        rows: &[&'static Row],
        values: Vec<Value>,
        place: Span,
        span: Span,
    ) -> Option<Value> {
        let fitting: Vec<&Row> =
            rows.iter().copied().filter(|row| takes(row, values.len())).collect();
        let Some(&first) = fitting.first() else {
            return self.report_builtin_count(name, rows[0], values.len(), span);
        };
        self.check_builtin_side(name, first.side, place)?;
        let row = self.choose(name, &fitting, &values, span)?;
        let mut converted = Vec::new();
        for (index, value) in values.into_iter().enumerate() {
            let ty = type_for(row, index, &value)?;
            converted.push(convert::cast(value, &ty).expr);
        }
        self.builtin_value(name, row, converted, span)
    }

    fn report_builtin_count<T>(
        &mut self,
        name: &str,
        row: &Row,
        given: usize,
        span: Span,
    ) -> Option<T> {
        let (least, most) = count(row);
        if most == Some(least) {
            return self.report_count(name, least, least, given, span, None);
        }
        let most = most.map_or("more".to_owned(), |most| most.to_string());
        let are = verb(given as u64, "is", "are");
        let message =
            format!("`{name}` takes {least} to {most} arguments, but {given} {are} given");
        self.fail(Diagnostic::error(code::WRONG_ARGUMENTS, span, message))
    }

    fn builtin_value(
        &mut self,
        name: &str,
        row: &Row,
        mut values: Vec<Expr>,
        span: Span,
    ) -> Option<Value> {
        while values.len() < row.parameters.len() && row.parameters[values.len()] != Ty::More {
            values.push(default_argument(row, values.len(), span)?);
        }
        // Atomics for the block compute the same; one more argument notifies a checker of the run.
        if name.starts_with("atomic") && name.ends_with("_block") {
            values.push(Value::int(1, CType::INT, span).expr);
        }
        let result = match row.result {
            Ty::Number => number_among(row, &values)?,
            ty => type_of(ty)?,
        };
        Some(Value::new(ExprKind::Builtin(row.builtin, values), result, span))
    }

    /// The row that the arguments' types select.
    fn choose<'a>(
        &mut self,
        name: &str,
        rows: &[&'a Row],
        values: &[Value],
        span: Span,
    ) -> Option<&'a Row> {
        let numbers = values.iter().all(|value| value.ty.is_arithmetic());
        if numbers && is_arithmetic(rows) {
            return arithmetic_row(rows, values);
        }
        let fits = |row: &Row| -> Option<Vec<Fit>> {
            let fit =
                |(index, value): (usize, &Value)| self.fit(value, &type_for(row, index, value)?);
            values.iter().enumerate().map(fit).collect()
        };
        let ranked = rows.iter().filter_map(|row| Some((fits(row)?, *row)));
        // Between two equally good ones the table's order decides.
        let best = ranked.min_by(|(a, _), (b, _)| {
            let cost = |fits: &[Fit]| fits.iter().map(|fit| *fit as u32).sum::<u32>();
            cost(a).cmp(&cost(b))
        });
        if let Some((_, row)) = best {
            return Some(row);
        }
        let given: Vec<String> = values.iter().map(|value| self.spell(&value.ty)).collect();
        let message = format!("`{name}` does not take ({})", given.join(", "));
        let list = |row: &&Row| {
            let types = (0..values.len()).filter_map(|index| parameter_type(row, index));
            let types: Vec<String> = types.map(|ty| self.spell(&ty)).collect();
            format!("({})", types.join(", "))
        };
        let known: Vec<String> = rows.iter().map(list).collect();
        let mut found = Diagnostic::error(code::TYPE_MISMATCH, span, message)
            .note(format!("it takes {}", known.join(" or ")));
        // As wide as `long long`, but another type, to CUDA's compiler too.
        let is_long = |value: &Value| {
            let to = value.ty.pointee().map(|to| &to.ty);
            matches!(to, Some(CType::Int(IntKind::Long | IntKind::ULong)))
        };
        let wide = |row: &&Row| matches!(row.parameters[0], Ty::PL | Ty::PUL);
        if values.first().is_some_and(is_long) && rows.iter().any(wide) {
            found = found.help("cast the address to `unsigned long long *`");
        }
        self.fail(found)
    }

    fn builtin_arguments(
        &mut self,
        name: &str,
        row: &Row,
        arguments: &[ast::Expr],
    ) -> Option<Vec<Expr>> {
        let mut values = Vec::new();
        for (index, argument) in arguments.iter().enumerate() {
            let ty = row.parameters.get(index).copied().unwrap_or(Ty::More);
            let value = match ty {
                Ty::Symbol => self.symbol(name, argument),
                Ty::More => {
                    let value = self.value(argument);
                    value.and_then(|value| self.default_promotion(value))
                }
                Ty::PP => self.pointer_to_pointer(name, index, argument),
                Ty::Number => self.number_argument(name, index, argument),
                Ty::Kernel => self.kernel_name(name, index, argument),
                Ty::Compare => self.comparison(name, index, argument),
                _ => self.builtin_argument(name, row, index, argument),
            };
            values.push(value.map(|value| value.expr));
        }
        let values: Vec<Expr> = values.into_iter().collect::<Option<_>>()?;
        if row.parameters.last() == Some(&Ty::More)
            && let Some((format, rest)) = values.get(row.parameters.len() - 2..)?.split_first()
        {
            if row.builtin == Builtin::Printf && rest.len() > MOST_PRINTED && self.in_device_code()
            {
                let message = format!(
                    "`printf` takes at most {MOST_PRINTED} values in device code, but {} are given",
                    rest.len()
                );
                let found = Diagnostic::error(code::WRONG_ARGUMENTS, format.span, message);
                return self.fail(found.help("print them in several calls"));
            }
            self.check_format(row.builtin, format, rest);
        }
        Some(values)
    }

    fn builtin_argument(
        &mut self,
        name: &str,
        row: &Row,
        index: usize,
        argument: &ast::Expr,
    ) -> Option<Value> {
        let value = self.value(argument)?;
        let ty = match supplied::structure_of(row.parameters[index]) {
            Some(structure) => CType::Struct(self.supplied_structure(structure)?).pointer_to(),
            None => parameter_type(row, index)?,
        };
        let why = Purpose::Argument(index + 1, name.to_owned(), None);
        self.convert(value, &ty, &why)
    }

    /// An argument that may be of any arithmetic type.
    fn number_argument(&mut self, name: &str, index: usize, argument: &ast::Expr) -> Option<Value> {
        let value = self.value(argument)?;
        let value = self.arithmetic(value);
        if value.ty.is_arithmetic() {
            let promoted = common(&value.ty, &value.ty);
            return Some(convert::cast(value, &promoted));
        }
        let given = self.spell(&value.ty);
        let message =
            format!("argument {} of `{name}` is a number, but a `{given}` is given", index + 1);
        let found = Diagnostic::error(code::TYPE_MISMATCH, argument.span, message);
        self.fail(found.label(format!("this is of type `{given}`")))
    }

    fn pointer_to_pointer(
        &mut self,
        name: &str,
        index: usize,
        argument: &ast::Expr,
    ) -> Option<Value> {
        let value = self.value(argument)?;
        let generic = CType::Void.pointer_to().pointer_to();
        if let Some(to) = value.ty.pointee()
            && to.ty.is_pointer()
            && !to.constant
        {
            return Some(convert::cast(value, &generic));
        }
        let given = self.spell(&value.ty);
        let message = format!(
            "argument {} of `{name}` is the address of a pointer, but a `{given}` is given",
            index + 1
        );
        let mut found = Diagnostic::error(code::TYPE_MISMATCH, argument.span, message)
            .label(format!("this is of type `{given}`"));
        if value.ty.is_pointer() {
            found = found.help("take the address of the pointer with `&`");
        }
        self.fail(found)
    }

    /// The address of a `__device__` or `__constant__` variable, which the host may name here.
    fn symbol(&mut self, name: &str, argument: &ast::Expr) -> Option<Value> {
        let span = argument.span;
        // CUDA before 5.0 took the variable's name as a string, too.
        let named = match &argument.kind {
            ast::ExprKind::String(bytes) => std::str::from_utf8(bytes).ok(),
            _ => None,
        };
        let was = self.allowed.set_unevaluated(true);
        let operand = match named {
            Some(text) => self.name(&text.trim_end_matches('\0').into(), span),
            None => self.operand(argument),
        };
        self.allowed.set_unevaluated(was);
        let value = match operand? {
            Operand::Place(place) => self.address(place, span),
            Operand::Value(value) => value,
        };
        let mut root = match &value.expr.kind {
            ExprKind::Convert(inner) => &inner.kind,
            kind => kind,
        };
        // A pointer into the variable is a symbol too.
        while let ExprKind::PointerAdd { pointer, .. } = root {
            root = &pointer.kind;
        }
        if let ExprKind::AddressOf(place) = root {
            let mut place = place;
            while let PlaceKind::Field(base, _) = &place.kind {
                place = base;
            }
            if let PlaceKind::Global(id) = place.kind
                && self.variables.get(id)?.space != GlobalSpace::Host
            {
                self.note_global_use(id, span);
                return Some(convert::cast(value, &CType::Void.pointer_to()));
            }
        }
        let message =
            format!("`{name}` takes the name of a `__device__` or `__constant__` variable");
        self.fail(Diagnostic::error(code::TYPE_MISMATCH, span, message))
    }
}

/// The type of the argument that may be any number; it has been promoted.
fn number_among(row: &Row, values: &[Expr]) -> Option<CType> {
    let index = row.parameters.iter().position(|ty| *ty == Ty::Number)?;
    match values.get(index)?.ty {
        Type::Int(kind) => Some(CType::Int(kind)),
        Type::Float => Some(CType::Float),
        Type::Double => Some(CType::Double),
        _ => None,
    }
}

/// The value of an argument that is left out.
fn default_argument(row: &Row, index: usize, span: Span) -> Option<Expr> {
    let ty = parameter_type(row, index)?;
    let is_last = index + 1 == row.parameters.len();
    let value = match row.builtin {
        Builtin::CudaMemcpyToSymbol if is_last => 1,
        Builtin::CudaMemcpyFromSymbol if is_last => 2,
        Builtin::SyncWarp => u32::MAX.into(),
        _ => 0,
    };
    Some(Value::int(value, ty, span).expr)
}
