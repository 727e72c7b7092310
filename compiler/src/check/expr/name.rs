//! Names in expressions.

use crate::check::builtin::{Builtin, TABLE};
use crate::check::library::known;
use crate::check::library::stream;
use crate::check::overload::associated::joined;
use crate::check::state::Checker;
use crate::check::state::scopes::{Storage, Symbol, Tag, TypeMeaning, Variable};
use crate::check::tree::{Axis, Expr, ExprKind, GlobalSpace, PlaceKind, Special, StructId};
use crate::check::types::{CType, Opaque, QType};
use crate::check::value::{Lvalue, Operand, Value};
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::advice;
use crate::syntax::source::Span;
use crate::syntax::tree::Name;

impl Checker {
    /// A name as an operand.
    pub(crate) fn name(&mut self, name: &Name, span: Span) -> Option<Operand> {
        if self.is_own_member(name) {
            let object = self.this_object(span)?;
            let CType::Struct(id) = object.ty.ty else {
                return None;
            };
            let found = self.find_member(id, name)?;
            return Some(self.field(object, found, span).into());
        }
        if let Some([(one, first), (other, second)]) = self.scopes.rivals(name) {
            let message = format!("`{name}` may mean `{one}` or `{other}`");
            return self.fail(
                Diagnostic::error(code::AMBIGUOUS, span, message)
                    .secondary(first, "one of them")
                    .secondary(second, "the other one")
                    .help("both namespaces are open here: name one"),
            );
        }
        match self.symbol_of(name) {
            Some(Symbol::Poisoned) => {
                self.note_poison(name, span);
                None
            }
            Some(Symbol::Enumerator(value, ty)) => Some(Value::int(value, ty, span).into()),
            Some(Symbol::Variable(variable)) => self.variable(&variable, span),
            Some(Symbol::Functions(_)) => self.function_as_value(name, span),
            Some(Symbol::VariableTemplate(index)) => {
                let message = format!("the template `{name}` lacks its arguments");
                let declared = self.templates[index].span;
                self.fail(
                    Diagnostic::error(code::UNDECLARED, span, message)
                        .secondary(declared, "declared here")
                        .help(format!("write them: `{name}<...>`")),
                )
            }
            Some(Symbol::Type(_) | Symbol::TypeTemplate(_)) => {
                let message = format!("`{name}` is a type, not a value");
                self.fail(Diagnostic::error(code::UNDECLARED, span, message))
            }
            None if self.allowed.is_unevaluated()
                && let Some(member) = self.member_of_type(name, span) =>
            {
                Some(member.into())
            }
            None => {
                let name = name.strip_prefix("::").map_or_else(|| name.clone(), Name::from);
                if let Some(stream) = stream::stream(&name) {
                    self.require_host_code(&name, span)?;
                    let kind = ExprKind::Builtin(stream, Vec::new());
                    return Some(stream::place(kind, span));
                }
                self.predefined(&name, span).map(Operand::from)
            }
        }
    }

    /// `a::b` of a member that is no function, for its type.
    fn member_of_type(&mut self, name: &Name, span: Span) -> Option<Lvalue> {
        let (owner, last) = name.rsplit_once("::")?;
        let id = match self.type_meaning(&owner.into())? {
            TypeMeaning::Tag(Tag::Struct(id)) => id,
            TypeMeaning::Type(QType { ty: CType::Struct(id), .. }) => id,
            _ => return None,
        };
        let found = self.find_member(id, last)?;
        let null = Value::int(0, CType::INT, span);
        Some(Lvalue { bits: found.bits, ..Lvalue::deref(null.expr, found.ty, span) })
    }

    /// The meaning of a name here; `a::b` also when `a` is another name of a structure.
    pub(crate) fn symbol_of(&self, name: &Name) -> Option<Symbol> {
        // A name in a block, such as an argument of a template, was declared in front of the use.
        if let Some(entry) = self.scopes.find_in_blocks(name) {
            return Some(entry.meaning.clone());
        }
        if let Some(entry) = self.scopes.find(name) {
            let meaning = entry.meaning.clone();
            return Some(match meaning {
                Symbol::Functions(list) => {
                    let beside = self.scopes.functions_beside(name);
                    let list = beside.iter().fold(list, |all, list| joined(&all, list));
                    let list = self.declared_up_to(self.scopes.order(), list);
                    Symbol::Functions(self.without_hidden(list)?)
                }
                other => other,
            });
        }
        let path = self.path_through_type(name)?;
        self.scopes.find_whole(&path).map(|entry| entry.meaning.clone())
    }

    /// Returns true if a name is a member of the object of the function being checked.
    pub(crate) fn is_own_member(&self, name: &Name) -> bool {
        let is_hidden = self.scopes.find_in_blocks(name).is_some_and(|found| {
            let Symbol::Variable(variable) = &found.meaning else { return true };
            !matches!(variable.storage, Storage::OfFunctionAround)
        });
        !is_hidden && self.this_struct().is_some_and(|id| self.find_member(id, name).is_some())
    }

    pub(super) fn function_as_value<T>(&mut self, name: &str, span: Span) -> Option<T> {
        let message = format!("unsupported: the function `{name}` used as a value");
        self.fail(
            Diagnostic::error(code::UNSUPPORTED_FUNCTION_POINTER, span, message)
                .help(format!("to call it, write `{name}(...)`")),
        )
    }

    /// The meaning of a name that the program does not declare.
    fn predefined(&mut self, name: &Name, span: Span) -> Option<Value> {
        if let Some((value, ty)) = known::constant(name) {
            return Some(Value::int(value, ty, span));
        }
        if known::SPECIALS.contains(&&**name) {
            return self.special(name, span);
        }
        if let ("__func__" | "__FUNCTION__", Some(body)) = (&**name, &self.body) {
            let text = self.functions[body.function].name.clone();
            let id = self.string(text.as_bytes());
            let ty = CType::CHAR.constant().pointer();
            return Some(Value::new(ExprKind::String(id), ty, span));
        }
        let file = match &**name {
            "stdin" => Some(Builtin::Stdin),
            "stdout" => Some(Builtin::Stdout),
            "stderr" => Some(Builtin::Stderr),
            _ => None,
        };
        if let Some(file) = file {
            self.require_host_code(name, span)?;
            let ty = CType::Opaque(Opaque::File).pointer_to();
            return Some(Value::new(ExprKind::Builtin(file, Vec::new()), ty, span));
        }
        if TABLE.iter().any(|row| row.names.contains(&&**name)) {
            return self.function_as_value(name, span);
        }
        self.report_unknown(name, span, "");
        None
    }

    /// Reports a name that nothing introduces, once a function.
    pub(crate) fn report_unknown(&mut self, name: &Name, span: Span, kind: &str) {
        let found = if name.contains("::") && name.split("::").next().is_some_and(is_library) {
            let message = format!("unsupported: `{name}`, a name in a namespace");
            Diagnostic::error(code::UNSUPPORTED_NAMESPACE, span, message).advice(advice(name))
        } else if known::is_unsupported(name) {
            let message = format!("unsupported: `{name}`");
            let found = Diagnostic::error(code::UNSUPPORTED_FUNCTION, span, message);
            // A name of CUDA, or one that is misspelled; other digits make another name.
            let digits = |name: &str| name.chars().filter(char::is_ascii_digit).collect::<String>();
            let near = self.nearest(name).filter(|near| digits(near) == digits(name));
            match (advice(name), near) {
                ("", Some(near)) => found.help(format!("did you mean `{near}`?")),
                (known, _) => found.advice(known),
            }
        } else if known::is_unsupported_c(name) {
            let (what, help) = match &**name {
                "cin" => ("stream", Some("read with `scanf`")),
                _ => ("function", None),
            };
            let message = format!("unsupported: the library {what} `{name}`");
            let found = Diagnostic::error(code::UNSUPPORTED_C, span, message);
            match help {
                Some(help) => found.help(help),
                None => found,
            }
        } else if let Some(owner) = self.allowed.initialised()
            && self.find_member(owner, name).is_some()
        {
            let owner = self.structure(owner).name.clone();
            let message = format!(
                "unsupported: the member `{name}` in the initialiser of another, in a structure without a constructor"
            );
            Diagnostic::error(code::UNSUPPORTED_CPP, span, message)
                .help(format!("give it a constructor: `{owner}() {{}}`"))
        } else {
            let message = format!("{kind}`{name}` is not declared");
            let found = Diagnostic::error(code::UNDECLARED, span, message);
            match (self.scopes.find_in_file(name), self.nearest(name)) {
                (Some(entry), _) if entry.span.is_some() => {
                    let later = entry.span.unwrap_or(span);
                    found.secondary(later, "it is declared only here, further down")
                }
                _ if &**name == "__assume" => found.help("write `__builtin_assume`"),
                _ if OPTIONS.contains(&&**name) => found.help("include `getopt.h` or `unistd.h`"),
                (_, Some(near)) => found.help(format!("did you mean `{near}`?")),
                _ => found,
            }
        };
        self.report(found);
        self.scopes.poison(name.clone());
    }

    /// `threadIdx` and its kin.
    fn special(&mut self, name: &str, span: Span) -> Option<Value> {
        if !self.allowed.is_unevaluated() && !self.in_device_code() {
            let message = format!("`{name}` exists in device code only");
            let found = Diagnostic::error(code::WRONG_SIDE, span, message);
            return self.fail(self.note_side(found));
        }
        let of_axis: fn(Axis) -> Special = match name {
            "threadIdx" => Special::ThreadIdx,
            "blockIdx" => Special::BlockIdx,
            "blockDim" => Special::BlockDim,
            "gridDim" => Special::GridDim,
            _ => {
                let kind = ExprKind::Special(Special::WarpSize);
                return Some(Value::new(kind, CType::INT, span));
            }
        };
        let axes = [Axis::X, Axis::Y, Axis::Z];
        let kind = |axis| ExprKind::Special(of_axis(axis));
        let part = |axis| Expr { kind: kind(axis), ty: CType::UINT.lower(), span };
        let is_size = name.ends_with("Dim");
        let id = if is_size { StructId(0) } else { self.vector_type("uint3")? };
        let kind = ExprKind::Construct(axes.into_iter().map(part).collect());
        Some(Value::new(kind, CType::Struct(id), span))
    }

    pub(super) fn variable(&mut self, variable: &Variable, span: Span) -> Option<Operand> {
        variable.uses.set(variable.uses.get() + 1);
        if !self.allowed.is_unevaluated() {
            match variable.storage {
                Storage::Global(id) => {
                    self.note_global_use(id, span);
                    let space = self.variables.get(id)?.space;
                    if let Some(value) = self.check_space(variable, space, span)? {
                        return Some(value.into());
                    }
                }
                Storage::Shared(_) if !self.in_device_code() => {
                    let message = format!(
                        "the `__shared__` variable `{}` exists in device code only",
                        variable.name
                    );
                    let found = Diagnostic::error(code::WRONG_SIDE, span, message);
                    return self.fail(self.note_side(found));
                }
                _ => {}
            }
        }
        let kind = match variable.storage {
            Storage::Captured(index, by_reference) => {
                return self.captured(variable, index, by_reference, span);
            }
            Storage::Uncaptured | Storage::OfFunctionAround => {
                return self.uncaptured(variable, span);
            }
            Storage::Local(id) => PlaceKind::Local(id),
            Storage::Global(id) => PlaceKind::Global(id),
            Storage::Shared(id) => PlaceKind::Shared(id),
        };
        if variable.reference {
            let pointer = variable.ty.clone().pointer();
            let address = Lvalue::new(kind, pointer.plain(), span);
            let address = self.load(address.into());
            return Some(Lvalue::deref(address.expr, variable.ty.clone(), span).into());
        }
        let mut place = Lvalue::new(kind, variable.ty.clone(), span);
        place.constant = variable.constant;
        Some(place.into())
    }

    /// Checks that a variable in `space` can be used here. A host constant in device code is its
    /// value.
    fn check_space(
        &mut self,
        variable: &Variable,
        space: GlobalSpace,
        span: Span,
    ) -> Option<Option<Value>> {
        let name = &variable.name;
        if space == GlobalSpace::Host {
            if !self.in_device_code() {
                return Some(None);
            }
            if let Some(known) = variable.constant {
                return Some(Some(Value::new(known.kind(), variable.ty.ty.clone(), span)));
            }
            let message = format!("the host variable `{name}` is used in device code");
            let found = Diagnostic::error(code::WRONG_SIDE, span, message)
                .secondary(variable.span, "declared here, for the host")
                .help("pass its value to the kernel, or declare it `__device__` or `__constant__`");
            return self.fail(self.note_side(found));
        }
        let is_managed = matches!(variable.storage, Storage::Global(id)
            if self.variables.get(id).is_some_and(|global| global.managed));
        if self.in_host_code() && !is_managed && !self.allowed.fills_device() {
            let word = if space == GlobalSpace::Device { "__device__" } else { "__constant__" };
            let message = format!("the `{word}` variable `{name}` is used in host code");
            let found = Diagnostic::error(code::WRONG_SIDE, span, message)
                .secondary(variable.span, "declared here, for the device")
                .help("copy it with `cudaMemcpyFromSymbol` or `cudaMemcpyToSymbol`");
            return self.fail(self.note_side(found));
        }
        Some(None)
    }
}

/// The names from a header for options of the command line.
const OPTIONS: [&str; 6] = ["getopt", "getopt_long", "optarg", "opterr", "optind", "optopt"];

/// Namespaces of libraries that programs use without bringing them along.
fn is_library(name: &str) -> bool {
    ["std", "thrust", "cub", "cuda", "nvcuda", "wmma", "cooperative_groups", "cutlass"]
        .contains(&name)
}
