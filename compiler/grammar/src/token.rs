//! Tokens as the grammar sees them.

use crate::span::Span;
use std::sync::Arc;

/// An identifier's text.
pub type Name = Arc<str>;

/// A token with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Token {
    /// Its kind.
    pub kind: TokenKind,
    /// The place; for tokens out of a macro's text, the place at which the macro is used.
    pub span: Span,
    /// True if it is the first of its line.
    pub first: bool,
}

impl Token {
    /// Returns true if the token is the mark `mark`.
    pub fn is(&self, mark: Mark) -> bool {
        self.kind == TokenKind::Mark(mark)
    }

    /// Returns true if the token is the word `word`.
    pub fn is_word(&self, word: Word) -> bool {
        self.kind == TokenKind::Word(word)
    }

    /// Returns true if a fault was reported at this token: it stands for the faulty text, or is a
    /// missing closing bracket.
    pub fn is_repair(&self) -> bool {
        match self.kind {
            TokenKind::ErrorExpression | TokenKind::ErrorStatement(_) => true,
            TokenKind::Mark(Mark::RightParen | Mark::RightBracket | Mark::RightBrace) => {
                self.span.start == self.span.end
            }
            _ => false,
        }
    }

    /// The text of an identifier, type name or not.
    pub fn name(&self) -> Option<&Name> {
        match &self.kind {
            TokenKind::Name(name)
            | TokenKind::TypeName(name)
            | TokenKind::CastName(name)
            | TokenKind::TemplateType(name)
            | TokenKind::TemplateCast(name)
            | TokenKind::TemplateScope(name)
            | TokenKind::TemplateName(name) => Some(name),
            _ => None,
        }
    }

    /// The token as a message shows it.
    pub fn describe(&self) -> String {
        match &self.kind {
            TokenKind::Name(name)
            | TokenKind::TypeName(name)
            | TokenKind::CastName(name)
            | TokenKind::TemplateType(name)
            | TokenKind::TemplateCast(name)
            | TokenKind::TemplateScope(name)
            | TokenKind::TemplateName(name) => format!("`{name}`"),
            TokenKind::Members(_) => "the members".to_owned(),
            TokenKind::Lambda(_) => "a lambda".to_owned(),
            TokenKind::Int { .. } | TokenKind::Float { .. } => "a number".to_owned(),
            TokenKind::Char(_) => "a character".to_owned(),
            TokenKind::String(_) => "a string".to_owned(),
            TokenKind::Specifier(word)
            | TokenKind::TypeWord(word)
            | TokenKind::CastWord(word)
            | TokenKind::Word(word) => format!("`{}`", word.text()),
            TokenKind::Mark(mark) => format!("`{}`", mark.text().trim_end()),
            TokenKind::Start(_)
            | TokenKind::ErrorExpression
            | TokenKind::ErrorStatement(_)
            | TokenKind::Unreadable(..) => "something unsupported".to_owned(),
        }
    }
}

/// The integer types of a suffix.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IntSuffix {
    /// `u`.
    pub unsigned: bool,
    /// The number of `l`: 0, 1 or 2.
    pub longs: u8,
    /// True if the literal is decimal: a decimal one without `u` never becomes unsigned.
    pub decimal: bool,
}

/// The members of a structure: one token, so that the grammar need not read them.
#[derive(Clone, Debug)]
pub struct Members(pub Arc<Vec<crate::tree::Item>>);

impl PartialEq for Members {
    fn eq(&self, other: &Members) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// A lambda: one token, so that the grammar need not read its parts.
#[derive(Clone, Debug)]
pub struct LambdaTree(pub Arc<crate::tree::Lambda>);

impl PartialEq for LambdaTree {
    fn eq(&self, other: &LambdaTree) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// The meaning of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// A variable, a function or a constant.
    Other,
    /// A type.
    Type,
    /// A class template, or a template of other names of types.
    TypeTemplate,
    /// A function template.
    FunctionTemplate,
}

/// The kinds of token.
#[derive(Clone, Debug, PartialEq)]
pub enum TokenKind {
    /// An identifier that is not a type.
    Name(Name),
    /// An identifier that names a type at this place.
    TypeName(Name),
    /// A type name in front of the `(` of a functional cast, as in `dim3(4, 4)`.
    CastName(Name),
    /// An integer literal.
    Int {
        /// Its value.
        value: u64,
        /// Its suffix.
        suffix: IntSuffix,
    },
    /// A floating literal, rounded to `float` already when it is one.
    Float {
        /// Its value.
        value: f64,
        /// True if it is a `float`.
        single: bool,
    },
    /// A character literal.
    Char(i8),
    /// A string literal, adjacent ones joined, without the closing zero.
    String(Arc<[u8]>),
    /// A word that qualifies a declaration without naming a type.
    Specifier(Word),
    /// A word of a built-in type's name.
    TypeWord(Word),
    /// A word of a type in front of the `(` of a functional cast, as in `float(x)`.
    CastWord(Word),
    /// Any other word of the language.
    Word(Word),
    /// An operator or a bracket.
    Mark(Mark),
    /// The name of a class template in front of the arguments that make it a type.
    TemplateType(Name),
    /// The name of a class template in front of its arguments and the `(` of a functional cast.
    TemplateCast(Name),
    /// The name of a class template in front of its arguments and the `::` of a member that is no type.
    TemplateScope(Name),
    /// The name of a function template in front of its arguments.
    TemplateName(Name),
    /// The members of a structure, read already.
    Members(Members),
    /// A lambda, read already.
    Lambda(LambdaTree),
    /// In place of an expression that was reported already.
    ErrorExpression,
    /// In place of a statement that was reported already, with the names in it: they may be
    /// declared by it, so that nothing can be said of their later uses.
    ErrorStatement(Arc<[Name]>),
    /// In place of a declaration outside functions and structures that was reported already: the
    /// name that it declares, and the meaning of that name.
    Unreadable(Name, Meaning),
    /// The text that the grammar reads; precedes the first token.
    Start(Start),
}

impl TokenKind {
    /// Returns true if a `{` after it may open a block of statements.
    pub fn may_precede_block(&self) -> bool {
        match self {
            TokenKind::ErrorStatement(_) => true,
            TokenKind::Mark(mark) => matches!(
                mark,
                Mark::RightParen
                    | Mark::Semicolon
                    | Mark::LeftBrace
                    | Mark::RightBrace
                    | Mark::Colon
            ),
            TokenKind::Word(word) => matches!(word, Word::Else | Word::Do),
            _ => false,
        }
    }
}

/// The text that the grammar reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// A declaration, through its semicolon.
    Declaration,
    /// The part in front of a function's body.
    Header,
    /// The text between the braces of a function's body.
    Body,
    /// One expression.
    Expression,
    /// The parameters of a template, between the angle brackets.
    Parameters,
    /// The text between the `:` and the body of a constructor.
    Initialisers,
}

macro_rules! spelled {
    ($(#[$meta:meta])* $name:ident { $($variant:ident $text:literal)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $(#[doc = concat!("`", $text, "`")] $variant,)* }

        impl $name {
            /// All of them.
            pub const ALL: &[$name] = &[$($name::$variant,)*];

            /// The spelling.
            pub fn text(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }

            /// The one written `text`.
            pub fn find(text: &str) -> Option<$name> {
                match text { $($text => Some($name::$variant),)* _ => None }
            }
        }
    };
}

spelled! {
    /// Operators and brackets.
    Mark {
        LeftParen "(" RightParen ")" LeftBracket "[" RightBracket "]" LeftBrace "{" RightBrace "}"
        Semicolon ";" Comma "," Dot "." Arrow "->" Ellipsis "..." Question "?" Colon ":"
        Scope "::" Plus "+" Minus "-" Star "*" Slash "/" Percent "%" And "&" Or "|" Caret "^"
        Tilde "~" Not "!" AndAnd "&&" OrOr "||" PlusPlus "++" MinusMinus "--" ShiftLeft "<<"
        ShiftRight ">>" Less "<" Greater ">" LessEqual "<=" GreaterEqual ">=" Equal "=="
        NotEqual "!=" Assign "=" PlusAssign "+=" MinusAssign "-=" StarAssign "*="
        SlashAssign "/=" PercentAssign "%=" AndAssign "&=" OrAssign "|=" CaretAssign "^="
        ShiftLeftAssign "<<=" ShiftRightAssign ">>=" LaunchOpen "<<<" LaunchClose ">>>"
        Hash "#" HashHash "##"
        // Made by the tagger: the brackets around template arguments.
        AngleOpen "< " AngleClose "> "
        // In front of the range of a range-based `for`.
        In ": "
    }
}

spelled! {
    /// The words of the language.
    Word {
        // Types.
        Void "void" Bool "bool" Char "char" Short "short" Int "int" Long "long" Float "float"
        Double "double" Signed "signed" Unsigned "unsigned" DecltypeAuto "decltype(auto)"
        Auto "auto"
        // Other parts of declarations.
        Const "const" Volatile "volatile" Restrict "__restrict__" Static "static"
        Extern "extern" Inline "inline" Register "register" Typedef "typedef"
        Constexpr "constexpr" Global "__global__" Device "__device__" Host "__host__"
        Shared "__shared__" Constant "__constant__" Managed "__managed__"
        Explicit "explicit" ForceInline "__forceinline__" MaybeUnused "[[maybe_unused]]" NoInline "__noinline__" LaunchBounds "__launch_bounds__"
        Attribute "__attribute__" Align "__align__" Alignas "alignas" Packed "[[packed]]" Pack "[[pack]]" Using "using"
        Struct "struct" Union "union" Enum "enum"
        // Statements.
        Unroll "#pragma unroll" If "if" Else "else" While "while" Do "do" For "for" Switch "switch" Case "case"
        Default "default" Break "break" Continue "continue" Return "return" Goto "goto"
        // Expressions.
        Sizeof "sizeof" Alignof "alignof" IsClass "__is_class" IsUnion "__is_union"
        IsTriviallyCopyable "__is_trivially_copyable" IsTriviallyConstructible "__is_trivially_constructible"
         Typeof "typeof" True "true" False "false" Nullptr "nullptr" StaticCast "static_cast"
        ReinterpretCast "reinterpret_cast" ConstCast "const_cast"
        // In front of the `[` of a lambda, and in place of the `->` in front of its result.
        Lambda "[lambda]" LambdaResult "[->]"
        // Recognised to be refused.
        Template "template" Class "class" Namespace "namespace" Asm "asm" New "new"
        Delete "delete" Throw "throw" Try "try" Catch "catch" Operator "operator"
        Public "public" Private "private" Protected "protected" Friend "friend"
        Virtual "virtual" This "this" Typename "typename" DynamicCast "dynamic_cast"
        StaticAssert "static_assert" IfConstexpr "if constexpr" Decltype "decltype" Wchar "wchar_t" Mutable "mutable"
        Typeid "typeid" Noexcept "noexcept"
    }
}

impl Word {
    /// The word written `text`, whichever of its spellings that is.
    pub fn read(text: &str) -> Option<Word> {
        Some(match text {
            "_Bool" => Word::Bool,
            "__restrict" | "restrict" => Word::Restrict,
            "__inline__" | "__inline" => Word::Inline,
            "__forceinline" => Word::ForceInline,
            "__asm__" | "__asm" => Word::Asm,
            "__volatile__" => Word::Volatile,
            "__signed__" => Word::Signed,
            "__attribute" => Word::Attribute,
            "__alignof__" | "__alignof" | "_Alignof" => Word::Alignof,
            "__typeof__" | "__typeof" => Word::Typeof,
            "__decltype" => Word::Decltype,
            _ => return Word::find(text),
        })
    }

    /// The token of this word.
    pub fn token(self) -> TokenKind {
        if self <= Word::Auto {
            TokenKind::TypeWord(self)
        } else if self <= Word::NoInline {
            TokenKind::Specifier(self)
        } else {
            TokenKind::Word(self)
        }
    }
}
