//! Barriers, votes, shuffles: what threads do together, where all of them pass.

use super::chosen::Chosen;
use super::control::Maker;
use reconverge_ptx::form::Holds;

impl Maker {
    /// An instruction of the threads of a block or warp together, in lines; `None` if an operand is unknown here.
    pub fn together(&mut self, chosen: &Chosen) -> Option<Vec<String>> {
        if ["ldmatrix", "stmatrix", "movmatrix"].contains(&chosen.form.mnemonic()) {
            return self.matrix(chosen);
        }
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

    /// A barrier of all threads, with or without their count.
    fn barrier(&mut self, chosen: &Chosen) -> Option<Vec<String>> {
        if chosen.has("arrive") {
            return self.may_use_lanes.then(|| self.hand_over(chosen));
        }
        let is_counted = self.may_use_lanes && self.random.chance(40);
        self.lanes |= is_counted;
        let mut operands = Vec::new();
        for operand in chosen.form.operands.iter().filter(|it| is_counted || !it.optional) {
            operands.push(match operand.name {
                "a" => self.random.below(if is_counted { 16 } else { 4 }).to_string(),
                "b" => "%whole".to_owned(),
                _ => self.operand(chosen, operand)?,
            });
        }
        let text = format!("{} {};", chosen.spelled(), operands.join(", ")).replace(" ;", ";");
        Some(vec![text])
    }

    /// Every second warp stores to shared memory and arrives; the others wait, and read.
    fn hand_over(&mut self, chosen: &Chosen) -> Vec<String> {
        self.lanes = true;
        let (reads, end) = (self.label(), self.label());
        let (stored, read) = (self.random.below(5), self.random.below(5));
        // The barrier that follows has number 0.
        let number = 1 + self.random.below(15);
        let text = format!(
            "and.b32 %t32, %thread, 32;\nsetp.ne.u32 %test, %t32, 0;\n@%test bra {reads};\n\
             st.shared.b32 [%tile32], %b32_{stored};\n{} {number}, %whole;\nbra {end};\n\
             {reads}:\nbar.sync {number}, %whole;\nsub.u32 %t32, %tile32, {};\n\
             ld.shared.b32 %b32_{read}, [%t32];\n{end}:\nbar.sync 0;",
            chosen.spelled(),
            32 * super::text::TILE_BYTES
        );
        text.lines().map(str::to_owned).collect()
    }

    /// Matrices of the rows in shared memory that the lanes of a warp have. A row of a lane that has ended is not read.
    fn matrix(&mut self, chosen: &Chosen) -> Option<Vec<String>> {
        let accesses = chosen.form.mnemonic() != "movmatrix";
        if !self.may_use_lanes || self.warps.have_exits || !self.warps.are_whole {
            return None;
        }
        self.lanes = true;
        self.warps.have_matrices = true;
        let mut operands = Vec::new();
        for operand in &chosen.form.operands {
            operands.push(match operand.holds {
                Holds::Address => {
                    let is_generic = !chosen.has("shared") && !chosen.has("shared::cta");
                    let base = if is_generic { "%tile" } else { "%tile32" };
                    format!("[{base}+{}]", 16 * self.random.below(2))
                }
                _ => self.operand(chosen, operand)?,
            });
        }
        let text = format!("{} {};", chosen.spelled(), operands.join(", "));
        // Rows are complete before, and stay until all lanes have read them.
        Some(match accesses {
            true => vec!["bar.warp.sync -1;".to_owned(), text, "bar.warp.sync -1;".to_owned()],
            false => vec!["bar.warp.sync -1;".to_owned(), text],
        })
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
