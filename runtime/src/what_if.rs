//! The measurements of launches without causes of lost time (`--what-if`), over the launches of a run.

use crate::causes::{Gain, Launched, Step, steps};
use crate::kernel_record::KernelRecord;
use crate::numbers::grouped;
use reconverge_isa::wording::counted;

/// The gain without a cause over some launches; `None` if none of them was measured without it.
pub fn gain(launches: &[&KernelRecord], cause: &'static str) -> Option<Gain> {
    let (mut as_it_is, mut without, mut is_partial, mut reason) = (0, 0, false, None);
    for launched in launches.iter().filter_map(|record| record.what_if.as_deref()) {
        match launched.alone.iter().find(|it| it.cause == cause).map(|it| &it.cycles) {
            Some(Ok(cycles)) => {
                as_it_is += launched.cycles;
                without += cycles;
                is_partial |= launched.blocks.is_some();
            }
            Some(Err(why)) => reason = reason.or(Some(why.clone())),
            None => {}
        }
    }
    match as_it_is {
        0 => reason.map(|why| Gain { cause, change: 0.0, is_partial, unmeasured: Some(why) }),
        all => {
            let change = without as f64 / all as f64 - 1.0;
            Some(Gain { cause, change, is_partial, unmeasured: None })
        }
    }
}

/// The launch of each kernel that was measured and takes the most cycles.
pub fn longest(records: &[KernelRecord]) -> Vec<(&KernelRecord, &Launched)> {
    let mut found: Vec<(&KernelRecord, &Launched)> = Vec::new();
    for record in records {
        let Some(launched) = record.what_if.as_deref() else { continue };
        match found.iter_mut().find(|(known, _)| known.name == record.name) {
            Some(known) if known.1.cycles < launched.cycles => *known = (record, launched),
            Some(_) => {}
            None => found.push((record, launched)),
        }
    }
    found
}

/// The cycles of each kernel's longest launch without its causes of lost time, as text; nothing for none.
pub fn text(records: &[KernelRecord]) -> String {
    let mut text = String::new();
    for (record, launched) in longest(records) {
        let of = match launched.blocks {
            Some(blocks) => format!("the first {} of `{}`", counted(blocks, "block"), record.name),
            None => format!("`{}`", record.name),
        };
        text +=
            &format!("cycles of {of}, with one cause of lost time after the other taken away:\n");
        let steps = steps(launched);
        let widest = steps.iter().map(|step| step.words.chars().count()).max().unwrap_or(0);
        for Step { words, cycles, change } in steps {
            let line = format!("  {words:widest$}  {:>11}  {change:>8}", grouped(cycles));
            text += line.trim_end();
            text.push('\n');
        }
    }
    text
}
