//! The state of the process: what the program has registered, and the device once it is used.

use crate::abi;
use crate::device::Device;
use crate::error::{INVALID_DEVICE_FUNCTION, INVALID_PTX, INVALID_SYMBOL, Outcome, UNLOADING};
use crate::runtime::reference::Reference;
use reconverge::kernel_record::KernelRecord;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The program's registered device code, and the device.
#[derive(Default)]
pub struct State {
    /// The device code of the program; a handle is an index plus one.
    pub binaries: Vec<Result<Vec<String>, Unusable>>,
    /// Kernels by the address of their stand-in on the host.
    pub functions: BTreeMap<usize, Registered>,
    /// Variables by the address of their stand-in on the host.
    pub variables: BTreeMap<usize, Registered>,
    /// Texture references by the address of their stand-in on the host.
    pub references: BTreeMap<usize, Reference>,
    /// Managed variables.
    pub managed: Vec<ManagedVariable>,
    /// The device, once something needs it.
    pub device: Option<Device>,
    /// The launches on devices that the program has reset.
    pub ended: Vec<KernelRecord>,
    /// The error of a kernel that was stopped: every later call returns it until the device is reset.
    fault: Option<i32>,
    /// Messages that were shown.
    said: BTreeSet<String>,
    is_exit_watched: bool,
    /// The process ends, and the reports have been made.
    is_over: bool,
}

/// Device code that cannot be run.
#[derive(Clone, Debug)]
pub struct Unusable {
    /// The error code.
    pub code: i32,
    /// The sentence for people.
    pub why: String,
}

impl Unusable {
    /// The device code of several files does not go together.
    pub fn of_link(why: &str) -> Unusable {
        let why = format!("device code of several files cannot be linked: {why}");
        Unusable { code: INVALID_PTX, why }
    }
}

/// A kernel or variable of a binary.
#[derive(Clone, Debug)]
pub struct Registered {
    /// The index of the binary.
    pub binary: usize,
    /// The name in its text.
    pub symbol: String,
}

/// A managed variable, which the program reaches through a pointer.
#[derive(Clone, Debug)]
pub struct ManagedVariable {
    /// The place of the pointer.
    pub pointer: abi::Host,
    /// Its bytes.
    pub size: usize,
    /// Its name, and its binary.
    pub variable: Registered,
}

static STATE: Mutex<Option<State>> = Mutex::new(None);

fn locked() -> MutexGuard<'static, Option<State>> {
    // A call that panicked has returned an error; the state is that of the steps before.
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Calls a function with the state.
pub fn with<T>(act: impl FnOnce(&mut State) -> T) -> T {
    act(locked().get_or_insert_default())
}

/// Calls a function with the device, which is made if there is none yet.
///
/// # Errors
/// The device cannot be made, or a kernel on it was stopped; those of the function.
pub fn device<T>(act: impl FnOnce(&mut Device) -> Outcome<T>) -> Outcome<T> {
    with(|state| act(state.device()?))
}

/// The error of a kernel that was stopped.
pub fn fault() -> Option<i32> {
    with(|state| state.fault)
}

/// Shows a message on standard error, unless it was shown for this subject before.
pub fn say_once(subject: &str, message: &str) {
    with(|state| state.say_once(subject, message));
}

impl State {
    /// The device, which is made if there is none yet.
    ///
    /// # Errors
    /// It cannot be made, or a kernel on it was stopped.
    pub fn device(&mut self) -> Outcome<&mut Device> {
        if self.is_over {
            return Err(UNLOADING);
        }
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        if self.device.is_none() {
            self.device = Some(Device::new(self)?);
            if !std::mem::replace(&mut self.is_exit_watched, true) {
                abi::at_exit(report);
            }
        }
        self.device.as_mut().ok_or(crate::error::INITIALIZATION)
    }

    /// The index of a kernel, by its stand-in.
    ///
    /// # Errors
    /// Nothing was registered there, or the kernel cannot be compiled.
    pub fn kernel(&mut self, function: usize) -> Outcome<usize> {
        self.device()?;
        let Some(device) = &mut self.device else {
            return Err(INVALID_DEVICE_FUNCTION);
        };
        if let Some(&known) = device.by_function.get(&function) {
            return Ok(known);
        }
        let registered = self.functions.get(&function).ok_or(INVALID_DEVICE_FUNCTION)?;
        let found = device.kernel_of(registered);
        match found {
            Ok(index) => {
                device.by_function.insert(function, index);
                Ok(index)
            }
            Err(Unusable { code, why }) => {
                self.say_once(&why, &why);
                Err(code)
            }
        }
    }

    /// The address and size of a variable, by its stand-in.
    ///
    /// # Errors
    /// Nothing was registered there.
    pub fn variable(&mut self, stand_in: usize) -> Outcome<(u32, u32)> {
        self.device()?;
        let registered = self.variables.get(&stand_in).ok_or(INVALID_SYMBOL)?;
        let device = self.device.as_ref().ok_or(INVALID_SYMBOL)?;
        match (device.variable_of(registered), device.binaries.get(registered.binary)) {
            (Some(found), _) => Ok(found),
            (None, Some(Err(Unusable { code, why }))) => {
                let (code, why) = (*code, why.clone());
                self.say_once(&why, &why);
                Err(code)
            }
            (None, _) => Err(INVALID_SYMBOL),
        }
    }

    /// A kernel was stopped.
    pub fn stop(&mut self, code: i32) -> i32 {
        self.fault = Some(code);
        code
    }

    /// Ends the device; the next call makes a new one.
    pub fn reset(&mut self) {
        self.fault = None;
        if let Some(device) = self.device.take() {
            self.ended.extend(device.into_records());
        }
    }

    /// Shows a message on standard error, unless it was shown for this subject before.
    pub fn say_once(&mut self, subject: &str, message: &str) {
        if self.said.insert(subject.to_owned()) {
            eprintln!("reconverge: {message}");
        }
    }
}

/// The end of the process: the reports. Objects that the program destroys later may still call the library, and use memory of
/// both sides, so the device stays.
extern "C" fn report() {
    crate::error::runtime(|| {
        with(|state| {
            state.is_over = true;
            let ended = std::mem::take(&mut state.ended);
            if let Some(device) = &mut state.device {
                device.report(ended);
            }
        });
        Ok(())
    });
}
