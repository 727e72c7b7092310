//! The printed output of kernels' threads: gathered while the kernel runs, text when it has ended.

use super::memory::Memory;
use super::printf::{self, Arguments, c_string, kernel_string};
use super::report::Report;
use crate::interpreter::bytecode::ArgumentClass;
use std::collections::BTreeMap;

/// Words that the threads of a launch may print: 16 MiB.
pub const MOST_WORDS: usize = 4 << 20;

/// A call of `printf`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printed {
    /// The address of the format.
    pub format: u32,
    /// The classes of the values.
    pub classes: Vec<ArgumentClass>,
    /// The values.
    pub values: Vec<u64>,
}

/// The calls of a launch, by block and by thread, and those of a thread in its order.
#[derive(Clone, Debug, Default)]
pub struct Buffer {
    calls: BTreeMap<(u64, u32), Vec<Printed>>,
    words: usize,
}

impl Buffer {
    /// Adds a call of a thread; false when there is no room.
    pub fn add(&mut self, block: u64, thread: u32, call: Printed) -> bool {
        let long =
            |class: &&ArgumentClass| matches!(class, ArgumentClass::Long | ArgumentClass::Double);
        let count = call.classes.len();
        let more = call.classes.iter().filter(long).count();
        self.words += 2 + count.div_ceil(8) + count + more;
        if self.words > MOST_WORDS {
            // The order of the calls depends on the order of threads: none is shown.
            self.calls.clear();
            return false;
        }
        self.calls.entry((block, thread)).or_default().push(call);
        true
    }

    /// All calls, in the order in which they are printed.
    pub fn take(&mut self) -> Vec<Printed> {
        self.words = 0;
        std::mem::take(&mut self.calls).into_values().flatten().collect()
    }
}

/// The text of calls, those before a faulty one too.
///
/// # Errors
/// A call that reads a missing argument.
pub fn text(memory: &mut Memory, calls: &[Printed]) -> (Vec<u8>, Result<(), Report>) {
    let mut all = Vec::new();
    for call in calls {
        let mut arguments = Arguments::of_kernel(&call.classes, &call.values);
        let format = kernel_string(memory, call.format, None).map(<[u8]>::to_vec);
        match format.and_then(|format| printf::format(memory, &format, &mut arguments)) {
            Ok(text) => all.extend(text),
            Err(mut report) => {
                report.notes.push("in what the kernel printed".to_owned());
                return (all, Err(report));
            }
        }
    }
    (all, Ok(()))
}

/// The message of a failed assertion with this text.
pub fn assertion(memory: &mut Memory, text: u32) -> String {
    match c_string(memory, text, None) {
        Ok(text) => format!("assertion `{}` failed", String::from_utf8_lossy(text)),
        Err(_) => "an assertion failed".to_owned(),
    }
}

/// The report for output that exceeds its limit.
pub fn overflow() -> Report {
    let message = format!("the kernel prints more than {} MiB", MOST_WORDS >> 18);
    Report::new(message).with_help("what a kernel prints is kept until it has ended; print less")
}
