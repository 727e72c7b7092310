//! Recursion in device code, which cannot be inlined.

use crate::check::state::Checker;
use crate::check::state::options::Pass;
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    /// Being visited: on the path from where the search began.
    Open,
    Done,
}

/// A function on the path of the search.
struct Step {
    function: usize,
    /// The index of its next call to follow.
    next: usize,
    /// The call that led here.
    call: Span,
}

impl Checker {
    /// Reports every cycle of calls among device functions once.
    pub(crate) fn refuse_recursion(&mut self) {
        let mut states = vec![State::New; self.functions.len()];
        for start in 0..self.functions.len() {
            if states[start] == State::New && self.is_device_function(start) {
                self.search(start, &mut states);
            }
        }
    }

    fn is_device_function(&self, index: usize) -> bool {
        let sides = self.functions[index].sides;
        // A function of both sides may call itself on the host.
        (sides.kernel || sides.device) && !matches!(self.pass, Pass::Host)
    }

    /// Follows the calls from a function; without recursion, chains of calls may be long.
    fn search(&mut self, start: usize, states: &mut [State]) {
        let call = self.functions[start].span;
        let mut path = vec![Step { function: start, next: 0, call }];
        states[start] = State::Open;
        while let Some(step) = path.last_mut() {
            let function = step.function;
            let Some(&(callee, call)) = self.functions[function].calls.get(step.next) else {
                states[function] = State::Done;
                path.pop();
                continue;
            };
            step.next += 1;
            match states[callee] {
                State::New if self.is_device_function(callee) => {
                    states[callee] = State::Open;
                    path.push(Step { function: callee, next: 0, call });
                }
                State::Open => self.report_cycle(&path, callee, call),
                _ => {}
            }
        }
    }

    fn report_cycle(&mut self, path: &[Step], callee: usize, call: Span) {
        let first = path.iter().position(|step| step.function == callee).unwrap_or(0);
        let cycle = &path[first..];
        let name = |step: &Step| format!("`{}`", self.functions[step.function].name);
        let mut names: Vec<String> = cycle.iter().take(8).map(name).collect();
        if cycle.len() > names.len() {
            names.push("...".to_owned());
        }
        names.extend(cycle.first().map(name));
        let message = format!("unsupported: recursion in device code: {}", names.join(" calls "));
        let place = self.functions[callee].span;
        let mut found = Diagnostic::error(code::UNSUPPORTED_RECURSION, place, message);
        for step in cycle.iter().skip(1).take(8) {
            found = found.secondary(step.call, format!("{} is called here", name(step)));
        }
        let first = cycle.first().map(name).unwrap_or_default();
        found = found.secondary(call, format!("{first} is called here again"));
        self.report(
            found.help(
                "device functions are inlined; use a loop, with an array as a stack if need be",
            ),
        );
    }
}
