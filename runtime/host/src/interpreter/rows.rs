//! Iterations of a loop side by side (vectorised interpretation; Boncz, Zukowski and Nes,
//! MonetDB/X100, CIDR 2005, section 4). Each instruction of the loop's path is dispatched once for
//! up to 128 iterations, over rows of their values. A row whose values advance by a constant step,
//! as counters and most addresses do, is kept as its first value and the step.
//!
//! Nothing is written before the number of regular iterations is known: they stay on the path,
//! their accesses are possible, and no load reads bytes that another iteration stores. Instructions
//! execute the first irregular iteration and the last one, and report faults. So results, faults
//! and counts of operations are those of one iteration after the other.

use super::arithmetic::{f32_of, f64_of, slot_f32, slot_f64};
use super::bytecode::{Action, Induction, Inst, Op, Row, RowLoop, Step, Sum, WINDOW};
use super::operations::{compute, divide};
use crate::arena::Arena;
use std::ops::RangeInclusive;

/// Iterations at a time.
const LANES: usize = 128;
/// Fewer iterations than this are not worth it.
const FEW: usize = 16;
/// Iterations that a loop is left alone for, at most, after it was not worth it.
const LONGEST_WAIT: u32 = 1 << 12;

type Lanes = [u64; LANES];

/// Entries for which a loop is left alone: now, and the next time that it is not worth it.
#[derive(Clone, Copy, Debug, Default)]
struct Wait {
    left: u32,
    next: u32,
}

/// A row whose values advance by a constant step, none of which leaves the range of `i64`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Affine {
    start: i64,
    step: i64,
}

impl Affine {
    /// `None` if the last of the values is not in the range, and so one of them is not.
    fn new(start: i64, step: i64, lanes: usize, range: RangeInclusive<i64>) -> Option<Self> {
        let last = step.checked_mul(lanes as i64 - 1)?.checked_add(start)?;
        (range.contains(&start) && range.contains(&last)).then_some(Affine { start, step })
    }

    fn at(self, lane: usize) -> i64 {
        self.start.wrapping_add(self.step.wrapping_mul(lane as i64))
    }

    /// The number of leading lanes that are equal in two rows, or are not.
    fn lanes_that_equal(self, other: Affine, equal: bool, lanes: usize) -> usize {
        let distance = i128::from(other.start) - i128::from(self.start);
        let step = i128::from(self.step) - i128::from(other.step);
        let is_first = distance == 0;
        let meets_at = match step {
            0 if is_first => 0,
            0 => lanes,
            _ if distance % step != 0 => lanes,
            _ => usize::try_from(distance / step).unwrap_or(lanes).min(lanes),
        };
        match (equal, step) {
            (false, _) => meets_at,
            (true, _) if !is_first => 0,
            (true, 0) => lanes,
            (true, _) => 1,
        }
    }

    /// The result of an operation on two such rows, if it is one and its values fit the type.
    fn of(inst: &Inst, b: Affine, c: Affine, lanes: usize) -> Option<Affine> {
        let sum = |c: Affine| Some((b.start.checked_add(c.start)?, b.step.checked_add(c.step)?));
        let scaled = |row: Affine, by: i64| {
            Some(Affine { start: row.start.checked_mul(by)?, step: row.step.checked_mul(by)? })
        };
        let (start, step) = match inst.op {
            Op::AddI32 | Op::AddU32 | Op::Add64 => sum(c)?,
            Op::SubI32 | Op::SubU32 | Op::Sub64 => sum(scaled(c, -1)?)?,
            Op::MulI32 | Op::MulU32 | Op::Mul64 => {
                let (row, by) = if c.step == 0 { (b, c.start) } else { (c, b.start) };
                let product =
                    if b.step == 0 || c.step == 0 { scaled(row, by)? } else { return None };
                (product.start, product.step)
            }
            Op::Address => {
                let (start, step) = sum(scaled(c, inst.x.into())?)?;
                (start.checked_add((inst.y as i32).into())?, step)
            }
            Op::Ext32S | Op::Ext32U => (b.start, b.step),
            _ if b.step == 0 && c.step == 0 => {
                return Some(Affine {
                    start: compute(inst.op, b.start as u64, c.start as u64, inst) as i64,
                    step: 0,
                });
            }
            _ => return None,
        };
        let range = match inst.op {
            Op::AddI32 | Op::SubI32 | Op::MulI32 | Op::Ext32S => i32::MIN.into()..=i32::MAX.into(),
            Op::Add64 | Op::Sub64 | Op::Mul64 => i64::MIN..=i64::MAX,
            _ => 0..=u32::MAX.into(),
        };
        Affine::new(start, step, lanes, range)
    }
}

/// The first of some lanes from which on something holds; `lanes` if it holds in none.
fn first_that(lanes: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, lanes);
    while low < high {
        let middle = low.midpoint(high);
        if holds(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

/// The form of a row: `None` once all its values are written down.
type Shape = Option<Affine>;

/// Bytes that a step accesses: all between two addresses.
#[derive(Clone, Copy, Debug)]
struct Reach {
    low: u64,
    end: u64,
}

impl Reach {
    fn meets(self, other: Reach) -> bool {
        self.low < other.end && other.low < self.end
    }
}

/// Accesses whose addresses advance by a step in one allocation.
#[derive(Clone, Copy, Debug)]
struct UsualAccess {
    all: Reach,
    step: i64,
}

/// Room for the rows of a loop, and statistics of loops.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    rows: Vec<Lanes>,
    shapes: Vec<Shape>,
    waits: Vec<Wait>,
    reaches: Vec<Reach>,
}

/// Calls a macro with each operation that has a loop over rows of its own.
macro_rules! for_each_operation {
    ($then:ident) => {
        $then! { AddI32 AddU32 Add64 SubI32 SubU32 Sub64 MulI32 MulU32 Mul64 And Or Xor ShlI32 ShlU32
        ShrI32 ShrU32 AddF32 SubF32 MulF32 DivF32 AddF64 SubF64 MulF64 DivF64 Eq Ne LtS LtU JumpEq JumpNe JumpLtS
        JumpLeS JumpLtU JumpLeU JumpEqF32 JumpNeF32 LoopLtS LoopLeS Ext8U Ext32S Ext32U SToF32 SToF64 F32ToF64 F64ToF32
        Address }
    };
}

/// `to = operation(b, c)` for each lane.
fn map(inst: &Inst, to: &mut [u64], b: &[u64], c: &[u64]) {
    let each = to.iter_mut().zip(b).zip(c);
    macro_rules! operations {
        ($($op:ident)*) => {
            match inst.op {
                $(Op::$op => each.for_each(|((to, b), c)| *to = compute(Op::$op, *b, *c, inst)),)*
                op => each.for_each(|((to, b), c)| *to = compute(op, *b, *c, inst)),
            }
        };
    }
    for_each_operation!(operations);
}

/// A slot plus the values added to it, lane after lane.
fn sum_up(inst: &Inst, value: u64, row: &[u64]) -> u64 {
    let row = row.iter();
    // A sum that is NaN stays NaN: it becomes the canonical NaN at the end.
    match inst.op {
        Op::AddF32 => {
            let sum = row.fold(f32_of(value), |sum, it| sum + f32_of(*it));
            return slot_f32(sum);
        }
        Op::AddF64 => {
            let sum = row.fold(f64_of(value), |sum, it| sum + f64_of(*it));
            return slot_f64(sum);
        }
        _ => {}
    }
    macro_rules! sums {
        ($($op:ident)*) => {
            match inst.op {
                $(Op::$op if inst.b == inst.a => row.fold(value, |sum, it| compute(Op::$op, sum, *it, inst)),)*
                op if inst.b == inst.a => row.fold(value, |sum, it| compute(op, sum, *it, inst)),
                op => row.fold(value, |sum, it| compute(op, *it, sum, inst)),
            }
        };
    }
    sums! { AddI32 AddU32 Add64 }
}

/// Bytes that a load or store accesses.
fn size(op: Op) -> u64 {
    match op {
        Op::Load8S | Op::Load8U | Op::Store8 | Op::LoadX8S | Op::LoadX8U | Op::StoreX8 => 1,
        Op::Load16S | Op::Load16U | Op::Store16 | Op::LoadX16S | Op::LoadX16U | Op::StoreX16 => 2,
        Op::Load32S | Op::Load32U | Op::Store32 | Op::LoadX32S | Op::LoadX32U | Op::StoreX32 => 4,
        _ => 8,
    }
}

/// The bytes that accesses of `size` bytes each reach, and whether they are one after the other.
fn reach(at: &[u64], size: u64) -> (Reach, bool) {
    let first = at.first().copied().unwrap_or(0);
    let (mut low, mut high, mut apart, mut next) = (first, first, 0, first);
    for &address in at {
        low = low.min(address);
        high = high.max(address);
        apart |= address ^ next;
        next += size;
    }
    (Reach { low, end: high + size }, apart == 0)
}

/// The number of leading accesses that are possible.
fn possible(memory: &mut Arena, at: &[u64], size: u64, all: Reach) -> usize {
    let bits = at.iter().fold(0, |bits, address| bits | address);
    let length = u32::try_from(all.end - all.low).ok();
    if bits & (size - 1) == 0
        && length.is_some_and(|length| memory.find(all.low as u32, length).is_some())
    {
        return at.len();
    }
    let mut is_possible = |address: u64| {
        address & (size - 1) == 0 && memory.find(address as u32, size as u32).is_some()
    };
    at.iter().position(|&address| !is_possible(address)).unwrap_or(at.len())
}

/// Calls a macro with the bytes that a load reads and its conversion of them.
macro_rules! for_each_load {
    ($inst:ident, $then:ident) => {
        match $inst.op {
            Op::Load8S | Op::LoadX8S => $then!(1, |bytes| i8::from_le_bytes(bytes) as u64),
            Op::Load8U | Op::LoadX8U => $then!(1, |bytes| u8::from_le_bytes(bytes) as u64),
            Op::Load16S | Op::LoadX16S => $then!(2, |bytes| i16::from_le_bytes(bytes) as u64),
            Op::Load16U | Op::LoadX16U => $then!(2, |bytes| u16::from_le_bytes(bytes) as u64),
            Op::Load32S | Op::LoadX32S => $then!(4, |bytes| i32::from_le_bytes(bytes) as u64),
            Op::Load32U | Op::LoadX32U => $then!(4, |bytes| u32::from_le_bytes(bytes) as u64),
            Op::Load64 | Op::LoadX64 => $then!(8, u64::from_le_bytes),
            _ => $then!(8, |bytes| u64::from_le_bytes(bytes) as u32 as u64),
        }
    };
}

/// Loads from each address, all of which can be accessed.
fn gather(inst: &Inst, memory: &mut Arena, to: &mut [u64], at: &[u64], all: Reach, dense: bool) {
    macro_rules! gather {
        ($size:literal, $value:expr) => {{
            let value = $value;
            let length = (all.end - all.low) as u32;
            match memory.slice(all.low as u32, length) {
                Some(bytes) if dense => {
                    let (chunks, _) = bytes.as_chunks::<$size>();
                    to.iter_mut().zip(chunks).for_each(|(to, bytes)| *to = value(*bytes));
                }
                Some(bytes) => {
                    for (to, at) in to.iter_mut().zip(at) {
                        let from = (at - all.low) as usize;
                        let found = bytes.get(from..from + $size).and_then(|it| it.first_chunk());
                        *to = found.copied().map_or(0, value);
                    }
                }
                None => {
                    for (to, at) in to.iter_mut().zip(at) {
                        *to = memory.load::<$size>(*at as u32).map_or(0, value);
                    }
                }
            }
        }};
    }
    for_each_load!(inst, gather)
}

/// Loads from addresses that are `step` apart, all of which can be accessed.
fn gather_apart(
    inst: &Inst,
    memory: &mut Arena,
    to: &mut [u64],
    all: Reach,
    first: i64,
    step: i64,
) {
    let bytes = memory.slice(all.low as u32, (all.end - all.low) as u32).unwrap_or(&mut []);
    let from = (first as u64).wrapping_sub(all.low) as usize;
    macro_rules! gather {
        ($size:literal, $value:expr) => {{
            // Aligned addresses that advance by a step are whole words apart.
            let (words, _) = bytes.as_chunks::<$size>();
            let (mut word, step) = (from / $size, (step / $size) as usize);
            for to in to {
                *to = words.get(word).copied().map_or(0, $value);
                word = word.wrapping_add(step);
            }
        }};
    }
    for_each_load!(inst, gather)
}

/// Stores values at their addresses, all of which can be accessed, in the order of lanes.
fn scatter(inst: &Inst, memory: &mut Arena, values: &[u64], at: &[u64]) {
    let (all, dense) = reach(at, size(inst.op));
    macro_rules! scatter {
        ($size:literal, $type:ty) => {{
            let length = (all.end - all.low) as u32;
            match memory.slice(all.low as u32, length) {
                Some(bytes) if dense => {
                    let (chunks, _) = bytes.as_chunks_mut::<$size>();
                    for (to, value) in chunks.iter_mut().zip(values) {
                        *to = (*value as $type).to_le_bytes();
                    }
                }
                _ => {
                    for (value, at) in values.iter().zip(at) {
                        if let Some(place) = memory.place::<$size>(*at as u32) {
                            *place = (*value as $type).to_le_bytes();
                        }
                    }
                }
            }
        }};
    }
    match size(inst.op) {
        1 => scatter!(1, u8),
        2 => scatter!(2, u16),
        4 => scatter!(4, u32),
        _ => scatter!(8, u64),
    }
}

impl Rows {
    /// Returns true if a loop is to be tried now.
    #[inline(always)]
    pub fn is_due(&mut self, number: u16) -> bool {
        match self.waits.get_mut(number as usize) {
            Some(wait) if wait.left > 0 => {
                wait.left -= 1;
                false
            }
            _ => true,
        }
    }

    /// Runs iterations of a loop, each of which jumps back at its end and costs `cost` operations,
    /// of which `left` are left. Returns the number of iterations.
    #[inline(never)]
    pub fn run(
        &mut self,
        number: u16,
        run: &RowLoop,
        w: &mut [u64; WINDOW],
        memory: &mut Arena,
        left: i64,
        cost: u32,
    ) -> u64 {
        if self.rows.len() < run.rows {
            self.rows.resize(run.rows, [0; LANES]);
            self.shapes.resize(run.rows, None);
        }
        let most = left.max(0) as u64 / u64::from(cost.max(1));
        let mut done = 0;
        loop {
            let lanes = (most - done).min(LANES as u64) as usize;
            let lanes = self.batch(run, w, memory, lanes);
            done += lanes as u64;
            if lanes < LANES {
                break;
            }
        }
        let number = usize::from(number);
        if self.waits.len() <= number {
            self.waits.resize(number + 1, Wait::default());
        }
        let wait = &mut self.waits[number];
        *wait = match done < FEW as u64 {
            true => Wait { left: wait.next, next: (2 * wait.next + 1).min(LONGEST_WAIT) },
            false => Wait::default(),
        };
        done
    }

    /// Runs up to `lanes` iterations.
    fn batch(
        &mut self,
        run: &RowLoop,
        w: &mut [u64; WINDOW],
        memory: &mut Arena,
        lanes: usize,
    ) -> usize {
        for &(slot, row) in &run.constants {
            self.shapes[row] = Some(Affine { start: w[slot as usize] as i64, step: 0 });
        }
        for Induction { inst, row } in &run.inductions {
            let (from, by) = (w[inst.a as usize], w[inst.c as usize]);
            self.advance(inst, from, by, *row, lanes);
        }
        self.reaches.clear();
        let mut lanes = lanes;
        for step in run.first.iter().chain(&run.steps) {
            lanes = self.step(step, memory, lanes);
            if lanes == 0 {
                return 0;
            }
        }
        if !self.is_orderly(run, lanes) {
            return 0;
        }
        self.store(run, memory, lanes);
        for Sum { inst, row } in &run.sums {
            let slot = &mut w[inst.a as usize];
            self.write_down(*row, lanes);
            *slot = sum_up(inst, *slot, &self.rows[*row][..lanes]);
        }
        for &(slot, row) in &run.results {
            w[slot as usize] = self.value(row, lanes - 1);
        }
        lanes
    }

    /// The value of a row in a lane.
    fn value(&self, row: Row, lane: usize) -> u64 {
        match self.shapes[row] {
            Some(affine) => affine.at(lane) as u64,
            None => self.rows[row][lane],
        }
    }

    /// Writes down all values of a row.
    fn write_down(&mut self, row: Row, lanes: usize) {
        if let Some(Affine { start, step }) = self.shapes[row].take() {
            let mut value = start;
            for to in &mut self.rows[row][..lanes] {
                *to = value as u64;
                value = value.wrapping_add(step);
            }
        }
    }

    /// Makes the row of a slot that advances by a step.
    fn advance(&mut self, inst: &Inst, from: u64, by: u64, row: Row, lanes: usize) {
        let constant = |value: u64| Affine { start: value as i64, step: 0 };
        let next = Affine::of(inst, constant(from), constant(by), 1);
        let step = next.and_then(|next| next.start.checked_sub(from as i64));
        let adds = matches!(
            inst.op,
            Op::AddI32 | Op::AddU32 | Op::Add64 | Op::SubI32 | Op::SubU32 | Op::Sub64 | Op::Address
        );
        let range = match inst.op {
            Op::AddI32 | Op::SubI32 => i32::MIN.into()..=i32::MAX.into(),
            Op::Add64 | Op::Sub64 => i64::MIN..=i64::MAX,
            _ => 0..=u32::MAX.into(),
        };
        let shape = step.filter(|_| adds);
        self.shapes[row] = shape.and_then(|step| Affine::new(from as i64, step, lanes, range));
        if self.shapes[row].is_none() {
            let mut value = from;
            for to in &mut self.rows[row][..lanes] {
                *to = value;
                value = compute(inst.op, value, by, inst);
            }
        }
    }

    /// Executes a step, except for its store. Returns the number of leading lanes that continue.
    fn step(&mut self, step: &Step, memory: &mut Arena, lanes: usize) -> usize {
        match step.action {
            Action::Value => {
                self.map(step, lanes);
                lanes
            }
            Action::Divide => self.divide(step, lanes),
            Action::Test(taken) => self.test(step, taken, lanes),
            Action::Load | Action::Store => self.access(step, memory, lanes),
        }
    }

    #[inline(never)]
    fn map(&mut self, step: &Step, lanes: usize) {
        let Step { ref inst, to, b, c, .. } = *step;
        if let (Some(left), Some(right)) = (self.shapes[b], self.shapes[c])
            && let Some(shape) = Affine::of(inst, left, right, lanes)
        {
            self.shapes[to] = Some(shape);
            return;
        }
        self.write_down(b, lanes);
        self.write_down(c, lanes);
        self.shapes[to] = None;
        let (before, after) = self.rows.split_at_mut(to);
        map(inst, &mut after[0][..lanes], &before[b][..lanes], &before[c][..lanes]);
    }

    #[inline(never)]
    fn divide(&mut self, step: &Step, lanes: usize) -> usize {
        let Step { ref inst, to, b, c, .. } = *step;
        self.write_down(b, lanes);
        self.write_down(c, lanes);
        self.shapes[to] = None;
        let (before, after) = self.rows.split_at_mut(to);
        let (to, left, right) = (&mut after[0][..lanes], &before[b][..lanes], &before[c][..lanes]);
        let lanes = right.iter().position(|&by| by == 0).unwrap_or(lanes);
        let each = to.iter_mut().zip(left).zip(right).take(lanes);
        macro_rules! divisions {
            ($($op:ident)*) => {
                match inst.op {
                    $(Op::$op => each.for_each(|((to, b), c)| *to = divide(Op::$op, *b, *c).unwrap_or(0)),)*
                    op => each.for_each(|((to, b), c)| *to = divide(op, *b, *c).unwrap_or(0)),
                }
            };
        }
        divisions! { DivI32 RemI32 DivU RemU }
        lanes
    }

    /// The number of leading lanes that jump, or do not, as the path does.
    #[inline(never)]
    fn test(&mut self, step: &Step, taken: bool, lanes: usize) -> usize {
        let Step { ref inst, b, c, .. } = *step;
        if let (Some(left), Some(right)) = (self.shapes[b], self.shapes[c]) {
            let stays = |lane: usize| {
                let (left, right) = (left.at(lane) as u64, right.at(lane) as u64);
                (compute(inst.op, left, right, inst) != 0) == taken
            };
            return match inst.op {
                Op::JumpEq => left.lanes_that_equal(right, taken, lanes),
                Op::JumpNe | Op::LoopNe => left.lanes_that_equal(right, !taken, lanes),
                // A comparison by size of values that advance by a step changes once at most.
                Op::LoopLtS | Op::LoopLeS | Op::JumpLtS | Op::JumpLeS => match stays(0) {
                    true if stays(lanes - 1) => lanes,
                    true => first_that(lanes, |lane| !stays(lane)),
                    false => 0,
                },
                _ => (0..lanes).find(|&lane| !stays(lane)).unwrap_or(lanes),
            };
        }
        self.write_down(b, lanes);
        self.write_down(c, lanes);
        let mut jumps = [0; LANES];
        map(inst, &mut jumps[..lanes], &self.rows[b][..lanes], &self.rows[c][..lanes]);
        jumps[..lanes].iter().position(|&jumps| (jumps != 0) != taken).unwrap_or(lanes)
    }

    /// Computes addresses of an access, and loads. Returns the number of leading lanes that can.
    #[inline(never)]
    fn access(&mut self, step: &Step, memory: &mut Arena, lanes: usize) -> usize {
        let Step { action, ref inst, to, at, .. } = *step;
        let bytes = size(inst.op);
        let shape = self.addresses(step, lanes);
        self.shapes[at] = shape;
        let usual = shape.and_then(|shape| self.usual(shape, memory, bytes, lanes));
        if let Some(usual) = usual {
            self.reaches.push(usual.all);
            if action == Action::Load {
                self.load_usual(step, memory, usual, lanes);
            }
            return lanes;
        }
        self.write_down(at, lanes);
        let (before, after) = self.rows.split_at_mut(at + 1);
        let addressed = &before[at][..lanes];
        let (mut all, mut dense) = reach(addressed, bytes);
        let lanes = possible(memory, addressed, bytes, all);
        if lanes < addressed.len() {
            (all, dense) = reach(&addressed[..lanes], bytes);
        }
        self.reaches.push(all);
        if action == Action::Load && lanes > 0 {
            self.shapes[to] = None;
            let to = &mut after[to - at - 1][..lanes];
            gather(inst, memory, to, &addressed[..lanes], all, dense);
        }
        lanes
    }

    /// The addresses of an access: written down, unless they advance by a step.
    fn addresses(&mut self, step: &Step, lanes: usize) -> Shape {
        let Step { ref inst, at, b, c, .. } = *step;
        let is_plain = (Op::Load8S as u16..Op::LoadX8S as u16).contains(&(inst.op as u16));
        let address = match is_plain {
            true => Inst { op: Op::Address, x: 0, ..*inst },
            false => Inst { op: Op::Address, ..*inst },
        };
        if let (Some(left), Some(right)) = (self.shapes[b], self.shapes[c])
            && let Some(shape) = Affine::of(&address, left, right, lanes)
        {
            return Some(shape);
        }
        self.write_down(b, lanes);
        self.write_down(c, lanes);
        let (before, after) = self.rows.split_at_mut(at);
        map(&address, &mut after[0][..lanes], &before[b][..lanes], &before[c][..lanes]);
        None
    }

    /// The reach and step of accesses with advancing addresses, if aligned in one allocation.
    fn usual(
        &self,
        Affine { start, step }: Affine,
        memory: &mut Arena,
        bytes: u64,
        lanes: usize,
    ) -> Option<UsualAccess> {
        let last = Affine { start, step }.at(lanes - 1);
        let (low, end) = (start.min(last) as u64, start.max(last) as u64 + bytes);
        let length = u32::try_from(end - low).ok()?;
        let is_aligned = (start as u64 | step as u64) & (bytes - 1) == 0;
        let low_address = u32::try_from(low).ok().filter(|_| is_aligned)?;
        memory.find(low_address, length)?;
        Some(UsualAccess { all: Reach { low, end }, step })
    }

    /// Loads from addresses that advance by a step.
    fn load_usual(&mut self, access: &Step, memory: &mut Arena, usual: UsualAccess, lanes: usize) {
        let Step { ref inst, at, to, .. } = *access;
        let UsualAccess { all, step } = usual;
        self.shapes[to] = None;
        if step == 0 {
            let mut value = [0];
            gather(inst, memory, &mut value, &[all.low], all, true);
            self.shapes[to] = Some(Affine { start: value[0] as i64, step: 0 });
            return;
        }
        let dense = step == size(inst.op) as i64;
        if dense {
            gather(inst, memory, &mut self.rows[to][..lanes], &[], all, true);
            return;
        }
        let first = self.shapes[at].map_or(0, |shape| shape.start);
        gather_apart(inst, memory, &mut self.rows[to][..lanes], all, first, step);
    }

    /// Returns true if no load reads bytes stored by another iteration, or earlier in its own.
    fn is_orderly(&self, run: &RowLoop, lanes: usize) -> bool {
        let accesses = || run.steps.iter().filter(|it| is_access(it));
        for (number, store) in accesses().enumerate() {
            if store.action != Action::Store {
                continue;
            }
            for (other, load) in accesses().enumerate() {
                if load.action == Action::Load
                    && self.reaches[number].meets(self.reaches[other])
                    && !(other < number && self.is_own(load, store, lanes))
                {
                    return false;
                }
            }
        }
        true
    }

    /// Returns true if each iteration alone loads the place that it stores to afterwards.
    fn is_own(&self, load: &Step, store: &Step, lanes: usize) -> bool {
        let size = size(store.inst.op);
        if let (Some(loaded), Some(stored)) = (self.shapes[load.at], self.shapes[store.at]) {
            let apart = stored.step.unsigned_abs() >= size;
            return loaded == stored && apart && size == self::size(load.inst.op);
        }
        if self.shapes[load.at].is_some() || self.shapes[store.at].is_some() {
            return false;
        }
        let (loaded, stored) = (&self.rows[load.at][..lanes], &self.rows[store.at][..lanes]);
        let rises = || stored.windows(2).all(|two| two[0] + size <= two[1]);
        let falls = || stored.windows(2).all(|two| two[1] + size <= two[0]);
        size == self::size(load.inst.op) && loaded == stored && (rises() || falls())
    }

    /// Makes the stores: lane after lane if two of them may meet.
    fn store(&mut self, run: &RowLoop, memory: &mut Arena, lanes: usize) {
        for step in run.steps.iter().filter(|step| step.action == Action::Store) {
            self.write_down(step.to, lanes);
            self.write_down(step.at, lanes);
        }
        let stores = || run.steps.iter().filter(|step| step.action == Action::Store);
        let reaches = || {
            let accesses = run.steps.iter().filter(|it| is_access(it)).zip(&self.reaches);
            accesses.filter(|(step, _)| step.action == Action::Store).map(|(_, reach)| *reach)
        };
        let meet =
            reaches().enumerate().any(|(at, one)| reaches().skip(at + 1).any(|it| one.meets(it)));
        let range = |step: &Step, lanes: std::ops::Range<usize>, memory: &mut Arena| {
            scatter(
                &step.inst,
                memory,
                &self.rows[step.to][lanes.clone()],
                &self.rows[step.at][lanes],
            );
        };
        if !meet {
            stores().for_each(|step| range(step, 0..lanes, memory));
            return;
        }
        for lane in 0..lanes {
            stores().for_each(|step| range(step, lane..lane + 1, memory));
        }
    }
}

fn is_access(step: &Step) -> bool {
    matches!(step.action, Action::Load | Action::Store)
}
