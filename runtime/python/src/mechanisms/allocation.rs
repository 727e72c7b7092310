//! Allocation policies in Python.

use super::launch::{Object, Receivers};
use super::objects::{self, token};
use super::{Class, attribute};
use pyo3::call::PyCallArgs;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use reconverge_simulator::extension::allocation::{
    Allocation, Build, CacheShape, Level, LineAccess, Properties, Requester, Sampling, Token,
};
use reconverge_simulator::extension::replacement::Ways;
use reconverge_simulator::extension::{Event, EventSet, Setup, WarpSlot, check_range};
use std::sync::Arc;

/// The events that an allocation may receive, and the methods that receive them.
const EVENTS: [(EventSet, &str); 8] = [
    (EventSet::LINE_HIT, "on_line_hit"),
    (EventSet::LINE_MISSED, "on_line_missed"),
    (EventSet::LINE_PLACED, "on_line_placed"),
    (EventSet::LINE_DROPPED, "on_line_dropped"),
    (EventSet::CHOICE_MADE, "on_choice_made"),
    (EventSet::WARP_ARRIVED, "on_warp_arrived"),
    (EventSet::THREADS_ENDED, "on_threads_ended"),
    (EventSet::WARP_RELEASED, "on_warp_released"),
];

struct PythonAllocation {
    properties: Properties,
    object: Option<Methods>,
}

/// An object with those of its methods that are called.
struct Methods {
    object: Object,
    allocates: Py<PyAny>,
    victims: Option<Py<PyAny>>,
    takes_over: Option<Py<PyAny>>,
    passes: Option<Py<PyAny>>,
    evicted_first: Option<Py<PyAny>>,
    onward: Option<Py<PyAny>>,
    token: Option<Py<PyAny>>,
    warp_limit: Option<Py<PyAny>>,
    receivers: Receivers,
}

/// The builder of a class.
pub(super) fn build(class: Arc<Class>) -> Build {
    Box::leak(Box::new(move |setup: &Setup, shape: CacheShape| {
        let properties = properties(&class, shape.level)?;
        let level = if shape.level == Level::First { 1 } else { 2 };
        let place = [("level", level), ("sets", shape.sets), ("ways", shape.ways)];
        let object = Object::new(&class, setup, &place)?.and_then(Methods::of);
        Ok(Box::new(PythonAllocation { properties, object }) as Box<dyn Allocation>)
    }))
}

/// The properties that the attributes of a class state, those that its cache can have.
fn properties(class: &Class, level: Level) -> Result<Properties, String> {
    let is_first = level == Level::First;
    let request_buffer: Option<u32> = attribute(class, "request_buffer")?;
    let sampling: Option<(usize, u64, u64)> = attribute(class, "sampling")?;
    if let Some((choices, sample, period)) = sampling {
        check_range(&format!("{}.sampling[0]", class.name), choices, 1..=1024)?;
        check_range(&format!("{}.sampling[1]", class.name), sample, 1..=u64::from(u32::MAX))?;
        check_range(&format!("{}.sampling[2]", class.name), period, 1..=u64::from(u32::MAX))?;
    }
    if let Some(entries) = request_buffer {
        check_range(&format!("{}.request_buffer", class.name), entries, 1..=4096)?;
    }
    let sampling = sampling.map(|(choices, sample, period)| Sampling { choices, sample, period });
    Ok(Properties {
        is_open: false,
        passes_reads: attribute::<bool>(class, "passes_reads")? && !is_first,
        request_buffer: request_buffer.filter(|_| is_first),
        limits_warps: attribute::<bool>(class, "limits_warps")? && is_first,
        sampling: sampling.filter(|_| is_first),
    })
}

impl Methods {
    fn of(object: Object) -> Option<Methods> {
        let method = |name| object.own_method("Allocation", name);
        Some(Methods {
            allocates: method("allocates")?,
            victims: method("victims"),
            takes_over: method("takes_over"),
            passes: method("passes"),
            evicted_first: method("evicted_first"),
            onward: method("onward"),
            token: method("token"),
            warp_limit: method("warp_limit"),
            receivers: Receivers::of(&object, "Allocation", &EVENTS),
            object,
        })
    }
}

fn truth(answer: &Bound<'_, PyAny>) -> Result<bool, String> {
    answer.extract().map_err(|_| "True or False".to_owned())
}

fn named(answer: &Bound<'_, PyAny>) -> Result<Token, String> {
    let name: Option<String> = answer.extract().ok();
    let token = name.as_deref().and_then(token);
    token.ok_or_else(|| "one of \"none\", \"first\" and \"second\"".to_owned())
}

impl PythonAllocation {
    /// Calls a method, if the class has it.
    fn call<T>(
        &self,
        method: impl Fn(&Methods) -> &Option<Py<PyAny>>,
        otherwise: T,
        arguments: impl for<'py> PyCallArgs<'py>,
        read: impl FnOnce(&Bound<'_, PyAny>) -> Result<T, String>,
    ) -> T {
        let Some(own) = &self.object else {
            return otherwise;
        };
        match method(own) {
            Some(method) => own.object.call(method, otherwise, arguments, read),
            None => otherwise,
        }
    }
}

impl Allocation for PythonAllocation {
    fn properties(&self) -> Properties {
        self.properties
    }

    fn events(&self) -> EventSet {
        self.object.as_ref().map_or(EventSet::NONE, |own| own.receivers.kinds)
    }

    fn on_event(&mut self, event: &Event) {
        if let Some(own) = &self.object {
            own.receivers.raise(&own.object, event, arguments);
        }
    }

    fn allocates(&mut self, access: &LineAccess, has_way: bool) -> bool {
        let Some(own) = &self.object else { return true };
        let arguments = (objects::LineAccess(*access), has_way);
        own.object.call(&own.allocates, true, arguments, truth)
    }

    fn victims(&self, access: &LineAccess, ways: Ways) -> Ways {
        let listed: Vec<usize> = ways.iter().collect();
        let arguments = (objects::LineAccess(*access), listed.clone());
        let (all, mut left) = (ways.clone(), ways);
        self.call(
            |own| &own.victims,
            all.clone(),
            arguments,
            |answer| {
                let chosen = answer.try_iter().and_then(|chosen| {
                    chosen.map(|way| way?.extract::<usize>()).collect::<PyResult<Vec<_>>>()
                });
                let chosen = chosen.map_err(|_| "a list of ways".to_owned())?;
                if !chosen.iter().all(|way| all.contains(*way)) {
                    return Err(format!("one of the lists of ways among {listed:?}"));
                }
                left.retain(|way| chosen.contains(&way));
                Ok(left)
            },
        )
    }

    fn takes_over(&self, by: &Requester, first: &Requester) -> bool {
        let arguments = (objects::Requester(*by), objects::Requester(*first));
        self.call(|own| &own.takes_over, false, arguments, truth)
    }

    fn passes(&self, by: &Requester) -> bool {
        let arguments = (objects::Requester(*by),);
        self.call(|own| &own.passes, false, arguments, truth)
    }

    fn evicted_first(&self, access: &LineAccess) -> bool {
        let arguments = (objects::LineAccess(*access),);
        self.call(|own| &own.evicted_first, false, arguments, truth)
    }

    fn onward(&self, by: &Requester) -> Token {
        let arguments = (objects::Requester(*by),);
        self.call(|own| &own.onward, by.token, arguments, named)
    }

    fn token(&self, warp: WarpSlot) -> Token {
        self.call(|own| &own.token, Token::None, (warp.0,), named)
    }

    fn warp_limit(&self) -> u32 {
        self.call(
            |own| &own.warp_limit,
            u32::MAX,
            (),
            |answer| match answer.extract::<Option<u32>>() {
                Ok(None) => Ok(u32::MAX),
                Ok(Some(limit @ 1..)) => Ok(limit),
                _ => Err("a number of warps, at least 1, or None".to_owned()),
            },
        )
    }
}

/// The arguments of the method that receives an event.
fn arguments<'py>(py: Python<'py>, event: &Event) -> PyResult<Bound<'py, PyTuple>> {
    match *event {
        Event::LineHit { access, way } | Event::LinePlaced { access, way } => {
            (objects::LineAccess(*access), way).into_pyobject(py)
        }
        Event::LineMissed { access } => (objects::LineAccess(*access),).into_pyobject(py),
        Event::LineDropped { set, way } => (set, way).into_pyobject(py),
        Event::ChoiceMade { choice } => (choice,).into_pyobject(py),
        Event::WarpArrived { warp, scheduler, age, registers, now } => {
            (warp.0, scheduler, age, registers, now).into_pyobject(py)
        }
        Event::ThreadsEnded { warp, now } => (warp.0, now).into_pyobject(py),
        Event::WarpReleased { warp, registers, now } => (warp.0, registers, now).into_pyobject(py),
        _ => Ok(PyTuple::empty(py)),
    }
}
