//! Address spaces: if an address is certainly made from a pointer into one window, its accesses
//! name the window, and the machine need not examine each lane's address.
//!
//! C lets arithmetic on a pointer stay only inside the object it points into, so a sum belongs
//! to the window of its one operand that is known to be a pointer. Pointers that are loaded from
//! memory stay unproved. A null pointer belongs to every window: the access traps anyway.

use crate::analysis::sparse;
use crate::ir::{Function, Kind, Value};
use reconverge_isa::planted::Planted;
use reconverge_isa::{Op, Space};

/// The origin of a value as an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    /// Not examined yet, or null: agrees with everything.
    Any,
    /// A pointer into a window.
    Window(Space),
    /// Not a pointer, or one into an unknown window.
    Unknown,
}

impl Origin {
    fn meet(self, other: Origin) -> Origin {
        match (self, other) {
            (Origin::Any, origin) | (origin, Origin::Any) => origin,
            (one, other) if one == other => one,
            (one, _) if Planted::FirstWindow.is_on() => one,
            _ => Origin::Unknown,
        }
    }
}

/// Runs the pass.
pub fn run(function: &mut Function) -> bool {
    let origins = solve(function);
    let mut changed = false;
    for index in 0..function.values.len() {
        let kind = match &mut function.values[index].kind {
            Kind::Guarded(guarded) => &mut guarded.access,
            kind => kind,
        };
        let (space, address, writes) = match kind {
            Kind::Load(access, address) => (&mut access.space, *address, false),
            Kind::Store(access, address, _) => (&mut access.space, *address, true),
            Kind::Atomic(_, space, operands) => (space, operands[0], true),
            _ => continue,
        };
        // No instruction writes to constant memory: the generic one traps.
        let proved = |window| !(writes && window == Space::Constant);
        match (*space, origins[address.index()]) {
            (Space::Generic, Origin::Window(window)) if proved(window) => {
                *space = window;
                changed = true;
            }
            _ => {}
        }
    }
    changed
}

/// Each value's origin. A value goes down from `Any` at most twice, so the work is linear.
fn solve(function: &Function) -> Vec<Origin> {
    // New facts about an operand may make a sum a pointer again: only facts that go down have an
    // end.
    sparse::solve(function, Origin::Any, |origins, value| {
        origin(function, origins, value).meet(origins[value.index()])
    })
}

fn origin(function: &Function, origins: &[Origin], value: Value) -> Origin {
    let of = |value: Value| origins[value.index()];
    match function.kind(value) {
        Kind::Constant(0) => Origin::Any,
        Kind::Address(space, _) => Origin::Window(*space),
        Kind::Slot(_) => Origin::Window(Space::Local),
        Kind::Parameter { global: true, .. } => Origin::Window(Space::Global),
        Kind::Phi(incoming) => {
            let mut origins = incoming.iter().map(|&(_, operand)| of(operand));
            let first = origins.next().unwrap_or(Origin::Unknown);
            origins.fold(first, Origin::meet)
        }
        Kind::Compute(Op::Select, operands) => of(operands[1]).meet(of(operands[2])),
        Kind::Compute(Op::Mov, operands) => of(operands[0]),
        Kind::Compute(Op::Add, operands) => match (of(operands[0]), of(operands[1])) {
            (Origin::Window(_), Origin::Window(_)) => Origin::Unknown,
            (window @ Origin::Window(_), _) | (_, window @ Origin::Window(_)) => window,
            (Origin::Any, Origin::Any) => Origin::Any,
            _ => Origin::Unknown,
        },
        Kind::Compute(Op::Sub, operands) => match (of(operands[0]), of(operands[1])) {
            (_, Origin::Window(_)) => Origin::Unknown,
            (origin, _) => origin,
        },
        _ => Origin::Unknown,
    }
}
