//! The mapping of a channel's addresses to its banks.
//!
//! A machine file describes it in words, from the highest bits of the address within the channel to
//! the lowest: `row bank:2 group:1 column:4 group:1 column:2`. The bytes of a burst are below; the
//! row has all remaining bits. Fields of one kind are put together in their order. A bank's number
//! is its group's, then its own within the group.

use crate::machine::{BankHash, Dram};
use reconverge_isa::nearest::hint;

/// The place of a channel's address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DramAddress {
    pub(super) bank: u8,
    pub(super) group: u8,
    pub(super) row: u64,
}

/// Some adjacent bits of an address.
#[derive(Clone, Copy, Debug)]
struct Field {
    /// Its lowest bit.
    shift: u32,
    bits: u32,
}

#[derive(Clone, Debug)]
pub(crate) struct Mapping {
    /// The lowest bit of the row.
    row: u32,
    groups: Vec<Field>,
    banks: Vec<Field>,
    /// Bits of the bank's number within the group.
    bank_bits: u32,
    bank_mask: u64,
    hash: BankHash,
}

const KINDS: [&str; 4] = ["row", "bank", "group", "column"];

impl Mapping {
    /// Reads a channel's mapping. The error is a sentence that names the key.
    pub(crate) fn new(dram: &Dram, line: u32) -> Result<Mapping, String> {
        let wrong = |what: String| format!("`dram.mapping`: {what}");
        let mut words = dram.mapping.split_whitespace();
        if words.next() != Some("row") {
            return Err(wrong("it must begin with `row`, which has the highest bits".to_string()));
        }
        let fields: Vec<(&str, u32)> =
            words.map(field).collect::<Result<_, String>>().map_err(wrong)?;
        let bits = |kind: &str| -> u32 {
            fields.iter().filter(|(found, _)| *found == kind).map(|(_, bits)| bits).sum()
        };
        let (group_bits, bank_bits) =
            (dram.bank_groups.ilog2(), (dram.banks / dram.bank_groups).ilog2());
        for (kind, found, expected) in
            [("group", bits("group"), group_bits), ("bank", bits("bank"), bank_bits)]
        {
            if found != expected {
                return Err(wrong(format!(
                    "its `{kind}` fields have {found} bits; {} banks in {} groups need {expected}",
                    dram.banks, dram.bank_groups
                )));
            }
        }
        let inside = line.max(dram.atom()).ilog2() - dram.atom().ilog2();
        let lowest = fields.last().filter(|(kind, _)| *kind == "column").map_or(0, |field| field.1);
        if lowest < inside {
            return Err(wrong(format!(
                "a line of {line} bytes must lie in one row: the lowest field must be `column:{inside}` \
                 or larger"
            )));
        }
        let mut shift = dram.atom().ilog2();
        let (mut groups, mut banks) = (Vec::new(), Vec::new());
        for (kind, bits) in fields.into_iter().rev() {
            match kind {
                "group" => groups.push(Field { shift, bits }),
                "bank" => banks.push(Field { shift, bits }),
                _ => {}
            }
            shift += bits;
        }
        Ok(Mapping {
            row: shift,
            groups,
            banks,
            bank_bits,
            bank_mask: u64::from(dram.banks) - 1,
            hash: dram.bank_hash,
        })
    }

    /// The place of an address within the channel.
    pub(super) fn locate(&self, address: u64) -> DramAddress {
        let row = address >> self.row;
        let within = gather(&self.banks, address);
        let mut bank = gather(&self.groups, address) << self.bank_bits | within;
        if self.hash == BankHash::Xor {
            bank ^= row & self.bank_mask;
        }
        DramAddress { bank: bank as u8, group: (bank >> self.bank_bits) as u8, row }
    }
}

/// The bits of some fields, the lowest field first.
fn gather(fields: &[Field], address: u64) -> u64 {
    let mut shift = 0;
    let mut value = 0;
    for field in fields {
        value |= (address >> field.shift & ((1 << field.bits) - 1)) << shift;
        shift += field.bits;
    }
    value
}

fn field(word: &str) -> Result<(&str, u32), String> {
    let Some((kind, bits)) = word.split_once(':') else {
        return Err(format!("`{word}` must say how many bits it has, as in `column:6`"));
    };
    if !KINDS[1..].contains(&kind) {
        let near = hint(kind, KINDS[1..].iter().copied());
        return Err(format!("unknown field `{kind}`, there are bank, group and column{near}"));
    }
    match bits.parse() {
        Ok(bits @ 1..=16) => Ok((kind, bits)),
        _ => Err(format!("`{word}` must have 1 to 16 bits")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::load::load_machine;

    fn mapping(text: &str, hash: &str) -> Result<Mapping, String> {
        let sets = [("dram.mapping", text), ("dram.bank-hash", hash)];
        let sets = sets.map(|(key, value)| (key.to_string(), value.to_string()));
        let machine = load_machine("gtx480", &sets)?;
        Mapping::new(&machine.dram, machine.l2.line)
    }

    #[test]
    fn fields_in_pieces() {
        // Bursts of 64 bytes: column bits 6 and 7, group bit 8, columns 9 to 12, group bit 13, banks
        // 14 and 15, row from 16 on.
        let mapping = mapping("row bank:2 group:1 column:4 group:1 column:2", "none").unwrap();
        let place = |address: u64| {
            let at = mapping.locate(address);
            (at.row, at.bank, at.group)
        };
        assert_eq!(place(0), (0, 0, 0));
        assert_eq!(place(0xff), (0, 0, 0));
        assert_eq!(place(0x100), (0, 0b0100, 1));
        assert_eq!(place(0x1eff), (0, 0, 0));
        assert_eq!(place(0x2000), (0, 0b1000, 2));
        assert_eq!(place(0x4000), (0, 0b0001, 0));
        assert_eq!(place(0x8000), (0, 0b0010, 0));
        assert_eq!(place(0x3_0000), (3, 0, 0));
        assert_eq!(place(1 << 40), (1 << 24, 0, 0));
    }

    #[test]
    fn hashed_banks() {
        let mapping = mapping("row bank:2 group:2 column:6", "xor").unwrap();
        // Bank 5 of rows 0, 1 and 18 (whose low four bits are 2).
        let address = |row: u64| row << 16 | 0b0101 << 12;
        let banks = [0, 1, 18].map(|row| mapping.locate(address(row)).bank);
        // The address has bank bits 01 and group bits 01: number 0101.
        assert_eq!(banks, [0b0101, 0b0100, 0b0111]);
    }

    #[test]
    fn what_is_wrong() {
        let error = |text: &str| mapping(text, "none").expect_err("it is wrong");
        assert!(error("bank:4").contains("begin with `row`"));
        assert!(error("row bank column:6").contains("how many bits"));
        assert!(error("row bnak:2 group:2 column:6").contains("did you mean `bank`?"));
        assert!(error("row bank:2 group:2 column:x").contains("1 to 16 bits"));
        assert!(error("row bank:3 group:2 column:6").contains("have 3 bits"));
        assert!(error("row column:6 bank:2 group:2").contains("a line of 128 bytes"));
    }
}
