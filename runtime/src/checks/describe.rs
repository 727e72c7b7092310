//! The findings of the simulator's checker, as diagnostics.

use super::memory::described;
use super::streams::{Race, Side, What};
use crate::host::device::LaunchRequest;
use crate::host::memory::Memory;
use crate::host::report::triple;
use reconverge_compiler::analysis::legality::span_at;
use reconverge_compiler::check::tree::Module;
use reconverge_compiler::diagnostic::{Code, Diagnostic, code};
use reconverge_compiler::ir::Function;
use reconverge_compiler::lower::{local_variable, shared_variable};
use reconverge_compiler::syntax::{SourceMap, Span};
use reconverge_isa::wording::counted;
use reconverge_isa::{Kernel, LOCAL_BASE, Program, SHARED_BASE, Space, WINDOW_SIZE};
use reconverge_simulator::check::{Action, Distance, Finding, FindingKind, Party, Place};

/// The advice about barriers.
const REACH_BARRIERS: &str = "let all threads of the block reach every `__syncthreads()`; put conditions around the work between barriers";

/// The data about the launch that findings refer to.
pub(super) struct Describe<'a> {
    pub module: &'a Module,
    pub sources: &'a SourceMap,
    pub program: &'a Program,
    pub kernel: &'a Kernel,
    /// The kernel after the passes, if it is known.
    pub ir: Option<&'a Function>,
    pub request: &'a LaunchRequest,
    pub memory: &'a Memory,
}

impl Describe<'_> {
    /// The diagnostic of a finding; none if it is no fault after all.
    pub fn finding(&self, finding: &Finding) -> Option<Diagnostic> {
        let place = finding.place;
        let span = self.span(place.pc);
        let start = |code: Code, message: &str| self.start(place, code, message);
        Some(match finding.kind {
            FindingKind::Race { .. } => self.race(&finding.kind)?,
            FindingKind::LaneStores { space, address, first, second } => {
                let message = "lanes of one store instruction write different values to one place";
                start(code::LOCK_STEP, message)
                    .label(format!("{}, {}", self.told(first), self.told(second)))
                    .note(self.where_in(space, address))
                    .help("let one lane store: CUDA does not define which lane's value stays; here the highest lane's does")
            }
            FindingKind::Uninitialised { .. } => self.uninitialised(finding)?,
            FindingKind::Unawaited { space, address, copy, access } => {
                let what = noun(access);
                let message = format!(
                    "{what} meets bytes of shared memory that an asynchronous copy may still write"
                );
                let copier =
                    if copy.thread == place.thread { "it".to_owned() } else { self.thread(copy) };
                start(code::UNAWAITED, &message)
                    .label(self.told(access))
                    .secondary(self.span(copy.pc), format!("{copier} started the copy here"))
                    .note(self.where_in(space, address))
                    .help("let the copying thread commit its group and wait for it, and put a barrier after the wait for other threads")
            }
            FindingKind::OutsideObject { .. } => self.outside_object(finding)?,
            FindingKind::BarrierMissed { ended } => {
                let ends = format!("{} ends here", self.thread(ended));
                start(code::BARRIER, "a thread of the block has ended before this barrier")
                    .label("the others wait here")
                    .secondary(self.span(ended.pc), ends)
                    .help(REACH_BARRIERS)
            }
            FindingKind::BarrierParted { missing } => {
                let missing = self.thread(missing);
                start(code::BARRIER, "a barrier opens before a thread of the warp reaches it")
                    .label(format!("other threads of the warp wait here, {missing} does not"))
                    .note("this machine counts warps at barriers; GPUs since Volta count threads, so the barrier waits for this one")
                    .help(REACH_BARRIERS)
            }
            FindingKind::BarrierStuck { missing } => {
                let missing = self.thread(missing);
                start(
                    code::BARRIER,
                    "a thread of the warp does not reach this barrier, which never opens",
                )
                .label(format!("other threads of the warp wait here, {missing} does not"))
                .help(REACH_BARRIERS)
            }
            FindingKind::BarrierMixed { other } => {
                let there = self.span(other.pc);
                if there == span {
                    return None;
                }
                let text = format!("while {} waits here", self.thread(other));
                start(code::BARRIER, "threads of a block wait at different barriers")
                    .label("waits here")
                    .secondary(there, text)
                    .help("let all threads of the block reach the same `__syncthreads()`")
            }
            FindingKind::LaneEnded { mask, ended } => {
                let lanes = match (ended.count_ones(), ended.trailing_zeros()) {
                    (1, lane) => format!("lane {lane}, which has ended"),
                    (count, lane) => {
                        format!("{count} lanes that have ended, the first of them {lane}")
                    }
                };
                let message = format!("the mask {mask:#010x} names {lanes}");
                start(code::LANES, &message)
                    .help("compute the mask by `__ballot_sync` from the lanes that take part, after the others have returned")
            }
            FindingKind::LaneOutside { mask, from } => {
                let names = mask.checked_shr(from).is_some_and(|rest| rest & 1 != 0);
                let why = match names {
                    true => "which does not take part".to_owned(),
                    false => format!("which the mask {mask:#010x} does not name"),
                };
                start(code::LANES, &format!("a value is taken from lane {from}, {why}"))
                    .help("name that lane in the mask, or take the value from a lane that the mask names: CUDA does not define this value")
            }
            FindingKind::LaneMasks { mask, other, other_mask } => {
                let other = self.thread(other);
                let message = format!(
                    "the mask {mask:#010x} names a lane whose own mask is {other_mask:#010x}"
                );
                start(code::LANES, &message)
                    .note(format!("the other lane is {other}"))
                    .help("pass the same mask in all lanes that it names")
            }
        })
    }

    /// The first lines of a finding, at the place of a thread.
    fn start(&self, place: Place, code: Code, message: &str) -> Diagnostic {
        let name = &self.request.name;
        let at = format!("{message}\n  in kernel '{name}', {}", self.thread(place));
        Diagnostic::error(code, self.span(place.pc), at)
    }

    /// A read of memory without a value.
    fn uninitialised(&self, finding: &Finding) -> Option<Diagnostic> {
        let FindingKind::Uninitialised { space, address, size, copied } = finding.kind else {
            return None;
        };
        let span = self.span(finding.place.pc);
        let bytes = counted(size.into(), "byte");
        let (message, place) = match self.local_variable(space, address) {
            Some((name, 0, whole)) if whole == size => {
                (format!("`{name}` is read before it is written"), None)
            }
            Some(_) => {
                let message = format!("read of {bytes} of a local variable that was never written");
                (message, Some(self.where_in(space, address)))
            }
            None => {
                let message = format!("read of {bytes} of memory that was never written");
                (message, Some(self.where_in(space, address)))
            }
        };
        let found = self.start(finding.place, code::UNINITIALISED, &message).label("read here");
        let found = place.into_iter().fold(found, Diagnostic::note);
        let there = copied.map(|pc| self.span(pc)).filter(|&there| there != span);
        let found = there.into_iter().fold(found, |found, there| {
            found.secondary(there, "copied here, already without a value")
        });
        Some(found.help("write it first; C leaves the value undefined, and here it is 0"))
    }

    /// An access outside the object that its address is made of.
    fn outside_object(&self, finding: &Finding) -> Option<Diagnostic> {
        let FindingKind::OutsideObject { address, start: object, count } = finding.kind else {
            return None;
        };
        let offset = i64::from(address.wrapping_sub(object) as i32);
        let where_to = match offset < 0 {
            true => {
                format!("{} before its array begins", counted(offset.unsigned_abs(), "byte"))
            }
            false => {
                let past = counted((offset + 1 - i64::from(count)).unsigned_abs(), "byte");
                format!("{past} past the end of its array")
            }
        };
        let found = self
            .start(finding.place, code::OBJECT, &format!("an access reaches {where_to}"))
            .note(format!("the array begins at {}", self.at_address(object)))
            .note(format!("the access begins at {}", self.at_address(address)))
            .help("compare the index with the array's length first");
        Some(found)
    }

    fn race(&self, kind: &FindingKind) -> Option<Diagnostic> {
        let &FindingKind::Race { space, address, first, second, distance, same_value } = kind
        else {
            return None;
        };
        let whom = match distance {
            Distance::Warp => "another lane of the warp",
            Distance::Block => "another warp of the block",
            Distance::Grid => "another block",
        };
        let (now, before) = (noun(second), noun(first));
        let memory = if space == Space::Shared { "shared" } else { "global" };
        let message = match (same_value, distance) {
            (false, Distance::Warp) => format!(
                "race in {memory} memory: only lockstep execution orders {now} and {before} by {whom}"
            ),
            (false, _) => {
                format!("race in {memory} memory: {now} and {before} by {whom} are unordered")
            }
            (true, _) => format!("{now} and {before} of the same value by {whom} are unordered"),
        };
        let message = format!("{message}\n  in kernel '{}'", self.request.name);
        let span = self.span(second.place.pc);
        let found = match (same_value, distance) {
            (false, Distance::Warp) => Diagnostic::error(code::LOCK_STEP, span, message),
            (false, _) => Diagnostic::error(code::RACE, span, message),
            (true, _) => Diagnostic::warning(code::RACE_SAME_VALUE, span, message),
        };
        let there = self.span(first.place.pc);
        let found = found.label(self.told(second)).secondary(there, self.told(first));
        Some(found.note(self.where_in(space, address)).help(advice(
            distance,
            space,
            [first, second],
        )))
    }

    /// "block (1,0,0), thread (3,0,0) writes 0x00000005".
    fn told(&self, party: Party) -> String {
        let verb = match party.action {
            Action::Read => "reads",
            Action::Write => "writes",
            Action::Atomic if party.value.is_none() => "executes an atomic",
            Action::Atomic => "executes an atomic that reads",
        };
        let digits = 2 * party.size as usize + 2;
        let value = party.value.map(|value| format!(" {value:#0digits$x}"));
        format!("{} {verb}{}", self.thread(party.place), value.unwrap_or_default())
    }

    pub(super) fn thread(&self, place: Place) -> String {
        format!("block {}, thread {}", triple(place.block), triple(place.thread))
    }

    /// The local variable that an address lies in, where in it, and its bytes.
    fn local_variable(&self, space: Space, address: u32) -> Option<(&str, u32, u32)> {
        let (variable, offset) =
            local_variable(self.ir.filter(|_| space == Space::Local)?, address)?;
        Some((&variable.name, offset, variable.size))
    }

    /// The place of a generic address in memory.
    fn at_address(&self, address: u32) -> String {
        let offset = |base: u32| address.checked_sub(base).filter(|&offset| offset < WINDOW_SIZE);
        match (offset(SHARED_BASE), offset(LOCAL_BASE)) {
            (Some(offset), _) => self.where_in(Space::Shared, offset),
            (_, Some(offset)) => self.where_in(Space::Local, offset),
            _ => self.where_in(Space::Global, address),
        }
    }

    /// A place in memory, by the program's names for it.
    pub(super) fn where_in(&self, space: Space, address: u32) -> String {
        match space {
            Space::Shared => match shared_variable(self.module, self.request.kernel, address) {
                Some((name, offset, span)) => {
                    let (file, line) = (self.sources.name(span.file), self.sources.line(span));
                    format!("byte {offset} of `{name}` in shared memory, declared at {file}:{line}")
                }
                None => format!("byte {address} of shared memory"),
            },
            Space::Local => match self.local_variable(space, address) {
                Some((name, offset, _)) => {
                    format!("byte {offset} of `{name}` in the thread's local memory")
                }
                None => format!("byte {address} of the thread's local memory"),
            },
            _ => {
                let Describe { module, sources, program, .. } = *self;
                let whole = Whole { module, sources, program };
                in_global(whole, self.memory, address)
            }
        }
    }

    /// The source of an instruction; that of the launch if it has none.
    pub(super) fn span(&self, pc: u32) -> Span {
        let location = self.kernel.lines.get(pc as usize);
        let found = location.and_then(|at| span_at(self.sources, &self.program.files, *at));
        found.unwrap_or(self.request.span)
    }
}

/// The program, its sources, and its kernels.
#[derive(Clone, Copy)]
pub(super) struct Whole<'a> {
    pub module: &'a Module,
    pub sources: &'a SourceMap,
    pub program: &'a Program,
}

/// The place of an address in global memory, by the program's names for it.
fn in_global(whole: Whole, memory: &Memory, address: u32) -> String {
    let Whole { module, sources, program } = whole;
    let mut variables = program.variables.iter();
    let holds = |start: u32, size: u32| address.wrapping_sub(start) < size;
    if let Some(variable) = variables.find(|it| holds(it.address, it.size)) {
        let offset = address - variable.address;
        return format!("byte {offset} of `{}` in global memory", variable.name);
    }
    match memory.allocation_at(address) {
        Some(allocation) => described(&allocation, module, sources, Some(address)),
        None => format!("address {address:#010x}"),
    }
}

/// The host reads bytes that were copied from device memory, where no one has written them.
pub(super) fn host_read(
    span: Span,
    from: u32,
    size: u32,
    whole: Whole,
    memory: &Memory,
) -> Diagnostic {
    let bytes = counted(size.into(), "byte");
    let message =
        format!("the host reads {bytes} copied from device memory that was never written");
    Diagnostic::error(code::UNINITIALISED, span, message)
        .label("read here")
        .note(format!("copied from {}", in_global(whole, memory, from)))
        .help("let a kernel, `cudaMemcpy` or `cudaMemset` write it first")
}

/// Two operations of different streams, or of a stream and the host, that conflict.
pub(super) fn race_of_streams(race: &Race, whole: Whole, memory: &Memory) -> Diagnostic {
    let Race { address, first, second } = race;
    let name = |side: &Side| match &side.what {
        What::Kernel(name) => format!("kernel '{name}'"),
        What::Copy => "the copy".to_owned(),
        What::Fill => "the fill".to_owned(),
        What::Host => "the host".to_owned(),
    };
    let verb = |side: &Side| if side.writes { "writes" } else { "reads" };
    let told = |side: &Side| match &side.stream {
        Some(stream) => format!("{}, in {stream}, {} it", name(side), verb(side)),
        None => format!("{} {} it", name(side), verb(side)),
    };
    let message = format!(
        "{} {} what {} {}, without waiting for it",
        name(second),
        verb(second),
        name(first),
        verb(first)
    );
    let found = Diagnostic::error(code::STREAMS, second.span, message)
        .label(told(second))
        .secondary(first.span, told(first));
    let found = found.note(in_global(whole, memory, *address));
    found.help(match second.what {
        What::Host => "call `cudaStreamSynchronize`, `cudaDeviceSynchronize` or `cudaEventSynchronize` before this access",
        _ => "let the second stream wait for an event of the first (`cudaEventRecord`, `cudaStreamWaitEvent`), or use one stream for both",
    })
}

fn noun(party: Party) -> &'static str {
    match (party.action, party.volatile || party.narrow) {
        (Action::Read, false) => "a read",
        (Action::Write, false) => "a write",
        (Action::Read, true) => "a volatile read",
        (Action::Write, true) => "a volatile write",
        (Action::Atomic, false) => "an atomic",
        (Action::Atomic, true) => "a block-scope atomic",
    }
}

/// The synchronisation that would order two accesses.
fn advice(distance: Distance, space: Space, parties: [Party; 2]) -> &'static str {
    let weak = |party: &&Party| party.action != Action::Atomic && !party.volatile;
    let strong = parties.iter().filter(weak).count() < 2;
    let sizes = !parties.iter().any(|party| weak(&party)) && parties[0].size != parties[1].size;
    let narrow = distance == Distance::Grid && parties.iter().any(|party| party.narrow);
    match (distance, space) {
        _ if sizes => {
            "access the place with one size: atomic and volatile accesses of different sizes race with each other"
        }
        (Distance::Warp, _) => {
            "put `__syncwarp()` between the two; shuffles and votes order no memory accesses, and GPUs since Volta do not run lanes in lockstep"
        }
        (Distance::Block, _) if strong => {
            "make both accesses atomic, or put `__syncthreads()` between the two"
        }
        (Distance::Block, _) => "put `__syncthreads()` between the two",
        (Distance::Grid, _) if narrow => {
            "use the atomic without the suffix `_block`, which covers only the threads of its own block"
        }
        (Distance::Grid, _) if strong => {
            "make both accesses atomic, or put `__threadfence()` and an atomic or volatile write after the first, \
             and let the other block read that write before the second"
        }
        (Distance::Grid, _) => {
            "put the second access into a later launch, or put `__threadfence()` and an atomic or volatile write after \
             the first, and let the other block read that write before the second"
        }
    }
}
