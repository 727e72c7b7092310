//! Requests of a program that were denied: launches beyond a limit of the machine, and memory.

use reconverge_compiler::diagnostic::{Diagnostic, Severity, code};
use reconverge_compiler::syntax::Span;
use reconverge_compiler::wording::{counted_grouped, grouped};

/// A launch that did not start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeniedLaunch {
    /// The launch.
    pub span: Span,
    /// CUDA's sentence for its error.
    pub error: &'static str,
    /// The limit that it exceeds, if that is the reason.
    pub limit: Option<Limit>,
    /// True if the program has read the error.
    pub asked: bool,
}

/// A limit, its value and the requested value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limit {
    /// A sentence without its full stop: `2,048 threads per block; the machine allows 1,024`.
    pub sentence: String,
    /// The correction, if it is not obvious.
    pub help: Option<String>,
}

impl Limit {
    /// A limit that only its sentence explains.
    pub fn new(sentence: String) -> Limit {
        Limit { sentence, help: None }
    }
}

impl DeniedLaunch {
    /// A warning if the program does not check the launch for errors, else a note.
    pub fn diagnostic(&self) -> Diagnostic {
        let why = match &self.limit {
            Some(limit) => format!("{}: {}", self.error, limit.sentence),
            None => self.error.to_owned(),
        };
        let found = match self.asked {
            false => {
                let text = format!("the program does not check this launch for errors: {why}");
                Diagnostic::warning(code::UNCHECKED_ERROR, self.span, text)
            }
            true => note(self.span, format!("this launch was denied: {why}")),
        };
        let found = found.label("the kernel did not run");
        match self.limit.as_ref().and_then(|limit| limit.help.clone()) {
            Some(help) => found.help(help),
            None if self.asked => found,
            None => found.help("call `cudaGetLastError()` after the launch, and test its result"),
        }
    }
}

/// A call that found no memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoMemory {
    /// The call.
    pub span: Span,
    /// The requested bytes.
    pub bytes: u64,
    /// True for host memory, false for device memory.
    pub on_host: bool,
    /// The bytes that were free.
    pub free: u64,
    /// All bytes of this memory.
    pub capacity: u64,
    /// The bytes that this memory may have.
    pub most: u64,
}

impl NoMemory {
    /// The request and the available memory.
    pub fn why(&self) -> String {
        let side = if self.on_host { "host" } else { "device" };
        format!(
            "{} asked for; {} of the {side}'s {} are free",
            counted_grouped(self.bytes, "byte"),
            grouped(self.free),
            counted_grouped(self.capacity, "byte")
        )
    }

    /// Advice for more memory, or the reason why there cannot be more.
    pub fn help(&self) -> String {
        let needed = (self.capacity - self.free).saturating_add(self.bytes);
        let most = counted_grouped(self.most, "byte");
        match self.on_host {
            true if needed < self.most => {
                format!("give host code more memory with `--host-memory BYTES`, at most {most}")
            }
            true => format!(
                "use a smaller problem: host addresses have 32 bits, so `--host-memory` allows at most {most}"
            ),
            false => "use a smaller problem: managed and page-locked memory count as the device's"
                .to_owned(),
        }
    }

    /// A note for a program that has ended.
    pub fn diagnostic(&self) -> Diagnostic {
        note(self.span, format!("this call found no memory: {}", self.why())).help(self.help())
    }
}

/// The last requests of a program that were denied.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Denied {
    /// The last launch that did not start.
    pub launch: Option<DeniedLaunch>,
    /// The last call that found no memory.
    pub memory: Option<NoMemory>,
}

impl Denied {
    /// Notes about them. With `is_checked`, a check has reported the launch.
    pub fn diagnostics(&self, is_checked: bool) -> Vec<Diagnostic> {
        let launch = self.launch.iter().filter(|launch| launch.asked || !is_checked);
        let launch = launch.map(DeniedLaunch::diagnostic);
        launch.chain(self.memory.iter().map(NoMemory::diagnostic)).collect()
    }
}

fn note(span: Span, text: String) -> Diagnostic {
    let found = Diagnostic::warning(code::DENIED, span, text);
    Diagnostic { severity: Severity::Note, ..found }
}
