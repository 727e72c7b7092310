//! Destructors: the calls at the end of objects (C++17, [class.dtor], [class.temporary]).
//!
//! Calls are put where objects end, so that later stages need not treat ends specially: variables
//! at the end of their block and in front of every statement that leaves it, in reverse order; the
//! temporaries of an expression after the whole of it. A temporary that is made in only some
//! evaluations of its expression has a flag, true if it was made. A parameter ends when its
//! function returns.

use crate::check::declare::class::nothing_done;
use crate::check::expr::bits::sequence;
use crate::check::expr::object::void;
use crate::check::state::Checker;
use crate::check::state::cleanups::{Cleanup, Cleanups, FIRST_GOTO};
use crate::check::state::functions::{DESTRUCTOR, Pending};
use crate::check::state::variables::GlobalInfo;
use crate::check::tree::{
    BinaryOp, Expr, ExprKind, Global, GlobalId, GlobalSpace, Init, LabelId, Place, PlaceKind,
    Sides, Stmt, StmtKind, StructId, Type, UnaryOp,
};
use crate::check::types::CType;
use crate::check::value::{Lvalue, Operand, Value};
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree as ast;
use reconverge_isa::CacheHints;
use std::sync::Arc;

fn statement(value: Expr) -> Stmt {
    let span = value.span;
    Stmt { kind: StmtKind::Expr(value), span }
}

fn truth(value: i64, span: Span) -> Expr {
    Expr { kind: ExprKind::Int(value), ty: Type::Bool, span }
}

fn set(place: &Place, value: Expr) -> Expr {
    let (ty, span) = (place.ty.clone(), value.span);
    Expr { kind: ExprKind::Assign(Box::new(place.clone()), Box::new(value)), ty, span }
}

fn load(place: &Place) -> Expr {
    Expr { kind: ExprKind::Load(place.clone()), ty: place.ty.clone(), span: place.span }
}

impl Checker {
    fn cleanups(&mut self) -> Option<&mut Cleanups> {
        self.body.as_mut().map(|body| &mut body.cleanups)
    }

    /// Returns true if an object of a type needs work at its end.
    pub(crate) fn needs_destruction(&self, ty: &CType) -> bool {
        match ty {
            CType::Array(element, _) => self.needs_destruction(&element.ty),
            CType::Struct(id) => self.structure(*id).destroyed,
            _ => false,
        }
    }

    /// The variables and members whose destructors are still to be called, outermost first.
    fn open_objects(&mut self) -> Vec<Cleanup> {
        self.cleanups().map(|cleanups| cleanups.open().to_vec()).unwrap_or_default()
    }

    /// Remembers an object that has begun.
    pub(crate) fn will_end(&mut self, place: Place, ty: &CType) {
        if self.needs_destruction(ty)
            && self.check_destruction(ty, place.span).is_some()
            && let Some(cleanups) = self.cleanups()
        {
            cleanups.push(place, ty.clone());
        }
    }

    /// Reports an object whose destructor cannot be called here.
    pub(crate) fn check_destruction(&mut self, ty: &CType, span: Span) -> Option<()> {
        match ty {
            CType::Array(element, _) => self.check_destruction(&element.ty, span),
            CType::Struct(id) if self.structure(*id).destroyed => {
                let list = self.member_functions(*id, DESTRUCTOR)?;
                let info = &self.functions[*list.functions.first()?];
                let (name, sides, declared) = (info.name.to_string(), info.sides, info.span);
                self.check_call_sides(&name, sides, Some(declared), span)
            }
            _ => Some(()),
        }
    }

    /// The number of objects that will end.
    pub(crate) fn open_cleanups(&self) -> usize {
        self.body.as_ref().map_or(0, |body| body.cleanups.open().len())
    }

    /// The statements at the end of all objects but the first `height`, which remain recorded.
    pub(crate) fn cleanup_down_to(&mut self, height: usize, span: Span) -> Vec<Stmt> {
        let open = self.open_objects();
        let mut out = Vec::new();
        for cleanup in open.iter().skip(height).rev() {
            self.destroy(&cleanup.place, &cleanup.ty, span, &mut out);
        }
        out
    }

    /// Ends all objects but the first `height` at the end of their block.
    pub(crate) fn end_cleanups(&mut self, height: usize, span: Span, out: &mut Vec<Stmt>) {
        out.extend(self.cleanup_down_to(height, span));
        if let Some(cleanups) = self.cleanups() {
            cleanups.truncate(height);
        }
    }

    /// A statement that leaves blocks, after the destructors of the objects that end with them.
    pub(crate) fn leaving(&mut self, height: usize, kind: StmtKind, span: Span) -> StmtKind {
        let mut before = self.cleanup_down_to(height, span);
        if before.is_empty() {
            return kind;
        }
        before.push(Stmt { kind, span });
        StmtKind::Block(before)
    }

    /// `return value`: the value is computed before anything ends.
    pub(crate) fn returning(&mut self, value: Option<Expr>, span: Span) -> StmtKind {
        let open = self.open_objects();
        let mut after = Vec::new();
        for cleanup in open.iter().rev() {
            self.destroy(&cleanup.place, &cleanup.ty, span, &mut after);
        }
        if after.is_empty() {
            return StmtKind::Return(value);
        }
        let mut out = Vec::new();
        let result = match value {
            None => None,
            Some(value) if value.ty == Type::Void => {
                out.push(statement(value));
                None
            }
            Some(value) => {
                let in_memory = !value.ty.is_scalar();
                let Some(held) = self.temporary(value.ty.clone(), in_memory, span) else {
                    return StmtKind::Return(Some(value));
                };
                out.push(statement(set(&held, value)));
                Some(load(&held))
            }
        };
        out.extend(after);
        out.push(Stmt { kind: StmtKind::Return(result), span });
        StmtKind::Block(out)
    }

    /// The statements that end an object.
    fn destroy(&mut self, place: &Place, ty: &CType, span: Span, out: &mut Vec<Stmt>) {
        let (element, length) = match ty {
            CType::Array(element, Some(length)) => (element.ty.clone(), *length),
            CType::Struct(id) => {
                let call = self.destruction(*id, place, span);
                return out.extend(call.map(statement));
            }
            _ => return,
        };
        // From the last element to the first.
        let (Some(size), Some(index)) =
            (self.size_of(&element), self.temporary(Type::LONG_LONG, false, span))
        else {
            return;
        };
        self.keep_in_memory(place);
        let number = |value: i64| Expr { kind: ExprKind::Int(value), ty: Type::LONG_LONG, span };
        let pointer = element.lower().pointer_to();
        let first =
            Expr { kind: ExprKind::AddressOf(Box::new(place.clone())), ty: pointer.clone(), span };
        let at = ExprKind::PointerAdd {
            pointer: Box::new(first),
            index: Box::new(load(&index)),
            stride: size,
            negative: false,
        };
        let at = Expr { kind: at, ty: pointer, span };
        let kind = PlaceKind::Deref(Box::new(at));
        let one =
            Place { kind, ty: element.lower(), volatile: false, cache: CacheHints::NONE, span };
        let less = ExprKind::Binary(BinaryOp::Sub, Box::new(load(&index)), Box::new(number(1)));
        let less = Expr { kind: less, ty: Type::LONG_LONG, span };
        let mut body = vec![statement(set(&index, less))];
        self.destroy(&one, &element, span, &mut body);
        let above =
            ExprKind::Binary(BinaryOp::Greater, Box::new(load(&index)), Box::new(number(0)));
        let above = Expr { kind: above, ty: Type::Bool, span };
        out.push(statement(set(&index, number(length as i64))));
        let body = Box::new(Stmt { kind: StmtKind::Block(body), span });
        out.push(Stmt { kind: StmtKind::While(above, body), span });
    }

    /// The call of a structure's destructor.
    pub(crate) fn destruction(&mut self, id: StructId, place: &Place, span: Span) -> Option<Expr> {
        let list = self.member_functions(id, DESTRUCTOR)?;
        let &index = list.functions.first()?;
        let function = self.note_call(index, span)?;
        self.keep_in_memory(place);
        let ty = Type::Struct(id).pointer_to();
        let address = match &place.kind {
            PlaceKind::Deref(pointer) => pointer.kind.clone(),
            _ => ExprKind::AddressOf(Box::new(place.clone())),
        };
        let address = Expr { kind: address, ty, span };
        let kind = ExprKind::Call(function, vec![address]);
        Some(Expr { kind, ty: Type::Void, span })
    }

    /// An object of its own for a value that needs one. Returns the expression that makes it, and
    /// the object, which ends with the full expression.
    pub(crate) fn materialise(&mut self, value: Value) -> Option<(Expr, Lvalue)> {
        let ty = value.ty.clone();
        let ends = self.needs_destruction(&ty)
            && !self.allowed.is_unevaluated()
            && self.makes_object(&value.expr);
        let span = value.expr.span;
        let (mut set_it, object) = self.hold(value)?;
        if ends {
            self.check_destruction(&ty, span)?;
            let is_conditional = self.cleanups().is_some_and(|all| all.is_conditional());
            let flag = match is_conditional {
                true => Some(self.temporary(Type::Bool, false, span)?),
                false => None,
            };
            if let Some(flag) = &flag {
                set_it = sequence(set_it, set(flag, truth(1, span)));
            }
            let place = object.place.clone();
            if let Some(cleanups) = self.cleanups() {
                cleanups.push_temporary(place, ty, flag);
            }
        }
        Some((set_it, object))
    }

    /// A value that nothing takes; an object that it makes ends.
    pub(crate) fn dropped(&mut self, value: Value) -> Option<Value> {
        if !self.needs_destruction(&value.ty) || !self.makes_object(&value.expr) {
            return Some(value);
        }
        let span = value.expr.span;
        let (set_it, _) = self.materialise(value)?;
        let kind = ExprKind::Convert(Box::new(set_it));
        Some(Value::new(kind, CType::Void, span))
    }

    /// The following parts are not evaluated each time that their expression is.
    pub(crate) fn enter_conditional(&mut self) {
        if let Some(cleanups) = self.cleanups() {
            cleanups.enter_conditional();
        }
    }

    /// After [`enter_conditional`](Self::enter_conditional).
    pub(crate) fn leave_conditional(&mut self) {
        if let Some(cleanups) = self.cleanups() {
            cleanups.leave_conditional();
        }
    }

    /// The number of temporaries.
    pub(crate) fn open_temporaries(&self) -> usize {
        self.body.as_ref().map_or(0, |body| body.cleanups.temporaries().len())
    }

    /// The temporary that was made last lives as long as the variable that refers to it.
    pub(crate) fn extend_temporary(&mut self, mark: usize) {
        if let Some(cleanups) = self.cleanups() {
            cleanups.extend_temporary(mark);
        }
    }

    /// A whole expression: the temporaries made since `mark` end after it.
    pub(crate) fn full_expression(&mut self, mark: usize, value: Expr) -> Expr {
        let span = value.span;
        let made = self.cleanups().map(|all| all.take_temporaries(mark)).unwrap_or_default();
        if made.is_empty() {
            return value;
        }
        let mut all = value;
        let mut result = None;
        if all.ty != Type::Void {
            let in_memory = !all.ty.is_scalar();
            let Some(held) = self.temporary(all.ty.clone(), in_memory, span) else {
                return all;
            };
            all = set(&held, all);
            result = Some(load(&held));
        }
        for temporary in made.iter().rev() {
            let CType::Struct(id) = temporary.ty else {
                continue;
            };
            let Some(call) = self.destruction(id, &temporary.place, span) else {
                continue;
            };
            let call = match &temporary.flag {
                None => call,
                Some(flag) => {
                    let zero = Expr { kind: ExprKind::Int(0), ty: Type::INT, span };
                    let nothing = ExprKind::Convert(Box::new(zero));
                    let nothing = Expr { kind: nothing, ty: Type::Void, span };
                    let test = Box::new(load(flag));
                    let kind = ExprKind::Conditional(test, Box::new(call), Box::new(nothing));
                    Expr { kind, ty: Type::Void, span }
                }
            };
            all = sequence(all, call);
        }
        if let Some(result) = result {
            all = sequence(all, result);
        }
        for temporary in made.iter().rev() {
            if let Some(flag) = &temporary.flag {
                all = sequence(set(flag, truth(0, span)), all);
            }
        }
        all
    }

    /// A declaration: the temporaries made since `mark` in its initialiser end after it.
    pub(crate) fn end_declaration(
        &mut self,
        mark: usize,
        begin: usize,
        span: Span,
        out: &mut Vec<Stmt>,
    ) {
        if self.open_temporaries() <= mark {
            return;
        }
        let nothing = Expr { kind: ExprKind::Int(0), ty: Type::INT, span };
        let nothing = Expr { kind: ExprKind::Convert(Box::new(nothing)), ty: Type::Void, span };
        // The flags are cleared in front of the declaration, and read after it.
        let flags: Vec<Place> = self.cleanups().map_or_else(Vec::new, |all| {
            all.temporaries()[mark..].iter().filter_map(|one| one.flag.clone()).collect()
        });
        let mut whole = self.full_expression(mark, nothing);
        while let ExprKind::Comma(first, rest) = whole.kind {
            let is_reset = matches!(&first.kind, ExprKind::Assign(place, _)
                if flags.iter().any(|flag| matches!((&flag.kind, &place.kind),
                    (PlaceKind::Local(a), PlaceKind::Local(b)) if a == b)));
            if !is_reset {
                whole = sequence(*first, *rest);
                break;
            }
            whole = *rest;
        }
        out.push(statement(whole));
        let resets = flags.iter().map(|flag| statement(set(flag, truth(0, span))));
        out.splice(begin..begin, resets);
    }

    /// Records the objects that exist at a label.
    pub(crate) fn note_label(&mut self, label: LabelId) {
        if let Some(cleanups) = self.cleanups() {
            cleanups.note_label(label);
        }
    }

    /// `goto label`: the destructors of the objects that end with it are put in front when the
    /// label is known.
    pub(crate) fn pending_goto(&mut self, label: LabelId, span: Span) -> StmtKind {
        let stand_in = self.cleanups().map(|cleanups| cleanups.add_goto(label, span));
        StmtKind::Goto(stand_in.unwrap_or(label))
    }

    /// Puts in front of each `goto` of a body the destructors of the objects that end with it.
    pub(crate) fn finish_gotos(&mut self, body: &mut [Stmt]) {
        let Some(cleanups) = self.cleanups() else {
            return;
        };
        let jumps = cleanups.take_gotos();
        let shared: Vec<(usize, usize)> =
            jumps.iter().map(|jump| cleanups.shared_with_label(jump)).collect();
        let mut found = Vec::new();
        for (jump, (shared, there)) in jumps.into_iter().zip(shared) {
            if shared < there {
                let message = "this jumps past the initialisation of an object with a destructor";
                self.report(Diagnostic::error(code::MISPLACED_JUMP, jump.span, message));
            }
            let mut out = Vec::new();
            for cleanup in jump.open[shared..].iter().rev() {
                self.destroy(&cleanup.place, &cleanup.ty, jump.span, &mut out);
            }
            out.push(Stmt { kind: StmtKind::Goto(jump.label), span: jump.span });
            found.push(out);
        }
        if !found.is_empty() {
            body.iter_mut().for_each(|statement| replace_gotos(statement, &mut found));
        }
    }

    /// `object.~type()`: nothing for a type without a destructor.
    pub(crate) fn explicit_destruction(
        &mut self,
        base: &ast::Expr,
        arrow: bool,
        span: Span,
    ) -> Option<Value> {
        let object = self.member_base(base, &"~".into(), arrow, span)?;
        if let (CType::Struct(id), Operand::Place(place)) = (object.ty().clone(), &object)
            && self.needs_destruction(object.ty())
        {
            self.check_destruction(object.ty(), span)?;
            let expr = self.destruction(id, &place.place, span)?;
            return Some(Value { expr, ty: CType::Void, bits: None });
        }
        let value = match object {
            Operand::Place(place) => self.address(place, span),
            Operand::Value(value) => value,
        };
        Some(Value { expr: void(value.expr), ty: CType::Void, bits: None })
    }

    /// A variable of the host that ends with the program.
    pub(crate) fn ends_with_program(&mut self, id: GlobalId, ty: &CType) {
        if self.needs_destruction(ty) {
            self.variables.end_with_program(id, ty.clone(), None);
        }
    }

    /// The initialisation of a static variable of a function, when control passes it for the first
    /// time (C++17, [stmt.dcl]).
    pub(crate) fn static_start(
        &mut self,
        id: GlobalId,
        ty: &CType,
        made: Vec<Expr>,
        mark: usize,
        span: Span,
    ) -> StmtKind {
        let guard = self.variable_of_ours("(started)", Type::Bool, span);
        let mut all = made;
        if self.needs_destruction(ty) {
            let rank = self.variable_of_ours("(order)", Type::INT, span);
            all.push(self.next_in_order(&rank, span));
            self.variables.end_with_program(id, ty.clone(), Some(rank));
        }
        let last = void(set(&guard, truth(1, span)));
        let all = all.into_iter().rev().fold(last, |rest, first| sequence(first, rest));
        let all = Box::new(statement(self.full_expression(mark, all)));
        let test = ExprKind::Unary(UnaryOp::Not, Box::new(load(&guard)));
        StmtKind::If(Expr { kind: test, ty: Type::Bool, span }, all, None)
    }

    /// A variable of static storage that the program does not name.
    fn variable_of_ours(&mut self, name: &str, ty: Type, span: Span) -> Place {
        let init = Init { zero: true, stores: Vec::new() };
        let (name, space, managed, offset) = (name.to_owned(), GlobalSpace::Host, false, 0);
        let global = Global { name, ty: ty.clone(), space, managed, offset, init, span };
        let info = GlobalInfo { defined: true, first_use: None, placed: true };
        let kind = PlaceKind::Global(self.variables.add(global, info));
        Place { kind, ty, volatile: false, cache: CacheHints::NONE, span }
    }

    /// The number of objects of static storage whose order is known only at run time.
    fn count_of_objects(&mut self, span: Span) -> Place {
        if let Some(known) = self.variables.count_of_objects() {
            return known.clone();
        }
        let count = self.variable_of_ours("(objects)", Type::INT, span);
        self.variables.set_count_of_objects(count.clone());
        count
    }

    /// Notes that an object is the next one that exists.
    fn next_in_order(&mut self, rank: &Place, span: Span) -> Expr {
        let place = Box::new(self.count_of_objects(span));
        let kind = ExprKind::Increment { place, negative: false, postfix: false, stride: 1 };
        set(rank, Expr { kind, ty: Type::INT, span })
    }

    /// The function that ends the host's objects of static storage after `main` and in `exit`.
    pub(crate) fn end_of_program(&mut self) {
        let main = (0..self.functions.len()).find(|&index| self.functions[index].is_main());
        let (Some(main), false) = (main, self.variables.exits().is_empty()) else {
            return;
        };
        let span = self.functions[main].span;
        let definition = nothing_done("(end of the program)".into(), Vec::new(), span);
        let Some(index) = self.function_definition(&definition, None) else {
            return;
        };
        self.functions.note_call(Some(main), index, span);
        self.functions.set_end(index);
        let context = self.scopes.context(Vec::new());
        self.function_body(Pending { definition: Arc::new(definition), context }, Some(index));
    }

    /// Refuses static variables that only the destructors of others reach, which are too late to be
    /// ended.
    pub(crate) fn refuse_late_objects(&mut self, known: usize) {
        let late: Vec<GlobalId> =
            self.variables.exits()[known..].iter().map(|object| object.id).collect();
        for id in late {
            let Some(span) = self.variables.get(id).map(|global| global.span) else {
                continue;
            };
            let message =
                "unsupported: a static variable with a destructor, in what ends another one";
            self.report(Diagnostic::error(code::UNSUPPORTED_CLASS, span, message));
        }
    }

    /// The body of the function that ends the host's objects: the one that was made last ends first.
    pub(crate) fn end_objects(&mut self, span: Span, out: &mut Vec<Stmt>) {
        let objects = self.variables.exits().to_vec();
        let place_of = |id: GlobalId, ty: &CType| Place {
            kind: PlaceKind::Global(id),
            ty: ty.lower(),
            volatile: false,
            cache: CacheHints::NONE,
            span,
        };
        if objects.iter().all(|object| object.rank.is_none()) {
            for object in objects.iter().rev() {
                self.destroy(&place_of(object.id, &object.ty), &object.ty, span, out);
            }
            return;
        }
        let count = self.count_of_objects(span);
        let mut body = Vec::new();
        for object in objects {
            let rank = match object.rank {
                Some(rank) => rank,
                None => {
                    let rank = self.variable_of_ours("(order)", Type::INT, span);
                    let noted = void(self.next_in_order(&rank, span));
                    if let Some(global) = self.variables.get_mut(object.id) {
                        global.init.stores.push((0, noted));
                    }
                    rank
                }
            };
            let test =
                ExprKind::Binary(BinaryOp::Equal, Box::new(load(&rank)), Box::new(load(&count)));
            let test = Expr { kind: test, ty: Type::Bool, span };
            let mut end = Vec::new();
            self.destroy(&place_of(object.id, &object.ty), &object.ty, span, &mut end);
            let end = Box::new(Stmt { kind: StmtKind::Block(end), span });
            body.push(Stmt { kind: StmtKind::If(test, end, None), span });
        }
        let one = Expr { kind: ExprKind::Int(1), ty: Type::INT, span };
        let less = ExprKind::Binary(BinaryOp::Sub, Box::new(load(&count)), Box::new(one));
        body.push(statement(set(&count, Expr { kind: less, ty: Type::INT, span })));
        let zero = Expr { kind: ExprKind::Int(0), ty: Type::INT, span };
        let above = ExprKind::Binary(BinaryOp::Greater, Box::new(load(&count)), Box::new(zero));
        let above = Expr { kind: above, ty: Type::Bool, span };
        let body = Box::new(Stmt { kind: StmtKind::Block(body), span });
        out.push(Stmt { kind: StmtKind::While(above, body), span });
    }

    /// The sides that may call the implicit destructor of a structure.
    pub(crate) fn sides_of_destruction(&self, id: StructId) -> Sides {
        let mut all = Sides { kernel: false, device: true, host: true };
        for field in &self.structure(id).fields {
            let mut ty = &field.ty.ty;
            while let CType::Array(element, _) = ty {
                ty = &element.ty;
            }
            if let CType::Struct(inner) = ty
                && let Some(list) = self.member_functions(*inner, DESTRUCTOR)
                && let Some(&index) = list.functions.first()
            {
                let sides = self.functions[index].sides;
                all.device &= sides.device;
                all.host &= sides.host;
            }
        }
        all
    }
}

fn replace_gotos(statement: &mut Stmt, found: &mut [Vec<Stmt>]) {
    match &mut statement.kind {
        StmtKind::Goto(LabelId(label)) if *label >= FIRST_GOTO => {
            let out = std::mem::take(&mut found[(*label - FIRST_GOTO) as usize]);
            statement.kind = match <[Stmt; 1]>::try_from(out) {
                Ok([only]) => only.kind,
                Err(several) => StmtKind::Block(several),
            };
        }
        StmtKind::Block(inner) => {
            inner.iter_mut().for_each(|statement| replace_gotos(statement, found));
        }
        StmtKind::If(_, yes, no) => {
            replace_gotos(yes, found);
            no.iter_mut().for_each(|no| replace_gotos(no, found));
        }
        StmtKind::While(_, body) | StmtKind::DoWhile(body, _) => replace_gotos(body, found),
        StmtKind::For { init, body, .. } => {
            init.iter_mut().for_each(|init| replace_gotos(init, found));
            replace_gotos(body, found);
        }
        StmtKind::Switch { body, .. } => replace_gotos(body, found),
        _ => {}
    }
}
