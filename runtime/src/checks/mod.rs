//! `--check`: the checks of a run that ends by itself, and the treatment of their findings.

mod describe;
mod ignore;
mod memory;
mod room;
mod schedules;
mod statics;
mod streams;

use crate::host::allocation::HostWrite;
use crate::host::denied::DeniedLaunch;
use crate::host::device::LaunchRequest;
use crate::host::memory::Memory;
use crate::host::order::HostAct;
use crate::host::report::{Outcome, Report};
use crate::named::named;
use crate::status;
use describe::{Describe, Whole};
pub use ignore::Ignored;
use reconverge_compiler::check::tree::Module;
use reconverge_compiler::diagnostic::{Diagnostic, Severity, code};
use reconverge_compiler::lower::{Lowered, Options};
use reconverge_compiler::syntax::{SourceMap, Span};
use reconverge_isa::{Kernel, Program};
use reconverge_simulator::Fault;
use reconverge_simulator::check::{Checker, Checks};
use schedules::BothOrders;
pub use schedules::Schedules;
pub(crate) use schedules::{Again, Otherwise};
pub use statics::Proved;
use statics::Statics;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use streams::{Race, Streams, What};

/// The most findings of a run that are shown.
pub const MOST_SHOWN: usize = 100;

named! {
    /// Something to look for.
    pub enum Check {
        All "all" "Everything but `lane-stores`",
        Races "races" "Accesses to shared or global memory, of which one writes, that nothing orders",
        Init "init" "Reads of variables and of shared or global memory that were never written",
        Barriers "barriers" "Barriers that not all threads of the block reach, or at which they stand at different ones",
        Lanes "lanes" "Masks of warp operations that name lanes which have ended, or differ among the lanes that they name",
        Bounds "bounds" "Accesses that leave the array, or other variable, that their address was made from",
        Leaks "leaks" "At the end of the program, device memory that is not freed, and errors of launches that the program has not asked for",
        LaneStores "lane-stores" "With `races`, lanes of one store that store different values to one place, of which the language keeps the highest lane's",
    }
}

/// The checks to perform.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CheckSet {
    checks: BTreeSet<Check>,
    schedules: Schedules,
    without_proofs: bool,
    ignored: Vec<Ignored>,
}

impl CheckSet {
    /// The checks with some names.
    pub fn new(checks: &[Check]) -> CheckSet {
        CheckSet { checks: checks.iter().copied().collect(), ..CheckSet::default() }
    }

    /// These checks, and other orders of each launch.
    pub fn with_schedules(self, schedules: Schedules) -> CheckSet {
        CheckSet { schedules, ..self }
    }

    /// These checks, with races searched also at accesses that are proved to be free of them.
    pub fn without_proofs(self) -> CheckSet {
        CheckSet { without_proofs: true, ..self }
    }

    /// These checks, without intended findings.
    pub fn ignoring(self, ignored: Vec<Ignored>) -> CheckSet {
        CheckSet { ignored, ..self }
    }

    /// Returns true if this check is on.
    pub fn has(&self, check: Check) -> bool {
        let in_all = check != Check::LaneStores && self.checks.contains(&Check::All);
        self.checks.contains(&check) || in_all
    }

    /// Returns true if any check is on.
    pub fn any(&self) -> bool {
        !self.checks.is_empty() || self.schedules.count != 0
    }

    /// The options of a compilation with what these checks need in the code.
    pub fn instrument(&self, options: Options) -> Options {
        let mut options = options;
        if self.has(Check::Init) {
            // Checks do not observe reads from registers.
            options.disabled.insert("promote".to_owned());
            // A selected value is one that is computed, not copied.
            options.disabled.insert("if-convert".to_owned());
        }
        Options {
            fences: self.has(Check::Races) || self.has(Check::Lanes),
            bounds: self.has(Check::Bounds),
            keep_unset: self.has(Check::Init),
            keep_ir: options.keep_ir || self.any(),
            ..options
        }
    }

    fn of_simulator(&self, memory: u64) -> Checks {
        Checks {
            races: self.has(Check::Races),
            init: self.has(Check::Init),
            barriers: self.has(Check::Barriers),
            lanes: self.has(Check::Lanes),
            bounds: self.has(Check::Bounds),
            lane_stores: self.has(Check::LaneStores),
            memory,
        }
    }
}

/// The findings of a run.
#[derive(Debug, Clone, Default)]
pub struct Findings {
    /// Each kind of fault once for each pair of lines, in the order in which they were found; at most
    /// [`MOST_SHOWN`].
    pub shown: Vec<Diagnostic>,
    /// The number of further ones.
    pub more: u64,
    /// The number of findings that were left out because the source or `--ignore` marks them as
    /// intended.
    pub ignored: u64,
    /// The values of `--ignore` that no finding fits.
    pub unused: Vec<String>,
    /// By kernel in the order of their names, if races were looked for.
    pub proved: BTreeMap<String, Proved>,
}

impl Findings {
    /// The exit status of a run that had an outcome.
    pub fn status(&self, outcome: &Outcome) -> u8 {
        match outcome.status() {
            0 if self.has_faults() => status::CHECKED,
            own => own,
        }
    }

    /// Returns true if there is a fault among them: a race in which all write the same is none, and
    /// no leak is.
    pub fn has_faults(&self) -> bool {
        self.more > 0 || self.shown.iter().any(Diagnostic::is_error)
    }
}

/// The checks of one run.
#[derive(Debug)]
pub struct Checking<'a> {
    selection: CheckSet,
    module: &'a Module,
    sources: &'a SourceMap,
    statics: Statics<'a>,
    checker: Checker,
    /// Bytes that it may take.
    room: u64,
    streams: Streams,
    /// The program makes streams.
    pub has_streams: bool,
    seen: BTreeSet<(&'static str, Span, Span)>,
    /// By value of `--ignore`, true if a finding fits it.
    used: Vec<bool>,
    findings: Findings,
}

impl<'a> Checking<'a> {
    /// Nothing has run yet.
    pub fn new(
        selection: &CheckSet,
        module: &'a Module,
        sources: &'a SourceMap,
        lowered: &'a Lowered,
    ) -> Checking<'a> {
        let room = room::available();
        Checking {
            statics: Statics::new(lowered),
            selection: selection.clone(),
            module,
            sources,
            checker: Checker::new(selection.of_simulator(room)),
            room,
            streams: Streams::new(),
            has_streams: false,
            seen: BTreeSet::new(),
            used: vec![false; selection.ignored.len()],
            findings: Findings::default(),
        }
    }

    /// Goes on with a program that has further kernels.
    pub fn extend(&mut self, module: &'a Module, sources: &'a SourceMap, lowered: &'a Lowered) {
        (self.module, self.sources) = (module, sources);
        self.statics = Statics::new(lowered);
    }

    /// The checker for the accesses of kernels, if checks need it; it has already received the
    /// host's actions.
    pub fn checker(
        &mut self,
        request: &LaunchRequest,
        memory: &mut Memory,
    ) -> Option<&mut Checker> {
        if self.selection.has(Check::Races) && !self.selection.without_proofs {
            self.checker.expect(self.statics.accesses(request));
        }
        if self.looks_at_streams(memory) {
            self.checker.record_footprint();
        }
        self.take_host_writes(memory);
        self.selection.of_simulator(0).any().then_some(&mut self.checker)
    }

    /// Passes the host's actions on device memory to the checker.
    fn take_host_writes(&mut self, memory: &mut Memory) {
        for write in memory.take_host_writes() {
            match write {
                HostWrite::Set { range, written } => self.checker.set_written(range, written),
                HostWrite::Copied { to, from, length } => self.checker.copied(to, from, length),
            }
        }
    }

    /// The parts of a range of device memory that no one has written, if reads of such are looked for.
    pub fn unwritten(&mut self, range: Range<u32>, memory: &mut Memory) -> Vec<Range<u32>> {
        if !self.selection.has(Check::Init) || memory.allocation_at(range.start).is_none() {
            return Vec::new();
        }
        self.take_host_writes(memory);
        self.checker.unwritten(range)
    }

    fn whole(&self) -> Whole<'_> {
        let (module, sources) = (self.module, self.sources);
        Whole { module, sources, program: self.statics.program() }
    }

    /// The host reads bytes that were copied from a place in device memory, some of which are
    /// unwritten.
    pub fn host_read_unwritten(&mut self, span: Span, from: u32, size: u32, memory: &Memory) {
        self.add(describe::host_read(span, from, size, self.whole(), memory));
    }

    /// A launch has ended.
    pub fn launched(&mut self, program: &Program, request: &LaunchRequest, memory: &Memory) {
        let (found, dropped) = self.checker.take_findings();
        self.findings.more += dropped;
        if self.selection.has(Check::Races) && !self.selection.without_proofs {
            let proved = self.statics.launched(&request.name, &self.checker);
            let all = self.findings.proved.entry(request.name.clone()).or_insert(proved);
            all.proved = all.proved.min(proved.proved);
        }
        if let Some(footprint) = self.checker.take_footprint() {
            let (what, stream) = (What::Kernel(request.name.clone()), request.stream);
            let (allocated, span) = (allocated(memory), request.span);
            let races = self.streams.add(stream, what, span, footprint, allocated, self.sources);
            races.into_iter().for_each(|race| self.add_race(&race, memory));
        }
        let Some(kernel) = program.kernel(&request.name) else {
            return;
        };
        let (module, sources) = (self.module, self.sources);
        let ir = self.statics.kernel(&request.name);
        let describe = Describe { module, sources, program, kernel, ir, request, memory };
        let told: Vec<_> = found.iter().filter_map(|finding| describe.finding(finding)).collect();
        let races: BTreeSet<_> =
            told.iter().filter(|it| it.code == code::RACE).map(lines).collect();
        // If an access races beyond a warp, it does not only rely on lock-step. If values differ,
        // equal ones need not be named.
        let is_less = |it: &Diagnostic| {
            [code::LOCK_STEP, code::RACE_SAME_VALUE].contains(&it.code)
                && races.contains(&lines(it))
        };
        told.into_iter().filter(|it| !is_less(it)).for_each(|diagnostic| self.add(diagnostic));
    }

    /// Why the launch that has just ended was not checked to its end, if memory for it has run out.
    pub fn exhausted(&self, kernel: &Kernel, memory: &Memory) -> Option<Report> {
        let allocated = allocated(memory) as u64;
        self.checker.is_exhausted().then(|| room::report(kernel, allocated, self.room))
    }

    /// The findings so far.
    pub fn findings_mut(&mut self) -> &mut Findings {
        &mut self.findings
    }

    /// The findings.
    pub fn into_findings(self) -> Findings {
        let both = self.selection.ignored.iter().zip(self.used);
        let unused = both.filter(|(_, used)| !used).map(|(ignored, _)| ignored.to_string());
        Findings { unused: unused.collect(), ..self.findings }
    }

    /// Returns true if operations of the device may overlap each other, or actions of the host.
    fn looks_at_streams(&self, memory: &Memory) -> bool {
        self.selection.has(Check::Races) && (self.has_streams || memory.has_managed())
    }

    /// An action of the host that orders operations of the device.
    pub fn host_acts(&mut self, act: &HostAct, memory: &Memory) {
        if self.looks_at_streams(memory) {
            let races = self.streams.act(act, allocated(memory), self.sources);
            races.into_iter().for_each(|race| self.add_race(&race, memory));
        }
    }

    /// Returns true if the host conflicts with a kernel that it has not waited for, when it reads
    /// or writes a range.
    pub fn host_touches(&mut self, range: Range<u32>, writes: bool) -> bool {
        self.streams.host_touches(range, writes)
    }

    /// The place of the host's last checked action.
    pub fn host_raced(&mut self, span: Span, memory: &Memory) {
        if let Some(race) = self.streams.host_raced(span, self.sources) {
            self.add_race(&race, memory);
        }
    }

    fn add_race(&mut self, race: &Race, memory: &Memory) {
        self.add(describe::race_of_streams(race, self.whole(), memory));
    }

    /// Other orders to try of each launch.
    pub fn schedules(&self) -> Schedules {
        self.selection.schedules
    }

    /// A launch has succeeded, and is tried in other orders. Returns the error that stops it in
    /// one, if there is one. `go_on` decides if the trials continue.
    pub(crate) fn in_other_orders(
        &mut self,
        again: &Again,
        program: &Program,
        kernel: &Kernel,
        request: &LaunchRequest,
        memory: &mut Memory,
        go_on: &mut (dyn FnMut() -> bool + Send),
    ) -> Option<Fault> {
        let (module, sources) = (self.module, self.sources);
        let ir = self.statics.kernel(&request.name);
        let element = |memory: &Memory, address| {
            Describe { module, sources, program, kernel, ir, request, memory }
                .element_at(memory, address)
        };
        let schedules = self.schedules();
        let found = again.in_other_orders(kernel, schedules, memory, &element, go_on)?;
        match found {
            Otherwise::Stopped(fault) => Some(fault),
            Otherwise::Memory { address, bytes, usual, other, number } => {
                let after = memory.device_parts().0.to_vec();
                let describe = Describe { module, sources, program, kernel, ir, request, memory };
                let bytes = BothOrders { usual: after.as_slice(), other: bytes.as_slice() };
                let stores = BothOrders { usual: &*usual, other: &*other };
                self.add(describe.memory_differs(address, bytes, stores, number));
                None
            }
        }
    }

    /// A launch that goes well stops in another order.
    pub(crate) fn stops(&mut self, request: &LaunchRequest, report: &Report) {
        let span = report.span.unwrap_or(request.span);
        let message = format!(
            "in another order of its threads the kernel stops: {}\n  in kernel '{}'",
            report.message, request.name
        );
        let found = report
            .notes
            .iter()
            .fold(Diagnostic::error(code::ORDER, span, message), |found, note| {
                found.note(note.clone())
            });
        self.add(found.help("blocks and warps may start and run in any order; only those of a cooperative launch are all there at once"));
    }

    /// The program has ended; `denied` is its last launch that did not start.
    pub fn ended(&mut self, memory: &Memory, denied: Option<&DeniedLaunch>) {
        if !self.selection.has(Check::Leaks) {
            return;
        }
        for allocation in memory.allocations().filter(|it| it.span.is_some()) {
            let Some(span) = allocation.span else {
                continue;
            };
            let what = memory::described(&allocation, self.module, self.sources, None);
            let message = format!("device memory is not freed: {what}");
            let found = Diagnostic::error(code::LEAK, span, message)
                .label("allocated here")
                .help("free it with `cudaFree` before the program ends");
            self.add(Diagnostic { severity: Severity::Note, ..found });
        }
        if let Some(denied) = denied.filter(|denied| !denied.asked) {
            let found = denied.diagnostic();
            self.add(Diagnostic { severity: Severity::Error, ..found });
        }
    }

    /// Adds findings that are new at these lines.
    fn add(&mut self, diagnostic: Diagnostic) {
        let (first, second) = lines(&diagnostic);
        let is_known = diagnostic.code == code::LOCK_STEP
            && self.seen.contains(&(code::RACE.id(), first, second));
        if is_known || !self.seen.insert((diagnostic.code.id(), first, second)) {
            return;
        }
        if self.is_intended(&diagnostic) {
            self.findings.ignored += 1;
            return;
        }
        match self.findings.shown.len() < MOST_SHOWN {
            true => self.findings.shown.push(diagnostic),
            false => self.findings.more += 1,
        }
    }
}

impl Checking<'_> {
    /// Returns true if a comment at one of a finding's places, or `--ignore`, marks it as intended.
    fn is_intended(&mut self, found: &Diagnostic) -> bool {
        let mut is_intended = false;
        for label in std::iter::once(&found.primary).chain(found.secondary.first()) {
            for (ignored, used) in self.selection.ignored.iter().zip(&mut self.used) {
                if ignored.fits(found.code, label.span, self.sources) {
                    (*used, is_intended) = (true, true);
                }
            }
            is_intended |= ignore::is_marked(found.code, label.span, self.sources);
        }
        is_intended
    }
}

/// The two places that a finding is about, the lower one first.
fn lines(found: &Diagnostic) -> (Span, Span) {
    let first = found.primary.span;
    let second = found.secondary.first().map_or(first, |label| label.span);
    (first.min(second), first.max(second))
}

/// Bytes of device memory that are allocated.
fn allocated(memory: &Memory) -> usize {
    memory.allocations().map(|allocation| allocation.range.len()).sum()
}
