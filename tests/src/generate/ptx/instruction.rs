//! An instruction of a row: modifiers and operands at random.

use super::chosen::{Chosen, OPTIONAL};
use super::control::Maker;
use reconverge_ptx::form::{Form, Holds, Operand, Types};
use reconverge_ptx::tree::{Kind, Type};

impl Maker {
    /// Modifiers of a form at random.
    pub fn choose(&mut self, form: &'static Form) -> Chosen {
        let random = &mut self.random;
        let words = form.modifiers(|words, optional| {
            let is_there = !optional || random.chance(OPTIONAL);
            is_there.then(|| words[random.below(words.len())])
        });
        let types = Types::of(words.iter().copied());
        Chosen { form, words, types }
    }

    /// An instruction that computes, in lines; the last is the instruction itself. `None` if it has an operand that no
    /// register holds.
    pub fn computed(&mut self, chosen: &Chosen) -> Option<Vec<String>> {
        let mut lines = Vec::new();
        let mut operands = Vec::new();
        let carries = chosen.has("cc");
        if ["addc", "subc", "madc"].contains(&chosen.form.mnemonic()) {
            // An instruction just before sets the carry.
            let (a, b) = (self.register(u32_type(), false)?, self.register(u32_type(), false)?);
            let setter = if self.random.chance(50) { "add.cc.u32" } else { "sub.cc.u32" };
            lines.push(format!("{setter} %t32, {a}, {b};"));
        }
        if chosen.form.operands.iter().any(|operand| operand.holds == Holds::Move) {
            return Some(vec![self.moved(chosen)?]);
        }
        // A selected destination keeps parts of the optional source.
        let mut keeps = false;
        let negates = !chosen.has("po") && self.random.chance(30);
        let negated = ["a", "b", "c"][self.random.below(3)];
        for operand in &chosen.form.operands {
            if operand.optional && !keeps {
                break;
            }
            // Constants have neither selectors nor signs.
            let mut shown = self.operand(chosen, operand)?;
            let is_register = shown.strip_prefix('%').and_then(|name| name.split_once('_'));
            if is_register.is_some_and(|(ty, _)| Type::find(ty).is_some()) {
                let is_whole = !chosen.form.operands.iter().any(|operand| operand.optional);
                let may_select = !operand.destination || !is_whole || operand.selects != Some(1);
                if let Some(selector) = self.selector(operand).filter(|_| may_select) {
                    keeps |= operand.destination;
                    shown = format!("{shown}.{selector}");
                }
                if operand.negated && negates && operand.name == negated {
                    shown.insert(0, '-');
                }
            }
            operands.push(shown);
        }
        lines.push(format!("{} {};", chosen.spelled(), operands.join(", ")).replace(" ;", ";"));
        if carries && self.random.chance(70) {
            // The carry becomes visible.
            let register = self.register(u32_type(), false)?;
            lines.push(format!("addc.u32 {register}, {register}, 0;"));
        }
        Some(lines)
    }

    /// A selector for an operand that admits one, in half of the cases.
    fn selector(&mut self, operand: &Operand) -> Option<String> {
        let parts = operand.selects.filter(|_| self.random.chance(50))? as usize;
        if parts == 1 {
            let names = ["b0", "b1", "b2", "b3", "h0", "h1"];
            return Some(names[self.random.below(names.len())].to_owned());
        }
        let mut digits = if parts == 2 { "h".to_owned() } else { "b".to_owned() };
        if operand.destination {
            let mask = 1 + self.random.below((1 << parts) - 1);
            let chosen = (0..parts).rev().filter(|part| mask >> part & 1 != 0);
            digits.extend(chosen.map(|part| part.to_string()));
        } else {
            (0..parts).for_each(|_| digits += &self.random.below(2 * parts).to_string());
        }
        Some(digits)
    }

    /// An operand of an instruction, other than an address.
    pub fn operand(&mut self, chosen: &Chosen, operand: &Operand) -> Option<String> {
        if operand.holds == Holds::Constant {
            return Some(self.random.below(256).to_string());
        }
        let ty = chosen.types.operand(operand.holds)?;
        let lanes = chosen.lanes();
        if lanes > 1 && operand.vector {
            let mut each: Vec<String> = Vec::new();
            for _ in 0..lanes {
                // Destinations differ: which of two values stays is open.
                let mut register = self.register(ty, operand.wider)?;
                for _ in 0..20 {
                    if !each.contains(&register) {
                        break;
                    }
                    register = self.register(ty, operand.wider)?;
                }
                let repeated = operand.destination && each.contains(&register);
                each.push(if repeated { "_".to_owned() } else { register });
            }
            return Some(format!("{{{}}}", each.join(", ")));
        }
        if operand.vector && self.random.chance(10) {
            // The only element in braces, as Triton writes it.
            return Some(format!("{{ {} }}", self.register(ty, operand.wider)?));
        }
        if !operand.destination {
            return self.source(ty, operand);
        }
        let register = self.register(ty, operand.wider)?;
        if operand.pair && self.random.chance(50) {
            let mut second = self.predicate();
            if second == register || self.random.chance(10) {
                second = "_".to_owned();
            }
            return Some(format!("{register}|{second}"));
        }
        Some(register)
    }

    /// `mov`: a copy, a special register, or a vector as one value.
    fn moved(&mut self, chosen: &Chosen) -> Option<String> {
        let ty = chosen.types.first?;
        let spelled = chosen.spelled();
        let whole = self.register(ty, false)?;
        let count = if ty.bits == 64 && self.random.chance(50) { 4 } else { 2 };
        let element = Type::find(&format!("b{}", usize::from(ty.bits) / count));
        let element = element.filter(|element| element.bits >= 16);
        match (self.random.below(4), element) {
            (0, Some(element)) => {
                let each: Option<Vec<String>> =
                    (0..count).map(|_| self.register(element, false)).collect();
                Some(format!("{spelled} {whole}, {{{}}};", each?.join(", ")))
            }
            (1, Some(element)) => {
                let mut each: Vec<String> = Vec::new();
                for _ in 0..count {
                    let register = self.register(element, false)?;
                    let repeated = each.contains(&register);
                    each.push(if repeated { "_".to_owned() } else { register });
                }
                Some(format!("{spelled} {{{}}}, {whole};", each.join(", ")))
            }
            _ => {
                let plain = chosen.form.operands.iter().find(|operand| !operand.destination)?;
                let from = self.source(ty, plain)?;
                Some(format!("{spelled} {whole}, {from};"))
            }
        }
    }
}

fn u32_type() -> Type {
    Type { kind: Kind::Unsigned, bits: 32, name: "u32" }
}
