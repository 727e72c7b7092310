//! Schedulers in Python.

use super::launch::{Object, Receivers};
use super::objects::{self, IssuedInstruction, View, candidates, hints};
use super::{Class, attribute, hyphened};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use reconverge_simulator::extension::scheduler::{self, Build, Scheduler, has, members, oldest};
use reconverge_simulator::extension::{
    CandidateSet, Event, EventSet, LoopPlace, Setup, check_range,
};
use std::sync::Arc;

/// The events that a scheduler may receive, and the methods that receive them.
const EVENTS: [(EventSet, &str); 16] = [
    (EventSet::ISSUED, "on_issued"),
    (EventSet::LEFT, "on_left"),
    (EventSet::REACHED_SWITCH_POINT, "on_reached_switch_point"),
    (EventSet::COLLECTED, "on_collected"),
    (EventSet::EXECUTING, "on_executing"),
    (EventSet::WARP_STARTED, "on_warp_started"),
    (EventSet::AFFINE_WARP_STARTED, "on_affine_warp_started"),
    (EventSet::WARP_ENDED, "on_warp_ended"),
    (EventSet::CHOOSING, "on_choosing"),
    (EventSet::EVICTED, "on_evicted"),
    (EventSet::MISSED, "on_missed"),
    (EventSet::MISSES_PENDING, "on_misses_pending"),
    (EventSet::CACHE_SHARED, "on_cache_shared"),
    (EventSet::IN_LOOP, "on_in_loop"),
    (EventSet::COMPARED, "on_compared"),
    (EventSet::BRANCHED_BACKWARD, "on_branched_backward"),
];

struct PythonScheduler {
    looks_ahead: bool,
    replay_queue: usize,
    object: Option<Methods>,
}

/// An object with those of its methods that are called.
struct Methods {
    object: Object,
    pick: Py<PyAny>,
    owner: Option<Py<PyAny>>,
    pool: Option<Py<PyAny>>,
    receivers: Receivers,
}

/// The builder of a class.
pub(super) fn build(class: Arc<Class>) -> Build {
    Box::leak(Box::new(move |setup: &Setup| {
        let looks_ahead = attribute(&class, "looks_ahead")?;
        let replay_queue = attribute(&class, "replay_queue")?;
        check_range(&format!("{}.replay_queue", class.name), replay_queue, 0..=4096)?;
        let index = setup.scheduler.unwrap_or(0);
        let object = Object::new(&class, setup, &[("scheduler", index)])?.and_then(Methods::of);
        let made = PythonScheduler { looks_ahead, replay_queue, object };
        Ok(Box::new(made) as Box<dyn Scheduler>)
    }))
}

impl Methods {
    fn of(object: Object) -> Option<Methods> {
        let method = |name| object.own_method("Scheduler", name);
        Some(Methods {
            pick: method("pick")?,
            owner: method("owner"),
            pool: method("pool"),
            receivers: Receivers::of(&object, "Scheduler", &EVENTS),
            object,
        })
    }
}

impl Scheduler for PythonScheduler {
    fn pick(&mut self, ready: CandidateSet, view: &scheduler::View) -> Option<usize> {
        let otherwise = oldest(ready, view.ages);
        let Some(own) = &self.object else {
            return otherwise;
        };
        let listed: Vec<usize> = members(ready).collect();
        let arguments = (listed.clone(), View::of(view, self.looks_ahead));
        own.object.call(&own.pick, otherwise, arguments, |answer| {
            let picked: Option<usize> =
                answer.extract().map_err(|_| "a candidate or None".to_owned())?;
            match picked {
                Some(candidate) if candidate >= 128 || !has(ready, candidate) => {
                    Err(format!("one of the ready candidates {listed:?} or None"))
                }
                picked => Ok(picked),
            }
        })
    }

    fn looks_ahead(&self) -> bool {
        self.looks_ahead
    }

    fn events(&self) -> EventSet {
        self.object.as_ref().map_or(EventSet::NONE, |own| own.receivers.kinds)
    }

    fn on_event(&mut self, event: &Event) {
        if let Some(own) = &self.object {
            own.receivers.raise(&own.object, event, arguments);
        }
    }

    fn replay_queue(&self) -> usize {
        self.replay_queue
    }

    fn owner(&self) -> Option<Option<usize>> {
        let own = self.object.as_ref()?;
        let read = |answer: &Bound<'_, PyAny>| {
            let owner: Option<Vec<usize>> =
                answer.extract().map_err(|_| "None, (), or a tuple of one candidate".to_owned())?;
            Ok(owner.map(|owner| owner.first().copied().filter(|it| *it < 128)))
        };
        own.object.call(own.owner.as_ref()?, None, (), read)
    }

    fn pool(&self) -> Option<CandidateSet> {
        let own = self.object.as_ref()?;
        let read = |answer: &Bound<'_, PyAny>| match answer.is_none() {
            true => Ok(None),
            false => candidates(answer).map(Some).map_err(|_| "candidates or None".to_owned()),
        };
        own.object.call(own.pool.as_ref()?, None, (), read)
    }
}

/// The arguments of the method that receives an event.
fn arguments<'py>(py: Python<'py>, event: &Event) -> PyResult<Bound<'py, PyTuple>> {
    match *event {
        Event::Issued { candidate, instruction } => {
            (candidate, instruction.get().map(IssuedInstruction)).into_pyobject(py)
        }
        Event::Left { candidate, reason } => {
            (candidate, hyphened(&format!("{reason:?}"))).into_pyobject(py)
        }
        Event::ReachedSwitchPoint { candidate }
        | Event::Collected { candidate }
        | Event::Executing { candidate }
        | Event::WarpStarted { candidate }
        | Event::AffineWarpStarted { candidate }
        | Event::WarpEnded { candidate } => (candidate,).into_pyobject(py),
        Event::Choosing { accesses } => {
            (members(accesses).collect::<Vec<usize>>(),).into_pyobject(py)
        }
        Event::Evicted { candidate, line } => (candidate, line).into_pyobject(py),
        Event::Missed { candidate, line, now } => (candidate, line, now).into_pyobject(py),
        Event::MissesPending { used, all } => (used, all).into_pyobject(py),
        Event::CacheShared { lines } => (lines,).into_pyobject(py),
        Event::InLoop { candidate, place } => {
            let place = place.map(|place| loop_place(py, place)).transpose()?;
            (candidate, place).into_pyobject(py)
        }
        Event::Compared { candidate, pc, hints, value } => {
            (candidate, pc, objects::hints(py, hints)?, value).into_pyobject(py)
        }
        Event::BranchedBackward { candidate, pc, hints: of, now } => {
            (candidate, pc, hints(py, of)?, now).into_pyobject(py)
        }
        _ => Ok(PyTuple::empty(py)),
    }
}

/// The place of a path in the loops of its kernel.
fn loop_place<'py>(py: Python<'py>, place: LoopPlace) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    all.set_item("number", place.number)?;
    all.set_item("is_first", place.is_first)?;
    all.set_item("lines", place.lines)?;
    all.set_item("outer_lines", place.outer_lines)?;
    Ok(all)
}
