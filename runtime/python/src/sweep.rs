//! Sweeps: the points of a study that is made by a call, run as `study` runs them, in the same
//! store. The package starts worker processes, each of which calls [`sweep_points`]; they share the
//! store.

use crate::machine::{self, Chosen};
use crate::mechanisms;
use crate::mechanisms::Class;
use crate::module::words;
use crate::{raise, table, wait};
use anyhow::Result;
use pyo3::exceptions::{PyTypeError, PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use reconverge::study::engine::{self, Event, Run};
use reconverge::study::file::{SCHEMA, StudyFile};
use reconverge::study::plan::{Plan, Request};
use reconverge::study::store::{Store, Stored};
use reconverge_simulator::Machine;
use std::ffi::CString;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Instant;
use toml::{Table, Value};

/// A program to run, as in a study file: (name, file, arguments); workloads have only a name.
type Program = (String, Option<String>, String);

/// The text of the study file that a sweep is.
#[pyfunction]
#[pyo3(signature = (programs, size, inputs, vary, *, machine=None, settings=None, options=None, define=None, keywords=None))]
#[allow(clippy::too_many_arguments)] // keywords of Python
pub fn sweep_study(
    py: Python<'_>,
    programs: Vec<Program>,
    size: &str,
    inputs: Vec<String>,
    vary: &Bound<'_, PyDict>,
    machine: Option<&Bound<'_, PyAny>>,
    settings: Option<&Bound<'_, PyDict>>,
    options: Option<&Bound<'_, PyAny>>,
    define: Option<&Bound<'_, PyDict>>,
    keywords: Option<&Bound<'_, PyDict>>,
) -> PyResult<String> {
    let texts = |all: Vec<String>| Value::Array(all.into_iter().map(Value::String).collect());
    let sets = Chosen::new(py, machine, settings, keywords)?.sets;
    let sets = sets.into_iter().map(|(key, value)| format!("{key}={value}"));
    let mut study = Table::new();
    study.insert("schema".to_owned(), Value::Integer(SCHEMA.into()));
    study.insert("title".to_owned(), Value::String("sweep".to_owned()));
    study.insert("size".to_owned(), Value::String(size.to_owned()));
    study.insert("machine".to_owned(), Value::String(machine::source(machine)?));
    let all = words(options, define)?.into_iter().chain(sets).collect();
    study.insert("settings".to_owned(), texts(all));
    let names = programs.iter().map(|(name, ..)| name.clone()).collect();
    let group = Table::from_iter([("all".to_owned(), texts(names))]);
    study.insert("programs".to_owned(), Value::Table(group));
    let mut own = Table::new();
    for (name, file, arguments) in programs {
        let Some(file) = file else { continue };
        let entry = [
            ("file", Value::String(file)),
            ("inputs", texts(inputs.clone())),
            (size, Value::String(arguments)),
        ];
        let entry = entry.into_iter().map(|(key, value)| (key.to_owned(), value));
        own.insert(name, Value::Table(entry.collect()));
    }
    study.insert("program".to_owned(), Value::Table(own));
    study.insert("vary".to_owned(), Value::Table(varied(vary)?));
    Ok(study.to_string())
}

/// Settings with their values: lists, or texts with ranges.
fn varied(vary: &Bound<'_, PyDict>) -> PyResult<Table> {
    let mut all = Table::new();
    for (key, values) in vary {
        let key: String = key.extract().map_err(|_| {
            PyTypeError::new_err("the keys of `vary` are settings, such as \"l1.size\"")
        })?;
        let value = match values.extract::<String>() {
            Ok(text) => Value::String(text),
            Err(_) => {
                let listed = || {
                    PyTypeError::new_err(format!(
                        "`vary[\"{key}\"]` is a list of values, or a text such as \"16K..128K*2\""
                    ))
                };
                let each = values.try_iter().map_err(|_| listed())?;
                let each = each.map(|value| Ok(Value::String(table::setting(&value?, &key)?)));
                Value::Array(each.collect::<PyResult<_>>()?)
            }
        };
        all.insert(key, value);
    }
    Ok(all)
}

fn plan(study: &str) -> Result<Plan> {
    let file = StudyFile::read("sweep", study)?;
    // Files are found from where one is.
    Plan::new(file, &Request { folder: Some(PathBuf::new()), ..Request::default() })
}

/// Issues a Python warning.
fn warn(text: &str) -> PyResult<()> {
    // A path may hold any byte but zero.
    let text = CString::new(text).unwrap_or_default();
    Python::attach(|py| PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 2))
}

/// The classes of Python that the points of a plan use, and their machines.
fn classes(plan: &Plan) -> (Vec<Arc<Class>>, Vec<(Machine, String)>) {
    let (mut classes, mut machines) = (Vec::new(), Vec::<(Machine, String)>::new());
    for point in plan.distinct() {
        let used = mechanisms::used(&point.provenance.machine);
        if used.is_empty() || machines.iter().any(|(machine, _)| *machine == point.machine) {
            continue;
        }
        for class in used {
            if !classes.iter().any(|known| Arc::ptr_eq(known, &class)) {
                classes.push(class);
            }
        }
        machines.push((point.machine.clone(), point.provenance.machine.clone()));
        let profiled = point.profiled.iter();
        machines.extend(profiled.map(|it| (it.clone(), point.provenance.machine.clone())));
    }
    (classes, machines)
}

/// The identities of a sweep's points, how many of them its store lacks, and whether its machines have mechanisms in
/// Python. Nothing runs.
#[pyfunction]
pub fn sweep_left(
    py: Python<'_>,
    study: &str,
    store: PathBuf,
) -> PyResult<(Vec<String>, usize, bool)> {
    let count = || {
        let (plan, store) = (plan(study)?, Store::open(&store)?);
        let points = plan.distinct();
        let lacking = points
            .iter()
            .filter(|point| !matches!(store.get(&point.identity), Stored::Whole(_)))
            .count();
        let identities = points.iter().map(|point| point.identity.clone()).collect();
        let (classes, _) = classes(&plan);
        if let Some(class) = classes.iter().find(|class| !class.has_source) {
            anyhow::bail!(
                "Python has no source of the class `{}`, so nothing tells its results from those of other code: define \
                 it in a file or in a cell of a notebook",
                class.name
            );
        }
        anyhow::Ok((identities, lacking, !classes.is_empty()))
    };
    py.detach(count).map_err(|error| raise::wrong(&error))
}

/// A part of the points: its index, and the number of parts.
#[derive(Clone, Copy, FromPyObject)]
pub struct Shard(u64, u64);

/// Runs the missing points of the store, one after the other, and returns every point of a sweep:
/// program, varied settings as (key, value), identity, and the result as JSON (`None` if that is
/// lost). `done` is called with the identity of each.
#[pyfunction]
#[pyo3(signature = (study, store, *, fresh=false, shard=None, done=None))]
pub fn sweep_points<'py>(
    py: Python<'py>,
    study: &str,
    store: PathBuf,
    fresh: bool,
    shard: Option<Shard>,
    done: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyList>> {
    if let Some(Shard(index, of)) = shard
        && index >= of
    {
        return Err(PyValueError::new_err("a shard is (I, N) with I from 0 to N-1"));
    }
    let stop = wait::Stop::default();
    let shard = shard.map(|Shard(index, of)| (index, of));
    let how = Run { jobs: 1, fresh, shard, interruption: stop.interruption() };
    let raised = Mutex::new(None);
    let tell = |event: Event| {
        let told = match (event, &done) {
            (Event::Corrupt(_, corrupt), _) => warn(&format!("{corrupt}; the point is run again")),
            (Event::Done(point, _) | Event::Lost(point, _), Some(done)) => {
                Python::attach(|py| done.call1(py, (&point.identity,)).map(|_| ()))
            }
            _ => return,
        };
        if let Err(error) = told {
            stop.request();
            *raised.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some(error);
        }
    };
    let planned = py.detach(|| plan(study)).map_err(|error| raise::wrong(&error))?;
    let (classes, machines) = classes(&planned);
    let within = (!classes.is_empty())
        .then(|| Arc::new(mechanisms::Launch::new(stop.flag(), classes, machines)));
    let work = || {
        let run = || engine::run(&planned, &Store::open(&store)?, &how, &tell);
        match &within {
            Some(within) => within.sweep(run),
            None => run(),
        }
    };
    let before = Instant::now();
    let came = stop.without_lock(py, within.as_ref(), work)?;
    if let Some(within) = &within {
        if let Some(error) = within.take_raised() {
            return Err(error);
        }
        within.warn(py, before.elapsed())?;
    }
    if let Some(error) = raised.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()) {
        return Err(error);
    }
    let (plan, ran) = (planned, came.map_err(|error| raise::wrong(&error))?);
    let all = PyList::empty(py);
    for (program, points) in plan.programs.iter().zip(&plan.points) {
        for (configuration, point) in plan.configurations.iter().zip(points) {
            let outcome = ran.outcomes.get(&point.identity);
            let outcome = outcome.map(serde_json::to_string).transpose();
            let outcome = outcome.map_err(|error| PyValueError::new_err(error.to_string()))?;
            let settings: Vec<(&str, &str)> =
                configuration.settings.iter().map(|word| key_and_value(word)).collect();
            all.append((&program.name, settings, &point.identity, outcome))?;
        }
    }
    Ok(all)
}

/// A setting as a study has it: `l1.size=4096`, `-O1`, `-DN=4`.
fn key_and_value(word: &str) -> (&str, &str) {
    match word.strip_prefix("-O") {
        Some(level) => ("-O", level),
        None => word.split_once('=').unwrap_or((word, "")),
    }
}
