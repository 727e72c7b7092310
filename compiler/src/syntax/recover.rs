//! Running the grammar, and going on after an error.
//!
//! The grammar itself knows no errors: at the first one, the statement that contains it is cut out
//! of the tokens (or a missing semicolon is put in), and the whole is read again. Every attempt takes
//! tokens away or adds a semicolon at a place further on, and the number of attempts is limited.

use super::brackets::Brackets;
use super::source::Span;
use crate::diagnostic::{Code, Diagnostic, code};
use reconverge_grammar::token::{Mark, Name, Start, Token, TokenKind, Word};
use reconverge_grammar::tree::*;
use reconverge_grammar::{Entry, Error, Fault, FaultKind, ParseError};

/// The most errors that are looked for in one function.
pub(super) const ROUNDS: usize = 20;

/// The place at which the grammar stopped, and the reason.
pub(super) struct Failure {
    /// Index of the token that does not fit; after the last one when the tokens end too early.
    pub at: usize,
    pub diagnostic: Box<Diagnostic>,
    /// True if a semicolon in front of that token is most likely missing.
    pub wants_semicolon: bool,
    /// True if the rest cannot be read either.
    pub is_final: bool,
}

fn run(start: Start, tokens: &[Token], whole: Span) -> Result<Entry, Failure> {
    reconverge_grammar::parse(start, tokens, whole).map_err(|error| failure(error, tokens, whole))
}

/// Reads one expression.
pub(super) fn expression(tokens: Vec<Token>, whole: Span) -> Result<Expr, Box<Diagnostic>> {
    match run(Start::Expression, &tokens, whole) {
        Ok(Entry::Expression(tree)) => Ok(tree),
        Ok(_) => Err(Box::new(expected_expression(whole))),
        Err(failure) => Err(failure.diagnostic),
    }
}

fn expected_expression(span: Span) -> Diagnostic {
    Diagnostic::error(code::EXPECTED_EXPRESSION, span, "expected an expression")
}

/// Reads one declaration, its semicolon included.
pub(super) fn declaration(tokens: &[Token], whole: Span) -> Result<Declaration, Failure> {
    match run(Start::Declaration, tokens, whole)? {
        Entry::Declaration(tree) => Ok(tree),
        _ => Err(unexpected(tokens.len(), whole)),
    }
}

/// Reads the parameters of a template.
pub(super) fn parameters(tokens: &[Token], whole: Span) -> Result<Vec<TemplateParameter>, Failure> {
    match run(Start::Parameters, tokens, whole)? {
        Entry::Parameters(tree) => Ok(tree),
        _ => Err(unexpected(tokens.len(), whole)),
    }
}

/// Reads the initialisers in front of a constructor's body.
pub(super) fn initializers(
    tokens: &[Token],
    whole: Span,
) -> Result<Vec<MemberInitializer>, Failure> {
    match run(Start::Initialisers, tokens, whole)? {
        Entry::Initializers(tree) => Ok(tree),
        _ => Err(unexpected(tokens.len(), whole)),
    }
}

/// Reads the head in front of a function's body.
pub(super) fn header(tokens: &[Token], whole: Span) -> Result<(Specifiers, Declarator), Failure> {
    match run(Start::Header, tokens, whole)? {
        Entry::Header(specifiers, declarator) => Ok((specifiers, declarator)),
        _ => Err(unexpected(tokens.len(), whole)),
    }
}

fn unexpected(at: usize, span: Span) -> Failure {
    Failure {
        at,
        diagnostic: Box::new(Diagnostic::error(
            code::UNEXPECTED,
            span,
            "this is not a declaration",
        )),
        wants_semicolon: false,
        is_final: false,
    }
}

/// Reads statements; faulty ones are reported and left out. `rounds` is how often the grammar may still be
/// run for the body, and `known`: something was reported in front of these. `None`: the body is given up.
pub(super) fn statements(
    tokens: &[Token],
    whole: Span,
    rounds: &mut usize,
    known: bool,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Vec<Stmt>> {
    let mut repaired;
    let mut tokens = tokens;
    while *rounds > 0 {
        let failure = match run(Start::Body, tokens, whole) {
            Ok(Entry::Body(body)) => return Some(body),
            Ok(_) => return None,
            Err(failure) => failure,
        };
        *rounds -= 1;
        if failure.is_final {
            diagnostics.push(*failure.diagnostic);
            return None;
        }
        let follows = is_follow_up(tokens, &failure, known || !diagnostics.is_empty());
        repaired = repair(tokens, &failure);
        tokens = &repaired;
        if !follows {
            diagnostics.push(*failure.diagnostic);
        }
    }
    None
}

/// Returns true if an error only follows from a reported one: an `else` whose `if` was cut out, or
/// a statement with a part that replaces faulty text.
fn is_follow_up(tokens: &[Token], failure: &Failure, after_error: bool) -> bool {
    if failure.wants_semicolon {
        let before = failure.at.checked_sub(1).and_then(|at| tokens.get(at));
        return before.is_some_and(Token::is_repair);
    }
    let found = tokens.get(failure.at);
    let (start, end) = statement_around(tokens, failure.at);
    (after_error && found.is_some_and(|token| token.is_word(Word::Else)))
        || tokens[start..end].iter().any(Token::is_repair)
}

/// The tokens without the fault.
fn repair(tokens: &[Token], failure: &Failure) -> Vec<Token> {
    let at = failure.at.min(tokens.len());
    let mut repaired = tokens.to_vec();
    if failure.wants_semicolon {
        repaired.insert(
            at,
            Token {
                kind: TokenKind::Mark(Mark::Semicolon),
                span: failure.diagnostic.primary.span,
                first: false,
            },
        );
        return repaired;
    }
    let (start, end) = statement_around(tokens, at);
    let names: Vec<Name> =
        tokens[start..end].iter().filter_map(|token| token.name().cloned()).collect();
    let span = tokens.get(start).map_or(failure.diagnostic.primary.span, |first| first.span);
    let cut = Token { kind: TokenKind::ErrorStatement(names.into()), span, first: false };
    repaired.splice(start..end, [cut]);
    repaired
}

/// The range of the statement that contains the token at `at`: never empty, brackets in pairs. The
/// block that follows a faulty head stays.
fn statement_around(tokens: &[Token], at: usize) -> (usize, usize) {
    if tokens.is_empty() {
        return (0, 0);
    }
    let brackets = Brackets::new(tokens);
    // The closing bracket of a block is outside it; the fault is in front of it.
    let mut inside = at.min(tokens.len() - 1);
    let mut block = brackets.parent(inside);
    if tokens[inside].is(Mark::RightBrace) && at < tokens.len() {
        block = Some(brackets.partner(inside));
    }
    while let Some(open) = block
        && !is_block(tokens, open)
    {
        inside = open;
        block = brackets.parent(open);
    }
    let first = block.map_or(0, |open| open + 1);
    let last = block.map_or(tokens.len(), |open| brackets.partner(open));
    let mut start = first;
    let mut here = first;
    let mut end = first;
    while here < last {
        let close = brackets.partner(here);
        let opens_block = tokens[here].is(Mark::LeftBrace) && is_block(tokens, here);
        if opens_block && here > inside && end > start {
            // A block after a faulty head.
            break;
        }
        end = close + 1;
        let over = tokens[here].is(Mark::Semicolon)
            || opens_block
            || matches!(tokens[here].kind, TokenKind::ErrorStatement(_));
        if over {
            if here >= inside || close >= inside {
                break;
            }
            if end < last {
                start = end;
            }
        }
        here = end;
    }
    if start < end {
        (start, end)
    } else if last > first {
        (first, last)
    } else {
        // The block is empty, so that the fault is its braces' place.
        match block {
            Some(open) => (open, brackets.partner(open) + 1),
            None => (0, tokens.len()),
        }
    }
}

/// Returns true if the brace at `open` opens a block, and not an initialiser or a structure.
fn is_block(tokens: &[Token], open: usize) -> bool {
    if !tokens[open].is(Mark::LeftBrace) {
        return false;
    }
    let Some(before) = open.checked_sub(1).map(|before| &tokens[before]) else {
        return true;
    };
    match before.kind {
        TokenKind::Mark(
            Mark::RightParen | Mark::Semicolon | Mark::LeftBrace | Mark::RightBrace | Mark::Colon,
        )
        | TokenKind::Word(Word::Else | Word::Do)
        | TokenKind::ErrorStatement(_) => true,
        // A faulty head may still be followed by a block.
        TokenKind::Word(Word::Struct | Word::Union) => false,
        TokenKind::Name(_) | TokenKind::TypeName(_) => {
            let is_tag = open.checked_sub(2).is_some_and(|at| {
                tokens[at].is_word(Word::Struct) || tokens[at].is_word(Word::Union)
            });
            !is_tag && holds_statements(tokens, open)
        }
        _ => holds_statements(tokens, open),
    }
}

/// Returns true if a semicolon precedes the next closing brace.
fn holds_statements(tokens: &[Token], open: usize) -> bool {
    let ends = |token: &&Token| token.is(Mark::Semicolon) || token.is(Mark::RightBrace);
    tokens[open..].iter().find(ends).is_some_and(|end| end.is(Mark::Semicolon))
}

fn failure(error: Error, tokens: &[Token], whole: Span) -> Failure {
    match error {
        ParseError::UnrecognizedToken { token, expected } => {
            mismatch((token.0 as usize).saturating_sub(1), &expected, tokens, whole)
        }
        ParseError::UnrecognizedEof { expected, .. } => {
            mismatch(tokens.len(), &expected, tokens, whole)
        }
        ParseError::ExtraToken { token } => {
            mismatch((token.0 as usize).saturating_sub(1), &[], tokens, whole)
        }
        ParseError::InvalidToken { .. } => mismatch(tokens.len(), &[], tokens, whole),
        ParseError::User { error } => deep(error, tokens),
    }
}

fn deep(fault: Fault, tokens: &[Token]) -> Failure {
    let (code, message): (Code, String) = match fault.kind {
        FaultKind::LongExpression => (
            code::LIMIT_EXPRESSION,
            format!("this expression is a chain of more than {EXPRESSION_DEPTH} operators"),
        ),
        FaultKind::DeepStatement => {
            (code::LIMIT_NESTING, format!("statements are nested more than {STATEMENT_DEPTH} deep"))
        }
        FaultKind::DeepDeclarator => {
            (code::LIMIT_NESTING, format!("this declarator has more than {BRACKET_DEPTH} parts"))
        }
        FaultKind::NameInType => {
            (code::UNEXPECTED, "a type is expected here, without a name".to_owned())
        }
    };
    let at = tokens.iter().position(|token| {
        token.span.file == fault.span.file && token.span.start >= fault.span.start
    });
    Failure {
        at: at.unwrap_or(0),
        diagnostic: Box::new(Diagnostic::error(code, fault.span, message)),
        wants_semicolon: false,
        is_final: fault.kind == FaultKind::DeepStatement,
    }
}

/// A failure with the expected tokens in C's words.
fn mismatch(at: usize, expected: &[String], tokens: &[Token], whole: Span) -> Failure {
    let could = |text: &str| expected.iter().any(|one| one.trim_matches('"') == text);
    let found = tokens.get(at);
    let before = at.checked_sub(1).and_then(|before| tokens.get(before));
    // If a statement can begin here, a semicolon would be an empty one.
    let is_statement = could("if") && could("return");
    let fresh = found
        .is_none_or(|found| found.first || found.is(Mark::RightBrace) || starts_statement(found));
    let wants_semicolon = could(";") && !is_statement && fresh && before.is_some();
    let diagnostic = match (before, found) {
        (Some(before), _) if wants_semicolon => missing_semicolon(before),
        (_, Some(found)) if found.is_word(Word::Else) => {
            Diagnostic::error(code::UNEXPECTED, found.span, "`else` without `if`")
        }
        (Some(before), Some(found)) if could(";") && is_names(before, found) => {
            unknown_type(before, found)
        }
        _ => {
            let (code, what) = expectation(&could);
            let shown = found.map_or("the end".to_owned(), Token::describe);
            let message = match what {
                Some(what) => format!("expected {what}, found {shown}"),
                None => format!("unexpected {shown}"),
            };
            let span = found.map_or_else(|| end_of(before, whole), |found| found.span);
            Diagnostic::error(code, span, message)
        }
    };
    Failure { at, diagnostic: Box::new(diagnostic), wants_semicolon, is_final: false }
}

fn missing_semicolon(before: &Token) -> Diagnostic {
    let message = format!("expected `;` after {}", before.describe());
    Diagnostic::error(code::EXPECTED_SEMICOLON, before.span.after(), message).help("put `;` here")
}

fn is_names(before: &Token, found: &Token) -> bool {
    matches!((&before.kind, &found.kind), (TokenKind::Name(_), TokenKind::Name(_)))
}

/// Two names in a row: the first was meant as a type.
fn unknown_type(before: &Token, found: &Token) -> Diagnostic {
    let message = format!("{} is not the name of a type", before.describe());
    Diagnostic::error(code::UNKNOWN_TYPE, before.span, message)
        .secondary(found.span, "what follows looks like a declaration")
}

fn end_of(before: Option<&Token>, whole: Span) -> Span {
    before.map_or(whole, |before| before.span.after())
}

fn starts_statement(token: &Token) -> bool {
    matches!(
        token.kind,
        TokenKind::Word(
            Word::If
                | Word::While
                | Word::For
                | Word::Do
                | Word::Switch
                | Word::Return
                | Word::Break
                | Word::Continue
                | Word::Case
                | Word::Default
                | Word::Goto
                | Word::Else
        )
    )
}

/// The expectation in the message, by tokens that could be there: the first row whose tokens are
/// all among them.
const EXPECTATIONS: &[(&[&str], Code, &str)] = &[
    (&["if", "return"], code::UNEXPECTED, "a statement"),
    (&["integer", "name", "("], code::EXPECTED_EXPRESSION, "an expression"),
    (&[";", ","], code::UNEXPECTED, "`;` or `,`"),
    (&[")", ","], code::UNEXPECTED, "`,` or `)`"),
    (&["}", ","], code::UNEXPECTED, "`,` or `}`"),
    (&[";"], code::EXPECTED_SEMICOLON, "`;`"),
    (&[">>>"], code::UNEXPECTED, "`,` or `>>>`"),
    (&["type name", "name", "*"], code::BAD_DECLARATOR, "a type or a name"),
    (&["name", "*"], code::BAD_DECLARATOR, "a name"),
    (&["type name"], code::UNKNOWN_TYPE, "a type"),
    (&[")"], code::UNEXPECTED, "`)`"),
    (&["]"], code::UNEXPECTED, "`]`"),
    (&["("], code::UNEXPECTED, "`(`"),
    (&[":"], code::UNEXPECTED, "`:`"),
    (&["{"], code::UNEXPECTED, "`{`"),
    (&["while"], code::UNEXPECTED, "`while`"),
    (&["="], code::UNEXPECTED, "`=`"),
    (&["name"], code::UNEXPECTED, "a name"),
    (&["> "], code::UNEXPECTED, "`>`"),
    (&["< "], code::UNEXPECTED, "`<`"),
];

fn expectation(could: &dyn Fn(&str) -> bool) -> (Code, Option<&'static str>) {
    let row = EXPECTATIONS.iter().find(|(tokens, ..)| tokens.iter().all(|token| could(token)));
    row.map_or((code::UNEXPECTED, None), |(_, code, text)| (*code, Some(*text)))
}

/// Reads a `static_assert` with its semicolon.
pub(super) fn assertion(tokens: &[Token], whole: Span) -> Result<Assertion, Box<Diagnostic>> {
    match run(Start::Body, tokens, whole) {
        Ok(Entry::Body(body)) => match body.into_iter().next().map(|stmt| stmt.kind) {
            Some(StmtKind::Assertion(tree)) => Ok(tree),
            _ => Err(unexpected(0, whole).diagnostic),
        },
        Ok(_) => Err(unexpected(0, whole).diagnostic),
        Err(failure) => Err(failure.diagnostic),
    }
}
