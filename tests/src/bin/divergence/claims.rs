//! What the papers say, beside what was measured.

use crate::measure::{Group, Results};
use reconverge_tests::study;
use reconverge_tests::study::document::Claim;
use reconverge_tests::study::programs::Kind;
use reconverge_tests::study::table::change;

const DIVERGENT: &[Kind] = &[Kind::IfElse, Kind::IfOnly];

fn share(value: f64) -> String {
    format!("{:.1} %", value * 100.0)
}

fn scheme(results: &Results, label: &str) -> Option<usize> {
    results.find(Group::Scheme, label)
}

/// The mean speed over programs of some kinds, as a change.
fn speed(results: &Results, label: &str, kinds: &[Kind]) -> Option<String> {
    Some(change(results.mean_speed(scheme(results, label)?, &results.of(kinds))?))
}

/// The best or the worst change of speed of a scheme, with its program.
fn extreme(results: &Results, label: &str, kinds: &[Kind], largest: bool) -> Option<String> {
    let at = scheme(results, label)?;
    let programs = results.of(kinds);
    let speeds =
        programs.iter().filter_map(|&p| Some((results.speed(at, p)?, results.programs[p].0)));
    let (speed, name) = study::extreme(speeds, largest)?;
    Some(format!("{} ({name})", change(speed)))
}

/// The mean of a statistic by that of another scheme, as a change.
fn against(results: &Results, of: &str, to: &str, name: &str, kinds: &[Kind]) -> Option<String> {
    let (of, to) = (scheme(results, of)?, scheme(results, to)?);
    let mean = study::mean(&results.of(kinds), |program| results.relative(of, to, program, name))?;
    Some(change(mean))
}

/// The harmonic mean of the speed of one scheme by another's.
fn faster(
    results: &Results,
    of: (Group, &str),
    to: (Group, &str),
    kinds: &[Kind],
) -> Option<String> {
    let (of, to) = (results.find(of.0, of.1)?, results.find(to.0, to.1)?);
    let mean =
        study::mean(&results.of(kinds), |program| results.relative(of, to, program, "cycles"))?;
    Some(change(1.0 / mean))
}

/// Idle issue slots by those of the stack.
fn idle(results: &Results, label: &str, kinds: &[Kind]) -> Option<String> {
    let (at, stack) = (scheme(results, label)?, scheme(results, crate::measure::STACK)?);
    let lost = |at: usize, program: usize| {
        Some(
            results.value(at, program, "issue_slots")?
                - results.value(at, program, "slots_issued")?,
        )
    };
    let mean = study::mean(&results.of(kinds), |p| Some(lost(at, p)? / lost(stack, p)?))?;
    Some(change(mean))
}

/// Pipe cycles or time that cycle compression saves: mean and most.
fn saved(results: &Results, label: &str, name: &str, beyond_half: bool) -> Option<String> {
    let at = results.find(Group::Width, label)?;
    let base = results.find(Group::Width, if beyond_half { "ivb-half" } else { "none" })?;
    let programs = results.of(DIVERGENT);
    let saved = |p: usize| results.relative(at, base, p, name).map(|left| 1.0 - left);
    let most = programs.iter().filter_map(|&p| saved(p)).fold(0.0, f64::max);
    Some(format!("{} mean, {} most", share(study::mean(&programs, saved)?), share(most)))
}

/// The mean of a statistic of one configuration, in percent.
fn percent_of(results: &Results, of: (Group, &str), name: &str) -> Option<String> {
    let at = results.find(of.0, of.1)?;
    Some(share(study::mean(&results.of(DIVERGENT), |program| results.value(at, program, name))?))
}

/// Every claim, by mechanism.
pub const CLAIMS: &[Claim<Results>] = &[
    Claim {
        about: "`dual-path`: speed with two paths",
        paper: "+12.7 % mean, 32 % most (P §3.3.3.3)",
        figure: |r| {
            let mean = speed(r, "dual-path", &[Kind::IfElse])?;
            Some(format!("{mean} mean, {}", extreme(r, "dual-path", &[Kind::IfElse], true)?))
        },
        remark: "Paths of a few instructions leave less latency to hide than the paper's applications; where both are chains of arithmetic (classes) the gain is the paper's.",
    },
    Claim {
        about: "`dual-path`: speed with one path",
        paper: "never slower (P §3.3.3.3)",
        figure: |r| {
            let kinds = [Kind::IfOnly, Kind::None];
            let mean = speed(r, "dual-path", &kinds)?;
            Some(format!("{mean} mean, {}", extreme(r, "dual-path", &kinds, false)?))
        },
        remark: "They agree within 1 %. Loops have two paths too.",
    },
    Claim {
        about: "`dual-path`, constrained: speed with two paths",
        paper: "+9.9 % mean (P §3.3.3.4)",
        figure: |r| speed(r, "dual-path, scheduling=constrained", &[Kind::IfElse]),
        remark: "As above; and paths change after an instruction of long latency, of which ours have few.",
    },
    Claim {
        about: "`dual-path`: optimistic by shadow scoreboard",
        paper: "at most +1 % (P §3.3.3.4)",
        figure: |r| {
            let optimistic = (Group::Scheme, "dual-path, scoreboard=optimistic");
            faster(r, optimistic, (Group::Scheme, "dual-path"), DIVERGENT)
        },
        remark: "They agree.",
    },
    Claim {
        about: "`dual-path`: with path forwarding by without",
        paper: "less than +2 % (P §3.4.1)",
        figure: |r| {
            let forwarding = (Group::Scheme, "dual-path, path-forwarding=true");
            faster(r, forwarding, (Group::Scheme, "dual-path"), DIVERGENT)
        },
        remark: "They agree.",
    },
    Claim {
        about: "`dual-path`: path count with two paths",
        paper: "+20 % (P §3.3.3.1)",
        figure: |r| against(r, "dual-path", "simt-stack", "path_count", &[Kind::IfElse]),
        remark: "They agree.",
    },
    Claim {
        about: "`dual-path`: lane utilization",
        paper: "unchanged (P §3.3.3.1)",
        figure: |r| against(r, "dual-path", "simt-stack", "simd_efficiency", DIVERGENT),
        remark: "They agree.",
    },
    Claim {
        about: "`dual-path`: idle issue slots with two paths",
        paper: "-11 % (P §3.3.3.2)",
        figure: |r| idle(r, "dual-path", &[Kind::IfElse]),
        remark: "As with speed.",
    },
    Claim {
        about: "`warp-subdivision`, threshold 100: path count with two paths",
        paper: "+71 % (P §3.3.3.1)",
        figure: |r| {
            let label = "warp-subdivision, threshold=100";
            against(r, label, "simt-stack", "path_count", &[Kind::IfElse])
        },
        remark: "The reconvergence blocks have ten instructions at most in our programs, so that nearly every divergence subdivides, at a threshold of 10 as of 100.",
    },
    Claim {
        about: "`warp-subdivision`, thresholds 50 and 100: lane utilization with two paths",
        paper: "-48.1 % and -48.5 % (P §3.3.3.1)",
        figure: |r| {
            let of = |label| against(r, label, "simt-stack", "simd_efficiency", &[Kind::IfElse]);
            let (fifty, hundred) =
                (of("warp-subdivision")?, of("warp-subdivision, threshold=100")?);
            Some(format!("{fifty} and {hundred}"))
        },
        remark: "The loss is large in both. How much depends on when splits become one again, which the paper leaves open: here whenever they are at one place.",
    },
    Claim {
        about: "`warp-subdivision`, thresholds 50 and 100: lane utilization with one path",
        paper: "-18.6 % and -27.1 % (P §3.3.3.1)",
        figure: |r| {
            let of = |label| against(r, label, "simt-stack", "simd_efficiency", &[Kind::IfOnly]);
            let (fifty, hundred) =
                (of("warp-subdivision")?, of("warp-subdivision, threshold=100")?);
            Some(format!("{fifty} and {hundred}"))
        },
        remark: "They agree, but for the thresholds, which are all the same here.",
    },
    Claim {
        about: "`block-compaction`: lane utilization",
        paper: "up to twice (BFS, MUM), little elsewhere (P §4.4.2.2)",
        figure: |r| {
            let (of, to) = (scheme(r, "block-compaction")?, scheme(r, "simt-stack")?);
            let gains = r.of(DIVERGENT).into_iter().filter_map(|program| {
                Some((r.relative(of, to, program, "simd_efficiency")?, r.programs[program].0))
            });
            let (most, name) = gains.max_by(|a, b| a.0.total_cmp(&b.0))?;
            let mean = against(r, "block-compaction", "simt-stack", "simd_efficiency", DIVERGENT)?;
            Some(format!("{mean} mean, {} ({name})", change(most)))
        },
        remark: "More, since ours were written to diverge; one_side, whose warps diverge at other lanes each, is the best case there is.",
    },
    Claim {
        about: "`block-compaction` and `-plus`: speed where hardly any branch diverges",
        paper: "-12 % and -11 % mean (P §4.4.2.3)",
        figure: |r| {
            let of = |label| speed(r, label, &[Kind::None]);
            Some(format!("{} and {}", of("block-compaction")?, of("block-compaction-plus")?))
        },
        remark: "In the same direction and less: these of our programs have few branches to wait at.",
    },
    Claim {
        about: "`block-compaction` and `-plus`: idle issue slots",
        paper: "+72 % and +63 % (P §4.4.2.2)",
        figure: |r| {
            let of = |label| idle(r, label, DIVERGENT);
            Some(format!("{} and {}", of("block-compaction")?, of("block-compaction-plus")?))
        },
        remark: "In the same direction and much less; what makes the difference is not known.",
    },
    Claim {
        about: "`capri`: speed on divergent programs",
        paper: "+14.9 % over none, +7.6 % over `-plus` (P §4.4.2.3)",
        figure: |r| {
            let plus = (Group::Scheme, "block-compaction-plus");
            let over = faster(r, (Group::Scheme, "capri"), plus, DIVERGENT)?;
            Some(format!("{} over none, {over} over `-plus`", speed(r, "capri", DIVERGENT)?))
        },
        remark: "In the same direction and much less, as with `block-compaction` itself; why was not traced.",
    },
    Claim {
        about: "`capri`: speed where hardly any branch diverges",
        paper: "within 2 % of none (P §4.4.2.3)",
        figure: |r| speed(r, "capri", &[Kind::None]),
        remark: "They agree.",
    },
    Claim {
        about: "`capri`: idle issue slots, history sticky and latest",
        paper: "+7 % and +5 % (P §4.4.2.2)",
        figure: |r| {
            let sticky = idle(r, "capri, history=sticky", DIVERGENT)?;
            Some(format!("{sticky} and {}", idle(r, "capri", DIVERGENT)?))
        },
        remark: "They agree.",
    },
    Claim {
        about: "`capri`: right decisions, on divergent programs and on others",
        paper: "87 % and 99 % (P §4.4.2.1)",
        figure: |r| {
            let at = scheme(r, "capri")?;
            let of = |kinds: &[Kind]| {
                let name = "compaction_prediction_accuracy";
                study::mean(&r.of(kinds), |program| r.value(at, program, name))
            };
            Some(format!("{} and {}", share(of(DIVERGENT)?), share(of(&[Kind::None])?)))
        },
        remark: "They agree.",
    },
    Claim {
        about: "lane permutations: compaction rate of P branches, `identity`, `odd-even`, `reverse-warp-id`, `balanced`, `ideal`",
        paper: "3.2, 28.9, 52.8, 71.5, 72.7 % (P §4.4.3.1)",
        figure: |r| {
            let labels = ["identity", "odd-even", "reverse-warp-id", "balanced", "ideal"];
            let rate = |label| percent_of(r, (Group::Rates, label), "programmatic_compaction_rate");
            Some(labels.into_iter().map(rate).collect::<Option<Vec<_>>>()?.join(", "))
        },
        remark: "The same order. Some of ours (one_side) diverge at other lanes in each warp, which `identity` compacts already.",
    },
    Claim {
        about: "lane permutations: compaction rate of D branches, `identity`, `ideal`",
        paper: "42.5, 64.4 % (P §4.4.3.1)",
        figure: |r| {
            let rate = |label| percent_of(r, (Group::Rates, label), "data_compaction_rate");
            Some(format!("{}, {}", rate("identity")?, rate("ideal")?))
        },
        remark: "Higher throughout: more of our lanes are idle, and what is left fits into fewer warps more often.",
    },
    Claim {
        about: "`balanced` under compaction: lane utilization",
        paper: "+7.1 % over `identity` (P §4.4.3.2)",
        figure: |r| {
            let of = |label| r.find(Group::Rates, label);
            let (balanced, identity) = (of("balanced")?, of("identity")?);
            let mean = study::mean(&r.of(DIVERGENT), |program| {
                r.relative(balanced, identity, program, "simd_efficiency")
            })?;
            Some(change(mean))
        },
        remark: "More, as ours diverge more.",
    },
    Claim {
        about: "`balanced` under `capri`: speed",
        paper: "+11.6 % over none, +7 % over `identity`; BITONIC +25.6 %, BACKP +15.2 % (P §4.4.3.3)",
        figure: |r| {
            let (balanced, identity) = ((Group::Lanes, "balanced"), (Group::Lanes, "identity"));
            let at = r.find(balanced.0, balanced.1)?;
            let one = |name: &str| {
                let program = r.programs.iter().position(|(program, _)| *program == name)?;
                r.speed(at, program).map(change)
            };
            Some(format!(
                "{} over none, {} over `identity`; bitonic_block {}, back_propagation {}",
                change(r.mean_speed(at, &r.of(DIVERGENT))?),
                faster(r, balanced, identity, DIVERGENT)?,
                one("bitonic_block")?,
                one("back_propagation")?
            ))
        },
        remark: "In the same direction and less, as for `capri` itself.",
    },
    Claim {
        about: "`bcc`: pipe cycles saved beyond `ivb-half`",
        paper: "18 % mean, 36 % most (V, Table 4)",
        figure: |r| saved(r, "bcc", "execution_cycles", true),
        remark: "Several of ours diverge by alternate lanes or at random (two_sides, one_side), where no quad is idle.",
    },
    Claim {
        about: "`scc`: pipe cycles saved beyond `ivb-half`",
        paper: "24 % mean, 38 % most (V, Table 4)",
        figure: |r| saved(r, "scc", "execution_cycles", true),
        remark: "Ours diverge more than most of the paper's, and by alternate lanes, which is what swizzling is for.",
    },
    Claim {
        about: "`bcc`: time saved beyond `ivb-half`",
        paper: "5 % mean, 21 % most; with more bandwidth 12 %, 28 % (V, Table 4)",
        figure: |r| saved(r, "bcc", "cycles", true),
        remark: "Between the paper's two cases: with pipes of four lanes most of ours are bound by arithmetic; searches in graphs are bound by memory and save little time.",
    },
    Claim {
        about: "`scc`: time saved beyond `ivb-half`",
        paper: "7 % mean, 21 % most; with more bandwidth 18 %, 36 % (V, Table 4)",
        figure: |r| saved(r, "scc", "cycles", true),
        remark: "As with `bcc`: near the paper's case with more bandwidth.",
    },
];
