//! Barriers, votes, shuffles: what threads do together, where all of them pass.

use super::chosen::Chosen;
use super::control::Maker;
use reconverge_ptx::tree::Kind;

impl Maker {
    /// An instruction of the threads of a block or warp together, in lines; `None` if an operand is unknown here.
    pub fn together(&mut self, chosen: &Chosen) -> Option<Vec<String>> {
        let is_barrier =
            ["bar", "barrier"].contains(&chosen.form.mnemonic()) && !chosen.has("warp");
        if is_barrier {
            return self.barrier(chosen);
        }
        if !self.may_use_lanes {
            return None;
        }
        self.lanes = true;
        let has_mask = chosen.form.operands.iter().any(|operand| operand.name == "mask");
        // A mask of some lanes, which are the only ones that execute this.
        let some = (has_mask && self.random.chance(20)).then(|| self.random.draw() as u32 | 1);
        let mut operands = Vec::new();
        for operand in &chosen.form.operands {
            operands.push(match (operand.name, some) {
                ("mask", Some(some)) => format!("{some:#x}"),
                ("mask", None) => ["-1", "0xffffffff"][self.random.below(2)].to_owned(),
                _ => self.operand(chosen, operand)?,
            });
        }
        let text = format!("{} {};", chosen.spelled(), operands.join(", ")).replace(" ;", ";");
        let mut lines = Vec::new();
        let mut guard = String::new();
        if let Some(some) = some {
            lines.push(format!("shr.u32 %t32, {some:#x}, %laneid;"));
            lines.push("and.b32 %t32, %t32, 1;".to_owned());
            lines.push("setp.ne.u32 %test, %t32, 0;".to_owned());
            guard = "@%test ".to_owned();
        } else if !has_mask {
            // Lanes whose paths have parted meet before.
            lines.push("bar.warp.sync -1;".to_owned());
        }
        lines.push(format!("{guard}{text}"));
        Some(lines)
    }

    fn barrier(&mut self, chosen: &Chosen) -> Option<Vec<String>> {
        let mut operands = Vec::new();
        for operand in chosen.form.operands.iter().filter(|operand| !operand.optional) {
            let ty = chosen.types.operand(operand.holds)?;
            operands.push(match operand.name {
                "a" => self.random.below(4).to_string(),
                _ if operand.destination || ty.kind == Kind::Predicate => {
                    self.operand(chosen, operand)?
                }
                // A count of threads.
                _ => return None,
            });
        }
        let text = format!("{} {};", chosen.spelled(), operands.join(", ")).replace(" ;", ";");
        (!chosen.has("arrive")).then(|| vec![text])
    }

    /// Each thread stores to shared memory, all meet, each reads what another one stored, and all meet again.
    pub fn exchange(&mut self) -> String {
        let (stored, read) = (self.random.below(5), self.random.below(5));
        let (factor, more) = (1 + 2 * self.random.below(4), self.random.below(32));
        format!(
            "st.shared.b32 [%tile32], %b32_{stored};\n\
             bar.sync 0;\n\
             mad.lo.u32 %t32, %thread, {factor}, {more};\n\
             rem.u32 %t32, %t32, %threads;\n\
             mad.lo.u32 %t32, %t32, {}, %tiles;\n\
             ld.shared.b32 %b32_{read}, [%t32];\n\
             bar.sync 0;",
            super::text::TILE_BYTES
        )
    }
}
