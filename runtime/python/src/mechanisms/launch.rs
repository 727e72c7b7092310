//! A launch on a machine with mechanisms in Python: their objects, their time, and the exception that ends it.
//!
//! Such a launch runs on one thread, which keeps its state at the interpreter from the first call to the last. An
//! exception asks the simulator to stop. From then on mechanisms choose without Python, so nothing waits for it.

use super::Class;
use crate::{raise, table};
use pyo3::call::PyCallArgs;
use pyo3::exceptions::{PyKeyboardInterrupt, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use reconverge_simulator::Machine;
use reconverge_simulator::extension::{Event, EventSet, Setup};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Dictionaries by class and SM.
type Shared = BTreeMap<(String, Option<usize>), Py<PyDict>>;

/// A launch, or the launches of a sweep.
pub struct Launch {
    /// Asks the simulator to stop.
    stop: Arc<AtomicBool>,
    classes: Vec<Arc<Class>>,
    /// The machines, with their complete files.
    machines: Vec<(Machine, String)>,
    /// By machine: its file as a dictionary, once an object needed it.
    dictionaries: Mutex<Vec<Option<Py<PyDict>>>>,
    /// The dictionary that the objects of a class on an SM share.
    shared: Mutex<Shared>,
    objects: Mutex<Vec<Py<PyAny>>>,
    /// The first exception.
    raised: Mutex<Option<PyErr>>,
    has_raised: AtomicBool,
    /// A method of Python is running.
    is_inside: AtomicBool,
    /// The thread's identity in Python; 0 before the first object.
    thread: AtomicU64,
    /// Nanoseconds in Python, and calls.
    spent: AtomicU64,
    calls: AtomicU64,
}

thread_local! {
    static CURRENT: RefCell<Option<Arc<Launch>>> = const { RefCell::new(None) };
}

/// The launches of a sweep, which run on a thread of the study's engine.
static SWEEP: Mutex<Option<Arc<Launch>>> = Mutex::new(None);

/// Held by the one sweep with classes that runs.
static ONE_SWEEP: Mutex<()> = Mutex::new(());

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does the work of a launch on its thread.
pub fn within<T: Send>(launch: Option<&Arc<Launch>>, work: impl FnOnce() -> T + Send) -> T {
    let Some(launch) = launch else {
        return work();
    };
    CURRENT.set(Some(launch.clone()));
    // The thread's state lasts as long as this; by itself, every call would make another one.
    let came = Python::attach(|py| {
        py.detach(|| std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)))
    });
    CURRENT.set(None);
    came.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Returns true if one machine is the other, or the other with a part of its L1 as shared memory.
fn is_carved(whole: &Machine, machine: &Machine) -> bool {
    if whole == machine {
        return true;
    }
    if whole.l1.carve_outs.is_empty() {
        return false;
    }
    let mut other = machine.clone();
    other.sm.shared_memory = whole.sm.shared_memory;
    other.l1.ways = whole.l1.ways;
    other.l1.size = whole.l1.size;
    *whole == other
}

impl Launch {
    /// A launch that `stop` stops, on machines with these classes.
    pub fn new(
        stop: Arc<AtomicBool>,
        classes: Vec<Arc<Class>>,
        machines: Vec<(Machine, String)>,
    ) -> Launch {
        Launch {
            stop,
            classes,
            dictionaries: Mutex::new(machines.iter().map(|_| None).collect()),
            machines,
            shared: Mutex::default(),
            objects: Mutex::default(),
            raised: Mutex::new(None),
            has_raised: AtomicBool::new(false),
            is_inside: AtomicBool::new(false),
            thread: AtomicU64::new(0),
            spent: AtomicU64::new(0),
            calls: AtomicU64::new(0),
        }
    }

    /// Does the work of a sweep, whose launches run on another thread. Others wait for it.
    pub fn sweep<T>(self: &Arc<Launch>, work: impl FnOnce() -> T) -> T {
        let _one = lock(&ONE_SWEEP);
        *lock(&SWEEP) = Some(self.clone());
        let came = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
        *lock(&SWEEP) = None;
        came.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }

    /// The launch that builds for a place, if one does: machines are also built to be checked.
    fn current(setup: &Setup) -> Option<(Arc<Launch>, usize)> {
        let machine = setup.machine?;
        if let Some(launch) = CURRENT.with_borrow(Clone::clone) {
            return Some((launch, 0));
        }
        let launch = lock(&SWEEP).clone()?;
        let at = launch.machines.iter().position(|(known, _)| is_carved(known, machine))?;
        Some((launch, at))
    }

    /// The exception that ended it.
    pub fn take_raised(&self) -> Option<PyErr> {
        lock(&self.raised).take()
    }

    /// The objects that it made.
    pub fn objects(&self, py: Python<'_>) -> Vec<Py<PyAny>> {
        lock(&self.objects).iter().map(|object| object.clone_ref(py)).collect()
    }

    fn raise(&self, error: PyErr) {
        lock(&self.raised).get_or_insert(error);
        self.has_raised.store(true, Ordering::Relaxed);
        self.stop.store(true, Ordering::Relaxed);
    }

    fn is_over(&self) -> bool {
        self.has_raised.load(Ordering::Relaxed) || self.stop.load(Ordering::Relaxed)
    }

    /// Interrupts a method that is running, which may have no end.
    pub fn interrupt(&self, py: Python<'_>) -> PyResult<()> {
        if self.is_inside.load(Ordering::Relaxed) {
            let ctypes = py.import("ctypes")?;
            let thread =
                ctypes.getattr("c_ulong")?.call1((self.thread.load(Ordering::Relaxed),))?;
            let kind = py.get_type::<PyKeyboardInterrupt>();
            let kind = ctypes.getattr("py_object")?.call1((kind,))?;
            let api = ctypes.getattr("pythonapi")?;
            api.call_method1("PyThreadState_SetAsyncExc", (thread, kind))?;
        }
        Ok(())
    }

    /// Warns once for each class that launches with it are slow, with the measure of this one.
    pub fn warn(&self, py: Python<'_>, all: Duration) -> PyResult<()> {
        static WARNED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
        let calls = self.calls.load(Ordering::Relaxed);
        let names = self.classes.iter().map(|class| &class.name);
        let new: Vec<&String> =
            names.filter(|name| lock(&WARNED).insert((*name).clone())).collect();
        let spent = Duration::from_nanos(self.spent.load(Ordering::Relaxed)).as_secs_f64();
        let all = all.as_secs_f64();
        if new.is_empty() || calls == 0 {
            return Ok(());
        }
        let named: Vec<String> = new.iter().map(|name| format!("`{name}`")).collect();
        let text = format!(
            "{} in Python: the launch ran on one thread, and spent {:.0} % of its {all:.2} s in {calls} calls of Python, so \
             it took about {:.1} times as long as without them",
            named.join(" and "),
            100.0 * (spent / all).min(1.0),
            all / (all - spent).max(all / 1e3),
        );
        raise::warn(py, &text, &raise::class(py, "SpeedWarning")?)
    }
}

/// An object of a class, at its place.
pub(super) struct Object {
    class: Arc<Class>,
    launch: Arc<Launch>,
    object: Py<PyAny>,
}

/// The attributes of a place beside those of all places.
pub(super) type Place<'a> = &'a [(&'a str, usize)];

impl Object {
    /// Makes an object for a place. `None` while a machine is only checked.
    ///
    /// # Errors
    /// Its `__init__` raised an exception, which ends the launch.
    pub fn new(class: &Arc<Class>, setup: &Setup, place: Place) -> Result<Option<Object>, String> {
        let Some((launch, machine)) = Launch::current(setup) else {
            return Ok(None);
        };
        if launch.is_over() {
            return Ok(None);
        }
        let class = class.clone();
        let made = launch.timed(|py| {
            let own = class.bind(py);
            if launch.thread.load(Ordering::Relaxed) == 0 {
                let thread = py.import("threading")?.call_method0("get_ident")?;
                launch.thread.store(thread.extract()?, Ordering::Relaxed);
            }
            let object = own.call_method1("__new__", (&own,))?;
            object.setattr("sm", setup.sm)?;
            object.setattr("machine", launch.dictionary(py, machine)?)?;
            object.setattr("shared", launch.shared(py, &class, setup))?;
            for (name, value) in place {
                object.setattr(*name, *value)?;
            }
            object.call_method0("__init__")?;
            Ok(object.unbind())
        });
        match made {
            Ok(object) => {
                Python::attach(|py| lock(&launch.objects).push(object.clone_ref(py)));
                Ok(Some(Object { class, launch, object }))
            }
            Err(error) => {
                let text = format!("`{}.__init__` raised an exception: {error}", class.name);
                launch.raise(error);
                Err(text)
            }
        }
    }

    /// A method, if the class has another one than the base class; `None` as well if it has none.
    pub fn own_method(&self, base: &str, name: &str) -> Option<Py<PyAny>> {
        Python::attach(|py| {
            let own = self.class.bind(py).getattr(name).ok()?;
            let base = py.import("reconverge._mechanisms").ok()?.getattr(base).ok()?;
            let is_base = base.getattr(name).is_ok_and(|base| base.is(&own));
            (!is_base).then(|| self.object.bind(py).getattr(name).ok()).flatten().map(Bound::unbind)
        })
    }

    /// Calls a method and reads its answer; `otherwise` once the launch is to stop.
    pub fn call<T>(
        &self,
        method: &Py<PyAny>,
        otherwise: T,
        arguments: impl for<'py> PyCallArgs<'py>,
        read: impl FnOnce(&Bound<'_, PyAny>) -> Result<T, String>,
    ) -> T {
        if self.launch.is_over() {
            return otherwise;
        }
        let done = self.launch.timed(|py| {
            let answer = method.bind(py).call1(arguments)?;
            read(&answer).map_err(|expected| {
                let name: String = method
                    .bind(py)
                    .getattr("__name__")
                    .and_then(|name| name.extract())
                    .unwrap_or_default();
                let shown = answer.repr().map(|text| text.to_string()).unwrap_or_default();
                let text = format!("`{}.{name}` returned {shown}, not {expected}", self.class.name);
                match expected.starts_with("one of") {
                    true => PyValueError::new_err(text),
                    false => PyTypeError::new_err(text),
                }
            })
        });
        done.unwrap_or_else(|error| {
            self.launch.raise(error);
            otherwise
        })
    }

    /// Calls a method without an answer.
    pub fn notify(
        &self,
        method: &Py<PyAny>,
        arguments: impl for<'py> FnOnce(Python<'py>) -> PyResult<Bound<'py, PyTuple>>,
    ) {
        if self.launch.is_over() {
            return;
        }
        let done = self.launch.timed(|py| method.bind(py).call1(arguments(py)?).map(drop));
        if let Err(error) = done {
            self.launch.raise(error);
        }
    }
}

/// The methods of an object that receive events.
pub struct Receivers {
    /// The events that they receive.
    pub kinds: EventSet,
    methods: Vec<(EventSet, Py<PyAny>)>,
}

impl Receivers {
    /// Those methods of an object, among some by event, that its class has in the place of the base class's.
    pub fn of(object: &Object, base: &str, events: &[(EventSet, &str)]) -> Receivers {
        let method =
            |(kind, name): &(EventSet, &str)| Some((*kind, object.own_method(base, name)?));
        let methods: Vec<_> = events.iter().filter_map(method).collect();
        Receivers {
            kinds: methods.iter().fold(EventSet::NONE, |all, (kind, _)| all.and(*kind)),
            methods,
        }
    }

    /// Passes an event to the object, if it receives such.
    pub fn raise(
        &self,
        object: &Object,
        event: &Event,
        arguments: impl for<'py> FnOnce(Python<'py>, &Event) -> PyResult<Bound<'py, PyTuple>>,
    ) {
        if let Some((_, method)) = self.methods.iter().find(|(kind, _)| kind.has(event.kind())) {
            object.notify(method, |py| arguments(py, event));
        }
    }
}

impl Launch {
    fn timed<T>(&self, call: impl FnOnce(Python<'_>) -> PyResult<T>) -> PyResult<T> {
        let before = Instant::now();
        self.is_inside.store(true, Ordering::Relaxed);
        let done = Python::attach(call);
        self.is_inside.store(false, Ordering::Relaxed);
        self.spent.fetch_add(before.elapsed().as_nanos() as u64, Ordering::Relaxed);
        self.calls.fetch_add(1, Ordering::Relaxed);
        done
    }

    fn dictionary(&self, py: Python<'_>, at: usize) -> PyResult<Py<PyDict>> {
        if let Some(known) = &lock(&self.dictionaries)[at] {
            return Ok(known.clone_ref(py));
        }
        let table = self.machines[at].1.parse::<toml::Table>();
        let table = table.map_err(|error| PyValueError::new_err(error.to_string()))?;
        let made = table::dictionary(py, &table)?.unbind();
        lock(&self.dictionaries)[at] = Some(made.clone_ref(py));
        Ok(made)
    }

    /// The dictionary of a class on an SM; a new one for the first of its schedulers, so that each SM that is built has one.
    fn shared(&self, py: Python<'_>, class: &Class, setup: &Setup) -> Py<PyDict> {
        let mut all = lock(&self.shared);
        let key = (class.name.clone(), setup.sm);
        if setup.scheduler == Some(0) {
            all.remove(&key);
        }
        all.entry(key).or_insert_with(|| PyDict::new(py).unbind()).clone_ref(py)
    }
}
