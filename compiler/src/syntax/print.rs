//! The syntax tree as text, one node a line with its place.

use super::body;
use super::source::{SourceMap, Span};
use reconverge_grammar::tree::*;
use std::fmt::Write;

/// The tree of a program as indented text; bodies are read for it.
pub fn print(unit: &TranslationUnit, sources: &SourceMap) -> String {
    let mut printer = Printer { sources, output: String::new(), depth: 0 };
    unit.items.iter().for_each(|item| printer.item(item));
    printer.output
}

struct Printer<'a> {
    sources: &'a SourceMap,
    output: String,
    depth: usize,
}

impl Printer<'_> {
    fn line(&mut self, span: Span, text: &str) {
        let at = self.sources.position(span);
        let indent = "  ".repeat(self.depth);
        // Writing to a string does not fail.
        let _ = writeln!(self.output, "{indent}{text} @{}:{}", at.line, at.column);
    }

    fn nested(&mut self, print: impl FnOnce(&mut Self)) {
        self.depth += 1;
        print(self);
        self.depth -= 1;
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Function(function) => self.function(function),
            Item::Declaration(declaration) => self.declaration(declaration),
            Item::Namespace(name, items) => {
                let name = name.as_deref().unwrap_or("(unnamed)");
                let indent = "  ".repeat(self.depth);
                let _ = writeln!(self.output, "{indent}namespace {name}");
                self.nested(|this| items.iter().for_each(|item| this.item(item)));
            }
            Item::Template(template) => {
                self.line(template.span, "template");
                self.nested(|this| {
                    template.parameters.iter().for_each(|one| this.template_parameter(one));
                    this.item(&template.item);
                });
            }
            Item::Instance(declaration) => {
                self.line(declaration.span, "instance");
                self.nested(|this| this.declaration(declaration));
            }
            Item::Using(name, span) => self.line(*span, &format!("using {name}")),
            Item::Assertion(assertion) => self.assertion(assertion),
            Item::Faulty => {}
            Item::Unreadable(name, span) => self.line(*span, &format!("unreadable {name}")),
            Item::Friend(item) => {
                let indent = "  ".repeat(self.depth);
                let _ = writeln!(self.output, "{indent}friend");
                self.nested(|this| this.item(item));
            }
        }
    }

    fn assertion(&mut self, assertion: &Assertion) {
        self.with_values(
            assertion.span,
            "static_assert",
            std::slice::from_ref(&assertion.condition),
        );
    }

    fn template_parameter(&mut self, parameter: &TemplateParameter) {
        match &parameter.kind {
            TemplateParameterKind::Type(default) => {
                let name = parameter.name.as_deref().unwrap_or("(unnamed)");
                self.line(parameter.span, &format!("typename {name}"));
                self.nested(|this| default.iter().for_each(|ty| this.type_name(ty)));
            }
            TemplateParameterKind::Value(value) => self.parameter(value),
        }
    }

    fn arguments(&mut self, arguments: &[TemplateArgument]) {
        self.nested(|this| {
            for argument in arguments {
                match argument {
                    TemplateArgument::Type(ty) => this.type_name(ty),
                    TemplateArgument::Value(value) => this.expression(value),
                }
            }
        });
    }

    fn function(&mut self, function: &FunctionDefinition) {
        self.line(function.span, "function");
        self.nested(|this| {
            this.specifiers(&function.specifiers);
            this.declarator(&function.declarator);
            for member in &function.initializers {
                this.with_values(
                    member.span,
                    &format!("initialise {}", member.name),
                    &member.values,
                );
            }
            let (body, _) = body::parse(&function.body);
            this.line(function.body.span, "body");
            this.nested(|this| body.iter().for_each(|stmt| this.statement(stmt)));
        });
    }

    fn declaration(&mut self, declaration: &Declaration) {
        self.line(declaration.span, "declaration");
        self.nested(|this| {
            this.specifiers(&declaration.specifiers);
            for declared in &declaration.declarators {
                this.declarator(&declared.declarator);
                this.nested(|this| {
                    let span = declared.declarator.span;
                    declared.layout.iter().for_each(|layout| this.layout(span, layout));
                    if let Some(width) = &declared.width {
                        this.line(width.span, "width");
                        this.nested(|this| this.expression(width));
                    }
                    if let Some(init) = &declared.init {
                        this.initializer(init);
                    }
                });
            }
        });
    }

    fn specifiers(&mut self, specifiers: &Specifiers) {
        specifiers.items.iter().for_each(|item| self.specifier(item));
    }

    fn specifier(&mut self, item: &Specifier) {
        match &item.kind {
            SpecifierKind::Word(word) => self.line(item.span, word.text()),
            SpecifierKind::Named(name) => self.line(item.span, &format!("type {name}")),
            SpecifierKind::Template(name, arguments) => {
                self.line(item.span, &format!("type {name}<>"));
                self.arguments(arguments);
            }
            SpecifierKind::Member(of, name) => {
                self.line(item.span, &format!("type ::{name}"));
                self.nested(|this| this.specifier(of));
            }
            SpecifierKind::Struct(of) => self.structure(of),
            SpecifierKind::Enum(of) => self.enumeration(of),
            SpecifierKind::LaunchBounds(values) => {
                self.with_values(item.span, "__launch_bounds__", values);
            }
            SpecifierKind::Decltype(value) => {
                self.line(item.span, "decltype");
                self.nested(|this| this.expression(value));
            }
            SpecifierKind::Typeof(value) => {
                self.line(item.span, "typeof");
                self.nested(|this| this.expression(value));
            }
            SpecifierKind::TypeofType(ty) => {
                self.line(item.span, "typeof");
                self.nested(|this| this.type_name(ty));
            }
            SpecifierKind::Layout(layout) => self.layout(item.span, layout),
        }
    }

    fn layout(&mut self, span: Span, layout: &Layout) {
        match layout {
            Layout::Align(values) => self.with_values(span, "__align__", values),
            Layout::Packed => self.line(span, "packed"),
            Layout::Pack(bytes) => {
                self.with_values(span, "pack", std::slice::from_ref(&**bytes));
            }
        }
    }

    fn with_values(&mut self, span: Span, text: &str, values: &[Expr]) {
        self.line(span, text);
        self.nested(|this| values.iter().for_each(|value| this.expression(value)));
    }

    fn structure(&mut self, of: &StructSpecifier) {
        let word = if of.is_union { "union" } else { "struct" };
        let tag = of.tag.as_deref().unwrap_or("(unnamed)");
        self.line(of.span, &format!("{word} {tag}"));
        self.nested(|this| {
            this.arguments(of.arguments.as_deref().unwrap_or_default());
            of.layout.iter().for_each(|layout| this.layout(of.span, layout));
            of.members.iter().for_each(|items| items.iter().for_each(|item| this.item(item)));
        });
    }

    fn enumeration(&mut self, of: &EnumSpecifier) {
        let tag = of.tag.as_deref().unwrap_or("(unnamed)");
        self.line(of.span, &format!("enum {tag}"));
        self.nested(|this| {
            for one in of.enumerators.iter().flatten() {
                this.line(one.span, &one.name);
                this.nested(|this| one.value.iter().for_each(|value| this.expression(value)));
            }
        });
    }

    fn declarator(&mut self, declarator: &Declarator) {
        let name = declarator.name.as_deref().unwrap_or("(unnamed)");
        self.line(declarator.name_span, &format!("declarator {name}"));
        self.nested(|this| {
            for step in &declarator.derived {
                this.derived(step);
            }
        });
    }

    fn derived(&mut self, step: &Derived) {
        match &step.kind {
            DerivedKind::Pointer(words) => {
                let words: String = words.iter().map(|word| format!(" {}", word.text())).collect();
                self.line(step.span, &format!("pointer{words}"));
            }
            DerivedKind::Reference => self.line(step.span, "reference"),
            DerivedKind::RvalueReference => self.line(step.span, "rvalue reference"),
            DerivedKind::Array(bound) => {
                self.line(step.span, "array");
                self.nested(|this| bound.iter().for_each(|bound| this.expression(bound)));
            }
            DerivedKind::Function { parameters, variadic } => {
                let dots = if *variadic { " ..." } else { "" };
                self.line(step.span, &format!("function{dots}"));
                self.nested(|this| parameters.iter().for_each(|one| this.parameter(one)));
            }
            DerivedKind::Values(values) => self.with_values(step.span, "values", values),
        }
    }

    fn parameter(&mut self, parameter: &Parameter) {
        self.line(parameter.span, "parameter");
        self.nested(|this| {
            this.specifiers(&parameter.specifiers);
            this.declarator(&parameter.declarator);
            parameter.default.iter().for_each(|value| this.initializer(value));
        });
    }

    fn type_name(&mut self, ty: &TypeName) {
        self.specifiers(&ty.specifiers);
        for step in &ty.declarator.derived {
            self.derived(step);
        }
    }

    fn initializer(&mut self, init: &Initializer) {
        match init {
            Initializer::Expr(value) => self.expression(value),
            Initializer::List { elements, span, .. } => {
                self.line(*span, "list");
                self.nested(|this| elements.iter().for_each(|element| this.element(element)));
            }
        }
    }

    fn element(&mut self, element: &InitializerElement) {
        for designator in &element.designators {
            match designator {
                Designator::Member(name, span) => self.line(*span, &format!(".{name} =")),
                Designator::Index(index) => {
                    self.with_values(index.span, "[] =", std::slice::from_ref(index))
                }
            }
        }
        self.initializer(&element.value);
    }

    fn statement(&mut self, stmt: &Stmt) {
        let text = match &stmt.kind {
            StmtKind::Expr(None) => "empty".to_owned(),
            StmtKind::Expr(Some(_)) => "expression".to_owned(),
            StmtKind::Declaration(declaration) => return self.declaration(declaration),
            StmtKind::Block(_) => "block".to_owned(),
            StmtKind::If(constant, ..) => if *constant { "if constexpr" } else { "if" }.to_owned(),
            StmtKind::Assertion(assertion) => return self.assertion(assertion),
            StmtKind::Using(name) => format!("using {name}"),
            StmtKind::While(..) => "while".to_owned(),
            StmtKind::Do(..) => "do".to_owned(),
            StmtKind::For { .. } => "for".to_owned(),
            StmtKind::RangeFor(_) => "for each".to_owned(),
            StmtKind::Unroll(..) => "unroll".to_owned(),
            StmtKind::Switch(..) => "switch".to_owned(),
            StmtKind::Case(_) => "case".to_owned(),
            StmtKind::Default => "default".to_owned(),
            StmtKind::Label(name) => format!("label {name}"),
            StmtKind::Break => "break".to_owned(),
            StmtKind::Continue => "continue".to_owned(),
            StmtKind::Return(_) => "return".to_owned(),
            StmtKind::Goto(name) => format!("goto {name}"),
            StmtKind::Assembly(_) => "asm".to_owned(),
            StmtKind::Error(_) => "error".to_owned(),
        };
        self.line(stmt.span, &text);
        self.nested(|this| this.parts(&stmt.kind));
    }

    fn parts(&mut self, kind: &StmtKind) {
        match kind {
            StmtKind::Assembly(of) => {
                let operands = of.sections.iter().flatten();
                operands.filter_map(|it| it.value.as_ref()).for_each(|it| self.expression(it));
            }
            StmtKind::Expr(Some(value)) | StmtKind::Case(value) => self.expression(value),
            StmtKind::Block(body) => body.iter().for_each(|stmt| self.statement(stmt)),
            StmtKind::If(_, condition, yes, no) => {
                self.condition(condition);
                self.statement(yes);
                no.iter().for_each(|no| self.statement(no));
            }
            StmtKind::While(condition, body) | StmtKind::Switch(condition, body) => {
                self.condition(condition);
                self.statement(body);
            }
            StmtKind::Do(body, condition) => {
                self.statement(body);
                self.expression(condition);
            }
            StmtKind::For { init, condition, step, body } => {
                self.statement(init);
                for part in [condition, step] {
                    match part {
                        Some(value) => self.expression(value),
                        None => self.line(body.span, "nothing"),
                    }
                }
                self.statement(body);
            }
            StmtKind::Unroll(factor, body) => {
                factor.iter().for_each(|factor| self.expression(factor));
                self.statement(body);
            }
            StmtKind::RangeFor(of) => {
                self.declaration(&of.array.item);
                self.initializer(&of.range);
                self.statement(&of.body);
            }
            StmtKind::Return(value) => value.iter().for_each(|value| self.initializer(value)),
            _ => {}
        }
    }

    fn condition(&mut self, condition: &Condition) {
        match condition {
            Condition::Expr(value) => self.expression(value),
            Condition::Declaration(declaration) => self.declaration(declaration),
        }
    }

    fn expression(&mut self, tree: &Expr) {
        self.line(tree.span, &label(&tree.kind));
        self.nested(|this| this.operands(&tree.kind));
    }

    fn operands(&mut self, kind: &ExprKind) {
        use ExprKind::*;
        match kind {
            Unary(_, a) | SizeofExpr(a) | AlignofExpr(a) | Member { base: a, .. } => {
                self.expression(a)
            }
            Binary(_, a, b) | Assign(_, a, b) | Comma(a, b) | Index(a, b) => {
                self.expression(a);
                self.expression(b);
            }
            Conditional(a, b, c) => [a, b, c].into_iter().for_each(|one| self.expression(one)),
            Cast(_, ty, a) => {
                self.type_name(ty);
                self.expression(a);
            }
            SizeofType(ty) | AlignofType(ty) | TypeProperty(_, ty) => self.type_name(ty),
            List(init) => self.initializer(init),
            Lambda(of) => {
                let (statements, _) = body::parse(&of.definition.body);
                statements.iter().for_each(|statement| self.statement(statement));
            }
            Literal(ty, init) => {
                self.type_name(ty);
                self.initializer(init);
            }
            Construct(ty, values, _) => {
                self.specifiers(ty);
                values.iter().for_each(|value| self.expression(value));
            }
            Call(f, values) => {
                self.expression(f);
                values.iter().for_each(|value| self.expression(value));
            }
            Launch(f, configuration, values) => {
                self.expression(f);
                self.with_values(f.span, "configuration", configuration);
                self.with_values(f.span, "arguments", values);
            }
            Template(_, arguments) => self.arguments(arguments),
            MemberTemplate(member, arguments) => {
                self.expression(member);
                self.arguments(arguments);
            }
            Scoped(of, _) => self.specifier(of),
            Int(..) | Float(..) | Char(_) | String(_) | Bool(_) | Nullptr | Name(_) | This
            | Error => {}
        }
    }
}

/// The text of an expression's line, without its operands.
fn label(kind: &ExprKind) -> String {
    match kind {
        ExprKind::Int(value, suffix) => {
            let unsigned = if suffix.unsigned { "u" } else { "" };
            format!("int {value}{unsigned}{}", "l".repeat(suffix.longs.into()))
        }
        ExprKind::Float(value, true) => format!("float {value:?}"),
        ExprKind::Float(value, false) => format!("double {value:?}"),
        ExprKind::Char(value) => format!("char {value}"),
        ExprKind::String(bytes) => format!("string \"{}\"", bytes.escape_ascii()),
        ExprKind::Bool(value) => value.to_string(),
        ExprKind::Nullptr => "nullptr".to_owned(),
        ExprKind::Name(name) => format!("name {name}"),
        ExprKind::This => "this".to_owned(),
        ExprKind::Template(name, _) => format!("name {name}<>"),
        ExprKind::MemberTemplate(..) => "member<>".to_owned(),
        ExprKind::Scoped(_, name) => format!("name ::{name}"),
        ExprKind::Unary(op, _) => {
            let behind = matches!(op, UnaryOp::PostIncrement | UnaryOp::PostDecrement);
            let side = if behind { "postfix" } else { "unary" };
            format!("{side} {}", op.text())
        }
        ExprKind::Binary(op, ..) => format!("binary {}", op.text()),
        ExprKind::Assign(op, ..) => format!("assign {}=", op.map_or("", BinaryOp::text)),
        ExprKind::Conditional(..) => "conditional".to_owned(),
        ExprKind::Comma(..) => "comma".to_owned(),
        ExprKind::Cast(style, ..) => match style {
            CastStyle::C => "cast".to_owned(),
            CastStyle::Static => "static_cast".to_owned(),
            CastStyle::Reinterpret => "reinterpret_cast".to_owned(),
            CastStyle::Const => "const_cast".to_owned(),
        },
        ExprKind::Construct(..) => "construct".to_owned(),
        ExprKind::SizeofExpr(_) | ExprKind::SizeofType(_) => "sizeof".to_owned(),
        ExprKind::AlignofExpr(_) | ExprKind::AlignofType(_) => "alignof".to_owned(),
        ExprKind::TypeProperty(word, _) => word.text().to_owned(),
        ExprKind::List(_) => "list".to_owned(),
        ExprKind::Lambda(_) => "lambda".to_owned(),
        ExprKind::Literal(..) => "literal".to_owned(),
        ExprKind::Call(..) => "call".to_owned(),
        ExprKind::Launch(..) => "launch".to_owned(),
        ExprKind::Index(..) => "index".to_owned(),
        ExprKind::Member { name, arrow, .. } => {
            format!("member {}{name}", if *arrow { "->" } else { "." })
        }
        ExprKind::Error => "error".to_owned(),
    }
}
