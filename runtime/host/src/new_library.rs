//! `new` and `delete`: host memory that remembers how it was allocated.

use super::environment::HostEnvironment;
use super::report::Report;
use crate::interpreter::environment::Interrupt;
use reconverge_compiler::check::builtin::Builtin;

impl HostEnvironment<'_> {
    /// Calls `new` or `delete`; `None` for others.
    pub(super) fn new_library(
        &mut self,
        builtin: Builtin,
        arguments: &[u64],
    ) -> Result<Option<u64>, Interrupt> {
        let get = |index: usize| arguments.get(index).copied().unwrap_or(0);
        Ok(Some(match builtin {
            Builtin::New => self.new_memory(get(0), get(1), get(2) != 0)?,
            Builtin::Delete => self.delete(get(0) as u32, get(1) != 0)?,
            _ => return Ok(None),
        }))
    }

    fn new_memory(&mut self, count: u64, size: u64, array: bool) -> Result<u64, Interrupt> {
        let Some(address) = self.memory.host().allocate(count.saturating_mul(size)) else {
            let mut report = Report::new("`new` finds no memory");
            if let Some(denied) = self.call_at.and_then(|span| self.memory.note_denied(span)) {
                report.message = format!("`new` finds no memory: {}", denied.why());
                report.help = Some(denied.help());
            }
            return Err(Interrupt::trap(report));
        };
        self.made_by_new.insert(address, array);
        Ok(address.into())
    }

    fn delete(&mut self, address: u32, array: bool) -> Result<u64, Interrupt> {
        if address == 0 {
            return Ok(0);
        }
        let name = |array: bool| if array { "delete[]" } else { "delete" };
        match self.made_by_new.get(&address) {
            Some(&made) if made == array => {
                self.made_by_new.remove(&address);
                if let Some(range) = self.memory.host().allocation_from(address) {
                    self.unwritten.remove(range);
                    self.look();
                }
                self.memory.host().free(address);
                Ok(0)
            }
            Some(&made) => {
                let (form, right) = (if made { "new[]" } else { "new" }, name(made));
                let message = format!("{} of {address:#010x}, which is from {form}", name(array));
                let help = format!("write `{right}`");
                Err(Interrupt::trap(Report::new(message).with_help(help)))
            }
            None => {
                let message =
                    format!("{} of {address:#010x}, which is not from `new`", name(array));
                let help = "it was deleted before, or comes from elsewhere";
                Err(Interrupt::trap(Report::new(message).with_help(help)))
            }
        }
    }

    /// Refuses `free` and `realloc` for memory from `new`.
    pub(super) fn require_not_new(&self, what: &str, address: u32) -> Result<(), Interrupt> {
        let Some(array) = self.made_by_new.get(&address) else {
            return Ok(());
        };
        let right = if *array { "delete[]" } else { "delete" };
        let message = format!("{what} of {address:#010x}, which is from `new`");
        Err(Interrupt::trap(Report::new(message).with_help(format!("write `{right}`"))))
    }
}
