//! Compares facts about computed values with the values of random launches' threads.

use super::affine::{Coefficient, Condition, Form, INDICES, Launches, Scope, Symbol, WARP};
use super::random::Random;
use super::transfer::{Fact, Operand, Transfer};
use crate::ir::{Type, Value};
use reconverge_features::is_in_part;
use reconverge_isa::{Effect, Op, Special, table::evaluate_lane};

/// A launch, by whose threads facts are judged.
struct Judge {
    transfer: Transfer,
    block: [u32; 3],
    /// Every thread's indices.
    threads: Vec<[u32; 6]>,
}

/// A computed value: the fact about it, and its value in every thread.
struct Computed {
    operand: Operand,
    ty: Type,
    values: Vec<u64>,
}

impl Judge {
    fn new(random: &mut Random, condition: Condition) -> Judge {
        let few = |random: &mut Random, most: usize| 1 + random.below(most) as u32;
        let block = match condition {
            Condition::Always => [few(random, 70), few(random, 3), few(random, 2)],
            Condition::Rows if random.below(2) == 0 => [few(random, 130), 1, 1],
            _ => [32 * few(random, 3), few(random, 3), few(random, 2)],
        };
        let grid = [few(random, 4), few(random, 2), few(random, 2)];
        assert!(condition.holds(grid, block, WARP));
        // Blocks whose numbers wrap when they are multiplied, too.
        let far = [0, 0, 0x0fff_fffe, 0xffff_fff0][random.below(4)];
        let far = if condition == Condition::Regular { 0 } else { far };
        let mut threads = Vec::new();
        for number in 0..grid.iter().product::<u32>() {
            let [x, y, _] = grid;
            let b = [number % x + far, number / x % y, number / x / y];
            for thread in 0..block.iter().product::<u32>() {
                let [x, y, _] = block;
                let t = [thread % x, thread / x % y, thread / x / y];
                threads.push([t[0], t[1], t[2], b[0], b[1], b[2]]);
            }
        }
        let most = block.iter().product();
        let most = if random.below(2) == 0 { most } else { 32768 };
        let known = block.map(|extent| Some(extent).filter(|_| random.below(3) == 0));
        let known = Launches::of_block(known).at_most(most);
        let mut launches = Launches::from(condition).and(&known);
        launches.narrow |= random.below(2) == 0;
        Judge { transfer: Transfer { launches }, block, threads }
    }

    fn warp(&self, thread: usize) -> usize {
        let size = self.block.iter().product::<u32>() as usize;
        thread / size * size.div_ceil(32) + thread % size / 32
    }

    /// Returns true if threads that share a scope have equal values.
    fn agrees(&self, scope: Scope, values: &[u64]) -> bool {
        let size = self.block.iter().product::<u32>() as usize;
        let group = |thread: usize| match scope {
            Scope::None => thread,
            Scope::Warp => self.warp(thread),
            Scope::Block => thread / size,
            Scope::Grid => 0,
        };
        (1..values.len()).all(|at| group(at - 1) != group(at) || values[at - 1] == values[at])
    }

    /// The value of a coefficient for a thread, if it is known.
    fn coefficient(&self, of: Coefficient, pool: &[Computed], thread: usize) -> Option<u64> {
        match of {
            Coefficient::Constant(value) => Some(value as u64),
            Coefficient::Opaque(_) => None,
            Coefficient::Scaled(symbol, scale) => {
                let symbol = match symbol {
                    Symbol::Special(Special::NtidX) => self.block[0].into(),
                    Symbol::Special(Special::NtidY) => self.block[1].into(),
                    Symbol::Layer => u64::from(self.block[0] * self.block[1]),
                    Symbol::Special(special) => {
                        let position = INDICES.iter().position(|&index| index == special)?;
                        self.threads[thread][position].into()
                    }
                    Symbol::Value(Value(at)) => pool[at as usize].values[thread],
                    other => panic!("nothing is called {other}"),
                };
                Some(symbol.wrapping_mul(scale as u64))
            }
        }
    }

    /// Checks all claims of a fact.
    fn judge(&self, fact: &Fact, values: &[u64], pool: &[Computed]) -> Result<(), String> {
        let Fact::Form(form) = fact else { return Ok(()) };
        let condition = self.transfer.launches.condition;
        if !self.agrees(form.agreement(condition), values) {
            return Err(format!("not the same in {:?}", form.agreement(condition)));
        }
        let bits = form.modulus();
        let mask = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
        let ends = values.iter().map(|value| (value & mask) | 1 << 63);
        let zeros = ends.map(|value| value.trailing_zeros()).min().unwrap_or(64);
        if zeros < u32::from(form.align(condition)).min(bits).min(63) {
            return Err("not so many zero bits".to_owned());
        }
        let signed_value = |value: u64| match bits {
            64 => i128::from(value as i64),
            bits => i128::from((value << (64 - bits)) as i64 >> (64 - bits)),
        };
        for signed in [false, true] {
            let inside = |&value: &u64| match self.transfer.range_as(form, signed) {
                Some((least, most)) => {
                    let value = if signed { signed_value(value) } else { value.into() };
                    (least..=most).contains(&value)
                }
                None => true,
            };
            if form.bits > 1 && !values.iter().all(inside) {
                return Err(format!("not in {:?}", self.transfer.range_as(form, signed)));
            }
        }
        // The base remains when all parts that depend on indices are subtracted.
        let rest = |thread: usize| {
            let indices = self.threads[thread];
            let mut rest = values[thread];
            let mut take = |term: Coefficient, index: u32| {
                let factor = match term.is_zero() || index == 0 {
                    true => 0,
                    false => self.coefficient(term, pool, thread)?,
                };
                rest = rest.wrapping_sub(factor.wrapping_mul(index.into()));
                Some(())
            };
            take(form.near, indices[0] % form.period)?;
            let [x, others @ ..] = indices;
            let quotients = [x / form.period].into_iter().chain(others);
            for (term, index) in form.terms.into_iter().zip(quotients) {
                take(term, index)?;
            }
            Some(rest & mask)
        };
        let rests: Option<Vec<u64>> = (0..values.len()).map(rest).collect();
        let Some(rests) = rests else { return Ok(()) };
        if !self.agrees(form.scope, &rests) {
            return Err("its base is not the same".to_owned());
        }
        let known =
            mask & if form.base.align >= 64 { u64::MAX } else { (1 << form.base.align) - 1 };
        if rests.iter().any(|rest| (rest ^ form.base.constant as u64) & known != 0) {
            return Err("its base is another".to_owned());
        }
        Ok(())
    }
}

const OPERATIONS: &[Op] = &[
    Op::Add,
    Op::Sub,
    Op::Mul,
    Op::Shl,
    Op::ShrU32,
    Op::ShrS32,
    Op::DivU32,
    Op::DivS32,
    Op::RemU32,
    Op::RemS32,
    Op::And,
    Op::Or,
    Op::Xor,
    Op::Not,
    Op::MinS32,
    Op::MaxU32,
    Op::Abs,
    Op::Sext8,
    Op::Zext16,
    Op::Sext32,
    Op::Zext32,
    Op::Low,
    Op::Add64,
    Op::Sub64,
    Op::Mul64,
    Op::ShrU64,
    Op::ShrS64,
    Op::DivU64,
    Op::DivS64,
    Op::RemU64,
    Op::RemS64,
    Op::And64,
    Op::Or64,
    Op::SetLessS32,
    Op::SetGreaterEqualU32,
    Op::SetEqualI32,
];

fn types(op: Op) -> (Type, Type, Type) {
    use Type::{B32, B64, Pred};
    match op {
        Op::Sext32 | Op::Zext32 => (B32, B32, B64),
        Op::Low => (B64, B64, B32),
        Op::SetLessS32 | Op::SetGreaterEqualU32 | Op::SetEqualI32 => (B32, B32, Pred),
        Op::ShrU64 | Op::ShrS64 => (B64, B32, B64),
        Op::Add64 | Op::Sub64 | Op::Mul64 | Op::DivU64 | Op::DivS64 => (B64, B64, B64),
        Op::RemU64 | Op::RemS64 | Op::And64 | Op::Or64 => (B64, B64, B64),
        _ => (B32, B32, B32),
    }
}

fn constant(random: &mut Random, op: Op) -> u64 {
    let power = 1 << random.below(8);
    match op {
        Op::Shl | Op::ShrU32 | Op::ShrS32 | Op::ShrU64 | Op::ShrS64 => {
            let most = [7, 7, 7, 40][random.below(4)];
            random.below(most) as u64
        }
        Op::And | Op::And64 if random.below(2) == 0 => (power - 1) ^ u64::MAX,
        Op::And | Op::And64 if random.below(2) == 0 => power * (1 + random.below(5) as u64),
        Op::And | Op::And64 | Op::Or | Op::Or64 | Op::Xor => power - 1,
        Op::Add | Op::Sub | Op::Add64 | Op::Sub64 if random.below(3) == 0 => {
            (random.below(70) as u64).wrapping_neg()
        }
        _ => match random.below(4) {
            0 => power,
            1 => random.below(0x1000_0000) as u64,
            _ => 1 + random.below(40) as u64,
        },
    }
}

impl Computed {
    fn new(fact: Fact, ty: Type, symbol: Symbol, values: Vec<u64>) -> Computed {
        Computed { operand: Operand { fact, symbol }, ty, values }
    }
}

/// The leaves of expressions: indices, the block's extents, and parameters.
fn leaves(judge: &Judge, random: &mut Random) -> Vec<Computed> {
    let mut pool: Vec<Computed> = Vec::new();
    for (position, &index) in INDICES.iter().enumerate() {
        let fact = judge.transfer.register(index);
        let values = judge.threads.iter().map(|thread| thread[position].into());
        pool.push(Computed::new(fact, Type::B32, Symbol::Special(index), values.collect()));
    }
    for (extent, threads) in [Special::NtidX, Special::NtidY].into_iter().zip(judge.block) {
        let values = vec![threads.into(); judge.threads.len()];
        let fact = judge.transfer.register(extent);
        pool.push(Computed::new(fact, Type::B32, Symbol::Special(extent), values));
    }
    for ty in [Type::B32, Type::B64] {
        let value = random.below(2000) as u64;
        let symbol = Symbol::Value(Value(pool.len() as u32));
        let values = vec![value; judge.threads.len()];
        pool.push(Computed::new(Fact::uniform(Scope::Grid, ty), ty, symbol, values));
    }
    pool
}

/// The linear number of the thread in its layer or in its block, from the leaves.
fn thread_number(judge: &Judge, random: &mut Random, pool: &[Computed]) -> Computed {
    let symbol = Symbol::Value(Value(pool.len() as u32));
    let z = if random.below(2) == 0 { 2 } else { usize::MAX };
    let mut rows = pool[1].operand.clone();
    if let Some(layers) = pool.get(z) {
        let operands = [&layers.operand, &pool[7].operand, &rows].map(Operand::clone);
        let fact = judge.transfer.compute(Op::Mad, &operands, Type::B32);
        rows = Operand { fact, symbol };
    }
    let operands = [&rows, &pool[6].operand, &pool[0].operand].map(Operand::clone);
    let fact = judge.transfer.compute(Op::Mad, &operands, Type::B32);
    let [width, height, _] = judge.block;
    let number = |at: &[u32; 6]| {
        let row = at[1] + if z == 2 { at[2] * height } else { 0 };
        u64::from(row * width + at[0])
    };
    let values: Vec<u64> = judge.threads.iter().map(number).collect();
    let judged = judge.judge(&fact, &values, pool);
    assert_eq!(judged, Ok(()), "{fact:?} of {:?}", judge.block);
    Computed::new(fact, Type::B32, symbol, values)
}

#[test]
fn claims_that_always_hold_hold_in_every_thread() {
    let [affine, divided, numbered] = judge_expressions(17, Condition::Always);
    assert!(affine > 1000 && divided > 300 && numbered > 25, "{affine} {divided} {numbered}");
}

#[test]
fn claims_about_rows_hold_in_every_thread() {
    let [affine, divided, numbered] = judge_expressions(18, Condition::Rows);
    assert!(affine > 1000 && divided > 300 && numbered > 25, "{affine} {divided} {numbered}");
}

#[test]
fn claims_about_regular_blocks_hold_in_every_thread() {
    let [affine, divided, numbered] = judge_expressions(19, Condition::Regular);
    assert!(affine > 1000 && divided > 300 && numbered > 25, "{affine} {divided} {numbered}");
}

/// Judges every claim about random expressions of indices, parameters and constants by the values of all threads of random
/// launches. Returns the numbers of affine forms, of forms with a period, and of known ranges of forms that number threads.
fn judge_expressions(seed: u64, condition: Condition) -> [u32; 3] {
    let (mut affine, mut divided, mut numbered) = (0, 0, 0);
    for iteration in (0..1000).filter(|&iteration| is_in_part(iteration, 2)) {
        let mut random = Random(seed << 32 | iteration as u64);
        let judge = Judge::new(&mut random, condition);
        let mut pool = leaves(&judge, &mut random);
        if random.below(2) == 0 {
            let number = thread_number(&judge, &mut random, &pool);
            pool.push(number);
        }
        for _ in 0..14 {
            let op = OPERATIONS[random.below(OPERATIONS.len())];
            let (first, second, ty) = types(op);
            // Prefers the last computed values, or `threadIdx.x`.
            let pick = |ty: Type, random: &mut Random| {
                let fitting: Vec<&Computed> =
                    pool.iter().filter(|computed| computed.ty == ty).collect();
                let at = match random.below(4) {
                    0 => random.below(fitting.len()),
                    1 => 0,
                    _ => fitting.len() - 1,
                };
                (fitting[at].operand.clone(), fitting[at].values.clone())
            };
            let one = pick(first, &mut random);
            let other = if random.below(4) == 0 {
                pick(second, &mut random)
            } else {
                let bits = constant(&mut random, op) & second.mask();
                let fact = Fact::of(Form::constant(bits, second));
                let symbol = Symbol::Value(Value(u32::MAX));
                (Operand { fact, symbol }, vec![bits; judge.threads.len()])
            };
            let values: Option<Vec<u64>> = one
                .1
                .iter()
                .zip(&other.1)
                .map(|(&a, &b)| Some(evaluate_lane(op, [a, b, 0])? & ty.mask()))
                .collect();
            let values = values.expect("it computes");
            if op.row().effect == Effect::Divide && other.1.contains(&0) {
                continue;
            }
            let fact = judge.transfer.compute(op, &[one.0.clone(), other.0.clone()], ty);
            if let Err(problem) = judge.judge(&fact, &values, &pool) {
                panic!(
                    "iteration {iteration}, {condition:?}, {:?}: {op:?} of {:?} and {:?}: {fact:?}: {problem}",
                    judge.block, one.0.fact, other.0.fact
                );
            }
            if let Fact::Form(form) = &fact {
                affine += u32::from(form.depends_on_thread());
                divided += u32::from(form.period > 1);
                let rows = form.terms[1] == Coefficient::Scaled(Symbol::Special(Special::NtidX), 1);
                numbered += u32::from(rows && judge.transfer.range_as(form, true).is_some());
            }
            let symbol = Symbol::Value(Value(pool.len() as u32));
            pool.push(Computed::new(fact, ty, symbol, values));
        }
    }
    [affine, divided, numbered]
}
