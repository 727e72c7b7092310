//! Passes of other crates, which `-O2` runs.

use super::{Level, PASSES, Pass, Stage};
use std::sync::{PoisonError, RwLock};

/// The place of an added pass among those of `-O2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Right after the first run of a pass.
    After(&'static str),
    /// Right after the last run of a pass.
    AfterLast(&'static str),
}

impl Place {
    /// The index at which the pass is inserted.
    fn index(self, passes: &[&str]) -> Option<usize> {
        let at = match self {
            Place::After(name) => passes.iter().position(|pass| *pass == name),
            Place::AfterLast(name) => passes.iter().rposition(|pass| *pass == name),
        };
        at.map(|at| at + 1)
    }

    fn name(self) -> &'static str {
        let (Place::After(name) | Place::AfterLast(name)) = self;
        name
    }
}

/// A pass of an extension.
#[derive(Clone, Copy)]
struct Added {
    extension: &'static str,
    pass: &'static Pass,
    place: Place,
}

static ADDED: RwLock<Vec<Added>> = RwLock::new(Vec::new());

/// The place behind every pass over the intermediate representation.
pub fn last_over_ir() -> Place {
    let names: Vec<_> = Level::Full.pipeline().collect();
    let is_ir = |name: &&&str| super::find(name).is_some_and(|pass| pass.stage() == Stage::Ir);
    Place::AfterLast(names.iter().rev().find(is_ir).copied().unwrap_or_default())
}

/// Every pass: those of this crate, then those that were added.
pub fn passes() -> Vec<&'static Pass> {
    let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
    PASSES.iter().chain(added.iter().map(|it| it.pass)).collect()
}

/// The added pass of a name.
pub(super) fn find(name: &str) -> Option<&'static Pass> {
    let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
    added.iter().map(|it| it.pass).find(|pass| pass.name == name)
}

/// The extension of an added pass.
pub(super) fn extension_of(pass: &str) -> &'static str {
    let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
    added.iter().find(|it| it.pass.name == pass).map_or("", |it| it.extension)
}

/// Adds passes of an extension to `-O2`, where `--disable-pass`, `--print-after` and `list passes` know them.
///
/// # Errors
/// See [`check`]; none is added then.
pub fn add(extension: &'static str, passes: Vec<(Pass, Place)>) -> Result<(), String> {
    check(&passes)?;
    let leaked = passes.into_iter().map(|(pass, place)| Added {
        extension,
        pass: Box::leak(Box::new(pass)),
        place,
    });
    ADDED.write().unwrap_or_else(PoisonError::into_inner).extend(leaked);
    Ok(())
}

/// Checks passes that are to be added.
///
/// # Errors
/// There is a pass of a name; `-O2` runs no pass of the name that a place states; or a pass would run among those of
/// another stage.
pub fn check(added: &[(Pass, Place)]) -> Result<(), String> {
    let pipeline: Vec<_> = Level::Full.pipeline().collect();
    for (at, (pass, place)) in added.iter().enumerate() {
        let (name, other) = (pass.name, place.name());
        let is_taken =
            super::find(name).is_some() || added[..at].iter().any(|it| it.0.name == name);
        if is_taken {
            return Err(format!("a pass `{name}` exists"));
        }
        let before = super::find(other).filter(|_| place.index(&pipeline).is_some());
        let Some(before) = before else {
            return Err(format!("`-O2` runs no pass `{other}`, after which `{name}` is to run"));
        };
        if before.stage() != pass.stage() || pass.stage() == Stage::Selection {
            let [own, its] = [pass.stage(), before.stage()].map(Stage::name);
            return Err(format!("`{name}` works on {own}, and `{other}` on {its}"));
        }
    }
    Ok(())
}

/// Inserts the added passes into those of `-O2`.
pub(super) fn insert(pipeline: &mut Vec<&'static str>) {
    for Added { pass, place, .. } in ADDED.read().unwrap_or_else(PoisonError::into_inner).iter() {
        if let Some(at) = place.index(pipeline) {
            pipeline.insert(at, pass.name);
        }
    }
}
