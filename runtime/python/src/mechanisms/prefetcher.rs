//! Prefetchers in Python: the step of a load. The buffer beside the L1 is that of the other prefetchers.

use super::launch::Object;
use super::{Class, attribute, mechanism, objects};
use pyo3::prelude::*;
use reconverge_simulator::Mechanism;
use reconverge_simulator::extension::prefetcher::{Build, LoadOfWarp, STATISTICS, by_step, list};
use reconverge_simulator::extension::{Setup, Table, add_late};
use std::sync::Arc;

/// Adds a class to the slot.
pub(super) fn add(name: &str, class: Arc<Class>) -> Result<(), String> {
    let own = mechanism(name, build(class));
    add_late(&list::MECHANISMS, Mechanism { statistics: STATISTICS, ..own })
}

/// The builder of a class.
fn build(class: Arc<Class>) -> Build {
    Box::leak(Box::new(move |setup: &Setup| {
        let mut options = Table::new();
        for name in ["lines", "distance", "degree"] {
            options.insert(name.to_owned(), attribute::<i64>(&class, name)?.into());
        }
        options.insert("throttle".to_owned(), attribute::<bool>(&class, "throttle")?.into());
        let object = Object::new(&class, setup, &[])?;
        let own =
            object.and_then(|object| Some((object.own_method("Prefetcher", "step")?, object)));
        let step = move |load: LoadOfWarp, address: u64, line: u32| {
            let (method, object) = own.as_ref()?;
            let arguments = (objects::LoadOfWarp(load), address, line);
            object.call(method, None, arguments, |answer| {
                answer.extract::<Option<i64>>().map_err(|_| "bytes or None".to_owned())
            })
        };
        by_step(&options, Box::new(step)).map_err(|error| format!("`{}`: {error}", class.name))
    }))
}
