//! Instructions with an address: areas, and places in them.

use super::chosen::Chosen;
use super::control::Maker;
use super::text::{COMMON, LOCAL_BYTES, OWN_BYTES, PARAMETER_BYTES, TABLE_BYTES, TILE_BYTES};
use reconverge_ptx::form::Holds;
use reconverge_ptx::tree::Kind;

/// A piece of memory.
#[derive(Clone, Copy)]
struct Area {
    /// A register of 64 bits with its generic address, if it has one.
    base: Option<&'static str>,
    /// A register of 32 bits with its address in the window of shared memory.
    narrow: Option<&'static str>,
    /// A variable.
    symbol: Option<&'static str>,
    bytes: usize,
}

const OWN: Area = Area { base: Some("%own"), narrow: None, symbol: None, bytes: OWN_BYTES };
const BOARD: Area =
    Area { base: Some("%board"), narrow: None, symbol: Some("board"), bytes: TABLE_BYTES };
const TILE: Area =
    Area { base: Some("%tile"), narrow: Some("%tile32"), symbol: None, bytes: TILE_BYTES };
const LOCAL: Area =
    Area { base: Some("%stack"), narrow: None, symbol: Some("stack"), bytes: LOCAL_BYTES };
const CONSTANT: Area = Area { base: None, narrow: None, symbol: Some("table"), bytes: TABLE_BYTES };
const PARAMETER: Area =
    Area { base: None, narrow: None, symbol: Some("blob"), bytes: PARAMETER_BYTES };

impl Maker {
    /// An instruction with an address, in lines; the last is the instruction itself.
    pub fn access(&mut self, chosen: &Chosen) -> Option<Vec<String>> {
        let writes = !chosen.form.operands.iter().any(|operand| operand.destination);
        let mnemonic = chosen.form.mnemonic();
        if mnemonic == "st" && chosen.has("param") {
            // The caller of a function does this.
            return None;
        }
        if ["atom", "red"].contains(&mnemonic) {
            return self.atomic(chosen);
        }
        let is_read_only =
            chosen.has("nc") || ["ldu", "prefetchu"].contains(&mnemonic) || !self.in_kernel;
        let area = match chosen.words.iter().copied().find(|word| is_space(word)) {
            _ if is_read_only && (writes || mnemonic != "ld" && mnemonic != "ldu") => {
                if !self.in_kernel { return None } else { BOARD }
            }
            Some("const") => CONSTANT,
            Some("param") if self.in_kernel => PARAMETER,
            Some("global") | None if is_read_only => BOARD,
            Some(_) if !self.in_kernel || chosen.has("nc") => return None,
            Some("global") => [OWN, BOARD][self.random.below(if writes { 1 } else { 2 })],
            Some("shared" | "shared::cta") => TILE,
            Some("local") => LOCAL,
            _ => [OWN, TILE, LOCAL, BOARD][self.random.below(if writes { 3 } else { 4 })],
        };
        let bytes = chosen.types.first.map_or(4, |ty| ty.bytes() as usize) * chosen.lanes();
        let mut lines = Vec::new();
        let is_generic = !chosen.words.iter().any(|word| is_space(word));
        let address = self.place(area, bytes, is_generic, &mut lines)?;
        self.with_address(chosen, &address, &mut lines)?;
        Some(lines)
    }

    /// Asynchronous copies to the thread's own cells of shared memory, and a wait for them.
    pub fn copy(&mut self, chosen: &Chosen) -> Option<Vec<String>> {
        if !self.in_kernel {
            return None;
        }
        if chosen.form.mnemonic() == "mbarrier" || chosen.has("mbarrier") {
            return self.phases(chosen);
        }
        let mut lines = Vec::new();
        let is_start = chosen.form.operands.len() > 1;
        let first =
            if is_start { chosen.spelled() } else { "cp.async.ca.shared.global".to_owned() };
        let policy = chosen.has("L2::cache_hint");
        // Halves of the cells, so that the copies of two groups do not overlap.
        self.start_copy(&first, policy, 0, &mut lines)?;
        lines.push("cp.async.commit_group;".to_owned());
        if self.random.chance(60) {
            self.start_copy("cp.async.ca.shared::cta.global", false, 1, &mut lines)?;
            let is_committed = self.random.chance(80);
            if is_committed {
                lines.push("cp.async.commit_group;".to_owned());
            }
            if self.random.chance(70) {
                let pending = if is_committed { 1 } else { 0 };
                lines.push(format!("cp.async.wait_group {pending};"));
                lines.push(format!("ld.shared.b32 %b32_{}, [%tile32];", self.random.below(5)));
            }
            let ends = ["cp.async.wait_all;", "cp.async.wait_group 0;"];
            lines.push(ends[if is_committed { self.random.below(2) } else { 0 }].to_owned());
        } else {
            let waits_for_all = chosen.has("wait_all");
            let end = if waits_for_all { "cp.async.wait_all;" } else { "cp.async.wait_group 0;" };
            lines.push(end.to_owned());
        }
        // A guard may be put in front of the last line, and the wait has none.
        lines.push(format!("ld.shared.b32 %b32_{}, [%tile32+16];", self.random.below(5)));
        Some(lines)
    }

    /// A barrier of the thread's own, of one or two arrivals, and tests of its phase.
    fn phases(&mut self, chosen: &Chosen) -> Option<Vec<String>> {
        let count = 1 + self.random.below(2);
        let base = ["%tile32", "%tile"][self.random.below(2)];
        let mut lines = vec![format!("mbarrier.init.shared.b64 [{base}], {count};")];
        let word = self.random.below(5);
        let pending = |word: usize| format!("mbarrier.pending_count.b64 %b32_{word}, %t64;");
        match chosen.words.first() {
            Some(&("arrive" | "arrive_drop" | "test_wait" | "try_wait"))
                if !chosen.has("expect_tx") =>
            {
                let is_test = chosen.has("test_wait") || chosen.has("try_wait");
                let own = if is_test {
                    "mbarrier.arrive.shared.b64".to_owned()
                } else {
                    chosen.spelled()
                };
                let times = if chosen.has("noComplete") { ", 1" } else { "" };
                lines.push(format!("{own} %t64, [{base}]{times};"));
                lines.push(pending(word));
                let test = match (is_test, self.random.chance(50)) {
                    (true, _) => chosen.spelled(),
                    (false, true) => "mbarrier.test_wait.parity.shared.b64".to_owned(),
                    (false, false) => "mbarrier.try_wait.shared.b64".to_owned(),
                };
                let phase = if test.contains("parity") { "0" } else { "%t64" };
                lines.push(format!("{test} %pred_{}, [{base}], {phase};", self.random.below(3)));
            }
            Some(&("expect_tx" | "complete_tx" | "arrive" | "arrive_drop")) => {
                lines.push(format!("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [{base}], 24;"));
                lines.push(format!("mbarrier.arrive.expect_tx.shared.b64 %t64, [{base}], 8;"));
                lines.push(format!(
                    "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [{base}], 32;"
                ));
                lines.push(format!(
                    "mbarrier.test_wait.shared.b64 %pred_{}, [{base}], %t64;",
                    self.random.below(3)
                ));
            }
            _ => {
                let to = format!("{base}+16");
                lines.push(format!("cp.async.ca.shared.global [{to}], [%own], 8;"));
                let noinc = if self.random.chance(50) { ".noinc" } else { "" };
                lines.push(format!("cp.async.mbarrier.arrive{noinc}.shared.b64 [{base}];"));
                lines.push(format!(
                    "mbarrier.test_wait.parity.shared.b64 %pred_{}, [{base}], 0;",
                    self.random.below(3)
                ));
            }
        }
        lines.push(format!("mbarrier.inval.shared.b64 [{base}];"));
        // The words of a barrier are its own.
        lines.push(format!("st.shared.b64 [{base}], %b64_{};", self.random.below(3)));
        lines.push(format!("ld.shared.b32 %b32_{}, [%tile32+16];", self.random.below(5)));
        Some(lines)
    }

    /// A copy to a half of the thread's cells of shared memory.
    fn start_copy(
        &mut self,
        instruction: &str,
        policy: bool,
        half: usize,
        lines: &mut Vec<String>,
    ) -> Option<()> {
        let sizes = if instruction.contains(".cg") { &[16][..] } else { &[4, 8, 16] };
        let size = sizes[self.random.below(sizes.len())];
        let mut before = Vec::new();
        let area = [OWN, BOARD][self.random.below(2)];
        let from = self.place(area, size, false, &mut before)?;
        let to = ["%tile", "%tile32"][self.random.below(2)];
        let offset = 16 * half + self.random.below(16 / size) * size;
        let mut operands = vec![format!("[{to}+{offset}]"), from, size.to_string()];
        match self.random.below(4) {
            0 => operands.push(self.random.below(size + 1).to_string()),
            1 => {
                let word = self.random.below(5);
                before.push(format!("and.b32 %t32, %b32_{word}, {};", size - 1));
                operands.push("%t32".to_owned());
            }
            2 => operands.push(format!("%pred_{}", self.random.below(2))),
            _ => {}
        }
        if policy {
            operands.push("%own".to_owned());
        }
        lines.append(&mut before);
        let guard = if self.random.chance(25) { "@!%pred_3 " } else { "" };
        lines.push(format!("{guard}{instruction} {};", operands.join(", ")));
        Some(())
    }

    /// The instruction at an address.
    fn with_address(
        &mut self,
        chosen: &Chosen,
        address: &str,
        lines: &mut Vec<String>,
    ) -> Option<()> {
        let mut operands = Vec::new();
        for operand in &chosen.form.operands {
            if operand.optional && self.random.chance(50) {
                break;
            }
            operands.push(match operand.holds {
                Holds::Address => address.to_owned(),
                _ => self.operand(chosen, operand)?,
            });
        }
        lines.push(format!("{} {};", chosen.spelled(), operands.join(", ")));
        Some(())
    }

    /// An address in an area, in brackets, for an access of some bytes. Lines before it compute it.
    fn place(
        &mut self,
        area: Area,
        bytes: usize,
        is_generic: bool,
        lines: &mut Vec<String>,
    ) -> Option<String> {
        if bytes > area.bytes {
            return None;
        }
        let slots = area.bytes / bytes;
        let offset = self.random.below(slots) * bytes;
        let may_name = area.symbol.is_some() && !is_generic;
        if may_name && (area.base.is_none() || !self.in_kernel || self.random.chance(40)) {
            return Some(format!("[{}+{offset}]", area.symbol?));
        }
        if self.random.chance(40) {
            let narrow = area.narrow.filter(|_| !is_generic && self.random.chance(50));
            return Some(format!("[{}+{offset}]", narrow.or(area.base)?));
        }
        // A register that is masked.
        let mask = (area.bytes - 1) & !(bytes - 1);
        let index = format!("%b32_{}", self.random.below(5));
        lines.push(format!("and.b32 %t32, {index}, {mask};"));
        if let Some(narrow) = area.narrow
            && !is_generic
            && self.random.chance(50)
        {
            lines.push(format!("add.s32 %t32, {narrow}, %t32;"));
            return Some("[%t32]".to_owned());
        }
        let base = area.base?;
        match self.random.chance(50) {
            true => {
                lines.push("cvt.u64.u32 %t64, %t32;".to_owned());
                lines.push(format!("add.s64 %t64, {base}, %t64;"));
            }
            false => lines.push(format!("mad.wide.u32 %t64, %t32, 1, {base};")),
        }
        Some("[%t64]".to_owned())
    }

    /// An atomic operation on an own cell, or on one of all threads by an operation whose order does not matter.
    fn atomic(&mut self, chosen: &Chosen) -> Option<Vec<String>> {
        if !self.in_kernel {
            return None;
        }
        let ty = chosen.types.first?;
        let is_shared = chosen.has("shared") || chosen.has("shared::cta");
        let orderless = ["add", "min", "max", "and", "or", "xor", "inc", "dec"];
        let is_orderless = ty.kind != Kind::Float
            && !matches!(ty.kind, Kind::FloatPair | Kind::Brain | Kind::BrainPair)
            && chosen.words.iter().any(|word| orderless.contains(word));
        let mut lines = Vec::new();
        if !is_orderless || self.cells >= COMMON || self.random.chance(30) {
            let area = match is_shared {
                true => TILE,
                false if chosen.has("global") => OWN,
                false => [OWN, TILE][self.random.below(2)],
            };
            let is_generic = !is_shared && !chosen.has("global");
            let address = self.place(area, ty.bytes() as usize, is_generic, &mut lines)?;
            self.with_address(chosen, &address, &mut lines)?;
            return Some(lines);
        }
        let cell = self.cells * 8;
        self.cells += 1;
        let in_block = is_shared || !chosen.has("global") && self.random.chance(50);
        let base = if in_block { "%commons" } else { "%commong" };
        let counts = chosen.has("inc") || chosen.has("dec");
        let mut operands = Vec::new();
        for operand in &chosen.form.operands {
            operands.push(match operand.holds {
                Holds::Address => format!("[{base}+{cell}]"),
                // The old value depends on the order.
                _ if operand.destination => "_".to_owned(),
                _ if counts => "5".to_owned(),
                _ => self.operand(chosen, operand)?,
            });
        }
        lines.push(format!("{} {};", chosen.spelled(), operands.join(", ")));
        Some(lines)
    }
}

fn is_space(word: &str) -> bool {
    ["global", "shared", "shared::cta", "local", "const", "param"].contains(&word)
}
