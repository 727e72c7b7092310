//! The grammar's actions: they build nodes with their spans and depths.

use crate::span::Span;
use crate::token::{Members, Name, Token, Word};
use crate::tree::*;

/// A parsed construct.
#[derive(Debug)]
pub enum Entry {
    /// A declaration with its semicolon.
    Declaration(Declaration),
    /// The part in front of a function's body.
    Header(Specifiers, Declarator),
    /// The statements of a body.
    Body(Vec<Stmt>),
    /// An expression.
    Expression(Expr),
    /// The parameters of a template.
    Parameters(Vec<TemplateParameter>),
    /// The part between the `:` and the body of a constructor.
    Initializers(Vec<MemberInitializer>),
}

/// The name of a structure in its specifier.
#[derive(Clone, Debug)]
pub struct StructTag {
    /// The name.
    pub name: Name,
    /// The arguments of a specialisation.
    pub arguments: Option<Vec<TemplateArgument>>,
}

/// The variable that a range-based `for` declares.
#[derive(Clone, Debug)]
pub struct RangeItem {
    /// Its type.
    pub specifiers: Specifiers,
    /// Its name.
    pub declarator: Declarator,
    /// The place of both.
    pub span: Span,
}

/// A fault that the grammar's actions find.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// The place in the text.
    pub span: Span,
    /// The fault.
    pub kind: FaultKind,
}

/// The kinds of [`Fault`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FaultKind {
    /// An expression is deeper than [`EXPRESSION_DEPTH`].
    LongExpression,
    /// A statement is deeper than [`STATEMENT_DEPTH`].
    DeepStatement,
    /// A declarator has more than [`BRACKET_DEPTH`] parts.
    DeepDeclarator,
    /// A type in a cast or `sizeof` declares a name.
    NameInType,
}

/// The reason why tokens do not fit the grammar.
pub type Error = lalrpop_util::ParseError<u32, crate::token::TokenKind, Fault>;

fn fault<T>(span: Span, kind: FaultKind) -> Result<T, Error> {
    Err(Error::User { error: Fault { span, kind } })
}

/// Turns the grammar's locations, which count tokens from 1, into spans.
pub(crate) struct Places<'a> {
    pub tokens: &'a [Token],
    /// The place of a node for which no token was read.
    pub whole: Span,
}

impl Places<'_> {
    /// The span of the tokens `from..to`; where nothing was read, the place between two tokens.
    pub fn span(&self, from: u32, to: u32) -> Span {
        let token = |location: u32| self.tokens.get((location as usize).checked_sub(1)?);
        let last = to.saturating_sub(1).min(self.tokens.len() as u32);
        let end = token(last).map_or(self.whole, |last| last.span);
        match token(from) {
            Some(first) if from < to => first.span.to(end),
            _ => end.after(),
        }
    }

    /// The empty specifiers in front of a constructor's name.
    pub fn no_specifiers(&self, span: Span) -> Specifiers {
        Specifiers { items: Vec::new(), span }
    }

    pub fn words(&self, words: Vec<Word>, span: Span) -> Specifiers {
        let specifier = |word| Specifier { kind: SpecifierKind::Word(word), span };
        Specifiers { items: words.into_iter().map(specifier).collect(), span }
    }

    pub fn name_as_specifiers(&self, name: Name, span: Span) -> Specifiers {
        Specifiers { items: vec![Specifier { kind: SpecifierKind::Named(name), span }], span }
    }

    pub fn member_type(&self, of: SpecifierKind, name: Name, span: Span) -> SpecifierKind {
        SpecifierKind::Member(Box::new(Specifier { kind: of, span }), name)
    }

    pub fn scoped(&self, of: SpecifierKind, name: Name, span: Span) -> ExprKind {
        ExprKind::Scoped(Box::new(Specifier { kind: of, span }), name)
    }

    pub fn push<T>(&self, mut list: Vec<T>, next: T) -> Vec<T> {
        list.push(next);
        list
    }

    pub fn expression(&self, kind: ExprKind, span: Span) -> Result<Expr, Error> {
        let depth = 1 + expression_depth(&kind);
        if depth > EXPRESSION_DEPTH {
            return fault(span, FaultKind::LongExpression);
        }
        Ok(Expr { kind, span, depth })
    }

    pub fn binary(&self, op: BinaryOp, a: Expr, b: Expr) -> Result<Expr, Error> {
        let span = a.span.to(b.span);
        self.expression(ExprKind::Binary(op, Box::new(a), Box::new(b)), span)
    }

    pub fn construct(
        &self,
        ty: Specifier,
        values: Option<Vec<Expr>>,
        enclosure: Enclosure,
    ) -> ExprKind {
        let span = ty.span;
        let items = vec![ty];
        let specifiers = Specifiers { items, span };
        ExprKind::Construct(Box::new(specifiers), values.unwrap_or_default(), enclosure)
    }

    /// `type{values}`; a list with lists in it, or with designators, initialises an object as a whole.
    pub fn braced(&self, ty: Specifier, list: Initializer) -> ExprKind {
        let elements = match &list {
            Initializer::List { elements, .. } => elements.as_slice(),
            Initializer::Expr(_) => &[],
        };
        let plain = elements.iter().map(|element| match &element.value {
            Initializer::Expr(value) if element.designators.is_empty() => Some(value.clone()),
            _ => None,
        });
        match plain.collect() {
            Some(values) => self.construct(ty, Some(values), Enclosure::Braces),
            None => {
                let span = ty.span;
                let specifiers = Specifiers { items: vec![ty], span };
                let ty = TypeName { specifiers, declarator: unnamed(span) };
                ExprKind::Literal(Box::new(ty), Box::new(list))
            }
        }
    }

    pub fn member(&self, base: Expr, name: Name, name_span: Span, arrow: bool) -> ExprKind {
        ExprKind::Member { base: Box::new(base), name, name_span, arrow }
    }

    /// `base.~type()`, or with `->`.
    pub fn destruction(&self, base: Expr, at: Span, arrow: bool) -> Result<ExprKind, Error> {
        let span = base.span.to(at);
        let callee = self.expression(self.member(base, "~".into(), at, arrow), span)?;
        Ok(ExprKind::Call(Box::new(callee), Vec::new()))
    }

    /// `base.name<arguments>`, or with `->`.
    pub fn member_template(
        &self,
        base: Expr,
        name: Name,
        name_span: Span,
        arguments: Vec<TemplateArgument>,
        arrow: bool,
    ) -> Result<ExprKind, Error> {
        let span = base.span.to(name_span);
        let member = self.expression(self.member(base, name, name_span, arrow), span)?;
        Ok(ExprKind::MemberTemplate(Box::new(member), arguments))
    }

    pub fn statement(&self, kind: StmtKind, span: Span) -> Result<Stmt, Error> {
        let depth = 1 + statement_depth(&kind);
        if depth > STATEMENT_DEPTH {
            return fault(span, FaultKind::DeepStatement);
        }
        Ok(Stmt { kind, span, depth })
    }

    /// `using name = type;` as the `typedef` it means.
    pub fn using(&self, name: Name, ty: TypeName, span: Span) -> Declaration {
        let mut specifiers = ty.specifiers;
        specifiers.items.push(Specifier { kind: SpecifierKind::Word(Word::Typedef), span });
        let mut declarator = ty.declarator;
        declarator.name = Some(name);
        let declarators = vec![self.declared(declarator, Vec::new(), None, None)];
        Declaration { specifiers, declarators, constant: false, span }
    }

    pub fn structure(
        &self,
        is_union: bool,
        layout: Vec<Layout>,
        tag: Option<StructTag>,
        members: Option<Members>,
        span: Span,
    ) -> SpecifierKind {
        let (tag, arguments) = tag.map_or((None, None), |tag| (Some(tag.name), tag.arguments));
        let members = members.map(|members| members.0);
        let found = StructSpecifier { is_union, layout, tag, arguments, members, span };
        SpecifierKind::Struct(Box::new(found))
    }

    pub fn enumeration(
        &self,
        is_scoped: bool,
        tag: Option<Name>,
        base: Option<Specifiers>,
        enumerators: Option<Vec<Enumerator>>,
        span: Span,
    ) -> SpecifierKind {
        let found = EnumSpecifier { is_scoped, tag, base, enumerators, span };
        SpecifierKind::Enum(Box::new(found))
    }

    /// A declared thing with its initialiser; `x(values)` carries it as its last step.
    pub fn declared(
        &self,
        declarator: Declarator,
        layout: Vec<Layout>,
        init: Option<Initializer>,
        width: Option<Expr>,
    ) -> InitDeclarator {
        InitDeclarator { declarator, layout, init, width }
    }

    pub fn declarator(&self, mut declarator: Declarator, span: Span) -> Result<Declarator, Error> {
        if declarator.derived.len() > BRACKET_DEPTH {
            return fault(span, FaultKind::DeepDeclarator);
        }
        if declarator.name.is_none() {
            declarator.name_span = span;
        }
        declarator.span = span;
        Ok(declarator)
    }

    pub fn named(&self, name: Name, span: Span) -> Declarator {
        Declarator { name: Some(name), ..unnamed(span) }
    }

    pub fn specialised(&self, name: Name, list: Vec<TemplateArgument>, span: Span) -> Declarator {
        Declarator { arguments: Some(list), ..self.named(name, span) }
    }

    pub fn suffix(&self, declarator: Option<Declarator>, suffix: Derived) -> Declarator {
        self.derive(declarator, suffix.kind, suffix.span)
    }

    /// Adds the next step outwards to a declarator, or to the empty one.
    pub fn derive(
        &self,
        declarator: Option<Declarator>,
        kind: DerivedKind,
        span: Span,
    ) -> Declarator {
        let mut declarator = declarator.unwrap_or_else(|| unnamed(span));
        declarator.derived.push(Derived { kind, span });
        declarator
    }

    pub fn parameter(
        &self,
        specifiers: Specifiers,
        declarator: Option<Declarator>,
        default: Option<Initializer>,
        type_span: Span,
        span: Span,
    ) -> Parameter {
        Parameter {
            specifiers,
            declarator: declarator.unwrap_or_else(|| unnamed(type_span)),
            default,
            span,
        }
    }

    pub fn type_name(
        &self,
        specifiers: Specifiers,
        declarator: Option<Declarator>,
    ) -> Result<TypeName, Error> {
        let span = specifiers.span;
        let declarator = declarator.unwrap_or_else(|| unnamed(span));
        if declarator.name.is_some() {
            return fault(declarator.name_span, FaultKind::NameInType);
        }
        Ok(TypeName { specifiers, declarator })
    }

    /// `for (item : range) body`, with the parts of the loop that it is short for.
    pub fn range_for(
        &self,
        item: RangeItem,
        range: Initializer,
        body: Stmt,
    ) -> Result<StmtKind, Error> {
        let RangeItem { specifiers, declarator, span } = item;
        let place = range.span();
        let make = |kind| self.expression(kind, place);
        let name = |text: &str| make(ExprKind::Name(text.into()));
        let element = || -> Result<Expr, Error> {
            let at = make(ExprKind::Name(RANGE_INDEX.into()))?;
            make(ExprKind::Index(Box::new(name(RANGE)?), Box::new(at)))
        };
        let size = |of| make(ExprKind::SizeofExpr(Box::new(of)));
        let next = |of: &str| make(ExprKind::Unary(UnaryOp::PreIncrement, Box::new(name(of)?)));
        let declare = |specifiers, declarator, init, span| Declaration {
            specifiers,
            declarators: vec![self.declared(declarator, Vec::new(), Some(init), None)],
            constant: false,
            span,
        };
        let auto = || self.words(vec![Word::Auto], place);
        let item = |init| declare(specifiers.clone(), declarator.clone(), init, span);
        // `auto called = range.function();`
        let bound = |called: &str, function: &str| -> Result<Declaration, Error> {
            let member = self.member(name(RANGE)?, function.into(), place, false);
            let call = make(ExprKind::Call(Box::new(make(member)?), Vec::new()))?;
            let declarator = self.named(called.into(), place);
            Ok(declare(auto(), declarator, Initializer::Expr(call), place))
        };
        let step = ExprKind::Unary(UnaryOp::Deref, Box::new(name(RANGE_BEGIN)?));
        let object = RangeLoop {
            start: vec![bound(RANGE_BEGIN, "begin")?, bound(RANGE_END, "end")?],
            condition: self.binary(BinaryOp::NotEqual, name(RANGE_BEGIN)?, name(RANGE_END)?)?,
            step: next(RANGE_BEGIN)?,
            item: item(Initializer::Expr(make(step)?)),
        };
        let count = self.binary(BinaryOp::Div, size(name(RANGE)?)?, size(element()?)?)?;
        let zero = Initializer::Expr(make(ExprKind::Int(0, Default::default()))?);
        let array = RangeLoop {
            start: vec![declare(
                self.words(vec![Word::Unsigned, Word::Long], place),
                self.named(RANGE_INDEX.into(), place),
                zero,
                place,
            )],
            condition: self.binary(BinaryOp::Less, name(RANGE_INDEX)?, count)?,
            step: next(RANGE_INDEX)?,
            item: item(Initializer::Expr(element()?)),
        };
        let refers = DerivedKind::RvalueReference;
        let refers = self.derive(Some(self.named(RANGE.into(), place)), refers, place);
        let setup = declare(auto(), refers, range.clone(), place);
        Ok(StmtKind::RangeFor(Box::new(RangeFor { range, setup, array, object, body })))
    }

    pub fn condition(
        &self,
        specifiers: Specifiers,
        declarator: Declarator,
        init: Initializer,
        span: Span,
    ) -> Condition {
        let declarators = vec![self.declared(declarator, Vec::new(), Some(init), None)];
        let declaration = Declaration { specifiers, declarators, constant: false, span };
        Condition::Declaration(Box::new(declaration))
    }

    pub fn list(&self, elements: Vec<InitializerElement>, span: Span) -> Initializer {
        let depth = elements.iter().map(|element| match &element.value {
            Initializer::Expr(_) => 0,
            Initializer::List { depth, .. } => *depth,
        });
        let depth = 1 + depth.max().unwrap_or(0);
        Initializer::List { elements, span, depth }
    }
}

fn unnamed(span: Span) -> Declarator {
    Declarator { name: None, name_span: span, arguments: None, derived: Vec::new(), span }
}

fn deepest(values: &[Expr]) -> u32 {
    values.iter().map(|value| value.depth).max().unwrap_or(0)
}

fn expression_depth(kind: &ExprKind) -> u32 {
    use ExprKind::*;
    match kind {
        Int(..) | Float(..) | Char(_) | String(_) | Bool(_) | Nullptr | Name(_) | This
        | Template(..) | Scoped(..) | Error | SizeofType(_) | AlignofType(_) | TypeProperty(..)
        | Lambda(_) => 0,
        Literal(_, init) | List(init) => initializer_depth(init),
        Unary(_, a) | Cast(_, _, a) | SizeofExpr(a) | AlignofExpr(a) => a.depth,
        Member { base, .. } => base.depth,
        MemberTemplate(member, _) => member.depth,
        Binary(_, a, b) | Assign(_, a, b) | Comma(a, b) | Index(a, b) => a.depth.max(b.depth),
        Conditional(a, b, c) => a.depth.max(b.depth).max(c.depth),
        Construct(_, values, _) => deepest(values),
        Call(f, values) => f.depth.max(deepest(values)),
        Launch(f, configuration, values) => {
            f.depth.max(deepest(configuration)).max(deepest(values))
        }
    }
}

fn initializer_depth(init: &Initializer) -> u32 {
    match init {
        Initializer::Expr(value) => value.depth,
        Initializer::List { elements, depth, .. } => {
            let inner = elements.iter().map(|element| initializer_depth(&element.value));
            inner.max().unwrap_or(0).max(*depth)
        }
    }
}

/// The names of the range of a range-based `for`, and of its position in the range.
const RANGE: &str = "(range)";
const RANGE_INDEX: &str = "(index)";
const RANGE_BEGIN: &str = "(begin)";
const RANGE_END: &str = "(end)";

fn statement_depth(kind: &StmtKind) -> u32 {
    use StmtKind::*;
    match kind {
        Block(body) => body.iter().map(|inner| inner.depth).max().unwrap_or(0),
        If(_, _, yes, no) => yes.depth.max(no.as_ref().map_or(0, |no| no.depth)),
        While(_, body) | Do(body, _) | Switch(_, body) | For { body, .. } => body.depth,
        RangeFor(of) => of.body.depth,
        _ => 0,
    }
}
