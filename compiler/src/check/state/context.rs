//! The permissions for the expression or type being checked, by its place.

use crate::check::tree::StructId;

/// The permissions of a place.
#[derive(Debug, Default)]
pub(crate) struct Allowed {
    /// True if types of functions may be named here, as they may by typedefs and parameters of
    /// templates.
    function_types: bool,
    /// True if the expression being checked will not be run: the operand of `sizeof`.
    unevaluated: bool,
    /// True if the expression being checked is the initialiser of a variable of the device.
    fills_device: bool,
    /// The structure of whose members an initialiser is being checked, if there is no object of it.
    initialised: Option<StructId>,
}

impl Allowed {
    /// Returns true if types of functions may be named here.
    pub fn function_types(&self) -> bool {
        self.function_types
    }

    /// Allows types of functions, or not; whether they were.
    pub fn set_function_types(&mut self, allowed: bool) -> bool {
        std::mem::replace(&mut self.function_types, allowed)
    }

    /// The structure of whose members an initialiser is being checked, without an object of it.
    pub fn initialised(&self) -> Option<StructId> {
        self.initialised
    }

    /// Sets the structure whose members the next expressions initialise, without an object of it.
    /// Returns the previous one.
    pub fn set_initialised(&mut self, owner: Option<StructId>) -> Option<StructId> {
        std::mem::replace(&mut self.initialised, owner)
    }

    /// Returns true if the expression being checked will not be run.
    pub fn is_unevaluated(&self) -> bool {
        self.unevaluated
    }

    /// Sets if the next expressions are not evaluated. Returns the previous state.
    pub fn set_unevaluated(&mut self, unevaluated: bool) -> bool {
        std::mem::replace(&mut self.unevaluated, unevaluated)
    }

    /// Returns true if the expression being checked is the initialiser of a variable of the device.
    pub fn fills_device(&self) -> bool {
        self.fills_device
    }

    /// Sets if the next expressions initialise a variable of the device. Returns the previous
    /// state.
    pub fn set_fills_device(&mut self, fills: bool) -> bool {
        std::mem::replace(&mut self.fills_device, fills)
    }
}
