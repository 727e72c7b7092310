//! Features that newer releases of CUDA have deprecated, changed or removed.
//!
//! An older program may still be compiled here, independently of `CUDART_VERSION`: use of a feature
//! that the default release has removed is a warning. With `--cuda` it is the error that this
//! release's nvcc gives.

use crate::check::state::Checker;
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::Toolkit;
use crate::syntax::source::Span;

/// Something older.
struct Older {
    name: &'static str,
    /// The first release that warns of it.
    deprecated: Toolkit,
    /// The first release without it.
    removed: Option<Toolkit>,
    instead: &'static str,
}

const fn older(
    name: &'static str,
    deprecated: Toolkit,
    removed: Option<Toolkit>,
    instead: &'static str,
) -> Older {
    Older { name, deprecated, removed, instead }
}

use Toolkit::{Cuda11, Cuda12, Cuda13};

const TEXTURE: &str = "create a texture object with `cudaCreateTextureObject`";
const VOTE: &str =
    "name the lanes that take part: `__any_sync`, `__all_sync` and `__ballot_sync(mask, x)`";
const SHUFFLE: &str = "name the lanes that take part: `__shfl_sync(mask, value, lane)` and its kin";
const ARRAY: &str = "write `cudaMemcpy2DToArray` or `cudaMemcpy2DFromArray`";
const LOCATION: &str =
    "CUDA 13 takes a `cudaMemLocation` there, which is not modelled; compile for `--cuda 12`";

/// By name: functions, and `texture` for the type of references.
const OLDER: &[Older] = &[
    older("__all", Cuda11, Some(Cuda13), VOTE),
    older("__any", Cuda11, Some(Cuda13), VOTE),
    older("__ballot", Cuda11, Some(Cuda13), VOTE),
    older("__shfl", Cuda11, Some(Cuda13), SHUFFLE),
    older("__shfl_down", Cuda11, Some(Cuda13), SHUFFLE),
    older("__shfl_up", Cuda11, Some(Cuda13), SHUFFLE),
    older("__shfl_xor", Cuda11, Some(Cuda13), SHUFFLE),
    older("all", Cuda11, Some(Cuda13), VOTE),
    older("any", Cuda11, Some(Cuda13), VOTE),
    older("cudaBindTexture", Cuda11, Some(Cuda12), TEXTURE),
    older("cudaBindTexture2D", Cuda11, Some(Cuda12), TEXTURE),
    older("cudaBindTextureToArray", Cuda11, Some(Cuda12), TEXTURE),
    older("cudaDeviceSetSharedMemConfig", Cuda12, None, "leave it out: it has no effect"),
    older("cudaFuncSetSharedMemConfig", Cuda12, None, "leave it out: it has no effect"),
    older("cudaGetTextureAlignmentOffset", Cuda11, Some(Cuda12), TEXTURE),
    older("cudaMemAdvise", Cuda13, Some(Cuda13), LOCATION),
    older("cudaMemPrefetchAsync", Cuda13, Some(Cuda13), LOCATION),
    older("cudaMemcpyFromArray", Cuda11, None, ARRAY),
    older("cudaMemcpyToArray", Cuda11, None, ARRAY),
    older("cudaThreadExit", Cuda11, Some(Cuda13), "write `cudaDeviceReset`"),
    older("cudaThreadGetLimit", Cuda11, Some(Cuda13), "write `cudaDeviceGetLimit`"),
    older("cudaThreadSetCacheConfig", Cuda11, Some(Cuda13), "write `cudaDeviceSetCacheConfig`"),
    older("cudaThreadSetLimit", Cuda11, Some(Cuda13), "write `cudaDeviceSetLimit`"),
    older("cudaThreadSynchronize", Cuda11, Some(Cuda13), "write `cudaDeviceSynchronize`"),
    older("cudaUnbindTexture", Cuda11, Some(Cuda12), TEXTURE),
    older("texture", Cuda11, Some(Cuda12), TEXTURE),
];

/// Members of `cudaDeviceProp` that CUDA 13 does not have.
const PROPERTIES: &[&str] =
    &["clockRate", "computeMode", "deviceOverlap", "kernelExecTimeoutEnabled", "memoryClockRate"];

impl Checker {
    /// Reports the use of something that the release has deprecated or removed, if it is CUDA's and not the program's.
    pub(crate) fn check_release(&mut self, name: &str, place: Span) -> Option<()> {
        let Ok(at) = OLDER.binary_search_by_key(&name, |known| known.name) else {
            return Some(());
        };
        let found = &OLDER[at];
        let what =
            if name == "texture" { "a texture reference".to_owned() } else { format!("`{name}`") };
        self.judge_release(&what, found, place)
    }

    /// Checks a member of `cudaDeviceProp`.
    pub(crate) fn check_property(&mut self, name: &str, place: Span) -> Option<()> {
        if PROPERTIES.binary_search(&name).is_err() {
            return Some(());
        }
        let instead = "ask `cudaDeviceGetAttribute` for it";
        let found = older("", Cuda13, Some(Cuda13), instead);
        self.judge_release(&format!("the member `{name}` of `cudaDeviceProp`"), &found, place)
    }

    fn judge_release(&mut self, what: &str, found: &Older, place: Span) -> Option<()> {
        let target = self.options.target;
        let toolkit = target.toolkit;
        if toolkit < found.deprecated || self.program.is_supplied(place.file) {
            return Some(());
        }
        let is_gone = found.removed.is_some_and(|removed| toolkit >= removed);
        let (number, instead) = (toolkit.number(), found.instead);
        if is_gone && target.is_chosen {
            let message = format!("{what} is not in CUDA {number}");
            return self.fail(Diagnostic::error(code::REMOVED, place, message).help(instead));
        }
        let message = match found.removed {
            Some(removed) if is_gone => {
                format!("{what} is older than CUDA {}, which has removed it", removed.number())
            }
            Some(removed) => {
                format!("{what} is deprecated, and removed in CUDA {}", removed.number())
            }
            None => format!("{what} is deprecated"),
        };
        self.report(Diagnostic::warning(code::DEPRECATED, place, message).help(instead));
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted() {
        assert!(OLDER.is_sorted_by_key(|known| known.name) && PROPERTIES.is_sorted());
        assert!(
            OLDER.iter().all(|known| known.removed.is_none_or(|gone| gone >= known.deprecated))
        );
    }
}
