//! Faults that are planted on purpose, so that the tester is itself tested: what finds none of the
//! faults that are known to be there proves nothing by finding none at all.
//!
//! At the place of a planted fault the code calls [`Planted::is_on`]. Without the feature `switch`
//! the answer is a constant, and nothing of the fault is left in the program. With it, one fault at
//! a time can be switched on for the running thread. The interpreter, and the checked tree that it
//! shares with the compiler, never call it: the oracle has no planted faults.

#![deny(clippy::unwrap_used)]

mod list;

pub use list::{FAULTS, Planted};

/// A planted fault.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The fault to switch on.
    pub fault: Planted,
    /// Its name: the name of the variant.
    pub name: &'static str,
    /// The file that it is planted in.
    pub place: &'static str,
    /// The fault, in a sentence.
    pub sentence: &'static str,
    /// The number of generated programs, from seed 0 on, among which one must show it.
    pub within: u64,
}

#[cfg(feature = "switch")]
mod switch {
    use super::Planted;
    use std::cell::Cell;

    thread_local! {
        static ON: Cell<Option<Planted>> = const { Cell::new(None) };
    }

    impl Planted {
        /// Returns true if the fault is switched on in this thread.
        #[inline(always)]
        pub fn is_on(self) -> bool {
            ON.get() == Some(self)
        }

        /// Does something with the fault switched on; also when that panics, it is off afterwards.
        pub fn during<T>(self, work: impl FnOnce() -> T) -> T {
            struct Restore(Option<Planted>);
            impl Drop for Restore {
                fn drop(&mut self) {
                    ON.set(self.0);
                }
            }
            let _restore = Restore(ON.replace(Some(self)));
            work()
        }
    }
}

#[cfg(not(feature = "switch"))]
impl Planted {
    /// No: this program is built without planted faults.
    #[inline(always)]
    pub const fn is_on(self) -> bool {
        false
    }
}
