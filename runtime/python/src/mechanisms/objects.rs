//! The values that mechanisms in Python receive.

use super::hyphened;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use reconverge_isa::{HintValues, Hints, Unit};
use reconverge_simulator::extension::allocation::{self, Token};
use reconverge_simulator::extension::prefetcher;
use reconverge_simulator::extension::scheduler::{self, oldest, youngest};
use reconverge_simulator::extension::{CandidateSet, InstructionHints, Stall};

/// Hints by name: numbers, or the names of values.
pub fn hints<'py>(py: Python<'py>, hints: Hints) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    for (hint, value) in hints.iter() {
        match hint.values {
            HintValues::Numbers { names, .. } if names.iter().any(|(_, it)| *it == value) => {
                all.set_item(hint.name, hint.text(value))?;
            }
            _ => all.set_item(hint.name, value)?,
        }
    }
    Ok(all)
}

/// A set of candidates from a list of them.
pub fn candidates(listed: &Bound<'_, PyAny>) -> PyResult<CandidateSet> {
    let mut set = 0;
    for candidate in listed.try_iter()? {
        let candidate: u32 = candidate?.extract()?;
        set |= CandidateSet::checked_shl(1, candidate).unwrap_or(0);
    }
    Ok(set)
}

/// A scheduler's candidates when it chooses.
#[pyclass(frozen, module = "reconverge")]
pub struct View {
    now: u64,
    ages: Vec<u64>,
    /// By candidate, for a scheduler that looks ahead.
    next: Option<Vec<Option<scheduler::NextInstruction>>>,
    stalls: Vec<Stall>,
}

impl View {
    /// A copy of a view.
    pub fn of(view: &scheduler::View, looks_ahead: bool) -> View {
        let all = 0..view.ages.len();
        View {
            now: view.now,
            ages: view.ages.to_vec(),
            next: looks_ahead.then(|| all.clone().map(|it| view.next(it)).collect()),
            stalls: if looks_ahead { all.map(|it| view.stall(it)).collect() } else { Vec::new() },
        }
    }

    fn check_ahead(&self) -> PyResult<()> {
        match self.next {
            Some(_) => Ok(()),
            None => Err(PyRuntimeError::new_err("the class has `looks_ahead = False`")),
        }
    }
}

#[pymethods]
impl View {
    /// The cycle.
    #[getter]
    fn now(&self) -> u64 {
        self.now
    }

    /// By candidate: grows with the arrival of its block, then with the warp's index in the block.
    #[getter]
    fn ages(&self) -> Vec<u64> {
        self.ages.clone()
    }

    /// The oldest of some candidates; `None` of none.
    fn oldest(&self, among: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
        Ok(oldest(self.known(candidates(among)?), &self.ages))
    }

    /// The youngest of some candidates; `None` of none.
    fn youngest(&self, among: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
        Ok(youngest(self.known(candidates(among)?), &self.ages))
    }

    /// The next instruction of a candidate; `None` for the warp of a mechanism, or without a path.
    fn next(&self, candidate: usize) -> PyResult<Option<NextInstruction>> {
        self.check_ahead()?;
        let next = self.next.as_ref().and_then(|next| next.get(candidate).copied().flatten());
        Ok(next.map(NextInstruction))
    }

    /// The reason for which a candidate, ready or not, does not issue, such as `memory`.
    fn stall(&self, candidate: usize) -> PyResult<String> {
        self.check_ahead()?;
        let stall = self.stalls.get(candidate).copied().unwrap_or(Stall::End);
        Ok(hyphened(&format!("{stall:?}")))
    }
}

impl View {
    /// Those candidates of a set that there are.
    fn known(&self, set: CandidateSet) -> CandidateSet {
        let count = self.ages.len() as u32;
        set & CandidateSet::MAX.checked_shr(CandidateSet::BITS - count.min(128)).unwrap_or(0)
    }
}

/// The next instruction of a candidate.
#[pyclass(frozen, module = "reconverge")]
pub struct NextInstruction(scheduler::NextInstruction);

#[pymethods]
impl NextInstruction {
    /// The instruction.
    #[getter]
    fn pc(&self) -> u32 {
        self.0.pc
    }

    /// Its unit, such as `memory`.
    #[getter]
    fn unit(&self) -> &'static str {
        let unit = Unit::ALL.iter().find(|(unit, _)| *unit == self.0.unit);
        unit.map_or("", |(_, name)| name)
    }

    /// Its effect, such as `load`.
    #[getter]
    fn effect(&self) -> String {
        hyphened(&format!("{:?}", self.0.effect))
    }

    /// The active lanes of its path, a bit each.
    #[getter]
    fn active(&self) -> u64 {
        self.0.active
    }

    /// It accesses the L1, or may.
    #[getter]
    fn accesses_cache(&self) -> bool {
        self.0.accesses_cache
    }

    /// Its hints by name.
    #[getter]
    fn hints<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        hints(py, self.0.hints)
    }
}

/// An instruction that issued.
#[pyclass(frozen, module = "reconverge")]
pub struct IssuedInstruction(pub(super) InstructionHints);

#[pymethods]
impl IssuedInstruction {
    /// The instruction.
    #[getter]
    fn pc(&self) -> u32 {
        self.0.pc
    }

    /// Its hints by name.
    #[getter]
    fn hints<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        hints(py, self.0.hints)
    }
}

/// The purpose of a cache access.
#[pyclass(frozen, module = "reconverge")]
pub struct Requester(pub(super) allocation::Requester);

#[pymethods]
impl Requester {
    /// The SM.
    #[getter]
    fn sm(&self) -> u16 {
        self.0.sm
    }

    /// The hardware warp; `None` if no warp waits for it.
    #[getter]
    fn warp(&self) -> Option<u16> {
        self.0.warp.map(|warp| warp.0)
    }

    /// The warp's token: `none`, `first` or `second`.
    #[getter]
    fn token(&self) -> &'static str {
        token_name(self.0.token)
    }

    /// The instruction, if a warp's.
    #[getter]
    fn pc(&self) -> u32 {
        self.0.pc
    }

    /// The hints of its instruction by name.
    #[getter]
    fn hints<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        hints(py, self.0.hints)
    }

    /// Lines of the L1 that the instruction accesses, at most 255; 0 if no warp waits for it.
    #[getter]
    fn lines(&self) -> u8 {
        self.0.lines
    }
}

/// The name of a token.
fn token_name(token: Token) -> &'static str {
    match token {
        Token::None => "none",
        Token::First => "first",
        Token::Second => "second",
    }
}

/// The token of a name.
pub fn token(name: &str) -> Option<Token> {
    [Token::None, Token::First, Token::Second].into_iter().find(|it| token_name(*it) == name)
}

/// An access of a line of a cache.
#[pyclass(frozen, module = "reconverge")]
pub struct LineAccess(pub(super) allocation::LineAccess);

#[pymethods]
impl LineAccess {
    /// The line's number: its address by its size, within the slice at the L2.
    #[getter]
    fn line(&self) -> u64 {
        self.0.line
    }

    /// The set that the line belongs to.
    #[getter]
    fn set(&self) -> usize {
        self.0.set
    }

    /// The requester.
    #[getter]
    fn requester(&self) -> Requester {
        Requester(self.0.requester)
    }
}

/// A warp's load, as it issues.
#[pyclass(frozen, module = "reconverge")]
pub struct LoadOfWarp(pub(super) prefetcher::LoadOfWarp);

#[pymethods]
impl LoadOfWarp {
    /// The instruction.
    #[getter]
    fn pc(&self) -> u32 {
        self.0.pc
    }

    /// The hardware warp.
    #[getter]
    fn hardware(&self) -> u16 {
        self.0.hardware.0
    }

    /// The warp's number in the grid.
    #[getter]
    fn warp(&self) -> u64 {
        self.0.warp
    }
}
