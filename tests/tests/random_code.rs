//! Random machine code without any structure, barriers in all places: no run finds a last read that is
//! none, and convergence barriers are right. The compiler's own code is tamer.

use crate::data::each;
use reconverge_compiler::machine_code::{
    LastReads, barrier_check, control_bits, convergence_barriers, dependence_check, last_read,
    placement, staging,
};
use reconverge_isa::convergence::strip;
use reconverge_isa::{
    ControlPart, ControlTarget, Effect, FixedLatencies, Instruction, Kernel, Op, Operand,
    RegisterLevel, RegisterLevels, StagingLimits, text,
};
use reconverge_simulator::{
    Claim, DeviceMemory, Fault, Launch, Limits, Model, TrapKind, launch, load_machine,
};
use reconverge_tests::generate::Random;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

const LENGTH: usize = 40;
const SEEDS: u64 = 600;

/// An instruction that is no branch, on a few registers, so that they are used again soon.
fn simple(random: &mut Random) -> String {
    let mut register = || format!("r{}", 1 + random.below(4));
    let (a, b, c) = (register(), register(), register());
    let (p, q) = (random.below(2), random.below(2));
    let guard = if random.chance(15) { format!("@p{q} ") } else { String::new() };
    match random.below(20) {
        0 => "bar.sync".into(),
        1 => format!("bar.red.or p{p}, p{q}"),
        2 if random.chance(30) => format!("@p{p} exit"),
        3..6 => format!("{guard}setp.lt.s32 p{p}, {a}, {b}"),
        6 => format!("{guard}sel.b32 {a}, p{p}, {b}, {c}"),
        7 => format!("{guard}xor.b32 {a}, {b}, r0"),
        8 => format!("{guard}and.b32 {a}, {b}, 7"),
        _ => format!("{guard}add.i32 {a}, {b}, {c}"),
    }
}

fn code(seed: u64) -> Kernel {
    let random = &mut Random::new(seed);
    let mut text = String::from(".kernel k\n.registers 5\n.predicates 2\nmov.b32 r0, tid.x\n");
    for register in 1..5 {
        text += &format!("mul.i32 r{register}, r0, {}\n", random.below(5));
    }
    for index in 0..LENGTH {
        let line = match random.below(4) {
            0 => {
                let guard = ["", "@p0 ", "@p1 ", "@!p0 ", "@!p1 "][random.below(5)];
                // Mostly forwards, so that most runs end.
                let last = if random.chance(25) { 0 } else { index + 1 };
                let target = last + random.below(LENGTH + 1 - last);
                format!("{guard}bra I{target}")
            }
            _ => simple(random),
        };
        text += &format!("I{index}: {line}\n");
    }
    text += &format!("I{LENGTH}: exit\n");
    let program = text::parse(&text).unwrap_or_else(|errors| panic!("{}\n{text}", errors[0]));
    let mut kernel = program.kernels[0].clone();
    let points: Vec<_> = (0..kernel.code.len()).map(|at| meeting_place(&kernel.code, at)).collect();
    for (instruction, point) in kernel.code.iter_mut().zip(points) {
        if instruction.op == Op::Branch && instruction.guard.is_some() {
            instruction.annotations.reconverge = point.map(|at| at as u32);
        }
    }
    kernel
}

fn follows(code: &[Instruction], at: usize) -> Vec<usize> {
    let instruction = &code[at];
    let leaves = matches!(instruction.op, Op::Branch | Op::Exit) && instruction.guard.is_none();
    let target = (instruction.op == Op::Branch).then_some(instruction.target as usize);
    target.into_iter().chain((!leaves).then_some(at + 1)).collect()
}

/// True if a thread at an instruction can end without passing another.
fn ends_without(code: &[Instruction], from: usize, without: Option<usize>) -> bool {
    let (mut seen, mut pending) = (vec![false; code.len()], vec![from]);
    while let Some(at) = pending.pop() {
        if Some(at) == without || std::mem::replace(&mut seen[at], true) {
            continue;
        }
        if code[at].op == Op::Exit {
            return true;
        }
        pending.extend(follows(code, at));
    }
    false
}

/// The immediate post-dominator, from its definition: of the instructions without which no thread can
/// end, the one that all others are after.
fn meeting_place(code: &[Instruction], from: usize) -> Option<usize> {
    if !ends_without(code, from, None) {
        return None;
    }
    let passed: Vec<usize> =
        (0..code.len()).filter(|&at| at != from && !ends_without(code, from, Some(at))).collect();
    let is_first = |&at: &usize| {
        passed.iter().all(|&other| other == at || !ends_without(code, at, Some(other)))
    };
    passed.iter().copied().find(is_first)
}

/// True if some run reads a register after its last read, or does not find one at its level or staged; or the code breaks a rule.
fn is_wrong(kernel: &Kernel) -> bool {
    let order = |order: &str| [("simt-stack.push-order".to_string(), order.to_string())];
    ["taken-first", "fewer-threads-first"].into_iter().any(|name| {
        let machine = load_machine("tiny", &order(name)).unwrap();
        let mut memory = DeviceMemory {
            global: &mut [],
            allocations: &[],
            constant: &[],
            emitted: Default::default(),
            checker: None,
            second_level: None,
        };
        let request = Launch {
            grid: [1; 3],
            block: [4, 1, 1],
            dynamic_shared: 0,
            parameters: &[],
            model: Model::Functional,
            limits: Limits { instructions: 4000, patience: 500, ..Limits::default() },
            verify_annotations: true,
            profile: false,
            control_bits_proved: false,
        };
        // Most code that waits at barriers at random is stuck some time; that is no fault here.
        let end =
            launch(kernel, &request, &mut memory, &machine, &mut |_| ControlFlow::Continue(()));
        let trap = match end.map_err(|stopped| stopped.fault) {
            Err(Fault::BadProgram { .. }) => return true,
            Err(Fault::Trap(trap)) => trap,
            _ => return false,
        };
        matches!(
            trap.kind,
            TrapKind::BrokenClaim(
                Claim::LastRead { .. } | Claim::Placement { .. } | Claim::Region { .. }
            )
        )
    })
}

#[test]
fn last_reads_of_random_code_are_right() {
    let seeds: Vec<u64> = (0..SEEDS).collect();
    let (bits, caught) = (AtomicUsize::new(0), AtomicUsize::new(0));
    each(&seeds, |&seed| {
        let mut kernel = code(seed);
        last_read::annotate(&mut kernel.code);
        bits.fetch_add(LastReads::new(&kernel.code).count(), Relaxed);
        if is_wrong(&kernel) {
            return Err(format!("seed {seed}"));
        }
        let random = &mut Random::new(seed);
        let sums = kernel.code.iter_mut().filter(|instruction| instruction.op == Op::Add);
        for instruction in sums.filter(|_| random.chance(20)) {
            instruction.annotations.last_read = 3;
        }
        caught.fetch_add(usize::from(is_wrong(&kernel)), Relaxed);
        Ok(())
    });
    // The check is not empty, and the runs would have seen faults: bits set at random are found.
    let (bits, caught) = (bits.into_inner(), caught.into_inner());
    assert!(bits > 2 * SEEDS as usize, "{bits} last reads");
    assert!(caught > SEEDS as usize / 4, "{caught} of {SEEDS} with wrong bits are found");
}

#[test]
fn placements_of_random_code_are_right() {
    let seeds: Vec<u64> = (0..SEEDS).collect();
    let (placed, caught) = (AtomicUsize::new(0), AtomicUsize::new(0));
    each(&seeds, |&seed| {
        let mut kernel = code(seed);
        if seed % 2 == 0 {
            convergence_barriers::insert(&mut kernel);
        }
        let levels = RegisterLevels::counted((seed % 4) as u8);
        kernel.record.placements = placement::place(&kernel.code, &levels);
        let upper = |kernel: &Kernel| {
            let placed = kernel.record.placements.iter();
            placed.filter(|it| it.result != RegisterLevel::Main).count()
        };
        placed.fetch_add(upper(&kernel), Relaxed);
        if is_wrong(&kernel) {
            return Err(format!("seed {seed}"));
        }
        // A result goes elsewhere.
        let random = &mut Random::new(seed);
        let results =
            kernel.record.placements.iter_mut().filter(|it| it.result != RegisterLevel::Main);
        for placement in results.filter(|_| random.chance(50)) {
            placement.result = RegisterLevel::Operand(31);
        }
        caught.fetch_add(usize::from(is_wrong(&kernel)), Relaxed);
        Ok(())
    });
    let (placed, caught) = (placed.into_inner(), caught.into_inner());
    assert!(placed > 3 * SEEDS as usize, "{placed} results at upper levels");
    assert!(caught > SEEDS as usize / 2, "{caught} of {SEEDS} with wrong levels are found");
}

#[test]
fn regions_of_random_code_are_right() {
    let seeds: Vec<u64> = (0..SEEDS).collect();
    let (kept, lost) = (AtomicUsize::new(0), AtomicUsize::new(0));
    each(&seeds, |&seed| {
        let mut kernel = code(seed);
        if seed % 2 == 0 {
            convergence_barriers::insert(&mut kernel);
        }
        let limits = match seed % 3 {
            0 => StagingLimits::of(16),
            1 => StagingLimits::of(3),
            _ => StagingLimits { registers: 8, banks: 4, bank_registers: 2 },
        };
        (kernel.record.regions, kernel.record.evictions) = staging::cut(&kernel.code, &limits);
        if is_wrong(&kernel) {
            return Err(format!("seed {seed}"));
        }
        // One register is not loaded: it may have been needed for other lanes only, and these may
        // not read it in this run.
        let random = &mut Random::new(seed);
        let full = kernel.record.regions.iter_mut().filter(|region| !region.preloads.is_empty());
        let mut full: Vec<_> = full.collect();
        if full.is_empty() {
            return Ok(());
        }
        let region = random.below(full.len());
        let preloads = &mut full[region].preloads;
        preloads.remove(random.below(preloads.len()));
        let count = if is_wrong(&kernel) { &lost } else { &kept };
        count.fetch_add(1, Relaxed);
        Ok(())
    });
    let (kept, lost) = (kept.into_inner(), lost.into_inner());
    assert!(lost > 2 * kept, "{lost} of {} with a register less are found", lost + kept);
}

#[test]
fn convergence_barriers_of_random_code_are_right() {
    let seeds: Vec<u64> = (0..SEEDS).collect();
    each(&seeds, |&seed| {
        let mut kernel = code(seed);
        convergence_barriers::insert(&mut kernel);
        barrier_check::check(&kernel.code).map_err(|fault| format!("seed {seed}: {fault}"))
    });
}

/// Latencies under which some operations of random code vary.
fn latencies(seed: u64) -> FixedLatencies {
    FixedLatencies::new(|row| match row.effect {
        Effect::Barrier | Effect::CountedBarrier if row.result.is_some() => None,
        Effect::Compute => match row.op {
            Op::Select | Op::Xor | Op::Mul => None,
            Op::And => Some(15),
            _ => Some(1 + (row.op as u64 + seed) % 9),
        },
        _ => Some(1),
    })
}

/// The same latencies, with some counters, and with some parts of the work left out.
fn control_target(seed: u64) -> ControlTarget {
    let mut target = ControlTarget::new(latencies(seed));
    if seed % 4 == 3 {
        target.counters = 1 + (seed / 4 % 6) as u8;
        let (part, ..) = ControlPart::ALL[seed as usize / 24 % ControlPart::ALL.len()];
        target.without = [part].into_iter().collect();
    }
    target
}

#[test]
fn control_bits_of_random_code_are_right() {
    let seeds: Vec<u64> = (0..SEEDS).collect();
    let (small, forgotten) = (AtomicUsize::new(0), AtomicUsize::new(0));
    each(&seeds, |&seed| {
        let (mut kernel, latencies) = (code(seed), latencies(seed));
        if seed % 2 == 0 {
            convergence_barriers::insert(&mut kernel);
        }
        let common = vec![false; kernel.code.len()];
        control_bits::choose(&mut kernel, common, &control_target(seed));
        let check = |kernel: &Kernel| dependence_check::check(kernel, &latencies);
        check(&kernel).map_err(|fault| format!("seed {seed}: {fault}"))?;
        if let Some(stripped) = strip(&kernel) {
            let checked = check(&stripped.kernel);
            checked.map_err(|fault| format!("seed {seed} without barriers: {fault}"))?;
        }
        let random = &mut Random::new(seed);
        let places = |kernel: &Kernel, is: fn(&reconverge_isa::ControlBits) -> bool| {
            let all = kernel.record.control_bits.iter().enumerate();
            all.filter(|(_, bits)| is(bits)).map(|(at, _)| at).collect::<Vec<_>>()
        };
        let stalls = places(&kernel, |bits| bits.stall > 1);
        if !stalls.is_empty() {
            let mut less = kernel.clone();
            less.record.control_bits[stalls[random.below(stalls.len())]].stall -= 1;
            small.fetch_add(usize::from(check(&less).is_err()), Relaxed);
        }
        let waits = places(&kernel, |bits| bits.wait != 0);
        if !waits.is_empty() {
            let mut less = kernel.clone();
            let bits = &mut less.record.control_bits[waits[random.below(waits.len())]];
            bits.wait &= bits.wait - 1;
            forgotten.fetch_add(usize::from(check(&less).is_err()), Relaxed);
        }
        Ok(())
    });
    let (small, forgotten) = (small.into_inner(), forgotten.into_inner());
    println!("of {SEEDS}: {small} stall counts one too small, {forgotten} counters forgotten");
    assert!(small > SEEDS as usize * 4 / 5, "{small} of {SEEDS} with a smaller stall are found");
    assert!(forgotten > SEEDS as usize * 4 / 5, "{forgotten} of {SEEDS} without a wait are found");
}

/// Loads, most of them from shared memory and of one width, whose results are added up in some order.
fn loads(seed: u64) -> Kernel {
    let random = &mut Random::new(seed);
    let count = 8 + random.below(40);
    let mut text = String::from(".kernel k\n.registers 64\n.predicates 1\nmov.b32 r0, tid.x\n");
    for at in 0..count {
        let guard = if random.chance(10) { "@p0 " } else { "" };
        let space = if random.chance(1) { "global" } else { "shared" };
        text += &format!("{guard}ld.{space}.b32 r{}, [r0+{}]\n", 2 + at, 4 * at);
    }
    for at in 0..count {
        let read = if random.chance(80) { at } else { random.below(count) };
        text += &format!("add.i32 r1, r1, r{}\n", 2 + read);
    }
    text += "exit\n";
    text::parse(&text).unwrap_or_else(|errors| panic!("{}\n{text}", errors[0])).kernels[0].clone()
}

/// The producers that a wait above 0 waits for at least, the one that is needed included.
const BATCH: u32 = 4;

#[test]
fn waits_above_0_are_right() {
    let seeds: Vec<u64> = (0..SEEDS).collect();
    let (found, small) = (AtomicUsize::new(0), AtomicUsize::new(0));
    each(&seeds, |&seed| {
        let latencies = FixedLatencies::new(|row| (row.effect != Effect::Load).then_some(4));
        let mut kernel = loads(seed);
        let counters = 1 + (seed % 3) as u8;
        let target = ControlTarget { counters, ..ControlTarget::new(latencies) };
        let common = vec![false; kernel.code.len()];
        for at in control_bits::choose(&mut kernel, common, &target) {
            for more in 1..=BATCH {
                let mut larger = kernel.clone();
                let Operand::Imm(limit) = &mut larger.code[at].sources[0] else { continue };
                *limit += more;
                let is_found = dependence_check::check(&larger, &latencies).is_err();
                small.fetch_add(usize::from(more == 1 && is_found), Relaxed);
                if more == BATCH && !is_found {
                    return Err(format!("seed {seed}: the limit at {at} may be larger"));
                }
            }
            found.fetch_add(1, Relaxed);
        }
        dependence_check::check(&kernel, &latencies)
            .map_err(|fault| format!("seed {seed}: {fault}"))
    });
    let (found, small) = (found.into_inner(), small.into_inner());
    println!("{found} waits above 0; {small} with a limit one too large are found");
    assert!(found > SEEDS as usize && small > found / 2, "{found} {small}");
}
