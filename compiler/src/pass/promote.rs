//! Scalar replacement of aggregates (Muchnick, "Advanced Compiler Design and Implementation", 1997,
//! 12.2): the pieces of a local variable become values when every access to the variable is at a
//! constant place in it. Structures whose address is taken, vectors passed by reference and arrays
//! whose loops are unrolled then cost no memory.
//!
//! A piece is a run of bytes that some access reads or writes as a whole. Every store to it writes
//! all of it, and its loads may read a part. A load returns the last stored value, found backwards
//! with phis where paths join (Braun and others, "Simple and Efficient Construction of Static
//! Single Assignment Form", 2013; all blocks are complete here). Before the first store it is zero,
//! as local memory is.
//!
//! A variable stays in memory when its address goes anywhere but into loads and stores, when an
//! access is volatile, beyond the variable or not aligned (it faults), or when it would take
//! [more registers](MOST_PIECES) than there are.

use super::forward::Forward;
use crate::ir::{Access, Block, Function, Kind, Location, Operands, Slot, Type, Value};
use reconverge_isa::{Op, Space, Width};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The most pieces of a variable; with more, most would be spilled to local memory again.
const MOST_PIECES: usize = 128;
/// The most work: pieces times blocks.
const MOST_WORK: usize = 1 << 24;

/// Runs the pass.
pub fn run(function: &mut Function) -> bool {
    if function.slots.is_empty() {
        return false;
    }
    let places = places(function);
    let pieces = pieces(function, &places);
    if pieces.all.is_empty() {
        return false;
    }
    let mut forward = Forward::new(function);
    let mut promoter = Promoter {
        predecessors: function.predecessors(),
        pieces: &pieces.all,
        places: &places,
        at_end: FxHashMap::default(),
        at_start: FxHashMap::default(),
        phis: BTreeMap::new(),
        zeros: BTreeMap::new(),
        pending: Vec::new(),
    };
    promoter.note_stores(function, &pieces.accesses);
    for block in function.existing_blocks().collect::<Vec<_>>() {
        promoter.rewrite(function, block, &pieces.accesses, &mut forward);
    }
    promoter.place(function);
    forward.apply(function);
    remove_addresses(function, &places);
    remove_slots(function);
    true
}

/// A slot and a byte offset from its start.
type Place = (Slot, u32);

/// The values that are certainly the address of a constant place in a slot.
fn places(function: &Function) -> Vec<Option<Place>> {
    let mut places: Vec<Option<Place>> = vec![None; function.values.len()];
    for block in function.reverse_postorder() {
        for &value in function.instructions(block) {
            let of = |value: Value| places[value.index()];
            let constant = |value: Value| function.constant(value).map(|bits| bits as u32);
            places[value.index()] = match function.kind(value) {
                Kind::Slot(slot) => Some((*slot, 0)),
                Kind::Compute(Op::Mov, operands) => of(operands[0]),
                Kind::Compute(Op::Add, operands) => {
                    let (one, other) = (operands[0], operands[1]);
                    let sum = |(slot, at): Place, more: Value| {
                        Some((slot, at.wrapping_add(constant(more)?)))
                    };
                    let first = of(one).and_then(|place| sum(place, other));
                    first.or_else(|| of(other).and_then(|place| sum(place, one)))
                }
                Kind::Compute(Op::Sub, operands) => of(operands[0])
                    .and_then(|(slot, at)| Some((slot, at.wrapping_sub(constant(operands[1])?)))),
                _ => None,
            };
        }
    }
    places
}

/// A part of a slot that becomes a value.
struct Piece {
    /// Bytes from the start of the slot.
    offset: u32,
    bytes: u32,
    name: Arc<str>,
}

impl Piece {
    fn ty(&self) -> Type {
        if self.bytes == 8 { Type::B64 } else { Type::B32 }
    }
}

/// The promoted pieces.
#[derive(Default)]
struct Pieces {
    all: Vec<Piece>,
    /// The loads and stores that are replaced, each with its piece.
    accesses: FxHashMap<Value, usize>,
}

/// An access at a constant place.
struct Found {
    value: Value,
    offset: u32,
    bytes: u32,
    stores: bool,
}

fn pieces(function: &Function, places: &[Option<Place>]) -> Pieces {
    let mut pieces = Pieces::default();
    let blocks = function.blocks.len();
    let found = accesses(function, places);
    for (found, data) in found.into_iter().zip(&function.slots) {
        let ranges = found.map(ranges).unwrap_or_default();
        let work = (pieces.all.len() + ranges.len()) * blocks;
        if ranges.len() > MOST_PIECES || work > MOST_WORK {
            continue;
        }
        for range in ranges {
            let name = match (range.offset, range.bytes) {
                (0, bytes) if bytes == data.size => data.name.clone(),
                (offset, _) => format!("{}+{offset}", data.name),
            };
            let number = pieces.all.len();
            pieces.accesses.extend(range.accesses.into_iter().map(|value| (value, number)));
            let (offset, bytes) = (range.offset, range.bytes);
            pieces.all.push(Piece { offset, bytes, name: name.into() });
        }
    }
    pieces
}

/// For each slot, the accesses to it; `None` when something else is done with its address.
fn accesses(function: &Function, places: &[Option<Place>]) -> Vec<Option<Vec<Found>>> {
    let mut found: Vec<Option<Vec<Found>>> =
        function.slots.iter().map(|_| Some(Vec::new())).collect();
    let in_parts = function.loaded_in_parts();
    let fits = |access: Access, (slot, offset): Place| {
        let data = &function.slots[slot.0 as usize];
        let bytes = access.width.bytes();
        !access.volatile
            && matches!(access.space, Space::Local | Space::Generic)
            && offset.is_multiple_of(bytes)
            && bytes <= data.align
            && offset.checked_add(bytes).is_some_and(|end| end <= data.size)
    };
    for (_, value) in function.placed() {
        let kind = function.kind(value);
        // The inputs of an address are examined where the result is used.
        if places[value.index()].is_some() {
            continue;
        }
        let (access, address, stored) = match *kind {
            Kind::Load(access, address) if !in_parts[value.index()] => {
                (Some(access), Some(address), None)
            }
            Kind::Store(access, address, stored)
                if !matches!(function.kind(stored), Kind::Join(_)) =>
            {
                (Some(access), Some(address), Some(stored))
            }
            _ => (None, None, None),
        };
        let place = address.and_then(|address| places[address.index()]);
        let good = access.zip(place).filter(|&(access, place)| fits(access, place));
        let mut escapes = |operand: Value| {
            if let Some((slot, _)) = places[operand.index()] {
                found[slot.0 as usize] = None;
            }
        };
        let Some((access, (slot, offset))) = good else {
            kind.each_operand(escapes);
            continue;
        };
        stored.into_iter().for_each(&mut escapes);
        let (bytes, stores) = (access.width.bytes(), stored.is_some());
        if let Some(all) = &mut found[slot.0 as usize] {
            all.push(Found { value, offset, bytes, stores });
        }
    }
    found
}

/// Bytes that are accessed together.
struct Range {
    offset: u32,
    bytes: u32,
    accesses: Vec<Value>,
}

/// The runs of bytes of which every store writes all; those of which one does not stay in memory.
fn ranges(mut found: Vec<Found>) -> Vec<Range> {
    found.sort_by_key(|access| (access.offset, std::cmp::Reverse(access.bytes), access.value));
    let mut ranges = Vec::new();
    let mut rest = found.as_slice();
    while let Some(first) = rest.first() {
        // Accesses are aligned to their size: one that overlaps the first is inside of it.
        let end = first.offset + first.bytes;
        let count = rest.iter().take_while(|access| access.offset < end).count();
        let (run, others) = rest.split_at(count);
        rest = others;
        if run.iter().all(|access| !access.stores || access.bytes == first.bytes) {
            let (offset, bytes) = (first.offset, first.bytes);
            let accesses = run.iter().map(|access| access.value).collect();
            ranges.push(Range { offset, bytes, accesses });
        }
    }
    ranges
}

struct Promoter<'a> {
    predecessors: Vec<Vec<Block>>,
    pieces: &'a [Piece],
    places: &'a [Option<Place>],
    /// The last values that blocks store.
    at_end: FxHashMap<(usize, Block), Value>,
    /// The values found for the starts of blocks.
    at_start: FxHashMap<(usize, Block), Value>,
    /// New phis by block.
    phis: BTreeMap<Block, Vec<Value>>,
    /// Zeroes at the start of the entry.
    zeros: BTreeMap<Type, Value>,
    /// Phis whose operands are to be looked up.
    pending: Vec<(usize, Value, Block)>,
}

impl Promoter<'_> {
    fn note_stores(&mut self, function: &Function, accesses: &FxHashMap<Value, usize>) {
        for (block, value) in function.placed() {
            if let (Kind::Store(_, _, stored), Some(&piece)) =
                (function.kind(value), accesses.get(&value))
            {
                self.at_end.insert((piece, block), *stored);
            }
        }
    }

    /// Replaces the accesses of a block.
    fn rewrite(
        &mut self,
        function: &mut Function,
        block: Block,
        accesses: &FxHashMap<Value, usize>,
        forward: &mut Forward,
    ) {
        let instructions = std::mem::take(&mut function.blocks[block.index()].instructions);
        let mut kept = Vec::with_capacity(instructions.len());
        let mut now: FxHashMap<usize, Value> = FxHashMap::default();
        for value in instructions {
            let Some(&piece) = accesses.get(&value) else {
                kept.push(value);
                continue;
            };
            match *function.kind(value) {
                Kind::Store(_, _, stored) => {
                    now.insert(piece, stored);
                    self.call(function, stored, piece);
                    function.values[value.index()].kind = Kind::Removed;
                }
                Kind::Load(access, address) => {
                    let found = match now.get(&piece) {
                        Some(&found) => found,
                        None => self.read(function, piece, block),
                    };
                    let at = self.places[address.index()].map_or(0, |(_, at)| at);
                    let offset = at - self.pieces[piece].offset;
                    let found = self.part(function, found, access.width, offset, piece, &mut kept);
                    // The load's place is kept for the value until everything is forwarded.
                    kept.push(value);
                    forward.replace(value, found);
                }
                _ => kept.push(value),
            }
        }
        function.blocks[block.index()].instructions = kept;
    }

    /// The part of a piece that a load reads: all of it, or some bytes, extended as the load
    /// requires.
    fn part(
        &self,
        function: &mut Function,
        whole: Value,
        width: Width,
        offset: u32,
        piece: usize,
        kept: &mut Vec<Value>,
    ) -> Value {
        let is_wide = self.pieces[piece].ty() == Type::B64;
        let mut compute = |kind: Kind, ty: Type| {
            let value = function.add(kind, Some(ty), Location::default());
            kept.push(value);
            value
        };
        let mut found = whole;
        if offset > 0 {
            let count = compute(Kind::Constant(8 * u64::from(offset)), Type::B32);
            let (op, ty) = if is_wide { (Op::ShrU64, Type::B64) } else { (Op::ShrU32, Type::B32) };
            found = compute(Kind::Compute(op, Operands::new(&[found, count])), ty);
        }
        if is_wide && width != Width::B64 {
            found = compute(Kind::Compute(Op::Low, Operands::new(&[found])), Type::B32);
        }
        let extension = match width {
            Width::U8 => Op::Zext8,
            Width::S8 => Op::Sext8,
            Width::U16 => Op::Zext16,
            Width::S16 => Op::Sext16,
            Width::B32 | Width::B64 | Width::B128 => return found,
        };
        compute(Kind::Compute(extension, Operands::new(&[found])), Type::B32)
    }

    /// The value of a piece at the start of a block.
    fn read(&mut self, function: &mut Function, piece: usize, block: Block) -> Value {
        let found = self.at_start(function, piece, block);
        while let Some((piece, phi, block)) = self.pending.pop() {
            let from = self.predecessors[block.index()].clone();
            let incoming = from.into_iter().map(|at| (at, self.at_end(function, piece, at)));
            function.values[phi.index()].kind = Kind::Phi(incoming.collect());
        }
        found
    }

    fn at_end(&mut self, function: &mut Function, piece: usize, block: Block) -> Value {
        match self.at_end.get(&(piece, block)) {
            Some(&found) => found,
            None => self.at_start(function, piece, block),
        }
    }

    /// Follows straight blocks up to a store, or to a block where paths join, which gets a phi whose
    /// operands are still to be looked up.
    fn at_start(&mut self, function: &mut Function, piece: usize, block: Block) -> Value {
        let mut passed = Vec::new();
        let mut at = block;
        let found = loop {
            if let Some(&found) = self.at_start.get(&(piece, at)) {
                break found;
            }
            passed.push(at);
            match *self.predecessors[at.index()].as_slice() {
                [] => break self.zero(function, piece),
                [only] => {
                    if let Some(&found) = self.at_end.get(&(piece, only)) {
                        break found;
                    }
                    // A block that only leads to itself is reached from nowhere.
                    if passed.len() > self.predecessors.len() {
                        break self.zero(function, piece);
                    }
                    at = only;
                }
                _ => {
                    let ty = self.pieces[piece].ty();
                    let phi = function.add(Kind::Phi(Vec::new()), Some(ty), Location::default());
                    self.call(function, phi, piece);
                    self.phis.entry(at).or_default().push(phi);
                    self.pending.push((piece, phi, at));
                    break phi;
                }
            }
        };
        self.at_start.extend(passed.into_iter().map(|block| ((piece, block), found)));
        found
    }

    fn zero(&mut self, function: &mut Function, piece: usize) -> Value {
        let ty = self.pieces[piece].ty();
        let new = || function.add(Kind::Constant(0), Some(ty), Location::default());
        *self.zeros.entry(ty).or_insert_with(new)
    }

    /// Lets a value be called after a piece, unless it is after a variable already. Constants and the
    /// like belong to everyone.
    fn call(&self, function: &mut Function, value: Value, piece: usize) {
        let instruction = &mut function.values[value.index()];
        if instruction.variable.is_none() && !instruction.kind.is_leaf() {
            instruction.variable = Some(self.pieces[piece].name.clone());
        }
    }

    /// Puts the new phis and zeroes into their blocks.
    fn place(self, function: &mut Function) {
        for (block, phis) in self.phis {
            function.blocks[block.index()].instructions.splice(0..0, phis);
        }
        let zeros = self.zeros.into_values();
        function.blocks[Block::ENTRY.index()].instructions.splice(0..0, zeros);
    }
}

/// Removes the computation of addresses that are not used any longer.
fn remove_addresses(function: &mut Function, places: &[Option<Place>]) {
    let mut counts = function.use_counts();
    let order = function.reverse_postorder();
    let mut unused = vec![false; function.values.len()];
    for &block in order.iter().rev() {
        for &value in function.instructions(block).iter().rev() {
            let is_address = places.get(value.index()).is_some_and(Option::is_some);
            if is_address && counts[value.index()] == 0 {
                unused[value.index()] = true;
                function.kind(value).each_operand(|operand| counts[operand.index()] -= 1);
            }
        }
    }
    function.remove_where(|value| unused[value.index()]);
}

/// Removes the slots that nothing refers to.
fn remove_slots(function: &mut Function) {
    let mut used = vec![false; function.slots.len()];
    for (_, value) in function.placed() {
        if let Kind::Slot(slot) = function.kind(value) {
            used[slot.0 as usize] = true;
        }
    }
    let mut next = 0;
    let mut numbers = Vec::with_capacity(used.len());
    for &used in &used {
        numbers.push(Slot(next));
        next += u32::from(used);
    }
    let mut at = 0;
    function.slots.retain(|_| {
        at += 1;
        used[at - 1]
    });
    for value in &mut function.values {
        if let Kind::Slot(slot) = &mut value.kind {
            *slot = numbers[slot.0 as usize];
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::ir::{parse::parse, verify};
    use crate::pass::{Knobs, find};

    /// A kernel with these slots and blocks after the pass.
    fn after(slots: &str, blocks: &str) -> String {
        let text = format!("kernel k {{\n{slots}b0:\n{blocks}}}");
        let mut function = parse(&text).unwrap().functions.remove(0);
        assert_eq!(verify(&function), []);
        assert_eq!(find("promote").unwrap().run(&mut function, &Knobs::default()), Ok(true));
        assert_eq!(verify(&function), []);
        function.to_string()
    }

    #[test]
    fn what_is_loaded_is_what_was_stored() {
        let text = after(
            "  slot s0 \"a\" 8 16\n",
            "  %0 = special tid.x\n  %1 = slot s0\n  %2 = const.b32 4\n  %3 = add.i32 %1, %2\n  \
             st.local.b32 %3, %0\n  %4 = ld.local.b32 %3\n  %5 = ld.local.b32 %1\n  \
             st.global.b32 %4, %5\n  return\n",
        );
        assert_eq!(
            text,
            "kernel k {\nb0:\n  %9 = const.b32 0\n  %0 = special tid.x\n  %2 = const.b32 4\n  \
             st.global.b32 %0, %9\n  return\n}\n"
        );
    }

    #[test]
    fn paths_meet_in_phis() {
        let text = after(
            "  slot s0 \"a\" 4 16\n",
            "  %0 = special tid.x\n  %1 = slot s0\n  %2 = const.pred true\n  jump b1\nb1:\n  \
             %3 = ld.local.b32 %1\n  %4 = add.i32 %3, %0\n  st.local.b32 %1, %4\n  \
             branch %2, b1, b2\nb2:\n  st.global.b32 %0, %4\n  return\n",
        );
        assert!(text.contains("phi.b32 b0 %11, b1 %4 \"a\""), "{text}");
        assert!(!text.contains("slot"), "{text}");
    }

    #[test]
    fn parts_are_cut_out_of_wider_stores() {
        let text = after(
            "  slot s0 \"a\" 8 8\n",
            "  %0 = special tid.x\n  %1 = slot s0\n  %2 = cvt.u64.u32 %0\n  \
             st.local.b64 %1, %2\n  %3 = const.b32 6\n  %4 = add.i32 %1, %3\n  \
             %5 = ld.local.s16 %4\n  st.global.b32 %0, %5\n  return\n",
        );
        assert!(text.contains("shr.u64") && text.contains("cvt.s32.s16"), "{text}");
        assert!(!text.contains("local"), "{text}");
    }

    #[test]
    fn what_is_not_certain_stays() {
        let stays = |access: &str| {
            let blocks = format!(
                "  %0 = special tid.x\n  %1 = slot s0\n  %2 = const.b32 8\n  \
                 %3 = add.i32 %1, %0\n  %4 = add.i32 %1, %2\n  st.local.b32 %1, %0\n  {access}\n  \
                 return\n"
            );
            let text = after("  slot s0 \"a\" 8 16\n", &blocks);
            assert!(text.contains("st.local.b32"), "{access}: {text}");
        };
        // At a place that depends on the thread, beyond the end, with the address kept, volatile,
        // and a store to a part of another store's bytes.
        stays("st.local.b32 %3, %0");
        stays("st.local.b32 %4, %0");
        stays("st.global.b32 %0, %1");
        stays("st.volatile.local.b32 %1, %0");
        stays("st.local.u8 %1, %0");
    }
}
