//! The function whose body is being checked.

use crate::check::state::cleanups::Cleanups;
use crate::check::state::jumps::{Jumps, Labels};
use crate::check::tree::{Init, Local, LocalId, Place, PlaceKind, SharedId, Sides, Type};
use crate::check::types::{CType, QType};
use crate::syntax::body::Piece;
use crate::syntax::source::Span;
use crate::syntax::tree::Name;
use reconverge_ptx::inline::Texts;
use std::collections::{BTreeMap, BTreeSet};

/// The object of a function that belongs to a structure.
#[derive(Clone, Debug)]
pub(crate) struct This {
    /// The parameter that points to it.
    pub pointer: LocalId,
    pub ty: QType,
}

/// The result of a function that is `auto`, as far as its body shows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Deduced {
    /// Nothing has been returned.
    Nothing,
    Type(CType),
    /// A reference to an object of the type.
    Reference(QType),
    /// Values of different types are returned.
    Several(CType, CType),
}

/// The function whose body is being checked.
#[derive(Debug)]
pub(crate) struct Body {
    pub function: usize,
    pub sides: Sides,
    /// `None` when the result's type was reported.
    pub result: Option<CType>,
    pub reference: Option<QType>,
    pub this: Option<This>,
    /// True if its first parameter is the address of the result.
    pub makes: bool,
    /// The name of the variable that it returns by name, if there is one.
    pub named_result: Option<Name>,
    locals: Vec<Local>,
    /// The variables of objects that expressions make.
    made: BTreeSet<LocalId>,
    /// The values of `constexpr` arrays and structures, of which constants may be parts, with their bytes.
    constants: BTreeMap<LocalId, (Init, u64)>,
    /// The number of errors before it: with errors inside, warnings would be guesses.
    pub errors: usize,
    /// The first statement that was left out, for a fault that has to be among the errors.
    pub left_out: Option<Span>,
    /// Loops and switches around the statement being checked.
    pub jumps: Jumps,
    pub labels: Labels,
    /// The objects that will end.
    pub cleanups: Cleanups,
    /// The number of open blocks in front of it.
    pub base: usize,
    /// The tokens of the statements that are being checked.
    pub piece: Piece,
    /// For an `auto` result: the type of the returned value, once it is known.
    pub deduced: Option<Deduced>,
    /// The number of lambdas and structures that it has defined, by their places.
    pub types: BTreeMap<Span, usize>,
    /// The factors of `#pragma unroll` for its loops, by their places; 0 for all iterations.
    pub unrolled: BTreeMap<Span, u32>,
    /// Its `asm` statements so far.
    pub assembly: Statements,
}

/// The `asm` statements of a function, and the variables that they share.
#[derive(Debug, Default)]
pub(crate) struct Statements {
    pub texts: Texts,
    /// The variables of registers, by their numbers in the texts.
    pub registers: Vec<LocalId>,
    /// The shared variables, by their numbers in the texts.
    pub shared: Vec<SharedId>,
    /// The statements' places.
    pub spans: Vec<Span>,
}

impl Body {
    /// A body of which nothing has been checked; `base` blocks are open in front of it.
    pub fn new(function: usize, sides: Sides, errors: usize, base: usize) -> Body {
        Body {
            function,
            sides,
            result: None,
            reference: None,
            this: None,
            makes: false,
            named_result: None,
            locals: Vec::new(),
            made: BTreeSet::new(),
            constants: BTreeMap::new(),
            errors,
            left_out: None,
            jumps: Jumps::default(),
            labels: Labels::default(),
            cleanups: Cleanups::default(),
            base,
            piece: Piece::default(),
            deduced: None,
            types: BTreeMap::new(),
            unrolled: BTreeMap::new(),
            assembly: Statements::default(),
        }
    }

    /// A new variable.
    pub fn add_local(&mut self, name: &str, ty: Type, in_memory: bool, span: Span) -> LocalId {
        self.locals.push(Local { name: name.into(), ty, in_memory, volatile: false, span });
        LocalId(self.locals.len() as u32 - 1)
    }

    /// A new variable for an object that an expression makes.
    pub fn add_made(&mut self, name: String, ty: Type, span: Span) -> LocalId {
        let id = self.add_local(&name, ty, true, span);
        self.made.insert(id);
        id
    }

    /// Returns true if a variable is for an object that an expression makes.
    pub fn is_made(&self, id: LocalId) -> bool {
        self.made.contains(&id)
    }

    /// Records the value of a `constexpr` variable of this size.
    pub fn note_constant(&mut self, id: LocalId, init: Init, bytes: u64) {
        self.constants.insert(id, (init, bytes));
    }

    /// The value of a `constexpr` variable, and its bytes.
    pub fn constant(&self, id: LocalId) -> Option<(&Init, u64)> {
        self.constants.get(&id).map(|(init, bytes)| (init, *bytes))
    }

    pub fn local(&self, id: LocalId) -> Option<&Local> {
        self.locals.get(id.0 as usize)
    }

    /// Gives a variable the type that its initialiser has completed.
    pub fn complete_local(&mut self, id: LocalId, ty: &CType) {
        if let Some(local) = self.locals.get_mut(id.0 as usize) {
            local.ty = ty.lower();
        }
    }

    /// Every access to a variable is made, in memory.
    pub fn make_volatile(&mut self, id: LocalId) {
        if let Some(local) = self.locals.get_mut(id.0 as usize) {
            (local.in_memory, local.volatile) = (true, true);
        }
    }

    /// The variable that a place is a part of has its address taken.
    pub fn keep_in_memory(&mut self, place: &Place) {
        let mut root = place;
        while let PlaceKind::Field(base, _) = &root.kind {
            root = base;
        }
        if let PlaceKind::Local(id) = &root.kind
            && let Some(local) = self.locals.get_mut(id.0 as usize)
        {
            local.in_memory = true;
        }
    }

    /// All variables: the parameters are first.
    pub fn into_locals(self) -> Vec<Local> {
        self.locals
    }
}
