//! Every form of PTX instruction with ordinary and edge operands: the reference model and compiled code, unoptimised and
//! optimised, give what exact arithmetic outside of this repository's code gives (`tests/conformance/make.py`, whose results
//! are tests/data/ptx/conformance.txt).
//!
//! A kernel has all forms of a row. Thread `v` of 17 takes vector `v` of operands.

use crate::data::each;
use reconverge::execute::ModelName::{self, Functional, Reference};
use reconverge::{CompileOptions, Module, Target};
use reconverge_compiler::lower::Options;
use reconverge_compiler::pass::Level;
use reconverge_ptx::form::{self, Form, Holds, Operand, Types};
use reconverge_ptx::tree::{Kind, Type};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

/// Vectors of operands, and threads.
const COUNT: usize = 17;
/// Steps through the values of an operand.
const STRIDES: [usize; 5] = [1, 5, 7, 11, 3];
/// Words that a form leaves at most: an old value, and four words of memory.
const RESULTS: usize = 5;
/// Control flow, and the parameters of calls: the random programs have them. Matrices need whole warps, and
/// textures and surfaces host code: ptx_kernels.rs, tensor.rs, ptx.rs and the tests of `runtime/cudart` have them.
const ELSEWHERE: [&str; 21] = [
    "bra",
    "brx",
    "call",
    "ret",
    "exit",
    "trap",
    "brkpt",
    "st.param",
    "ldmatrix",
    "stmatrix",
    "movmatrix",
    "mma",
    "wmma",
    "cp",
    "mbarrier",
    "tex",
    "tld4",
    "txq",
    "suld",
    "sust",
    "suq",
];

/// The file's contents.
struct Data {
    values: BTreeMap<String, Vec<u64>>,
    /// The results of a form, by its mnemonic, modifiers and marks: the bound in units in the last place, and the words of each
    /// vector.
    forms: BTreeMap<String, (u64, Vec<Vec<u64>>)>,
}

impl Data {
    fn read() -> Data {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/ptx/conformance.txt");
        let text = std::fs::read_to_string(path).unwrap();
        let number = |text: &str| u64::from_str_radix(text, 16).unwrap();
        let mut data = Data { values: BTreeMap::new(), forms: BTreeMap::new() };
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            if let Some(values) = line.strip_prefix("values ") {
                let (name, values) = values.split_once(' ').unwrap();
                let values = values.split(' ').map(number).collect();
                data.values.insert(name.to_owned(), values);
                continue;
            }
            let (name, results) = line.split_once(" =").unwrap();
            let (name, bound) = name.split_once(" within ").unwrap_or((name, "0"));
            let words = |text: &str| text.split('/').map(number).collect();
            let results: Vec<Vec<u64>> = results.split_whitespace().map(words).collect();
            data.forms.insert(name.to_owned(), (bound.parse().unwrap(), results));
        }
        data
    }

    /// The names of a form's lines: the plain one, and those with marks.
    fn names<'a>(&'a self, plain: &'a str) -> impl Iterator<Item = &'a String> {
        let all = self.forms.range(plain.to_owned()..).map(|(name, _)| name);
        all.take_while(move |name| name.starts_with(plain))
            .filter(move |name| unmarked(name) == plain)
    }

    /// The values of an operand of a type.
    fn values(&self, mnemonic: &str, at: usize, ty: Type) -> Vec<u64> {
        let least = if ty.bits == 8 { 32 } else { 16 };
        let name = match self.values.contains_key(ty.name) {
            true => ty.name.to_owned(),
            false => ty.bits.clamp(least, 64).to_string(),
        };
        let all = &self.values[&name];
        let vector = |v: usize| match mnemonic {
            "match" => v / 4,
            _ => (v * STRIDES[at % STRIDES.len()] + at) % COUNT,
        };
        (0..COUNT).map(|v| all[vector(v)]).collect()
    }
}

/// A form's mnemonic and modifiers, as its line has them.
fn name_of(form: &Form, words: &[&'static str]) -> String {
    std::iter::once(form.mnemonic()).chain(words.iter().copied()).collect::<Vec<_>>().join(".")
}

/// The name of a line without marks. `shared::cta` has no single colon.
fn unmarked(name: &str) -> &str {
    let at = name.match_indices(':').map(|(at, _)| at).find(|&at| {
        let has = |at: usize| name.as_bytes().get(at) == Some(&b':');
        !(has(at + 1) || at > 0 && has(at - 1))
    });
    &name[..at.unwrap_or(name.len())]
}

/// A form with modifiers, and where its operands and results are.
struct Sample {
    name: String,
    text: String,
    /// The input of each thread, operand after operand.
    input: Vec<Vec<u64>>,
}

/// The register type that holds a type here.
fn held(ty: Type) -> Type {
    match ty.kind {
        Kind::Predicate => ty,
        _ => {
            let bits = if ty.bits == 8 { 32 } else { ty.bits };
            Type::find(&format!("b{bits}")).unwrap()
        }
    }
}

/// The registers by which operands and results of 128 bits are loaded and stored.
const HALVES: [&str; 2] = ["%b64_8", "%b64_9"];

/// The text around an instruction, as it is written.
#[derive(Default)]
struct Around {
    /// Loads of the operands.
    before: String,
    /// Stores of the results.
    after: String,
    stored: usize,
    input: Vec<Vec<u64>>,
}

impl Around {
    /// Stores a result after the instruction.
    fn store(&mut self, register: &str, ty: Type) {
        if ty.bits > 64 {
            let [low, high] = HALVES;
            let _ = writeln!(self.after, "mov.b128 {{{low}, {high}}}, {register};");
            return HALVES.iter().for_each(|half| self.store(half, Type::find("b64").unwrap()));
        }
        let to = self.stored * 8;
        self.stored += 1;
        let _ = match ty.kind {
            Kind::Predicate => writeln!(
                self.after,
                "selp.u32 %t32, 1, 0, {register};\nst.global.u32 [%out+{to}], %t32;"
            ),
            _ => writeln!(self.after, "st.global.{} [%out+{to}], {register};", ty.name),
        };
    }

    /// Loads an operand of form number `slot` before the instruction, into one register for each
    /// element.
    fn load(&mut self, values: Vec<u64>, registers: &[String], own: Type, slot: usize) {
        let first = &registers[0];
        if own.bits > 64 {
            let halves = HALVES.map(str::to_owned);
            self.load(values, &halves, Type::find("b64").unwrap(), slot);
            let _ = writeln!(self.before, "mov.b128 {first}, {{{}}};", halves.join(", "));
            return;
        }
        let from = (slot * RESULTS + self.input.len()) * 8;
        let _ = match own.kind {
            Kind::Predicate => writeln!(
                self.before,
                "ld.global.u32 %t32, [%in+{from}];\nsetp.ne.u32 {first}, %t32, 0;"
            ),
            _ => writeln!(self.before, "ld.global.{} {first}, [%in+{from}];", own.name),
        };
        self.input.push(values);
        // Element i has the value, i bits further to the left.
        for (lane, register) in registers.iter().enumerate().skip(1) {
            let _ = writeln!(self.before, "shl.{} {register}, {first}, {lane};", own.name);
        }
    }
}

/// The values of a source operand.
fn values(data: &Data, form: &Form, at: usize, ty: Type) -> Vec<u64> {
    let (mnemonic, operand) = (form.mnemonic(), form.operands[at]);
    if operand.name == "mask" && mnemonic != "fns" {
        return vec![(1 << COUNT) - 1; COUNT];
    }
    // Addresses and constants have no number.
    let is_numbered = |it: &&Operand| !matches!(it.holds, Holds::Address | Holds::Constant);
    let number = form.operands[..at].iter().filter(is_numbered).count();
    if ["bar", "barrier"].contains(&mnemonic) && operand.name == "b" {
        return vec![32; COUNT];
    }
    data.values(mnemonic, number, ty)
}

/// Loads of the operands into `%b32_0` and so on, the instruction, and stores of its results. `line` is the name of its line,
/// `slot` its number.
fn sample(
    data: &Data,
    form: &Form,
    words: &[&'static str],
    line: &str,
    slot: usize,
) -> Option<Sample> {
    let types = Types::of(words.iter().copied());
    let mnemonic = form.mnemonic();
    let name = name_of(form, words);
    let marks: Vec<&str> = line[name.len()..].trim_start_matches(':').split(',').collect();
    let (mut around, mut shown) = (Around::default(), Vec::new());
    for (at, operand) in form.operands.iter().enumerate() {
        let holds = operand.holds;
        let mark = marks.get(at).copied().unwrap_or_default();
        if operand.optional && mark != "+" {
            continue;
        }
        let is_barrier = ["bar", "barrier"].contains(&mnemonic) && operand.name == "a";
        match holds {
            Holds::Label | Holds::Table | Holds::Call | Holds::Texture(_) => return None,
            Holds::Address => shown.push(address(words)),
            Holds::Constant => shown.push("0x96".to_owned()),
            _ if is_barrier => shown.push("0".to_owned()),
            _ => {
                let ty = if holds == Holds::Move { types.first } else { types.operand(holds) }?;
                let own = held(ty);
                let lanes = if operand.vector { lanes(words) } else { 1 };
                let registers: Vec<String> =
                    (0..lanes).map(|lane| format!("%{}_{}", own.name, at + lane)).collect();
                let selector = mark.trim_start_matches(['-', '+']);
                let mut text = registers.join(", ");
                if mark.starts_with('-') {
                    text.insert(0, '-');
                }
                if !selector.is_empty() {
                    text = format!("{text}.{selector}");
                }
                if lanes > 1 {
                    text = format!("{{{text}}}");
                }
                match operand.destination {
                    true => registers.iter().for_each(|register| around.store(register, own)),
                    false => around.load(values(data, form, at, ty), &registers, own, slot),
                }
                if operand.pair {
                    text += "|%pred_7";
                    around.store("%pred_7", Type::find("pred")?);
                }
                shown.push(text);
            }
        }
    }
    // No instruction before has set the carry.
    if ["addc", "subc", "madc"].contains(&mnemonic) {
        around.before.push_str("add.cc.u32 %t32, 0, 0;\n");
    }
    if ["st", "atom", "red"].contains(&mnemonic) {
        for word in 0..4 {
            let from = address(words).replace(']', &format!("+{}]", word * 8));
            let space = space(words).map_or(String::new(), |space| format!(".{space}"));
            let _ = writeln!(around.after, "ld{space}.b64 %t64, {from};");
            around.store("%t64", Type::find("b64")?);
        }
    }
    let Around { before, after, input, .. } = around;
    let text = format!("{}{before}{name} {};\n{after}", fill(words), shown.join(", "));
    let out = slot * RESULTS * 8;
    let text = format!("add.s64 %out, %first, {out};\n{text}").replace(" ;", ";");
    Some(Sample { name: line.to_owned(), text, input })
}

/// The elements of a vector.
fn lanes(words: &[&'static str]) -> usize {
    match words.iter().find(|word| ["v2", "v4"].contains(word)) {
        Some(&"v2") => 2,
        Some(_) => 4,
        None => 1,
    }
}

fn space(words: &[&'static str]) -> Option<&'static str> {
    let spaces = ["global", "local", "shared", "shared::cta", "const", "param"];
    words.iter().copied().find(|word| spaces.contains(word))
}

/// The thread's 32 bytes in the state space that an instruction names.
fn address(words: &[&'static str]) -> String {
    match space(words) {
        Some("local") => "[own]",
        Some("shared" | "shared::cta") => "[%tile]",
        Some("const") => "[table]",
        Some("param") => "[blob]",
        _ => "[%cell]",
    }
    .to_owned()
}

/// Fills the thread's bytes of the space that an instruction names.
fn fill(words: &[&'static str]) -> String {
    let mut text = String::new();
    let to = match space(words) {
        Some("local") => "st.local.b64 [own",
        Some("shared" | "shared::cta") => "st.shared.b64 [%tile",
        Some("const" | "param") => return text,
        _ => "st.global.b64 [%cell",
    };
    for word in (0..32).step_by(8) {
        let _ = writeln!(text, "ld.global.b64 %t64, [%area+{word}];\n{to}+{word}], %t64;");
    }
    text
}

/// The first bytes of a thread's address.
fn area(data: &Data, v: usize) -> Vec<u8> {
    let words = &data.values["64"];
    let word = |at: usize| words[(v * STRIDES[at] + at) % COUNT].to_le_bytes();
    (0..4).flat_map(word).collect()
}

/// The kernel of some forms.
fn kernel(data: &Data, samples: &[Sample]) -> String {
    let table: Vec<String> = area(data, 0).iter().map(u8::to_string).collect();
    let mut text = format!(
        ".version 8.3\n.target sm_75\n.address_size 64\n.const .align 32 .b8 table[32] = {{{}}};\n\
         .visible .entry k(.param .u64 out, .param .u64 in, .param .u64 areas, .param .u64 cells, .param .align 32 .b8 blob[32])\n{{\n\
         .shared .align 32 .b8 tiles[{}];\n.local .align 32 .b8 own[32];\n\
         .reg .b64 %out, %first, %in, %area, %cell, %tile, %t64; .reg .b32 %t32, %v;\n",
        table.join(","),
        32 * COUNT,
    );
    for name in ["b16", "b32", "b64", "b128", "pred"] {
        let _ = writeln!(text, ".reg .{name} %{name}_<10>;");
    }
    let stride = samples.len() * RESULTS * 8;
    let _ = write!(
        text,
        "mov.u32 %v, %tid.x;\nld.param.u64 %first, [out];\nmad.wide.u32 %first, %v, {stride}, %first;\n\
         ld.param.u64 %in, [in];\nmad.wide.u32 %in, %v, {stride}, %in;\n\
         ld.param.u64 %area, [areas];\nmad.wide.u32 %area, %v, 32, %area;\n\
         ld.param.u64 %cell, [cells];\nmad.wide.u32 %cell, %v, 32, %cell;\n\
         mov.u64 %tile, tiles;\nmad.wide.u32 %tile, %v, 32, %tile;\n"
    );
    samples.iter().for_each(|sample| text.push_str(&sample.text));
    text + "ret;\n}\n"
}

/// Runs a kernel: the words that each thread leaves.
fn run(
    data: &Data,
    module: &Module,
    model: ModelName,
    samples: &[Sample],
) -> Result<Vec<Vec<u64>>, String> {
    let fault = |error: reconverge::Error| error.to_string();
    let mut gpu =
        module.load(&Target::new("gtx480").map_err(fault)?.model(model)).map_err(fault)?;
    let mut input = Vec::new();
    for v in 0..COUNT {
        for sample in samples {
            let mut words: Vec<u64> = sample.input.iter().map(|values| values[v]).collect();
            words.resize(RESULTS, 0);
            input.extend(words);
        }
    }
    let areas: Vec<u8> = (0..COUNT).flat_map(|v| area(data, v)).collect();
    let out = gpu.zeros::<u64>(input.len()).map_err(fault)?;
    let input = gpu.buffer(&input).map_err(fault)?;
    let areas = gpu.buffer(&areas).map_err(fault)?;
    let cells = gpu.zeros::<u64>(4 * COUNT).map_err(fault)?;
    let mut parameters = [out.address(), input.address(), areas.address(), cells.address()]
        .map(u64::to_le_bytes)
        .concat();
    parameters.extend(area(data, 0));
    gpu.launch_bytes("k", 1, COUNT as u32, 0, &parameters).map_err(fault)?;
    Ok(gpu.read(&out).chunks(samples.len() * RESULTS).map(<[u64]>::to_vec).collect())
}

/// The differences of a form's results.
fn differences(data: &Data, sample: &Sample, slot: usize, got: &[Vec<u64>]) -> Vec<String> {
    let (bound, expected) = &data.forms[&sample.name];
    let mut found = Vec::new();
    for (v, words) in expected.iter().enumerate() {
        let have = &got[v][slot * RESULTS..][..words.len()];
        let is_pair = ["f16x2", "bf16x2"].iter().any(|ty| sample.name.contains(ty));
        let near = |(&have, &want): (&u64, &u64)| match is_pair && *bound > 0 {
            true => [0, 16].iter().all(|by| {
                let half = |word: u64| word >> by & 0xffff;
                half(have).abs_diff(half(want)) <= *bound
            }),
            false => have.abs_diff(want) <= *bound,
        };
        if !have.iter().zip(words).all(near) {
            let operands: Vec<String> =
                sample.input.iter().map(|values| format!("{:x}", values[v])).collect();
            found.push(format!(
                "{} {}: {have:x?}, expected {words:x?}",
                sample.name,
                operands.join(", ")
            ));
        }
    }
    found
}

/// Tries the forms of a row.
fn conforms(data: &Data, form: &Form) -> Result<(), String> {
    let mut samples = Vec::new();
    for words in form.samples() {
        for line in data.names(&name_of(form, &words)) {
            samples.extend(sample(data, form, &words, line, samples.len()));
        }
    }
    let text = kernel(data, &samples);
    let base = CompileOptions {
        lowering: Options { level: Level::None, ..Options::default() },
        ..CompileOptions::default()
    };
    let base = Module::from_ptx(&text, &base).map_err(|error| error.to_string())?;
    let full = base.with_options(&Options::default());
    let full = full.map_err(|found| found[0].message.clone())?;
    let mut faults = Vec::new();
    for (what, module, model) in [
        ("reference", &base, Reference),
        ("compiled at -O0", &base, Functional),
        ("compiled", &full, Functional),
    ] {
        let got = run(data, module, model, &samples).map_err(|error| format!("{what}: {error}"))?;
        for (slot, sample) in samples.iter().enumerate() {
            let found = differences(data, sample, slot, &got);
            faults.extend(found.into_iter().map(|fault| format!("{what}: {fault}")));
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
}

#[test]
fn every_form_conforms_by_value() {
    let data = Data::read();
    let is_elsewhere = |form: &&&Form| {
        !ELSEWHERE.iter().any(|name| match name.contains('.') {
            true => form.row.pattern.starts_with(name),
            false => form.mnemonic() == *name,
        })
    };
    let all = form::all();
    let forms: Vec<&Form> = all.iter().filter(is_elsewhere).copied().collect();
    let (mut missing, mut known) = (Vec::new(), BTreeSet::new());
    for form in &forms {
        for words in form.samples() {
            let name = name_of(form, &words);
            if !data.forms.contains_key(&name) {
                missing.push(name.clone());
            }
            known.insert(name);
        }
    }
    assert!(
        missing.is_empty(),
        "no results are known of these forms: give tests/conformance/make.py their meaning, and run it\n{}",
        missing.join("\n")
    );
    assert!(
        data.forms.keys().all(|name| known.contains(unmarked(name))),
        "a form has gone: run make.py"
    );
    each(&forms, |form| {
        conforms(&data, form).map_err(|found| format!("{}\n{found}", form.row.pattern))
    });
}
