//! Structures that headers of C and CUDA supply; each is made when a program first names it.

use super::Checker;
use super::builtin::Ty;
use super::tree::StructId;
use super::types::CType;

/// A structure with its members in order.
struct Supplied {
    name: &'static str,
    members: &'static [(&'static str, CType)],
}

const STRUCTURES: &[Supplied] = &[
    Supplied { name: "timeval", members: &[("tv_sec", CType::LONG), ("tv_usec", CType::LONG)] },
    Supplied { name: "timespec", members: &[("tv_sec", CType::LONG), ("tv_nsec", CType::LONG)] },
    Supplied {
        name: "timezone",
        members: &[("tz_minuteswest", CType::INT), ("tz_dsttime", CType::INT)],
    },
];

/// The structure to which a parameter of the table points.
pub(super) fn structure_of(ty: Ty) -> Option<&'static str> {
    match ty {
        Ty::Timeval => Some("timeval"),
        Ty::Timespec => Some("timespec"),
        _ => None,
    }
}

impl Checker {
    /// The structure of a header, a vector type among others.
    pub(super) fn supplied_structure(&mut self, name: &str) -> Option<StructId> {
        let Some(found) = STRUCTURES.iter().find(|known| known.name == name) else {
            return self.vector_type(name);
        };
        if let Some(&id) = self.vectors.get(name) {
            return Some(id);
        }
        let id = self.announce_struct(name.to_owned(), false);
        for (member, ty) in found.members {
            let (size, align) = (self.size_of(ty)?, self.align_of(ty));
            self.structure_mut(id).push(member, ty.clone().plain(), size, align);
        }
        self.structure_mut(id).finish();
        self.vectors.insert(name.to_owned(), id);
        Some(id)
    }
}
