//! One compilation: the input of every step, and the place for its messages.

use super::annotate::Claims;
use super::copies::Cycles;
use super::error::{LowerError, LowerErrorKind, Result, extension, internal};
use super::options::{Dump, Lowered, Options};
use super::ssa::{Declared, Unset};
use super::stream::{self, Stream};
use super::tree::Asked;
use super::{assumed, layout, localities, select, tree, walk};
use crate::analysis::affine::WARP;
use crate::analysis::{Launches, Steady, legality};
use crate::check::tree::{FunctionId, Module};
use crate::decouple::profit::{self, Cost};
use crate::decouple::report::Reason;
use crate::decouple::{self, Report, Streams};
use crate::ir::{Function, Value, verify};
use crate::machine_code::Assembly;
use crate::pass::{self, Rule, Stage, Work};
use crate::syntax::source::SourceMap;
use reconverge_isa::{AffineStream, Decoupling, Kernel, Op, Program, Record, Variable, text};
use std::borrow::Cow;

/// Receives each step of a compilation when the step is done.
pub type Watch<'a> = dyn FnMut(Step) + 'a;

/// A step of a compilation.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// Its name; passes have their own.
    pub name: &'static str,
    /// Its result, if it begins a stage with passes or is a pass.
    pub form: Form<'a>,
}

/// The form of a kernel after a step.
#[derive(Clone, Copy, Debug)]
pub enum Form<'a> {
    /// It is not shown.
    None,
    /// The intermediate representation.
    Ir(&'a Function),
    /// Machine code, and the number of instructions that a pass added, changed or annotated.
    Code(&'a Kernel, Option<usize>),
}

impl Step<'_> {
    fn of(name: &'static str) -> Step<'static> {
        Step { name, form: Form::None }
    }
}

/// A compilation: its options, its observer, and the messages so far.
pub struct Session<'a> {
    options: &'a Options,
    watch: &'a mut Watch<'a>,
    dumps: Vec<Dump>,
    /// For the kernel assembled last: [`Lowered::values`].
    values: Vec<Option<Value>>,
}

impl<'a> Session<'a> {
    /// A compilation with these options; `watch` receives each step, for passes by their names.
    pub fn new(options: &'a Options, watch: &'a mut Watch<'a>) -> Session<'a> {
        Session { options, watch, dumps: Vec::new(), values: Vec::new() }
    }

    /// Compiles all kernels of a program.
    ///
    /// # Errors
    /// One for each kernel that cannot be compiled, and for variables that do not fit.
    pub fn lower(
        mut self,
        module: &Module,
        sources: &SourceMap,
    ) -> std::result::Result<Lowered, Vec<LowerError>> {
        let mut errors = Vec::new();
        let mut lowered = Lowered::default();
        lowered.program.files = sources.files().map(|file| sources.name(file).to_owned()).collect();
        match layout::variables(module) {
            Ok(variables) => lowered.program.variables = variables,
            Err(error) => errors.push(error),
        }
        let launches = walk::launches(module);
        for (index, function) in module.functions.iter().enumerate() {
            if !function.sides.kernel {
                continue;
            }
            let id = FunctionId(index as u32);
            let launched = launches.get(&id).copied().unwrap_or_default();
            lowered.launched.push(launched.and(&assumed::launches(function)));
            if let Err(error) = self.kernel(module, sources, id, &mut lowered) {
                errors.push(error);
            }
        }
        lowered.dumps = self.dumps;
        if errors.is_empty() { Ok(lowered) } else { Err(errors) }
    }

    fn kernel(
        &mut self,
        module: &Module,
        sources: &SourceMap,
        id: FunctionId,
        lowered: &mut Lowered,
    ) -> Result<()> {
        let span = module.function(id).span;
        let (function, unset) = self.build(module, sources, id)?;
        (self.watch)(Step::of("lower"));
        lowered.steady.push(steady(module, id, &function)?);
        self.finish(function, lowered).map_err(|error| LowerError { span, ..error })?;
        lowered.unset.extend(unset);
        Ok(())
    }

    /// Compiles functions that are well-formed already, such as ones that were read as text, with the files that their
    /// locations name and the device's variables.
    ///
    /// # Errors
    /// One for each function that cannot be compiled, with its number; they have no place.
    pub fn lower_functions(
        mut self,
        functions: Vec<Function>,
        files: Vec<String>,
        variables: Vec<Variable>,
    ) -> std::result::Result<Lowered, Vec<(usize, LowerError)>> {
        let mut errors = Vec::new();
        let mut lowered = Lowered::default();
        (lowered.program.files, lowered.program.variables) = (files, variables);
        for (index, function) in functions.into_iter().enumerate() {
            lowered.launched.push(Launches::default());
            lowered.steady.push(Steady::default());
            if let Err(error) = self.finish(function, &mut lowered) {
                errors.push((index, error));
            }
        }
        lowered.dumps = self.dumps;
        if errors.is_empty() { Ok(lowered) } else { Err(errors) }
    }

    /// Runs the passes on a function and makes machine code of it.
    fn finish(&mut self, mut function: Function, lowered: &mut Lowered) -> Result<()> {
        let launched = lowered.launched.last().copied().unwrap_or_default();
        let threads = launched.at_most(function.max_threads).threads;
        self.optimise(&mut function)?;
        let (mut kernel, report) = self.assemble(&function, threads)?;
        localities::annotate(&mut kernel, &lowered.program.files, &self.options.localities);
        lowered.program.kernels.push(kernel);
        lowered.register_limits.push(self.options.register_limit(&function));
        lowered.decoupled.extend(report);
        lowered.unheeded.append(&mut function.unheeded);
        if !self.options.keep_ir && !legality::has_barrier(&function) {
            let Function { name, .. } = function;
            function = Function { name, ..Function::default() };
            self.values.clear();
        }
        function.values.shrink_to_fit();
        lowered.ir.push(function);
        lowered.values.push(std::mem::take(&mut self.values));
        Ok(())
    }

    /// The function that the passes start from, and the reads of variables without a value that are to be reported.
    fn build(
        &self,
        module: &Module,
        sources: &SourceMap,
        id: FunctionId,
    ) -> Result<(Function, Vec<Unset>)> {
        let Options { fences, bounds, maybe_unset, keep_unset, .. } = *self.options;
        let nothing = Declared::new();
        let asked = Asked { fences, bounds, maybe_unset, kept: &nothing, all_zeroes: keep_unset };
        let (mut function, unset, kept) = tree::kernel(module, sources, id, asked)?;
        if keep_unset && !kept.is_empty() {
            (function, ..) = tree::kernel(module, sources, id, Asked { kept: &kept, ..asked })?;
        }
        function.keeps_unset = keep_unset;
        Ok((function, unset))
    }

    /// Runs the passes over the intermediate representation.
    ///
    /// # Errors
    /// A pass left a function that breaks a rule of the intermediate representation, or an analysis of an extension sets
    /// a hint that does not exist; the error has no place.
    pub fn optimise(&mut self, function: &mut Function) -> Result<()> {
        self.after("lower", function)?;
        let knobs = self.options.knobs();
        for pass in self.options.passes() {
            if pass.run(function, &knobs).map_err(extension)? {
                (self.watch)(Step { name: pass.name, form: Form::Ir(function) });
                self.after(pass.name, function)?;
            }
        }
        Ok(())
    }

    /// The work after each of these passes: the function is printed and verified on request.
    fn after(&mut self, pass: &'static str, function: &Function) -> Result<()> {
        if self.options.print_after.contains(pass) {
            let mut function = Cow::Borrowed(function);
            if self.options.print_settled {
                function.to_mut().renumber();
            }
            let (kernel, text) = (function.name.clone(), function.to_string());
            self.dumps.push(Dump { pass, stage: Stage::Ir, kernel, text });
        }
        if self.options.verify {
            if let Some(fault) = verify(function).into_iter().next() {
                return Err(internal(format!("after `{pass}`: {fault}")));
            }
            (self.watch)(Step::of("verify"));
        }
        Ok(())
    }

    /// Runs the passes over machine code that the machine requires.
    fn finish_code(&mut self, assembly: &mut Assembly) -> Result<()> {
        let required = self.options.required();
        (self.watch)(Step { name: "link", form: Form::Code(&assembly.kernel, None) });
        self.print_code("emit", &assembly.kernel);
        for pass in self.options.passes() {
            let Work::Code(work) = pass.work else {
                continue;
            };
            if !(work.is_required)(&required) {
                continue;
            }
            let changed = (work.run)(assembly, &required);
            (self.watch)(Step {
                name: pass.name,
                form: Form::Code(&assembly.kernel, Some(changed)),
            });
            self.print_code(pass.name, &assembly.kernel);
            if self.options.verify {
                let fault = |fault| internal(format!("after `{}`: {fault}", pass.name));
                (work.verify)(&assembly.kernel, &required).map_err(fault)?;
            }
        }
        Ok(())
    }

    /// Prints machine code on request.
    fn print_code(&mut self, pass: &'static str, kernel: &Kernel) {
        if self.options.print_after.contains(pass) {
            let text = text::print_kernel(&Program::default(), kernel);
            let kernel = kernel.name.clone();
            self.dumps.push(Dump { pass, stage: Stage::Code, kernel, text });
        }
    }

    /// The rules of instruction selection.
    fn rules(&self) -> Vec<Rule> {
        let passes = self.options.passes().into_iter();
        let rule = |pass: &pass::Pass| match pass.work {
            Work::Selection(rule) => Some(rule),
            _ => None,
        };
        passes.filter_map(rule).collect()
    }

    /// Turns a well-formed function, whose blocks have at most `threads` threads, into machine
    /// code, with the report on its decoupling if requested.
    ///
    /// # Errors
    /// The function does not fit into registers or local memory; the error has no place.
    pub fn assemble(
        &mut self,
        function: &Function,
        threads: u32,
    ) -> Result<(Kernel, Option<Report>)> {
        let mut function = function.clone();
        if self.options.required().decoupling != Decoupling::Never {
            // The affine stream's addresses are words.
            pass::addresses::run(&mut function);
        }
        // Selection relies on both, even if passes are disabled.
        pass::dead::run(&mut function);
        // Splitting edges gives each of many exits of a loop a block of its own, which takes longer
        // to analyse and adds no knowledge.
        let claims = Claims::new(&function);
        (self.watch)(Step::of("claims"));
        let whole = self.stream(&function, &claims, Vec::new())?;
        let (streams, report) = match self.options.required().decoupling {
            Decoupling::Never => (None, None),
            Decoupling::WhereProfitable | Decoupling::Always => {
                let (streams, mut report) = decouple::decouple(&function);
                (self.watch)(Step::of("decouple"));
                let streams = match streams {
                    Some(streams) => {
                        self.streams(&streams, &claims, &whole, threads, &mut report)?
                    }
                    None => None,
                };
                (streams, Some(report))
            }
        };
        let (main, affine) = match streams {
            Some((main, affine)) => (main, Some(affine)),
            None => (whole, None),
        };
        Ok((self.link(&function, main, affine)?, report))
    }

    /// Puts the streams of a kernel together, the affine one after the other, and finishes them.
    fn link(
        &mut self,
        function: &Function,
        main: Stream,
        affine: Option<Stream>,
    ) -> Result<Kernel> {
        let (mut code, mut lines, mut literals) = (main.code, main.lines, main.literals);
        let entry = code.len() as u32;
        let stream = affine.as_ref().map(|affine| AffineStream {
            entry,
            registers: affine.registers,
            predicates: affine.predicates,
        });
        if let Some(affine) = affine {
            literals = affine.literals;
            code.extend(decouple::relocated(affine.code, entry));
            lines.extend(affine.lines);
        }
        let kernel = Kernel {
            name: function.name.clone(),
            parameter_bytes: select::parameter_bytes(function),
            parameters: function.parameters.clone(),
            literals,
            registers: main.registers,
            predicates: main.predicates,
            shared_bytes: function.shared_bytes,
            local_bytes: main.local_bytes,
            max_threads: function.max_threads,
            affine: stream,
            code,
            lines,
            record: Record {
                uniform: if stream.is_none() { main.uniform } else { 0 },
                ..Record::default()
            },
        };
        let values = if stream.is_none() { main.values } else { Vec::new() };
        let mut assembly = Assembly { function, kernel, values };
        self.finish_code(&mut assembly)?;
        let Assembly { kernel, mut values, .. } = assembly;
        // Proofs about values assume that paths meet where branches say.
        if kernel.code.iter().any(|instruction| instruction.op == Op::Bssy) {
            values.clear();
        }
        self.values = values;
        Ok(kernel)
    }

    /// Machine code of both streams of a function, if they are better than the whole in blocks of
    /// at most `threads` threads.
    fn streams(
        &mut self,
        streams: &Streams,
        claims: &Claims,
        whole: &Stream,
        threads: u32,
        report: &mut Report,
    ) -> Result<Option<(Stream, Stream)>> {
        let faults = verify(&streams.main)
            .into_iter()
            .chain(verify(&streams.affine))
            .map(|fault| fault.to_string())
            .chain(decouple::verify::verify(&streams.main, &streams.affine, &streams.parting));
        if let Some(fault) = faults.into_iter().next() {
            return Err(internal(format!("after `decouple`: {fault}")));
        }
        let main = self.stream(&streams.main, claims, Vec::new())?;
        let affine = match self.affine_stream(&streams.affine, main.literals.clone()) {
            Err(error) if error.kind == LowerErrorKind::Registers => {
                report.not_decoupled = Some(Reason::Registers);
                return Ok(None);
            }
            affine => affine?,
        };
        report.weight = [whole.cost.weight, main.cost.weight, affine.cost.weight];
        report.instructions = [whole.code.len(), main.code.len(), affine.code.len()];
        let constants = select::parameter_bytes(&streams.main).next_multiple_of(8) as usize
            + 4 * affine.literals.len();
        let only_if_it_pays = self.options.required().decoupling == Decoupling::WhereProfitable;
        report.not_decoupled = if profit::has_spills(&affine.code) {
            Some(Reason::Registers)
        } else if constants > reconverge_isa::CONSTANT_SIZE as usize {
            Some(Reason::Constants)
        } else {
            let loads_early = report.count(|access| access.name == "load").1;
            let cost: [Cost; 3] = [whole.cost, main.cost, affine.cost];
            let warps = threads.div_ceil(WARP);
            profit::objection(cost, loads_early, only_if_it_pays.then_some(warps))
        };
        Ok(report.not_decoupled.is_none().then_some((main, affine)))
    }

    /// Machine code of a whole kernel or of its non-affine stream.
    fn stream(
        &mut self,
        function: &Function,
        claims: &Claims,
        literals: Vec<u32>,
    ) -> Result<Stream> {
        let source = stream::Source { function, claims, literals, rules: self.rules() };
        let watch = &mut |name| (self.watch)(Step::of(name));
        stream::generate(source, self.options, |_| Cycles::Exchange, watch)
    }

    /// Machine code of the affine stream: it has no use for facts about the kernel's branches, and
    /// it has all registers of the affine warp. These hold tuples, so that copies need one as a
    /// scratch, and its unit computes the operations as they are in the kernel.
    fn affine_stream(&mut self, function: &Function, literals: Vec<u32>) -> Result<Stream> {
        let claims = Claims::none();
        let max_registers = Some(reconverge_isa::REGISTERS as u32);
        let options = Options { max_registers, ..self.options.clone() };
        let source = stream::Source { function, claims: &claims, literals, rules: Vec::new() };
        let cycles = |registers: u32| Cycles::Through(registers.next_multiple_of(2));
        let watch = &mut |name| (self.watch)(Step::of(name));
        stream::generate(source, &options, cycles, watch)
    }
}

/// Facts about a kernel's loads before the passes, for warnings of its barriers.
fn steady(module: &Module, id: FunctionId, function: &Function) -> Result<Steady> {
    if !legality::has_barrier(function) {
        return Ok(Steady::default());
    }
    let mut starts: Vec<u32> = layout::shared(module, id)?.offsets.into_values().collect();
    starts.sort_unstable();
    starts.dedup();
    let unwritten = module.function(id).unwritten.iter();
    let offset = |&index: &usize| Some(function.parameters.get(index)?.offset);
    Ok(Steady::new(function, &starts, &unwritten.filter_map(offset).collect()))
}
