//! Tags of the values that a warp has in each of its registers, after Collange et al.

use crate::execute::lanes::lanes_of;
use crate::program::code::Code;
use crate::program::decoded::Decoded;
use crate::program::operands::Target;

/// The tag of the values of a warp's threads, for those that have not ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tag {
    /// All are the same.
    Uniform,
    /// They grow evenly from lane to lane, modulo 2³².
    Affine,
    /// Nothing: a vector.
    Generic,
}

/// The tags of a block's registers and predicates.
#[derive(Clone, Debug, Default)]
pub(super) struct Tags {
    /// By warp, register, then predicate.
    tags: Vec<Tag>,
    registers: usize,
    entries: usize,
}

impl Tags {
    /// A block starts. Nothing is known of registers that have not been written.
    pub(super) fn reset(&mut self, code: &Code) {
        self.registers = code.registers;
        self.entries = code.registers + code.predicates;
        self.tags.clear();
        self.tags.resize(code.shape.warps() as usize * self.entries, Tag::Generic);
    }

    fn register(&self, warp: usize, register: u16) -> usize {
        warp * self.entries + usize::from(register)
    }

    fn predicate(&self, warp: usize, predicate: u16) -> usize {
        warp * self.entries + self.registers + usize::from(predicate)
    }

    /// The tag of `words` registers. Affine values have 32 bits.
    pub(super) fn of_register(&self, warp: usize, index: u16, words: u8) -> Tag {
        let at = self.register(warp, index);
        match &self.tags[at..at + usize::from(words)] {
            [tag] => *tag,
            tags if tags.iter().all(|&tag| tag == Tag::Uniform) => Tag::Uniform,
            _ => Tag::Generic,
        }
    }

    /// The tag of a predicate: uniform or generic.
    pub(super) fn of_predicate(&self, warp: usize, index: u16) -> Tag {
        self.tags[self.predicate(warp, index)]
    }

    /// Returns true if a register is in the file of scalar and affine values, not in the banks of
    /// vectors.
    pub(super) fn is_compact(&self, warp: usize, register: u16) -> bool {
        self.tags[self.register(warp, register)] != Tag::Generic
    }

    /// All threads of a warp that have not ended write a result.
    pub(super) fn write(&mut self, warp: usize, target: Target, tag: Tag) {
        match target {
            Target::None => {}
            Target::Register { index, words } => {
                let at = self.register(warp, index);
                self.tags[at..at + usize::from(words)].fill(tag);
            }
            Target::Predicate(index) => {
                let at = self.predicate(warp, index);
                self.tags[at] = tag;
            }
        }
    }

    /// Some threads of a warp write a result. Returns the number of registers to expand first,
    /// because the other threads keep their values.
    pub(super) fn write_in_part(&mut self, warp: usize, target: Target) -> u32 {
        let expanded = match target {
            Target::Register { index, words } => (index..index + u16::from(words))
                .filter(|&register| self.is_compact(warp, register))
                .count(),
            _ => 0,
        };
        self.write(warp, target, Tag::Generic);
        expanded as u32
    }
}

/// The tag of some words, by lane, in the lanes of a mask. One or two lanes are always affine.
pub(super) fn tag_of(values: impl Fn(usize) -> u32, mask: u64) -> Tag {
    let mut lanes = lanes_of(mask);
    let Some(first) = lanes.next() else {
        return Tag::Uniform;
    };
    let base = values(first);
    if lanes_of(mask).all(|lane| values(lane) == base) {
        return Tag::Uniform;
    }
    // The step between neighbours; where there are none, every other lane leaves several steps open.
    let neighbours = lanes_of(mask).find(|&lane| mask >> lane & 0b11 == 0b11);
    let Some(neighbour) = neighbours else {
        return Tag::Affine;
    };
    let step = values(neighbour + 1).wrapping_sub(values(neighbour));
    let affine = lanes_of(mask)
        .all(|lane| values(lane) == base.wrapping_add(step.wrapping_mul((lane - first) as u32)));
    if affine { Tag::Affine } else { Tag::Generic }
}

/// Returns true if values agree with a given tag.
pub(super) fn holds(tag: Tag, found: Tag) -> bool {
    match tag {
        Tag::Uniform => found == Tag::Uniform,
        Tag::Affine => found != Tag::Generic,
        Tag::Generic => true,
    }
}

/// The tags of the index along each axis in the threads of each warp.
pub(super) fn thread_tags(code: &Code) -> Vec<[Tag; 3]> {
    let warps = code.shape.warps();
    let row = |warp: u32, axis: usize| {
        let indices = code.thread_row(warp as usize, axis);
        tag_of(|lane| indices[lane], code.shape.mask(warp))
    };
    (0..warps).map(|warp| [0, 1, 2].map(|axis| row(warp, axis))).collect()
}

/// The registers that an instruction reads: of pairs, both.
pub(super) fn registers_read(instruction: &Decoded) -> impl Iterator<Item = u16> + '_ {
    instruction.operands.registers().iter().copied()
}
