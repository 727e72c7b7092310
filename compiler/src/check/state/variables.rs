//! The variables of static storage: those of the host, and where those of the device lie.

use crate::check::state::structs::SIZE_LIMIT;
use crate::check::tree::{Global, GlobalId, GlobalSpace, Init, Place, Shared, SharedId};
use crate::check::types::CType;
use crate::syntax::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Bytes of constant memory.
const CONSTANT_BYTES: u64 = 64 << 10;

/// The checker's data about a global variable beyond the checked tree.
#[derive(Debug, Default)]
pub(crate) struct GlobalInfo {
    pub defined: bool,
    pub first_use: Option<Span>,
    /// True if its offset is known.
    pub placed: bool,
}

/// A memory of the device that has not enough room.
pub(crate) struct NoRoom {
    /// The number of bytes that all variables of the memory would take.
    pub total: u64,
    /// The number of bytes of the memory.
    pub limit: u64,
}

/// An object of the host's static storage that has a destructor.
#[derive(Clone, Debug)]
pub(crate) struct EndingObject {
    pub id: GlobalId,
    pub ty: CType,
    /// For a variable of a function: holds as the how manieth object it was made, 0 if it was not.
    pub rank: Option<Place>,
}

/// The variables of static storage.
#[derive(Debug, Default)]
pub(crate) struct Variables {
    globals: Vec<Global>,
    /// The variables of objects that initialisers make.
    made: BTreeSet<GlobalId>,
    /// The `constexpr` arrays and structures, of which constants may be parts, with their bytes.
    constants: BTreeMap<GlobalId, u64>,
    /// Further data about each of them.
    infos: Vec<GlobalInfo>,
    shared: Vec<Shared>,
    /// The host's variables with destructors, in the order of their declarations.
    exits: Vec<EndingObject>,
    /// The variable that counts the objects whose order is known only at run time.
    count_of_objects: Option<Place>,
    /// Bytes of `__device__` and of `__constant__` variables.
    device_end: u64,
    constant_end: u64,
}

impl Variables {
    /// The number of a new variable.
    pub fn add(&mut self, global: Global, info: GlobalInfo) -> GlobalId {
        self.globals.push(global);
        self.infos.push(info);
        GlobalId(self.globals.len() as u32 - 1)
    }

    /// A new variable for an object that an initialiser makes.
    pub fn add_made(&mut self, global: Global) -> GlobalId {
        let id = self.add(global, GlobalInfo { defined: true, first_use: None, placed: true });
        self.made.insert(id);
        id
    }

    /// Returns true if a variable is for an object that an initialiser makes.
    pub fn is_made(&self, id: GlobalId) -> bool {
        self.made.contains(&id)
    }

    /// Records that a variable of this size is `constexpr`.
    pub fn note_constant(&mut self, id: GlobalId, bytes: u64) {
        self.constants.insert(id, bytes);
    }

    /// The value of a `constexpr` variable, and its bytes.
    pub fn constant(&self, id: GlobalId) -> Option<(&Init, u64)> {
        Some((&self.get(id)?.init, *self.constants.get(&id)?))
    }

    pub fn get(&self, id: GlobalId) -> Option<&Global> {
        self.globals.get(id.0 as usize)
    }

    pub fn get_mut(&mut self, id: GlobalId) -> Option<&mut Global> {
        self.globals.get_mut(id.0 as usize)
    }

    pub fn info(&self, id: GlobalId) -> Option<&GlobalInfo> {
        self.infos.get(id.0 as usize)
    }

    pub fn info_mut(&mut self, id: GlobalId) -> Option<&mut GlobalInfo> {
        self.infos.get_mut(id.0 as usize)
    }

    /// All variables, each with its other data.
    pub fn iter(&self) -> impl Iterator<Item = (&Global, &GlobalInfo)> {
        self.globals.iter().zip(&self.infos)
    }

    /// The number of a new `__shared__` variable.
    pub fn add_shared(&mut self, shared: Shared) -> SharedId {
        self.shared.push(shared);
        SharedId(self.shared.len() as u32 - 1)
    }

    pub fn shared(&self, id: SharedId) -> Option<&Shared> {
        self.shared.get(id.0 as usize)
    }

    /// The variables of the checked tree.
    pub fn finish(self) -> (Vec<Global>, Vec<Shared>) {
        (self.globals, self.shared)
    }

    /// The position of a variable of this size in its memory, after those that have a place.
    pub fn place(&mut self, space: GlobalSpace, size: u64) -> Result<u32, NoRoom> {
        let (end, limit) = match space {
            GlobalSpace::Host => return Ok(0),
            GlobalSpace::Device => (&mut self.device_end, SIZE_LIMIT),
            GlobalSpace::Constant => (&mut self.constant_end, CONSTANT_BYTES),
        };
        let offset = end.next_multiple_of(16);
        let total = offset + size;
        if total > limit {
            return Err(NoRoom { total, limit });
        }
        *end = total;
        Ok(offset as u32)
    }

    /// Remembers a variable of the host that ends with the program.
    pub fn end_with_program(&mut self, id: GlobalId, ty: CType, rank: Option<Place>) {
        self.exits.push(EndingObject { id, ty, rank });
    }

    /// The variable that counts the objects whose order is known only at run time.
    pub fn count_of_objects(&self) -> Option<&Place> {
        self.count_of_objects.as_ref()
    }

    /// Sets the variable that counts the objects whose order is known only at run time.
    pub fn set_count_of_objects(&mut self, count: Place) {
        self.count_of_objects = Some(count);
    }

    /// The host's variables with destructors, in the order of their declarations.
    pub fn exits(&self) -> &[EndingObject] {
        &self.exits
    }
}
