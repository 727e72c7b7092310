//! The structures and unions of a program.

use crate::check::state::scopes::Context;
use crate::check::state::templates::Argument;
use crate::check::tree::StructId;
use crate::check::types::QType;
use crate::syntax::source::Span;
use crate::syntax::tree as ast;
use crate::syntax::tree::Name;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Index, IndexMut};
use std::sync::Arc;

/// Objects are smaller than this.
pub(crate) const SIZE_LIMIT: u64 = 1 << 30;

/// A structure or union.
#[derive(Debug)]
pub(crate) struct StructInfo {
    pub name: String,
    pub fields: Vec<FieldInfo>,
    pub size: u64,
    pub align: u64,
    pub is_union: bool,
    /// True if its members are known.
    pub complete: bool,
    /// True if a fault of its members was reported, so that a missing one is not.
    pub faulty: bool,
    /// True if the contents of its objects, or their construction or destruction, are unknown,
    /// because a fault was reported: it is poisoned.
    pub broken: bool,
    /// True if another compiler may find no fault in it.
    pub unsure: bool,
    /// The first bit at which the next member may begin.
    pub end_bits: u64,
    /// True if an object needs work at its end.
    pub destroyed: bool,
    /// The depth to which structures contain each other in it.
    pub depth: u32,
    pub span: Option<Span>,
    /// The prefix of its members' names: its own name with those around it.
    pub path: Name,
    /// The name of its constructors.
    pub tag: Option<Name>,
    /// The scope in which names in initialisers of members are looked up.
    pub context: Context,
    /// The class template that it was made of, with the arguments.
    pub made_of: Option<(usize, Vec<Argument>)>,
    /// True if it has constructors.
    pub constructed: bool,
    /// True if its members start with more than zeroes.
    pub starts: bool,
}

/// A member; one without a name is a structure whose members count as the outer one's.
#[derive(Clone, Debug)]
pub(crate) struct FieldInfo {
    pub name: String,
    pub ty: QType,
    /// Bytes from the start of the structure; of a bit-field, those of the bytes that it is in.
    pub offset: u64,
    /// For a bit-field: where in these bytes.
    pub bits: Option<Bits>,
    /// Its initial value, unless a constructor sets it.
    pub default: Option<Arc<ast::Initializer>>,
}

impl StructInfo {
    /// A structure about which nothing but its name is known.
    pub fn announced(name: String, path: Name, is_union: bool) -> StructInfo {
        StructInfo {
            name,
            fields: Vec::new(),
            size: 0,
            align: 1,
            is_union,
            complete: false,
            faulty: false,
            broken: false,
            unsure: false,
            end_bits: 0,
            destroyed: false,
            depth: 0,
            span: None,
            path,
            tag: None,
            context: Context::default(),
            made_of: None,
            constructed: false,
            starts: false,
        }
    }
}

/// The layout statements of a structure or a member.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Placing {
    /// The requested alignment, in bytes.
    pub align: Option<u64>,
    /// True if the alignment of types does not count.
    pub packed: bool,
    /// The largest alignment of a member, in bytes: `#pragma pack`.
    pub most: Option<u64>,
}

impl Placing {
    /// Both together.
    pub fn and(self, other: Placing) -> Placing {
        Placing {
            align: self.align.max(other.align),
            packed: self.packed || other.packed,
            most: self.most.or(other.most),
        }
    }

    /// The alignment of a member whose type has `natural`.
    pub fn align_of(self, natural: u64) -> u64 {
        let own = if self.packed { 1 } else { natural };
        let align = own.max(self.align.unwrap_or(1));
        self.most.map_or(align, |most| align.min(most))
    }
}

/// The bits of a bit-field in the bytes that are read and written with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bits {
    /// The number of bytes: 1, 2, 4 or 8 where they can be accessed as one integer.
    pub bytes: u64,
    /// The lowest bit in them, counted from the lowest of the first byte.
    pub shift: u32,
    /// The number of bits.
    pub width: u32,
}

/// All structures and unions, by their numbers.
#[derive(Debug, Default)]
pub(crate) struct Structs {
    all: Vec<StructInfo>,
    /// The vector types that have been used, by name.
    vectors: BTreeMap<String, StructId>,
    /// The structures of which host code has taken the size.
    sized: BTreeSet<usize>,
}

impl Structs {
    /// The number of a new structure.
    pub fn add(&mut self, info: StructInfo) -> StructId {
        self.all.push(info);
        StructId(self.all.len() as u32 - 1)
    }

    /// The number of structures.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// All of them, in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = &StructInfo> {
        self.all.iter()
    }

    /// The numbers of all of them.
    pub fn ids(&self) -> impl Iterator<Item = StructId> + use<> {
        (0..self.all.len() as u32).map(StructId)
    }

    /// The structure of a vector type that has been used.
    pub fn vector(&self, name: &str) -> Option<StructId> {
        self.vectors.get(name).copied()
    }

    /// Gives a vector type its structure.
    pub fn add_vector(&mut self, name: &str, id: StructId) {
        self.vectors.insert(name.to_owned(), id);
    }

    /// Remembers that host code has taken the size of a structure.
    pub fn note_size(&mut self, id: StructId) {
        self.sized.insert(id.0 as usize);
    }

    /// The structures of which host code has taken the size.
    pub fn sized(&self) -> &BTreeSet<usize> {
        &self.sized
    }
}

impl Index<StructId> for Structs {
    type Output = StructInfo;

    fn index(&self, id: StructId) -> &StructInfo {
        &self.all[id.0 as usize]
    }
}

impl IndexMut<StructId> for Structs {
    fn index_mut(&mut self, id: StructId) -> &mut StructInfo {
        &mut self.all[id.0 as usize]
    }
}
