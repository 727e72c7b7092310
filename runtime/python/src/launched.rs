//! A finished launch: its measurements and diagnostics.

use crate::machine::Chosen;
use crate::module::program_name;
use crate::raise;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use reconverge::build_arguments::BuildArguments;
use reconverge::checks;
use reconverge::energy;
use reconverge::execute::ModelName;
use reconverge::findings::{self, Finding};
use reconverge::kernel_record::KernelRecord;
use reconverge::report;
use reconverge::session;
use reconverge::study::provenance::Provenance;
use reconverge_compiler::diagnostic;
use reconverge_report::page::{self, Header};
use reconverge_report::table;
use std::sync::Arc;

/// A launch: its measurements and diagnostics.
#[pyclass(frozen, module = "reconverge")]
pub struct Launch {
    /// The machine that it ran on.
    pub(crate) chosen: Chosen,
    /// The program, as it was compiled for the machine.
    pub(crate) program: Arc<session::Module>,
    /// The compiler's options.
    pub(crate) compile: BuildArguments,
    /// With time, without, or from the source.
    pub(crate) ran: ModelName,
    /// The measurements.
    pub(crate) record: KernelRecord,
    /// Arguments as a reader would write them.
    pub(crate) arguments: Vec<String>,
    /// The kernel's printed output.
    pub(crate) printed: String,
    /// The findings of checks.
    pub(crate) found: checks::Findings,
    /// The error that stopped it, over its source; empty if it ended by itself.
    pub(crate) stopped: String,
    /// The objects of mechanisms in Python.
    pub(crate) objects: Vec<Py<PyAny>>,
}

#[pymethods]
impl Launch {
    /// The kernel's name.
    #[getter]
    fn kernel(&self) -> &str {
        &self.record.name
    }

    /// Blocks of the grid along x, y and z.
    #[getter]
    fn grid(&self) -> (u32, u32, u32) {
        self.record.grid.into()
    }

    /// Threads of a block along x, y and z.
    #[getter]
    fn block(&self) -> (u32, u32, u32) {
        self.record.block.into()
    }

    /// The machine with all its settings, as a dictionary.
    #[getter]
    fn machine<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.chosen.dictionary(py)
    }

    /// `timing`, `functional` or `reference`.
    #[getter]
    fn model(&self) -> &'static str {
        self.ran.name()
    }

    /// Simulated cycles; `None` but for the timing model.
    #[getter]
    fn cycles(&self) -> Option<u64> {
        let statistics = self.record.statistics.as_ref()?;
        (self.ran == ModelName::Timing).then_some(statistics.cycles)
    }

    /// Every statistic by name, with its unit, including energy if the machine has values for it;
    /// empty under the reference model.
    #[getter]
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let values = PyDict::new(py);
        if let Some(statistics) = &self.record.statistics {
            for (name, value) in statistics.counters() {
                values.set_item(name, value)?;
            }
            for (name, value) in statistics.ratios() {
                values.set_item(name, value)?;
            }
            for (name, value) in energy::figures(statistics, self.record.energy.as_ref()) {
                values.set_item(name, value)?;
            }
        }
        py.import("reconverge._stats")?.getattr("Stats")?.call1((values,))
    }

    /// The kernel's printed output.
    #[getter]
    fn output(&self) -> &str {
        &self.printed
    }

    /// The findings of `check`, as `Diagnostic`s.
    #[getter]
    fn checks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        raise::diagnostics(py, &self.found.shown, &self.program.checked().sources)
    }

    /// The objects of mechanisms in Python, in the order in which they were made.
    #[getter]
    fn mechanisms(&self, py: Python<'_>) -> Vec<Py<PyAny>> {
        self.objects.iter().map(|object| object.clone_ref(py)).collect()
    }

    /// A digest of device memory after the launch, hexadecimal; `None` of one that was stopped.
    #[getter]
    fn memory(&self) -> Option<String> {
        self.record.memory.map(|digest| format!("{digest:016x}"))
    }

    /// The most expensive parts, most expensive first, as `Finding`s; empty without `profile`, or
    /// without time.
    #[getter]
    fn findings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let json = serde_json::to_string(&self.all_findings());
        let json = json.map_err(|error| PyValueError::new_err(error.to_string()))?;
        py.import("reconverge._stats")?.getattr("findings")?.call1((json,))
    }

    /// The page of `--html` as a text; `report()` shows it.
    fn html(&self, py: Python<'_>) -> PyResult<String> {
        if self.ran != ModelName::Timing || self.record.profile.is_none() {
            return Err(PyValueError::new_err(
                "a report needs the timing model, and a launch with `profile=True`",
            ));
        }
        py.detach(|| self.page()).map_err(|error| raise::wrong(&error))
    }

    /// The page of `--html`, which a notebook shows, and which `save` writes to a file.
    fn report<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let html = self.html(py)?;
        py.import("reconverge._report")?.getattr("Report")?.call1((html,))
    }

    fn __repr__(&self) -> String {
        let (name, machine) = (&self.record.name, &self.chosen.machine.name);
        let shape = |[x, y, z]: [u32; 3]| match (y, z) {
            (1, 1) => x.to_string(),
            (_, 1) => format!("{x}×{y}"),
            _ => format!("{x}×{y}×{z}"),
        };
        let (grid, block) = (shape(self.record.grid), shape(self.record.block));
        let took = self.cycles().map_or(format!("{} model", self.ran.name()), |cycles| {
            let stopped = if self.record.complete { "" } else { " until it was stopped" };
            format!("{cycles} cycles{stopped}")
        });
        format!("<Launch {name}, {grid} × {block} on {machine}: {took}>")
    }

    /// The table and the findings, as `reconverge run` shows them.
    fn __str__(&self) -> String {
        let records = std::slice::from_ref(&self.record);
        let machine = (self.ran == ModelName::Timing).then_some(&self.chosen.machine);
        let table = table::text(&report::table(records, machine));
        match table.is_empty() {
            true => self.__repr__(),
            false => (table + &findings::text(&self.all_findings())).trim_end().to_owned(),
        }
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let text = py.import("html")?.call_method1("escape", (self.__str__(),))?;
        Ok(format!("<pre style=\"line-height: 1.2\">{text}</pre>"))
    }
}

impl Launch {
    fn all_findings(&self) -> Vec<Finding> {
        if self.ran != ModelName::Timing || self.record.profile.is_none() || !self.record.complete {
            return Vec::new();
        }
        let (records, sources) =
            (std::slice::from_ref(&self.record), &self.program.checked().sources);
        findings::findings(records, self.program.lowered(), &self.chosen.machine, sources)
    }

    fn page(&self) -> anyhow::Result<String> {
        let (machine, checked) = (&self.chosen.machine, self.program.checked());
        let provenance = Provenance {
            program: program_name(&self.program),
            arguments: self.arguments.clone(),
            ..Provenance::new(checked, &self.compile, machine, &self.chosen.text)?
        };
        let header = Header::new(&self.call(), &machine.name, &provenance, &self.chosen.file);
        page::run::text(&page::run::Subject {
            header,
            stopped: self.stopped.clone(),
            checks: diagnostic::render(&self.found.shown, &checked.sources, false),
            machine,
            records: std::slice::from_ref(&self.record),
            lowered: self.program.lowered(),
            sources: &checked.sources,
            findings: &self.all_findings(),
        })
    }

    /// The call, without parts that no number depends on.
    fn call(&self) -> String {
        let of = |extents: [u32; 3]| format!("{extents:?}").replace('[', "(").replace(']', ")");
        let mut words =
            vec![format!("{:?}", self.record.name), of(self.record.grid), of(self.record.block)];
        words.extend(self.arguments.iter().cloned());
        words.push(format!("machine={:?}", self.chosen.machine.name));
        if !self.chosen.sets.is_empty() {
            let sets = self.chosen.sets.iter();
            let sets: Vec<String> =
                sets.map(|(key, value)| format!("{key:?}: {value:?}")).collect();
            words.push(format!("settings={{{}}}", sets.join(", ")));
        }
        format!("module.launch({})", words.join(", "))
    }
}
