//! Adjacent accesses as wide ones (Larsen and Amarasinghe, "Exploiting Superword Level Parallelism with
//! Multimedia Instruction Sets", PLDI 2000, 4.2, of which only the seeds are taken: memory accesses).
//! Loads, or stores, of two or four words that follow each other become one access of 64 or 128 bits, two
//! of 64 bits one of 128.
//!
//! All are in one block, so that a thread executes all or none. [`zero_bits`] has to prove that the
//! wide address is a multiple of its size: an access without fault stays one. A wide load is at the
//! place of the first of its parts, a wide store at that of the last. No instruction that a part
//! would pass may touch the same memory, and no barrier or volatile access is passed. A guarded load stays
//! behind the definition of its value where the guard is false.
//!
//! The parts of a vector that the source accesses as a whole, such as a `float4`, become one access wherever it is: its
//! type promises the alignment, and the machine traps where the promise is broken. Members that nothing reads are loaded
//! with the others, but where only one is read it is loaded alone.
//!
//! Loads of constants are joined for machines of today, as nvcc does.

use super::alias::{Alias, Base, Place, Written};
use super::knobs::Knobs;
use crate::analysis::alignment::zero_bits;
use crate::ir::{Access, Block, Function, Guarded, Kind, Operands, PartOf, Type, Value};
use reconverge_isa::planted::Planted;
use reconverge_isa::{Hints, Op, Space, Width};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// The farthest distance in a block between the first and the last part: the values that a wide
/// load reads early occupy registers until then.
const FARTHEST: usize = 128;

/// Joins accesses whose addresses are known to be aligned.
pub fn run(function: &mut Function, knobs: &Knobs) -> bool {
    let zero_bits = zero_bits(function);
    join_in_blocks(function, &Why::Proven(zero_bits), knobs)
}

/// Joins the parts of vectors.
pub fn run_on_vectors(function: &mut Function, knobs: &Knobs) -> bool {
    let is_part = |value: &Value| match function.kind(*value).unguarded() {
        Kind::Load(access, _) | Kind::Store(access, ..) => access.part.is_some(),
        _ => false,
    };
    if !function.placed().any(|(_, value)| is_part(&value)) {
        return false;
    }
    let mut is_read = vec![false; function.values.len()];
    for (_, value) in function.placed() {
        function.kind(value).each_operand(|operand| is_read[operand.index()] = true);
    }
    join_in_blocks(function, &Why::Vectors(is_read), knobs)
}

fn join_in_blocks(function: &mut Function, why: &Why, knobs: &Knobs) -> bool {
    let in_parts = function.loaded_in_parts();
    let alias = Alias::new(function);
    let mut changed = false;
    for block in function.existing_blocks().collect::<Vec<_>>() {
        let mut accesses = accesses(function, &alias, block, &in_parts, why);
        if !knobs.is_of_today {
            let plain = accesses.iter_mut().filter_map(|found| found.plain.as_mut());
            plain.for_each(|plain| plain.is_part &= plain.access.space != Space::Constant);
        }
        let joined = Joiner::new(&alias, &accesses, why).joined();
        if !joined.is_empty() {
            rewrite(function, block, joined);
            changed = true;
        }
    }
    changed
}

/// Why a wide address is a multiple of its size.
enum Why {
    /// So many bits at the end of each value are zero.
    Proven(Vec<u8>),
    /// The source accesses a vector; for each value whether anything reads it.
    Vectors(Vec<bool>),
}

impl Why {
    /// Returns true if nothing reads the loaded value, so that the load will be removed.
    fn leaves_out(&self, kind: &Kind, value: Value) -> bool {
        match (self, kind.unguarded()) {
            (Why::Vectors(is_read), Kind::Load(access, _)) => {
                !access.volatile && !is_read[value.index()]
            }
            _ => false,
        }
    }
}

/// An instruction that accesses memory or orders accesses.
struct Found {
    /// Its place in the block.
    at: usize,
    written: Written,
    /// For plain loads and stores.
    plain: Option<Plain>,
}

/// A load or store that is neither volatile nor, already, a wide one.
#[derive(Clone, Copy)]
struct Plain {
    access: Access,
    stores: bool,
    /// The predicate that guards it: accesses with different ones are not joined.
    guard: Option<Value>,
    place: Place,
    /// It can be a part of a wide access.
    is_part: bool,
    /// The place of the value of a guarded load where the guard is false, if it is at most [`FARTHEST`] in front of the load.
    otherwise: Option<usize>,
}

/// The accesses of a block in order.
fn accesses(
    function: &Function,
    alias: &Alias,
    block: Block,
    in_parts: &[bool],
    why: &Why,
) -> Vec<Found> {
    let mut found = Vec::new();
    let instructions = function.instructions(block);
    for (at, &value) in instructions.iter().enumerate() {
        let kind = function.kind(value);
        if why.leaves_out(kind, value) {
            continue;
        }
        let (access, address) = match *kind.unguarded() {
            Kind::Load(access, address) => (Some(access), Some(address)),
            Kind::Store(access, address, _) => (Some(access), Some(address)),
            Kind::Atomic(..) => (None, None),
            ref kind if kind.synchronises() => (None, None),
            _ => continue,
        };
        let is_wide = in_parts[value.index()]
            || matches!(kind.unguarded(), Kind::Store(_, _, stored) if matches!(function.kind(*stored), Kind::Join(_)));
        let access = access.filter(|access| !access.volatile && !is_wide);
        let plain = access.zip(address).map(|(access, address)| {
            let place = alias.place(function, access, address, |value| value);
            // For a proven case the source's hint does not matter.
            let part = access.part.filter(|_| matches!(why, Why::Vectors(_)));
            let access = Access { part, ..access };
            let stores = matches!(kind.unguarded(), Kind::Store(..));
            let is_part = matches!(access.width, Width::B32 | Width::B64)
                && (!access.raw || access.part.is_some());
            let otherwise = match kind {
                Kind::Guarded(guarded) => guarded.otherwise,
                _ => None,
            };
            let start = at.saturating_sub(FARTHEST);
            let place_of =
                |value| instructions[start..at].iter().rposition(|&other| other == value);
            let otherwise = otherwise.and_then(place_of).map(|place| start + place);
            Plain { access, stores, guard: kind.guard(), place, is_part, otherwise }
        });
        let written = match access {
            None => Written::ALL,
            Some(_) => Written::by(kind),
        };
        found.push(Found { at, written, plain });
    }
    found
}

/// Accesses that become one: in the order of their addresses.
struct Joined {
    /// Places among the block's instructions, with the bytes in front of each.
    parts: Vec<(usize, u32)>,
    /// The place of the wide access.
    stands: usize,
    stores: bool,
    guard: Option<Value>,
    /// The access of all of them.
    access: Access,
    width: Width,
    /// The address: that of the first part.
    base: Base,
    offset: u32,
}

/// The place of a part of a wide access, its mode, true for a store, and its guard.
type Key = (Base, u32, Access, bool, Option<Value>);

/// Accesses by their numbers, with the bytes in front of each, and where the wide address is.
type Parts = (Vec<(usize, u32)>, u32);

struct Joiner<'a> {
    alias: &'a Alias,
    accesses: &'a [Found],
    why: &'a Why,
    /// The numbers of accesses, by address, in order.
    places: FxHashMap<Key, Vec<usize>>,
    /// Accesses that are parts already.
    taken: Vec<bool>,
    /// For each access the number of the one in whose place it is now.
    stands: Vec<usize>,
    /// The accesses in their present order.
    order: BTreeSet<(usize, usize)>,
}

impl<'a> Joiner<'a> {
    fn new(alias: &'a Alias, accesses: &'a [Found], why: &'a Why) -> Joiner<'a> {
        let mut places: FxHashMap<Key, Vec<usize>> = FxHashMap::default();
        for (number, found) in accesses.iter().enumerate() {
            if let Some(plain) = found.plain.filter(|plain| plain.is_part) {
                places.entry(place_at(&plain, plain.place.offset)).or_default().push(number);
            }
        }
        let stands: Vec<usize> = (0..accesses.len()).collect();
        let order = stands.iter().map(|&at| (at, at)).collect();
        let taken = vec![false; accesses.len()];
        Joiner { alias, accesses, why, places, taken, stands, order }
    }

    /// The accesses that become wide: first those of 128 bits, then of 64.
    fn joined(mut self) -> Vec<Joined> {
        let mut joined = Vec::new();
        for bytes in [16, 8] {
            for number in 0..self.accesses.len() {
                let parts = match self.why {
                    Why::Proven(zero_bits) => self.aligned(number, bytes, zero_bits),
                    Why::Vectors(_) => self.vector(number, bytes),
                };
                joined.extend(parts.and_then(|(parts, start)| self.join(&parts, start, bytes)));
            }
        }
        joined
    }

    fn join(&mut self, parts: &[(usize, u32)], start: u32, bytes: u32) -> Option<Joined> {
        let Plain { stores, access, guard, place: Place { base, .. }, .. } =
            self.accesses[parts.first()?.0].plain?;
        let numbers = parts.iter().map(|&(number, _)| number);
        let stands = if stores { numbers.clone().max()? } else { numbers.clone().min()? };
        for part in numbers {
            self.taken[part] = true;
            self.order.remove(&(part, part));
            self.order.insert((stands, part));
            self.stands[part] = stands;
        }
        Some(Joined {
            parts: parts.iter().map(|&(number, at)| (self.accesses[number].at, at)).collect(),
            stands: self.accesses[stands].at,
            stores,
            guard,
            access: Access { part: None, ..access },
            width: if bytes == 16 { Width::B128 } else { Width::B64 },
            base,
            offset: start,
        })
    }

    /// The accesses that fill the aligned bytes around one, if they can be one access.
    fn aligned(&self, number: usize, bytes: u32, zero_bits: &[u8]) -> Option<Parts> {
        let plain = self.accesses[number].plain.filter(|plain| plain.is_part)?;
        let size = plain.access.width.bytes();
        let is_aligned = match plain.place.base {
            Base::Window(_) => true,
            Base::Value(value) => zero_bits[value.index()] >= bytes.trailing_zeros() as u8,
        };
        if self.taken[number] || size >= bytes || !(is_aligned || Planted::WideUnaligned.is_on()) {
            return None;
        }
        let start = plain.place.offset & !(bytes - 1);
        let part = |at: u32| Some((self.next(number, &plain, start + at)?, at));
        let parts: Option<Vec<_>> = (0..bytes).step_by(size as usize).map(part).collect();
        parts.filter(|parts| self.can_meet(parts, plain.stores)).map(|parts| (parts, start))
    }

    /// The accesses of a vector's members, of which one is given, if they can be one access.
    fn vector(&self, number: usize, bytes: u32) -> Option<Parts> {
        let plain = self.accesses[number].plain.filter(|plain| plain.is_part)?;
        let of = plain.access.part.filter(|of| u32::from(of.bytes) == bytes)?;
        if self.taken[number] {
            return None;
        }
        let start = plain.place.offset.wrapping_sub(of.at.into());
        let places = (0..bytes).step_by(plain.access.width.bytes() as usize);
        let all = places.len();
        let part = |at: u32| {
            let access = Access { part: Some(PartOf { at: at as u8, ..of }), ..plain.access };
            let member = Plain { access, ..plain };
            Some((self.next(number, &member, start.wrapping_add(at))?, at))
        };
        let parts: Vec<_> = places.filter_map(part).collect();
        let enough = if plain.stores { parts.len() == all } else { parts.len() > 1 };
        (enough && self.can_meet(&parts, plain.stores)).then_some((parts, start))
    }

    /// The next access, from one on, at an offset from the same base.
    fn next(&self, number: usize, like: &Plain, offset: u32) -> Option<usize> {
        let others = self.places.get(&place_at(like, offset))?;
        // Those before have been examined.
        let next = others.partition_point(|&other| other < number);
        others[next..].iter().copied().find(|&other| !self.taken[other])
    }

    /// Returns true if parts are near each other, and loads can move up to the first of them,
    /// stores down to the last.
    fn can_meet(&self, parts: &[(usize, u32)], stores: bool) -> bool {
        let parts: Vec<usize> = parts.iter().map(|&(number, _)| number).collect();
        let (Some(&first), Some(&last)) = (parts.iter().min(), parts.iter().max()) else {
            return false;
        };
        let place = self.accesses[first].at;
        if self.accesses[last].at - place > FARTHEST {
            return false;
        }
        // A wide load reads the other values of all its parts at the place of the first one.
        let otherwise = |&part: &usize| self.accesses[part].plain.and_then(|plain| plain.otherwise);
        if parts.iter().filter_map(otherwise).any(|defined| defined >= place) {
            return false;
        }
        let between = self.order.range((first, 0)..(last + 1, 0));
        let mut others = between.filter(|(_, other)| !parts.contains(other));
        others.all(|&(at, other)| {
            let moves = |part: usize| if stores { part < at } else { part > at };
            parts.iter().all(|&part| !moves(part) || self.can_pass(part, other))
        })
    }

    /// Returns true if a load or store can be moved past another access.
    fn can_pass(&self, part: usize, other: usize) -> bool {
        let (Some(plain), other) = (self.accesses[part].plain, &self.accesses[other]) else {
            return false;
        };
        let space = plain.access.space;
        let Some(fixed) = &other.plain else {
            return false;
        };
        let clash = match plain.stores {
            true => self.accesses[part].written.seen_by(fixed.access.space),
            false => other.written.seen_by(space),
        };
        !clash || Planted::WidePasses.is_on() || self.alias.are_apart(&plain.place, &fixed.place)
    }
}

/// The place of an access like another at an offset.
fn place_at(like: &Plain, offset: u32) -> Key {
    (like.place.base, offset, like.access, like.stores, like.guard)
}

/// Puts wide accesses in the place of their parts.
fn rewrite(function: &mut Function, block: Block, joined: Vec<Joined>) {
    let old = std::mem::take(&mut function.blocks[block.index()].instructions);
    let mut gone = vec![false; old.len()];
    let mut at_place: BTreeMap<usize, Joined> = BTreeMap::new();
    for wide in joined {
        wide.parts.iter().for_each(|&(part, _)| gone[part] = true);
        at_place.insert(wide.stands, wide);
    }
    let mut new = Vec::with_capacity(old.len());
    for (at, &value) in old.iter().enumerate() {
        if let Some(wide) = at_place.get(&at) {
            let parts: Vec<(Value, u32)> =
                wide.parts.iter().map(|&(part, at)| (old[part], at)).collect();
            place(function, wide, value, &parts, &mut new);
        } else if !gone[at] {
            new.push(value);
        }
    }
    function.blocks[block.index()].instructions = new;
}

/// Adds a wide access in the place of a part, with its operands and results.
fn place(
    function: &mut Function,
    wide: &Joined,
    stands: Value,
    parts: &[(Value, u32)],
    new: &mut Vec<Value>,
) {
    let location = function.instruction(stands).location;
    let mut add = |function: &mut Function, kind: Kind, ty: Option<Type>| {
        let value = function.add(kind, ty, location);
        new.push(value);
        value
    };
    let word = Some(Type::B32);
    let address = match wide.base {
        Base::Window(space) => add(function, Kind::Address(space, wide.offset), word),
        Base::Value(base) if wide.offset == 0 => base,
        Base::Value(base) if function.ty(base) == Type::B64 => {
            let word = Some(Type::B64);
            let offset = i64::from(wide.offset as i32) as u64;
            let offset = add(function, Kind::Constant(offset), word);
            add(function, Kind::Compute(Op::Add64, Operands::new(&[offset, base])), word)
        }
        Base::Value(base) => {
            let offset = add(function, Kind::Constant(wide.offset.into()), word);
            add(function, Kind::Compute(Op::Add, Operands::new(&[base, offset])), word)
        }
    };
    let access = Access { width: wide.width, ..wide.access };
    let ty = Some(Type::of_width(wide.width));
    let hints = parts.iter().map(|(part, _)| function.instruction(*part).hints);
    let hints = hints.reduce(Hints::common).unwrap_or_default();
    if !wide.stores {
        let load = Kind::Load(access, address);
        let load = match wide.guard {
            None => add(function, load, ty),
            Some(holds) => {
                let other = others(function, parts, wide.width, &mut add);
                let other = add(function, Kind::Join(other), ty);
                let guarded = Guarded { access: load, holds, otherwise: Some(other) };
                add(function, Kind::Guarded(Box::new(guarded)), ty)
            }
        };
        function.values[load.index()].hints = hints;
        for (number, &(part, at)) in parts.iter().enumerate() {
            function.values[part.index()].hints = Hints::NONE;
            let words = function.ty(part).words();
            let first = if Planted::MembersMoveUp.is_on() { number as u32 * words } else { at / 4 };
            function.values[part.index()].kind = Kind::Part(load, first as u8);
            new.push(part);
        }
        return;
    }
    let stored = |&(part, _): &(Value, u32)| match *function.kind(part).unguarded() {
        Kind::Store(_, _, value) => Some(value),
        _ => None,
    };
    let values: Vec<Value> = parts.iter().filter_map(stored).collect();
    let join = add(function, Kind::Join(values), ty);
    let store = Kind::Store(access, address, join);
    let store = match wide.guard {
        None => store,
        Some(holds) => Kind::Guarded(Box::new(Guarded { access: store, holds, otherwise: None })),
    };
    let store = add(function, store, None);
    function.values[store.index()].hints = hints;
    for &(part, _) in parts {
        function.values[part.index()].kind = Kind::Removed;
    }
}

/// Returns the values of a guarded load's parts where the guard is false, in the order of addresses. Unread parts are zero.
fn others(
    function: &mut Function,
    parts: &[(Value, u32)],
    width: Width,
    add: &mut impl FnMut(&mut Function, Kind, Option<Type>) -> Value,
) -> Vec<Value> {
    let ty = parts.first().map_or(Type::B32, |&(part, _)| function.ty(part));
    let places = (0..width.bytes()).step_by(4 * ty.words() as usize);
    let other = |at: u32| {
        let part = parts.iter().find(|&&(_, place)| place == at);
        match part.map(|&(part, _)| function.kind(part)) {
            Some(Kind::Guarded(guarded)) => guarded.otherwise,
            _ => None,
        }
    };
    let found: Vec<Option<Value>> = places.map(other).collect();
    let zero =
        |value: Option<Value>| value.unwrap_or_else(|| add(function, Kind::Constant(0), Some(ty)));
    found.into_iter().map(zero).collect()
}

#[cfg(test)]
mod tests {
    use crate::pass::Knobs;
    use crate::pass::tests::{after, after_with};

    #[test]
    fn four_words_of_an_aligned_row_are_loaded_at_once() {
        let text = "  %0 = special tid.x\n  %1 = const.b32 4\n  %2 = shl.b32 %0, %1\n  \
                    %3 = const.b32 4\n  %4 = const.b32 8\n  %5 = const.b32 12\n  \
                    %6 = add.i32 %2, %4\n  %7 = ld.shared.b32 %6\n  %8 = ld.shared.b32 %2\n  \
                    %9 = add.i32 %2, %3\n  %10 = ld.shared.b32 %9\n  %11 = add.i32 %2, %5\n  \
                    %12 = ld.shared.b32 %11\n  st.global.b32 %7, %8\n  st.global.b32 %10, %12\n  return";
        assert_eq!(
            after("wide-access", text),
            "  %0 = special tid.x\n  %1 = const.b32 4\n  %2 = shl.b32 %0, %1\n  \
             %3 = const.b32 4\n  %4 = const.b32 8\n  %5 = const.b32 12\n  \
             %6 = add.i32 %2, %4\n  %16 = ld.shared.b128 %2\n  %8 = part.b32 0, %16\n  \
             %10 = part.b32 1, %16\n  %7 = part.b32 2, %16\n  %12 = part.b32 3, %16\n  \
             %9 = add.i32 %2, %3\n  %11 = add.i32 %2, %5\n  st.global.b32 %7, %8\n  \
             st.global.b32 %10, %12\n  return\n"
        );
    }

    #[test]
    fn stores_meet_where_the_last_one_stands() {
        let text = "  %0 = address.shared 8\n  %1 = special tid.x\n  st.shared.b32 %0, %1\n  \
                    %2 = const.b32 4\n  %3 = add.i32 %0, %2\n  st.shared.b32 %3, %2\n  return";
        assert_eq!(
            after("wide-access", text),
            "  %0 = address.shared 8\n  %1 = special tid.x\n  %2 = const.b32 4\n  \
             %3 = add.i32 %0, %2\n  %7 = address.shared 8\n  %8 = join.b64 %1, %2\n  \
             st.shared.b64 %7, %8\n  return\n"
        );
    }

    #[test]
    fn words_of_constant_memory_are_loaded_at_once_on_a_machine_of_today() {
        let text = "  %0 = address.const 8\n  %1 = const.b32 4\n  %2 = add.i32 %0, %1\n  \
                    %3 = ld.const.b32 %0\n  %4 = ld.const.b32 %2\n  st.global.b32 %3, %4\n  return";
        let joins = |is_of_today| {
            let knobs = Knobs { is_of_today, ..Knobs::default() };
            after_with("wide-access", text, &knobs).contains("ld.const.b64")
        };
        assert!(joins(true) && !joins(false));
    }

    /// Two loads of a pair with something between them, and the text in front.
    fn pair(front: &str, between: &str) -> String {
        format!(
            "  %0 = address.shared 16\n  %1 = special tid.x\n  %2 = const.b32 4\n  \
             %3 = add.i32 %0, %2\n{front}  %10 = ld.shared.b32 %0\n  {between}\n  \
             %11 = ld.shared.b32 %3\n  st.global.b32 %10, %11\n  return"
        )
    }

    #[test]
    fn what_may_touch_the_same_memory_keeps_accesses_apart() {
        let quiet = ["st.global.b32 %1, %1", "st.shared.b32 %0, %1", "st.local.b32 %1, %1"];
        for between in quiet {
            assert!(
                after("wide-access", &pair("", between)).contains("ld.shared.b64"),
                "{between}"
            );
        }
        let loud =
            ["st.shared.b32 %1, %1", "st.generic.b32 %1, %1", "bar.sync", "st.shared.b32 %3, %1"];
        for between in loud {
            let text = pair("", between);
            assert_eq!(after("wide-access", &text), format!("{text}\n"));
        }
    }

    #[test]
    fn the_members_of_a_vector_are_one_access_wherever_it_is() {
        let member = |number: u32, at: u32, space: &str| {
            format!("  %{number} = ld.{at}of16.{space}.b32 %{}\n", at / 4)
        };
        let front = "  %0 = param.global 0\n  %5 = const.b32 4\n  %1 = add.i32 %0, %5\n  \
                     %6 = const.b32 8\n  %2 = add.i32 %0, %6\n  %7 = const.b32 12\n  \
                     %3 = add.i32 %0, %7\n";
        let stores = |numbers: &[u32]| -> String {
            numbers.iter().map(|number| format!("  st.shared.b32 %5, %{number}\n")).collect()
        };
        let text = |loads: &[u32]| {
            let numbers: Vec<u32> = loads.iter().map(|at| 10 + at).collect();
            let loads: String = loads.iter().map(|&at| member(10 + at, at, "global")).collect();
            after("vector-access", &format!("{front}{loads}{}  return", stores(&numbers)))
        };
        // All, some, and one alone, which is loaded by itself.
        assert!(text(&[0, 4, 8, 12]).contains("ld.global.b128 %0"));
        let some = text(&[4, 12]);
        assert!(some.contains("ld.global.b128") && some.contains("part.b32 3"), "{some}");
        assert!(text(&[8]).contains("ld.8of16.global.b32 %2"));
        let whole = "  %0 = param.global 0\n  %1 = const.b32 4\n  %2 = add.i32 %0, %1\n  \
                     st.0of8.global.b32 %0, %1\n  st.4of8.global.b32 %2, %1\n  return";
        assert!(after("vector-access", whole).contains("st.global.b64 %0"));
    }

    #[test]
    fn a_guarded_load_does_not_pass_the_definition_of_its_other_value() {
        let text = |first: &str, second: &str| {
            format!(
                "  %0 = address.shared 16\n  %1 = special tid.x\n  %2 = const.b32 4\n  \
                 %3 = add.i32 %0, %2\n  %4 = setp.lt.s32 %1, %2\n{first}  \
                 %10 = @%4 ld.shared.b32 %0 else %1\n{second}  \
                 %11 = @%4 ld.shared.b32 %3 else %5\n  st.global.b32 %10, %11\n  return"
            )
        };
        let other = "  %5 = brev.b32 %1\n";
        assert!(after("wide-access", &text(other, "")).contains("ld.shared.b64"));
        // The second load's other value is made between the loads, in one case by the first load.
        let between = text("", other);
        let chained = text("", "").replace("else %5", "else %10");
        for text in [between, chained] {
            assert_eq!(after("wide-access", &text), format!("{text}\n"));
        }
    }

    #[test]
    fn an_address_that_may_be_misaligned_is_left_alone() {
        for address in ["param.global 0", "special tid.x", "address.shared 4"] {
            let text = pair("", "").replace("address.shared 16", address);
            assert_eq!(after("wide-access", &text), format!("{text}\n").replace("\n  \n", "\n"));
        }
    }
}
