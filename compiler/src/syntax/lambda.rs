//! Lambdas: their tokens become one, which the grammar takes for an expression.
//!
//! Reads the text between the word that begins a lambda (put there when unsupported text is cut
//! out) and its body: its captures, its parameters and its result. A parameter of type `auto`
//! becomes one of a template.

use super::brackets::Brackets;
use super::recover;
use super::source::Span;
use crate::diagnostic::{Diagnostic, code};
use reconverge_grammar::token::{LambdaTree, Mark, Name, Token, TokenKind, Word};
use reconverge_grammar::tree::{
    Capture, FunctionBody, FunctionDefinition, Lambda, TemplateParameter, TemplateParameterKind,
};
use std::sync::Arc;

/// The name of the function that a lambda is.
const CALL: &str = "operator()";

/// The places of a lambda's parts.
pub(super) struct Parts {
    /// The parameters' brackets, if it has any.
    parameters: Option<(usize, usize)>,
    /// The brace of its body.
    pub body: usize,
}

/// The parts of the lambda whose `[` is at `open`; `partner` returns the closing bracket of a
/// bracket.
pub(super) fn parts(
    tokens: &[Token],
    open: usize,
    partner: impl Fn(usize) -> usize,
) -> Option<Parts> {
    let is = |at: usize, mark: Mark| tokens.get(at).is_some_and(|token| token.is(mark));
    let mut at = partner(open) + 1;
    let mut parameters = None;
    while let Some(token) = tokens.get(at) {
        match token.kind {
            TokenKind::Mark(Mark::LeftBrace) => return Some(Parts { parameters, body: at }),
            TokenKind::Mark(Mark::LeftParen) if parameters.is_none() => {
                parameters = Some((at, partner(at)));
                at = partner(at);
            }
            TokenKind::Mark(Mark::LeftParen | Mark::LeftBracket) => at = partner(at),
            TokenKind::Mark(Mark::Semicolon | Mark::Comma) if !is(at, Mark::Scope) => return None,
            TokenKind::Mark(Mark::RightParen | Mark::RightBracket | Mark::RightBrace) => {
                return None;
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// The lambda that begins with its word at `at`, and its end; the error is its fault.
pub(super) fn read(
    tokens: &[Token],
    brackets: &Brackets,
    at: usize,
) -> Result<(Token, usize), (Box<Diagnostic>, usize)> {
    let open = at + 1;
    let Some(parts) = parts(tokens, open, |at| brackets.partner(at)) else {
        let message = "expected the parameters or the body of a lambda";
        let span = tokens[at].span;
        return Err((Box::new(Diagnostic::error(code::UNEXPECTED, span, message)), open));
    };
    let close = brackets.partner(parts.body);
    let span = tokens[open].span.to(tokens[close].span);
    let failed = |diagnostic| (diagnostic, close + 1);
    let captured = captures(&tokens[open + 1..brackets.partner(open)], span).map_err(failed)?;
    let behind = parts.parameters.map_or(brackets.partner(open), |(_, close)| close) + 1;
    let between = &tokens[behind..parts.body];
    let arrow = between.iter().position(|token| token.is_word(Word::LambdaResult));
    let is_word = |word: Word| between.iter().any(|token| token.kind == word.token());
    let mut head = sides(tokens, brackets.partner(open), parts.body);
    match arrow {
        Some(arrow) => head.extend_from_slice(&between[arrow + 1..]),
        None => head.push(Token { kind: Word::Auto.token(), span, first: false }),
    }
    head.push(Token { kind: TokenKind::Name(CALL.into()), span, first: false });
    let mut list = match parts.parameters {
        Some((open, close)) => tokens[open..=close].to_vec(),
        None => [Mark::LeftParen, Mark::RightParen]
            .map(|mark| Token { kind: TokenKind::Mark(mark), span, first: false })
            .to_vec(),
    };
    let parameters = generic(&mut list);
    head.extend(list);
    let (specifiers, declarator) =
        recover::header(&head, span).map_err(|it| failed(it.diagnostic))?;
    let body = &tokens[parts.body + 1..close];
    let (default, of_this, captures) = captured;
    let definition = FunctionDefinition {
        specifiers,
        declarator,
        initializers: Vec::new(),
        constant: !is_word(Word::Mutable),
        body: FunctionBody::new(body, tokens[parts.body].span.to(tokens[close].span)),
        span,
    };
    let names = body.iter().enumerate().filter(|&(at, _)| !is_member(body, at));
    let names = names.filter_map(|(_, token)| match &token.kind {
        TokenKind::Name(name) => Some(name.clone()),
        _ => None,
    });
    let lambda = Lambda {
        default,
        of_this,
        captures,
        parameters,
        definition: Arc::new(definition),
        names: names.collect(),
    };
    let kind = TokenKind::Lambda(LambdaTree(Arc::new(lambda)));
    Ok((Token { kind, span, first: false }, close + 1))
}

/// Returns true if the name at `at` is one of a member.
fn is_member(tokens: &[Token], at: usize) -> bool {
    let before = at.checked_sub(1).map(|before| &tokens[before]);
    before.is_some_and(|before| before.is(Mark::Dot) || before.is(Mark::Arrow))
}

/// The words between parameters and body that state the lambda's sides.
fn sides(tokens: &[Token], begin: usize, end: usize) -> Vec<Token> {
    let of_side =
        |token: &&Token| [Word::Device, Word::Host].iter().any(|word| token.kind == word.token());
    tokens[begin..end].iter().filter(of_side).cloned().collect()
}

type Captured = (Option<bool>, bool, Vec<Capture>);

/// The captures of a lambda: the default for names that it does not list, true by reference; true
/// if it captures `this`; and the names that it lists.
fn captures(tokens: &[Token], whole: Span) -> Result<Captured, Box<Diagnostic>> {
    let mut default = None;
    let mut of_this = false;
    let mut all = Vec::new();
    for one in list(tokens) {
        let is = |at: usize, mark: Mark| one.get(at).is_some_and(|token| token.is(mark));
        let by_reference = is(0, Mark::And);
        let rest = &one[usize::from(by_reference)..];
        match rest {
            [] if by_reference => default = Some(true),
            [only] if only.is(Mark::Assign) && !by_reference => default = Some(false),
            [only] if only.is_word(Word::This) && !by_reference => of_this = true,
            [star, this] if star.is(Mark::Star) && this.is_word(Word::This) => {
                let message = "unsupported: a lambda that captures a copy of its object";
                return Err(Box::new(Diagnostic::error(
                    code::UNSUPPORTED_LAMBDA,
                    this.span,
                    message,
                )));
            }
            [first, rest @ ..] => {
                let Some(name) = first.name().cloned() else {
                    let message = "expected the name of a variable, `&`, `=` or `this`";
                    return Err(Box::new(Diagnostic::error(code::UNEXPECTED, first.span, message)));
                };
                let value = match rest {
                    [] => None,
                    [assign, value @ ..] if assign.is(Mark::Assign) && !value.is_empty() => {
                        Some(recover::expression(value.to_vec(), whole)?)
                    }
                    [other, ..] => {
                        let message = "expected `,` or `]` after what a lambda captures";
                        let found = Diagnostic::error(code::UNEXPECTED, other.span, message);
                        return Err(Box::new(found));
                    }
                };
                all.push(Capture { name, by_reference, value, span: first.span });
            }
            [] => {}
        }
    }
    Ok((default, of_this, all))
}

/// The parts of a list that commas outside of brackets separate.
fn list(tokens: &[Token]) -> Vec<&[Token]> {
    let mut depth = 0usize;
    let separates = |token: &Token| {
        match token.kind {
            TokenKind::Mark(
                Mark::LeftParen | Mark::LeftBracket | Mark::LeftBrace | Mark::AngleOpen,
            ) => {
                depth += 1;
            }
            TokenKind::Mark(
                Mark::RightParen | Mark::RightBracket | Mark::RightBrace | Mark::AngleClose,
            ) => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && token.is(Mark::Comma)
    };
    match tokens {
        [] => Vec::new(),
        _ => tokens.split(separates).collect(),
    }
}

/// Makes the parameters of type `auto` parameters of a template; those.
fn generic(list: &mut [Token]) -> Vec<TemplateParameter> {
    let mut parameters = Vec::new();
    for token in list {
        if token.kind != Word::Auto.token() {
            continue;
        }
        let name: Name = format!("(auto {})", parameters.len() + 1).into();
        parameters.push(TemplateParameter {
            name: Some(name.clone()),
            kind: TemplateParameterKind::Type(None),
            span: token.span,
        });
        token.kind = TokenKind::TypeName(name);
    }
    parameters
}
