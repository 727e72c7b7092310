//! Instructions on values that are the same in all lanes of a warp, or grow evenly.

use reconverge_isa::Effect;

use super::issue::Ready;
use super::{Context, Sm};
use crate::affine::How;
use crate::decode::{Decoded, Target};
use crate::path::Lanes;
use crate::trace::End;

/// What an audit calls a result of a unit for compact values, which it knows for a moment only.
const AUDITED: u32 = 1 << 30;

impl Sm {
    /// Tags what an instruction has just written in the lanes of a mask; how it is executed.
    pub(super) fn tag(
        &mut self,
        index: usize,
        instruction: &Decoded,
        (lanes, mask): (&Lanes, u64),
        context: &Context,
    ) -> Option<How> {
        let compact = self.compact.as_mut()?;
        let threads = &self.places[index].block.threads;
        let how = compact.executed(context.code, index, instruction, threads, (lanes, mask));
        let statistics = &mut self.statistics;
        statistics.compact_expansions += u64::from(how.expansions);
        match (how.is_compact, how.is_uniform) {
            (true, true) => statistics.compact_uniform_instructions += 1,
            (true, false) => statistics.compact_affine_instructions += 1,
            _ => {}
        }
        Some(how)
    }

    /// The same of an instruction of control flow, which takes no unit.
    pub(super) fn tag_control(
        &mut self,
        index: usize,
        instruction: &Decoded,
        (lanes, mask): (&Lanes, u64),
        context: &Context,
    ) {
        let Some(compact) = &mut self.compact else {
            return;
        };
        if instruction.effect == Effect::Branch {
            let known =
                instruction.guard.is_some() && compact.has_uniform_guard(index, lanes, instruction);
            self.statistics.compact_branches += u64::from(known);
        } else if mask != 0 && instruction.target != Target::None {
            self.tag(index, instruction, (lanes, mask), context);
        }
    }

    /// An instruction that was just executed goes to a unit for compact values.
    pub(super) fn execute_compactly(
        &mut self,
        number: usize,
        (scoreboard, acted): (u16, Option<(&Lanes, u64)>),
        instruction: &Decoded,
        context: &Context,
    ) {
        let Some(compact) = &mut self.compact else {
            return;
        };
        let now = context.now;
        let start = compact.starts(now);
        let end = start + self.units[usize::from(instruction.unit)].latency;
        let ready = Ready::computed(end);
        let place = &mut self.places[usize::from(self.candidates[number].place)];
        match acted {
            None => place.scoreboards.write(scoreboard, &instruction.writes, ready),
            Some(acted) => {
                place.scoreboards.write_lanes(acted, &instruction.writes, ready, now);
            }
        }
        place.audit.loading(instruction, AUDITED);
        place.audit.loaded(AUDITED, end);
        self.front.occupy(number, ready);
        if let Some(recorder) = &mut self.recorder {
            let token = self.flights.token();
            recorder.collects(token, None);
            recorder.starts(token, start, End::Known(end));
            self.flights.end(token);
        }
    }
}
