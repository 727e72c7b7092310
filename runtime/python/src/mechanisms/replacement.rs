//! Replacement policies in Python.

use super::Class;
use super::launch::Object;
use super::objects;
use pyo3::prelude::*;
use reconverge_simulator::extension::Setup;
use reconverge_simulator::extension::allocation::LineAccess;
use reconverge_simulator::extension::replacement::{Build, Replacement, Ways};
use std::cell::RefCell;
use std::sync::Arc;

#[derive(Default)]
struct PythonReplacement {
    object: Option<Methods>,
    /// The last answer, which stays until another method is called.
    last: RefCell<Option<(LineAccess, Ways, usize)>>,
}

/// An object with those of its methods that are called.
struct Methods {
    object: Object,
    victim: Py<PyAny>,
    touch: Option<Py<PyAny>>,
    place: Option<Py<PyAny>>,
    place_last: Option<Py<PyAny>>,
}

/// The builder of a class.
pub(super) fn build(class: Arc<Class>) -> Build {
    Box::leak(Box::new(move |setup: &Setup, sets: usize, ways: usize| {
        let object = Object::new(&class, setup, &[("sets", sets), ("ways", ways)])?;
        let object = object.and_then(Methods::of);
        let made = PythonReplacement { object, ..PythonReplacement::default() };
        Ok(Box::new(made) as Box<dyn Replacement>)
    }))
}

impl Methods {
    fn of(object: Object) -> Option<Methods> {
        let method = |name| object.own_method("Replacement", name);
        let place = method("place");
        Some(Methods {
            victim: method("victim")?,
            touch: method("touch"),
            // The base class passes it on to `place`.
            place_last: method("place_last").or_else(|| method("place")),
            place,
            object,
        })
    }
}

impl PythonReplacement {
    fn notify(
        &mut self,
        method: impl Fn(&Methods) -> &Option<Py<PyAny>>,
        access: &LineAccess,
        way: usize,
    ) {
        self.last.take();
        if let Some(own) = &self.object
            && let Some(method) = method(own)
        {
            own.object.notify(method, |py| (objects::LineAccess(*access), way).into_pyobject(py));
        }
    }
}

impl Replacement for PythonReplacement {
    fn touch(&mut self, access: &LineAccess, way: usize) {
        self.notify(|own| &own.touch, access, way);
    }

    fn place(&mut self, access: &LineAccess, way: usize) {
        self.notify(|own| &own.place, access, way);
    }

    fn place_last(&mut self, access: &LineAccess, way: usize) {
        self.notify(|own| &own.place_last, access, way);
    }

    fn victim(&self, access: &LineAccess, offered: &Ways) -> usize {
        let otherwise = offered.iter().next().unwrap_or(0);
        let Some(own) = &self.object else {
            return otherwise;
        };
        if let Some((of, among, way)) = &*self.last.borrow()
            && (of, among) == (access, offered)
        {
            return *way;
        }
        let listed: Vec<usize> = offered.iter().collect();
        let arguments = (objects::LineAccess(*access), listed.clone());
        let way = own.object.call(&own.victim, otherwise, arguments, |answer| {
            let way = answer.extract::<usize>().map_err(|_| "a way".to_owned())?;
            match offered.contains(way) {
                true => Ok(way),
                false => Err(format!("one of the offered ways {listed:?}")),
            }
        });
        self.last.replace(Some((*access, offered.clone(), way)));
        way
    }
}
